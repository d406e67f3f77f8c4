"""Kernels in five settings, with and without tiles: what it buys to remove scalars (DeLICM, 5.1).

On one thread, as in the paper, so that only the order counts; without its `-ffast-math`, so that
results are compared bit by bit.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from polynb import gallery
from polynb.propagation import propagate
from polynb.reordering import reorder
from polynb.run import Timing, compile, measure
from polynb.run.intervals import interval_text
from polynb.run.timing import seconds as readable_seconds
from polynb.schedules.bands import all_bands, several_permutable
from polynb.scop import Scop
from polynb.tuning.results import INTERVAL, Row, Sweep
from polynb.tuning.tables import Table

TILE: Final = 32
TILED: Final = ", tiled"
REORDERED: Final = "live ranges reordered"
PROPAGATED: Final = "propagated"
LEGEND: Final[Mapping[str, str]] = {
    "arrays": "the program as it is",
    "scalars": "with the scalars that a compiler introduces",
    "DeLICM": "... and after remove_scalars",
    REORDERED: f"... or after reorder(tile={TILE}) instead, which lets live ranges change places",
    PROPAGATED: "... or after propagate instead",
    TILED.strip(", "): f'... after reorder(preset="none", tile={TILE}), which keeps all false '
    "dependences, where that finds a band",
}


def settings(forms: Mapping[str, Scop]) -> dict[str, Scop]:
    """What is timed of the three forms of a program: they themselves, the scalars after
    live-range reordering and after propagation, and of the three what can be tiled."""
    scalars = forms["scalars"]
    found = dict(forms)
    found[REORDERED] = reorder(scalars, tile=TILE).result
    found[PROPAGATED] = propagate(scalars).result
    for name, scop in forms.items():
        ordered = reorder(scop, preset="none", privatize=False, tile=TILE).result
        if any(several_permutable(b) for b in all_bands(ordered.schedule)):
            found[name + TILED] = ordered
    return found


def timed(
    name: str,
    programs: Mapping[str, Scop],
    sizes: Mapping[str, int] | None = None,
    *,
    rounds: int | None = None,
    seconds: float = 5.0,
) -> Timing:
    """The settings of a program of the gallery, called in turn, their results compared."""
    values = dict(gallery.sizes(name) if sizes is None else sizes)
    kernels = {label: compile(scop, threads=1) for label, scop in programs.items()}
    return measure(kernels, {**values, **inputs(name, values)}, rounds=rounds, seconds=seconds)


def inputs(name: str, sizes: Mapping[str, int]) -> dict[str, Any]:
    """What random numbers would not do for: matrices that have factors, and a Toeplitz matrix
    that can be solved. (Of others, everything would soon be infinite, or no number.)"""
    n = sizes.get("n", 0)
    if name in ("lu", "cholesky"):
        return {"A": np.random.default_rng(0).random((n, n)) + n * np.eye(n)}
    if name == "durbin":
        return {"r": 0.25 / np.arange(1, n + 1) ** 2}
    return {}


def times_row(name: str, timing: Timing) -> Row:
    """The median of each setting, how many times faster than the arrays that is, and the interval
    of that."""
    cells = {r["program"]: _cell(r) for r in timing.rows}
    return Row(name, {**cells, "sizes": dict(timing.parameters), "rounds": timing.rounds})


def _cell(row: Mapping[str, Any]) -> dict[str, Any]:
    low, high = row["ratio_low"], row["ratio_high"]
    sure = None if low is None else [low, high]
    return {"seconds": row["median"], "ratio": row["ratio"], INTERVAL: sure}


def times_table(found: Sweep) -> Table:
    """A line for each setting of each program."""
    rows = []
    for r in found.rows:
        for k, (label, cell) in enumerate(_settings_of(r).items()):
            median, first = readable_seconds(cell["seconds"]), k == 0
            ratio = "1" if first else f"{cell['ratio']:.2f}"
            sure = "" if first else interval_text(cell[INTERVAL])
            rows.append((r.name if first else "", label, median, ratio, sure))
    head = ("program", "setting", "median", "times faster", "95 % interval")
    notes = [f"{label}: {meaning}" for label, meaning in LEGEND.items()]
    return Table(head, rows, left=("setting",), notes=notes)


def _settings_of(row: Row) -> dict[str, Any]:
    return {label: v for label, v in row.values.items() if isinstance(v, dict) and "ratio" in v}
