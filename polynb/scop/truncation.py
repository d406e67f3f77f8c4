"""C's `/` and `%` in subscripts, which truncate, as floor divisions, which the model has."""

from __future__ import annotations

from polynb import isl
from polynb.scop.affine import Frame, NotAffine, affine
from polynb.scop.affine_from_isl import expression
from polynb.source.tree import Access, Binary, Expr, rebuild, walk, with_children


def floor_subscripts(e: Expr, frame: Frame, domain: isl.Set) -> Expr:
    """The same values, for the iterations in the domain, with floord and mod in place of `/` and
    `%` in every affine subscript. (Where the dividend cannot be negative they agree.)"""

    def visit(node: Expr, new: tuple[Expr, ...]) -> Expr:
        if not isinstance(node, Access):
            return with_children(node, new)
        return with_children(node, tuple(_floor(s, frame, domain) for s in new))

    return rebuild(e, visit)


def _floor(subscript: Expr, frame: Frame, domain: isl.Set) -> Expr:
    if not any(isinstance(x, Binary) and x.op in "/%" for x in walk(subscript)):
        return subscript
    try:
        function = affine(subscript, frame)
    except NotAffine:
        return subscript
    return expression(function, isl.dim_names(domain, isl.SET), domain)
