"""Tables of the frames of a reordering: functions, and the rows of an integer program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from polynb import isl
from polynb.reordering.farkas import ConstraintRow, Unknown
from polynb.reordering.steps import MemberFound
from polynb.scop import Scop
from polynb.show.displays.schedule import formulas, vector
from polynb.show.trace.format import TableJson
from polynb.words import counted

GROUPS: Final = 24  # constraints of which rows are listed
ROWS: Final = 6  # rows that are listed of one constraint


def table_of(title: str, columns: Sequence[str], rows: list[list[str]]) -> TableJson:
    return {"title": title, "columns": list(columns), "rows": rows}


def functions_table(functions: Mapping[str, isl.Map], scop: Scop) -> TableJson:
    rows = [[s, vector(f)] for s, f in formulas(functions, scop).items()]
    return table_of("Functions", ("statement", "time"), rows)


def program_table(step: MemberFound, scop: Scop) -> TableJson:
    """The rows of the integer program by the constraints they come from, what is new first."""
    groups: dict[str, dict[Any, ConstraintRow]] = {}
    for r in step.rows:
        groups.setdefault(r.because, {}).setdefault(r.key, r)
    ordered = sorted(groups.items(), key=lambda g: not g[0].startswith("local"))
    rows = []
    for because, found in ordered[:GROUPS]:
        some = list(found.values())[:ROWS]
        said = because.replace("->", "→")
        rows += [[said if k == 0 else "", _row(r, scop)] for k, r in enumerate(some)]
        if len(found) > ROWS:
            rows.append(["", f"and {len(found) - ROWS} more"])
    if len(ordered) > GROUPS:
        rows.append([f"and {len(ordered) - GROUPS} more constraints", ""])
    count = counted(len(step.rows), "row")
    return table_of(
        f"The integer program: {count}, and where they come from", ("constraint", "row"), rows
    )


def _row(row: ConstraintRow, scop: Scop) -> str:
    """`c(S2, j) - c(S1, j) ≥ 0`; c is a coefficient of a statement's function, c(S, 1) its
    constant, m(n) and m the distance bound."""
    parts = []
    for unknown, coefficient in row.terms.items():
        sign = "-" if coefficient < 0 else "+"
        factor = "" if abs(coefficient) == 1 else f"{abs(coefficient)} "
        parts.append(f"{sign} {factor}{_unknown(unknown, scop)}")
    if row.constant or not parts:
        parts.append(f"{'-' if row.constant < 0 else '+'} {abs(row.constant)}")
    text = " ".join(parts).removeprefix("+ ")
    return f"{text} {'=' if row.equality else '≥'} 0".replace("- ", "− ")


def _unknown(u: Unknown, scop: Scop) -> str:
    match u:
        case ("m", n):
            return f"m({n})"
        case ("m",):
            return "m"
        case ("x", s, k):
            return f"c({s}, {scop.by_name[s].iterators[int(k)]})"
        case ("n", s, n):
            return f"c({s}, {n})"
        case ("0", s):
            return f"c({s}, 1)"
    return "".join(u)
