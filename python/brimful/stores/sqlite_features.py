"""Values of features in a SQLite file, shared by threads and processes."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, ClassVar, Final

from brimful.config import check_flag, show
from brimful.errors import InputError, StoreError
from brimful.stores.feature_schema import APPLICATION, COMING, HELD, HISTORY, MIGRATIONS, NAMES, PRUNE, WRITE
from brimful.stores.features import ClosingStore, FeatureValue, copy_json
from brimful.stores.fields import read_text
from brimful.stores.moments import read_moment, write_moment
from brimful.stores.sqlite import Database, check_timeout

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable

_ALWAYS: Final = write_moment(datetime.max.replace(tzinfo=UTC))


class SqliteFeatures(ClosingStore):
    """A history of values in a SQLite file, made where there is none. Threads and processes may share it.

    Values are JSON, NaN and infinities included; others raise InputError. What `write_values` returned from is on the
    disk. Waits up to `timeout_s` for another writer. `read_only` neither makes nor changes a file.

    Raises StoreError where the file cannot be used; ConfigError for a timeout below 0.

    >>> import tempfile
    >>> from datetime import UTC, datetime
    >>> noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    >>> with tempfile.TemporaryDirectory() as folder, SqliteFeatures(f"{folder}/features.sqlite") as values:
    ...     values.write_values([FeatureValue("tier", "u1", "gold", noon, noon)])
    ...     values.read_value("tier", "u1", at=noon).value
    'gold'
    """

    blocking: ClassVar[bool] = True

    def __init__(self, path: str | os.PathLike[str], *, read_only: bool = False, timeout_s: float = 30.0) -> None:
        self._database = Database(
            path,
            migrations=MIGRATIONS,
            application=APPLICATION,
            read_only=check_flag("read_only", read_only),
            timeout_s=check_timeout(timeout_s),
        )

    def write_values(self, values: Iterable[FeatureValue]) -> None:
        """Add values to their histories, all or none."""
        rows = [_row(value) for value in values]
        with self._database.writing() as connection:
            connection.executemany(WRITE, rows)

    def read_value(
        self, name: str, entity_id: str, *, at: datetime, known_by: datetime | None = None
    ) -> FeatureValue | None:
        """Return the value that held at `at`; see `FeatureValues`."""
        given = (name, entity_id, write_moment(at), _ALWAYS if known_by is None else write_moment(known_by))
        with self._database.reading() as connection:
            for query in (HELD, COMING):
                for row in connection.execute(query, given):
                    return self._value(row)
        return None

    def list_values(self, name: str, entity_id: str) -> list[FeatureValue]:
        """Return the history, in the order of event times."""
        with self._database.reading() as connection:
            return [self._value(row) for row in connection.execute(HISTORY, (name, entity_id))]

    def list_names(self) -> list[str]:
        """Return the names of all features that have a value, in order."""
        with self._database.reading() as connection:
            return [name for (name,) in connection.execute(NAMES)]

    def prune_values(self, before: datetime) -> int:
        """Delete what no read at `before` or later returns; return how many values that were."""
        with self._database.writing() as connection:
            return connection.execute(PRUNE, {"before": write_moment(before)}).rowcount

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def _value(self, row: tuple[Any, ...]) -> FeatureValue:
        name, entity_id, event_time, written_at, text = row
        try:
            value = json.loads(read_text("value", text))
            return FeatureValue(
                name, entity_id, value, read_moment("event_time", event_time), read_moment("written_at", written_at)
            )
        except (ValueError, RecursionError) as error:  # InputError is a ValueError
            message = f"store {self._database.path} is corrupted: a value of {show(name)} of {show(entity_id)}: {error}"
            raise StoreError(message, kind="corrupted") from error


def _row(value: FeatureValue) -> tuple[str, str, str, str, str]:
    name = f"value of feature {show(value.name)} of {show(value.entity_id)}"
    try:
        text = json.dumps(copy_json(name, value.value), separators=(",", ":"))  # ASCII: lone surrogates are kept too
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        message = f"{name} must be JSON: {error}"  # a number of more digits than the interpreter writes
        raise InputError(message) from None
    return value.name, value.entity_id, write_moment(value.event_time), write_moment(value.written_at), text
