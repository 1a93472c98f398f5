"""The back ends under test."""

from __future__ import annotations

import importlib.util
import os
from typing import TYPE_CHECKING, Literal

import pytest

from brimful.kernels import load

if TYPE_CHECKING:
    from brimful.kernels import CheckedKernels

HAS_EXTENSION = importlib.util.find_spec("brimful.kernels._native") is not None


def _wanted() -> list[str]:
    """The back end of this run, or both; each run of `make test` asks for one."""
    forced = os.environ.get("BRIMFUL_BACKEND") or "auto"
    if forced != "auto":
        return [forced]
    return ["rust", "python"] if HAS_EXTENSION else ["python"]


@pytest.fixture(scope="session", params=_wanted())
def kernels(request: pytest.FixtureRequest) -> CheckedKernels:
    name: Literal["rust", "python"] = request.param
    return load(name)


@pytest.fixture(scope="session")
def both() -> tuple[CheckedKernels, CheckedKernels]:
    """Both back ends, to be held against each other."""
    if not HAS_EXTENSION:
        pytest.skip("there is no compiled extension to compare with")
    return load("rust"), load("python")


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark what holds both back ends against each other: it does the same in every run."""
    if "both" in getattr(item, "fixturenames", ()):
        item.add_marker("once")
