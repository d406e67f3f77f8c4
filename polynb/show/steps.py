"""The frames of all passes' steps: importing this registers every type of step (`unfolding.py`)."""

from polynb.show import propagate_steps, reorder_steps
from polynb.show.unfolding import Frame, begins, phase, relations_of, unfold

__all__ = [
    "Frame",
    "begins",
    "phase",
    "propagate_steps",
    "relations_of",
    "reorder_steps",
    "unfold",
]
