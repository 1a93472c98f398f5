"""Features of names, ids, values and options that cannot be, and of stores that fail."""

from __future__ import annotations

import asyncio
import math
from typing import TYPE_CHECKING, Any

import pytest

from brimful.builders.priority.feature_store import FeatureStore
from brimful.builders.priority.features import feature
from brimful.errors import ConfigError, InputError, StoreError
from brimful.stores.sqlite_features import SqliteFeatures
from priority_parts import NOON

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

STRANGE = ["u'1", "u\0x", "../../etc/passwd", "x' UNION SELECT 1 --", "", "🇩🇪"]


def test_unknown_features_are_refused_with_a_hint(store: FeatureStore, read: Any) -> None:
    store.declare_feature("user_tier")
    store.write_feature("balance", "u1", 3)

    for name, meant in (("user_teir", "user_tier"), ("balances", "balance")):
        with pytest.raises(InputError, match=f"there is no feature '{name}'\nhint: did you mean '{meant}'?"):
            read(name, "u1")
    with pytest.raises(InputError, match=r"there is no feature 'zzz'$"):
        read("zzz", "u1")
    with pytest.raises(InputError, match=r"feature 'balance' of 'u2' has no value$"):
        read("balance", "u2")


@pytest.mark.parametrize("entity_id", STRANGE)
def test_ids_are_only_ids(store: FeatureStore, read: Any, entity_id: str) -> None:
    store.write_feature("tier", "u1", "silver")
    store.write_feature("tier", entity_id, "gold")

    assert (read("tier", entity_id), read("tier", "u1")) == ("gold", "silver")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("tier", 5), "entity_id must be a str without lone surrogates, got 5"),
        (("tier", "\ud800"), "entity_id must be a str without lone surrogates"),
        ((5, "u1"), "name must be a str that is not empty"),
        (("", "u1"), "name must be a str that is not empty"),
    ],
)
def test_what_is_no_id_is_refused(store: FeatureStore, read: Any, arguments: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(*arguments)
    with pytest.raises(InputError, match=message):
        store.write_feature(arguments[0], arguments[1], "gold")


def test_nan_is_a_value(store: FeatureStore, read: Any) -> None:
    store.write_feature("score", "u1", math.nan)

    assert math.isnan(read("score", "u1"))


def test_names_belong_to_one_function(store: FeatureStore) -> None:
    def make(answer: str) -> Callable[[str], str]:
        def tier(_user_id: str) -> str:
            return answer

        return tier

    feature(store)(make("old"))
    feature(store)(make("new"))  # a module that is loaded again
    assert store.read_feature("tier", "u1") == "new"
    with pytest.raises(ConfigError, match="there is a feature 'tier' already, of another function"):
        feature(store, name="tier")(lambda _user_id: "mine")
    with pytest.raises(ConfigError, match="there is a feature 'tier' already, of another function"):
        store.declare_feature("tier")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"ttl": "5 minutes"}, "ttl must be a duration such as"),
        ({"ttl": 5}, "ttl must be a duration such as"),
        ({"name": ""}, "name must be a str that is not empty"),
        ({"name": 5}, "name must be a str that is not empty"),
    ],
)
def test_options_that_cannot_be(store: FeatureStore, options: Any, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        feature(store, **options)(lambda user_id: user_id)


def test_a_function_must_be_one(store: FeatureStore) -> None:
    with pytest.raises(ConfigError, match="function must be callable, got 'tier'"):
        feature(store)("tier")  # type: ignore[type-var]
    with pytest.raises(ConfigError, match="clock must be callable"):
        FeatureStore(clock=NOON)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="private must be True or False"):
        FeatureStore(private=1)  # type: ignore[arg-type]


def test_a_value_that_cannot_be_stored_is_refused_by_name(tmp_path: Path) -> None:
    with FeatureStore(SqliteFeatures(tmp_path / "features.sqlite")) as store:
        store.feature(name="tier")(lambda _user_id: object())
        with pytest.raises(InputError, match="value of feature 'tier' of 'u1' must be JSON, got <object"):
            store.read_feature("tier", "u1")
        with pytest.raises(InputError, match=r"value of feature 'tags' of 'u1'\[0\] must be JSON"):
            store.write_feature("tags", "u1", [{1}])


def test_a_store_that_fails_says_so(tmp_path: Path) -> None:
    store = FeatureStore(SqliteFeatures(tmp_path / "features.sqlite"))
    store.close()

    with pytest.raises(StoreError, match="is closed"):
        store.read_feature("tier", "u1")
    with pytest.raises(StoreError, match="is closed"):
        asyncio.run(store.get_feature("tier", "u1"))


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"values": "features.sqlite"}, "values must be a store of features or None, got 'features.sqlite'"),
        ({"records": "records.sqlite"}, "records must be a store of records or None, got 'records.sqlite'"),
        ({"signing_key": "secret"}, "signing_key must be a SigningKey or None, got 'secret'"),
        ({"environment": 5}, "environment must be a str, got 5"),
    ],
)
def test_a_store_of_wrong_parts_is_refused_before_evidence_is_lost(parts: Any, message: str) -> None:
    with pytest.raises(ConfigError, match=f"^{message}$"):
        FeatureStore(**parts)
