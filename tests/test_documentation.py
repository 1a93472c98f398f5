"""What the documents show is what happens."""

from __future__ import annotations

import contextlib
import doctest
import importlib
import io
import pkgutil
import re
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
    outcome = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)

    assert outcome.failed == 0


def test_every_public_name_has_an_example() -> None:
    for name in ("ContextBuilder", "Document", "NearDuplicateOptions", "estimate_tokens", "near_duplicates"):
        assert ">>> " in (getattr(brimful, name).__doc__ or ""), name


def test_every_public_name_is_there_and_listed() -> None:
    assert all(getattr(brimful, name) is not None for name in brimful.__all__)
    assert set(brimful.__all__) <= set(dir(brimful))
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        brimful.nothing  # noqa: B018


def test_the_examples_of_the_readme_print_what_it_shows() -> None:
    readme = ROOT / "README.md"
    if not readme.exists():
        pytest.skip("the README is not here")
    blocks = re.findall(r"```python\n(.*?)```\n.*?```text\n(.*?)```", readme.read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, object] = {}

    assert len(blocks) == 2
    for code, expected in blocks:
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(code, names)  # noqa: S102 - our own README
        assert expected == printed.getvalue()
