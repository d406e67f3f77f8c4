"""What keeps arrays that share memory apart.

Values flow through arrays, `{ A[x] }`; memory keeps them, `{ M[y] }`. A live range, from a write of
A[x] to a read of its value, takes the cell M[y] of A[x] for its time: no other write of that cell,
through whatever array, may come in between. What memory holds before and after the program counts
as live ranges, too. (The program over its memory alone, `scop.storage.in_memory`, does not tell
which values were meant to flow.)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from polynb import isl
from polynb.dependences.analysis import Dependences, analyze
from polynb.dependences.live_ranges import LiveRanges, live_ranges
from polynb.dependences.model import Edge
from polynb.errors import PolynbError
from polynb.scop.model import MemoryAccess, Scop, Statement
from polynb.scop.storage import in_memory, memory_of
from polynb.scop.witness import Witness, cell_text


def memories(scop: Scop) -> frozenset[str]:
    """The arrays in which other ones live."""
    return frozenset(memory_of(a) for a in scop.arrays.values() if a.storage is not None)


@isl.bounded("the computation of live ranges")
def stored_ranges(scop: Scop) -> LiveRanges:
    """The live ranges of a program's values, in the memory that its arrays live in: all edges are
    of the program over its memory, `flow` (and only it) is the flow through its arrays.

    `after_live_in` and `before_live_out` are as they must be, whatever the program's order makes
    of them: a write through another array must come behind a read of what the memory held before
    (a), and in front of the write that is to remain (b). Raises PolynbError for an array whose
    first content is read, or that something outside needs, and where what memory held before the
    program would have to remain in a cell that another array uses.
    """
    values, memory = analyze(scop), in_memory(scop)
    for name, a in scop.arrays.items():
        if a.storage is not None:
            _check_own(values, name)
    shared = memories(scop)
    flow = [replace(e, array=memory_of(scop.arrays[e.array])) for e in values.flow_edges]
    foreign = {
        m: [s for s in memory.statements if s.write.array == m != scop.by_name[s.name].write.array]
        for m in shared
    }
    found = live_ranges(memory)
    return replace(
        found,
        flow=tuple(flow),
        after_live_in=(*found.after_live_in, *_behind_reads(values, foreign)),
        before_live_out=(*found.before_live_out, *_before_last(values, memory, foreign)),
    )


def _check_own(values: Dependences, name: str) -> None:
    """Raises PolynbError unless all values of an array come from the program, and stay in it."""
    array = values.scop.arrays[name]
    why = None
    if array.role != "temp":
        why = f"{name} is {array.role}: its content is used outside of the program"
    assumed = values.scop.assumed
    for (reader, _), cells in values.flow(name).live_in.items():
        if not cells.intersect_params(assumed).is_empty():
            why = f"{reader} may read what {name} held before the program"
    if why is not None:
        raise PolynbError(f"{name} cannot live in {memory_of(array)}", reason=why)


Foreign = dict[str, list[Statement]]
"""For each memory the statements, of the program over it, that write it through another array."""


def _behind_reads(values: Dependences, foreign: Foreign) -> Iterator[Edge]:
    for m, writers in foreign.items():
        for (name, number), cells in values.flow(m).live_in.items():
            for w in writers:
                yield from _pairs("war", m, (name, cells), (w.name, w.write.relation), number)


def _before_last(values: Dependences, memory: Scop, foreign: Foreign) -> Iterator[Edge]:
    for m, writers in foreign.items():
        if not memory.arrays[m].live_out:
            continue
        own = [s for s in values.scop.statements if s.write.array == m]
        for w in writers:
            _check_rewritten(w, (s.write for s in own if s.write.must), memory.assumed)
            for s in own:
                last = values.live_out_of(s)
                yield from _pairs("waw", m, (w.name, w.write.relation), (s.name, last), None)


def _pairs(
    kind: str, array: str, first: tuple[str, isl.Map], then: tuple[str, isl.Map], read: int | None
) -> Iterator[Edge]:
    relation = first[1].apply_range(then[1].reverse())
    if not relation.is_empty():
        yield Edge(kind, array, first[0], then[0], relation, read)


def _check_rewritten(w: Statement, own: Iterable[MemoryAccess], assumed: isl.Set) -> None:
    """Raises PolynbError for a cell that is live-out, and that only another array writes."""
    left = w.write.relation.intersect_params(assumed)
    for access in own:
        left = left.subtract_range(access.relation.range())
    found = isl.witness_pair(left)
    if found is not None:
        parameters, _, cell = found
        at = Witness(parameters, {}).at_values("remains after it")
        m = w.write.array
        raise PolynbError(
            f"{w.name} cannot use {cell_text(m, cell)}",
            reason=f"what {m} holds there before the program {at}",
            hint="cells that the program writes itself later, or memory that is a temporary",
        )
