"""What a program leaves in its arrays, said in lines: `out[i] = in[i-1] + in[i]`."""

from __future__ import annotations

from collections.abc import Container, Iterator as Iter, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from polynb import isl
from polynb.reading.choices import with_tests
from polynb.reading.plainer import plainer, written
from polynb.reading.ranges import Unsaid, described, iterators_of, ranges_of
from polynb.reading.values import LARGE, FlowValues, Mixed, ReadingFrame, moved, types_of
from polynb.scop.affine_from_isl import conditions
from polynb.scop.arrays import cells
from polynb.scop.doubtful_cells import usual
from polynb.scop.model import Scop, Statement, constant_order
from polynb.source.scoplang.printer import print_affine, print_expression
from polynb.source.tree import Access

PIECES: Final = 4
"""Formulas of one array."""


@dataclass(frozen=True)
class LeftFormula:
    """A value that is left in `cells` of an array, for the iterators and sizes of `where`; `given`
    says what the names of temporaries in it stand for. `each`: iterations compute it one after the
    other, of what the cells hold then, as the text says; `beside` others that do in turn with them.
    """

    array: str
    cells: str
    value: str
    where: str = ""
    given: tuple[str, ...] = ()
    each: bool = False
    beside: bool = False

    def __str__(self) -> str:
        where = (
            f"{'' if self.where.startswith('if ') else 'for '}{self.where}" if self.where else ""
        )
        turns = ", turn by turn with the other lines " if self.beside else ", in turn "
        where = where and (turns if self.each else "   ") + where
        given = "".join(f"\n    where {x}" for x in self.given)
        return f"{self.cells} {'becomes' if self.each else '='} {self.value}{where}{given}"


def formulas_of(scop: Scop) -> tuple[LeftFormula, ...]:
    """Of all arrays that are left, those first that have cells; none of an array about which there
    is nothing short to say. They hold where every parameter is LARGE at least, or can be."""
    values: FlowValues | None = None
    with suppress(Unsaid):
        values = FlowValues(scop)
    left = [a for a in scop.arrays.values() if a.live_out]
    found: dict[LeftFormula, None] = {}
    for array in sorted(left, key=lambda a: not a.extents):
        with suppress(Unsaid):
            found |= dict.fromkeys(_of(scop, values, array.name))
    return tuple(found)


def _of(scop: Scop, values: FlowValues | None, array: str) -> list[LeftFormula]:
    """Its values in what is left; or else in what temporary arrays hold, and that; or steps."""
    about = _about(scop, array)
    if values is not None:
        with suppress(Unsaid):
            return _left(values, array)
        with suppress(Unsaid):
            kept = {n: replace(a, role="output") if n in about and a.extents else a
                    for n, a in scop.arrays.items()}  # fmt: skip
            values = FlowValues(replace(scop, arrays=kept))
            return [x for n in about if kept[n].live_out for x in _left(values, n)]
    return list(_steps(scop, about))


def _about(scop: Scop, array: str) -> tuple[str, ...]:
    """The temporaries that an array is computed from, and itself, as the text writes them."""
    statements, about = with_tests(scop.statements), {array}
    for _ in statements:
        reads = (r.array for s in statements for r in s.reads if s.write.array in about)
        about |= {r for r in reads if scop.arrays[r].role == "temp"}
    return tuple(dict.fromkeys(s.write.array for s in statements if s.write.array in about))


def _left(values: FlowValues, array: str) -> list[LeftFormula]:
    found: list[LeftFormula] = []
    for s in values.scop.statements:
        todo = _parts(values.left[s.name]) if s.write.array == array else []
        while todo:
            if len(found) + len(todo) > PIECES:
                raise Unsaid
            found += _piece(values, s, todo)
    return found


def _parts(instances: isl.Set) -> list[isl.Set]:
    return [isl.Set(p) for p in isl.basic_sets(isl.coalesced(instances))]


def _piece(values: FlowValues, s: Statement, todo: list[isl.Set]) -> Iter[LeftFormula]:
    """The formula of the first instances to do; those of mixed ones are put in their place."""
    frame, where = _framed(todo.pop(0), s, values.sizes)
    try:
        value = plainer(values.left_by(s, frame))
    except Mixed as mixed:
        if any(p.dim(isl.SET) != len(frame.names) for p in mixed.pieces):
            raise Unsaid from None
        mixed_parts = (frame.at.intersect_domain(p).range() for p in mixed.pieces)
        todo[:0] = [b for p in mixed_parts for b in _parts(p)]
        return
    text, given = written(value, frame.names)
    yield LeftFormula(s.write.array, _target(s, frame), text, where, given)


def _framed(
    instances: isl.Set, s: Statement, sizes: isl.Set, down: Container[str] = ()
) -> tuple[ReadingFrame, str]:
    """Instances by those iterators that the others do not determine, and where these are; those
    that count `down` say so."""
    ranges = ranges_of(isl.Map.from_range(instances), (), s.iterators, isl.Set.from_params(sizes))
    loops = [replace(r, down=r.name in down) for r in ranges.loops]
    said = [described(loops)] if loops else []
    if not ranges.exact or (not ranges.loops and not sizes.is_subset(instances.params())):
        said += ["if " + print_expression(c) for c in conditions(instances.params(), sizes)]
    at = instances.identity().reset_tuple_id(isl.IN)
    for k in reversed(ranges.fixed):
        at = at.project_out(isl.IN, k, 1)
    return ReadingFrame(at, ranges.names), ", ".join(said)


def _target(s: Statement, frame: ReadingFrame) -> str:
    return print_expression(moved(s.write.node, frame.iterators(s)))


def _steps(scop: Scop, about: Sequence[str]) -> Iter[LeftFormula]:
    """What the statements say that write these arrays."""
    sizes = usual(scop.assumed, LARGE)
    steps = [s for s in with_tests(scop.statements) if s.write.array in about]
    types = types_of(scop)
    for s in steps:
        runs = s.domain.intersect_params(sizes)
        frame, where = _framed(runs, s, sizes, {*_down(s, runs)})
        here = frame.iterators(s)
        text, _ = written(plainer(moved(s.expression, here, types=types)), frame.names)
        guard = s.guard and moved(s.guard, here, types=types)
        test = "" if guard is None else f" if {print_expression(guard)}"
        beside = any(constant_order(s, x) is None for x in steps if x is not s)
        target = _target(s, frame)
        yield LeftFormula(s.write.array, target, text + test, where, each=True, beside=beside)


def _down(s: Statement, runs: isl.Set) -> Iter[str]:
    """The iterators that count down while those around them stay."""
    time = s.schedule.intersect_domain(runs)
    later = time.lex_lt_map(time).deltas()
    for k, name in enumerate(s.iterators):
        up = later.lower_bound_val(isl.SET, k, isl.Val(1))
        if up.is_empty() and not later.upper_bound_val(isl.SET, k, isl.Val(-1)).is_empty():
            yield name
        later = later.fix_val(isl.SET, k, isl.Val(0))


def untouched(scop: Scop, names: set[str]) -> Iter[str]:
    """The cells that are left alone, of arrays of these names of which others are written."""
    sizes = usual(scop.assumed, LARGE)
    for a in scop.arrays.values():
        writes = [s.write for s in scop.statements if s.write.array == a.name]
        if (
            a.name not in names
            or not (a.live_out and a.extents and writes)
            or any(e is None for e in a.extents)
        ):
            continue
        if not all(w.relation.is_single_valued() for w in writes):
            continue
        whole = cells(replace(a, sized=True)).intersect_params(sizes)
        rest = _parts(whole.subtract(isl.united([w.relation.range() for w in writes])))
        if not all(sizes.is_subset(p.params()) for p in rest):  # of odd sizes, say
            continue
        single = [isl.Map.from_range(p) for p in rest]
        if rest and len(rest) <= 2 and all(m.is_single_valued() for m in single):
            axes = tuple(map(str, range(len(a.extents))))
            index = (tuple(iterators_of(m, axes, ()).values()) for m in single)
            found = (print_affine(Access(a.name, x)) for x in index)
            yield from sorted(found, key=lambda text: (len(text), text))
        elif rest:
            yield f"the rest of {a.name}"
