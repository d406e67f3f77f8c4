"""The picture of greedy mapping: array elements against time, and a scalar's lifetime on them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from polynb.delicm.knowledge import Knowledge
from polynb.delicm.timing import Times
from polynb.scop.witness import cell_text
from polynb.show.trace.delicm.places import Axes, KnownPlaces, Place, axes, conflicts, places
from polynb.show.trace.format import MemoryJson, MemoryLayerJson, MemoryRole, MemoryRule

RULES: Final[Mapping[MemoryRule, str]] = {
    "lifetime": "both need the element, for different values",
    "existing write": "what is stored there meanwhile would destroy the scalar's value",
    "proposed write": "the scalar's value would destroy what is still needed",
    "both write": "two values are written at once",
}


NAMES: Final[Mapping[MemoryRole, str]] = {
    "unused": "unused",
    "occupied": "occupied",
    "known": "known content",
    "written": "written",
}


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
        "label": "lifetime" if (of, role) == ("proposed", "occupied") else NAMES[role],
        "places": [list(p) for p in found],
    }
    if names is not None:
        layer["values"] = [" = ".join(sorted(names[p])) or "?" for p in found]
    return layer
