"""The card of a context in a notebook: HTML without scripts or anything from elsewhere, every value escaped."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Final

PREVIEW: Final = 500
"""Code points of the content that are shown."""
_COLOURS: Final = ((70, "#1a7f37", "green"), (90, "#9a6700", "yellow"))
_FULL: Final = ("#cf222e", "red")
_BOX: Final = (
    "border:1px solid #d0d7de;border-radius:6px;padding:12px;max-width:720px;"
    "font-family:system-ui,sans-serif;font-size:13px"
)
_TRACK: Final = "background:#eaeef2;border-radius:3px;height:6px;margin:6px 0"
_TEXT: Final = "white-space:pre-wrap;overflow-wrap:anywhere;unicode-bidi:isolate;margin:8px 0 0"


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """What a card shows: plain values, of anybody's making; `max_tokens` of None or 0 is no budget."""

    context_id: str
    name: str
    version: str
    content: str
    token_usage: int
    max_tokens: int | None
    is_fresh: bool
    dropped: int = 0
    cost_usd: float | None = None
    approximate: bool = False


def render_card(card: Card) -> str:
    """Return the HTML of a card: what it is, how full the window is, and how the content begins. Linear.

    >>> card = Card(context_id="ctx_1", name="<chat>", version="v1", content="Hi", token_usage=1, max_tokens=None,
    ...             is_fresh=True)
    >>> "<strong>&lt;chat&gt;</strong>" in render_card(card)
    True
    """
    facts = [_usage(card), "fresh" if card.is_fresh else "degraded freshness"]
    if card.dropped:
        facts.append(f"{card.dropped:,} dropped")
    if card.cost_usd is not None:
        facts.append(f"${card.cost_usd:.6f}")
    head = f"<strong>{escape(card.name)}</strong> {escape(card.version)} <code>{escape(card.context_id)}</code>"
    preview = card.content[:PREVIEW]
    more = "…" if len(card.content) > PREVIEW else ""
    return (
        f'<div style="{_BOX}"><div>{head}</div>{_bar(card)}<div>{escape(" · ".join(facts))}</div>'
        f'<pre dir="auto" style="{_TEXT}">{escape(preview)}{more}</pre></div>'
    )


def _usage(card: Card) -> str:
    about = "about " if card.approximate else ""
    if not card.max_tokens:
        return f"{about}{card.token_usage:,} tokens"
    return f"{about}{card.token_usage:,} of {card.max_tokens:,} tokens"


def _bar(card: Card) -> str:
    if not card.max_tokens:
        return ""
    percent = 100 * card.token_usage / card.max_tokens if card.max_tokens > 0 else 100.0
    colour, name = next(((colour, name) for limit, colour, name in _COLOURS if percent < limit), _FULL)
    width = min(max(percent, 0), 100)
    fill = f"background:{colour};border-radius:3px;height:6px;width:{width:.0f}%"
    return f'<div style="{_TRACK}"><div title="{name}: {percent:.0f} %" style="{fill}"></div></div>'
