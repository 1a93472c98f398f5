"""What every test may use, and how hard the property tests try."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

from brimful.kernels import active

# `fast` on every run, `thorough` for `make parity`. In CI examples are derandomised: it fails for its change only.
_SLOW_BACK_ENDS = [HealthCheck.too_slow]
settings.register_profile("fast", max_examples=60, deadline=None, suppress_health_check=_SLOW_BACK_ENDS)
settings.register_profile("ci", settings.get_profile("fast"), derandomize=True)
settings.register_profile("thorough", settings.get_profile("fast"), max_examples=3_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "fast"))


def pytest_report_header() -> str:
    """Name the back end at the top of the run."""
    return f"brimful back end: {active().name}"
