"""What of a program runs in strips, and when each of its rows is computed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import gcd

from polynb import isl
from polynb.dependences import Dependences
from polynb.scop.model import Scop, Statement
from polynb.windows.rows import ArrayFlow, RowTimes, paced, row_of, writes_rows


@dataclass(frozen=True, eq=False)
class Plan:
    """`statements` run in strips, those that write the arrays that `rows` speaks of: `results`,
    which nothing reads, and temporaries. `before`: the temporaries that are computed before, and
    why. A strip has `size` times, and the rows of so many times run `together`."""

    statements: tuple[str, ...]
    rows: Mapping[str, RowTimes]
    results: frozenset[str]
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
    """All that keeps pace with the results runs in strips of so many of their rows, but what does
    not needs, and what one strip would compute again more of than it has itself."""
    scop = dependences.scop
    edges = [
        replace(e, relation=e.relation.intersect_params(scop.assumed))
        for e in dependences.flow_edges
    ]
    edges = [e for e in edges if not e.relation.is_empty()]
    flow = [ArrayFlow(scop.by_name[e.source], scop.by_name[e.target], e.relation) for e in edges]
    results = dict(_results(scop, flow))
    rows = paced(scop, flow, results, gcd(height, together))
    size = height * max((rows[a].scale for a in results), default=1)
    before = {
        a: "its rows do not keep pace with those of the results"
        for a in dict.fromkeys(s.write.array for s in scop.statements)
        if a not in rows or not all(writes_rows(s, rows[a].subscript) for s in _writers(scop, a))
    }
    inexact = {e.array for e in edges if not e.exact}
    before |= dict(_unsuited(dependences, flow, inexact))
    before |= {
        a: "a strip would compute more rows of it for its neighbours again than for itself"
        for a, r in rows.items()
        if r.needed > size and a not in before
    }
    while True:  # what is computed before needs all that it is computed from
        needed = {f.array: f for f in flow if f.reader in before and f.array not in before}
        if not needed:
            break
        before |= {a: f"{f.reader} is, and is computed from it" for a, f in needed.items()}
    rows = {a: r for a, r in rows.items() if a not in before}
    return Plan(
        _in_strips(scop, rows),
        rows,
        frozenset(a for a in rows if a in results),
        {a: why for a, why in before.items() if scop.arrays[a].role == "temp"},
        size,
        gcd(height, together),
    )


def row_time(s: Statement, plan: Plan) -> isl.Map:
    """`{ S[i] -> [t] }`, when the row is computed that an instance writes."""
    rows = plan.rows[s.write.array]
    time = isl.read_map(f"{{ [x] -> [{rows.scale}x + {rows.shift}] }}")
    return row_of(s, rows.subscript).apply_range(time)


def _in_strips(scop: Scop, rows: Mapping[str, RowTimes]) -> tuple[str, ...]:
    return tuple(s.name for s in scop.statements if s.write.array in rows)


def _writers(scop: Scop, array: str) -> list[Statement]:
    return [s for s in scop.statements if s.write.array == array]


def _results(scop: Scop, flow: Sequence[ArrayFlow]) -> Iterator[tuple[str, int]]:
    """The results that nothing reads, with the subscript that counts rows: the last but one."""
    read = {f.array for f in flow}
    for name, array in scop.arrays.items():
        writers = _writers(scop, name)
        sure = bool(writers) and all(s.write.must for s in writers)
        if sure and array.live_out and array.dimensions > 1 and name not in read:
            yield name, array.dimensions - 2


def reads_before(dependences: Dependences, array: str) -> bool:
    """Whether cells of an array are read that nothing has written."""
    assumed = dependences.scop.assumed
    live_in = dependences.flow(array).live_in.values()
    return any(not m.intersect_params(assumed).is_empty() for m in live_in)


def _unsuited(
    dependences: Dependences, flow: Sequence[ArrayFlow], inexact: set[str]
) -> Iterator[tuple[str, str]]:
    """The arrays that strips cannot compute each for itself, and why."""
    scop = dependences.scop
    for name in dict.fromkeys(f.array for f in flow):
        mine = [f for f in flow if f.array == name]
        if scop.arrays[name].role != "temp":
            yield name, "it is needed afterwards"
        elif name in inexact or not all(s.write.must for s in _writers(scop, name)):
            yield name, "data decides which of its cells are accessed"
        elif any(f.reader == name for f in mine):
            yield name, "its values are computed from each other"
        elif reads_before(dependences, name):
            yield name, "cells of it are read that nothing has written"
