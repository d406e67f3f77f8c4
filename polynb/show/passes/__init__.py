"""The passes that a notebook knows, a module for what each looks like."""

from __future__ import annotations

from polynb.delicm import forward_operands, map_scalars, remove_scalars, simplify
from polynb.optimising import optimise
from polynb.proofs.explaining import proved
from polynb.propagation import propagate
from polynb.propagation.sat import propagate_maximally
from polynb.recurrences.carry import carry_recurrences
from polynb.reordering import reorder
from polynb.scalarizing import scalarize
from polynb.schedules.merging import merge_writes
from polynb.show.displays.registry import PassView, register
from polynb.show.displays.reports import PLAIN
from polynb.show.passes import delicm, optimising, propagation, proving, reordering, transformation
from polynb.violations.transforming import scripted
from polynb.windows import row_windows


def register_passes() -> None:
    """A line for each pass."""
    register(propagate.info, propagation.VIEW)
    register(reorder.info, reordering.VIEW)
    register(remove_scalars.info, delicm.VIEW)
    register(optimise.info, optimising.VIEW)
    register(scripted.info, transformation.VIEW)
    register(proved.info, proving.VIEW)
    for stage in (forward_operands, map_scalars, simplify):
        register(stage.info, delicm.ALONE)
    register(propagate_maximally.info, propagation.ALONE)
    for other in (carry_recurrences, merge_writes, row_windows, scalarize):
        register(other.info, PassView(PLAIN))
