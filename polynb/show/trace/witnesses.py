"""Witnesses in the frames of a trace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polynb.scop.witness import Witness
from polynb.show.trace.format import WITNESS_ROLES, WitnessInstanceJson, WitnessJson

if TYPE_CHECKING:
    from polynb.show.trace.builder import TraceBuilder


def witness_json(
    witness: Witness,
    builder: TraceBuilder,
    cell: str,
    sentence: str,
    *,
    blocks: bool | None = None,
) -> WitnessJson:
    """A witness as a frame has it: each instance with its place in the scene and its date.
    `blocks`: whether it stands in the way, where that is in question."""
    instances: list[WitnessInstanceJson] = [
        {
            "at": builder.scene.instance(i.statement, i.point),
            "role": WITNESS_ROLES[role],
            "name": str(i),
            "date": list(builder.date(i.statement, i.point)),
        }
        for role, i in witness.instances.items()
    ]
    found: WitnessJson = {"instances": instances, "cell": cell, "sentence": sentence}
    if blocks is not None:
        found["blocks"] = blocks
    return found
