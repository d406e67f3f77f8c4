"""The loops that a program runs, as a cost model sees them: how often, over which cells, and which
of them carry no dependence."""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor
from typing import Final

from polynb import isl
from polynb.codegen.affine_bounds import Affine, affine, rational, weighted
from polynb.codegen.isl_nodes import loop_depth
from polynb.codegen.scan import ScanPlace, ScheduleScanner, Shared
from polynb.codegen.work import DIVISION, GATHER, operations
from polynb.dependences.model import Edge
from polynb.optimising.carrying import LoopsCarry, carried_by_loops
from polynb.optimising.counted import (
    CountedAccess,
    CountedLoop,
    CountedStatement,
    Part,
)
from polynb.scop.model import Scop
from polynb.scop.sizes import extents_at
from polynb.scop.storage import in_memory
from polynb.source import tree as syntax
from polynb.source.normal_form import Linear, linear_of
from polynb.source.tree import (
    Access,
    Binary,
    Call,
    Define,
    Expr,
    For,
    If,
    Number,
    Stmt,
    rebuild,
    same,
    walk,
)

CELLS: Final = 1_000_000
"""Of the largest array, if nothing is known of a program's parameters: they are equal then."""
OPERATORS: Final[Mapping[str, Callable[[float, float], float]]] = {
    **{"+": operator.add, "-": operator.sub, "*": operator.mul},
    **{"floord": operator.floordiv, "mod": operator.mod},
}
UNROLLED: Final = 8
"""Iterations of a loop, a number for all sizes, which compilers write out."""
CONVERSION: Final = 2
"""Operations to make a number of another type: vectors of it are put together, or taken apart."""
ADDITION: Final = 4
LEAST: Final = (ADDITION, 1)
LATENCIES: Final = {"*": (4, 3), "/": (12, 20), "%": (12, 10)}
"""Cycles until the result of two floats, and of two integers, is there."""


def equal_sizes(scop: Scop, cells: int = CELLS) -> dict[str, int]:
    """Values of all parameters for which the largest array has about so many cells."""
    dimensions = max([2, *(a.dimensions for a in scop.arrays.values())])
    return dict.fromkeys(scop.parameters, round(cells ** (1 / dimensions)))


def nests(
    scop: Scop, edges: Iterable[Edge], sizes: Mapping[str, int], expressions: Shared | None = None
) -> tuple[Part, ...]:
    """The loops of a program in the order of its schedule, at parameter values (for those that
    have none see CELLS). `edges`: its dependences; value-based ones are enough. `expressions`: of
    its statements, found in other orders of it, which are added to."""
    scop = in_memory(scop)
    scanner = _Scanner(scop, expressions)
    body = scanner.body()
    floats = {n for n, a in scop.arrays.items() if a.type.is_float}
    sizes = equal_sizes(scop) | dict(sizes)
    used = {a.array: scop.arrays[a.array] for s in scop.statements for a in (s.write, *s.reads)}
    elements = {n: (a.type.size, extents_at(a, sizes)) for n, a in used.items()}
    reader = _Reader(elements, floats, scop.functions, scanner, carried_by_loops(scop, edges))
    return reader.parts(body, _Place({p: float(n) for p, n in sizes.items()}, {}))


class _Scanner(ScheduleScanner):
    """Tells of each loop which one of the schedule it is, and of each assignment its statement."""

    def __init__(self, scop: Scop, expressions: Shared | None) -> None:
        super().__init__(scop, vectors=True, expressions=expressions)
        self.depths: dict[int, int] = {}
        self.names: dict[int, str] = {}

    def loop(self, node: isl.AstNode, place: ScanPlace) -> tuple[Stmt, ...]:
        found = super().loop(node, place)
        if not node.for_is_degenerate():
            self.depths[id(found[0])] = loop_depth(node)
        return found

    def tiles(self, name: str, depth: int) -> None:
        """Any name will do for a loop over tiles."""

    def statement(self, node: isl.AstNode, place: ScanPlace) -> Stmt:
        found = super().statement(node, place)
        (assign,) = found.then if isinstance(found, If) else (found,)
        self.names[id(assign)] = self.loops.call(node.user_get_expr())[0]
        return found


@dataclass(frozen=True)
class _Place:
    """What is known inside of the loops around: the values of parameters, and of iterators in the
    middle of their loops; and iterators by how often their loops have iterated."""

    values: Mapping[str, float]
    counted: Mapping[str, Affine]
    asked: bool = False

    def first(self, loop: For) -> Affine:
        lower = _first(loop.lower, self.values)
        return Affine((), 0) if lower is None else self.by_counts(lower)

    def inside(self, loop: For, trips: float, first: float) -> _Place:
        begun = Affine(((("i", loop.iterator), loop.step),), 0)
        middle = first + loop.step * (trips - 1) / 2
        return replace(
            self,
            asked=False,
            values={**self.values, loop.iterator: middle},
            counted={**self.counted, loop.iterator: self.first(loop).plus(begun)},
        )

    def at(self, iterator: str, value: int) -> _Place:
        """In one iteration of a loop."""
        form = Affine((), value)
        return replace(
            self,
            asked=False,
            values={**self.values, iterator: float(value)},
            counted={**self.counted, iterator: form},
        )

    def by_counts(self, form: Affine) -> Affine:
        known = ((self.counted.get(n[1]) if n[0] == "i" else None, n, c) for n, c in form.terms)
        each = ((own or Affine(((name, 1),), 0), c) for own, name, c in known)
        return weighted(each, form.constant)


@dataclass(frozen=True, eq=False)
class _Reader:
    elements: Mapping[str, tuple[int, tuple[int | None, ...]]]
    floats: Collection[str]
    functions: tuple[Define, ...]
    scanned: _Scanner
    carried: LoopsCarry

    def parts(self, body: Iterable[Stmt], here: _Place) -> tuple[Part, ...]:
        return tuple(x for s in body for x in self.of(s, here))

    def of(self, s: Stmt, here: _Place) -> Iterator[Part]:
        match s:
            case syntax.Assign():
                yield self.run(s, here)
            case If(then=then, otherwise=otherwise):
                yield from self.parts((*then, *otherwise), replace(here, asked=True))
            case For(lower=lower, upper=upper, step=step):
                first = _value(lower, here.values)
                between = (_value(upper, here.values) - first) / step
                trips = (between if abs(step) == 1 else floor(between)) + 1
                if isinstance(lower, Number) and isinstance(upper, Number) and trips <= UNROLLED:
                    for k in range(int(trips)):
                        yield from self.parts(s.body, here.at(s.iterator, int(first) + k * step))
                    return
                if trips <= 0 and _depends(lower, upper):  # it has some elsewhere
                    trips = 1.0
                body = self.parts(s.body, here.inside(s, trips, first)) if trips > 0 else ()
                if body:
                    bounds = _terms(lower) + _terms(upper)
                    depth = self.scanned.depths[id(s)]
                    start = here.first(s).times(Fraction(1, step))
                    loop = CountedLoop(s.iterator, depth, trips, True, bounds, start, body)
                    yield self.carried.of(loop, depth)

    def run(self, s: syntax.Assign, here: _Place) -> CountedStatement:
        reads = {id(x): x for x in walk(s.value) if isinstance(x, Access)}
        linear: dict[int, Linear | None] = {}
        for e in (s.value, *s.target.subscripts):
            rebuild(e, linear_of, linear)
        forms = {x: [rational(linear[id(e)]) for e in x.subscripts]
                 for x in (s.target, *reads.values())}  # fmt: skip
        refs = [self.reference(s.target, forms[s.target], here, written=True)]
        refs += [self.reference(x, forms[x], here) for x in reads.values()]
        own = [x for x in reads.values() if x.array == s.target.array]
        updated = [x for x in own if same(x.subscripts, s.target.subscripts)] or own
        latency = _latency(s.value, updated, floats=s.target.array in self.floats)
        # What takes long to bring into vectors does not in a loop that is none (`_gathered`).
        apart = [x for x in reads.values() if None in forms[x]]
        known = {node for node, form in linear.items() if form is not None}
        cost = operations(s.value, self.functions, known) - len(reads) - GATHER * len(apart)
        cost += CONVERSION * self.conversions(x.array for x in (s.target, *reads.values()))
        subscripts = {e for x in forms for e in x.subscripts}
        divisions = sum(map(_divisions, subscripts))
        name = self.scanned.names[id(s)]
        return CountedStatement(name, cost, divisions, tuple(refs), latency, here.asked)

    def conversions(self, arrays: Iterable[str]) -> int:
        """How many of the cells of a statement are of other types than the widest floating one."""
        types = [(n in self.floats, self.elements[n][0]) for n in arrays]
        widest = max(types)
        return sum(t != widest for t in types) if widest[0] else 0

    def reference(
        self, x: Access, forms: Iterable[Affine | None], here: _Place, *, written: bool = False
    ) -> CountedAccess:
        counted = tuple(None if f is None else here.by_counts(f) for f in forms)
        size, extents = self.elements[x.array]
        return CountedAccess(x.array, size, counted, written, extents)


def _latency(e: Expr, reads: Iterable[Access], *, floats: bool) -> int:
    """Cycles from some reads to the value, along the longest way."""
    begun = set(map(id, reads))

    def longest(node: Expr, inside: tuple[int | None, ...]) -> int | None:
        if isinstance(node, Access):
            return 0 if id(node) in begun else None
        ways = [n for n in inside if n is not None]
        own = LATENCIES.get(node.op, LEAST) if isinstance(node, Binary) else LEAST
        return max(ways) + own[0 if floats else 1] if ways else None

    return rebuild(e, longest) or 0


def _assignments(body: Iterable[Stmt]) -> Iterator[Stmt]:
    for s in body:
        match s:
            case If(then=then, otherwise=otherwise):
                yield from _assignments((*then, *otherwise))
            case For(body=inside):
                yield from _assignments(inside)
            case _:
                yield s


def _value(e: Expr, values: Mapping[str, float]) -> float:
    """A bound of a loop, where the loops around are in the middle. Divisions are done: where a
    tile is larger than what there is, they decide whether there are any iterations."""
    match e:
        case syntax.Iterator(name=name) | syntax.Parameter(name=name):
            return values[name]
        case Number(value=n):
            return float(n)
        case Call(function="min" | "max" as f, arguments=parts):
            return (min if f == "min" else max)(_value(p, values) for p in parts)
        case syntax.Unary(op="-", operand=x):
            return -_value(x, values)
        case Binary(op="+" | "-" | "*" | "floord" | "mod" as op, left=a, right=b):
            return OPERATORS[op](_value(a, values), _value(b, values))
    form = affine(e)
    return 0.0 if form is None else _at(form, values)


def _depends(*bounds: Expr) -> bool:
    """Whether a loop runs from or to what loops around it say."""
    return any(isinstance(x, syntax.Iterator) for e in bounds for x in walk(e))


def _at(form: Affine, values: Mapping[str, float]) -> float:
    return float(form.constant) + sum(float(c) * values[n] for (_, n), c in form.terms)


def _first(e: Expr, values: Mapping[str, float]) -> Affine | None:
    """Where a loop begins, where the loops around are in the middle: at the largest of lower
    bounds, or, downwards, at the least of upper ones."""
    match e:
        case Call(function="min" | "max" as f, arguments=parts):
            forms = [form for form in (_first(p, values) for p in parts) if form is not None]
            return (min if f == "min" else max)(
                forms, key=lambda form: _at(form, values), default=None
            )
    return affine(e)


def _terms(e: Expr) -> int:
    """What a bound costs beside a number or a name."""
    return sum(isinstance(x, Binary | Call) for x in walk(e)) + _divisions(e)


def _divisions(e: Expr) -> int:
    """What the quotients and remainders in it cost."""
    return DIVISION * sum(isinstance(x, Binary) and x.op in ("floord", "mod") for x in walk(e))
