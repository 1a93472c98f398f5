"""Every public bug report in `cases.jsonl` has a test that is named after it and states the right value."""

from __future__ import annotations

from recorded_cases import CASES, TESTS


def test_every_case_has_a_test_of_its_name() -> None:
    sources = "".join(path.read_text(encoding="utf-8") for path in TESTS.rglob("test_*.py"))

    assert [case for case in CASES if f"def test_{case.replace('-', '_')}_" not in sources] == []
