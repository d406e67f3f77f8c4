"""How much work a part of a program is: a sum of products of trip counts, to be evaluated when it
runs.

An estimate, not a count: of loops whose bounds depend on loops inside the same part the largest
trip count is taken, and half of it where all of it depends on them (a triangle); floor divisions
are taken for the rationals a little below them, so that the tiles of a loop times the points of a
tile are the iterations of the loop.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from math import gcd, lcm

from polynb.codegen.affine_bounds import Affine, Range, pruned, ranges
from polynb.source.functions import MATH_FUNCTIONS
from polynb.source.normal_form import affine_parts
from polynb.source.tree import (
    Access,
    Assign,
    Binary,
    Call,
    Cast,
    Define,
    Expr,
    For,
    If,
    Select,
    Stmt,
    Unary,
    walk,
)

# What takes about as long as so many additions of vectors.
DIVISION, REMAINDER, SQUARE_ROOT, FUNCTION, GATHER = 8, 16, 8, 20, 4
_QUICK = ("abs", "ceil", "copysign", "fabs", "floor", "fmax", "fmin", "llabs", "rint", "trunc")

Factor = tuple[Affine, ...]
"""The least of these."""


@dataclass(frozen=True)
class Product:
    """`coefficient * factor * factor...`, from the outermost loop to the innermost."""

    coefficient: Fraction
    factors: tuple[Factor, ...] = ()

    @property
    def shape(self) -> tuple[object, ...]:
        """What terms have in common that differ by the constants in their factors."""
        return tuple(tuple(option.terms for option in f) for f in self.factors)


Work = tuple[Product, ...]


def work_of(body: Iterable[Stmt], functions: Sequence[Define] = ()) -> Work | None:
    """The operations of statements, by their parameters and the iterators around them; None if a
    bound is not affine. An access counts as one, as does an addition."""
    total: list[Product] = []
    for s in body:
        part: Work | None
        match s:
            case Assign():
                cost = operations(s.value, functions) + operations(s.target, functions)
                part = (Product(Fraction(cost)),)
            case If():
                part = work_of((*s.then, *s.otherwise), functions)
            case For():
                inside, around = work_of(s.body, functions), ranges(s)
                if inside is None or around is None:
                    return None
                part = tuple(repeated(t, s.iterator, r) for r in around for t in inside)
        if part is None:
            return None
        total += part
    return _collected(total)


def operations(
    e: Expr, functions: Sequence[Define] = (), affine: Collection[int] | None = None
) -> int:
    """What an expression costs, each node of its DAG once; affine parts are free: these nodes, if
    that is known."""
    affine = affine_parts(e) if affine is None else affine
    defined = {f.name: f for f in functions}
    return sum(_own(x, affine, defined) for x in walk(e) if id(x) not in affine)


def _own(e: Expr, affine: Collection[int], defined: dict[str, Define]) -> int:
    match e:
        case Access(subscripts=parts):
            return 1 if all(id(p) in affine for p in parts) else 1 + GATHER
        case Binary(op="/"):
            return DIVISION
        case Binary(op="%"):
            return REMAINDER
        case Unary() | Binary() | Select() | Cast():
            return 1
        case Call(function=f) if f in defined:
            return operations(defined[f].body, [d for n, d in defined.items() if n != f])
        case Call(function=f) if f in MATH_FUNCTIONS:
            name = f.removesuffix("f") if f.removesuffix("f") in MATH_FUNCTIONS else f
            return 1 if name in _QUICK else SQUARE_ROOT if name == "sqrt" else FUNCTION
        case Call(arguments=parts):
            return len(parts)
    return 0


def repeated(t: Product, iterator: str, values: Range) -> Product:
    """The work of a loop whose iterations are of the work of a term."""
    trips = values.trips()
    size = lcm(*(c.denominator for o in trips for _, c in o.terms))
    coefficient, factors = t.coefficient, []
    for f in t.factors:
        new = _largest(f, iterator, values)
        whole = [o for o in f if not o.terms and o.constant == size]
        if new is not f and size > 1 and whole:
            new = (whole[0],)  # the points of a tile, for all tiles of a loop
        elif all(o.mentions(iterator) for o in f):
            coefficient /= 2
        factors.append(new)
    return _normal(Product(coefficient, (trips, *factors)))


def most(work: Work, loops: Iterable[For]) -> Work | None:
    """At most how much work it is in any iteration of some loops around, from the innermost out;
    None if a bound is not affine."""
    for loop in loops:
        around = ranges(loop)
        if around is None:
            return None
        work = _collected(
            _normal(replace(t, factors=tuple(_largest(f, loop.iterator, r) for f in t.factors)))
            for r in around
            for t in work
        )
    return work


def _largest(f: Factor, iterator: str, values: Range) -> Factor:
    if not any(o.mentions(iterator) for o in f):
        return f
    return pruned(bound for o in f for bound in values.largest(o, iterator))


# -- terms that are easy to read ----------------------------------------------------------------


def _normal(t: Product) -> Product:
    """The term with constant factors, and those of all terms of a factor, in its coefficient."""
    coefficient, factors = t.coefficient, []
    for f in t.factors:
        if all(not o.terms for o in f):
            coefficient *= max(min(o.constant for o in f), Fraction(0))
            continue
        scale = reduce(_common, (o.content() for o in f))
        coefficient *= scale
        factors.append(tuple(o.times(1 / scale) for o in f))
    return Product(coefficient, tuple(factors))


def _common(a: Fraction, b: Fraction) -> Fraction:
    """The largest fraction of which both are multiples."""
    d = lcm(a.denominator, b.denominator)
    return Fraction(gcd(int(a * d), int(b * d)), d)


def _collected(terms: Iterable[Product]) -> Work:
    """The sum with one term for each shape, without those that are never more than another one
    (an estimate may be too small by so much)."""
    found: dict[tuple[object, ...], Product] = {}
    for t in terms:
        if not t.coefficient:
            continue
        same = found.get(t.shape)
        found[t.shape] = t if same is None else _sum(same, t)
    left = list(found.values())  # of different shapes
    return tuple(t for t in left if not any(_at_least(u, t) for u in left if u is not t))


def _sum(a: Product, b: Product) -> Product:
    factors = tuple(
        tuple(max(o, p, key=lambda x: x.constant) for o, p in zip(f, g, strict=True))
        for f, g in zip(a.factors, b.factors, strict=True)
    )
    return Product(a.coefficient + b.coefficient, factors)


def outgrows(a: Work, b: Work) -> bool:
    """Whether some work is at least another one, wherever all loops run. Of a sum that is found
    only if it is the same: one term may be at least each of two, and less than both together."""
    return all(any(_at_least(t, u) for t in a) for u in b) and (len(b) == 1 or a == b)


def _at_least(a: Product, b: Product) -> bool:
    if a.coefficient < b.coefficient:
        return False
    if a.shape == b.shape:
        return _sum(a, b).factors == a.factors
    return len(a.factors) > len(b.factors) and set(b.shape) <= set(a.shape)
