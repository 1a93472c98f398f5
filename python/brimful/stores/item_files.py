"""Files that hold one card, cluster or edge each: read, or refused with the name of the file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NoReturn, TypeVar

from brimful.errors import StoreError
from brimful.stores.cards import Card, Cluster, Edge
from brimful.stores.files import SUFFIX, TEMPORARY

if TYPE_CHECKING:
    from pathlib import Path

Item = TypeVar("Item", Card, Cluster, Edge)


def is_item(name: str) -> bool:
    """Whether a file of this name holds an item."""
    return name.endswith(SUFFIX) and not name.startswith(TEMPORARY)


def read_item(store: Path, kind: type[Item], path: Path) -> Item | None:
    """Return what a file of a store holds, None where it is not there.

    Raises StoreError for what is no item of that kind.
    """
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    try:
        return kind.from_dict(json.loads(content))
    except (ValueError, TypeError, RecursionError) as error:  # InputError is a ValueError
        refuse(store, path, error)


def refuse(store: Path, path: Path, error: Exception) -> NoReturn:
    """Raise StoreError that names the store and the file in it."""
    message = f"store {store} is corrupted in {path.relative_to(store)}: {error}"
    raise StoreError(message, kind="corrupted") from error
