"""A step of Feautrier's scheduler: one member that carries as many constraints as possible
(Feautrier 1992, part II; IMPACT'16, section 2.4). Conditioned constraints count as validity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from polynb.reordering.active import STRICT, Active
from polynb.reordering.band import SearchBudget, StatementGroup
from polynb.reordering.farkas import ConstraintRow, Unknown
from polynb.reordering.integer_program import WEIGHTS, Solution, VariableLayout


@dataclass(frozen=True, eq=False)
class Step1D:
    """A member; the constraints it carries, wholly or in part (the targets of all pairs in some
    polyhedron of theirs come strictly later), and the others."""

    solution: Solution
    carried: tuple[Active, ...]
    open: tuple[Active, ...]


def carry(piece: StatementGroup, edges: Sequence[Active], effort: SearchBudget) -> Step1D | None:
    """The member that respects all constraints and leaves the fewest polyhedra of pairs open; None
    if it cannot carry any."""
    rows: list[ConstraintRow] = []
    slack: dict[Unknown, Active] = {}
    for e in edges:
        for d in effort.dual(e, piece.parameters) if e.kind in STRICT else ():
            open_: Unknown = ("e", str(len(slack)))  # 0 if it is carried, 1 if it is left open
            slack[open_] = e
            rows.append(ConstraintRow({open_: -1}, 1))
            # distance - (1 - e) >= 0
            for r in d.distance(1, {open_: 1}, str(e)):
                constant = _constant_share(r, open_)
                rows.append(ConstraintRow(r.terms, -constant, r.equality, r.because))
    solution = effort.solve(_layout(piece, tuple(slack)), rows, [])
    if solution is None or solution.objective[0] == len(slack):
        return None
    carried = {id(e): e for u, e in slack.items() if not solution.values[u]}
    left = {id(e): e for e in slack.values() if id(e) not in carried}
    return Step1D(solution, tuple(carried.values()), tuple(left.values()))


def _constant_share(row: ConstraintRow, open_: Unknown) -> int:
    """What a_0 is in this row: the factor of the slack stands for it."""
    return row.terms.get(open_, 0)


def _layout(piece: StatementGroup, slack: Sequence[Unknown]) -> VariableLayout:
    of_n = tuple(("n", s, p) for s in piece.names for p in piece.parameters)
    of_x = tuple(("x", s, str(k)) for s, d in piece.dims.items() for k in range(d))
    constants = tuple(("0", s) for s in piece.names)
    return VariableLayout(
        ((tuple(slack), 1, 1), (of_n, 1, 1), (of_x, *WEIGHTS)), (*slack, *of_x, *of_n, *constants)
    )
