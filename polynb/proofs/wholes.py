"""Whole numbers that are known but for iterators and parameters: functions `{ S[i] -> [e] }`.

They are computed as C computes whole numbers where that is an affine function, and nowhere else.
"""

from __future__ import annotations

from typing import Final

from polynb import isl
from polynb.run.arithmetic import COMPARISONS, whole
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
    local = isl.LocalSpace.from_space(space)
    return isl.Aff.val_on_domain(local, isl.Val(str(value))).to_pw_aff()


def truth(where: isl.Set) -> isl.PwAff:
    """1 where a condition holds, 0 elsewhere."""
    one, zero = (number(k, where.get_space()) for k in (1, 0))
    return chosen(where, one, zero)


def chosen(where: isl.Set, then: isl.PwAff, otherwise: isl.PwAff) -> isl.PwAff:
    """The one function in a set, the other outside of it."""
    inside = then.intersect_domain(where)
    return isl.coalesced(inside.union_add(otherwise.intersect_domain(where.complement())))


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
    above = f.add_constant_val(isl.Val(str(-type.most))).pos_set()
    below = f.neg().add_constant_val(isl.Val(str(type.least))).pos_set()
    return bool(domain.intersect(above.union(below)).is_empty())


def computed(op: str, f: isl.PwAff, g: isl.PwAff, type: ElementType) -> isl.PwAff | None:
    """`f op g` over all integers, for operands of one type; None if that is not affine, or if C
    leaves it undefined."""
    a, b = constant(f), constant(g)
    if op in COMPARISONS:
        return truth(_compared(op, f, g).intersect(f.domain()).intersect(g.domain()))
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
            return _divided(op, f, b)
    return None


def _compared(op: str, f: isl.PwAff, g: isl.PwAff) -> isl.Set:
    match op:
        case "<":
            return f.lt_set(g)
        case "<=":
            return f.le_set(g)
        case ">":
            return f.gt_set(g)
        case ">=":
            return f.ge_set(g)
        case "==":
            return f.eq_set(g)
    return f.ne_set(g)


def _divided(op: str, f: isl.PwAff, divisor: int) -> isl.PwAff:
    """C's division, which truncates, or floor division; or the remainder of either."""
    exact = (f if divisor > 0 else f.neg()).scale_down_val(isl.Val(abs(divisor)))
    quotient = exact.floor()
    if op in ("/", "%"):
        quotient = chosen(exact.ge_set(exact.sub(exact)), quotient, exact.ceil())
    if op in ("/", "floord"):
        return isl.coalesced(quotient)
    return isl.coalesced(f.sub(quotient.scale_val(isl.Val(divisor))))
