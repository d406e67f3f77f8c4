"""Steps of a derivation, unfolded into the frames that the stepper plays.

`unfold(step, builder)` yields one frame or several for a step, by its type; what a type is not
known for has its sentence. A frame is JSON of the trace's schema (`format.py`), whole in itself.
Each pass registers its steps in a module of its own, which its view names.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import singledispatch
from typing import Protocol, Unpack

from polynb import isl
from polynb.derivation import Step
from polynb.show.trace.format import Frame, FrameParts


class Framing(Protocol):
    """What makes a frame of a step: a `TraceBuilder`."""

    def frame(
        self, step: Step, section: str | None = None, **more: Unpack[FrameParts]
    ) -> Frame: ...


@singledispatch
def unfold(step: Step, builder: Framing) -> Iterator[Frame]:
    yield builder.frame(step)


@singledispatch
def phase(step: Step, builder: Framing) -> str | None:
    """The phase that begins with a step, if one does."""
    return None


@singledispatch
def relations_of(step: Step) -> tuple[list[isl.Map], list[isl.Map]]:
    """The relations `{ S[i] -> T[j] }` that a step shows: what speaks against something, and the
    others. Parameter values are chosen so that they have members."""
    return [], []
