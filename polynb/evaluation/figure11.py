"""Figure 11 of CC'18: limits on cache lines per iteration, against run time.

`python -m polynb.evaluation.figure11 [NAME ...]`: each pipeline propagated under each limit
(section 4.2), timed in turn with the naive program. Figures are times faster than that (medians of
paired ratios, in brackets their 95 % intervals), and the temporaries left. `--json` keeps all that
was measured.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any, Final

from polynb.errors import PolynbError
from polynb.evaluation.commands import parser, pipelines, trial, write_json
from polynb.tuning.results import Row, Sweep, bracketed, interval_of
from polynb.tuning.sweeping import sweep
from polynb.tuning.tables import aligned

LIMITS: Final = (2, 4, 8, 16, 24, 32, 48, 64)


def limits(values: Sequence[int]) -> dict[str, dict[str, Any]]:
    """Variants for a `Trial`: one for each limit, and "none"."""
    return {str(n): {"cache_lines": n} for n in values} | {"none": {"cache_lines": None}}


def table(found: Mapping[str, Sweep]) -> str:
    """A line for each limit, a column for each pipeline."""
    names = [r.name for r in next(iter(found.values())).rows]
    rows = [[limit, *(_cell(s, limit) for s in found.values())] for limit in names]
    return aligned(["cache lines", *found], rows)


def _cell(found: Sweep, limit: str) -> str:
    row = found[limit]
    if row.error is not None:
        return "failed"
    mark = "*" if not _is_slower(row, found.best) else ""
    left = len(row.values["temporaries"])
    return f"{mark}{row.values['ratio']:.2f}{bracketed(row)}, {left} left"


def _is_slower(row: Row, best: Row) -> bool:
    """Whether a row was seen to be slower than the best: their intervals are apart."""
    here, there = interval_of(row), interval_of(best)
    return row is not best and (here is None or there is None or here[1] < there[0])


def main(arguments: Sequence[str] | None = None) -> int:
    options = parser("figure11", __doc__ or "")
    options.add_argument("--limits", default=",".join(map(str, LIMITS)), help="such as 2,4,8")
    chosen = options.parse_args(arguments)
    variants = limits([int(n) for n in chosen.limits.split(",")])
    found: dict[str, Sweep] = {}
    for name, scop in pipelines(chosen.names):
        found[name] = sweep(variants, trial(name, scop, chosen), resume=chosen.resume)
        print(f"{name}\n{found[name]}", end="\n\n")
    if not found:
        return 1
    print(table(found))
    print("times faster than naive, in brackets 95 % intervals, and the temporaries left;")
    print("* most, or no difference from it seen")
    write_json(chosen.json, found)
    return any(s.failed for s in found.values())


if __name__ == "__main__":
    try:
        sys.exit(main())
    except PolynbError as error:
        sys.exit(str(error))
