"""DeLICM's listings as they are printed, to see what comes of it (`notebooks/errata.ipynb`).

A reading is given to polynb's own pass; where as printed no pass could come to an end, the listing
itself stands here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from polynb import isl
from polynb.delicm import forward_operands, map_scalars
from polynb.delicm.candidates import MappableScalar
from polynb.delicm.forwardable import Forwarding
from polynb.delicm.knowledge import learn
from polynb.delicm.operand_trees import Load, Obstacle, OperandTree, Operation
from polynb.delicm.readings import DelicmReadings
from polynb.delicm.search import MappingSearch, MappingTried
from polynb.delicm.values import copied_read
from polynb.derivation import Derivation
from polynb.scop.model import MemoryAccess, Scop, Statement


def can_forward_tree(s: OperandTree, *, inverted: bool = False, itself: bool = False) -> bool:
    """Listing 7, of an operand tree that was found: loads are those of elements that have the
    content, everything else is speculatable.

    `inverted`: as printed, what is speculatable is refused (line 6). `itself`: as printed, `s` is
    asked for in place of its operands (line 9). Raises RecursionError where that has no end.
    """
    if isinstance(s, Load):
        return True
    speculatable = True
    if speculatable == inverted:
        return False
    operands = s.operands.values()
    return all(can_forward_tree(s if itself else op, itself=itself) for op in operands)


class InvertedForwarding(Forwarding):
    """Line 6 of Listing 7 as printed: of what is no content of any element, operations are refused;
    loads, which are not speculatable, are copied as soon as there is nothing to be said against
    their operands, whatever has become of the cell."""

    def operation(self, s: Statement, at: isl.Map, path: tuple[str, ...]) -> Operation | Obstacle:
        if copied_read(self.scop, s) is None:
            return Obstacle(f"{s.name} is speculatable")
        return super().operation(s, at, path)

    def overwritten(self, s: Statement, access: MemoryAccess, at: isl.Map) -> Obstacle | None:
        return None


def forward_inverted(program: Scop | Derivation) -> Derivation:
    """`forward_operands` with that reading."""
    return forward_operands(program, readings=DelicmReadings(forwarding=InvertedForwarding))


class UnitingSearch(MappingSearch):
    """Line 17 of Listing 5 as printed: what is known after a scalar was mapped is what was known
    before, united with the proposal."""

    def renewed(self, scop: Scop, accepted: MappingTried) -> MappingSearch:
        assert accepted.proposal is not None
        return replace(self, existing=learn(self.existing, accepted.proposal))


def map_uniting(program: Scop | Derivation) -> Derivation:
    """`map_scalars` with that reading."""
    return map_scalars(program, readings=DelicmReadings(mapping=UnitingSearch))


class ScalarsOwnSearch(MappingSearch):
    """Line 19 of Listing 5 as printed: the input scalars of the mapped scalar itself, which is no
    store and uses none."""

    def adjacent(self, scop: Scop, c: MappableScalar) -> tuple[str, ...]:
        return ()


def map_without_adjacent(program: Scop | Derivation) -> Derivation:
    """`map_scalars` with that reading."""
    return map_scalars(program, readings=DelicmReadings(mapping=ScalarsOwnSearch))


class DefinitionSearch(MappingSearch):
    """One element only is tried: the one that is overwritten next after each definition."""

    def ways(self, c: MappableScalar) -> Iterator[tuple[str, dict[str, isl.Map]]]:
        return (way for way in super().ways(c) if way[0] == "definition")


def map_by_definition(program: Scop | Derivation) -> Derivation:
    """`map_scalars` with that reading."""
    return map_scalars(program, readings=DelicmReadings(mapping=DefinitionSearch))
