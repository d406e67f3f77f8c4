"""Expressions as a person reads them: equal terms once, sums in words, temporaries by name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator as Iter
from itertools import combinations
from typing import Final

from polynb.reading.ranges import Unsaid
from polynb.source.scoplang.text import Texts
from polynb.source.tree import (
    Access,
    Binary,
    Call,
    Expr,
    Iterator,
    Let,
    Number,
    Select,
    Unary,
    accesses,
    children,
    rebuild,
    same,
    walk,
    with_children,
)
from polynb.source.types import DOUBLE, INT32

LONG: Final = 90
"""Characters of a formula that a person reads at a glance."""
LONG_BELOW: Final = 110
"""Characters of the line below it on what a temporary is."""
SHORT: Final = 16
"""Characters of a value that needs no name."""
SQUARE: Final = "square of "
NAMED: Final = 3
"""Temporaries that a person keeps in mind."""
MOST: Final = 6
"""Temporaries of which some might get names."""
_BOUND: Final = re.compile(r"([\w']+) = ")
_LONG_NUMBER: Final = re.compile(r"\b(\d+)L\b")
_OVER: Final = re.compile(
    r"(?:sum|product|smallest|largest) over [^;]*? of (?=\()|square of (?=\()"
)


def plainer(e: Expr) -> Expr:
    """The same value (of real numbers: floating sums are rounded otherwise): `2*a + b` for
    `a + b + a`, and one choice for `if c` and `else`."""

    def visit(node: Expr, parts: tuple[Expr, ...]) -> Expr:
        new = with_children(node, parts)
        match new:
            case Binary(op="+" | "-"):
                return _collected(new)
            case Select(condition=x, then=a, otherwise=otherwise):
                other = _bare(otherwise)
                if isinstance(other, Select):
                    y, b = _bare(other.condition), other.then
                    if _is_not(_bare(x), y):
                        return Select(y, b, a)
                    if _is_not(y, _bare(x)):
                        return Select(x, a, b)
            case Binary(op="*", left=a, right=b) if isinstance(a, Binary | Let) and same(a, b):
                return Call(SQUARE, (a,))
        return new

    return rebuild(e, visit)


def _bare(e: Expr) -> Expr:
    while isinstance(e, Let):
        e = e.value
    return e


def _is_not(e: Expr, other: Expr) -> bool:
    return isinstance(e, Unary) and e.op == "!" and same(_bare(e.operand), other)


def _collected(e: Binary) -> Expr:
    """A sum, in which no term is there twice."""
    found: list[tuple[int | float, Expr, Expr]] = []
    again = False
    for sign, whole in _terms(e):
        factor: int | float = sign
        term = whole
        if isinstance(whole, Binary) and whole.op == "*" and isinstance(whole.left, Number):
            factor, term = sign * whole.left.value, whole.right
        k = next((k for k, x in enumerate(found) if same(x[1], term)), None)
        if k is None or isinstance(term, Number):
            found.append((factor, term, whole if sign > 0 else Unary("-", whole)))
            continue
        again = True
        total = found[k][0] + factor
        times = Number(abs(total), INT32) if isinstance(total, int) else Number(abs(total), DOUBLE)
        product = term if abs(total) == 1 else Binary("*", times, term)
        found[k] = total, term, product if total >= 0 else Unary("-", product)
    gone = [x[1] for x in found if not x[0]]
    if not again or not all(isinstance(x, Access) and x.subscripts for x in gone):
        return e  # quotients may be infinite, and a number is added and taken away to round
    kept = [x[2] for x in found if x[0]]
    result: Expr = kept[0] if kept else Number(0, INT32)
    for x in kept[1:]:
        match x:
            case Unary(op="-", operand=y):
                result = Binary("-", result, y)
            case _:
                result = Binary("+", result, x)
    return result


def _terms(e: Expr, sign: int = 1) -> Iter[tuple[int, Expr]]:
    """The terms of `a + b - c`, each with its sign."""
    if isinstance(e, Binary) and e.op in ("+", "-"):
        yield from _terms(e.left, sign)
        yield sign if e.op == "+" else -sign, e.right
    else:
        yield sign, e


def written(e: Expr, names: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """The text of a value at iterators, and what the names of temporaries in it stand for: of those
    that are long and read more than once, or of all that are long if the text would be. Raises
    Unsaid if it is too long even so."""
    lets = [x for x in walk(e) if isinstance(x, Let)]
    uses = Counter(id(x) for node in walk(e) for x in children(node))
    taken = Counter([x.name for x in lets] + [x.array for x in accesses(e)])
    named = [x for x in lets if taken[x.name] == 1 and len(_text(x.value, ())) > SHORT]
    named = [x for x in named if _free(x.value) <= {*names}]
    again = [x for x in named if uses[id(x)] > 1]
    once = [x for x in named if uses[id(x)] == 1][:MOST]
    for count in range(NAMED + 1 - len(again)):
        each = (_said(e, (*again, *more)) for more in combinations(once, count))
        found = min(each, key=lambda texts: max(map(len, texts)), default=(" " * LONG * 2,))
        if len(found[0]) <= LONG and max(map(len, found)) <= LONG_BELOW:
            return found[0], found[1:]
    raise Unsaid


def _said(e: Expr, kept: tuple[Let, ...]) -> tuple[str, ...]:
    return _text(e, kept), *(f"{x.name} = {_text(x.value, kept)}" for x in kept)


def _free(e: Expr) -> set[str]:
    """The iterators that an expression depends on."""

    def visit(node: Expr, parts: tuple[set[str], ...]) -> set[str]:
        if isinstance(node, Iterator):
            return {node.name}
        bound = set(_BOUND.findall(node.function)) if isinstance(node, Call) else set()
        return set[str]().union(*parts) - bound

    return rebuild(e, visit)


def _text(e: Expr, kept: tuple[Let, ...]) -> str:
    text = _LONG_NUMBER.sub(r"\1", Texts(lets={id(x): x.name for x in kept}).value(e))
    for found in reversed([*_OVER.finditer(text)]):
        words, rest = found[0], text[found.end() :]
        end = next(k for k in range(1, len(rest)) if not _open(rest[: k + 1]))
        body, behind, before = rest[1:end], rest[end + 1 :], text[: found.start()]
        if words == "square of ":
            text = f"{before}({body})²{behind}"
            continue
        alone = before[-1:] in ("", "(") or before.endswith(", ")
        alone = alone and behind[:1] in ("", ")")
        body = f"({body})" if _is_sum(body) else body
        text = f"{before}{words}{body}{behind}" if alone else f"{before}({words}{body}){behind}"
    return text


def _is_sum(text: str) -> bool:
    ends = (m.start() for m in re.finditer(r" [+-] ", text))
    return any(_open(text[:k]) == 0 for k in ends)


def _open(text: str) -> int:
    return text.count("(") - text.count(")")
