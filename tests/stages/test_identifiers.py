"""Ids that sort by the moments they were made at."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from brimful.stages.identifiers import new_id


def test_ids_sort_by_their_moments_and_are_of_version_7() -> None:
    start = datetime(2026, 1, 1, 12, tzinfo=UTC)
    moments = [start + timedelta(microseconds=step * step) for step in range(100)]

    ids = [new_id("ctx_", moment) for moment in moments]

    assert ids == sorted(ids)
    assert len(set(ids)) == 100
    assert {(id_[:4], id_[18], id_[23] in "89ab", len(id_)) for id_ in ids} == {("ctx_", "7", True, 40)}
    assert len({new_id("", start) for _ in range(100)}) == 100
    assert new_id("", datetime(1960, 1, 1, tzinfo=UTC)).startswith("00000000-0000-7000-")
