"""A program replayed at one size, event by event: who writes which cell when, whose value a read
gets. It lists instances and sorts them, and knows nothing of dependences: what a student claims of
instances is verified by it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from polynb import isl
from polynb.errors import PolynbError
from polynb.scop.model import Scop
from polynb.scop.witness import Instance, cell_text

MOST: Final = 20_000
"""Instances of a size that is replayed."""

Cell = tuple[str, tuple[int, ...]]


@dataclass(frozen=True, eq=False)
class Replay:
    """The instances of a program at parameter values, with their cells, and their times in the
    program's order and in another one, `{ S[i] -> [t] }`."""

    scop: Scop
    values: Mapping[str, int]
    new: Mapping[str, isl.Map]
    storage: isl.UnionMap | None = None
    """`{ t[x] -> M[y] }` of arrays that live in other memory."""

    @cached_property
    def then(self) -> dict[Instance, tuple[int, ...]]:
        """When each instance runs in the program's order."""
        return self._times({s.name: s.schedule for s in self.scop.statements})

    @cached_property
    def now(self) -> dict[Instance, tuple[int, ...]]:
        """When it runs in the other order."""
        return self._times(self.new)

    @cached_property
    def writes(self) -> dict[Instance, set[Cell]]:
        return self._cells({s.name: [s.write.relation] for s in self.scop.statements})

    @cached_property
    def reads(self) -> dict[Instance, set[Cell]]:
        return self._cells({s.name: [r.relation for r in s.reads] for s in self.scop.statements})

    @cached_property
    def written(self) -> dict[Instance, set[Cell]]:
        """The memory that each instance writes."""
        return {i: {self.place(c) for c in cells} for i, cells in self.writes.items()}

    def place(self, cell: Cell) -> Cell:
        """Where a cell lives."""
        array, index = cell
        for m in () if self.storage is None else isl.maps(self.storage):
            if isl.tuple_name(m, isl.IN) == array:
                at = m
                for k, x in enumerate(index):
                    at = at.fix_val(isl.IN, k, isl.Val(x))
                (memory,) = isl.points(at.range(), self.values)
                return isl.tuple_name(m, isl.OUT), memory
        return cell

    def value_of(self, cell: Cell, reader: Instance) -> Instance | None:
        """Whose value a read gets from a cell in the program's order; None if it is what was there
        before the program."""
        return self._last(cell, self.then[reader])

    def remains(self, cell: Cell) -> Instance | None:
        """Who writes a cell last in the program's order."""
        return self._last(cell, None)

    def _last(self, cell: Cell, before: tuple[int, ...] | None) -> Instance | None:
        writers = [
            i
            for i, cells in self.writes.items()
            if cell in cells and (before is None or self.then[i] < before)
        ]
        return max(writers, key=lambda i: self.then[i], default=None)

    def _times(self, maps: Mapping[str, isl.Map]) -> dict[Instance, tuple[int, ...]]:
        found = {}
        for name, domain in self._domains.items():
            for point, time in isl.pairs(maps[name].intersect_domain(domain), self.values):
                found[Instance(name, point)] = time
        return found

    def _cells(self, maps: Mapping[str, list[isl.Map]]) -> dict[Instance, set[Cell]]:
        found: dict[Instance, set[Cell]] = {}
        for name, domain in self._domains.items():
            for m in maps[name]:
                array = isl.tuple_name(m, isl.OUT)
                for point, cell in isl.pairs(m.intersect_domain(domain), self.values):
                    found.setdefault(Instance(name, point), set()).add((array, cell))
        return found

    @cached_property
    def _domains(self) -> dict[str, isl.Set]:
        """Raises PolynbError for values that the program does not allow, and for too many
        instances."""
        at = ", ".join(f"{n} = {v}" for n, v in self.values.items())
        if isl.fix_parameters(self.scop.assumed, self.values).is_empty():
            raise PolynbError(f"the program does not allow {at}", hint="what `assume` says of it")
        domains = {s.name: s.domain for s in self.scop.statements}
        large = max(map(abs, self.values.values()), default=0) > MOST  # counting takes time
        if large or sum(_size(d, self.values) for d in domains.values()) > MOST:
            raise PolynbError(f"{at} is a large example", hint="a smaller one shows the same")
        return domains


def _size(domain: isl.Set, values: Mapping[str, int]) -> int:
    fixed = isl.fix_parameters(domain, values)
    fixed = fixed.project_out(isl.PARAM, 0, fixed.dim(isl.PARAM))
    return 0 if fixed.is_empty() else int(fixed.count_val().to_python())


def cell_said(cell: Cell) -> str:
    """A cell as a sentence has it, `A[0, 1]`."""
    return cell_text(*cell)
