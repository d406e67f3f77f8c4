"""What of DeLICM's listings can be read in other ways, and how it is meant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from polynb.delicm.forwardable import Forwarding
from polynb.delicm.search import MappingSearch
from polynb.derivation import Readings


@dataclass(frozen=True, repr=False)
class DelicmReadings(Readings):
    """`forwarding`: canForwardTree (Listing 7). `mapping`: the search for a place (Listing 5)."""

    forwarding: type[Forwarding] = Forwarding
    mapping: type[MappingSearch] = MappingSearch


AS_MEANT: Final = DelicmReadings()
