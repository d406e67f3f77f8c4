"""From where to where the values of whole numbers are, as far as their text shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from polynb.source.tree import Binary, Call, Cast, Expr, Let, Number, Unary
from polynb.source.type_inference import Types
from polynb.source.types import ElementType, holds


@dataclass(frozen=True)
class ValueLimits:
    """The least and the greatest value; None where nothing shows it."""

    least: int | None = None
    most: int | None = None

    @property
    def known(self) -> tuple[int, int] | None:
        return None if self.least is None or self.most is None else (self.least, self.most)

    @property
    def negated(self) -> ValueLimits:
        return ValueLimits(*(None if x is None else -x for x in (self.most, self.least)))

    def plus(self, other: ValueLimits) -> ValueLimits:
        each = (self.least, other.least), (self.most, other.most)
        return ValueLimits(*(None if a is None or b is None else a + b for a, b in each))

    def within(self, type: ElementType) -> ValueLimits:
        """The same, if the type has all of these values."""
        known = self.known
        return self if known and type.least <= known[0] and known[1] <= type.most else ValueLimits()


def limits(e: Expr, types: Types) -> ValueLimits:
    """Those of an expression: what `min` and `max` leave of what it may be."""
    of = types.of(e)
    if of.is_float:
        return ValueLimits()

    def part(x: Expr) -> ValueLimits:
        found = limits(x, types)
        return found if holds(of, types.of(x)) else found.within(of)

    match e:
        case Number(value=int(v)):
            return ValueLimits(v, v)
        case Let(value=value) | Cast(operand=value):
            return part(value)
        case Unary(op="-", operand=operand):
            return part(operand).negated.within(of)
        case Binary(op="+" | "-" as op, left=left, right=right):
            return part(left).plus(part(right) if op == "+" else part(right).negated).within(of)
        case Call(function="min" | "max" as f, arguments=parts):
            return extremum(f, map(part, parts))
    return ValueLimits()


def extremum(function: str, parts: Iterable[ValueLimits]) -> ValueLimits:
    """Those of the least of some numbers ("min"), or of the greatest ("max")."""
    lows, highs = zip(*((x.least, x.most) for x in parts), strict=True)
    if function == "min":
        return ValueLimits(_of(min, lows, every=True), _of(min, highs, every=False))
    return ValueLimits(_of(max, lows, every=False), _of(max, highs, every=True))


def _of(
    least: Callable[[Iterable[int]], int], sides: Iterable[int | None], *, every: bool
) -> int | None:
    values = list(sides)
    known = [v for v in values if v is not None]
    return least(known) if known and (not every or len(known) == len(values)) else None
