"""What the tests of kills and of crowds run in processes of their own: python feature_hammer.py TASK PATH NUMBER."""

from __future__ import annotations

import sys
from datetime import UTC, datetime, timedelta

from brimful.stores.features import FeatureValue
from brimful.stores.sqlite_features import SqliteFeatures

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)
ENTITIES = 3
ROUNDS = 10


def value(entity: object, number: int) -> FeatureValue:
    moment = NOON + number * SECOND
    return FeatureValue("score", f"u{entity}", [number, "x" * 200], moment, moment)


def write_and_acknowledge(values: SqliteFeatures, count: int) -> None:
    """Write values one by one, and print the number of each once it is written."""
    for number in range(count):
        values.write_values([value("", number)])
        sys.stdout.write(f"{number}\n")
        sys.stdout.flush()


def write(values: SqliteFeatures, writer: int) -> None:
    """Write values of the shared entities, in batches, and of times that no other writer has."""
    for turn in range(ROUNDS):
        values.write_values([value(entity, writer * ROUNDS + turn) for entity in range(ENTITIES)])


def read(values: SqliteFeatures, _number: int) -> None:
    """Read what is there: time never goes back, and a batch is seen whole."""
    last = NOON
    for _ in range(ROUNDS):
        found = [values.read_value("score", f"u{entity}", at=NOON + timedelta(days=1)) for entity in range(ENTITIES)]
        times = [each.event_time for each in found if each is not None]
        assert times == sorted(times)
        assert not times or times[0] >= last
        last = times[-1] if times else last


def prune(values: SqliteFeatures, _number: int) -> None:
    """Prune again and again what is superseded."""
    for _ in range(ROUNDS):
        values.prune_values(NOON + timedelta(days=1))


TASKS = {"acknowledge": write_and_acknowledge, "write": write, "read": read, "prune": prune}


def main() -> None:
    """Run one task on one file."""
    task, path, number = sys.argv[1:]
    with SqliteFeatures(path) as values:
        TASKS[task](values, int(number))


if __name__ == "__main__":
    main()
