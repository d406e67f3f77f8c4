"""The space that a search went through, as a picture: a place for each sequence of moves, how fast
its program is, and which ones were discarded by their verdict."""

from __future__ import annotations

from typing import Final

from matplotlib.axes import Axes

from polynb.show.draw.plots import COLOURS, Drawing, new_figure, themed
from polynb.tuning.results import interval_of
from polynb.tuning.searching import Search

LABELS: Final = 2
LEGAL, ILLEGAL, OPEN = COLOURS[0], COLOURS[1], COLOURS[6]


def plot_space(found: Search, ax: Axes | None = None) -> Drawing | Axes:
    """Ratios to the program as it is, against the number of the sequence; longer ones come later.
    Illegal ones are crosses along the bottom, what was not timed is a bar there."""
    sequences = found.space.sequences
    timed = {r.name: r for r in found.sweep.rows}
    place = {s.title: k for k, s in enumerate(sequences)}
    figure = None
    if ax is None:
        figure = new_figure(7.5, 3.4, f"{len(timed)} programs timed of {len(sequences)} sequences")
        ax = figure.subplots()
    _crosses(ax, [k for k, s in enumerate(sequences) if not s.legal], "x", ILLEGAL, "illegal")
    left = [k for k, s in enumerate(sequences) if s.legal and not s.same and s.title not in timed]
    _crosses(ax, left, "|", OPEN, "legal, not timed")
    measured = [(place[n], r) for n, r in timed.items() if r.error is None]
    for k, row in measured:
        ends = interval_of(row)
        if ends is not None:
            ax.plot([k, k], ends, color=LEGAL, linewidth=1.5)
    ax.plot(
        [k for k, _ in measured],
        [r.values["ratio"] for _, r in measured],
        "o", color=LEGAL, markersize=4, label="legal, timed",
    )  # fmt: skip
    for k, row in sorted(measured, key=lambda p: -p[1].values["ratio"])[:LABELS]:
        if (interval_of(row) or (0, 0))[0] > 1:  # what differs by chance needs no name
            at = k, row.values["ratio"]
            ax.annotate(row.name, at, xytext=(4, 3), textcoords="offset points", fontsize=7)
    ax.axhline(1.0, color=OPEN, linewidth=0.8, linestyle="--")
    ax.set_ylim(bottom=0)
    ax.set_xlabel("sequences of moves, shortest first")
    ax.set_ylabel("times faster")
    ax.legend(fontsize=7, loc="best")
    if figure is None:
        return ax
    themed(figure)
    return figure


def _crosses(ax: Axes, places: list[int], marker: str, colour: str, label: str) -> None:
    if places:
        ax.plot(places, [0.0] * len(places), marker, color=colour, markersize=5, label=label,
                clip_on=False)  # fmt: skip
