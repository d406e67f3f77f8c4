"""Large expressions with their shared parts named, so that they print in the size of the DAG.

An expression that propagation built from others uses many of its parts more than once; written
out as a tree it may be exponentially larger.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from polynb.errors import PolynbError
from polynb.scop.fresh_names import Names
from polynb.source.normal_form import affine_parts
from polynb.source.operators import evaluated
from polynb.source.traps import may_trap
from polynb.source.tree import (
    Access,
    Binary,
    Expr,
    Let,
    Select,
    children,
    own,
    rebuild,
    walk,
    with_children,
)
from polynb.source.type_inference import Types

WRITTEN_OUT = 100  # nodes: the largest tree that is written in full, as the paper's Figure 2 is
PRINTABLE = 1_000_000  # nodes: more than that is no text any more


def share(
    e: Expr,
    names: Names,
    types: Types,
    inside: Callable[[Access], bool] = lambda _: False,
    *,
    reads_first: bool = False,
) -> Expr:
    """The same expression with `Let` nodes around what is used more than once.

    An expression of at most WRITTEN_OUT nodes as a tree keeps only the Lets it came with. A part
    that is evaluated only under a condition is not moved in front of it if it could fail there
    (a cell out of bounds, a division of integers by zero); `inside` says of accesses without
    Lets in their subscripts which cannot, as they are in bounds wherever the expression is
    evaluated. `reads_first`: those get Lets however often they are used, as compilers make no
    vectors of reads under conditions that might be there to avoid them; also those that are read
    in any case, of which gcc reads the address in both branches of a selection, and finds that the
    loop then counts in none; and so does what both branches compute. Raises PolynbError if the
    expression is too large to be printed all the same.
    """
    bare, wanted = _without_lets(e)
    small = tree_size(bare) <= WRITTEN_OUT
    if small and not wanted and not reads_first:
        return bare
    certain = evaluated(bare)
    branches = (x for x in walk(bare) if isinstance(x, Access) and id(x) not in certain)
    safe = {id(x) for x in branches if inside(x)}
    if not small or reads_first:
        bare, wanted, safe = _unified(bare, wanted, safe)
    named = _substantial(bare)
    if small:
        named = set(wanted) | (named & _in_both_branches(bare) if reads_first else set())
    uses = _uses(bare)
    certain = evaluated(bare)
    early = _harmless(bare, types, certain, safe)
    first = _conditional(bare) & early if reads_first else set()

    def visit(node: Expr, parts: tuple[Expr, ...]) -> Expr:
        new = with_children(node, parts)
        often = id(node) in named and uses.get(id(node), 0) > 1
        if (id(node) in first and parts) or (often and id(node) in early):
            return Let(_name(wanted.get(id(node)), names), new)
        return new

    result = rebuild(bare, visit)
    check_printable(result)
    return result


def check_printable(e: Expr) -> None:
    """Raises PolynbError if the expression, written with its Lets, is no text any more."""
    if written_size(e) > PRINTABLE:
        raise PolynbError(
            "an expression is too large to be written out",
            reason="its parts are shared, but under conditions, in front of which they cannot "
            "be computed",
            hint="keep one of the arrays it was propagated from",
        )


def tree_size(e: Expr) -> int:
    """The number of nodes written out as a tree (computed on the DAG)."""
    return rebuild(e, lambda _, sizes: 1 + sum(sizes))


def written_size(e: Expr) -> int:
    """The number of nodes as printed: the value of each Let once."""
    sizes: dict[int, int] = {}

    def visit(node: Expr, parts: tuple[int, ...]) -> int:
        if isinstance(node, Let):
            sizes[id(node)] = parts[0]
            return 1
        return 1 + sum(parts)

    return rebuild(e, visit) + sum(sizes.values())


def _name(preferred: str | None, names: Names) -> str:
    return names.fresh("e") if preferred is None else names.unique(preferred)


def _without_lets(e: Expr) -> tuple[Expr, dict[int, str]]:
    """The expression without its Lets, and the names that nodes of it had."""
    wanted: dict[int, str] = {}

    def visit(node: Expr, parts: tuple[Expr, ...]) -> Expr:
        if isinstance(node, Let):
            if children(parts[0]):
                wanted.setdefault(id(parts[0]), node.name)
            return parts[0]
        return with_children(node, parts)

    return rebuild(e, visit), wanted


def _unified(
    e: Expr, wanted: Mapping[int, str], safe: set[int]
) -> tuple[Expr, dict[int, str], set[int]]:
    """The expression with equal parts made one node (expressions are pure)."""
    known: dict[tuple[object, ...], Expr] = {}
    kept: dict[int, str] = {}
    inside: set[int] = set()

    def visit(node: Expr, parts: tuple[Expr, ...]) -> Expr:
        key = (type(node), own(node), *(id(p) for p in parts))
        unified = known.setdefault(key, with_children(node, parts))
        if id(node) in wanted:
            kept.setdefault(id(unified), wanted[id(node)])
        if id(node) in safe:
            inside.add(id(unified))
        return unified

    return rebuild(e, visit), kept, inside


def _uses(e: Expr) -> dict[int, int]:
    """How many operands each node is."""
    count: dict[int, int] = {}
    for node in walk(e):
        for c in children(node):
            count[id(c)] = count.get(id(c), 0) + 1
    return count


def _substantial(e: Expr) -> set[int]:
    """The nodes that are worth a name: no leaves, no affine expressions, no cells with affine
    subscripts."""
    affine = affine_parts(e)

    def worth(node: Expr) -> bool:
        if isinstance(node, Access):
            return any(id(s) not in affine for s in node.subscripts)
        return id(node) not in affine and bool(children(node))

    return {id(node) for node in walk(e) if worth(node)}


def _conditional(e: Expr) -> set[int]:
    """The accesses that are read under a condition, perhaps elsewhere, too."""
    below: list[Expr] = []
    for node in walk(e):
        match node:
            case Select(then=a, otherwise=b):
                below += (a, b)
            case Binary(op="&&" | "||", right=b):
                below.append(b)
    return {id(x) for x in walk(*below) if isinstance(x, Access)}


def _in_both_branches(e: Expr) -> set[int]:
    """The nodes that are evaluated in one branch of a selection or in the other, whichever."""

    def visit(node: Expr, parts: tuple[set[int], ...]) -> set[int]:
        match node:
            case Select():
                condition, then, otherwise = parts
                inside = condition | (then & otherwise)
            case Binary(op="&&" | "||"):
                inside = parts[0]
            case _:
                inside = set().union(*parts)
        return {id(node), *inside}

    return rebuild(e, visit) - evaluated(e)


# -- what may be evaluated early ------------------------------------------------------------


def _harmless(e: Expr, types: Types, certain: set[int], inside: set[int]) -> set[int]:
    """The nodes that can be evaluated even where their value is not used: those that are
    `certain` to be evaluated anyway, and those in which nothing can be out of bounds (accesses
    `inside` are not) or trap."""
    found: set[int] = set()

    def harmless(node: Expr) -> bool:
        return id(node) in inside if isinstance(node, Access) else not may_trap(node, types)

    def visit(node: Expr, parts: tuple[bool, ...]) -> bool:
        fine = id(node) in certain or (all(parts) and harmless(node))
        if fine:
            found.add(id(node))
        return fine

    rebuild(e, visit)
    return found
