"""Whole numbers that are known but for iterators and parameters: functions `{ S[i] -> [e] }`.

They are computed as C computes whole numbers where that is an affine function, and nowhere else.
"""

from __future__ import annotations

from typing import Final

from polynb import isl
from polynb.run.arithmetic import whole
from polynb.scop import affine
from polynb.scop.affine import AffineFrame
from polynb.scop.wrapping import beyond
from polynb.source.operators import COMPARISONS
from polynb.source.types import ElementType, holds

DIVISIONS: Final = ("/", "%", "floord", "mod")


def constant(f: isl.PwAff) -> int | None:
    """The one value of a function, None if it has several."""
    if not f.is_cst():
        return None
    pieces = isl.pieces(f)
    return pieces[0][1].get_constant_val().to_python() if len(pieces) == 1 else None


def number(value: int, space: isl.Space) -> isl.PwAff:
    """`{ S[i] -> [value] }`, for the space of `{ S[i] }`."""
    return AffineFrame(space).constant(value).to_pw_aff()


def truth(where: isl.Set) -> isl.PwAff:
    """1 where a condition holds, 0 elsewhere."""
    return affine.truth(where, AffineFrame(where.get_space()))


def fits(f: isl.PwAff, type: ElementType, of: ElementType, domain: isl.Set) -> bool:
    """Whether the values that a function of type `of` has on `{ S[i] }` are values of a type.

    What iterators and parameters are computed with is taken to stay within 64 bits, as everywhere
    in the model.
    """
    if holds(type, of):
        return True
    value = constant(f)
    if value is not None:
        return type.least <= value <= type.most
    return bool(beyond(domain, f, type).is_empty())


def computed(op: str, f: isl.PwAff, g: isl.PwAff, type: ElementType) -> isl.PwAff | None:
    """`f op g` over all integers, for operands of one type; None if that is not affine, or if C
    leaves it undefined."""
    a, b = constant(f), constant(g)
    if op in COMPARISONS:
        return truth(affine.compared(op, f, g))
    if a is not None and b is not None:
        value = whole(op, a, b, type)
        return None if value is None else number(value, f.domain().get_space())
    match op:
        case "+":
            return isl.coalesced(f.add(g))
        case "-":
            return isl.coalesced(f.sub(g))
        case "*" if a is not None or b is not None:
            return isl.coalesced(f.mul(g))
        case _ if op in DIVISIONS and b:
            return isl.coalesced(affine.divided(op, f, b))
    return None
