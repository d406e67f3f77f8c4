"""What of IMPACT'16 can be read in other ways, and how it is meant."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from polynb.dependences.live_ranges import LiveRanges, Reference, one_name_each
from polynb.derivation import Readings
from polynb.reordering.active import Active, Below, Functions, below, inside_groups


@dataclass(frozen=True, repr=False)
class ReorderReadings(Readings):
    """`below`: what of the edges is left below a band, `inside_groups`: of groups of statements one
    after the other (section 2.4). `naming`: what is one reference (2.2)."""

    below: Callable[[Sequence[Active], Functions], Below] = below
    inside_groups: Callable[[Sequence[Active], Mapping[str, int]], Below] = inside_groups
    naming: Callable[[LiveRanges], dict[Reference, str]] = one_name_each


AS_MEANT: Final = ReorderReadings()
