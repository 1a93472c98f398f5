"""The examples run, and do what they say."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from brimful.builders.memory import SqliteAdapter
from brimful.records import SqliteRecordStore

EXAMPLES = Path(__file__).parents[1] / "examples"


def run(name: str, *arguments: str) -> str:
    script = EXAMPLES / name
    if not script.exists():
        pytest.skip("the examples are not here")
    done = subprocess.run([sys.executable, str(script), *arguments], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_a_conversation_is_remembered(tmp_path: Path) -> None:
    path = tmp_path / "memory.sqlite"
    shown = run("conversation_memory.py", str(path))

    assert "ACTIVE CONSTRAINTS:\n- Never deploy orchard between Friday noon and Monday morning." in shown
    assert shown.count("Orchard is deployed with Ansible") == 1
    assert "- On Tuesday the deploy of orchard failed" in shown
    assert "YOU ALSO REMEMBER:" in shown
    assert "Mara drinks mate" not in shown
    with SqliteAdapter(path) as store:
        seen = {card.id for card in store.list_cards() if card.access_count}
    assert f"accesses recorded: {len(seen)}\n" in shown
    assert "card_2" in seen
    assert run("conversation_memory.py") == shown


def test_what_was_sent_is_proven_a_week_later(tmp_path: Path) -> None:
    shown = run("support_context.py", str(tmp_path))

    assert "The customer is gold, with 1 open orders.\n36 of 90 tokens, guaranteed\n" in shown
    assert "tier is 7,200,000 ms old, over 3,600,000\n" in shown
    assert "2     history        3         103     dropped   budget exceeded\n" in shown
    assert shown.endswith("verified: True\nreplayed as of then, to the letter: True\n")
    with SqliteRecordStore(tmp_path / "records.sqlite", read_only=True) as records:
        assert [row.freshness_status for row in records.list()] == ["degraded", "guaranteed"]
        assert all(found.ok for found in records.verify_all())
    assert run("support_context.py") == shown
