"""What the tests of seeds share."""

from __future__ import annotations

import pytest

from priority_parts import Clock


@pytest.fixture
def clock() -> Clock:
    return Clock()
