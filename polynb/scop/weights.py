"""The weights in a sum of cells: of a mean, a filter or a step of a stencil they come to 1, and of
a difference to 0, so that the last one is no news to who knows the others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from polynb.scop.plain import Plain, nodes

FEWEST: Final = 3
"""So many cells are added."""
EXACT: Final = 4
"""So long are the numbers that nobody takes because they are round: `0.59`."""
_DECIMAL: Final = re.compile(r"\d+(\.\d+)?").fullmatch
Weights = dict[Plain | None, Fraction]


def uneven(e: Plain) -> int:
    """How far the weights of the cells in a sum are from coming to 1, or 0 (and 1/9 is of a sum of
    sums): 1 if they come to another whole number, and 2 if to none. Of those of one array, or
    those that are given exactly."""
    total = _total(e)
    return 0 if total is None or total.numerator in (0, 1) else 1 + (total.denominator != 1)


def even(e: Plain) -> bool:
    """Whether they come to 1, or 0."""
    return _total(e) in (0, 1)


def _total(e: Plain) -> Fraction | None:
    found = _weights(e)
    if found is None or None in found or len(found) < FEWEST:
        return None
    exact = sum(x.op == "number" and len(x.name) >= EXACT for x in nodes(e)) >= FEWEST
    one = len({c and (c.name, c.base) for c in found}) == 1 and any(c and c.counters for c in found)
    return sum(found.values(), Fraction()) if one or exact else None


def digits(number: Plain) -> Iterator[Plain]:
    """Another digit in a number, or two of them in the other order."""
    text = number.name
    for k, old in enumerate(text) if _DECIMAL(text) else ():
        two = text[k : k + 2]
        few = [(old, d) for d in "123456789" if old.isdigit()] + [(two, two[::-1])] * two.isdigit()
        for a, b in few:
            yield number._replace(name=text[:k] + b + text[k + len(a) :])


def _weights(e: Plain) -> Weights | None:
    """By cell, and of what is added without one (None); nothing of what is no weighted sum."""
    each = [_weights(x) for x in e.parts]
    match e.op, each:
        case "cell", _:
            return {e: Fraction(1)}
        case "number", _:
            return {None: Fraction(e.name)} if _DECIMAL(e.name) else None
        case "+" | "-", [dict(a), dict(b)]:
            sign = 1 if e.op == "+" else -1
            return {c: a.get(c, Fraction()) + sign * b.get(c, 0) for c in {**a, **b}}
        case "*", [dict(a), dict(b)] if {*a} == {None} or {*b} == {None}:
            return {c or d: x * y for c, x in a.items() for d, y in b.items()}
        case "/", [dict(a), dict(b)] if {*b} == {None} and b[None]:
            return {c: x / b[None] for c, x in a.items()}
    return None
