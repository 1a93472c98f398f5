"""Tasks that are never finished: they are closed in another context, and nothing of them stays behind."""

from __future__ import annotations

import asyncio

import pytest

from brimful.builders.priority import FeatureStore
from brimful.builders.priority.tracking import current_tracker
from priority_parts import decorate, finish
from sharing_parts import abandon


async def wait() -> str:
    await asyncio.sleep(0)
    return "done"


@pytest.mark.parametrize("ttl", [None, "60s"])
def test_a_context_that_is_abandoned_is_made_by_the_next_who_asks(ttl: str | None) -> None:
    chat = decorate("async", wait, FeatureStore(), cache_ttl=ttl)

    abandon(chat())

    assert finish(chat()).content == "done"
    assert current_tracker() is None


def test_a_feature_that_is_abandoned_is_worked_out_by_the_next_who_asks() -> None:
    store = FeatureStore()

    @store.feature(name="tier")
    async def tier(_: str) -> str:
        return await wait()

    abandon(store.get_feature("tier", "u1"))

    assert asyncio.run(store.get_feature("tier", "u1")) == "done"
