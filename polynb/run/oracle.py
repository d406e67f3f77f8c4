"""Whether two programs compute the same: both are run on symbolic values and compared.

This is what checks the passes. (`pn.equivalent` first tries to prove it, see `polynb.proofs`.)
"""

from __future__ import annotations

import itertools
import operator
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, cast

from polynb import isl
from polynb.arguments import count, named
from polynb.derivation import Derivation, as_scop, original
from polynb.errors import PolynbError
from polynb.run.arguments import condition_text, integer
from polynb.run.execution import LIMIT, Execution, Mismatch, Point
from polynb.run.numbers import parting
from polynb.run.outputs import compared, completed, incomparable, leave_nothing
from polynb.run.symbolic import SymbolicMemory
from polynb.run.terms import Term, Terms
from polynb.run.vectors import DRAWS
from polynb.run.verdicts import NOTHING, SAME, Difference, Grade, Sameness, of_difference
from polynb.scop.model import Scop
from polynb.scop.narrow import Fits, fits
from polynb.scop.storage import in_memory
from polynb.scop.witness import Witness, cell_text

DEFAULTS = (0, 1, 2, 3, 5, 8)
MOST = 10_000  # values of one parameter
FEWER = (0, 1, 4)  # for more than two parameters without values
SAMPLES = 243  # the most combinations of these that are run
CELLS: Final = 64
"""The most cells, of those with other terms, that are computed as numbers."""


@dataclass(frozen=True, eq=False, repr=False)
class Equivalence(Sameness):
    """Whether two programs leave the same in every cell that either writes (see `Sameness`).

    `checked` counts the parameter values that were run, `skipped` those that the program's
    assumptions (or its bounds) exclude; `difference` is the first one found, or None. Where all
    combinations of small values are too many, `combinations` says how many there are: what was run
    is a sample of them. `proof`: the verdict where nothing had to be run. `empty`: nothing is
    compared, as they write only temporaries.
    """

    checked: int
    skipped: int
    difference: Difference | None = None
    combinations: int | None = None
    proof: Sameness | None = None
    empty: bool = False

    def __bool__(self) -> bool:
        return self.difference is None if self.proof is None else bool(self.proof)

    @property
    def answer(self) -> Grade:
        if self.proof is not None:
            return self.proof.answer
        return SAME if self.difference is None else of_difference(self.difference)

    @property
    def explanation(self) -> str:
        if self.proof is not None:
            return self.proof.explanation
        if self.difference is not None:
            return f": {self.difference}"
        if self.empty:
            return f": {NOTHING}"
        skipped = f" ({self.skipped} outside the assumptions)" if self.skipped else ""
        values = "value" if self.checked == 1 else "values"
        of = f", a sample of {self.combinations}" if self.combinations else ""
        return f": run for {self.checked} parameter {values}{of}{skipped}"


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
    as its text says if it has one, `after` in the order of its schedule. Where terms differ, both
    are computed for some data, to see whether bits do. Compared are all cells that either writes,
    but for those of temporaries. A Derivation alone is compared with what it was derived from.

    Parameter values are lists, `N=[0, 1, 5]`, combined with each other (`parameters` takes them
    as a mapping); small ones are chosen where none are given, of very many combinations a sample
    (all equal, all but one equal, and others; the same each time). Values outside the context or
    `requires` of `before`, or at which C's types do not hold what is computed, are skipped and
    counted. `limit` bounds the statement instances of a
    run. Raises PolynbError if no value is left, for unknown parameters, and above the limit.
    """
    limit = count("limit", limit)
    given = {} if parameters is None else named("parameters", parameters)
    first, second = programs(before, after)
    with isl.wrapped():
        chosen, combinations = _chosen(first, {**given, **values})
        reason = incomparable(first, second)
        if reason:
            return Equivalence(0, 0, Difference(Witness({}, {}), reason=reason), combinations)
        runs = _Runs(first, second, limit)
        narrow = [fits(s, isl.Set.universe(isl.param_space(s.parameters))) for s in (first, second)]
        checked = skipped = 0
        form: Difference | None = None
        for point in chosen:
            if not _allowed(first, point) or not _fitting(narrow, point):
                skipped += 1
                continue
            checked += 1
            difference = runs.difference(point)
            if difference is not None and difference.certain:
                return Equivalence(checked, skipped, difference, combinations)
            form = form or difference
    if not checked:
        raise PolynbError(
            "none of the parameter values is allowed by the program's assumptions",
            reason="; ".join(_reasons(first, narrow)),
            hint="other parameter values, such as "
            + ", ".join(f"{p}=[5, 8]" for p in first.parameters),
        )
    empty = leave_nothing(first, second)
    return Equivalence(checked, skipped, form, combinations, empty=empty)


def different_cells(
    before: Scop, after: Scop, parameters: Mapping[str, int], limit: int = LIMIT
) -> set[str]:
    """The cells in which two programs leave other terms at parameter values, `A[0]` (at most CELLS
    of them, the first). Raises PolynbError for more than `limit` statement instances."""
    found = _Runs(before, after, limit)._run(parameters)
    return {cell_text(d.array, d.index or ()) for d in found if d.array}


def programs(
    before: Scop | Derivation,
    after: Scop | Derivation | Mapping[str, object] | None,
    function: str = "equivalent",
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


def _listed(name: str, given: object) -> list[int]:
    several = isinstance(given, Iterable) and not isinstance(given, str | bytes)
    values: Iterable[object] = cast(Iterable[object], given) if several else [given]
    found = [integer(name, v) for v in itertools.islice(values, MOST + 1)]
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


def _reasons(before: Scop, narrow: Sequence[Fits]) -> Iterator[str]:
    yield f"the program is for {condition_text(before.context.intersect(before.requires))}"
    yield from dict.fromkeys(f"{part} has to fit" for f in narrow for part in f.parts)


def _fitting(narrow: Sequence[Fits], values: Mapping[str, int]) -> bool:
    """Whether C's types hold what both compute in them: else it says nothing of what they do."""
    return all(isl.fix_parameters(f.too_large, values).is_empty() for f in narrow)


def _allowed(scop: Scop, values: Mapping[str, int]) -> bool:
    return not any(isl.fix_parameters(s, values).is_empty() for s in (scop.context, scop.requires))


# -- runs ------------------------------------------------------------------------------


class _Runs:
    """Two programs, run again and again over the same terms."""

    def __init__(self, before: Scop, after: Scop, limit: int) -> None:
        terms = Terms()
        self.compared = compared(before, after)
        first, second = in_memory(before), in_memory(after)
        pair = completed(first, second), completed(second, first)
        self.memories = [SymbolicMemory(scop, terms) for scop in pair]
        self.executions = [
            Execution(scop, terms, memory, from_tree=from_tree, limit=limit)
            for scop, memory, from_tree in zip(pair, self.memories, (True, False), strict=True)
        ]

    def difference(self, parameters: Mapping[str, int]) -> Difference | None:
        """The first cell in which terms differ; one of which numbers do, if there is one."""
        found = self._run(parameters)
        if found:
            looked = [m.tables.look_closer() for m in self.memories]
            found = self._run(parameters) if any(looked) else found
        if not found or found[0].before is None:
            return found[0] if found else None
        pairs = [(d.before, d.after) for d in found if d.before and d.after]
        extents = {**self.memories[1].extents, **self.memories[0].extents}
        parted = parting(pairs, extents, self._left())
        if parted is None:
            return replace(found[0], tried=DRAWS)
        return replace(found[parted[0]], numbers=parted[1])

    def _left(self) -> list[Term]:
        """What both leave in the cells that are compared, the first ones of each array."""
        return [
            memory.cell(name, index)
            for memory in self.memories
            for name in self.compared
            if memory.is_known(name)
            for index in itertools.islice(sorted(memory.touched(name)), CELLS)
        ]

    def _run(self, parameters: Mapping[str, int]) -> list[Difference]:
        """The cells in which terms differ, up to as many as are looked at."""
        for memory, execution, which in zip(
            self.memories, self.executions, ("before", "after"), strict=True
        ):
            memory.clear(parameters)
            try:
                execution.run(parameters)
            except Mismatch as error:
                reason = f"the program {which}: {error}"
                return [Difference(Witness(parameters, {}), reason=reason)]
        cells = (
            (name, *cell) for name in self.compared for cell in _different(name, *self.memories)
        )
        return [
            Difference(Witness(parameters, {}, cell_text(name, index or ())), name, index, a, b)
            for name, index, a, b in itertools.islice(cells, CELLS)
        ]


def _different(
    name: str, left: SymbolicMemory, right: SymbolicMemory
) -> Iterator[tuple[Point | None, Term, Term]]:
    free = left.free(name) | right.free(name)
    if not (left.is_known(name) and right.is_known(name)):
        if left.states(name, free) != right.states(name, free):
            yield None, left.state(name), right.state(name)
        return
    for index in sorted(left.touched(name) | right.touched(name)):
        a, b = left.cell(name, index), right.cell(name, index)
        if a is not b:
            yield index, a, b
