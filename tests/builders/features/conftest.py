"""What the tests of features share: stores of both kinds, and both ways to read one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from feature_parts import STORES, open_store, reader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from brimful.builders.priority.feature_store import FeatureStore
    from priority_parts import Clock


@pytest.fixture(params=STORES)
def store(request: pytest.FixtureRequest, clock: Clock, tmp_path: Path) -> Iterator[FeatureStore]:
    with open_store(request.param, clock, tmp_path) as opened:
        yield opened


@pytest.fixture(params=["plain", "async"])
def read(request: pytest.FixtureRequest, store: FeatureStore) -> Callable[..., Any]:
    return reader(request.param, store)
