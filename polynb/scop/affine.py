"""Expressions -> isl: affine expressions become piecewise affine functions, conditions sets."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce

from polynb import isl
from polynb.errors import PolynbError, Span
from polynb.scop.wrapping import Wrap, as_part_of, converts, without_conversions, wrapping
from polynb.source.operators import COMPARISONS, TRUTH_VALUED
from polynb.source.tree import (
    Access,
    Binary,
    Call,
    Expr,
    Iterator,
    Let,
    Number,
    Parameter,
    Select,
    Unary,
)


class NotAffine(Exception):
    """`node` is the smallest part that is not affine, `why` says so in words."""

    def __init__(self, node: Expr, why: str) -> None:
        super().__init__(why)
        self.node = node
        self.why = why

    @property
    def span(self) -> Span | None:
        return self.node.span


class MayWrap(NotAffine):
    """In C's types the value is another one for some iterations: `wrap` says which."""

    def __init__(self, wrap: Wrap) -> None:
        bits = 8 * wrap.type.size
        super().__init__(wrap.node, f"as {wrap.type} it is taken modulo 2^{bits}")
        self.wrap = wrap


@dataclass(frozen=True, eq=False)
class AffineFrame:
    """Where an expression stands: a set space whose dimensions are named after the iterators.

    `/` and `%` are C's (toward zero). (The SCoP language reads them as floord and mod where an
    expression is affine; a value that comes there in a pass keeps its own.) `known`, for C, is
    where the expression is evaluated: conversions that change no value there are affine. Without
    it, none are.
    """

    space: isl.Space
    known: isl.Set | None = None

    def where(self, more: isl.Set) -> AffineFrame:
        """The frame of what is only evaluated there."""
        return self if self.known is None else replace(self, known=self.known.intersect(more))

    def variable(self, kind: isl.dim_type, name: str) -> isl.Aff:
        position = self.space.find_dim_by_name(kind, name)
        local = isl.LocalSpace.from_space(self.space)
        return isl.Aff.var_on_domain(local, kind, position)

    def constant(self, value: int) -> isl.Aff:
        local = isl.LocalSpace.from_space(self.space)
        return isl.Aff.val_on_domain(local, isl.Val(str(value)))  # may be a uint64


def affine(e: Expr, frame: AffineFrame) -> isl.PwAff:
    """`{ [i] -> [e] }` on the frame's space. Raises NotAffine."""
    return _affine(_plain(e, frame), frame)


def subscript(e: Expr, frame: AffineFrame) -> Expr:
    """A subscript without the conversions that change no value where it is evaluated. One that
    wraps around below zero is out of bounds either way, in a type in which the largest value is:
    as an unsigned char, -1 is 255, which may be a cell. Raises NotAffine."""
    plain = _plain(e, frame, below=False)
    if plain is not e:
        _affine(plain, frame)
    return plain


def _plain(e: Expr, frame: AffineFrame, *, below: bool = True) -> Expr:
    """The expression without conversions. Raises MayWrap if one of them changes a value."""
    if frame.known is None or not converts(e):
        return e
    wrap = wrapping(e, frame.known, lambda x: _affine(x, frame), below=below)
    if wrap is not None:
        raise MayWrap(wrap)
    return without_conversions(e)


def _affine(e: Expr, frame: AffineFrame) -> isl.PwAff:
    linear = _linear(e)
    if linear is not None:
        return _sum(linear, frame).to_pw_aff()
    match e:
        case Let(value=v):
            return _affine(v, frame)
        case Unary(op="-", operand=x):
            return _affine(x, frame).neg()
        case Unary(op="+", operand=x):
            return _affine(x, frame)
        case Binary(op="+", left=a, right=b):
            return _affine(a, frame).add(_affine(b, frame))
        case Binary(op="-", left=a, right=b):
            return _affine(a, frame).sub(_affine(b, frame))
        case Binary(op="*", left=a, right=b):
            return _product(e, _affine(a, frame), _affine(b, frame))
        case Binary(op="floord" | "mod" | "/" | "%" as op, left=a, right=b):
            return divided(op, _affine(a, frame), _constant(b, e))
        case Call(function="min" | "max" as f, arguments=args) if args:
            take = isl.PwAff.min if f == "min" else isl.PwAff.max
            return reduce(take, (_affine(x, frame) for x in args))
        case Select(condition=c, then=a, otherwise=b):
            return selected(_condition(c, frame), _affine(a, frame), _affine(b, frame))
        case Binary(op=op) if op in TRUTH_VALUED:
            return truth(_condition(e, frame), frame)
        case Unary(op="!"):
            return truth(_condition(e, frame), frame)
        case Access():
            raise NotAffine(e, "it depends on data")
        case Call(function=f):
            raise NotAffine(e, f"the call of {f} is not an affine function")
        case Number():
            raise NotAffine(e, "it is not an integer")
    raise NotAffine(e, "it is not an affine function of iterators and parameters")


def condition(e: Expr, frame: AffineFrame) -> isl.Set:
    """`{ [i] : e }` on the frame's space. Raises NotAffine."""
    if frame.known is None or not converts(e):
        return _condition(e, frame)
    match e:
        case Binary(op="&&", left=a, right=b):
            where = condition(a, frame)
            return where.intersect(condition(b, frame.where(where)))
        case Binary(op="||", left=a, right=b):
            where = condition(a, frame)
            return where.union(condition(b, frame.where(where.complement())))
        case Unary(op="!", operand=x):
            return condition(x, frame).complement()
    return _condition(_plain(e, frame), frame)


def _condition(e: Expr, frame: AffineFrame) -> isl.Set:
    match e:
        case Let(value=v):
            return _condition(v, frame)
        case Binary(op="&&", left=a, right=b):
            return _condition(a, frame).intersect(_condition(b, frame))
        case Binary(op="||", left=a, right=b):
            return _condition(a, frame).union(_condition(b, frame))
        case Unary(op="!", operand=x):
            return _condition(x, frame).complement()
        case Binary(op="<" | "<=" as op, left=a, right=b):
            return _ordered(op, a, b, frame)
        case Binary(op=">" | ">=" as op, left=a, right=b):
            return _ordered("<" if op == ">" else "<=", b, a, frame)
        case Binary(op=op, left=a, right=b) if op in COMPARISONS:
            return compared(op, _affine(a, frame), _affine(b, frame))
    zero = frame.constant(0).to_pw_aff()
    return _affine(e, frame).ne_set(zero)


def operands(e: Expr, function: str) -> list[Expr]:
    """The operands of nested `min`s (or `max`s), also less or more than a number: i is at most
    their minimum if it is at most each of them, which takes no case distinction."""
    match e:
        case Call(function=f, arguments=arguments) if f == function and arguments:
            return [x for a in arguments for x in operands(a, function)]
        case Binary(op="+" | "-", left=a, right=Number()):
            return [replace(e, left=as_part_of(a, x)) for x in operands(a, function)]
        case Let(value=v):
            return operands(v, function)
    return [e]


def _ordered(op: str, a: Expr, b: Expr, frame: AffineFrame) -> isl.Set:
    """`{ [i] : a op b }` for < and <=, operand by operand where one of them is a min or max."""
    for all_of, function, left in (
        (True, "max", True),
        (True, "min", False),
        (False, "min", True),
        (False, "max", False),
    ):
        parts = operands(a if left else b, function)
        if len(parts) > 1:
            sets = [_ordered(op, *((x, b) if left else (a, x)), frame) for x in parts]
            return reduce(isl.Set.intersect if all_of else isl.Set.union, sets)
    return compared(op, _affine(a, frame), _affine(b, frame))


def compared(op: str, a: isl.PwAff, b: isl.PwAff) -> isl.Set:
    """`{ [i] : a op b }`."""
    match op:
        case "<":
            return a.lt_set(b)
        case "<=":
            return a.le_set(b)
        case ">":
            return a.gt_set(b)
        case ">=":
            return a.ge_set(b)
        case "==":
            return a.eq_set(b)
    return a.ne_set(b)


def _linear(e: Expr) -> dict[tuple[str, str], int] | None:
    """The coefficients of a plain linear form (quick: no isl), None for anything else."""
    match e:
        case Number(value=int(v)):
            return {("", ""): v}
        case Iterator(name=n):
            return {("i", n): 1}
        case Parameter(name=n):
            return {("p", n): 1}
        case Unary(op="-", operand=x):
            inner = _linear(x)
            return None if inner is None else {k: -v for k, v in inner.items()}
        case Binary(op="+" | "-" as op, left=a, right=b):
            left, right = _linear(a), _linear(b)
            if left is None or right is None:
                return None
            sign = 1 if op == "+" else -1
            keys = {**left, **right}
            return {k: left.get(k, 0) + sign * right.get(k, 0) for k in keys}
        case Binary(op="*", left=a, right=b):
            left, right = _linear(a), _linear(b)
            for one, other in ((left, right), (right, left)):
                if one is not None and other is not None and set(one) <= {("", "")}:
                    return {k: one.get(("", ""), 0) * v for k, v in other.items()}
    return None


def _sum(linear: dict[tuple[str, str], int], frame: AffineFrame) -> isl.Aff:
    result = frame.constant(linear.get(("", ""), 0))
    for (kind, name), value in linear.items():
        if kind and value:
            # Coefficients of an Aff count its domain dimensions as inputs.
            where = isl.PARAM if kind == "p" else isl.SET
            position = frame.space.find_dim_by_name(where, name)
            into = isl.PARAM if kind == "p" else isl.IN
            result = result.set_coefficient_val(into, position, isl.Val(str(value)))
    return result


def _product(e: Expr, a: isl.PwAff, b: isl.PwAff) -> isl.PwAff:
    if not (a.is_cst() or b.is_cst()):
        raise NotAffine(e, "neither factor is a constant")
    return a.mul(b)


def _constant(e: Expr, whole: Expr) -> int:
    linear = _linear(e)
    if linear is None or any(v for k, v in linear.items() if k != ("", "")):
        raise NotAffine(whole, "the divisor is not an integer constant")
    value = linear.get(("", ""), 0)
    if value == 0:
        raise PolynbError(
            "this divides by zero",
            span=e.span or whole.span,
            reason="it has no value, in any iteration",
            hint="another divisor, such as `i / 2`",
        )
    return value


def divided(op: str, a: isl.PwAff, divisor: int) -> isl.PwAff:
    """floord, mod; C's / and %, which truncate."""
    positive = a if divisor > 0 else a.neg()  # isl only scales down by positive values
    exact = positive.scale_down_val(isl.Val(str(abs(divisor))))
    quotient = _truncated(exact) if op in "/%" else exact.floor()
    if op in ("/", "floord"):
        return quotient
    return a.sub(quotient.scale_val(isl.Val(str(divisor))))


def _truncated(scaled: isl.PwAff) -> isl.PwAff:
    zero = scaled.sub(scaled)
    return selected(scaled.ge_set(zero), scaled.floor(), scaled.ceil())


def selected(where: isl.Set, then: isl.PwAff, otherwise: isl.PwAff) -> isl.PwAff:
    """The one function in a set, the other outside of it."""
    then = then.intersect_domain(where)
    return isl.coalesced(then.union_add(otherwise.intersect_domain(where.complement())))


def truth(where: isl.Set, frame: AffineFrame) -> isl.PwAff:
    """1 where a condition holds, 0 elsewhere."""
    return selected(where, frame.constant(1).to_pw_aff(), frame.constant(0).to_pw_aff())
