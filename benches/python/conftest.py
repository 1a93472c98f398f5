"""What the benches share: the clock, the back ends, and which sizes wait until times are taken."""

from __future__ import annotations

import importlib.util
import os
from typing import TYPE_CHECKING, Literal

import pytest

from brimful.kernels import load

if TYPE_CHECKING:
    from brimful.kernels import CheckedKernels

HAS_EXTENSION = importlib.util.find_spec("brimful.kernels._native") is not None


def pytest_configure(config: pytest.Config) -> None:
    """Measure CPU time, all threads together: on a shared machine the wall clock measures the neighbours."""
    config.option.benchmark_timer = "time.process_time"
    config.addinivalue_line("markers", "timed: a bench too large for the suite; runs where times are taken only")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is marked `timed` where no times are taken."""
    if config.getoption("benchmark_enable") or not config.getoption("benchmark_disable"):
        return
    large = [item for item in items if item.get_closest_marker("timed")]
    config.hook.pytest_deselected(items=large)
    items[:] = [item for item in items if item not in large]


def wanted() -> list[str]:
    """Return the back end of this run, or both."""
    forced = os.environ.get("BRIMFUL_BACKEND") or "auto"
    if forced != "auto":
        return [forced]
    return ["rust", "python"] if HAS_EXTENSION else ["python"]


@pytest.fixture(scope="session", params=wanted())
def kernels(request: pytest.FixtureRequest) -> CheckedKernels:
    """Return the back end to measure."""
    name: Literal["rust", "python"] = request.param
    return load(name)


@pytest.fixture(scope="session")
def other(kernels: CheckedKernels) -> CheckedKernels | None:
    """Return the back end to compare with, if there is another."""
    if not HAS_EXTENSION:
        return None
    return load("python" if kernels.name == "rust" else "rust")
