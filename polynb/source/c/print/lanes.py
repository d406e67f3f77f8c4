"""Loops that look up cells of small rows, in lanes of vectors.

Which cell data decides; but the row is one and the same in eight iterations, and fits into two
registers. So a processor shuffles it, eight look-ups at once, where it would fetch cell by cell, or
gather, which takes as long (a bilateral grid's interpolation: 6 times as long). Of what is around,
compilers make vectors as of any loop with eight iterations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator as Iter, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from polynb.source.c.print.expressions import CExpressions
from polynb.source.c.print.layout import indented
from polynb.source.lower_bounds import LowerBounds
from polynb.source.normal_form import Linear, linear_form
from polynb.source.operators import evaluated
from polynb.source.tree import (
    Access,
    Assign,
    Binary,
    Declaration,
    Expr,
    For,
    Iterator,
    Let,
    Number,
    iterators,
    own,
    rebuild,
    walk,
    with_children,
)
from polynb.source.types import FLOAT, INT32

LANES: Final = 8
CELLS: Final = range(LANES, 2 * LANES + 1)
"""How many cells a row has that fits into two vectors, and not into half of one."""


Rows = Mapping[str, tuple[Expr, ...]]
"""The extents of arrays of small rows."""


@dataclass(frozen=True, eq=False)
class InLanes:
    """A loop `for y: s` of which iterations y to y + 7 may run as lanes of vectors where
    `(y + offset) % 8 == 0` (anywhere if that is None): `lanes` does so, and looks up `cells`, in
    the order in which they need each other. Each row, of so many, is the same in all lanes."""

    offset: int | None
    lanes: For
    cells: tuple[tuple[Access, int], ...]


def in_lanes(loop: For, declared: Iterable[Declaration], e: CExpressions) -> InLanes | None:
    """A loop as it runs in lanes, if it looks up cells of small rows, and reads nothing of the
    array that it writes (in the order of its iterations): sound, not exact."""
    if loop.step != 1 or loop.kind not in ("sequential", "vector") or loop.private:
        return None
    rows = {d.name: d.extents or () for d in declared if _is_small(d)}
    match loop.body:
        case (Assign() as s,) if any(_looks_up(x, rows) for x in walk(s.value)):
            if s.target.array not in {x.array for x in walk(s.value) if isinstance(x, Access)}:
                e.bounds.enter(loop)
                found = _in_lanes(loop, s, rows, e)
                e.bounds.leave(loop)
                return found
    return None


def _in_lanes(loop: For, s: Assign, rows: Rows, e: CExpressions) -> InLanes | None:
    lane = e.names.local("lane")
    quotients = _Quotients(loop.iterator, e.bounds)
    offset = next(quotients.offsets(s.value, rows), None)

    def visit(x: Expr, parts: tuple[Expr, ...]) -> Expr:
        """In that lane."""
        match x:
            case Iterator(name=loop.iterator):
                return Binary("+", x, Iterator(lane))
            case Binary(op=op, right=Number(value=d)) if (
                offset is not None and quotients.offset(x) == offset
            ):
                number: Expr = Iterator(lane) if d == LANES else Binary("+", x, Iterator(lane))
                return x if op in ("floord", "/") else number
        return with_children(x, parts)

    target = rebuild(s.target, visit)
    assert isinstance(target, Access)
    new = replace(s, target=target, value=rebuild(s.value, visit))
    cells = (*_cells(new.value, rows, lane),)
    body = For(lane, Number(0, INT32), Number(LANES - 1, INT32), (new,))
    return InLanes(offset, body, cells) if cells else None


@dataclass(frozen=True)
class _Quotients:
    """Of the sum of an iterator and some number o by some eights, and the remainders: they count on
    where the sum is divisible by 8. `bounds`: C's own are such of what is not negative."""

    iterator: str
    bounds: LowerBounds

    def offsets(self, e: Expr, rows: Rows) -> Iter[int]:
        """The o of those that small rows are found by."""
        for x in walk(e):
            if isinstance(x, Access) and _looks_up(x, rows):
                found = (self.offset(n) for r in x.subscripts[:-1] for n in walk(r))
                yield from (o for o in found if o is not None)

    def offset(self, e: Expr) -> int | None:
        """The least such o of such a quotient or remainder."""
        match e:
            case Binary(op=op, left=a, right=Number(value=int(d))) if d > 0 and d % LANES == 0:
                floors = op in ("/", "%") and self.bounds.at_least(a, 0)
                form = linear_form(a) if floors or op in ("floord", "mod") else None
                return form.constant % LANES if form is not None and self._counts(form) else None
        return None

    def _counts(self, form: Linear) -> bool:
        """Whether it is the iterator and a number, but for multiples of 8."""
        own = ("i", self.iterator)
        others = [known for key, known in form.terms.items() if key != own]
        still = self.iterator not in iterators(*(atom for _, atom in others))
        whole = not any(c % LANES for c, _ in others)
        return own in form.terms and form.terms[own][0] == 1 and whole and still


def _is_small(d: Declaration) -> bool:
    match d.extents:
        case (*_, Number(value=n)):
            return d.type in (FLOAT, INT32) and n in CELLS
    return False


def _looks_up(x: Expr, rows: Rows) -> bool:
    return (
        isinstance(x, Access)
        and x.array in rows
        and any(isinstance(n, Access) for n in walk(x.subscripts[-1]))
        and not any(isinstance(n, Access) for e in x.subscripts[:-1] for n in walk(e))
    )


def _cells(e: Expr, rows: Rows, lane: str) -> Iter[tuple[Access, int]]:
    """The cells that are looked up in rows which are the same in all lanes, inner ones first. As
    all will be, each is there in any case: it is evaluated, or such a one of an array as large."""
    nodes: list[Expr] = []
    rebuild(e, lambda x, _: nodes.append(x))
    found = [x for x in nodes if isinstance(x, Access) and _looks_up(x, rows)]
    still = [x for x in found if lane not in iterators(*x.subscripts[:-1])]
    number = _numbers()
    places = [(*map(number, (*x.subscripts, *rows[x.array])),) for x in still]
    always = evaluated(e)
    there = {p for x, p in zip(still, places, strict=True) if id(x) in always}
    for x, place in zip(still, places, strict=True):
        match rows[x.array]:
            case (*_, Number(value=int(n))) if place in there:
                yield x, n


def _numbers() -> Callable[[Expr], int]:
    """A number for each expression, the same for those that say the same."""
    known: dict[object, int] = {}

    def visit(x: Expr, parts: tuple[int, ...]) -> int:
        same = (type(x), own(x), parts)
        return parts[0] if isinstance(x, Let) else known.setdefault(same, len(known))

    return lambda e: rebuild(e, visit)


# -- as C ---------------------------------------------------------------------------------------


PrintLoop = Callable[[For, str, str], Iter[str]]
"""Of a loop, where it begins, and what ends it."""


def lines_in_lanes(
    loop: For, found: InLanes, end: str, e: CExpressions, print_loop: PrintLoop
) -> Iter[str]:
    """What stands first in the body of a loop: eight iterations at once, where there are as many.
    `end`: what ends it, behind its iterator."""
    y = e.names.of(loop.iterator)
    moved = f"({y} + {found.offset})" if found.offset else y
    here = "" if found.offset is None else f"{moved} % {LANES} == 0 && "
    yield f"#ifdef {e.helpers.shuffles()}"
    yield f"if ({here}{y} + {LANES - 1} {end}) {{"
    before, printed = dict(e.rows), _Printed(found.lanes, e, print_loop)
    for cell, size in found.cells:
        yield from indented(printed.look_up(cell, size))
    yield from indented(printed.loop(found.lanes))
    e.rows.clear()
    e.rows.update(before)
    yield f"  {y} += {LANES - 1};"
    yield "  continue;"
    yield "}"
    yield "#endif"


@dataclass(frozen=True)
class _Printed:
    """Look-ups in C; `at`: the arrays of the subscripts of all lanes."""

    lanes: For
    e: CExpressions
    print_loop: PrintLoop
    at: dict[str, str] = field(default_factory=dict)

    def look_up(self, cell: Access, size: int) -> Iter[str]:
        """What has a cell of each lane in an array of its own, where expressions then find it."""
        e, text, index = self.e, self.e.plain(cell), cell.subscripts[-1]
        if text in e.rows.values():
            return  # it has been looked up
        lane, number = self.lanes.iterator, e.plain(index)
        if number not in self.at:
            name = e.names.local("at")
            self.at[number] = e.names.of(name)
            yield f"int32_t {self.at[number]}[{LANES}];"
            kept = Assign(Access(name, (Iterator(lane),)), index)
            yield from self.loop(replace(self.lanes, body=(kept,)))
        kind, held = e.types.of(cell), e.names.fresh("cell")
        yield f"{kind.c_name} {held}[{LANES}];"
        yield f"{e.helpers.look_up(kind)}({held}, {e.row(cell)}, {size}, {self.at[number]});"
        e.rows[text] = f"{held}[{e.names.of(lane)}]"

    def loop(self, loop: For) -> Iter[str]:
        return self.print_loop(loop, "0", f"< {LANES}")
