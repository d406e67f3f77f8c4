"""Figure 11 of CC'18: limits on cache lines per iteration, against run time.

`python -m polynb.evaluation.figure11 [NAME ...]`: each pipeline propagated under each limit
(section 4.2), timed in turn with the naive program. Figures are times faster than that (medians of
paired ratios, in brackets their 95 % intervals), and the temporaries left. `--json` keeps all that
was measured.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from polynb.evaluation.commands import parser, run, swept, write_json
from polynb.tuning.results import Row, Sweep, bracketed, interval_of
from polynb.tuning.tables import Table
from polynb.tuning.trial import Options

LIMITS: Final = (2, 4, 8, 16, 24, 32, 48, 64)
COUNTED: Final = ("arrays", "loops", "statements", "accesses")


def limits(values: Sequence[int]) -> dict[str, Options]:
    """Variants for a `Trial`: one for each limit, and "none"."""
    return {str(n): {"cache_lines": n} for n in values} | {"none": {"cache_lines": None}}


def table(found: Mapping[str, Sweep]) -> Table:
    """A line for each limit, a column for each pipeline; a star is on all that were not seen to be
    slower than the best (see `undecided`)."""
    names = [r.name for r in next(iter(found.values())).rows]
    stars = {name: undecided(s) for name, s in found.items()}
    rows = [
        (limit, *(_cell(s[limit], limit in stars[name]) for name, s in found.items()))
        for limit in names
    ]
    return Table(("cache lines", *found), rows)


def _cell(row: Row, star: bool) -> str:
    if row.error is not None:
        return "failed"
    left = len(row.values["temporaries"])
    return f"{'*' * star}{row.values['ratio']:.2f}{bracketed(row)}, {left} left"


def same_programs(found: Sweep) -> list[tuple[Row, ...]]:
    """The rows whose limits leave the same temporaries and give the same counts: they are one
    program, measured several times, and what differs between them is noise."""
    groups: dict[tuple[object, ...], list[Row]] = {}
    for row in found.rows:
        if row.error is None:
            counted = (row.values.get(name) for name in COUNTED)
            groups.setdefault((*row.values["temporaries"], *counted), []).append(row)
    return [tuple(rows) for rows in groups.values()]


def undecided(found: Sweep) -> set[str]:
    """The rows that were not seen to be slower than the one with the highest ratio: those of the
    same program, and those whose intervals reach into its own."""
    if len(found.failed) == len(found.rows):
        return set()
    best = found.best
    same = next(rows for rows in same_programs(found) if best in rows)
    return {r.name for r in found.rows if r in same or not _is_slower(r, best)}


def _is_slower(row: Row, best: Row) -> bool:
    here, there = interval_of(row), interval_of(best)
    return here is None or there is None or here[1] < there[0]


def noise(found: Mapping[str, Sweep]) -> Table:
    """Where several limits give one program: its lowest and its highest ratio."""
    rows = []
    for name, s in found.items():
        largest = max(same_programs(s), key=len, default=())
        ratios = [r.values["ratio"] for r in largest]
        if len(ratios) > 1:
            low, high = min(ratios), max(ratios)
            limits = ", ".join(r.name for r in largest)
            rows.append((name, limits, f"{low:.2f}", f"{high:.2f}", f"{high / low - 1:.0%}"))
    head = ("pipeline", "limits with one program", "lowest", "highest", "apart")
    return Table(head, rows, left=("limits with one program",))


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; 1 where no pipeline is left to sweep."""
    options = parser("figure11", __doc__ or "")
    options.add_argument("--limits", default=",".join(map(str, LIMITS)), help="such as 2,4,8")
    chosen = options.parse_args(arguments)
    variants = limits([int(n) for n in chosen.limits.split(",")])
    found = swept(chosen, lambda scop: variants)
    if not found:
        return 1
    print(table(found))
    print("times faster than naive, in brackets 95 % intervals, and the temporaries left;")
    print("* most, or no difference from it seen")
    if (spread := noise(found)).rows:
        print(f"\nthe same program under several limits: what differs is noise\n{spread}")
    write_json(chosen.json, found)
    return any(s.failed for s in found.values())


if __name__ == "__main__":
    run(main)
