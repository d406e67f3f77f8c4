"""Witnesses in the frames of a trace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from polynb.scop.witness import Witness

if TYPE_CHECKING:
    from polynb.show.trace.builder import TraceBuilder


def witness_json(
    witness: Witness, builder: TraceBuilder, cell: str, sentence: str
) -> dict[str, Any]:
    """A witness as a frame has it: each instance with its place in the scene and its date."""
    return {
        "instances": [
            {
                "at": builder.scene.instance(i.statement, i.point),
                "role": role,
                "name": str(i),
                "date": list(builder.date(i.statement, i.point)),
            }
            for role, i in witness.instances.items()
        ],
        "cell": cell,
        "sentence": sentence,
    }
