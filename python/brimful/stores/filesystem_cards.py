"""Cards in a folder, one JSON file each: to be read, compared and mended with any editor."""

from __future__ import annotations

import json
import os
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, NamedTuple

from brimful.config import show
from brimful.stores.cards import Card, Cluster, Edge
from brimful.stores.files import TEMPORARY, FolderLock, check_path, file_name, naming, sync_folder, write_whole
from brimful.stores.index import CardIndex
from brimful.stores.indexed import CardStore, check_ids, check_items, check_widths, keep_access
from brimful.stores.item_files import Item, is_item, read_item, refuse
from brimful.stores.moments import read_moment
from brimful.stores.sqlite import check_timeout

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    from brimful.stores.index import Match, Wanted

FOLDERS: Final[dict[type, str]] = {Card: "cards", Cluster: "clusters", Edge: "edges"}


class Held(NamedTuple):
    """A card as it lies in memory: its key in the index, all but its embedding, and what its file was then."""

    key: int
    card: Card
    stamp: tuple[int, int, int]


class FilesystemAdapter(CardStore):
    """A card store in a folder, made where there is none. Threads and processes may share it.

    Each file is replaced as a whole. A batch is not: after a crash some of its cards may be there. Waits up to
    `timeout_s` for another writer. Before a search the files that changed are read, where a store wrote since: what an
    editor changed is found after the next write. For thousands of cards `SqliteAdapter` is the faster one.

    Raises StoreError where the folder cannot be used; ConfigError for a timeout below 0.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     store = FilesystemAdapter(folder)
    ...     store.write_card(Card("We deploy with Ansible.", id="card_1"))
    ...     store.read_card("card_1").text
    'We deploy with Ansible.'
    """

    def __init__(self, path: str | os.PathLike[str], *, timeout_s: float = 30.0) -> None:
        self.path = check_path(path)
        self._lock = threading.RLock()
        self._folder_lock = FolderLock(self.path / "lock", check_timeout(timeout_s))
        self._index = CardIndex()
        self._held: dict[str, Held] = {}
        self._ids: dict[int, str] = {}
        self._next = 0
        self._number = -1
        with naming(self.path):
            for name in FOLDERS.values():
                (self.path / name).mkdir(parents=True, exist_ok=True)
        with self._writing():
            self._clear()

    def write_cards(self, cards: Iterable[Card]) -> None:
        """Write cards; of two with one id the later one."""
        listed = check_items("cards", cards, Card)
        with self._writing():
            width = self._width()
            check_widths(listed, width)
            first = next((len(card.vector) for card in listed if card.vector is not None), None)
            if width is None and first is not None:  # before the cards: none is there whose width is not known
                write_whole(self.path / "width", b"%d" % first)
            for card in listed:
                self._write(card.id, keep_access(card, self._read(Card, card.id)))
            sync_folder(self.path / FOLDERS[Card])

    def read_cards(self, ids: Iterable[str]) -> list[Card]:
        """Return the cards with these ids, in their order; those that are not there are left out."""
        with naming(self.path):
            return [card for id_ in check_ids(ids) if (card := self._read(Card, id_)) is not None]

    def list_cards(self, *, type: str | None = None) -> list[Card]:  # noqa: A002 - the name of the field
        """Return all cards, or those of a type, in the order of their ids."""
        with self._reading():
            held = sorted(self._held.values(), key=lambda held: held.card.id)
            return [self._give(held) for held in held if type in (None, held.card.type)]

    def delete_cards(self, ids: Iterable[str]) -> int:
        """Delete cards; return how many there were."""
        with self._writing():
            paths = [self._path(Card, id_) for id_ in dict.fromkeys(check_ids(ids))]
            there = [path for path in paths if path.exists()]
            for path in there:
                path.unlink()
            sync_folder(self.path / FOLDERS[Card])
            return len(there)

    def record_access(self, ids: Iterable[str], at: datetime) -> int:
        """Count one more access of each card; return how many of them there are."""
        moment = read_moment("at", at)
        listed = check_ids(ids)
        with self._writing():
            there = [card for id_ in listed if (card := self._read(Card, id_)) is not None]
            for card in there:
                card.record_access(moment)
                self._write(card.id, card)
            sync_folder(self.path / FOLDERS[Card])
            return len(there)

    def write_clusters(self, clusters: Iterable[Cluster]) -> None:
        """Write clusters, over those with the same id."""
        self._write_all(Cluster, {cluster.id: cluster for cluster in check_items("clusters", clusters, Cluster)})

    def list_clusters(self) -> list[Cluster]:
        """Return all clusters, in the order of their ids."""
        return sorted(self._list(Cluster), key=lambda cluster: cluster.id)

    def write_edges(self, edges: Iterable[Edge]) -> None:
        """Write edges, over those of the same type between the same cards."""
        self._write_all(Edge, {json.dumps(edge.key): edge for edge in check_items("edges", edges, Edge)})

    def list_edges(self) -> list[Edge]:
        """Return all edges, in the order of their cards and types."""
        return sorted(self._list(Edge), key=lambda edge: edge.key)

    def match_cards(
        self, wanted: Wanted, *, top_k: int, threshold: float | None = None, ceiling: float | None = None
    ) -> list[Match]:
        """Return the best matches; see `CardIndex.search`."""
        with self._reading():
            return self._index.search(wanted, self._identify, top_k=top_k, threshold=threshold, ceiling=ceiling)

    def __len__(self) -> int:
        """Return how many cards there are."""
        with self._reading():
            return len(self._held)

    def _identify(self, keys: Sequence[int]) -> list[str]:
        return [self._ids[key] for key in keys]

    def _give(self, held: Held) -> Card:
        card = held.card.own()
        card.embedding = self._index.embedding(held.key)
        return card

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with naming(self.path), self._folder_lock.writing():
            yield

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Have in memory what is in the folder, and keep other threads from it."""
        with self._lock, naming(self.path):
            number = self._folder_lock.number()
            if number != self._number:
                self._refresh()
            self._number = number
            yield

    def _refresh(self) -> None:
        """Read the files that changed, and forget those that are gone."""
        found = {}
        with os.scandir(self.path / FOLDERS[Card]) as entries:
            for entry in entries:
                if is_item(entry.name):
                    status = entry.stat()
                    found[entry.name] = (status.st_ino, status.st_mtime_ns, status.st_size)
        width = self._width()  # read behind the names: a card with an embedding has it written before
        for name in sorted(found):
            held = self._held.get(name)
            if held is None or held.stamp != found[name]:
                self._hold(name, found[name], width)
        for name in [name for name in self._held if name not in found]:
            self._forget(name)

    def _hold(self, name: str, stamp: tuple[int, int, int], width: int | None) -> None:
        path = self.path / FOLDERS[Card] / name
        card = read_item(self.path, Card, path)
        if card is None:  # another writer was faster
            return
        if file_name(card.id) != name:
            refuse(self.path, path, ValueError(f"it has the card {show(card.id)}"))
        if card.vector is not None and len(card.vector) != (width or len(card.vector)):
            refuse(self.path, path, ValueError(f"embedding must have {width:,} components, got {len(card.vector):,}"))
        key = self._held[name].key if name in self._held else self._next
        self._next = max(self._next, key + 1)
        self._index.put(key, card.text, card.vector)
        card.embedding = None
        self._held[name] = Held(key, card, stamp)
        self._ids[key] = card.id

    def _forget(self, name: str) -> None:
        key = self._held.pop(name).key
        del self._ids[key]
        self._index.remove(key)

    def _path(self, kind: type[Card | Cluster | Edge], name: str) -> Path:
        return self.path / FOLDERS[kind] / file_name(name)

    def _write(self, name: str, item: Card | Cluster | Edge) -> None:
        content = json.dumps(item.to_dict(), ensure_ascii=False).encode()
        write_whole(self._path(type(item), name), content)

    def _write_all(self, kind: type[Item], items: Mapping[str, Item]) -> None:
        with self._writing():
            for name, item in items.items():
                self._write(name, item)
            sync_folder(self.path / FOLDERS[kind])

    def _list(self, kind: type[Item]) -> list[Item]:
        with naming(self.path):
            paths = [path for path in (self.path / FOLDERS[kind]).iterdir() if is_item(path.name)]
            return [item for path in paths if (item := read_item(self.path, kind, path)) is not None]

    def _read(self, kind: type[Card], id_: str) -> Card | None:
        path = self._path(kind, id_)
        card = read_item(self.path, kind, path)
        if card is not None and card.id != id_:
            refuse(self.path, path, ValueError(f"it has the card {show(card.id)}"))
        return card

    def _width(self) -> int | None:
        """Return how many components embeddings have; None while there is none."""
        path = self.path / "width"
        try:
            return int(path.read_bytes())
        except FileNotFoundError:
            return None
        except ValueError as error:
            refuse(self.path, path, error)

    def _clear(self) -> None:
        """Take away what writers left that were stopped: who holds the lock is the only writer."""
        for folder in (self.path, *(self.path / name for name in FOLDERS.values())):
            for path in folder.glob(f"{TEMPORARY}*"):
                path.unlink()
