"""What import-linter cannot see: the extension is no source file, and it is loaded by name."""

from __future__ import annotations

from pathlib import Path

import brimful

PACKAGE = Path(brimful.__file__).parent


def test_only_kernels_names_a_back_end() -> None:
    outside = [path for path in PACKAGE.rglob("*.py") if path.relative_to(PACKAGE).parts[0] != "kernels"]
    naming = {path.name for path in outside if any(name in path.read_text("utf-8") for name in ("_native", "._python"))}

    assert len(outside) > 20
    assert naming == set()


def modules(folder: Path, suffix: str) -> set[str]:
    """The modules of a folder: files, or folders of files."""
    files = {path.stem for path in folder.glob(f"*.{suffix}")}
    return files | {path.parent.name for path in folder.glob(f"*/*.{suffix}")} - {"__pycache__"}


def test_the_twin_stands_file_for_file_beside_the_core() -> None:
    core = PACKAGE.parents[1] / "rust" / "core" / "src"
    twin = modules(PACKAGE / "kernels" / "_python", "py") - {"__init__"}
    if core.is_dir():
        # Interrupts, errors, threads and what is fetched ahead are the interpreter's. Its dictionaries give numbers to
        # slices and terms, count them, and look up the terms of a vector.
        interpreters = {"error", "interrupt", "lib", "parallel", "prefetch"}
        dictionaries = {"held", "numbering", "short_terms", "tally", "vocabulary"}
        # The twin counts what everything costs and scores all of it in every round: nothing is put off.
        laziness = {"costs", "race", "rough", "standing"}
        shorter = {"norms", "ruler", "text_vectors"}  # in the twin parts of `dense`, `truncate` and `tfidf`
        # Many bytes at once, and what is laid out for that.
        wide = {"unicode_traits", "vectors"}
        assert twin | interpreters | dictionaries | laziness | shorter | wide == modules(core, "rs")
    assert "dedup" in twin
