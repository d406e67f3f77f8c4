"""Table 1 of CC'18: arrays, loops, statements and accesses, naive and propagated.

`python -m polynb.evaluation.table1 [NAME ...]`: what polynb makes of each pipeline, and in brackets
what the paper reports. The programs are polynb's own, written for the same pipelines.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Sequence

from polynb.evaluation.commands import parser, pipelines, run, write_json
from polynb.evaluation.paper import PAPER
from polynb.propagation import propagate
from polynb.scop.model import Scop
from polynb.tuning.counts import Counts, counts
from polynb.tuning.sweeping import sweep
from polynb.tuning.tables import Table

COLUMNS = tuple(f.name for f in dataclasses.fields(Counts))


def both(scop: Scop) -> dict[str, dict[str, int]]:
    """The counts of a program before (`naive`) and after propagation (`propagated`)."""
    return {
        "naive": dataclasses.asdict(counts(scop)),
        "propagated": dataclasses.asdict(counts(propagate(scop))),
    }


def table(found: dict[str, dict[str, dict[str, int]]]) -> Table:
    """Two columns, N and EP, for each count; the paper's in brackets."""
    head = ["", *(f"{c} {version}" for c in COLUMNS for version in ("N", "EP"))]
    rows = []
    for name, versions in found.items():
        cells = [name]
        for column in COLUMNS:
            for version in ("naive", "propagated"):
                cell = str(versions[version][column])
                if name in PAPER:
                    cell += f" ({getattr(getattr(PAPER[name], version), column)})"
                cells.append(cell)
        rows.append(cells)
    return Table(head, rows)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; 1 if a pipeline failed. The paper's numbers stand in brackets."""
    options = parser("table1", __doc__ or "", measuring=False).parse_args(arguments)
    programs = dict(pipelines(options.names))
    found = sweep(programs, both)
    rows = {r.name: dict(r.values) for r in found.rows if r.error is None}
    if rows:
        print(table(rows))
        print("in brackets: the paper's; N naive, EP after expression propagation")
    for row in found.failed:
        print(f"{row.name} failed: {row.error}", file=sys.stderr)
    write_json(options.json, {"table1": found})
    return bool(found.failed) or not rows


if __name__ == "__main__":
    run(main)
