"""Whether two programs compute the same: both are run on symbolic values and compared.

This is what checks the passes. (`pn.equivalent` first tries to prove it, see `polynb.proofs`.)
"""

from __future__ import annotations

import itertools
import operator
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from polynb import isl
from polynb.arguments import count, named
from polynb.derivation import Derivation, as_scop, original
from polynb.errors import PolynbError
from polynb.run.arguments import condition_text, integer
from polynb.run.execution import LIMIT, Execution, Mismatch, Point
from polynb.run.symbolic import SymbolicMemory
from polynb.run.terms import Term, Terms, first_difference, shown
from polynb.scop.model import Scop
from polynb.scop.storage import in_memory
from polynb.scop.witness import Witness, cell_text

DEFAULTS = (0, 1, 2, 3, 5, 8)
MOST = 10_000  # values of one parameter
FEWER = (0, 1, 4)  # for more than two parameters without values
SAMPLES = 243  # the most combinations of these that are run


@dataclass(frozen=True, eq=False)
class Difference:
    """The first place where two programs part.

    `before` and `after` are what they leave in the cell `array[index]` (in the array as a whole
    where subscripts depend on data: `index` is None); or one of them does not do what its model
    says, which `reason` tells, and there is no cell.
    """

    witness: Witness
    array: str | None = None
    index: Point | None = None
    before: Term | None = None
    after: Term | None = None
    reason: str = ""

    def __str__(self) -> str:
        if self.before is None or self.after is None:
            return self.witness.for_values(self.reason)
        left, right = first_difference(self.before, self.after)
        lines = [
            self.witness.for_values(f"{self.witness.cell} differs"),
            f"  before: {shown(self.before)}",
            f"  after:  {shown(self.after)}",
        ]
        if left is not self.before:
            lines.append(f"  where:  {shown(left)} has become {shown(right)}")
        return "\n".join(lines)


@dataclass(frozen=True, eq=False)
class Equivalence:
    """Whether two programs leave the same in every live-out cell; true or false as a condition.

    `checked` counts the parameter values that were run, `skipped` those that the program's
    assumptions (or its bounds) exclude; `difference` is the first one found, or None. Where all
    combinations of small values are too many, `combinations` says how many there are: what was run
    is a sample of them. `proved`: "proved for every N", where nothing had to be run.
    """

    checked: int
    skipped: int
    difference: Difference | None = None
    combinations: int | None = None
    proved: str = ""

    def __bool__(self) -> bool:
        return self.difference is None

    def __str__(self) -> str:
        if self.difference is not None:
            return f"not equivalent: {self.difference}"
        if self.proved:
            return f"equivalent: {self.proved}"
        skipped = f" ({self.skipped} outside the assumptions)" if self.skipped else ""
        values = "value" if self.checked == 1 else "values"
        of = f", a sample of {self.combinations}" if self.combinations else ""
        return f"equivalent for {self.checked} parameter {values}{of}{skipped}"

    def __repr__(self) -> str:
        return f"<Equivalence: {self}>"


@isl.bounded("the comparison of two programs")
def equivalent(
    before: Scop | Derivation,
    after: Scop | Derivation | None = None,
    parameters: Mapping[str, Sequence[int] | int] | None = None,
    *,
    limit: int = LIMIT,
    **values: Sequence[int] | int,
) -> Equivalence:
    """Whether two programs compute the same, whatever the data, at some parameter values: as
    `pn.equivalent(..., prove=False)`.

    Both run on symbolic terms, so equality is exact and owes nothing to floating point: `before`
    as its text says if it has one, `after` in the order of its schedule. Compared are all cells
    of the arrays that are live-out in `before`. A Derivation alone is compared with what it was
    derived from.

    Parameter values are lists, `N=[0, 1, 5]`, combined with each other (`parameters` takes them
    as a mapping); small ones are chosen where none are given, of very many combinations a sample
    (all equal, all but one equal, and others; the same each time). Values outside the context or
    `requires` of `before` are skipped and counted. `limit` bounds the statement instances of a
    run. Raises PolynbError if no value is left, for unknown parameters, and above the limit.
    """
    limit = count("limit", limit)
    given = {} if parameters is None else named("parameters", parameters)
    first, second = programs(before, after)
    with isl.wrapped():
        chosen, combinations = _chosen(first, {**given, **values})
        terms = Terms()
        runs = [_Run(first, terms, True, limit), _Run(second, terms, False, limit)]
        checked = skipped = 0
        for point in chosen:
            if not _allowed(first, point):
                skipped += 1
                continue
            checked += 1
            difference = _compared(first, runs, point)
            if difference is not None:
                looked = [r.memory.tables.look_closer() for r in runs]
                difference = _compared(first, runs, point) if any(looked) else difference
            if difference is not None:
                return Equivalence(checked, skipped, difference, combinations)
    if not checked:
        raise PolynbError(
            "none of the parameter values is allowed by the program's assumptions",
            reason=f"the program is for {condition_text(first.context.intersect(first.requires))}",
            hint="other parameter values, such as "
            + ", ".join(f"{p}=[5, 8]" for p in first.parameters),
        )
    return Equivalence(checked, skipped, None, combinations)


def programs(
    before: Scop | Derivation, after: Any, function: str = "equivalent"
) -> tuple[Scop, Scop]:
    """The two programs that are compared; a Derivation alone is what it was derived from, and its
    result. Raises PolynbError where there are none, with the way to call the `function`."""
    if isinstance(after, Mapping):
        values = ", ".join(f"{k}={v!r}" for k, v in after.items())
        raise PolynbError(
            "parameter values are given by name, not as a second program",
            hint=f"{function}(derivation, {values})",
        )
    if after is None and isinstance(before, Derivation):
        return original(before), as_scop(before)
    if after is None:
        raise PolynbError(
            "there is nothing to compare the program with",
            hint=f"{function}(before, after), or {function}(derivation)",
        )
    return as_scop(before), as_scop(after)


# -- parameter values ------------------------------------------------------------------


def _chosen(
    scop: Scop, given: Mapping[str, Sequence[int] | int]
) -> tuple[Iterator[dict[str, int]], int | None]:
    """The parameter values to run, and of how many they are a sample, if they are."""
    unknown = [n for n in given if n not in scop.parameters]
    if unknown:
        raise PolynbError(
            f"the program has no parameter {unknown[0]!r}",
            hint=f"one of: {', '.join(scop.parameters)}" if scop.parameters else "no parameters",
        )
    free = [n for n in scop.parameters if n not in given]
    small = DEFAULTS if len(free) <= 2 else FEWER
    combinations = len(small) ** len(free)
    rows: Iterable[tuple[int, ...]] = itertools.product(small, repeat=len(free))
    if combinations > SAMPLES:
        rows = _sample(small, len(free))
    lowest = [_lowest(scop, n) for n in free]
    some = [dict(zip(free, map(operator.add, lowest, row), strict=True)) for row in rows]
    lists = [_listed(name, given[name]) for name in given]
    points = (
        {**dict(zip(given, v, strict=True)), **s} for v in itertools.product(*lists) for s in some
    )
    ordered = ({n: p[n] for n in scop.parameters} for p in points)
    return ordered, combinations if combinations > SAMPLES else None


def _listed(name: str, given: Any) -> list[int]:
    alone = isinstance(given, str | bytes) or not isinstance(given, Iterable)
    several = [given] if alone else given
    found = [integer(name, v) for v in itertools.islice(several, MOST + 1)]
    if len(found) > MOST:
        raise PolynbError(f"{name} has too many values", hint=f"up to {MOST} of them")
    return found


def _sample(values: Sequence[int], length: int) -> list[tuple[int, ...]]:
    """Some rows of values: those of equal ones, then those with one that differs (mistakes depend
    on one or two parameters more often than on many), then any."""
    equal = [(v,) * length for v in values]
    one = [(*row[:k], v, *row[k + 1 :]) for row in equal for k in range(length) for v in values]
    chance = random.Random(0)
    rows = dict.fromkeys([*equal, *chance.sample(one, min(len(one), SAMPLES // 2))])
    while len(rows) < SAMPLES:
        rows[tuple(chance.choice(values) for _ in range(length))] = None
    return list(rows)


def _lowest(scop: Scop, name: str) -> int:
    """The least value that a parameter is assumed to have; at least 0."""
    count = scop.context.dim(isl.PARAM)
    box = scop.context.from_params().move_dims(isl.SET, 0, isl.PARAM, 0, count)
    position = isl.dim_names(scop.context, isl.PARAM).index(name)
    least = box.dim_min_val(position)
    return max(least.to_python(), 0) if least.is_int() else 0


def _allowed(scop: Scop, values: Mapping[str, int]) -> bool:
    return not any(isl.fix_parameters(s, values).is_empty() for s in (scop.context, scop.requires))


# -- runs ------------------------------------------------------------------------------


class _Run:
    """One program, run again and again over the same terms."""

    def __init__(self, scop: Scop, terms: Terms, from_tree: bool, limit: int) -> None:
        scop = in_memory(scop)
        self.memory = SymbolicMemory(scop, terms)
        self.execution = Execution(scop, terms, self.memory, from_tree=from_tree, limit=limit)

    def __call__(self, parameters: Mapping[str, int]) -> SymbolicMemory:
        self.memory.clear(parameters)
        self.execution.run(parameters)
        return self.memory


def _compared(
    before: Scop, runs: Sequence[_Run], parameters: Mapping[str, int]
) -> Difference | None:
    memories = []
    for run, which in zip(runs, ("before", "after"), strict=True):
        try:
            memories.append(run(parameters))
        except Mismatch as error:
            return Difference(Witness(parameters, {}), reason=f"the program {which}: {error}")
    left, right = memories
    for name, array in before.arrays.items():
        if array.live_out and name not in right.arrays:
            reason = f"the program after: it has no array {name}"
            return Difference(Witness(parameters, {}), reason=reason)
        if array.live_out:
            found = _different(name, left, right)
            if found is not None:
                index, a, b = found
                there = Witness(parameters, {}, cell_text(name, index or ()))
                return Difference(there, name, index, a, b)
    return None


def _different(
    name: str, left: SymbolicMemory, right: SymbolicMemory
) -> tuple[Point | None, Term, Term] | None:
    free = left.free(name) | right.free(name)
    if not (left.is_known(name) and right.is_known(name)):
        same = left.states(name, free) == right.states(name, free)
        return None if same else (None, left.state(name), right.state(name))
    for index in sorted(left.touched(name) | right.touched(name)):
        a, b = left.cell(name, index), right.cell(name, index)
        if a is not b:
            return index, a, b
    return None
