"""Copies of a subexpression that differ only by a shift of the innermost iterator.

A shape is an expression up to such a shift: `f(A[j-1])` and `f(A[j+1])` have one shape and the
offsets -1 and 1. Shapes of a DAG are found in one pass over its nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator as Iter, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from polynb.source.normal_form import affine_parts, linear_form, normal_form
from polynb.source.operators import evaluated
from polynb.source.tree import (
    Access,
    Binary,
    Call,
    Cast,
    Expr,
    Iterator,
    Let,
    Number,
    Select,
    Unary,
    children,
    own,
    rebuild,
    walk,
    with_children,
)
from polynb.source.types import INT32

MOST: Final = 64
"""Iterations that a value is kept for: what is further apart is in other rows, mostly."""


@dataclass(frozen=True)
class Copy:
    """What a node is: a shape (equal numbers, equal shapes) at an offset; the iterator does not
    appear in it where the offset is None."""

    shape: int
    offset: int | None


@dataclass(frozen=True, eq=False)
class Group:
    """Copies of one shape that the iterations of a loop pass on to each other.

    `offsets` are those that are used; the value at the last, the `lead`, is new in each iteration,
    where `expression` computes it, and is what the next ones find at the offsets before.
    """

    shape: int
    offsets: tuple[int, ...]
    expression: Expr

    @property
    def lead(self) -> int:
        return self.offsets[-1]


class Shapes:
    """The shapes of the expressions it is shown, for one iterator."""

    def __init__(self, iterator: str) -> None:
        self.iterator = iterator
        self._numbers: dict[tuple[object, ...], int] = {}
        # The nodes are kept so that their identities stay theirs.
        self._known: dict[int, tuple[Expr, Copy | None]] = {}

    def of(self, e: Expr) -> Copy | None:
        """The shape of a node, None if a shift changes more than offsets (as in `mod(j, 2)`)."""
        if id(e) not in self._known:
            affine = affine_parts(e)
            rebuild(e, lambda node, parts: self._visit(node, parts, affine))
        return self._known[id(e)][1]

    def _visit(self, e: Expr, parts: tuple[Copy | None, ...], affine: set[int]) -> Copy | None:
        if id(e) not in self._known:
            copy = self._affine(e) if id(e) in affine else self._other(e, parts)
            self._known[id(e)] = e, copy
        return self._known[id(e)][1]

    def _affine(self, e: Expr) -> Copy | None:
        linear = linear_form(e)
        if linear is None or any(_mentions(key, self.iterator) for key in linear.terms):
            return None
        coefficient = linear.terms.get(("i", self.iterator), (0, None))[0]
        terms = frozenset((key, c) for key, (c, _) in linear.terms.items())
        if not coefficient:
            return Copy(self._number("affine", terms, linear.constant, linear.wide), None)
        offset, rest = divmod(linear.constant, coefficient)
        return Copy(self._number("affine", terms, rest), offset)

    def _other(self, e: Expr, parts: tuple[Copy | None, ...]) -> Copy | None:
        if isinstance(e, Let):
            return parts[0]
        known = [p for p in parts if p is not None]
        if len(known) < len(parts):
            return None
        base = next((p.offset for p in known if p.offset is not None), None)
        relative = tuple(
            (p.shape, None if p.offset is None or base is None else p.offset - base) for p in known
        )
        return Copy(self._number(type(e), own(e), relative), base)

    def _number(self, *key: object) -> int:
        return self._numbers.setdefault(key, len(self._numbers))


def _mentions(key: Any, iterator: str) -> bool:
    """Whether an atom, a floor division or a remainder, contains the iterator."""
    if key[0] in ("i", "p"):
        return False
    return any(inner == ("i", iterator) or _mentions(inner, iterator) for inner, _ in key[1])


# -- which copies are worth a scalar ---------------------------------------------------------


def shift(e: Expr, iterator: str, distance: int) -> Expr:
    """The expression with `iterator + distance` for the iterator."""
    if not distance:
        return e
    by = Binary("+", Iterator(iterator), Number(abs(distance), INT32))
    by = by if distance > 0 else replace(by, op="-")

    def visit(node: Expr, parts: tuple[Expr, ...]) -> Expr:
        found = isinstance(node, Iterator) and node.name == iterator
        return by if found else with_children(node, parts)

    moved: Expr = rebuild(e, visit)
    return normal_form(moved)


def groups(e: Expr, shapes: Shapes, step: int, least: int) -> list[Group]:
    """The values to carry through a loop that advances by `step` (negative: it counts down).

    A group's own expression is searched too, as only its newest value is computed: recurrences
    on recurrences. Groups that contain others come first. `least`: the operations that a value
    must take, given the values that are carried; plain reads are never carried, they hit the
    cache (paper, section 5.4).
    """
    cost = operations(e)
    worth = _worthwhile(e, shapes, step, least, cost)
    carried: list[Group] = []
    while True:
        visible = (x for x in _visible(e, carried, shapes, step) if shapes.of(x) is not None)
        possible = [g for g in _repeated(visible, carried, shapes, step) if g.shape in worth]
        if not possible:
            return carried
        carried.append(max(possible, key=lambda g: cost[id(g.expression)]))


def _worthwhile(
    e: Expr, shapes: Shapes, step: int, least: int, cost: Mapping[int, int]
) -> set[int]:
    """The repeated shapes that take so many operations, those inside others decided first. What
    is only ever a part of one larger repeated shape is not carried besides it."""
    repeated = {g.shape: g for g in _repeated(_visible(e, [], shapes, step), [], shapes, step)}
    users = _users(e, shapes)
    worth: set[int] = set()

    def carried(node: Expr) -> bool:
        copy = shapes.of(node)
        return copy is not None and copy.shape in worth

    for g in sorted(repeated.values(), key=lambda g: cost[id(g.expression)]):
        by = users.get(g.shape, set())
        if len(by) == 1 and by <= set(repeated):
            continue
        if operations(g.expression, carried)[id(g.expression)] >= least:
            worth.add(g.shape)
    return worth


def _users(e: Expr, shapes: Shapes) -> dict[int, set[int | None]]:
    """For each shape those of the nodes that its nodes are operands of (None: of no shape)."""
    users: dict[int, set[int | None]] = {}
    for node in walk(e):
        user = shapes.of(node)
        for operand in children(node):
            copy = shapes.of(operand)
            if copy is not None and (user is None or user.shape != copy.shape):
                users.setdefault(copy.shape, set()).add(None if user is None else user.shape)
    return users


def slots(g: Group, step: int) -> range:
    """The offsets at which values are kept, the lead last."""
    return range(g.offsets[0], g.lead + step, step)


def _visible(e: Expr, found: list[Group], shapes: Shapes, step: int) -> Iter[Expr]:
    """The nodes that are still computed for sure: those of the expression and of the newest
    values, but what is carried."""
    carried = {(g.shape, offset) for g in found for offset in slots(g, step)}
    for root, first in [(e, (e,)), *((g.expression, children(g.expression)) for g in found)]:
        certain, seen, stack = evaluated(root), set[int](), list(reversed(first))
        while stack:
            node = stack.pop()
            copy = shapes.of(node)
            if id(node) in seen or (copy is not None and (copy.shape, copy.offset) in carried):
                continue
            seen.add(id(node))
            if id(node) in certain:
                yield node
            stack.extend(reversed(children(node)))


def _repeated(
    visible: Iterable[Expr], found: list[Group], shapes: Shapes, step: int
) -> Iter[Group]:
    """The shapes with several offsets that the loop's step leads from one to another."""
    known = {(g.shape, g.lead % abs(step)) for g in found}
    copies: dict[tuple[int, int], dict[int, Expr]] = {}
    for node in visible:
        copy = shapes.of(node)
        if copy is not None and copy.offset is not None:
            same = copies.setdefault((copy.shape, copy.offset % abs(step)), {})
            same.setdefault(copy.offset, node)
    for key, nodes in copies.items():
        if len(nodes) > 1 and key not in known:
            near = max(_near(sorted(nodes, reverse=step < 0), MOST * abs(step)), key=len)
            if len(near) > 1:
                yield Group(key[0], tuple(near), _value(nodes[near[-1]]))


def _near(offsets: Iterable[int], most: int) -> list[list[int]]:
    """Offsets in pieces that are no longer than `most`."""
    pieces: list[list[int]] = []
    for offset in offsets:
        if pieces and abs(offset - pieces[-1][0]) <= most:
            pieces[-1].append(offset)
        else:
            pieces.append([offset])
    return pieces


def _value(e: Expr) -> Expr:
    return _value(e.value) if isinstance(e, Let) else e


def operations(e: Expr, free: Callable[[Expr], bool] = lambda x: False) -> dict[int, int]:
    """How many operations each node of a DAG takes if it is written out; subscripts and affine
    expressions are free, a call counts as five."""
    affine = affine_parts(e)
    cost: dict[int, int] = {}

    def visit(node: Expr, parts: tuple[int, ...]) -> int:
        cost[id(node)] = 0 if id(node) in affine or free(node) else _own(node, affine) + sum(parts)
        return cost[id(node)]

    rebuild(e, visit)
    return cost


def _own(node: Expr, affine: set[int]) -> int:
    match node:
        case Access():
            return int(any(id(x) not in affine for x in node.subscripts))
        case Binary() | Unary() | Select() | Cast():
            return 1
        case Call():
            return 5
    return 0
