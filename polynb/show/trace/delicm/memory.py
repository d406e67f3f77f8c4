"""The picture of greedy mapping: array elements against time, and a scalar's lifetime on them.

Knowledge is shown at parameter values, place by place. The times at which something runs divide
time into zones; what is known is the same throughout each. Zone k lies between the times number
k - 1 and k, and its last point, time k, stands for it; the last zone, behind all times, has a point
of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from polynb import isl
from polynb.delicm.knowledge import Knowledge
from polynb.delicm.timing import Times
from polynb.delicm.values import COMPUTED, CONSTANT, INITIAL
from polynb.scop.witness import Instance, cell_text
from polynb.show.draw.sample import between, pinned
from polynb.show.trace.format import MemoryJson, MemoryLayerJson, MemoryRole, MemoryRule

Point = tuple[int, ...]
Place = tuple[int, int]
"""[cell, zone], or [cell, time], by their numbers."""
Violation = tuple[MemoryRule, Place, Literal["zone", "time"]]


@dataclass(frozen=True)
class Axes:
    """The rows and the columns: elements, and what runs when."""

    cells: tuple[Point, ...]
    times: tuple[Point, ...]
    instances: tuple[Instance, ...]

    @property
    def zones(self) -> tuple[Point, ...]:
        """A point in each zone."""
        if not self.times:
            return ()
        *first, final = self.times[-1]
        return (*self.times, (*first, final + 1))


@dataclass(frozen=True)
class KnownPlaces:
    """Where knowledge holds: zones that are unused or occupied, contents of zones, writes. Of a
    content that is not known, the names are none."""

    unused: frozenset[Place] = frozenset()
    occupied: frozenset[Place] = frozenset()
    known: Mapping[Place, frozenset[str]] = field(default_factory=dict)
    written: Mapping[Place, frozenset[str]] = field(default_factory=dict)


def axes(
    times: Times,
    parts: Iterable[Knowledge],
    values: Mapping[str, int],
) -> Axes:
    """The elements that some knowledge is about, and the times of all statements."""
    runs = sorted((t, name, i) for name, m in times.items() for i, t in isl.pairs(m, values))
    cells: set[Point] = set()
    for k in parts:
        for s in isl.sets(k.written.domain()):
            cells.update(isl.points(s.unwrap().domain(), values))
    return Axes(
        tuple(sorted(cells)),
        tuple(t for t, _, _ in runs),
        tuple(Instance(name, i) for _, name, i in runs),
    )


def places(k: Knowledge, at: Axes, values: Mapping[str, int]) -> KnownPlaces:
    """Where the knowledge holds, at parameter values."""
    zone = {p: n for n, p in enumerate(at.zones)}
    time = {p: n for n, p in enumerate(at.times)}
    cell = {p: n for n, p in enumerate(at.cells)}

    def found(s: isl.Set, columns: Mapping[Point, int]) -> frozenset[Place]:
        rows = len(at.cells[0])
        inside = isl.points(_boxed(s, at, values))
        split = ((p[:rows], p[rows:]) for p in inside)
        return frozenset((cell[x], columns[t]) for x, t in split if x in cell and t in columns)

    def sets(union: isl.UnionSet | None) -> frozenset[Place]:
        parts = [] if union is None else isl.sets(union)
        return frozenset().union(*(found(s.flatten(), zone) for s in parts))

    def contents(union: isl.UnionMap, columns: Mapping[Point, int]) -> dict[Place, frozenset[str]]:
        held: dict[Place, frozenset[str]] = {}
        for m in isl.maps(union):
            m = isl.fix_parameters(m, values).flatten_domain()
            for place in found(m.domain(), columns):
                held.setdefault(place, frozenset())
                if isl.tuple_name(m, isl.OUT):
                    here = _at(at, place, columns is zone)
                    names = {
                        value_text(isl.tuple_name(m, isl.OUT), v)
                        for v in isl.points(pinned(m, isl.IN, here).range())
                    }
                    held[place] |= frozenset(names)
        return held

    if not at.cells or not at.times:
        return KnownPlaces()
    return KnownPlaces(
        sets(k.unused),
        sets(k.occupied),
        contents(k.known, zone),
        contents(k.written, time),
    )


def _at(at: Axes, place: Place, in_zone: bool) -> Point:
    columns = at.zones if in_zone else at.times
    return (*at.cells[place[0]], *columns[place[1]])


def _boxed(s: isl.Set, at: Axes, values: Mapping[str, int]) -> isl.Set:
    """The part of a set that the picture can show."""
    s = isl.fix_parameters(s, values)
    shown = [(*c, *z) for c in (at.cells[0], at.cells[-1]) for z in at.zones]
    shown += [(*c, *at.zones[0]) for c in at.cells]
    for k in range(s.dim(isl.SET)):
        column = [p[k] for p in shown]
        s = between(s, k, min(column), max(column))
    return s


def conflicts(existing: KnownPlaces, proposed: KnownPlaces) -> list[Violation]:
    """The (rule, place, "zone" or "time") of all conflicts, by the definition, place by place, in
    the order of the rules: lifetimes that overlap, writes into lifetimes, two writes at once."""
    found: list[Violation] = []
    for place in sorted(proposed.occupied):
        if place not in existing.unused and not _shared(existing.known, proposed.known, place):
            found.append(("lifetime", place, "zone"))
    sides: tuple[tuple[MemoryRule, KnownPlaces, KnownPlaces], ...] = (
        ("existing write", existing, proposed),
        ("proposed write", proposed, existing),
    )
    for rule, writer, other in sides:
        for (c, t), names in sorted(writer.written.items()):
            after = (c, t + 1)
            needed = after in proposed.occupied if other is proposed else after not in other.unused
            if needed and not names & other.known.get(after, frozenset()):
                found.append((rule, (c, t), "time"))
    for place in sorted(existing.written.keys() & proposed.written.keys()):
        if not existing.written[place] & proposed.written[place]:
            found.append(("both write", place, "time"))
    return found


def _shared(
    a: Mapping[Place, frozenset[str]], b: Mapping[Place, frozenset[str]], place: Place
) -> bool:
    return bool(a.get(place, frozenset()) & b.get(place, frozenset()))


def value_text(name: str, point: Point) -> str:
    """A value as a person knows it: the instance that computed it, the constant, the content."""
    if name.startswith(CONSTANT):
        digits, _, _ = name.removeprefix(CONSTANT).rpartition("_")
        return re.sub("[mp]", lambda m: {"m": "-", "p": "."}[m[0]], digits)
    if name.startswith(INITIAL):
        return f"old {cell_text(name.removeprefix(INITIAL), point)}"
    return str(Instance(name.removeprefix(COMPUTED), point))


RULES: Final[Mapping[MemoryRule, str]] = {
    "lifetime": "both need the element, for different values",
    "existing write": "what is stored there meanwhile would destroy the scalar's value",
    "proposed write": "the scalar's value would destroy what is still needed",
    "both write": "two values are written at once",
}
LABELS: Final = {
    ("existing", "known"): "known content",
    ("proposed", "known"): "known content",
    ("proposed", "occupied"): "lifetime",
}
"""Of roles that are not called by their names."""


def memory(
    array: str,
    times: Times,
    existing: Knowledge,
    proposed: Knowledge | None,
    values: Mapping[str, int],
    candidate: str = "",
    queue: Sequence[str] = (),
) -> MemoryJson | None:
    """What is known of an array, and what a scalar would need of it; None if nothing runs."""
    known = [existing] if proposed is None else [existing, proposed]
    at = axes(times, known, values)
    if not at.cells or not at.times:
        return None
    here = places(existing, at, values)
    layers = list(_layers("existing", here, at))
    found: MemoryJson = {
        "array": array,
        "cells": [cell_text(array, c) for c in at.cells],
        "times": [str(i) for i in at.instances],
        "layers": layers,
    }
    if proposed is not None:
        wanted = places(proposed, at, values)
        layers += _layers("proposed", wanted, at)
        found["candidate"] = candidate
        against = conflicts(here, wanted)
        if against:
            rule, place, where = against[0]
            found["conflict"] = {
                "place": list(place),
                "at": where,
                "rule": rule,
                "sentence": RULES[rule],
            }
    if queue:
        found["queue"] = list(queue)
    return found


def _layers(of: str, here: KnownPlaces, at: Axes) -> Iterable[MemoryLayerJson]:
    if of == "existing":
        everything = {(c, z) for c in range(len(at.cells)) for z in range(len(at.zones))}
        yield _layer(of, "unused", sorted(here.unused))
        yield _layer(of, "occupied", sorted(everything - here.unused))
    else:
        yield _layer(of, "occupied", sorted(here.occupied))
    yield _layer(of, "known", sorted(p for p, v in here.known.items() if v), here.known)
    yield _layer(of, "written", sorted(here.written), here.written)


def _layer(
    of: str,
    role: MemoryRole,
    found: Sequence[Place],
    names: Mapping[Place, frozenset[str]] | None = None,
) -> MemoryLayerJson:
    layer: MemoryLayerJson = {
        "of": "existing" if of == "existing" else "proposed",
        "role": role,
        "label": LABELS.get((of, role), role),
        "places": [list(p) for p in found],
    }
    if names is not None:
        layer["values"] = [" = ".join(sorted(names[p])) or "?" for p in found]
    return layer
