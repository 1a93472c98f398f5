"""The recorded cases of the originals, read from `vectors/`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "vectors"


def load(name: str) -> dict[str, dict[str, Any]]:
    """The cases of a file by their id; numbers that JSON cannot write are numbers again."""
    text = (FOLDER / f"{name}.json").read_text(encoding="utf-8")
    cases = json.loads(text, object_hook=_restore)["cases"]
    assert len({case["id"] for case in cases}) == len(cases)
    return {case["id"]: case for case in cases}


def _restore(value: dict[str, Any]) -> Any:
    return float(value["$float"]) if value.keys() == {"$float"} else value
