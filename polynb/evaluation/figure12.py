"""Figure 12 and Table 3 of CC'18: random subsets of the temporaries, propagated and timed.

`python -m polynb.evaluation.figure12 [NAME ...]`: for each pipeline, up to `--each` random subsets
of each size up to `--largest` (seeded), whatever the heuristics would say of them, and the
heuristics' own choice. For each count (arrays, statements, accesses, instructions) the regression
line of the run time relative to naive: a positive slope says that less of it is faster. Then Table
3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from polynb.errors import PolynbError
from polynb.evaluation.commands import parser, run, swept, write_json
from polynb.evaluation.paper import PAPER
from polynb.run.timing import seconds
from polynb.scop.model import Scop
from polynb.tuning.results import Row, Sweep, bracketed
from polynb.tuning.subsets import LARGEST, subsets
from polynb.tuning.tables import Table
from polynb.tuning.trial import Options

COUNTS: Final = ("arrays", "statements", "accesses", "instructions")
HEURISTIC: Final = "heuristics"


def combinations(scop: Scop, each: int, largest: int, seed: int) -> dict[str, Options]:
    """Variants for a `Trial`: the heuristics' choice, then the subsets, without heuristics."""
    chosen = subsets(scop.temporaries, each=each, largest=largest, seed=seed)
    free = {" ".join(s): {"arrays": s, "heuristics": ()} for s in chosen}
    return {HEURISTIC: {}, **free}


def drawn(found: Sweep) -> Sweep:
    """The random subsets alone."""
    return Sweep(tuple(r for r in found.rows if r.name != HEURISTIC))


@dataclass(frozen=True)
class Regression:
    """A regression line: run time relative to naive = `slope` * count + `intercept`; `r` is the
    correlation, `points` how many variants there were."""

    slope: float
    intercept: float
    r: float
    points: int


def line(rows: Sequence[Row], count: str) -> Regression | None:
    """The regression line over a count; None where it does not vary or was not counted."""
    known = [r for r in rows if r.error is None and r.values.get(count) is not None]
    x = np.array([r.values[count] for r in known], float)
    y = np.array([1 / r.values["ratio"] for r in known], float)
    if len(set(x)) < 2:
        return None
    slope, intercept = np.polyfit(x, y, 1)
    r = float(np.corrcoef(x, y)[0, 1]) if len(set(y)) > 1 else 0.0
    return Regression(float(slope), float(intercept), r, len(known))


def slopes(found: Mapping[str, Sweep]) -> Table:
    """The slopes of the regression lines, and the correlations in brackets."""
    rows = []
    for name, s in found.items():
        lines = [line(drawn(s).rows, c) for c in COUNTS]
        rows.append([name, *("" if k is None else f"{k.slope:+.3g} ({k.r:+.2f})" for k in lines)])
    return Table(("run time against", *COUNTS), rows)


def table3(found: Mapping[str, Sweep]) -> Table:
    """Naive, heuristics, the best and the worst subset: times, and times faster than naive."""
    rows = []
    for name, s in found.items():
        cells = [name]
        try:
            picked = [s[HEURISTIC], drawn(s).best, drawn(s).extreme("ratio", lowest=True)]
        except PolynbError:
            rows.append([name, *[""] * 4, _paper(name)])
            continue
        cells.append(seconds(float(np.median([r.values["baseline"] for r in picked if r.values]))))
        for row in picked:
            cells.append(_time_of(row) if row.values else "")
        rows.append([*cells, _paper(name)])
    return Table(("", "naive", "heuristics", "best subset", "worst subset", "paper"), rows)


def _time_of(row: Row) -> str:
    return f"{seconds(row.values['seconds'])}, {row.values['ratio']:.2f}{bracketed(row)}"


def _paper(name: str) -> str:
    if name not in PAPER:
        return ""
    p = PAPER[name]
    times = (p.naive_ms, p.propagated_ms, p.best_ms, p.worst_ms)
    return " / ".join("-" if t is None else f"{t:.4g}" for t in times) + " ms"


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; 1 where no pipeline is left to sweep."""
    options = parser("figure12", __doc__ or "")
    options.add_argument("--each", type=int, default=LARGEST, help="subsets of one size")
    options.add_argument("--largest", type=int, default=LARGEST, help="the largest size")
    options.add_argument("--seed", type=int, default=0)
    chosen = options.parse_args(arguments)
    found = swept(chosen, lambda scop: combinations(scop, chosen.each, chosen.largest, chosen.seed))
    if not found:
        return 1
    print(slopes(found), table3(found), sep="\n\n")
    if all(line(s.rows, "instructions") is None for s in found.values()):
        print("instructions were not counted: there is no objdump (binutils) here")
    write_json(chosen.json, found)
    return any(s.failed for s in found.values())


if __name__ == "__main__":
    run(main)
