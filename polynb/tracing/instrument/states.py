"""Memory of the runtime that stands for what a text does not show: what the library keeps, and what
is seen from outside."""

from __future__ import annotations

from typing import Final

from polynb.tracing.library import STATES, STREAMS

ERRNO: Final = "errno"
VOLATILE: Final = "volatile"


def state_memory(state: str) -> tuple[str, int]:
    """Where the runtime keeps it, and how many bytes it has."""
    if state == ERRNO:
        return "&errno", 4
    if state in STREAMS:
        return f"pn_files[{STREAMS.index(state)}]", 8
    return f"&pn_states[{STATES.index(state)}]", 8
