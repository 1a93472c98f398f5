"""Cards in a SQLite file, shared by threads and processes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from brimful.config import check_flag, show
from brimful.errors import InputError, StoreError
from brimful.stores.card_schema import APPLICATION, COLUMNS, MIGRATIONS, RECORD, SELECT, WRITE
from brimful.stores.cards import Card, Cluster, Edge
from brimful.stores.fields import read_text, read_vector
from brimful.stores.index import CardIndex
from brimful.stores.indexed import CardStore, check_ids, check_items, check_widths
from brimful.stores.moments import read_moment, write_moment
from brimful.stores.sqlite import Database, check_timeout

if TYPE_CHECKING:
    import os
    import sqlite3
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from brimful.stores.fields import Vector
    from brimful.stores.index import Match, Wanted

Item = TypeVar("Item", Card, Cluster, Edge)


class SqliteAdapter(CardStore):
    """A card store in a SQLite file, made where there is none. Threads and processes may share it.

    Waits up to `timeout_s` for another writer. What is searched lies in memory from the first search on: texts, and
    embeddings as float32. What others wrote in between is read before a search, as `PRAGMA data_version` tells.
    `read_only` neither makes nor changes a file.

    Raises StoreError where the file cannot be used; ConfigError for a timeout below 0.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, SqliteAdapter(f"{folder}/cards.sqlite") as store:
    ...     store.write_card(Card("We deploy with Ansible.", id="card_1"))
    ...     store.keyword_search("deploy", top_k=3)
    [Match(id='card_1', score=1.0)]
    """

    def __init__(self, path: str | os.PathLike[str], *, read_only: bool = False, timeout_s: float = 30.0) -> None:
        self._database = Database(
            path,
            migrations=MIGRATIONS,
            application=APPLICATION,
            read_only=check_flag("read_only", read_only),
            timeout_s=check_timeout(timeout_s),
        )
        self._index = CardIndex()
        self._revision = 0
        self._data_version: tuple[int, int] | None = None

    def write_cards(self, cards: Iterable[Card]) -> None:
        """Write cards, in one batch, all or none; of two with one id the later one."""
        listed = check_items("cards", cards, Card)
        with self._database.writing() as connection:
            width = self._state(connection, "width")
            check_widths(listed, width or None)
            revision = self._begin_revision(connection)
            connection.executemany(WRITE, [(revision, *_row(card)) for card in listed])
            if not width:
                width = next((len(card.vector) for card in listed if card.vector is not None), 0)
                connection.execute("UPDATE state SET value = ? WHERE name = 'width'", (width,))

    def read_cards(self, ids: Iterable[str]) -> list[Card]:
        """Return the cards with these ids, in their order; those that are not there are left out."""
        listed = check_ids(ids)
        with self._database.reading() as connection:
            return [self._card(row) for id_ in listed for row in connection.execute(f"{SELECT} WHERE id = ?", (id_,))]

    def list_cards(self, *, type: str | None = None) -> list[Card]:  # noqa: A002 - the name of the field
        """Return all cards, or those of a type, in the order of their ids."""
        where, values = ("", ()) if type is None else (" WHERE type = ?", (type,))
        with self._database.reading() as connection:
            rows = connection.execute(f"{SELECT}{where} ORDER BY id", values)
            return [self._card(row) for row in rows]

    def delete_cards(self, ids: Iterable[str]) -> int:
        """Delete cards, all in one batch; return how many there were."""
        named = [(id_,) for id_ in check_ids(ids)]
        with self._database.writing() as connection:
            revision = self._begin_revision(connection)
            rows = [(revision, id_) for (id_,) in named]
            connection.executemany("INSERT OR IGNORE INTO gone SELECT key, ? FROM cards WHERE id = ?", rows)
            return connection.executemany("DELETE FROM cards WHERE id = ?", named).rowcount if named else 0

    def record_access(self, ids: Iterable[str], at: datetime) -> int:
        """Count one more access of each card, in one batch; return how many of them there are."""
        moment = write_moment(read_moment("at", at))
        rows = [(moment, id_) for id_ in check_ids(ids)]
        with self._database.writing() as connection:
            return connection.executemany(RECORD, rows).rowcount if rows else 0

    def write_clusters(self, clusters: Iterable[Cluster]) -> None:
        """Write clusters, over those with the same id, all or none."""
        rows = [(cluster.id, _json(cluster.to_dict())) for cluster in check_items("clusters", clusters, Cluster)]
        with self._database.writing() as connection:
            connection.executemany("REPLACE INTO clusters VALUES (?, ?)", rows)

    def list_clusters(self) -> list[Cluster]:
        """Return all clusters, in the order of their ids."""
        with self._database.reading() as connection:
            rows = connection.execute("SELECT fields FROM clusters ORDER BY id")
            return [self._read(Cluster, fields) for (fields,) in rows]

    def write_edges(self, edges: Iterable[Edge]) -> None:
        """Write edges, over those of the same type between the same cards, all or none."""
        rows = [(*edge.key, _json(edge.to_dict())) for edge in check_items("edges", edges, Edge)]
        with self._database.writing() as connection:
            connection.executemany("REPLACE INTO edges VALUES (?, ?, ?, ?)", rows)

    def list_edges(self) -> list[Edge]:
        """Return all edges, in the order of their cards and types."""
        with self._database.reading() as connection:
            rows = connection.execute("SELECT fields FROM edges ORDER BY source_id, target_id, type")
            return [self._read(Edge, fields) for (fields,) in rows]

    def match_cards(
        self, wanted: Wanted, *, top_k: int, threshold: float | None = None, ceiling: float | None = None
    ) -> list[Match]:
        """Return the best matches; see `CardIndex.search`."""
        with self._database.reading() as connection:
            self._refresh(connection)

            def identify(keys: Sequence[int]) -> list[str]:
                query = "SELECT id FROM cards WHERE key = ?"
                return [id_ for key in keys for (id_,) in connection.execute(query, (key,))]

            return self._index.search(wanted, identify, top_k=top_k, threshold=threshold, ceiling=ceiling)

    def __len__(self) -> int:
        """Return how many cards there are."""
        with self._database.reading() as connection:
            [(count,)] = connection.execute("SELECT count(*) FROM cards")
            return int(count)

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def _begin_revision(self, connection: sqlite3.Connection) -> int:
        """Return the number of this batch of changes; what is in memory is no longer all of it."""
        self._data_version = None
        connection.execute("UPDATE state SET value = value + 1 WHERE name = 'revision'")
        return self._state(connection, "revision")

    def _refresh(self, connection: sqlite3.Connection) -> None:
        """Read what was written since the last search."""
        version = self._database.data_version(connection)
        if version == self._data_version:
            return
        revision = self._state(connection, "revision")
        since = (self._revision,)
        rows = connection.execute("SELECT key, text, embedding FROM cards WHERE revision > ? ORDER BY key", since)
        for key, text, embedding in rows:
            vector = None if embedding is None else self._vector(key, embedding)
            self._index.put(key, self._text(key, text), vector)
        for (key,) in connection.execute("SELECT key FROM gone WHERE revision > ?", since):
            self._index.remove(key)
        self._revision, self._data_version = revision, version

    def _card(self, row: tuple[Any, ...]) -> Card:
        *columns, fields = row
        given = dict(zip(COLUMNS, columns, strict=True))
        if given["embedding"] is not None:
            given["embedding"] = self._vector(given["id"], given["embedding"])
        return self._read(Card, fields, given)

    def _read(self, kind: type[Item], fields: str, given: dict[str, Any] | None = None) -> Item:
        try:
            return kind.from_dict({**json.loads(fields), **(given or {})})
        except (ValueError, TypeError, RecursionError) as error:  # InputError is a ValueError
            self._refuse(error)

    def _text(self, key: int, text: object) -> str:
        try:
            return read_text(f"the text of {key}", text)
        except InputError as error:
            self._refuse(error)

    def _vector(self, name: object, blob: bytes) -> Vector:
        import numpy as np  # noqa: PLC0415 - importing brimful must not load numpy

        try:
            vector = np.frombuffer(blob, dtype="<f4").astype(np.float32, copy=False)
            if not vector.size or not np.isfinite(vector).all():  # the whole check takes long
                vector = read_vector(f"the embedding of {show(name)}", vector)
        except (ValueError, TypeError) as error:
            self._refuse(error)
        if self._index.width not in (None, len(vector)):
            message = f"the embedding of {show(name)} must have {self._index.width:,} components, got {len(vector):,}"
            self._refuse(ValueError(message))
        return vector

    def _state(self, connection: sqlite3.Connection, name: str) -> int:
        try:
            [(value,)] = connection.execute("SELECT value FROM state WHERE name = ?", (name,))
            return int(value)
        except ValueError:
            self._refuse(ValueError(f"its {name} is missing or no number"))

    def _refuse(self, error: Exception) -> NoReturn:
        message = f"store {self._database.path} is corrupted: {error}"
        raise StoreError(message, kind="corrupted") from error


def _row(card: Card) -> tuple[object, ...]:
    """Return a card in the order of `COLUMNS`, the other fields behind."""
    fields = card.to_dict()
    columns = {name: fields.pop(name) for name in COLUMNS}
    if card.vector is not None:
        columns["embedding"] = card.vector.astype("<f4").tobytes()
    return (*columns.values(), _json(fields))


def _json(fields: dict[str, Any]) -> str:
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
