r"""The words of the drop-in sections builder: four sections under `=== headings ===`, and the prompt around them.

Nothing is escaped here: the frame is that of the original, and texts may imitate it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

CUT_MARKER: Final = "\n[...truncated]"
"""What stands at the end of a section that was cut."""

HEADINGS: Final = {
    "user_profile": "User Profile",
    "memories": "Relevant Memories",
    "documents": "Retrieved Documents",
    "history": "Recent Conversation",
}
"""The sections in their order."""


class Roles(NamedTuple):
    """What the two sides of a turn are called."""

    user: str = "User"
    assistant: str = "Assistant"


DEFAULT_ROLES: Final = Roles()


class Body(NamedTuple):
    """What a section says: a block an item, empty for one that says nothing, and what is between them."""

    blocks: list[str]
    between: str

    @property
    def text(self) -> str:
        """The blocks one behind another."""
        return self.between.join(filter(None, self.blocks))


def write_profile(text: str) -> Body:
    """Return the body of the profile."""
    return Body([text], "")


def write_memories(contents: Iterable[object]) -> Body:
    """Return the body of the memories, numbered from 1.

    >>> write_memories(["likes tea"]).text
    '[Memory 1] likes tea'
    """
    texts = enumerate(map(describe_memory, contents), start=1)
    return Body([f"[Memory {number}] {text}" for number, text in texts], "\n\n")


def write_documents(documents: Iterable[tuple[object, object]]) -> Body:
    r"""Return the body of documents, given as content and source, numbered from 1; a source that is falsy is not shown.

    >>> write_documents([("Water is wet.", "wiki")]).text
    '[Doc 1 (source: wiki)]\nWater is wet.'
    """
    blocks = []
    for number, (content, source) in enumerate(documents, start=1):
        label = f" (source: {source})" if source else ""
        blocks.append(f"[Doc {number}{label}]\n{content}")
    return Body(blocks, "\n\n")


def write_history(turns: Sequence[Mapping[str, object] | None]) -> Body:
    r"""Return the body of a conversation: a line for an input and one for an output, where they are truthy.

    >>> write_history([{"input": "Hi", "output": "Hello"}, None, {"input": ""}]).text
    'User: Hi\nAssistant: Hello'
    """
    return Body([_write_turn(turn or {}) for turn in turns], "\n")


def _write_turn(turn: Mapping[str, object]) -> str:
    sides = (("User", turn.get("input")), ("Assistant", turn.get("output")))
    return "\n".join(f"{role}: {text}" for role, text in sides if text)


def describe_memory(content: object, roles: Roles = DEFAULT_ROLES) -> str:
    r"""Return a memory in words: its summary, what it was merged to, both sides of a turn, or what `str` gives.

    >>> describe_memory({"input": "Hi", "output": None}), describe_memory({"summary": "A greeting."})
    ('User: Hi\nAssistant: None', 'A greeting.')
    """
    if not isinstance(content, dict):
        return str(content)
    for key in ("summary", "merged"):
        if key in content:
            return f"{content[key]}"
    sides = zip(roles, ("input", "output"), strict=True)
    return "\n".join(f"{role}: {content[key]}" for role, key in sides if key in content) or str(content)


def render_section(name: str, text: str) -> str:
    r"""Return a section with its heading.

    >>> render_section("history", "User: Hi ")
    '=== Recent Conversation ===\nUser: Hi\n'
    """
    return f"=== {HEADINGS[name]} ===\n{text.strip()}\n"


def render_header(query: str | None) -> str:
    """Return the line above all sections, nothing without a query."""
    return f"# Context for: {query}\n\n" if query else ""


def render_prompt(system: str, context: str, query: str) -> str:
    r"""Return a prompt around a context.

    >>> render_prompt("Be kind.", "# Context for: Hi\n\n", "Hi")
    'Be kind.\n\n# Context for: Hi\n\n\n\n=== Current Query ===\nHi'
    """
    return f"{system}\n\n{context}\n\n=== Current Query ===\n{query}".strip()
