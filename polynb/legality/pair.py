"""Two live ranges of one cell that a new order makes overlap: who writes, and who reads; of a
witness of `check`, whose value is overwritten, and whose value by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeVar

from polynb import isl
from polynb.dependences.live_ranges import LiveRanges
from polynb.scop.model import Statement
from polynb.scop.witness import Instance, Witness, cell_text, values_text

Time = tuple[int, ...]
Times = Mapping[str, isl.Map]
Of = TypeVar("Of")

HOLDS: Final = {
    "live range": "{cell} holds what {write} writes until {read} reads it",
    "live-in": "{cell} holds what was there before the program until {read} reads it",
    "live-out": "{cell} is to hold what {write} writes when the program has ended",
}
ROLES: Final = ("write", "read", "other write", "other read")
WHERE: Final = {"live range": " in between", "live-in": " before that", "live-out": " afterwards"}


@dataclass(frozen=True)
class LiveRange:
    """The life of a value in a cell, from a write to a read.

    `write` None: it was there before the program. `read` None: it is there after the program if it
    `remains`, else nothing reads it. `start` and `end` are the times of the two in the new order.
    """

    write: Instance | None
    read: Instance | None
    start: Time | None = None
    end: Time | None = None
    remains: bool = False

    def __str__(self) -> str:
        """`from S(0) to T(1)`"""
        begin = f"from {self.write}" if self.write else "from before the program"
        if self.read is not None:
            return f"{begin} to {self.read}"
        return f"{begin} to the end of the program" if self.remains else f"{begin}, read by nothing"

    @property
    def use(self) -> str:
        """What becomes of the value, as a clause: `whose value T(1) reads`."""
        if self.read is not None:
            return f"whose value {self.read} reads"
        return "whose value remains" if self.remains else "whose value nothing reads"


@dataclass(frozen=True)
class ViolatedPair:
    """Two live ranges in one cell that overlap in a new order: the write of `second` comes within
    `first`.

    `kind` says what `first` is: "live range" (from a write to a read of its value), "live-in" (of
    what was there before the program, to a read), or "live-out" (of what is there after it, from
    its write). Not `exact`: data decides whether these accesses happen. (The paper's own formulas
    also pair a range with itself.)
    """

    kind: str
    array: str
    cell: str
    first: LiveRange
    second: LiveRange
    parameters: Mapping[str, int]
    exact: bool = True

    @property
    def instances(self) -> dict[str, Instance]:
        """The instances by their roles, up to four: write, read, other write, other read."""
        first, second = self.first, self.second
        return _by_role(first.write, first.read, second.write, second.read)

    @property
    def times(self) -> dict[str, Time]:
        """The times in the new order, by the same roles."""
        first, second = self.first, self.second
        return _by_role(first.start, first.end, second.start, second.end)

    def __str__(self) -> str:
        first, second = self.first, self.second
        holds = HOLDS[self.kind].format(cell=self.cell, write=first.write, read=first.read)
        would = "would" if self.exact else "may"
        text = f"{holds}, and {second.write}, {second.use}, {would} overwrite it{WHERE[self.kind]}"
        values = values_text(self.parameters)
        return f"{text}; {values}" if values else text


def _by_role(*found: Of | None) -> dict[str, Of]:
    return {role: x for role, x in zip(ROLES, found, strict=True) if x is not None}


# -- of a witness of `check` ----------------------------------------------------------------


def violated_pair(
    kind: str, array: str, witness: Witness, exact: bool, ranges: LiveRanges, new: Times
) -> ViolatedPair | None:
    """The two live ranges of a conflict; None of one that is about flow. `new` are the times
    `{ S[i] -> [t] }` of the order that was checked."""
    if kind not in ("live range", "live-in", "live-out"):
        return None
    values, roles = witness.parameters, witness.instances
    write, read, other = (roles.get(role) for role in ("write", "read", "other"))
    assert other is not None
    cell = _common(ranges, array, values, [i for i in (write, read) if i is not None], other)

    def at(i: Instance | None) -> Time | None:
        return None if i is None else time_of(i, new, values)

    first = LiveRange(write, read, at(write), at(read), remains=kind == "live-out")
    last = _last_read(ranges, array, other, cell, values, new)
    remains = last is None and _remains(ranges, other, cell, values)
    second = LiveRange(other, last, at(other), at(last), remains)
    return ViolatedPair(kind, array, cell_text(array, cell), first, second, values, exact)


def time_of(i: Instance, times: Times, values: Mapping[str, int]) -> Time | None:
    """When an instance runs, at parameter values."""
    return isl.first_point(_at(times[i.statement], i, values).range(), values)


def _at(m: isl.Map, i: Instance, values: Mapping[str, int]) -> isl.Map:
    """A relation `{ S[i] -> ... }` of one instance."""
    m = isl.fix_parameters(m, values)
    for k, x in enumerate(i.point):
        m = m.fix_val(isl.IN, k, isl.Val(x))
    return m


def _touched(s: Statement, array: str, i: Instance, values: Mapping[str, int]) -> isl.Set | None:
    accesses = [a for a in (s.write, *s.reads) if a.array == array]
    cells = [_at(a.relation, i, values).range() for a in accesses]
    return isl.united(cells) if cells else None


def _common(
    ranges: LiveRanges,
    array: str,
    values: Mapping[str, int],
    users: list[Instance],
    other: Instance,
) -> tuple[int, ...]:
    """The cell that all of these instances touch, and the last one writes."""
    written = ranges.scop.by_name[other.statement].write.relation
    cells = _at(written, other, values).range()
    for i in users:
        touched = _touched(ranges.scop.by_name[i.statement], array, i, values)
        if touched is not None:
            cells = cells.intersect(touched)
    return isl.first_point(cells, values) or ()


def _last_read(
    ranges: LiveRanges,
    array: str,
    write: Instance,
    cell: tuple[int, ...],
    values: Mapping[str, int],
    new: Times,
) -> Instance | None:
    """Who reads last, in the new order, what an instance wrote to a cell."""
    last: tuple[Time, Instance] | None = None
    for e in ranges.flow:
        if (e.array, e.source) != (array, write.statement):
            continue
        assert e.read is not None
        reads = ranges.scop.by_name[e.target].reads[e.read].relation
        reads = isl.fix_parameters(reads, values)
        for k, x in enumerate(cell):
            reads = reads.fix_val(isl.OUT, k, isl.Val(x))
        here = _at(e.relation, write, values).range().intersect(reads.domain())
        when = isl.fix_parameters(new[e.target], values).intersect_domain(here)
        for point, time in isl.pairs(when, values) if when.wrap().is_bounded() else ():
            if last is None or time > last[0]:
                last = time, Instance(e.target, point)
    return None if last is None else last[1]


def _remains(
    ranges: LiveRanges, write: Instance, cell: tuple[int, ...], values: Mapping[str, int]
) -> bool:
    """Whether what an instance writes to a cell is there when the program has ended."""
    for m in isl.maps(ranges.live_out):
        if isl.tuple_name(m, isl.IN) == write.statement:
            left = _at(m, write, values)
            for k, x in enumerate(cell):
                left = left.fix_val(isl.OUT, k, isl.Val(x))
            return not left.is_empty()
    return False
