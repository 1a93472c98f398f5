"""The times of all tools over the number of texts, both axes logarithmic, as SVG."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from compare.dedup.tools import OURS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from compare.dedup.rows import Row

SETTINGS: Final = {"svg.fonttype": "none", "svg.hashsalt": "brimful", "font.size": 9}
"""Text stays text, and the same figures give the same file."""
MARKERS: Final = "osD^vPX*"


def draw_plot(rows: Sequence[Row], path: Path) -> None:
    """Draw a line a tool over the inputs that differ in size only."""
    import matplotlib as mpl  # noqa: PLC0415 - it takes long to import, and the processes that measure do without

    mpl.use("svg")
    from matplotlib import pyplot as plt  # noqa: PLC0415 - after its back end is chosen

    corpora = [row for row in rows if row.texts.kind == "corpus"]
    with mpl.rc_context(SETTINGS):
        figure, axes = plt.subplots(figsize=(7.5, 4.8), layout="constrained")
        for marker, tool in zip(MARKERS, dict.fromkeys(tool for row in corpora for tool in row.found), strict=False):
            found = [row.found[tool] for row in corpora if tool in row.found and row.found[tool].measured]
            sizes, spent = [one.n for one in found], [one.cpu * 1e6 for one in found]
            axes.loglog(sizes, spent, marker=marker, label=tool, linewidth=2.5 if tool == OURS else 1.2)
        axes.set(xlabel="texts", ylabel="microseconds of CPU a text")
        axes.grid(visible=True, which="major", alpha=0.3)
        axes.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)
        figure.savefig(path, format="svg", metadata={"Date": None})
        plt.close(figure)
