"""What of a program runs in strips, and when each of its rows is computed.

What is computed before the strips of the results is a pipeline as well, whose results are what the
strips read: where it has large pictures that nothing else reads, it runs in strips of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import gcd, prod
from typing import Final

from polynb import isl
from polynb.dependences import Dependences
from polynb.scop.model import Scop, Statement
from polynb.scop.sizes import extents_at, large
from polynb.windows.rows import ArrayFlow, RowTimes, paced, row_of, writes_rows

SIZE: Final = 1000
"""What parameters are, at least, where it is asked whether a picture is large."""
CACHED: Final = 1 << 20
"""Bytes of a picture that is not: it stays in a cache without strips."""


@dataclass(frozen=True, eq=False)
class Plan:
    """`statements` run in strips, those that write the arrays that `rows` speaks of: `results`,
    which no strip reads, and temporaries. `earlier`: the arrays that are computed before, and
    `before`: why, of temporaries. A strip has `size` times, and the rows of so many times run
    `together`."""

    statements: tuple[str, ...]
    rows: Mapping[str, RowTimes]
    results: tuple[str, ...]
    earlier: tuple[str, ...]
    before: Mapping[str, str]
    size: int
    together: int

    @property
    def windows(self) -> dict[str, RowTimes]:
        """Of the temporaries."""
        return {a: r for a, r in self.rows.items() if a not in self.results}

    def of(self, scop: Scop) -> Plan:
        """The plan of the same program whose statements were split."""
        return replace(self, statements=_in_strips(scop, self.rows))


@isl.guarded
def planned(dependences: Dependences, height: int, together: int) -> Plan:
    """What runs in strips of so many rows of the program's results."""
    scop = dependences.scop
    return _planned(dependences, _flow(dependences), _written(scop), height, together)


@isl.guarded
def all_planned(dependences: Dependences, height: int, together: int) -> tuple[Plan, ...]:
    """The same, and then what runs in strips of its own before these, and before those."""
    scop, flow = dependences.scop, _flow(dependences)
    sizes = large(scop, SIZE)
    plan = _planned(dependences, flow, _written(scop), height, together)
    found = [plan]
    while plan.rows and (part := _with_large(scop, flow, plan.earlier, sizes)):
        plan = _planned(dependences, flow, part, height, together)
        if any(_is_large(scop, a, sizes) for a in plan.windows):
            found.append(plan)
    return tuple(found)


def _planned(
    dependences: Dependences,
    everywhere: Sequence[ArrayFlow],
    part: Collection[str],
    height: int,
    together: int,
) -> Plan:
    """All of a part of the arrays that keeps pace with its results runs in strips of so many of
    their rows, but what does not needs, and what one strip would compute again more of than it has
    itself."""
    scop = dependences.scop
    flow = [f for f in everywhere if f.reader in part]
    needed = {f.array for f in everywhere if f.reader not in part}
    results = dict(_results(scop, part, flow, needed))
    rows = paced(scop, flow, results, gcd(height, together))
    size = height * max((rows[a].scale for a in results), default=1)
    before = {
        a: "its rows do not keep pace with those of the results"
        for a in _written(scop)
        if a in part
        and (a not in rows or not all(writes_rows(s, rows[a].subscript) for s in _writers(scop, a)))
    }
    before |= dict(_unsuited(dependences, flow, needed))
    before |= {
        a: "a strip would compute more rows of it for its neighbours again than for itself"
        for a, r in rows.items()
        if r.needed > size and a not in before
    }
    while True:  # what is computed before needs all that it is computed from
        wanted = {f.array: f for f in flow if f.reader in before and f.array not in before}
        if not wanted:
            break
        before |= {a: f"{f.reader} is, and is computed from it" for a, f in wanted.items()}
    rows = {a: r for a, r in rows.items() if a not in before}
    if gcd(*(r.scale for r in rows.values())) > 1:  # what had rows in between is computed before
        results = {a: k for a, k in results.items() if a in rows}
        kept = [f for f in flow if f.array in rows]
        rows = paced(scop, kept, results, gcd(height, together))
        size = height * max(rows[a].scale for a in results)
    return Plan(
        _in_strips(scop, rows),
        rows,
        tuple(a for a in rows if a in results),
        tuple(before),
        {a: why for a, why in before.items() if scop.arrays[a].role == "temp"},
        size,
        gcd(height, together),
    )


def row_time(s: Statement, plan: Plan) -> isl.Map:
    """`{ S[i] -> [t] }`, when the row is computed that an instance writes."""
    rows = plan.rows[s.write.array]
    time = isl.read_map(f"{{ [x] -> [{rows.scale}x + {rows.shift}] }}")
    return row_of(s, rows.subscript).apply_range(time)


def _flow(dependences: Dependences) -> list[ArrayFlow]:
    """The flow of values at parameter values that are allowed."""
    scop, flow = dependences.scop, []
    for e in dependences.flow_edges:
        relation = e.relation.intersect_params(scop.assumed)
        if not relation.is_empty():
            source, target = scop.by_name[e.source], scop.by_name[e.target]
            flow.append(ArrayFlow(source, target, relation, e.exact))
    return flow


def _with_large(
    scop: Scop, flow: Sequence[ArrayFlow], arrays: Collection[str], sizes: Mapping[str, int]
) -> set[str]:
    """Of arrays that are computed before: the large ones that only these are computed from, their
    readers, and all that these are computed from."""
    elsewhere = {f.array for f in flow if f.reader not in arrays}
    wanted = {a for a in arrays if a not in elsewhere and _is_large(scop, a, sizes)}
    part: set[str] = set()
    new = wanted | {f.reader for f in flow if f.array in wanted}
    while new:
        part |= new
        new = {f.array for f in flow if f.reader in new} - part
    return part


def _is_large(scop: Scop, name: str, sizes: Mapping[str, int]) -> bool:
    array = scop.arrays[name]
    return array.type.size * prod(n or 1 for n in extents_at(array, sizes)) > CACHED


def _written(scop: Scop) -> dict[str, None]:
    return dict.fromkeys(s.write.array for s in scop.statements)


def _in_strips(scop: Scop, rows: Mapping[str, RowTimes]) -> tuple[str, ...]:
    return tuple(s.name for s in scop.statements if s.write.array in rows)


def _writers(scop: Scop, array: str) -> list[Statement]:
    return [s for s in scop.statements if s.write.array == array]


def _results(
    scop: Scop, part: Collection[str], flow: Sequence[ArrayFlow], needed: Collection[str]
) -> Iterator[tuple[str, int]]:
    """What is needed of a part of the arrays and read in it by nothing, with the subscript that
    counts rows: the last but one."""
    read = {f.array for f in flow}
    for name, array in scop.arrays.items():
        writers = _writers(scop, name) if name in part else []
        sure = bool(writers) and all(s.write.must for s in writers)
        wanted = array.live_out or name in needed
        if sure and wanted and array.dimensions > 1 and name not in read:
            yield name, array.dimensions - 2


def reads_before(dependences: Dependences, array: str) -> bool:
    """Whether cells of an array are read that nothing has written."""
    assumed = dependences.scop.assumed
    live_in = dependences.flow(array).live_in.values()
    return any(not m.intersect_params(assumed).is_empty() for m in live_in)


def _unsuited(
    dependences: Dependences, flow: Sequence[ArrayFlow], needed: Collection[str]
) -> Iterator[tuple[str, str]]:
    """The arrays that strips cannot compute each for itself, and why."""
    scop = dependences.scop
    for name in dict.fromkeys(f.array for f in flow):
        mine = [f for f in flow if f.array == name]
        if scop.arrays[name].role != "temp" or name in needed:
            yield name, "it is needed afterwards"
        elif not all(f.exact for f in mine) or not all(s.write.must for s in _writers(scop, name)):
            yield name, "data decides which of its cells are accessed"
        elif any(f.reader == name for f in mine):
            yield name, "its values are computed from each other"
        elif reads_before(dependences, name):
            yield name, "cells of it are read that nothing has written"
