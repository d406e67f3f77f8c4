"""What a paper prints of a program, made of ours, to stand beside it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from polynb import isl
from polynb.dependences import live_ranges
from polynb.errors import PolynbError
from polynb.reordering import SearchBudget, build, preset
from polynb.reordering.integer_program import Counter
from polynb.reordering.sentences import formula
from polynb.scop import Scop
from polynb.scop.schedule import Band, walk

STEPS = 2000
"""Integer programs that a band may take, far more than the papers' do."""


def body(scop: Scop) -> str:
    """The loops and statements, without declarations and labels."""
    return re.sub(r" // \w+$", "", str(scop), flags=re.M).partition("\n\n")[2]


def modulo_domains(scop: Scop, relations: Iterable[isl.Map]) -> str:
    """A union of relations between instances, or from instances to elements, as IMPACT'16 writes
    it, "modulo domain constraints": without what the iteration domains say anyway."""
    instances = isl.union_set(s.domain for s in scop.statements)
    found = isl.union_map(relations)
    there = instances.union(found.range().subtract(instances))
    parts = isl.maps(found.gist_domain(instances).gist_range(there))
    return "; ".join(str(m).partition("{ ")[2].removesuffix(" }") for m in parts)


def effort(scop: Scop, name: str = "cpu") -> tuple[int, int, int, int]:
    """A row of Table 1 of IMPACT'16: the band members that were computed, the groups of condition
    constraints that were marked local, those of them that were not local already, and the bands
    that began again. `name` is a preset of `pn.reorder`."""
    spent = SearchBudget(Counter(STEPS))
    for _ in build(preset(live_ranges(scop), name), effort=spent):
        pass
    return spent.members, spent.localized, spent.non_local, spent.resets


def agrees(scop: Scop, relations: Iterable[isl.Map], printed: str) -> bool:
    """Whether relations from instances are those that are printed, `[n] -> { S[i] -> A[i] }`, once
    domain constraints are added to these."""
    instances = isl.union_set(s.domain for s in scop.statements)
    said = isl.read_union_map(printed).intersect_domain(instances)
    elements = said.range().subtract(instances.universe())
    return isl.union_map(relations).is_equal(said.intersect_range(instances.union(elements)))


def distances(scop: Scop, schedule: str, sizes: Mapping[str, int]) -> set[tuple[int, ...]]:
    """How far apart in time, `{ S[i] -> [t] }`, the two ends of flow dependences are."""
    times = isl.read_union_map(schedule)
    flow = isl.union_map(e.relation for e in live_ranges(scop).flow)
    apart = isl.maps(times.reverse().apply_range(flow).apply_range(times))
    return {d for m in apart for d in isl.points(m.deltas(), sizes)}


def members(scop: Scop) -> dict[str, str]:
    """What the one band of a schedule gives to each statement, `{"S1": "[j, i]"}`. Raises
    PolynbError where there are several bands, or none."""
    bands = [node for node in walk(scop.schedule) if isinstance(node, Band)]
    if len(bands) != 1:
        raise PolynbError(f"there are {len(bands)} bands", hint="a schedule of one band")
    return {s: formula(m) for s, m in sorted(bands[0].members.items())}
