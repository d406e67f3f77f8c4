"""Scalars of functions that were compiled without optimisation: memory that stands for registers.

What clang makes without optimisation has every local variable in the function's frame, and its
hooks tell of each load and store there. Here they become what they are in the text: a load that
finds a scalar is an integer instruction with its value as label (section 4.1), a store to it a
move, which has none. So induction variables can be found, and what is left of the dependences
through scalars (a sum, say) is as it is.
"""

from __future__ import annotations

from dataclasses import replace

from polynb.folding import Folded, Stream
from polynb.tracing.programs.protocol import AccessStream
from polynb.tracing.records import Instruction


def is_scalar(folded: Folded, base: int, access: AccessStream) -> bool:
    """Whether an access of the frame finds one address in all loops of its function: those from
    dimension `base` on."""
    low, behind = access.reached
    return behind - low == access.size or all(
        not piece.approximate and all(k == 0 for k in piece.labels[0].coefficients[base:])
        for piece in folded.pieces
    )


def as_register(
    instruction: Instruction, folded: Folded, base: int, access: AccessStream, *, shared: bool
) -> tuple[Instruction, Folded]:
    """A local access as it is in the text. `folded` has the addresses and, of a load, the values;
    where it is an element of an array, or other functions have access to it, too (`shared`), it
    stays an access, without the values."""
    if shared or not is_scalar(folded, base, access):
        return instruction, with_outputs(folded, slice(0, 1), ("address",))
    if instruction.kind == "store":
        told = replace(instruction, kind="move", outputs=())
        return told, with_outputs(folded, slice(0, 0), ())
    told = replace(instruction, kind="integer", outputs=("value",))
    return told, with_outputs(folded, slice(1, 2), ("value",))


def with_outputs(folded: Folded, which: slice, outputs: tuple[str, ...]) -> Folded:
    """With some of the labels only."""
    stream = folded.stream
    return replace(
        folded,
        stream=Stream(stream.identifier, stream.kind, stream.dimensions, outputs),
        pieces=tuple(replace(p, labels=p.labels[which]) for p in folded.pieces),
    )
