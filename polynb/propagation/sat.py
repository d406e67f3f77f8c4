"""Satisfiability by expression propagation (CC'18, section 3.4 and Figure 6).

`encode` writes a formula as a program whose temporary UNSAT can be eliminated exactly for the
assignments that satisfy the formula; `solve` eliminates it. So whoever propagates maximally solves
a problem that is NP-complete.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from polynb import isl
from polynb.arguments import count, optional
from polynb.derivation import Derivation
from polynb.propagation.cnf import Formula, Literal, read_formula
from polynb.propagation.maximal import BUDGET, Eliminated, propagate_maximally
from polynb.scop.parsing import parse

Given = str | Formula | Iterable[Iterable[int | str]]


def encode(given: Given) -> str:
    """The program, in the SCoP language, that Figure 6 makes of a formula (see `read_formula`).

    Its parameters are the assignment, x being true for A_x >= 1, and for each clause i of several
    literals its witness, the literal number wit_i (what is too small or too large means the first
    or the last one). All arrays but UNSAT are live-out. Where `False` is zero everywhere, `out` is
    zero if and only if the formula does not hold. The text grows linearly with the formula.
    """
    return "\n".join(_lines(read_formula(given))) + "\n"


def _lines(formula: Formula) -> Iterator[str]:
    clauses = list(enumerate(formula.clauses, 1))
    witnesses = [f"wit_{i}" for i, clause in clauses if len(clause) > 1]
    parameters = [*(f"A_{v}" for v in formula.variables), *witnesses]
    yield f"// {formula}"
    if parameters:
        yield f"param {', '.join(parameters)};"
    cell = _cells(formula)
    nothing = f"False[{len(cell)}]"
    cells = len(cell) + any(not clause for _, clause in clauses)
    if cells:
        yield f"inout double False[{cells}];"
    yield "temp UNSAT;"

    yield "\n// A literal that is true is a constant; one that is false is read from False."
    for v in formula.variables:
        used = [l for l in (Literal(v, True), Literal(v, False)) if l in cell]
        yield f"if A_{v} >= 1 then"
        yield from (_definition(l, l.positive, cell[l]) for l in used)
        yield "else"
        yield from (_definition(l, not l.positive, cell[l]) for l in used)
        yield "fi"

    yield "\n// A clause is made of its literals."
    for i, clause in clauses:
        yield f"c_{i} = {' + '.join(map(_scalar, clause)) or nothing}; // C{i}"

    yield "\n// The witness of each clause is overwritten, and what a false one is read from."
    for i, clause in clauses:
        for j, l in enumerate(clause, 1):
            overwrite = f"{_scalar(l)} = 0; // W{i}_{j}", f"False[{cell[l]}] = 0; // F{i}_{j}"
            condition = _is_witness(i, j, len(clause))
            yield from (
                (condition, *(f"  {o}" for o in overwrite), "fi") if condition else overwrite
            )
        if not clause:
            yield f"{nothing} = 0; // F{i}"

    yield "\n// The conjunction; then the clauses are overwritten, and only then it is used."
    yield f"UNSAT = {' * '.join(f'c_{i}' for i, _ in clauses) or '1'}; // U"
    yield from (f"c_{i} = 0; // K{i}" for i, _ in clauses)
    yield "out = UNSAT; // R"


def _cells(formula: Formula) -> dict[Literal, int]:
    """The paper's γ: a cell of False for each literal that occurs."""
    used = {l for clause in formula.clauses for l in clause}
    both = (Literal(v, sign) for v in formula.variables for sign in (True, False))
    return {l: k for k, l in enumerate(l for l in both if l in used)}


def _scalar(l: Literal) -> str:
    return f"{'pos' if l.positive else 'neg'}_{l.variable}"


def _definition(l: Literal, true: bool, cell: int) -> str:
    value, label = ("1", "true") if true else (f"False[{cell}]", "false")
    return f"  {_scalar(l)} = {value}; // {_scalar(l)}_{label}"


def _is_witness(clause: int, number: int, length: int) -> str:
    """The line that begins the case "this literal is the witness"; "" if there is no other."""
    if length == 1:
        return ""
    comparison = {1: "<=", length: ">="}.get(number, "==")
    return f"if wit_{clause} {comparison} {number} then"


# -- solving -----------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Answer:
    """What maximal propagation found: `where` UNSAT is eliminated,
    `[A_x, ..., wit_1, ...] -> { : ... }`; None if its operations were used up before the end."""

    formula: Formula
    derivation: Derivation
    where: isl.Set | None

    @cached_property
    @isl.guarded
    def solutions(self) -> isl.Set | None:
        """`{ [x, ...] }`: the values 0 and 1 of the variables for which there are witnesses."""
        if self.where is None:
            return None
        found = isl.Set.from_params(self.where)
        for n, v in enumerate(self.formula.variables):
            k = found.find_dim_by_name(isl.PARAM, f"A_{v}")
            found = found.move_dims(isl.SET, n, isl.PARAM, k, 1).set_dim_name(isl.SET, n, v)
            found = found.lower_bound_val(isl.SET, n, isl.Val(0))
            found = found.upper_bound_val(isl.SET, n, isl.Val(1))
        return isl.coalesced(found.project_out(isl.PARAM, 0, found.dim(isl.PARAM)))

    @cached_property
    def assignments(self) -> tuple[Mapping[str, bool], ...] | None:
        """All assignments that satisfy the formula; None if they are not known."""
        if self.solutions is None:
            return None
        points = isl.points(self.solutions)
        return tuple(
            {v: bool(x) for v, x in zip(self.formula.variables, p, strict=True)} for p in points
        )

    @property
    def satisfiable(self) -> bool | None:
        """Whether there is an assignment; None if that is not known."""
        return None if self.assignments is None else bool(self.assignments)

    def __str__(self) -> str:
        if self.assignments is None:
            return str(self.derivation.steps[-1])
        names, found = self.formula.variables, self.assignments
        rows = [" ".join(f"{a[v]:{len(v)}}" for v in names) for a in found]
        head = f"UNSAT is eliminated for {len(found)} of {2 ** len(names)} assignments"
        return "\n".join(
            [head + (":" if rows else "."), *([" ".join(names), *rows] if rows else [])]
        )


def solve(given: Given, *, max_operations: int | None = BUDGET) -> Answer:
    """All assignments that satisfy a formula, found by eliminating UNSAT from its program.

    The time is exponential. `max_operations` bounds isl's work on each array; where that is used
    up, nothing is known.
    """
    formula = read_formula(given)
    optional(count, "max_operations", max_operations)
    scop = parse(encode(formula), "scop", name="sat")
    derivation = propagate_maximally(scop, max_operations=max_operations)
    where = (s.where for s in derivation.steps if isinstance(s, Eliminated))
    return Answer(formula, derivation, next(where, None))
