"""What the documents show is what happens."""

from __future__ import annotations

import contextlib
import doctest
import importlib
import io
import pkgutil
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import brimful

ROOT = Path(__file__).parents[1]
MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(brimful.__path__, "brimful.")
    if not module.name.endswith(("__main__", "_native")) and ".cli." not in module.name
)


@pytest.mark.parametrize("name", ["brimful", *MODULES])
def test_the_examples_of_every_docstring_run(name: str) -> None:
    if ".integrations." in name:  # a module of the name of the package that it adapts
        pytest.importorskip(name.rpartition(".")[2], reason="the dependency group `references` is not installed")
    outcome = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)

    assert outcome.failed == 0


def test_every_public_name_has_an_example() -> None:
    for name in (
        "ContextBuilder",
        "Document",
        "EstimateCounter",
        "ExactCounter",
        "NearDuplicateOptions",
        "count_chat_tokens",
        "count_image_tokens",
        "count_tokens",
        "estimate_tokens",
        "for_model",
        "from_callable",
        "mmr_select",
        "near_duplicates",
        "tfidf_similarities",
        "truncate",
    ):
        assert ">>> " in (getattr(brimful, name).__doc__ or ""), name


def test_every_public_name_is_there_and_listed() -> None:
    assert all(getattr(brimful, name) is not None for name in brimful.__all__)
    assert set(brimful.__all__) <= set(dir(brimful))
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        brimful.nothing  # noqa: B018


LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)")
DOCS = sorted(str(page.relative_to(ROOT)) for page in (ROOT / "docs").rglob("*.md"))
PAGES = (
    *("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "examples/README.md", "benches/README.md"),
    *DOCS,
)
EXAMPLE = re.compile(r"```python\n(.*?)```\n.*?```text\n(.*?)```", re.DOTALL)


@pytest.mark.checkout
@pytest.mark.parametrize("page", PAGES)
def test_every_relative_link_leads_to_a_file(page: str) -> None:
    links = LINK.findall((ROOT / page).read_text(encoding="utf-8"))

    assert [link for link in links if not is_tracked((ROOT / page).parent / link)] == []


@pytest.mark.checkout
def test_the_readme_has_links_to_look_at() -> None:
    assert len(LINK.findall((ROOT / "README.md").read_text(encoding="utf-8"))) >= 5


def is_tracked(path: Path) -> bool:
    """Whether a clone has `path`: here it may exist without being tracked. Without git, whether it exists."""
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        return path.exists()
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", str(path)]
    return bool(subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout)


def run_examples(page: Path) -> int:
    """Run the examples of a page one after another, and say how many there are."""
    text = page.read_text(encoding="utf-8")
    examples, names = EXAMPLE.findall(text), dict[str, object]()
    for code, expected in examples:
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(code, names)  # noqa: S102 - our own page
        assert expected == printed.getvalue()
    assert text.count("```python\n") == len(examples)
    return len(examples)


def test_the_examples_of_the_readme_print_what_it_shows() -> None:
    if not (ROOT / "README.md").exists():
        pytest.skip("the README is not here")

    assert run_examples(ROOT / "README.md") == 3


@pytest.mark.parametrize("page", [page for page in DOCS if not page.endswith("index.md")])
def test_the_examples_of_the_documents_print_what_they_show(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # some write a file
    assert run_examples(ROOT / page) >= 1
