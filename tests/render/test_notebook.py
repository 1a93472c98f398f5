"""The card of a context in a notebook: everything escaped (D17), nothing fetched, 500 characters shown."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimful.render.notebook import PREVIEW, Card, render_card

pytestmark = pytest.mark.once

FIELDS: dict[str, Any] = {
    "context_id": "ctx_1",
    "name": "chat",
    "version": "v1",
    "content": "Hello",
    "token_usage": 50,
    "max_tokens": 100,
    "is_fresh": True,
}
TAGS = {"div", "strong", "code", "pre"}


class Reader(HTMLParser):
    """What a browser would see: the tags, their attributes, and the text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.shown: dict[str, str] = {}
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.shown[self.open[-1]] = self.shown.get(self.open[-1], "") + data

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)


def read(**fields: Any) -> Reader:
    reader = Reader(render_card(Card(**{**FIELDS, **fields})))
    assert not reader.open
    return reader


def test_a_card_says_what_it_is_and_how_full() -> None:
    reader = read(dropped=2, cost_usd=0.00025, approximate=True, is_fresh=False)

    assert (reader.shown["strong"], reader.shown["code"], reader.shown["pre"]) == ("chat", "ctx_1", "Hello")
    for part in ("v1", "about 50 of 100 tokens", "degraded freshness", "2 dropped", "$0.000250"):
        assert part in reader.shown["div"]
    assert "fresh" in read().shown["div"].split(" · ")


@pytest.mark.parametrize("field", ["content", "name", "version", "context_id"])
@pytest.mark.parametrize(
    "attack",
    [
        "<script>alert(1)</script>",
        '"><img src=x onerror=alert(1)>',
        "</pre></div><iframe src=//evil>",
        "<!-- --><style>*{display:none}</style>",
        "&lt;b&gt; &amp; 'quoted'",
        "<" * 600,
    ],
)
def test_no_value_is_markup(field: str, attack: str) -> None:
    reader, plain = read(**{field: attack}), read()

    assert (reader.tags, reader.attributes) == (plain.tags, plain.attributes)
    tag = {"content": "pre", "name": "strong", "version": "div", "context_id": "code"}[field]
    assert attack[:PREVIEW] in reader.shown[tag]


@given(content=st.text(max_size=40), name=st.text(max_size=20))
def test_only_our_tags_are_there(content: str, name: str) -> None:
    assert set(Reader(render_card(Card(**{**FIELDS, "content": content, "name": name}))).tags) == TAGS


def test_nothing_runs_and_nothing_is_fetched() -> None:
    reader = read()

    assert set(reader.tags) == TAGS
    assert {name for name, _ in reader.attributes} == {"style", "title", "dir"}
    assert not any("url(" in (value or "") for _, value in reader.attributes)


@pytest.mark.parametrize(
    ("tokens", "colour", "width"),
    [(0, "green", 0), (69, "green", 69), (70, "yellow", 70), (89, "yellow", 89), (90, "red", 90), (250, "red", 100)],
)
def test_the_bar_has_a_colour_and_a_length(tokens: int, colour: str, width: int) -> None:
    attributes = read(token_usage=tokens).attributes

    assert ("title", f"{colour}: {tokens} %") in attributes
    assert any(name == "style" and (value or "").endswith(f"width:{width}%") for name, value in attributes)


@pytest.mark.parametrize("max_tokens", [None, 0])
def test_without_a_budget_there_is_no_bar(max_tokens: int | None) -> None:
    reader = read(max_tokens=max_tokens)

    assert "title" not in dict(reader.attributes)
    assert "50 tokens" in reader.shown["div"]


def test_a_negative_budget_is_full() -> None:
    assert ("title", "red: 100 %") in read(max_tokens=-5).attributes


def test_500_characters_are_shown() -> None:
    assert read(content="é" * PREVIEW).shown["pre"] == "é" * PREVIEW
    assert read(content="é" * (PREVIEW + 1)).shown["pre"] == "é" * PREVIEW + "…"
