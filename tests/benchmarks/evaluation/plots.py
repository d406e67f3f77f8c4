"""Pictures of what the commands of the evaluation found.

    python -m polynb.evaluation.figure11 --json found.json
    python tests/benchmarks/evaluation/plots.py figure11 found.json figure11.png

The same with figure12. (`peers` draws its own with `--plot`.) Needs matplotlib.
"""

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib
import matplotlib.pyplot as plt
import numpy as np

from polynb.evaluation.figure12 import COUNTS, HEURISTIC, line
from polynb.tuning import Row

Found = Mapping[str, Sequence[Row]]


def read(path: Path) -> Found:
    """The rows of each sweep in a file of `--json`."""
    sweeps = json.loads(path.read_text(encoding="utf-8"))
    return {name: [Row(**r) for r in sweep["rows"]] for name, sweep in sweeps.items()}


def done(rows: Sequence[Row]) -> list[Row]:
    return [r for r in rows if r.error is None]


def figure11(found: Found) -> Any:
    """Times faster than naive against the limit of cache lines."""
    figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
    for name, rows in found.items():
        limited = [r for r in done(rows) if r.name.isdecimal()]
        limits = [int(r.name) for r in limited]
        axes.plot(limits, [r.values["ratio"] for r in limited], "o-", label=name)
    axes.axhline(1, color="0.6", linewidth=1)
    axes.set_xscale("log", base=2)
    axes.set(xlabel="most cache lines of an iteration", ylabel="times faster than naive")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.legend()
    return figure


def figure12(found: Found) -> Any:
    """Run time relative to naive against each count, with regression lines."""
    figure, panels = plt.subplots(
        1, len(COUNTS), figsize=(14, 4), sharey=True, layout="constrained"
    )
    for axes, count in zip(panels, COUNTS, strict=True):
        for k, (name, rows) in enumerate(found.items()):
            drawn = [r for r in done(rows) if r.name != HEURISTIC]
            known = [r for r in drawn if r.values.get(count) is not None]
            x = np.array([r.values[count] for r in known], float)
            y = [1 / r.values["ratio"] for r in known]
            axes.plot(x, y, ".", color=f"C{k}", alpha=0.5, label=name)
            if (fit := line(drawn, count)) is not None:
                ends = np.linspace(x.min(), x.max())
                axes.plot(ends, fit.slope * ends + fit.intercept, color=f"C{k}")
        axes.set(xlabel=count)
    panels[0].set_ylabel("run time, naive = 1")
    panels[0].legend()
    return figure


FIGURES = {"figure11": figure11, "figure12": figure12}


def main(arguments: Sequence[str]) -> int:
    if len(arguments) != 3 or arguments[0] not in FIGURES:
        print(f"{' | '.join(FIGURES)} FOUND.json PICTURE", file=sys.stderr)
        return 2
    name, found, picture = arguments
    FIGURES[name](read(Path(found))).savefig(picture)
    return 0


if __name__ == "__main__":
    matplotlib.use("agg")
    sys.exit(main(sys.argv[1:]))
