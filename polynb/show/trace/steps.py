"""The frames of all passes' steps: importing this registers every type of step (`unfolding.py`)."""

from polynb.show.trace.propagation import steps as propagation
from polynb.show.trace.reordering import steps as reordering
from polynb.show.trace.unfolding import begins, phase, relations_of, unfold

__all__ = [
    "begins",
    "phase",
    "propagation",
    "relations_of",
    "reordering",
    "unfold",
]
