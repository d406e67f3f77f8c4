"""Memory of the runtime that stands for what a text does not show: what the library keeps, and what
is seen from outside."""

from __future__ import annotations

from typing import Final

from polynb.tracing.instrument import types
from polynb.tracing.instrument.types import Type
from polynb.tracing.library import STATES, STREAMS

ERRNO: Final = "errno"
VARIABLES: Final[dict[str, Type]] = {
    **dict.fromkeys((ERRNO, "signgam", "daylight", "optind", "opterr", "optopt"), types.INT),
    "timezone": types.LONG,
    "optarg": types.pointer(types.CHAR),
    "environ": types.pointer(types.pointer(types.CHAR)),
}
"""Those of the library, which its headers declare and a text uses."""
VOLATILE: Final = "volatile"


def state_memory(state: str) -> tuple[str, int]:
    """Where the runtime keeps it, and how many bytes it has."""
    if state in VARIABLES:
        return f"&{state}", types.size(VARIABLES[state])
    if state in STREAMS:
        return f"pn_order_of(pn_files[{STREAMS.index(state)}])", 8
    return f"&pn_states[{STATES.index(state)}]", 8
