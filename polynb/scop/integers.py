"""Subscripts and operands that have to be integers, and are not; integer divisions by a literal
zero, which have no value and stop a kernel."""

from __future__ import annotations

from collections.abc import Iterator as Iter, Mapping, Sequence

from polynb.errors import PolynbError
from polynb.scop.model import Array, Statement
from polynb.source.c.read.literals import constant
from polynb.source.integer_places import misplaced
from polynb.source.tree import Binary, Define, Expr, evaluated, walk
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
    return PolynbError(
        "this divides an integer by zero",
        span=e.span,
        reason="the result has no value, in any iteration",
        hint="another divisor, or `0.0` for an infinity",
    )
