"""Whether a program may run in another order: nothing but its values decides.

A new order is legal if each read still gets the value that it got (IMPACT'16, section 3.3). So of
each live range the write comes before the read, and no other write of the cell in between; what is
read from before the program is not overwritten earlier, and what remains after it is written last.
False dependences may be turned around as long as that holds.

The rule in the 2010 paper on GRAPHITE, that live ranges must not overlap, is the same in spirit. As
it stands there, each range overlaps with itself, two ranges at one time do not conflict, dead
writes and what is live before or after the program are forgotten, and the last read is the last one
of the old order; here instances are compared, and all reads (`ranges.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final

from polynb import isl
from polynb.arguments import count, optional
from polynb.conveniences import Conveniences, Markup
from polynb.dependences.analysis import analyze
from polynb.dependences.live_ranges import LiveRanges, live_ranges
from polynb.dependences.model import FLOW_NAMES, Edge
from polynb.dependences.storage import memories, stored_ranges
from polynb.derivation import Derivation, as_scop, original
from polynb.errors import PolynbError
from polynb.legality.order import New, Order, new_times
from polynb.legality.pair import ViolatedPair, violated_pair
from polynb.legality.ranges import RangesOf, value_ranges, within
from polynb.legality.violation import Violation, violations
from polynb.scop.model import Scop
from polynb.scop.schedule_isl import from_isl
from polynb.scop.witness import Instance, Witness

SENTENCES: Final = {
    "flow": "{read} needs what {write} writes to {array}, and would not run after",
    "live range": "{other} would overwrite {array} between {write}, which writes it, and {read}, "
    "which reads it",
    "live-in": "{other} would overwrite {array} before {read} has read what was there before the "
    "program",
    "live-out": "{write} is to write the last value of {array}, and {other} would run after it",
    "anti": "{other} writes {array}, which {read} read before it, and would not run after",
    "output": "{other} writes {array}, which {write} wrote before it, and would not run after",
}
MAYBE: Final = {  # where data decides
    "flow": "{read} may need what {write} may write to {array}, and would not run after",
    "live range": "{other} may overwrite {array} between {write}, which may write it, and {read}, "
    "which may read it",
    "live-in": "{other} may overwrite {array} before {read} has read what was there before the "
    "program",
    "live-out": "{write} may write the last value of {array}, and {other} would run after it",
    "anti": "{other} may write {array}, which {read} read before it, and would not run after",
    "output": "{other} may write {array}, which {write} wrote before it, and would not run after",
}
ROLES: Final = {  # of the source and the target of a dependence that is turned around
    "flow": ("write", "read"),
    "live-in": ("read", "other"),
    "live-out": ("other", "write"),
    "anti": ("read", "other"),
    "output": ("write", "other"),
}


@dataclass(frozen=True, eq=False)
class Conflict:
    """Why an order is illegal.

    `kind`, and the roles in its witness: "flow" (a `read` does not run after the `write` it needs),
    "live range" (a `write`, a `read` of its value, and an `other` write that would run between
    them), "live-in" (a `read` of what was there before, and an `other` write that would run before
    it) or "live-out" (a `write` whose value remains, and an `other` that would run after it). Of
    `memory_based` also "anti" (an `other` write would run before a `read` that it followed) and
    "output" (an `other` write would run before a `write` that it followed).

    `pair` has the two live ranges of a conflict that is about them: the cell, up to four instances,
    and their times in the new order. Not `exact`: data decides whether these accesses happen.
    """

    kind: str
    array: str
    witness: Witness
    exact: bool = True
    pair: ViolatedPair | None = field(default=None, repr=False)

    def __str__(self) -> str:
        sentences = SENTENCES if self.exact else MAYBE
        text = sentences[self.kind].format(array=self.array, **self.witness.instances)
        return self.witness.at_values(text)


@dataclass(frozen=True, eq=False)
class CheckAsked:
    """What a verdict is about: a program, a schedule as `check` takes it, and kills."""

    program: Scop
    schedule: Any
    kills: isl.UnionMap | str | None = None


@dataclass(frozen=True, eq=False)
class Verdict(Conveniences):
    """Whether an order of execution is legal (truthy then), and if not, why.

    `conflicts` has a witness for each kind of conflict between statements. `ignored` has one for
    each false dependence that a legal order turns around: the live ranges that it kept apart do not
    overlap in the new order either. `repairs` are what would make it legal.
    """

    conflicts: tuple[Conflict, ...]
    ignored: tuple[Violation, ...] = field(default=(), repr=False)
    asked: CheckAsked | None = field(default=None, repr=False)

    @property
    def legal(self) -> bool:
        return not self.conflicts

    def __bool__(self) -> bool:
        return self.legal

    @cached_property
    def repairs(self) -> Any:
        """What would make the order legal (`polynb.violations.Repairs`, of `Repair`s with an
        `apply`), found when it is first asked for: memory for the values that would be overwritten,
        or the nearest legal schedule. Raises PolynbError for a verdict that is not `check`'s."""
        return self._below("repairs")

    def to_svg(self) -> Markup:
        """The first conflict: its live ranges on a time line, in the program's order and in the new
        one (the 2010 paper, Figure 9), and as arrows in the iteration space; where only flow is
        turned around, that. Raises PolynbError if there is none."""
        picture: Markup = self._below("verdict_svg")
        return picture

    def __str__(self) -> str:
        if self.conflicts:
            return "illegal: " + "; ".join(map(str, self.conflicts))
        if not self.ignored:
            return "legal: every dependence is respected"
        count = len(self.ignored)
        which = "a false dependence is" if count == 1 else f"{count} false dependences are"
        return f"legal: {which} turned around, and no live ranges overlap"


@isl.bounded("the check of an order")
def check(
    program: Scop | Derivation,
    schedule: New | None = None,
    *,
    kills: isl.UnionMap | str | None = None,
    max_operations: int | None = 50_000_000,
) -> Verdict:
    """Whether a program keeps its meaning when it runs in the order of `schedule`.

    `schedule`: a schedule tree (ours or isl's), times `{ S[i] -> [t] }` (an islpy union map or isl
    text; instances of one time run in any order), or the same statements in another order (a Scop
    or Derivation). Of a Derivation alone, its result is checked against what it started from.
    `kills`: `{ S[i] -> A[x] }`, cells whose content nobody needs any more after S[i], in the
    order of the program. Where arrays live in other memory, values must keep apart there. Raises
    PolynbError for a schedule that leaves instances out, and BudgetExhausted.
    """
    as_scop(program)
    if schedule is None:
        if not isinstance(program, Derivation):
            raise PolynbError("a schedule to check is needed", hint="pn.check(scop, schedule)")
        schedule = program.result
        scop = original(program)
    else:
        scop = as_scop(program)
    optional(count, "max_operations", max_operations)
    with isl.budget(max_operations):
        new = new_times(scop, schedule)
        other = as_scop(schedule) if isinstance(schedule, Scop | Derivation) else scop
        for stored in dict.fromkeys((scop, other)):
            verdict = check_storage(stored)
            if not verdict:
                return verdict
        if isinstance(schedule, isl.Schedule):
            schedule = from_isl(schedule)
        verdict = check_ranges(live_ranges(scop, kills=kills), new)
        return replace(verdict, asked=CheckAsked(scop, schedule, kills))


@isl.bounded("the check of an order")
def memory_based(
    program: Scop | Derivation, schedule: New, *, max_operations: int | None = 50_000_000
) -> Verdict:
    """Whether an order respects all dependences, those too that come from memory alone: what
    GRAPHITE checked before the 2010 paper, and what forbids too much.

    `schedule` is as `check` takes it. Raises PolynbError for one that leaves instances out, and
    BudgetExhausted.
    """
    scop = as_scop(program)
    optional(count, "max_operations", max_operations)
    with isl.budget(max_operations):
        new = Order(new_times(scop, schedule))
        dependences = analyze(scop)
        return Verdict(
            tuple(
                c
                for kind in ("raw", "war", "waw")
                for c in _conflicts(FLOW_NAMES[kind], dependences.memory(kind), new, scop.assumed)
            )
        )


def check_storage(scop: Scop) -> Verdict:
    """Whether values keep apart in the memory that the arrays of a program live in."""
    shared = memories(scop)
    if not shared:
        return Verdict(())
    return check_ranges(stored_ranges(scop), {s.name: s.schedule for s in scop.statements}, shared)


def check_ranges(
    ranges: LiveRanges, new: Mapping[str, isl.Map], arrays: frozenset[str] = frozenset()
) -> Verdict:
    """`check` for live ranges that are known, and times `{ S[i] -> [t] }` of one length. Of some
    `arrays` live ranges are looked at in any case."""
    order, assumed = Order(new), ranges.scop.assumed
    ignored = tuple(violations(ranges.false, order, assumed))
    # Where no false dependence is turned around, live ranges run one after the other as before.
    suspicious = {v.edge.array for v in ignored} | arrays

    def beside(kind: str, edges: Iterable[Edge]) -> Iterator[Conflict]:
        return _conflicts(kind, [e for e in edges if e.array in suspicious], order, assumed)

    conflicts = [
        *_conflicts("flow", ranges.flow, order, assumed),
        *(c for a in ranges.scop.arrays if a in suspicious for c in _overwritten(ranges, a, order)),
        *beside("live-in", ranges.after_live_in),
        *beside("live-out", ranges.before_live_out),
    ]
    return Verdict(
        tuple(_with_pair(c, ranges, new) for c in conflicts), () if conflicts else ignored
    )


@isl.bounded("the check of an order")
def keeps_values(scop: Scop, new: Scop) -> bool:
    """Whether `check` calls the times of a program's statements in another one, all in memory of
    their own, legal, where nobody asks why not."""
    ranges, times = live_ranges(scop), {s.name: s.schedule for s in new.statements}
    order = Order(times)
    if any(order.turns(e, scop.assumed) for e in ranges.flow):
        return False
    if not any(order.turns(e, scop.assumed) for e in ranges.false):
        return True
    return bool(check_ranges(ranges, times))


def _with_pair(c: Conflict, ranges: LiveRanges, new: Mapping[str, isl.Map]) -> Conflict:
    return replace(c, pair=violated_pair(c.kind, c.array, c.witness, c.exact, ranges, new))


def _conflicts(
    kind: str, edges: Iterable[Edge], new: Order, assumed: isl.Set
) -> Iterator[Conflict]:
    seen = set()
    for v in violations(edges, new, assumed):
        key = v.edge.array, v.edge.source, v.edge.target
        if key not in seen:
            seen.add(key)
            witness = v.witness.with_roles(*ROLES[kind])
            yield Conflict(kind, v.edge.array, witness, v.edge.exact)


def _overwritten(ranges: LiveRanges, array: str, new: Order) -> Iterator[Conflict]:
    """A write inside of a live range, of each two statements and each that writes in between."""
    writers = [s.name for s in ranges.scop.statements if s.write.array == array]
    seen = set()
    for r in value_ranges(ranges, {array}):
        for writer in writers:
            key = r.write, r.end, writer
            if key in seen:
                continue
            at = isl.witness(within(r, writer, ranges, new).wrap().flatten())
            if at is not None:
                seen.add(key)
                instances = _split(at[1], r, writer)
                yield Conflict("live range", array, Witness(at[0], instances), r.exact)


def _split(point: tuple[int, ...], r: RangesOf, writer: str) -> dict[str, Instance]:
    assert r.write is not None
    assert r.end is not None
    a, b = r.pairs.dim(isl.IN), r.cells.dim(isl.IN)
    return {
        "write": Instance(r.write, point[:a]),
        "read": Instance(r.end, point[a:b]),
        "other": Instance(writer, point[b:]),
    }
