"""How many cache lines an iteration touches (CC'18, section 4.2 and Figure 8)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from polynb import isl
from polynb.scop import Array, MemoryAccess, Statement
from polynb.source.scoplang.printer import print_affine
from polynb.source.tree import Iterator, walk


@dataclass(frozen=True, eq=False)
class CacheLine:
    """A line: the access that brings it, and its cells `{ S[i] -> A[x] }`, None where the access
    depends on data."""

    access: MemoryAccess
    cells: isl.Map | None

    @property
    def text(self) -> str:
        return print_affine(self.access.node)


@isl.guarded
def lines(
    s: Statement, first: Collection[int], line: int, arrays: Mapping[str, Array]
) -> tuple[CacheLine, ...]:
    """The lines that an iteration of a statement needs, in the order in which they come.

    `first`: which reads, by the ids of their nodes, come before the write and the other reads;
    `line` is in bytes.
    """
    old = [r for r in s.reads if id(r.node) in first]
    new = [r for r in s.reads if id(r.node) not in first]
    found: list[CacheLine] = []
    near: dict[str, list[isl.Map]] = {}
    for access in (*old, s.write, *new):
        if _free(access):
            continue
        if not access.must:
            found.append(CacheLine(access, None))
        elif not _hit(access.relation, brought := near.setdefault(access.array, [])):
            elements = line // arrays[access.array].type.size
            brought.append(_widened(access.relation, elements))
            found.append(CacheLine(access, brought[-1]))
    return tuple(found)


def _free(access: MemoryAccess) -> bool:
    """Scalars, and accesses whose last subscript does not move."""
    subscripts = access.node.subscripts
    return not subscripts or not any(isinstance(x, Iterator) for x in walk(subscripts[-1]))


def _hit(cells: isl.Map, brought: list[isl.Map]) -> bool:
    if any(cells.is_subset(b) for b in brought):
        return True
    return len(brought) > 1 and bool(cells.is_subset(isl.united(brought)))


def _widened(cells: isl.Map, elements: int) -> isl.Map:
    """`{ S[i] -> A[x..., y + d] : -elements/2 <= d < elements/2 }`."""
    outer = "".join(f"x{k}, " for k in range(cells.dim(isl.OUT) - 1))
    before, after = elements // 2, (elements + 1) // 2  # at least the element itself
    near = isl.read_map(f"{{ [{outer}y] -> [{outer}z] : y - {before} <= z < y + {after} }}")
    array = isl.tuple_name(cells, isl.OUT)
    near = near.set_tuple_name(isl.IN, array).set_tuple_name(isl.OUT, array)
    return cells.apply_range(near)
