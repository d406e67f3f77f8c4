"""Statements that iterations do one after the other to one cell: sums, products, the largest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from polynb import isl
from polynb.scop.model import Statement
from polynb.source.tree import Access, Binary, Call, Expr, Number, Select, same
from polynb.source.types import INT32

WORDS: Final = {"+": "sum", "-": "sum", "*": "product", "min": "smallest", "max": "largest"}
NEUTRAL: Final = {"+": 0, "-": 0, "*": 1}
_TURNED: Final = {"+": "-", "-": "+"}


@dataclass(frozen=True, eq=False)
class Accumulation:
    """`A[x] = A[x] + value`: `read` is the read of what is there, `firsts` are the instances
    `{ S[i] }` that find there what another statement wrote, or nothing did."""

    statement: Statement
    read: int
    operator: str
    value: Expr
    firsts: isl.Set

    def whole(self, start: Expr, over: str, each: Expr) -> Expr:
        """A first value, and what all iterations make of it."""
        folded = Call(f"{WORDS[self.operator]} over {over} of ", (each,))
        if self.operator in ("min", "max"):
            return Call(self.operator, (start, folded))
        alone = isinstance(start, Number) and start.value == NEUTRAL[self.operator]
        return folded if alone and self.operator != "-" else Binary(self.operator, start, folded)


def fold_of(s: Statement, within: Mapping[int, isl.Map]) -> Accumulation | None:
    """A statement as a fold, None if it is none; `within` are the flows, by read, from some of its
    instances to others."""
    own = [k for k in within if s.reads[k].relation.is_equal(s.write.relation)]
    found = _parted(s.expression, [s.reads[k].node for k in own]) if own else None
    if found is None:
        return None
    return Accumulation(s, own[0], *found, s.domain.subtract(within[own[0]].range()))


def _parted(e: Expr, cells: Sequence[Access]) -> tuple[str, Expr] | None:
    """The operator and the value of an expression that reads a cell at these places, each once."""
    match e, cells:
        case Select(condition=c, then=a, otherwise=b), [_, _] if b in cells:
            rest = [x for x in cells if x is not b]
            found = _parted(a, rest)
            if found is not None and found[0] in NEUTRAL:
                return found[0], Select(c, found[1], Number(NEUTRAL[found[0]], INT32))
            return _chosen(c, a, rest[0])
        case _, [cell]:
            return _beside(e, cell)
    return None


def _chosen(condition: Expr, value: Expr, cell: Access) -> tuple[str, Expr] | None:
    """Of `if value < A then A = value`."""
    match condition:
        case Binary(op="<" | "<=" | ">" | ">=" as op, left=a, right=b) if cell in (a, b):
            other = b if a is cell else a
            if same(other, value):
                return "min" if (op[0] == "<") == (b is cell) else "max", value
    return None


def _beside(e: Expr, cell: Access) -> tuple[str, Expr] | None:
    match e:
        case Binary(op="+" | "*" as op, left=a, right=b) if cell in (a, b):
            return op, b if a is cell else a
        case Binary(op="-", left=a, right=b) if a is cell:
            return "-", b
        case Call(function="min" | "max" | "fmin" | "fmax" as f, arguments=(a, b)):
            return (f.removeprefix("f"), b if a is cell else a) if cell in (a, b) else None
        case Binary(op="+" | "-" as op, left=a, right=b):  # A[x] + a - b
            found = _beside(a, cell)
            if found is not None and found[0] in _TURNED:
                sign, rest = found
                return sign, Binary(op if sign == "+" else _TURNED[op], rest, b)
    return None
