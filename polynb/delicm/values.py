"""Which value each statement instance writes and reads (DeLICM, section 4.1): a value is known by
the instance that computed it, wherever copies have carried it since.

A value is a point of a named tuple:

    Const_0p5_double[]  a literal, as it is stored in an element of that type
    Init_A[x]           what A[x] held before the program
    Val_S[i]            what S[i] stored, if it is nothing of the above

A plain copy, `x = y` between elements of one type, writes the value that it reads, and so on
through chains of copies; copies that feed themselves have values of their own. Equal values are
equal bits; different ones may be equal by chance. An instance without a value in the relations
below is unknown: what a may-write leaves, for one.

The program must be one over its memory (`scop.storage.in_memory`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from polynb import isl
from polynb.dependences import Dependences, Edge
from polynb.dependences.memory import destroyers, same_cell
from polynb.graphs import reached
from polynb.scop.model import MemoryAccess, Scop, Statement, constant_order
from polynb.source.literals import LARGEST
from polynb.source.tree import Access, Cast, Expr, Let, Number, Unary
from polynb.source.types import FLOAT, ElementType

INITIAL, COMPUTED, CONSTANT = "Init_", "Val_", "Const_"

_Access = tuple[Statement, MemoryAccess]


@dataclass(frozen=True, eq=False)
class ProgramValues:
    """The values of a program. `written[S]` is `{ S[i] -> Val }`, what S[i] stores."""

    dependences: Dependences
    written: Mapping[str, isl.UnionMap]
    _later: dict[tuple[str, str, str], isl.Map | None] = field(default_factory=dict, repr=False)

    @property
    def scop(self) -> Scop:
        return self.dependences.scop

    def read(self, statement: str, number: int) -> isl.UnionMap:
        """`{ S[i] -> Val }`: what the `number`-th read of a statement reads."""
        return _read(self.dependences, self.written, self.scop.by_name[statement], number)

    @cached_property
    def writers(self) -> Mapping[str, Sequence[Statement]]:
        """The statements that are sure to write, by the array they write."""
        found: dict[str, list[Statement]] = {}
        for s in self.scop.statements:
            if s.write.must:
                found.setdefault(s.write.array, []).append(s)
        return found

    @cached_property
    def holders(self) -> Mapping[str, Collection[str]]:
        """The arrays in which values may be found, by the name of the values' tuple."""
        found = {INITIAL + array: {array} for array in self.scop.arrays}
        for array, writers in self.writers.items():
            for value in (m for w in writers for m in isl.maps(self.written[w.name])):
                found.setdefault(isl.tuple_name(value, isl.OUT), set()).add(array)
        return found

    def destroyed(self, writer: Statement, name: str, by: _Access) -> isl.Map | None:
        """`{ W[j] -> K[k] }`: k may overwrite, later, what j wrote; None if it never does."""
        key = writer.name, writer.write.array, name
        if key not in self._later:
            pairs = same_cell((writer, writer.write), by, strict=True)
            self._later[key] = None if pairs.is_empty() else pairs
        return self._later[key]


@isl.bounded("the computation of values")
def values(dependences: Dependences) -> ProgramValues:
    """The values that a program's statements write and read."""
    return ProgramValues(dependences, written_values(dependences))


@isl.bounded("the computation of values")
def written_values(dependences: Dependences) -> dict[str, isl.UnionMap]:
    """For each statement `{ S[i] -> Val }`, single-valued: the value that it stores. Instances
    that need not write, or need not write where they may, have none."""
    scop = dependences.scop
    copies = {s.name: k for s in scop.statements if (k := copied_read(scop, s)) is not None}
    fed_by = {
        name: {e.source for e in _edges_into(dependences, scop.by_name[name], k) if e.exact}
        & copies.keys()
        for name, k in copies.items()
    }
    waiting = [n for n in copies if n not in reached(fed_by[n], fed_by.__getitem__)]
    known = {s.name: _own(scop, s) for s in scop.statements if s.name not in waiting}
    while waiting:  # no copy among these feeds itself: one is always ready
        name = next(n for n in waiting if fed_by[n] <= known.keys())
        waiting.remove(name)
        s = scop.by_name[name]
        read = _read(dependences, known, s, copies[name])
        own = s.domain.to_union_set().subtract(read.domain())
        known[name] = read.union(_own(scop, s).intersect_domain(own))
    return known


@isl.bounded("the computation of values")
def read_values(
    dependences: Dependences, written: Mapping[str, isl.UnionMap]
) -> dict[tuple[str, int], isl.UnionMap]:
    """For each (statement, read number) `{ S[i] -> Val }`, single-valued: the value that it reads,
    where the flow is known exactly; `written` is what `written_values` gave."""
    return {
        (s.name, k): _read(dependences, written, s, k)
        for s in dependences.scop.statements
        for k in range(len(s.reads))
    }


def copied_read(scop: Scop, s: Statement) -> int | None:
    """The number of the read that a statement copies, as it is; None if it is no copy."""
    if s.guard is not None or not s.write.must:
        return None
    e, to = s.expression, scop.arrays[s.write.array].type
    while isinstance(e, Let | Cast):
        if isinstance(e, Cast) and e.type != to:
            return None
        e = e.value if isinstance(e, Let) else e.operand
    if not isinstance(e, Access) or scop.arrays[e.array].type != to:
        return None
    return next((k for k, r in enumerate(s.reads) if r.node is e and r.must), None)


def _own(scop: Scop, s: Statement) -> isl.UnionMap:
    """`{ S[i] -> Const[] }` or `{ S[i] -> Val_S[i] }`: the value of a statement by itself."""
    if s.guard is not None or not s.write.must:
        return isl.union_map(())
    name = _constant_name(s.expression, scop.arrays[s.write.array].type)
    if name is None:
        own = s.domain.identity().set_tuple_name(isl.OUT, COMPUTED + s.name)
        return own.to_union_map()
    to = isl.Set.universe(isl.set_space(scop.parameters, CONSTANT + name, ()))
    return isl.Map.from_domain_and_range(s.domain, to).to_union_map()


def _read(
    dependences: Dependences, written: Mapping[str, isl.UnionMap], s: Statement, number: int
) -> isl.UnionMap:
    access = s.reads[number]
    found = isl.union_map(())
    if not access.must:
        return found
    initial = dependences.flow(access.array).live_in.get((s.name, number))
    for e in _edges_into(dependences, s, number):
        if e.exact:
            defined = e.relation.reverse().to_union_map()
            found = found.union(defined.apply_range(written[e.source]))
        elif initial is not None:
            initial = initial.subtract_domain(e.relation.range())
    if initial is not None:
        found = found.union(initial.set_tuple_name(isl.OUT, INITIAL + access.array).to_union_map())
    return found


def _edges_into(dependences: Dependences, s: Statement, number: int) -> list[Edge]:
    edges = dependences.flow(s.reads[number].array).edges
    return [e for e in edges if e.target == s.name and e.read == number]


# -- where a value is -----------------------------------------------------------------------


@isl.bounded("the search for a value in memory")
def cells_with(
    values: ProgramValues,
    s: Statement,
    wanted: isl.UnionMap,
    array: str,
    among: isl.Map | None = None,
) -> isl.Map:
    """`{ S[i] -> A[y] }`: the cells of an array (`among` these, if given) that hold, when S[i]
    reads, the value that is wanted there, `{ S[i] -> Val }`, for certain.

    A cell holds what was last written to it, if nothing may have overwritten it in between, or,
    if nothing may have been written to it, what it held before the program. (No set of times is
    ever made, only pairs of instances.)
    """
    scop = values.scop
    found = _initial_cells(s, wanted, array, values.dependences)
    for w in values.writers.get(array, ()):
        if _is_later(w, s):
            continue
        pairs = _relation(wanted.apply_range(values.written[w.name].reverse()), w.name)
        if pairs is None:
            continue
        pairs = pairs.reverse()  # { W[j] -> S[i] }
        if among is not None:
            pairs = pairs.intersect(w.write.relation.apply_range(among.reverse()))
        if pairs.is_empty():  # of a large program, nearly all
            continue
        pairs = _only_later(pairs, w, s)
        for name, by in _changes(values.dependences, array).items():
            if pairs.is_empty():
                break
            destroyed = values.destroyed(w, name, by)
            if destroyed is not None:
                again = by[0].schedule.lex_lt_map(s.schedule)
                pairs = pairs.subtract(destroyed.apply_range(again))
        cells = pairs.reverse().apply_range(w.write.relation)
        found = cells if found is None else found.union(cells)
    if found is None:
        cell = scop.arrays[array].dimensions
        to = isl.set_space(scop.parameters, array, [f"x{k}" for k in range(cell)])
        return isl.Map.empty(s.domain.get_space().map_from_domain_and_range(to))
    return isl.coalesced(found if among is None else found.intersect(among))


@isl.bounded("the search for a value in memory")
def same_content(
    values: ProgramValues, s: Statement, wanted: isl.UnionMap, arrays: Sequence[str]
) -> isl.Map | None:
    """findElementWithSameContent (DeLICM, Listing 7): `{ S[i] -> A[y] }`, for each instance of S
    one cell that holds, when it reads, the wanted value `{ S[i] -> Val }`; all of one array, the
    first of `arrays` that has one for every instance. None if there is none."""
    known = s.domain.intersect_params(values.scop.assumed)
    if not known.to_union_set().is_subset(wanted.domain()):
        return None
    names = (isl.tuple_name(m, isl.OUT) for m in isl.maps(wanted))
    holders = {array for name in names for array in values.holders.get(name, ())}
    for array in (a for a in arrays if a in holders):  # of a large program, few
        cells = cells_with(values, s, wanted, array).intersect_domain(known)
        if known.is_subset(cells.domain()):
            one = _one_cell(cells)
            if one is not None:
                return one
    return None


def _one_cell(cells: isl.Map) -> isl.Map | None:
    """One cell for each instance. isl's lexmin is not trusted: what it finds is verified."""
    if cells.is_single_valued():
        return cells
    try:
        with isl.wrapped():
            first: isl.Map = cells.lexmin()
    except isl.BudgetExhausted:
        raise
    except isl.IslError:
        return None
    whole = first.is_subset(cells) and cells.domain().is_subset(first.domain())
    return first if whole and first.is_single_valued() else None


def _changes(dependences: Dependences, array: str) -> dict[str, _Access]:
    """Whatever may change what is in the cells of an array."""
    statements = dependences.scop.statements
    found = destroyers(statements, array, dependences.kills)
    for s in statements:
        if s.write.array == array and not s.write.must:
            found[s.name] = s, s.write
    return found


def _initial_cells(
    s: Statement, wanted: isl.UnionMap, array: str, dependences: Dependences
) -> isl.Map | None:
    found = _relation(wanted, INITIAL + array)
    if found is None:
        return None
    found = found.set_tuple_name(isl.OUT, array)
    for by, access in _changes(dependences, array).values():
        order = constant_order(by, s)
        if order is None:
            earlier = by.schedule.lex_lt_map(s.schedule).intersect_domain(by.domain)
            found = found.subtract(earlier.reverse().apply_range(access.relation))
        elif order < 0:
            found = found.subtract_range(access.relation.range())
    return found


def _is_later(w: Statement, s: Statement) -> bool:
    """Whether no instance of W comes before one of S, as constants of their schedules say."""
    order = constant_order(w, s)
    return order is not None and order >= 0


def _only_later(pairs: isl.Map, w: Statement, s: Statement) -> isl.Map:
    """The pairs `{ W[j] -> S[i] }` in which j comes before i."""
    if constant_order(w, s) is None:
        return pairs.intersect(w.schedule.lex_lt_map(s.schedule))
    return isl.Map.empty(pairs.get_space()) if _is_later(w, s) else pairs


def _relation(union: isl.UnionMap, to: str) -> isl.Map | None:
    """The map into one tuple in a union that has at most one; None if there is none."""
    return next((m for m in isl.maps(union) if isl.tuple_name(m, isl.OUT) == to), None)


def _constant_name(e: Expr, stored: ElementType) -> str | None:
    """The name of the constant that an expression leaves in an element of a type, `m0p5_double`:
    its literal (0.0 is not -0.0, nor 0 one of them, which `pn.equivalent` tells apart as well) and
    that type. None for what is no literal, or is one whose conversion is not the same everywhere.
    """
    found = _literal(e, stored)
    if found is None or not _defined(*found, stored):
        return None
    value, kind = found
    digits = re.sub(r"\W", lambda m: {"-": "m", ".": "p"}.get(m[0], ""), repr(value))
    return f"{digits}{'f' if kind is FLOAT else ''}_{stored}"


def _literal(e: Expr, stored: ElementType) -> tuple[int | float, ElementType] | None:
    """The value and the type of a literal, perhaps behind a sign, and behind the conversion that
    storing it does anyway."""
    match e:
        case Number(value=v, type=t):
            return v, t
        case Let(value=inner):
            return _literal(inner, stored)
        case Cast(type=t, operand=inner) if t == stored:
            return _literal(inner, stored)
        case Unary(op="-", operand=Number(value=v, type=t)):
            return (-v, t) if t.is_signed else None
    return None


def _defined(value: int | float, was: ElementType, to: ElementType) -> bool:
    """Whether C says what the conversion of a value gives (C99 6.3.1)."""
    if was.is_float and not math.isfinite(value):
        return False
    if not to.is_float:
        low = -(2 ** (8 * to.size - 1)) if to.is_signed else 0
        return bool(low <= int(value) < low + 2 ** (8 * to.size))
    return to is not FLOAT or abs(value) <= LARGEST[FLOAT]
