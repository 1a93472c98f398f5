"""Stores that are killed, and stores that many use at once."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from brimful.stores.cards import Card
from brimful.stores.in_memory import InMemoryAdapter
from stores.hammer import CARDS, NOON, ROUNDS, STORES, read, write

if TYPE_CHECKING:
    from collections.abc import Callable

    from brimful.stores.indexed import CardStore

HAMMER = Path(__file__).with_name("hammer.py")
READERS, WRITERS = 20, 2


def start(*arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, str(HAMMER), *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def fill(store: CardStore) -> None:
    store.write_cards([Card(f"shared {n}", id=f"{n}", embedding=[1.0, n]) for n in range(CARDS)])


def check_counts(store: CardStore, readers: int, writers: int) -> None:
    cards = store.list_cards()
    shared = [card for card in cards if card.text.startswith("shared")]

    assert [card.access_count for card in shared] == [readers * ROUNDS] * CARDS
    assert [card.last_accessed for card in shared] == [NOON] * CARDS
    assert len(cards) == CARDS + writers * ROUNDS
    assert len(store.keyword_search("apart", top_k=99)) == writers * ROUNDS


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
@pytest.mark.parametrize("kind", STORES)
@pytest.mark.parametrize("after", [1, 7, 120])
def test_every_acknowledged_card_survives_a_kill(kind: str, after: int, tmp_path: Path) -> None:
    path = tmp_path / "store"
    with start("acknowledge", kind, path, 1_000) as process:
        assert process.stdout is not None
        acknowledged = [process.stdout.readline().strip() for _ in range(after)]
        process.kill()
        acknowledged += process.stdout.read().split("\n")[:-1]
    assert process.returncode < 0, "it was to be killed in the middle"
    assert after <= len(acknowledged) < 1_000

    with STORES[kind](path) as store:
        cards = {card.id: card for card in store.list_cards()}
        assert len(cards) - len(acknowledged) in (0, 1)  # one may be written and not yet acknowledged
        for number, id_ in enumerate(acknowledged):
            card = cards[id_]
            assert (card.text, card.to_dict()["embedding"]) == (f"text {number} " * 20, [number, 1.0, 0.5])
        assert len(store.vector_search([1, 0, 0], top_k=2_000)) == len(cards)
        store.write_card(Card("one more", id="more", embedding=[1, 0, 0]))
        assert store.read_card("more") is not None


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["in_memory", *STORES])
def test_threads_lose_no_access(kind: str, tmp_path: Path) -> None:
    make: Callable[[], Any] = InMemoryAdapter if kind == "in_memory" else lambda: STORES[kind](tmp_path / "store")
    with make() as store:
        fill(store)
        with ThreadPoolExecutor(READERS + WRITERS) as pool:
            tasks = [
                *(pool.submit(read, store, number) for number in range(READERS)),
                *(pool.submit(write, store, number) for number in range(WRITERS)),
            ]
            for task in tasks:
                task.result()
        check_counts(store, READERS, WRITERS)


@pytest.mark.slow
@pytest.mark.parametrize("kind", STORES)
def test_processes_lose_no_access(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "store"
    with STORES[kind](path) as store:
        fill(store)
        running = [
            *(start("read", kind, path, number) for number in range(READERS)),
            *(start("write", kind, path, number) for number in range(WRITERS)),
        ]
        ends = [(process.communicate()[1], process.returncode) for process in running]

        assert ends == [("", 0)] * len(running)
        check_counts(store, READERS, WRITERS)


@pytest.mark.parametrize("kind", STORES)
def test_processes_that_open_a_new_store_at_once_all_get_in(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "store"
    running = [start("write", kind, path, number) for number in range(4)]
    ends = [(process.communicate()[1], process.returncode) for process in running]

    assert ends == [("", 0)] * 4
    with STORES[kind](path) as store:
        assert len(store) == 4 * ROUNDS


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
@pytest.mark.parametrize("kind", STORES)
def test_a_forked_child_uses_the_store_as_well(kind: str, tmp_path: Path) -> None:
    with STORES[kind](tmp_path / "store") as store:
        fill(store)
        read(store, 0)
        child = os.fork()
        if not child:
            status = 1
            try:
                read(store, 0)
                store.write_card(Card("from the child", id="child"))
                status = 0
            finally:
                os._exit(status)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        read(store, 0)

        assert [card.access_count for card in store.list_cards()] == [3 * ROUNDS] * CARDS + [0]
        assert store.keyword_search("child", top_k=1)[0].id == "child"
