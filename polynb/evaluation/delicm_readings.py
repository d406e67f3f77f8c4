"""DeLICM's listings as they are printed, to see what comes of it (`notebooks/errata.ipynb`).

As in `readings`, a reading takes the place of what it is a reading of in polynb's own pass, for one
run; where as printed no pass could come to an end, the listing itself stands here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polynb.delicm.mapping as mapping_module
from polynb import isl
from polynb.delicm import forward_operands, map_scalars
from polynb.delicm.candidates import MappableScalar, proposal
from polynb.delicm.forwardable import Forwarding
from polynb.delicm.knowledge import Knowledge, learn
from polynb.delicm.operand_trees import Load, Obstacle, OperandTree, Operation
from polynb.delicm.timing import Times
from polynb.delicm.values import copied_read
from polynb.derivation import Derivation
from polynb.evaluation.readings import instead
from polynb.scop import Scop, Statement


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


def forward_inverted(program: Scop | Derivation) -> Derivation:
    """`forward_operands` with line 6 of Listing 7 as printed: of what is no content of any element,
    operations are refused; loads, which are not speculatable, are copied as soon as there is
    nothing to be said against their operands, whatever has become of the cell."""

    copied = Forwarding._operation

    def operation(search: Forwarding, s: Statement, *where: Any) -> Operation | Obstacle:
        if copied_read(search.scop, s) is None:
            return Obstacle(f"{s.name} is speculatable")
        return copied(search, s, *where)

    with instead(Forwarding, _operation=operation, _overwritten=lambda *of: None):
        return forward_operands(program)


def map_uniting(program: Scop | Derivation) -> Derivation:
    """`map_scalars` with line 17 of Listing 5 as printed: what is known after a scalar was mapped
    is what was known before, united with the proposal."""
    proposals: list[Knowledge] = []

    def remembered(
        c: MappableScalar,
        cells: Mapping[str, isl.Map],
        at: Times,
        values: Mapping[str, isl.UnionMap],
    ) -> Knowledge:
        proposals.append(proposal(c, cells, at, values))
        return proposals[-1]

    def united(search: Any, scop: Scop) -> Any:  # the last proposal is the one that was accepted
        known = learn(search.existing, proposals[-1])
        return type(search)(search.target, search.at, known, search.values)

    with (
        instead(mapping_module, proposal=remembered),
        instead(mapping_module._Search, renewed=united),
    ):
        return map_scalars(program)


def map_by_definition(program: Scop | Derivation) -> Derivation:
    """`map_scalars` that tries one element only: the one that is overwritten next after each
    definition."""
    both = mapping_module._Search._ways

    def first(search: Any, c: MappableScalar) -> Any:
        return (way for way in both(search, c) if way[0] == "definition")

    with instead(mapping_module._Search, _ways=first):
        return map_scalars(program)
