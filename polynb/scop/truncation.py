"""C's `/` and `%` in subscripts, which truncate, as floor divisions, which the model has; and its
conversions, where they change no value, as nothing."""

from __future__ import annotations

from polynb import isl
from polynb.scop.affine import AffineFrame, NotAffine, affine, subscript
from polynb.scop.affine_from_isl import expression
from polynb.source.tree import Access, Binary, Expr, rebuild, walk, with_children


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
