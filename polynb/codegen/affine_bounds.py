"""What loops run from and to, as rational affine forms of parameters and iterators around."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
from math import gcd, lcm
from typing import TypeAlias

from polynb.source.normal_form import Key, Linear, expression_of, linear_form
from polynb.source.tree import Binary, Call, Expr, For, Iterator, Number, Parameter

ALTERNATIVES = 4
"""Bounds that are looked at: of a minimum, fewer only make an estimate larger."""

Name = tuple[str, str]  # ("i", iterator) or ("p", parameter)
Rational: TypeAlias = int | Fraction
"""Whole numbers as such: fractions are ten times as slow."""


@dataclass(frozen=True)
class Affine:
    """`sum of coefficient * name + constant`; the terms are sorted by name."""

    terms: tuple[tuple[Name, Rational], ...]
    constant: Rational

    @cached_property
    def coefficients(self) -> Mapping[Name, Rational]:
        return dict(self.terms)

    def mentions(self, iterator: str) -> bool:
        return ("i", iterator) in self.coefficients

    def plus(self, other: Affine, factor: Rational = 1) -> Affine:
        if not other.terms:
            return Affine(self.terms, self.constant + factor * other.constant)
        total = dict(self.terms)
        for name, c in other.terms:
            total[name] = total.get(name, 0) + factor * c
        terms = tuple(sorted((n, c) for n, c in total.items() if c))
        return Affine(terms, self.constant + factor * other.constant)

    def times(self, factor: Rational) -> Affine:
        if factor == 1:  # and whole numbers stay such
            return self
        return Affine(tuple((n, factor * c) for n, c in self.terms), factor * self.constant)

    def content(self) -> Fraction:
        """The largest fraction that all coefficients, and the constant, are multiples of."""
        numbers = [*(c for _, c in self.terms), self.constant]
        d = lcm(*(x.denominator for x in numbers))
        return Fraction(gcd(*(int(x * d) for x in numbers)), d)

    def expression(self) -> Expr:
        """Of an affine form of whole numbers."""
        terms: dict[Key, tuple[int, Expr]] = {
            n: (int(c), Iterator(n[1]) if n[0] == "i" else Parameter(n[1])) for n, c in self.terms
        }
        return expression_of(Linear(terms, int(self.constant), False))


def weighted(forms: Iterable[tuple[Affine, Rational]], constant: Rational = 0) -> Affine:
    """The sum of some forms, each with its factor, and a constant."""
    total: dict[Name, Rational] = {}
    for form, factor in forms:
        constant += factor * form.constant
        for name, c in form.terms:
            total[name] = total.get(name, 0) + factor * c
    return Affine(tuple(sorted((n, c) for n, c in total.items() if c)), constant)


@dataclass(frozen=True)
class Range:
    """A loop from the largest of `lows` to the least of `highs`, by `step` upwards."""

    lows: tuple[Affine, ...]
    highs: tuple[Affine, ...]
    step: int

    def trips(self) -> tuple[Affine, ...]:
        """How often it iterates: the least of these."""
        one = Affine((), 1)
        each = (h.plus(low, -1).plus(one) for h in self.highs for low in self.lows)
        return pruned(x.times(Fraction(1, self.step)) for x in each)

    def largest(self, form: Affine, iterator: str) -> tuple[Affine, ...]:
        """What a form is at most for any value of the loop's iterator: the least of these."""
        c = dict(form.terms).get(("i", iterator))
        if c is None:
            return (form,)
        rest = form.plus(Affine(((("i", iterator), 1),), 0), -c)
        return pruned(rest.plus(bound, c) for bound in (self.highs if c > 0 else self.lows))

    def least(self, form: Affine, iterator: str) -> tuple[Affine, ...]:
        """What it is at least: the largest of these."""
        return tuple(x.times(-1) for x in self.largest(form.times(-1), iterator))


def ranges(loop: For) -> list[Range] | None:
    """The ranges that a loop runs through, together: more than one if it runs to the larger of
    two bounds. None if they are not affine."""
    low, high = (loop.lower, loop.upper) if loop.step > 0 else (loop.upper, loop.lower)
    lows, highs = _bounds(low, "max"), _bounds(high, "min")
    if lows is None or highs is None:
        return None
    return [Range(a, b, abs(loop.step)) for a in lows for b in highs][:ALTERNATIVES]


def _bounds(e: Expr, both: str) -> list[tuple[Affine, ...]] | None:
    """An upper bound (`both` is "min") or a lower one ("max"): bounds that all hold, for each of
    the alternatives, of which only one need hold."""
    match e:
        case Call(function="min" | "max" as f, arguments=parts):
            found = [_bounds(p, both) for p in parts]
            if any(x is None for x in found):
                return None
            each = [x for x in found if x is not None]
            if f != both:
                return [bounds for x in each for bounds in x][:ALTERNATIVES]
            together = reduce(lambda x, y: [a + b for a in x for b in y], each)
            return together[:ALTERNATIVES]
    form = affine(e)
    return None if form is None else [(form,)]


def affine(e: Expr) -> Affine | None:
    """The rational form of an affine expression: a floor division is taken for the least that it
    can be, a remainder for its mean."""
    return rational(linear_form(e))


def rational(linear: Linear | None) -> Affine | None:
    """That of a linear form."""
    if linear is None:
        return None
    parts: list[tuple[Affine, Rational]] = []
    for key, (c, atom) in linear.terms.items():
        match atom:
            case Iterator(name=n) | Parameter(name=n):
                part = Affine(((("i" if isinstance(atom, Iterator) else "p", n), 1),), 0)
            case Binary(op="floord", left=a, right=Number(value=int(d))):
                inside = affine(a)
                assert inside is not None, key
                part = inside.plus(Affine((), 1 - d)).times(Fraction(1, d))
            case Binary(op="mod", right=Number(value=int(d))):
                part = Affine((), Fraction(d - 1, 2))
            case _:
                return None
        parts.append((part, c))
    return weighted(parts, linear.constant)


def pruned(forms: Iterable[Affine]) -> tuple[Affine, ...]:
    """The least of these: of those that differ by a constant one, and of the others the number
    and the simplest ones."""
    least: dict[object, Affine] = {}
    for x in forms:
        same = least.get(x.terms)
        if same is None or x.constant < same.constant:
            least[x.terms] = x
    simplest = sorted(least.values(), key=lambda x: len(x.terms))
    return tuple(simplest[:2])
