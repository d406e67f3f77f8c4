"""What is in the inputs when a program is tried: numbers of one digit, in no order and others in
each array, so that what is read from another cell, or of another array, gives another result."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from polynb.scop.model import Scop
from polynb.source.functions import EXTREMA
from polynb.source.operators import COMPARISONS
from polynb.source.tree import (
    Access,
    Binary,
    Call,
    Expr,
    Number,
    Select,
    Unary,
    arrays,
    children,
    walk,
)
from polynb.source.types import ElementType, wrap

DIGITS: Final = (
    "31459265389732846238795284197639"
    "75182974592378164286928342534217"
    "69821486513286479384695823172539"
    "48124817452841279385219642985493"
    "81964281975693461284756482378631"
    "52719456892346814532648213967249"
    "12734587631587415296829541753647"
)
"""Those of pi, but no zero and none that is one of the three before it."""
APART: Final = 32
"""Digits from where one array begins to where the next one does, of which seven differ."""
FEW: Final = 4
"""What is in subscripts is less."""
Scale = Callable[[int], int | float]
"""What is made of a digit."""


@dataclass(frozen=True)
class Contents:
    """What the arrays of one program hold: digits, `scaled`, but 0 or 1 (`flag` of the digit) in
    those of `flags`, and small numbers in those that are `subscripts`."""

    scaled: Scale
    flag: Scale
    flags: frozenset[str]
    subscripts: frozenset[str]

    def at(self, array: int, name: str, k: int, type: ElementType) -> int | float:
        """The k-th cell of an array, which is the program's `array`-th."""
        digit = int(DIGITS[(APART * array + 5 * (array // 7) + k) % len(DIGITS)])
        if name in self.subscripts:
            return digit % FEW
        value = (self.flag if name in self.flags else self.scaled)(digit)
        return float(value) if type.is_float else wrap(int(value), type)


def contents(scop: Scop) -> Iterator[Contents]:
    """What might be in them, the best first: others are worth a try where all that the program
    leaves is the same, as data decides what that is."""
    expressions = [e for s in scop.statements for e in (s.expression, s.guard) if e is not None]
    nodes = [x for e in expressions for x in walk(e)]
    guards = [s.guard for s in scop.statements if s.guard is not None]
    conditions = guards + [p for x in nodes for p in _asked(x)]
    flags = frozenset(c.array for c in conditions if isinstance(c, Access))
    within = (e for a in nodes if isinstance(a, Access) for e in a.subscripts)
    subscripts = frozenset(arrays(*within))
    scales = [*map(_beside, _compared(nodes)), _itself]
    yield from (Contents(x, _odd, flags, subscripts) for x in scales)
    if any(map(_chooses, nodes)) or guards:
        every = frozenset(scop.arrays)
        yield from (Contents(_itself, x, every, subscripts) for x in (_odd, _third))


def _itself(digit: int) -> int:
    return digit


def _odd(digit: int) -> int:
    return digit % 2


def _third(digit: int) -> int:
    return int(digit % 3 == 0)


def _beside(limit: float) -> Scale:
    """Some below a number with which they are compared, and some above it."""
    if 0 < limit < 1:
        return lambda digit: round(digit * limit / 5, 9)
    return lambda digit: digit - 5 + int(limit)


def _compared(nodes: Sequence[Expr]) -> list[float]:
    """The number that is compared with what is read, if that is no digit, as it is in `x > 128`;
    of several the largest."""
    found = {
        value
        for x in nodes
        if isinstance(x, Binary) and x.op in COMPARISONS
        for a, b in ((x.left, x.right), (x.right, x.left))
        if (value := _number(b)) is not None and arrays(a) and not _is_part(a)
    }
    found = {x for x in found if not (1 <= x <= 9 and x == int(x))}
    return [max(found)] if found else []


def _number(e: Expr) -> float | None:
    if isinstance(e, Unary) and e.op == "-":
        inside = _number(e.operand)
        return None if inside is None else -inside
    return float(e.value) if isinstance(e, Number) else None


def _is_part(e: Expr) -> bool:
    """Whether it is what is left of a division, or bits."""
    return isinstance(e, Binary) and e.op in ("%", "&")


def _asked(e: Expr) -> Sequence[Expr]:
    """What is true or not in an expression."""
    match e:
        case Select(condition=c):
            return (c,)
        case Binary(op="&&" | "||", left=a, right=b):
            return a, b
        case Unary(op="!", operand=a):
            return (a,)
    return ()


def _chooses(e: Expr) -> bool:
    """Whether it depends on which of two numbers is larger, or on what is true."""
    ordered = isinstance(e, Call) and e.function.strip("f") in EXTREMA
    compared = isinstance(e, Binary) and e.op in COMPARISONS
    return (bool(_asked(e)) or ordered or compared) and any(map(arrays, children(e)))
