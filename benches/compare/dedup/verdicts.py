"""What a tool decided of each text, and how far that is from what is right."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Verdicts:
    """The positions of the texts that stay, ascending; of exact tools also what each text repeats, and how similar."""

    kept: NDArray[np.int64]
    origins: NDArray[np.int64] | None = None
    similarities: NDArray[np.float64] | None = None

    @classmethod
    def of_kept(cls, positions: Sequence[int]) -> Verdicts:
        """Take the positions that a tool keeps."""
        return cls(np.array(positions, dtype=np.int64))

    @classmethod
    def of_origins(cls, origins: ArrayLike, similarities: ArrayLike) -> Verdicts:
        """Take what each text repeats, -1 where it stays, and how similar they are."""
        found = np.asarray(origins, dtype=np.int64)
        return cls(np.flatnonzero(found < 0), found, np.asarray(similarities, dtype=np.float64))

    @classmethod
    def read(cls, path: Path) -> Verdicts:
        """Read what `write` has written."""
        with np.load(path) as stored:
            return cls(**stored)

    def write(self, path: Path) -> None:
        """Write to a `.npz` file."""
        told: dict[str, Any] = {name: values for name, values in asdict(self).items() if values is not None}
        np.savez(path, **told)


def count_wrong(found: Verdicts, exact: Verdicts) -> int:
    """Count the texts that are kept and should not be, or the other way round."""
    return np.setxor1d(found.kept, exact.kept, assume_unique=True).size


def assert_equal(one: Verdicts, other: Verdicts, what: str) -> None:
    """Fail where two that shall be exact differ in anything that both tell."""
    wrong = count_wrong(one, other)
    assert not wrong, f"{what}: {wrong} texts decided differently"
    for name in ("origins", "similarities"):
        left, right = getattr(one, name), getattr(other, name)
        if left is not None and right is not None:
            assert np.array_equal(left, right), f"{what}: {name} differ at {np.flatnonzero(left != right)[:5]}"
