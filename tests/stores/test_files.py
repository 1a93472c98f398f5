"""Folders of cards: names that stay inside, and what is wrong with a folder in plain words."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimful.errors import StoreError
from brimful.stores import files
from brimful.stores.cards import Card
from brimful.stores.files import file_name
from brimful.stores.filesystem_cards import FilesystemAdapter

if TYPE_CHECKING:
    from collections.abc import Callable

HOSTILE = [
    *(
        "../out",
        "..",
        ".",
        "/etc/passwd",
        "a/b",
        "a\\b",
        "C:\\x",
        "nul",
        "NUL",
        "con",
        "com1",
        "a\0b",
        "\0",
        " ",
        "a ",
        "a.",
    ),
    *(
        "card",
        "CARD",
        "Card",
        "cArd",
        "%43ard",
        "card.json",
        ".new-card.json",
        "é",
        "e\u0301",
        "ß",
        "SS",
        "ss",
        "ı",
        "i",
        "I",
    ),
    *("x" * 300, "x" * 299 + "X", "ü" * 300, "~", "~" * 300, "\u202e", "😀", "lock", "width", "*", "?", "a\nb"),
]
ids = st.one_of(
    st.sampled_from(HOSTILE),
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=400),
    st.text("aA./%~\0", min_size=1, max_size=70),
)


def test_every_id_has_a_file_of_its_own_in_its_folder(tmp_path: Path) -> None:
    store = FilesystemAdapter(tmp_path / "inner" / "store")
    store.write_cards([Card(f"text of {id_!r}", id=id_) for id_ in HOSTILE])
    found = [path for path in tmp_path.rglob("*") if path.is_file()]

    assert {path.parent for path in found if path.name not in ("lock", "width")} == {store.path / "cards"}
    assert len(store) == len(HOSTILE) == len(list((store.path / "cards").iterdir()))
    assert [card.text for card in store.read_cards(HOSTILE)] == [f"text of {id_!r}" for id_ in HOSTILE]
    assert store.delete_cards(HOSTILE) == len(HOSTILE)
    assert list((store.path / "cards").iterdir()) == []


@given(st.sets(ids, min_size=2, max_size=8))
def test_no_two_ids_share_a_name_on_any_file_system(given_ids: set[str]) -> None:
    names = {file_name(id_).casefold() for id_ in given_ids}

    assert len(names) == len(given_ids)


@given(ids)
def test_a_name_is_short_plain_and_no_device(id_: str) -> None:
    name = file_name(id_)

    assert Path(name).name == name
    assert name.isascii()
    assert name == name.lower()
    assert len(name) <= 205
    assert name[0] not in ".-" or name[0] == "-"
    assert name.partition(".")[0] not in files.DEVICES


@pytest.mark.parametrize("content", ["{", "[]", '{"text": 1}', '{"text": "a", "importance": 7}', "\udcff"])
def test_a_file_that_cannot_be_read_says_so(tmp_path: Path, content: str) -> None:
    store = FilesystemAdapter(tmp_path)
    store.write_card(Card("a", id="a"))
    (tmp_path / "cards" / "a.json").write_text(content, "utf-8", "surrogateescape")
    calls: list[Callable[[], Any]] = [lambda: store.read_card("a"), FilesystemAdapter(tmp_path).list_cards]
    for call in calls:
        with pytest.raises(StoreError, match=r"is corrupted in cards.a\.json") as caught:
            call()
        assert caught.value.kind == "corrupted"


def test_a_file_under_another_name_says_so(tmp_path: Path) -> None:
    store = FilesystemAdapter(tmp_path)
    (tmp_path / "cards" / "b.json").write_text(json.dumps(Card("a", id="a").to_dict()))

    calls: list[Callable[[], Any]] = [lambda: store.read_card("b"), FilesystemAdapter(tmp_path).list_cards]
    for call in calls:
        with pytest.raises(StoreError, match=r"corrupted in cards.b\.json: it has the card 'a'"):
            call()


@pytest.mark.parametrize("embedding", [[1.0], [1.0, 2.0, 3.0]])
@pytest.mark.parametrize("id_", ["a", "b"])
def test_an_embedding_of_another_width_says_so_until_it_is_mended(
    tmp_path: Path, id_: str, embedding: list[float]
) -> None:
    store = FilesystemAdapter(tmp_path)
    store.write_cards([Card(text, id=text, embedding=[1.0, 0.0]) for text in "ab"])
    path = tmp_path / "cards" / f"{id_}.json"
    sound = path.read_text()
    path.write_text(json.dumps({**json.loads(sound), "embedding": embedding}))
    calls: list[Callable[[], Any]] = [lambda: store.vector_search([1, 0], top_k=2), lambda: len(store)]
    for call in calls:
        with pytest.raises(
            StoreError, match=rf"corrupted in cards.{id_}\.json: embedding must have 2 components"
        ) as caught:
            call()
        assert caught.value.kind == "corrupted"

    path.write_text(sound)
    assert store.vector_search([1, 0], top_k=2) == [("a", 1.0), ("b", 1.0)]


@pytest.mark.parametrize(
    ("number", "kind", "words"),
    [
        (errno.ENOSPC, "full", "has no room left"),
        (errno.EROFS, "read-only", "is read-only"),
        (errno.EACCES, "read-only", "is read-only"),
        (errno.EIO, "failed", "failed"),
    ],
)
def test_what_the_system_refuses_is_said_in_plain_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, kind: str, words: str
) -> None:
    store = FilesystemAdapter(tmp_path)
    store.write_card(Card("old", id="a"))

    def refuse(_file: int) -> None:
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", refuse)
        with pytest.raises(StoreError, match=f"^store .* {words}") as caught:
            store.write_card(Card("new", id="a"))

    assert caught.value.kind == kind
    assert isinstance(caught.value.__cause__, OSError)
    assert [card.text for card in store.list_cards()] == ["old"]


def test_a_locked_folder_says_so(tmp_path: Path) -> None:
    one, other = FilesystemAdapter(tmp_path), FilesystemAdapter(tmp_path, timeout_s=0.02)
    with one._folder_lock.writing(), pytest.raises(StoreError, match="is locked by another writer") as caught:  # noqa: SLF001
        other.write_card(Card("a"))

    assert caught.value.kind == "locked"
    other.write_card(Card("a"))


def test_a_lock_that_holds_no_number_says_so(tmp_path: Path) -> None:
    store = FilesystemAdapter(tmp_path)
    (tmp_path / "lock").write_text("none")
    for call in (lambda: store.write_card(Card("a")), store.list_cards):
        with pytest.raises(StoreError, match="is corrupted in lock") as caught:
            call()
        assert caught.value.kind == "corrupted"


def test_what_a_stopped_writer_left_is_cleared_away(tmp_path: Path) -> None:
    FilesystemAdapter(tmp_path).write_card(Card("a", id="a"))
    left = tmp_path / "cards" / ".new-b.json"
    left.write_text("{")

    assert [card.id for card in FilesystemAdapter(tmp_path).list_cards()] == ["a"]
    assert not left.exists()


def test_a_path_that_is_a_file_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="failed: "):
        FilesystemAdapter(tmp_path / "file")
