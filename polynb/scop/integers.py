"""Subscripts and operands that have to be integers, and are not; integer divisions by a literal
zero, which have no value and stop a kernel."""

from __future__ import annotations

from collections.abc import Iterator as Iter, Mapping, Sequence

from polynb import isl
from polynb.errors import PolynbError
from polynb.scop.affine import AffineFrame, NotAffine, affine, subscript
from polynb.scop.affine_from_isl import expression
from polynb.scop.model import Array, Statement
from polynb.source.c.read.literals import constant
from polynb.source.integer_places import misplaced
from polynb.source.operators import evaluated
from polynb.source.tree import Access, Binary, Define, Expr, rebuild, walk, with_children
from polynb.source.type_inference import Types


def check_integers(
    statements: Sequence[Statement],
    arrays: Mapping[str, Array],
    functions: Sequence[Define],
    language: str,
) -> None:
    """Raises PolynbError for the first of them: no compiler would take the program."""
    types = Types({name: a.type for name, a in arrays.items()}, functions)
    for s in statements:
        guard = () if s.guard is None else (s.guard,)
        for root in (*guard, s.write.node, s.expression):
            for error in misplaced(root, types, language):
                raise error


def check_divisions(
    statements: Sequence[Statement], arrays: Mapping[str, Array], functions: Sequence[Define]
) -> None:
    """Raises PolynbError for an integer division by 0 that is surely executed. (A condition, or
    a branch of `?:`, may be there to avoid it; floating-point divisions give infinities.)"""
    types = Types({name: a.type for name, a in arrays.items()}, functions)
    for s in statements:
        if s.domain.is_empty():
            continue
        for root in _executed(s):
            surely = evaluated(root)
            for x in walk(root):
                if id(x) in surely and _divides_by_zero(x) and not types.of(x).is_float:
                    raise divides_by_zero(x)


def _executed(s: Statement) -> Iter[Expr]:
    """What is evaluated in every instance."""
    if s.guard is not None:
        yield s.guard
        return
    yield from (*s.write.node.subscripts, s.expression)


def _divides_by_zero(e: Expr) -> bool:
    return isinstance(e, Binary) and e.op in ("/", "%", "floord", "mod") and constant(e.right) == 0


def divides_by_zero(e: Expr) -> PolynbError:
    """The error at a division by zero; a floating-point one has a value."""
    return PolynbError(
        "this divides an integer by zero",
        span=e.span,
        reason="the result has no value, in any iteration",
        hint="another divisor, or `0.0` for an infinity",
    )


# C's `/` and `%` in subscripts, which truncate, as floor divisions, which the model has; and its
# conversions, where they change no value, as nothing.


def floor_subscripts(e: Expr, frame: AffineFrame, domain: isl.Set) -> Expr:
    """The same values, for the iterations in the domain, with floord and mod in place of `/` and
    `%` in every affine subscript (where the dividend cannot be negative they agree), and without
    conversions there."""

    def visit(node: Expr, new: tuple[Expr, ...]) -> Expr:
        if not isinstance(node, Access):
            return with_children(node, new)
        return with_children(node, tuple(_floor(s, frame, domain) for s in new))

    return rebuild(e, visit)


def _floor(index: Expr, frame: AffineFrame, domain: isl.Set) -> Expr:
    try:
        plain = subscript(index, frame)
        if not any(isinstance(x, Binary) and x.op in "/%" for x in walk(plain)):
            return plain
        function = affine(plain, frame)
    except NotAffine:
        return index
    # Where the statement never runs, nothing is known that could simplify the function.
    known = None if domain.is_empty() else domain
    return expression(function, isl.dim_names(domain, isl.SET), known)
