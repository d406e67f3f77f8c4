"""Expressions under other values of their iterators."""

from __future__ import annotations

from collections.abc import Mapping

from polynb.source.normal_form import normal_form
from polynb.source.tree import Expr, Iterator, rebuild, with_children


def substitute(e: Expr, values: Mapping[str, Expr]) -> Expr:
    """The expression in normal form with iterators replaced; every node is visited once, and
    what does not change stays the same node."""

    def visit(node: Expr, parts: tuple[Expr, ...]) -> Expr:
        if isinstance(node, Iterator):
            new = values.get(node.name, node)
            return node if isinstance(new, Iterator) and new.name == node.name else new
        return with_children(node, parts)

    replaced = rebuild(e, visit)
    return e if replaced is e else normal_form(replaced)
