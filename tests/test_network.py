"""Nothing here needs the network, and no test may ask for it: the fixture of `conftest.py` that sees to it works."""

from __future__ import annotations

import socket
import urllib.request

import pytest


def test_a_test_that_asks_for_the_network_fails() -> None:
    with pytest.raises(AssertionError, match="asked for the network"):
        socket.create_connection(("localhost", 9))
    with pytest.raises(AssertionError, match="asked for the network"):
        socket.socket()
    with pytest.raises(AssertionError, match="asked for the network"):
        urllib.request.urlopen("http://localhost:9")
