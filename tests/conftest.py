"""What every test may use, and how hard the property tests try."""

from __future__ import annotations

import os
import socket
from typing import TYPE_CHECKING, NoReturn, Self

import pytest
from hypothesis import HealthCheck, settings

from brimful.kernels import active

if TYPE_CHECKING:
    from collections.abc import Iterator

# `fast` on every run, `quick` for `make test-fast`, `thorough` for `make parity`. In CI examples are derandomised,
# so that it fails for its change only, and `steady` takes the place of `thorough`.
settings.register_profile("fast", max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("quick", settings.get_profile("fast"), max_examples=15)
settings.register_profile("ci", settings.get_profile("fast"), derandomize=True)
settings.register_profile("steady", settings.get_profile("ci"), max_examples=300)
settings.register_profile("thorough", settings.get_profile("fast"), max_examples=1_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "fast"))


def pytest_report_header() -> str:
    """Name the back end at the top of the run."""
    return f"brimful back end: {active().name}"


class _RefusedSocket(socket.socket):
    """A class still, because others are derived from it. An event loop wakes itself by a pair of sockets that exist."""

    def __new__(cls, family: int = -1, kind: int = -1, proto: int = -1, fileno: int | None = None) -> Self:
        if fileno is None:
            refuse_network()
        return super().__new__(cls, family, kind, proto, fileno)  # type: ignore[call-arg]  # as typeshed has it


def refuse_network(*_arguments: object, **_options: object) -> NoReturn:
    message = "a test asked for the network"
    raise AssertionError(message)


@pytest.fixture(autouse=True)
def _no_network(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no test open a socket but where it is its own server, or installs wheels in processes of their own."""
    if not any(map(request.node.get_closest_marker, ("loopback", "packaging"))):
        monkeypatch.setattr(socket, "socket", _RefusedSocket)
        monkeypatch.setattr(socket, "getaddrinfo", refuse_network)


@pytest.fixture(autouse=True)
def _no_back_end_is_asked_once(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let no test that is marked `once` ask for the back end of the run: it would never see the other one."""
    before = active.cache_info()
    yield
    if request.node.get_closest_marker("once"):
        assert active.cache_info() == before, "a test that is marked `once` asked for the active back end"
