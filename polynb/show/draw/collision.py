"""What of a conflict is drawn: the live ranges that collide, and when their ends run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, runtime_checkable

from polynb.legality.checking import Conflict, Verdict
from polynb.legality.order import new_times
from polynb.legality.pair import LiveRange, Time, Times, time_of
from polynb.scop.model import Scop
from polynb.scop.witness import Instance, Witness
from polynb.show.draw.cell_trace import of_pair

BACKWARDS, AT_ONCE = "runs backwards", "would run at once"


class CarriedAtOnce(Protocol):
    """A dependence between iterations that are to run at once: of the "target" of the witness on
    its "source"."""

    @property
    def array(self) -> str: ...
    @property
    def witness(self) -> Witness: ...


@runtime_checkable
class JudgedMove(Protocol):
    """A verdict on a program that was moved about (`violations.judging`): on its order, and on what
    its loops carry that are to run iterations at once."""

    @property
    def legal(self) -> bool: ...
    @property
    def order(self) -> Verdict: ...
    @property
    def carried(self) -> Sequence[CarriedAtOnce]: ...


@dataclass(frozen=True, eq=False)
class Collision:
    """`ranges` by role: "first", whose value is lost, and "second", whose write comes within it;
    or, alone, "violated", what does not run from its source to its target any more.

    `times` are those in the new order (what runs at once has one); `key` says of each role what it
    is;
    `writes` has the instances that write; `heading` says what it is about, where no time line
    does.
    """

    program: Scop
    sentence: str
    ranges: Mapping[str, LiveRange]
    key: Mapping[str, str]
    parameters: Mapping[str, int]
    times: Mapping[Instance, Time]
    writes: frozenset[Instance]
    heading: str = ""

    @cached_property
    def instances(self) -> tuple[Instance, ...]:
        """Those that the ranges are between, in the new order."""
        found = {i for r in self.ranges.values() for i in of_pair(r, r)}
        return tuple(sorted(found, key=lambda i: (self.times.get(i, ()), i)))

    @cached_property
    def ranks(self) -> Mapping[Instance, int]:
        """The place of each in the new order, from 1; what runs at one time has the same."""
        dates = sorted(set(self.times.values()))
        return {i: dates.index(t) + 1 for i, t in self.times.items()}


def shown_conflicts(verdict: Verdict, most: int) -> list[Conflict]:
    """The first conflicts of live ranges, of different cells; where there is none, the first of
    flow. None of a verdict that does not know its program."""
    if verdict.asked is None:
        return []
    pairs = {c.pair.cell: c for c in reversed(verdict.conflicts) if c.pair is not None}
    return (list(reversed(pairs.values())) or list(verdict.conflicts[:1]))[:most]


def collisions(verdict: Verdict | JudgedMove, most: int = 3) -> Iterator[Collision]:
    """What is drawn of the first reasons against an order, or against running iterations at
    once."""
    order = verdict if isinstance(verdict, Verdict) else verdict.order
    asked = order.asked
    if asked is None:
        return
    shown = shown_conflicts(order, most)
    times = new_times(asked.program, asked.schedule) if shown else {}
    for conflict in shown:
        yield _collision(conflict, asked.program, times)
    if isinstance(verdict, JudgedMove) and not shown and verdict.carried:
        yield _at_once(verdict.carried[0], asked.program)


def _collision(conflict: Conflict, program: Scop, new: Times) -> Collision:
    pair, values = conflict.pair, conflict.witness.parameters
    ranges, key = {}, {}
    if pair is not None:
        ranges = {"first": pair.first, "second": pair.second}
        key = {"first": "is overwritten", "second": "by this"}
    else:
        source, target = conflict.witness.instances.values()
        ranges, key = {"violated": LiveRange(source, target)}, {"violated": BACKWARDS}
    ends = {i for r in ranges.values() for i in of_pair(r, r)}
    found = {i: time_of(i, new, values) for i in sorted(ends)}
    dated = {i: t for i, t in found.items() if t is not None}
    if pair is None and len(set(dated.values())) < len(dated):
        key = {"violated": AT_ONCE}
    heading = "" if pair is not None else conflict.witness.at_values(conflict.array)
    writes = frozenset(r.write for r in ranges.values() if r.write is not None)
    return Collision(program, str(pair or conflict), ranges, key, values, dated, writes, heading)


def _at_once(carried: CarriedAtOnce, program: Scop) -> Collision:
    w = carried.witness
    ranges = {"violated": LiveRange(w["source"], w["target"])}
    heading, key = w.at_values(carried.array), {"violated": AT_ONCE}
    times = dict.fromkeys(w.instances.values(), ())
    written = {s.name for s in program.statements if s.write.array == carried.array}
    writes = frozenset(i for i in times if i.statement in written)
    return Collision(program, str(carried), ranges, key, w.parameters, times, writes, heading)
