"""Orders of execution, judged by running them: instances are enumerated at parameter values, cell
by cell, and each read is asked whose value it gets. Knows nothing of live ranges.

What data decides to write is written or not, in every combination. Instances that the order does
not tell apart run in any order: for each value that may be overwritten, an execution is made up in
which it is, and run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import product

from polynb import isl

BEFORE = "before the program"
UNDEFINED = "undefined"
TOO_MANY = "too many"
LARGEST = 10
"""May-writes of a cell of which all combinations are tried."""


@dataclass(frozen=True)
class Event:
    """What an instance does to a cell."""

    instance: tuple
    old: tuple
    new: tuple
    reads: bool = False
    writes: bool = False
    kills: bool = False
    must: bool = True


def cells(scop, values, times, kills=None) -> dict[tuple, list[Event]]:
    """The events of each cell. `times` are `{ S[i] -> [t] }`."""
    found: dict[tuple, dict[tuple, dict]] = {}
    killed = {} if kills is None else {isl.tuple_name(m, isl.IN): [] for m in isl.maps(kills)}
    for m in [] if kills is None else isl.maps(kills):
        killed[isl.tuple_name(m, isl.IN)].append(m)
    clock = {}
    for s in scop.statements:
        known = s.domain.intersect_params(scop.assumed)
        old = dict(isl.pairs(s.schedule.intersect_domain(known), values))
        new = dict(isl.pairs(times[s.name].intersect_domain(known), values))
        clock |= {(s.name, i): (old[i], new[i]) for i in old}

        def note(relation, array, known=known, s=s, **what):
            for i, x in isl.pairs(relation.intersect_domain(known), values):
                here = found.setdefault((array, x), {}).setdefault((s.name, i), {})
                if "must" in what:
                    here["must"] = here.get("must", True) and what["must"]
                here.update({k: v for k, v in what.items() if k != "must"})

        for r in s.reads:
            note(r.relation, r.array, reads=True)
        note(s.write.relation, s.write.array, writes=True, must=s.write.must)
        for m in killed.get(s.name, ()):
            note(m, isl.tuple_name(m, isl.OUT), kills=True)
    return {
        cell: [Event(i, *clock[i], **what) for i, what in events.items()]
        for cell, events in found.items()
    }


def simulate(events, happen) -> tuple[dict[tuple, object], object]:
    """Whose value each read gets, and whose remains. (Reads come first, then kills.)"""
    holds: object = BEFORE
    got = {}
    for e in events:
        if e.reads:
            got[e.instance] = holds
        if e.kills:
            holds = UNDEFINED
        if e.writes and happen(e):
            holds = e.instance
    return got, holds


def without_kills(events):
    return [Event(e.instance, e.old, e.new, e.reads, e.writes, False, e.must) for e in events]


Before = Callable[[Event, Event], bool]


def by_time(a: Event, b: Event) -> bool:
    return a.new < b.new


def by_levels(parallel: Mapping[str, frozenset[int]]) -> Before:
    """Strictly before, if what runs in parallel is in no order."""

    def before(a: Event, b: Event) -> bool:
        both = parallel.get(a.instance[0], frozenset()) & parallel.get(b.instance[0], frozenset())
        for k, (x, y) in enumerate(zip(a.new, b.new, strict=True)):
            if x != y:
                return x < y and k not in both
        return False

    return before


def extension(events, before: Before, extra=()) -> list[Event] | None:
    """An execution that keeps an order and runs some pairs as told; None if there is none."""
    left = list(events)
    order: list[Event] = []
    while left:
        ready = [
            e for e in left
            if not any(before(o, e) for o in left if o is not e)
            and not any(o is not e and any(x is o for x in left)
                        for o, then in extra if then is e)
        ]  # fmt: skip
        if not ready:
            return None
        order.append(ready[0])
        left = [e for e in left if e is not ready[0]]
    return order


def executions(events, old, remains, before: Before, happen) -> Iterator[list[Event]]:
    """One, and for each value that is used all in which another write could come in between."""
    plain = extension(events, before)
    assert plain is not None
    yield plain
    if all(before(a, b) or before(b, a) for a in events for b in events if a is not b):
        return
    by = {e.instance: e for e in events}
    writes = [e for e in events if e.writes and happen(e)]
    for read, source in [*old.items(), (None, remains)]:
        if source is UNDEFINED:
            continue
        r, w = by.get(read), by.get(source)
        if w is not None and r is not None:
            yield from some(extension(events, before, [(r, w)]))
        for x in writes:
            if x is w or x is r:
                continue
            extra = [(a, b) for a, b in ((w, x), (x, r)) if a is not None and b is not None]
            yield from some(extension(events, before, extra))


def happens(left_out, event) -> bool:
    return event.instance not in left_out


def some(order):
    return () if order is None else (order,)


def difference(scop, values, times, kills=None, before: Before = by_time) -> str | None:
    """What an execution in the new order reads, or leaves, that the program does not; None if
    there is nothing. TOO_MANY if data decides too much."""
    for (array, x), events in cells(scop, values, times, kills).items():
        may = [e for e in events if e.writes and not e.must]
        if len(may) > LARGEST:
            return TOO_MANY
        for bits in product((True, False), repeat=len(may)):
            left_out = {e.instance for e, b in zip(may, bits, strict=True) if not b}
            happen = partial(happens, left_out)
            old, remains = simulate(sorted(events, key=lambda e: e.old), happen)
            if not scop.arrays[array].live_out:
                remains = UNDEFINED
            alive = without_kills(events)
            for order in executions(alive, old, remains, before, happen):
                got, last = simulate(order, happen)
                for instance, source in old.items():
                    if source is not UNDEFINED and got[instance] != source:
                        return f"{array}{x}: {instance} reads {got[instance]}, not {source}"
                if remains is not UNDEFINED and last != remains:
                    return f"{array}{x}: {last} remains, not {remains}"
    return None
