"""What belongs together in an expression: the terms of a sum, the factors of a product, and the
cells of one array, which differ in the numbers in their subscripts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeGuard

from polynb.scop.symmetry import Place
from polynb.source import tree as syntax
from polynb.source.scoplang.printer import print_expression

Term = tuple[str, syntax.Expr]


def sums(e: syntax.Expr) -> Iterator[list[Term]]:
    """The terms of each sum in an expression, but for those that are a part of one."""
    found = [x for x in syntax.walk(e) if _is_sum(x)]
    inside = {id(x.left) for x in found}
    return (terms(x) for x in found if id(x) not in inside)


def _is_sum(e: syntax.Expr) -> TypeGuard[syntax.Binary]:
    return isinstance(e, syntax.Binary) and e.op in ("+", "-")


def terms(e: syntax.Expr) -> list[Term]:
    """The terms of `a + b - c`, each with its sign; what is in parentheses is one of them."""
    found = []
    while _is_sum(e):
        found.append((e.op, e.right))
        e = e.left
    return [("+", e), *reversed(found)]


def factors(e: syntax.Expr) -> list[syntax.Expr]:
    """The factors of `a * b * c / 2`, but for what it is divided by."""
    found = []
    while isinstance(e, syntax.Binary) and e.op in ("*", "/"):
        found += [e.right] if e.op == "*" else []
        e = e.left
    return [e, *reversed(found)]


def is_cell(e: syntax.Expr) -> TypeGuard[syntax.Access]:
    return isinstance(e, syntax.Access) and bool(e.subscripts)


def accesses(e: syntax.Expr) -> list[syntax.Access]:
    return [x for x in syntax.walk(e) if isinstance(x, syntax.Access)]


def cells(e: syntax.Expr) -> list[syntax.Access]:
    return [x for x in syntax.walk(e) if is_cell(x)]


def iterators(e: syntax.Expr) -> list[str]:
    return [x.name for x in syntax.walk(e) if isinstance(x, syntax.Iterator)]


@dataclass(frozen=True)
class Tap:
    """A cell of an array, at `at` from where the loops around it are: `A[t][i-1]` is at (0, -1)
    from `A[t][i]`, which is its `base`; a number alone is no distance."""

    cell: syntax.Access
    base: tuple[str, ...]
    at: Place

    def moved(self, at: Place, array: str = "") -> str:
        """The same at another place, or of another array, as a person writes it."""
        each = (f"{e}{k:+d}" if k else e for e, k in zip(self.base, at, strict=True))
        return (array or self.cell.array) + "".join(f"[{e}]" for e in each)


def tap(cell: syntax.Access) -> Tap:
    base, at = zip(*map(_split, cell.subscripts), strict=True)
    return Tap(cell, base, at)


def _split(e: syntax.Expr) -> tuple[str, int]:
    """`N-1-i` as what is computed in it and the number that is added."""
    rest, number = [], 0
    for sign, x in terms(e):
        if isinstance(x, syntax.Number) and isinstance(x.value, int):
            number += x.value if sign == "+" else -x.value
        else:
            rest.append(sign + print_expression(x))
    base = "".join(sorted(rest)).removeprefix("+")
    return (base, number) if iterators(e) else (print_expression(e), 0)
