"""A picture of what peers make of programs: bars, times faster than naive."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from matplotlib.axes import Axes

from polynb.run.intervals import Interval
from polynb.show.draw.plots import Drawing, subplots
from polynb.tuning.results import Row, Sweep, interval_of

GROUP: Final = 0.8
"""The part of a program's room that its bars fill."""
BASELINE: Final = "naive"


def peers_plot(panels: Mapping[str, Mapping[str, Sweep]]) -> Drawing:
    """A panel for each heap: the sweeps of peers (as `evaluation.peers.compare` gives them) by the
    names of the programs. A bar with its 95 % interval for each peer; none where it failed."""
    programs = max((len(sweeps) for sweeps in panels.values()), default=0)
    figure, every = subplots(
        len(panels),
        size=(max(8.5, 1.2 * programs), 4.2 * len(panels)),
        described="times faster than naive: " + ", ".join(panels),
        squeeze=False,
    )
    for (title, sweeps), axes in zip(panels.items(), every[:, 0], strict=True):
        _bars(axes, sweeps)
        axes.set(ylabel="times faster than naive", title=title if len(panels) > 1 else "")
    every[0, 0].legend(fontsize=9, ncols=4, loc="lower center", bbox_to_anchor=(0.5, 1.05))
    return figure


def _bars(axes: Axes, sweeps: Mapping[str, Sweep]) -> None:
    rows = [{r.name: r for r in s.rows if r.error is None} for s in sweeps.values()]
    peers = [p for p in dict.fromkeys(n for of in rows for n in of) if p != BASELINE]
    width = GROUP / max(len(peers), 1)
    for k, peer in enumerate(peers):
        drawn = [(x, of[peer]) for x, of in enumerate(rows) if peer in of]
        places = [x + width * (k - (len(peers) - 1) / 2) for x, _ in drawn]
        heights = [float(r.values["ratio"]) for _, r in drawn]
        ends = [_interval(r) for _, r in drawn]
        errors = [
            [h - low for h, (low, _) in zip(heights, ends, strict=True)],
            [high - h for h, (_, high) in zip(heights, ends, strict=True)],
        ]
        style = {"ecolor": "0.5", "elinewidth": 0.7}
        axes.bar(places, heights, 0.92 * width, label=peer, yerr=errors, error_kw=style)
    for x in range(1, len(rows)):
        axes.axvline(x - 0.5, color="0.5", linewidth=0.4)
    axes.axhline(1, color="0.5", linewidth=1)
    axes.set_xticks(range(len(rows)), [n.replace("_", "\n") for n in sweeps])
    axes.set_xlim(-0.5, len(rows) - 0.5)


def _interval(row: Row) -> Interval:
    """Around the ratio, of no length where it is not known."""
    ratio = float(row.values["ratio"])
    low, high = interval_of(row) or (ratio, ratio)
    return min(low, ratio), max(high, ratio)
