"""Which functions of an innermost loop's subscripts are worth a table."""

from __future__ import annotations

import math
from collections.abc import Iterator as Iter, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from polynb import isl
from polynb.recurrences.functions import Quotient, RepeatedFunctions
from polynb.recurrences.innermost import (
    NOT_UP,
    InnermostLoop,
    Refusal,
    clobbered,
    counts_up,
    innermost_loop,
)
from polynb.recurrences.plan_shifted import access_of
from polynb.recurrences.shifted_copies import operations
from polynb.scop.model import Scop, Statement
from polynb.source.operators import evaluated
from polynb.source.traps import may_trap
from polynb.source.tree import Access, Expr, accesses, children, rebuild, walk
from polynb.source.type_inference import Types

FEW: Final = 64
"""Cells along a dimension that data decides the place in: all their values are in the table."""


@dataclass(frozen=True)
class Dimension:
    """Of a table, `size` cells long. Arguments are `floord(y + shift, divisor)`, with shifts from
    `least` to `most`; the first cell of strip s has the value at `s * per_strip + first`. Where
    data decides, the divisor is 0, and each strip has all values from 0 on."""

    size: int
    divisor: int = 0
    least: int = 0
    most: int = 0
    per_strip: int = 0
    first: int = 0


@dataclass(frozen=True, eq=False)
class FunctionTable:
    """A function that is worth a table: its number, one of its nodes, that one's arguments."""

    function: int
    node: Expr
    arguments: tuple[int, ...]
    dimensions: tuple[Dimension, ...]

    @property
    def cells(self) -> int:
        return math.prod(d.size for d in self.dimensions)


@dataclass(frozen=True, eq=False)
class TablePlan:
    """The tables of a statement, for strips of `length` iterations of its innermost loop."""

    statement: Statement
    innermost: InnermostLoop
    functions: RepeatedFunctions
    tables: tuple[FunctionTable, ...]
    length: int


def plan_tables(
    scop: Scop, s: Statement, least: int, types: Types, length: int
) -> TablePlan | Refusal | None:
    """The tables of a statement, for strips of `length` iterations, why there can be none, or None
    if none is worth it. `least`: the operations that a value must take."""
    e = s.expression
    if not s.iterators or operations(e)[id(e)] < 2 * least:
        return None
    innermost = innermost_loop(scop, s)
    if isinstance(innermost, Refusal):
        return None
    functions = RepeatedFunctions(innermost.iterator)
    unfit: dict[int, Refusal] = {}
    tables: list[FunctionTable] = []
    for t in _tables(scop, e, functions, least, length, innermost.trips, unfit):
        refused = _refused(scop, s, innermost, functions, t, types)
        if refused is None:
            tables.append(t)
        else:
            unfit[t.function] = refused
    if not tables:
        return next(iter(unfit.values()), None)
    return TablePlan(s, innermost, functions, tuple(tables), length)


def _refused(
    scop: Scop,
    s: Statement,
    innermost: InnermostLoop,
    functions: RepeatedFunctions,
    t: FunctionTable,
    types: Types,
) -> Refusal | None:
    if s.guard is not None:
        return Refusal("data decides whether it runs")
    if not counts_up(s, innermost):
        return Refusal(NOT_UP)
    value = functions.replaced(t.node, t.arguments, tuple("k" for _ in t.arguments))
    if any(may_trap(x, types) for x in walk(value)):
        return Refusal("its values cannot be computed where no copy does")
    nodes = _copies(functions, t, s.expression)
    reads = {id(a): a for x in nodes for a in accesses(x)}
    return clobbered(
        scop, s, innermost, [(access_of(s, a, s.domain), None) for a in reads.values()]
    )


def _tables(
    scop: Scop,
    e: Expr,
    functions: RepeatedFunctions,
    least: int,
    length: int,
    trips: int | None,
    unfit: Mapping[int, Refusal],
) -> Iter[FunctionTable]:
    """The functions to keep, the one that saves most first. What only they compute is not looked
    at again, nor what they are a part of; nor what has meanwhile become `unfit`."""
    cost = operations(e)
    iterations = length if trips is None else min(length, trips)
    kept: set[int] = set()
    known: dict[tuple[int, frozenset[tuple[int, ...]]], FunctionTable | None] = {}
    while True:
        best: tuple[int, FunctionTable] | None = None
        for function, nodes in _by_function(e, functions, kept).items():
            each = cost[id(next(iter(nodes.values())))]
            if each < least or function in unfit:
                continue
            key = function, frozenset(nodes)
            if key not in known:
                known[key] = _table(scop, functions, function, nodes, length)
            table = known[key]
            if table is None:
                continue
            # Reading a cell, and writing it, is about one operation.
            saved = len(nodes) * iterations * (each - 1) - table.cells * (each + 1)
            if saved > 0 and (best is None or saved > best[0]):
                best = saved, table
        if best is None:
            return
        yield best[1]
        if best[1].function not in unfit:
            kept.add(best[1].function)


def _by_function(
    e: Expr, functions: RepeatedFunctions, kept: set[int]
) -> dict[int, dict[tuple[int, ...], Expr]]:
    """The nodes that are not inside of what is kept, nor around it, by function and arguments."""

    def is_kept(node: Expr) -> bool:
        copy = functions.of(node)
        return copy is not None and copy.function in kept

    around: dict[int, bool] = {}
    rebuild(e, lambda node, parts: any(parts) or is_kept(node), around)
    nodes: dict[int, dict[tuple[int, ...], Expr]] = {}
    seen, stack = set[int](), [e]
    while stack:
        node = stack.pop()
        if id(node) in seen or is_kept(node):
            continue
        seen.add(id(node))
        copy = functions.of(node)
        plain = isinstance(node, Access) or around[id(node)]
        if copy is not None and copy.arguments and not plain:
            nodes.setdefault(copy.function, {}).setdefault(copy.arguments, node)
        stack.extend(reversed(children(node)))
    return nodes


def _copies(functions: RepeatedFunctions, t: FunctionTable, e: Expr) -> Iter[Expr]:
    for x in walk(e):
        copy = functions.of(x)
        if copy is not None and copy.function == t.function:
            yield x


def _table(
    scop: Scop,
    functions: RepeatedFunctions,
    function: int,
    nodes: Mapping[tuple[int, ...], Expr],
    length: int,
) -> FunctionTable | None:
    """The table of a function, of which `nodes` are the copies by their arguments; None if those
    are neither divisions nor few."""
    first, node = next(iter(nodes.items()))
    dimensions: list[Dimension] = []
    for arguments in zip(*nodes, strict=True):
        try:
            quotients = [functions.quotient(a) for a in arguments]
        except ValueError:
            return None
        divided = [q for q in quotients if q is not None]
        if not divided:
            few = _few(scop, functions, node, arguments[0])
            dimension = None if few is None else Dimension(few)
        elif len(divided) == len(quotients):
            dimension = _divided(divided, length)
        else:
            dimension = None
        if dimension is None:
            return None
        dimensions.append(dimension)
    if all(d.divisor == 1 for d in dimensions):
        return None  # copies that are shifted: see shifted_copies.py
    return FunctionTable(function, node, first, tuple(dimensions))


def _divided(quotients: Sequence[Quotient], length: int) -> Dimension | None:
    divisor, shifts = quotients[0].divisor, [q.shift for q in quotients]
    least, most = min(shifts), max(shifts)
    if length % divisor or any(q.divisor != divisor for q in quotients):
        return None
    first, last = least // divisor, (length - 1 + most) // divisor
    return Dimension(last - first + 1, divisor, least, most, length // divisor, first)


def _few(scop: Scop, functions: RepeatedFunctions, node: Expr, argument: int) -> int | None:
    """How many values a subscript that data decides can have, if they are few: as many as all
    arrays have cells there that are surely read with it."""
    sizes, surely = [], evaluated(node)
    for x in walk(node):
        if isinstance(x, Access) and id(x) in surely:
            for e, extent in zip(x.subscripts, scop.arrays[x.array].extents, strict=True):
                if functions.number(e) == argument:
                    sizes.append(_constant(extent))
    known = [n for n in sizes if n is not None]
    return min(known) if known and min(known) <= FEW else None


def _constant(extent: isl.PwAff | None) -> int | None:
    if extent is None:
        return None
    value = isl.Set.from_pw_aff(extent).dim_max_val(0)
    least = isl.Set.from_pw_aff(extent).dim_min_val(0)
    return value.to_python() if value.is_int() and value.eq(least) else None
