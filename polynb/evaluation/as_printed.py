"""What a paper prints of a program, made of ours, to stand beside it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from polynb import isl
from polynb.dependences import live_ranges
from polynb.reordering import SearchBudget, build, preset
from polynb.reordering.integer_program import Counter
from polynb.scop import Scop

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
