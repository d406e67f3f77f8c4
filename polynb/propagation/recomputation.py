"""How much is computed again? A heuristic besides those of the paper.

Propagation saves the store and the loads of a value, and computes it once for each place and
instance that needs it. The limits of the paper bound how much one iteration reads (section 4.2),
not how often the same value is computed: that is left to its recurrences (section 5.4), which
reach only along one loop.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from polynb import arguments, isl
from polynb.propagation.counting import GRID, Uncountable, count
from polynb.propagation.heuristics import Attempt, Heuristic, Judgement
from polynb.scop.model import Scop, Statement
from polynb.scop.sizes import large
from polynb.source.functions import MATH_FUNCTIONS
from polynb.source.normal_form import affine_parts, linear_form
from polynb.source.scoplang.printer import print_affine
from polynb.source.tree import Access, Binary, Call, Expr, Iterator, Select, Unary, own, rebuild

CALL = 10
"""Operations that a call of a mathematical function counts for."""


@dataclass(frozen=True)
class Recomputation(Heuristic):
    """At most `limit` additional operations for each value that is no longer stored.

    Counted are the arithmetic operations of all instances of the statements that changed, after
    and before; affine parts are free, and parts of one expression that are equal up to a shift of
    the iterators count once, as codegen shares them, recurrences could (section 5.4), and vectors
    make the rest cheap. An array of at most `cache` bytes is cheap to keep, so that nothing else
    may be taken to be cheap: there only what is shifted along the innermost loop counts once (a
    separable stencil is not put into the other one: the bilateral grid became slower by it).
    All parameters are taken to be `size`, or the least above it that is allowed, and instances are
    counted exactly; where there are too many to be counted at that size, at a smaller one, and
    where that does not help, nothing is refused.
    """

    limit: int = 24
    size: int = 1000
    cache: int = 1 << 21

    name: ClassVar[str] = "Recomputation"

    def __post_init__(self) -> None:
        arguments.integer("limit", self.limit)
        arguments.count("size", self.size)
        arguments.count("cache", self.cache, least=0)

    def beneficial(self, trial: Attempt) -> Judgement | None:
        size = self.size
        while True:
            try:
                work, stored = self._work_and_values(trial, large(trial.before, size))
                break
            except Uncountable:
                size //= 2
                if not size:
                    return Judgement(True, "its instances are too many to be counted")
        if not stored:
            return None
        each = round(work / stored)
        said = f"{each} more operations" if each >= 0 else f"{-each} operations less"
        reason = f"{said} for each value that is not stored, {self.limit} are allowed"
        return Judgement(each <= self.limit, reason, pieces=tuple(s.name for s in trial.targets))

    def _work_and_values(self, trial: Attempt, values: Mapping[str, int]) -> tuple[int, int]:
        """The additional operations at parameter values, and how many values are no longer stored.

        Raises Uncountable.
        """
        before, after = trial.before, trial.after
        old, new = _changed(before, after), _changed(after, before)
        counts = {id(s): instances(s, values) for s in (*old, *new)}  # others are the same in both
        stored = sum(counts[id(s)] for s in old if s.write.array == trial.array)
        stored -= sum(counts[id(s)] for s in new if s.write.array == trial.array)
        cached = stored * before.arrays[trial.array].type.size <= self.cache

        def work(s: Statement) -> int:
            return counts[id(s)] * self._cost(s, cached)

        return sum(map(work, new)) - sum(map(work, old)), stored

    def _cost(self, s: Statement, cached: bool) -> int:
        """The operations of an instance; `cached`: the array is cheap to keep."""
        return operations(s.expression, s.iterators[-1:] if cached else s.iterators)


@dataclass(frozen=True)
class OnceARow(Recomputation):
    """At most `limit` additional operations for each value that is no longer in a window of rows.

    There it would cost a store and a load for each place that needs it, all in the cache. What is
    equal up to a shift counts each time, as iterations pass nothing on; and a read of every other
    cell of a row counts for `strided` operations: it pays to pick such cells out only once.
    """

    limit: int = 8
    strided: int = 4

    name: ClassVar[str] = "Recomputation"

    def _cost(self, s: Statement, cached: bool) -> int:
        return operations(s.expression, ()) + self.strided * len(set(_strided(s)))


def _strided(s: Statement) -> Iterable[str]:
    """The reads that do not move on by one cell when the innermost iterator does, or not at all."""
    for r in s.reads:
        linear = linear_form(r.node.subscripts[-1]) if r.node.subscripts and s.iterators else None
        key = ("i", s.iterators[-1]) if s.iterators else None
        if linear is not None and key in linear.terms and abs(linear.terms[key][0]) > 1:
            yield print_affine(r.node)


def _changed(scop: Scop, other: Scop) -> list[Statement]:
    """The statements that are not the same in the other program."""
    known = {id(s) for s in other.statements}
    return [s for s in scop.statements if id(s) not in known]


def instances(s: Statement, values: Mapping[str, int], most: int = GRID) -> int:
    """How many instances a statement has at parameter values. Raises Uncountable."""
    domain = isl.fix_parameters(s.domain, values)
    return count(domain.project_out(isl.PARAM, 0, domain.dim(isl.PARAM)), most)


@dataclass(frozen=True)
class _Part:
    """What an expression is up to a shift of the iterators, and by how much the first access
    with each iterator is shifted; `fixed`: a shift would change it."""

    number: int
    shift: Mapping[str, int] = field(default_factory=dict)
    fixed: bool = False


def operations(e: Expr, along: Collection[str]) -> int:
    """The arithmetic operations of an expression. Parts that are equal up to a shift `along` these
    iterators count once: `A[i-1] + A[i]` is what `A[i] + A[i+1]` was an iteration ago.
    """
    affine = affine_parts(e)
    known: dict[object, int] = {}
    cost = 0

    def number(key: object) -> int:
        return known.setdefault(key, len(known))

    def visit(node: Expr, parts: tuple[_Part, ...]) -> _Part:
        nonlocal cost
        if id(node) in affine:
            moving = isinstance(node, Iterator) or any(p.fixed for p in parts)
            key: object = (type(node), own(node), *(p.number for p in parts))
            return _Part(number(key), fixed=moving)
        if isinstance(node, Access) and (shifted := _shifted(node, along)) is not None:
            return _Part(number(("access", node.array, *shifted[0])), shifted[1])
        fixed = any(p.fixed for p in parts)
        base: dict[str, int] = {}
        for p in () if fixed else parts:
            base = {**p.shift, **base}
        relative = (tuple((i, by - base.get(i, 0)) for i, by in p.shift.items()) for p in parts)
        key = (type(node), own(node), *(p.number for p in parts), *relative)
        if key not in known:
            cost += _own_cost(node)
        return _Part(number(key), base, fixed)

    rebuild(e, visit)
    return cost


def _shifted(
    access: Access, along: Collection[str]
) -> tuple[tuple[object, ...], Mapping[str, int]] | None:
    """A cell whose subscripts have one iterator each, as one that is not shifted `along` them, and
    its shift: `A[2*i - 1]` is `A[2*i + 1]` shifted by -1. None for any other."""
    cell: list[object] = []
    shift: dict[str, int] = {}
    for subscript in access.subscripts:
        linear = linear_form(subscript)
        if linear is None or len(linear.terms) > 1:
            return None
        constant = linear.constant
        for key, (c, atom) in linear.terms.items():
            if not isinstance(atom, Iterator) or atom.name in shift:
                return None
            shift[atom.name] = 0
            if atom.name in along:
                shift[atom.name], constant = divmod(constant, c)
            cell.append((key, c))
        cell.append(constant)
    return tuple(cell), shift


def _own_cost(node: Expr) -> int:
    match node:
        case Call(function=f, arguments=a):
            return CALL if f in MATH_FUNCTIONS else max(len(a) - 1, 1)
        case Binary() | Unary() | Select():
            return 1
    return 0
