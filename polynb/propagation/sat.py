"""Satisfiability by expression propagation (CC'18, section 3.4 and Figure 6).

`encode` writes a formula as a program whose temporary UNSAT can be eliminated exactly for the
assignments that satisfy the formula; `solve` eliminates it. So whoever propagates maximally solves
a problem that is NP-complete.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

from polynb import isl
from polynb.arguments import count, optional
from polynb.dependences import Dependences, analyze
from polynb.derivation import Derivation, Sentence, Step, derivation, drained
from polynb.propagation.array import propagate_edges
from polynb.propagation.cnf import Formula, Literal, read_formula
from polynb.propagation.dead_writes import removal_steps
from polynb.propagation.steps import ArrayChosen
from polynb.rewriting.dead_writes import remove_unneeded
from polynb.rewriting.pool import Pool
from polynb.scop.access import restricted
from polynb.scop.model import Scop
from polynb.scop.parsing import parse
from polynb.scop.storage import in_memory
from polynb.scop.witness import values_text

# Maximal propagation: every edge, as far as the reload test lets it (CC'18, section 3.4).


R = TypeVar("R")

BUDGET = 20_000_000
"""isl operations for one array: half a minute at most."""


@dataclass(frozen=True, eq=False)
class Eliminated(Step):
    """The parameter values `[p] -> { : ... }`, among the `allowed` ones, for which no value flows
    through a temporary any more: all reads of it were replaced, and its writes are obsolete."""

    array: str
    where: isl.Set
    allowed: isl.Set

    @property
    def about(self) -> tuple[str, ...]:
        return (self.array,)

    @property
    def sentence(self) -> Sentence:
        said = {"array": self.array}
        if self.where.is_empty():
            return "{array} is eliminated for no parameter values.", said
        if self.allowed.is_subset(self.where):
            return "{array} is eliminated for all parameter values.", said
        found = isl.witness(isl.Set.from_params(self.where))
        values = found[0] if found is not None else {}
        at = values_text(values)
        text = "{array} is eliminated for some parameter values, for example {at}."
        return text, said | {"at": at}


@dataclass(frozen=True, eq=False)
class Unfinished(Step):
    """The budget, `limit` ("20 operations"), was used up at an array: the program so far is right,
    but whether more could have been propagated, and where temporaries are eliminated, is not
    known."""

    array: str
    limit: str

    @property
    def about(self) -> tuple[str, ...]:
        return (self.array,)

    @property
    def sentence(self) -> Sentence:
        text = (
            "Unfinished: maximal propagation used up its {limit} at {array}, and "
            "nothing is known of what comes after it."
        )
        return text, {"array": self.array, "limit": self.limit}


@derivation(paper="CC'18", start=in_memory)
def propagate_maximally(
    scop: Scop, *, max_operations: int | None = BUDGET
) -> Generator[Step, None, Scop]:
    """Propagate all that can be propagated, also through live-out arrays, splitting statements by
    their iterators and by the parameters; record where each temporary is eliminated.

    The arrays are taken in the order of their first writes, each edge once: where values flow
    from the beginning of the text to its end, every source is maximal before it is propagated
    itself. (Of two arrays that exclude each other, as in Figure 9a, the first one wins.)

    Claims that the result computes the same values of all live-out arrays for all parameter
    values that the context and `requires` allow, and, of every `Eliminated` step, that it is exact
    for this order. The problem is NP-hard (`propagation/sat.py`), and so the time is exponential:
    `max_operations` bounds isl's work on each array; when it is used up, the last step is
    `Unfinished`, and there are no `Eliminated` ones.
    """
    dependences, pool = analyze(_as_allowed(scop)), Pool(scop)
    arrays = list(dict.fromkeys(s.write.array for s in scop.statements))
    for k, array in enumerate(arrays):
        yield ArrayChosen(array, tuple(arrays[k + 1 :]))
        taken, done = _within(max_operations, propagate_edges(dependences, pool, array))
        yield from taken
        if isinstance(done, isl.BudgetExhausted):
            yield Unfinished(array, done.limit)
            return dependences.scop
        dependences = done or dependences
    for array in scop.temporaries:
        taken, recorded = _within(max_operations, _record(dependences, array))
        yield from taken
        if isinstance(recorded, isl.BudgetExhausted):
            yield Unfinished(array, recorded.limit)
            return dependences.scop
        dependences = recorded
    return dependences.scop


def _as_allowed(scop: Scop) -> Scop:
    """The program for allowed parameter values only: its sets stay small when they are split."""
    allowed = [restricted(s, s.domain.intersect_params(scop.assumed)) for s in scop.statements]
    return replace(scop, statements=tuple(allowed), program=None)


def _record(dependences: Dependences, array: str) -> Generator[Step, None, Dependences]:
    """Where a temporary is eliminated; its obsolete writes are removed."""
    allowed = dependences.scop.assumed
    where = allowed
    for edge in dependences.flow(array).edges:
        where = where.subtract(edge.relation.params())
    yield Eliminated(array, isl.coalesced(where), allowed)
    before = dependences.scop
    dependences, removed = remove_unneeded(dependences, array)
    yield from removal_steps(before, dependences.scop, array, removed)
    return dependences


def _within(
    operations: int | None, work: Generator[Step, None, R]
) -> tuple[list[Step], R | isl.BudgetExhausted]:
    """Run some work to its end, or until its operations are used up; and the steps it took."""
    taken: list[Step] = []
    try:
        with isl.budget(operations):
            return taken, drained(work, taken)
    except isl.BudgetExhausted as error:
        return taken, error


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
        assignments = isl.Set.from_params(self.where)
        for n, v in enumerate(self.formula.variables):
            k = assignments.find_dim_by_name(isl.PARAM, f"A_{v}")
            assignments = assignments.move_dims(isl.SET, n, isl.PARAM, k, 1).set_dim_name(
                isl.SET, n, v
            )
            assignments = assignments.lower_bound_val(isl.SET, n, isl.Val(0))
            assignments = assignments.upper_bound_val(isl.SET, n, isl.Val(1))
        return isl.coalesced(assignments.project_out(isl.PARAM, 0, assignments.dim(isl.PARAM)))

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
        names, assignments = self.formula.variables, self.assignments
        rows = [" ".join(f"{a[v]:{len(v)}}" for v in names) for a in assignments]
        head = f"UNSAT is eliminated for {len(assignments)} of {2 ** len(names)} assignments"
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
