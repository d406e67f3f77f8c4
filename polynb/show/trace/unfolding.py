"""Steps of a derivation, unfolded into the frames that the stepper plays.

`unfold(step, builder)` yields one frame or several for a step, by its type; what a type is not
known for has its sentence. A frame is JSON of the trace's schema (`format.py`), whole in itself.
Each pass registers its steps in a file of its own; `steps.py` has them all.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import singledispatch
from typing import TYPE_CHECKING

from polynb import isl
from polynb.derivation import Step
from polynb.show.trace.format import Frame

if TYPE_CHECKING:
    from polynb.show.trace.builder import TraceBuilder


@singledispatch
def unfold(step: Step, builder: TraceBuilder) -> Iterator[Frame]:
    yield builder.frame(step)


@singledispatch
def begins(step: Step) -> bool:
    """Whether something new begins with a step: it stands out among the others."""
    return False


@singledispatch
def phase(step: Step, builder: TraceBuilder) -> str | None:
    """The phase that begins with a step, if one does."""
    return None


@singledispatch
def relations_of(step: Step) -> tuple[list[isl.Map], list[isl.Map]]:
    """The relations `{ S[i] -> T[j] }` that a step shows: what speaks against something, and the
    others. Parameter values are chosen so that they have members."""
    return [], []
