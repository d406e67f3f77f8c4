"""A side of an obligation: a node, and the conversions that its value goes through from there."""

from __future__ import annotations

from dataclasses import dataclass

from polynb.proofs import wholes
from polynb.proofs.nodes import ValueNode
from polynb.source.types import INT64, ElementType, lossless


@dataclass(frozen=True, slots=True)
class Side:
    """`node` is no conversion; `types` are its type, or what a whole number counts as, and those
    that it is converted to, one after the other."""

    types: tuple[ElementType, ...]
    node: ValueNode

    @property
    def key(self) -> tuple[object, ...]:
        return (self.node.number, *(t.name for t in self.types))


def side(node: ValueNode, then: tuple[ElementType, ...] = ()) -> Side:
    """A node whose value is converted to some types, without the conversions that change nothing
    (as of terms: see `polynb.run.terms`)."""
    while node.op == "convert":
        then = (node.type, *then)
        node = node.operands[0]
    types = [node.type]
    for t in then:
        if node.op == "whole" and len(types) == 1:
            node, types = _whole(node, t)
        else:
            _push(types, t)
    return Side(tuple(types), node)


def _push(types: list[ElementType], t: ElementType) -> None:
    while len(types) > 1 and t is not types[-1] and lossless(types[-2], types[-1], t):
        types.pop()
    if t is not types[-1]:
        types.append(t)


def _whole(node: ValueNode, t: ElementType) -> tuple[ValueNode, list[ElementType]]:
    home = node.home
    if t.is_float:
        return home.whole(node.what, INT64), [INT64, t]
    if wholes.fits(node.what, t, node.type, home.domain):
        return home.whole(node.what, t), [t]
    return node, [node.type, t]
