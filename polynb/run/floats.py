"""What IEEE 754 makes the same for every value: literals of other types, and what does nothing.

All values that are no numbers count as one, so that sums and products commute.
"""

from __future__ import annotations

import math
import struct
from typing import Final

from polynb.source.types import ElementType

COMMUTATIVE: Final = ("+", "*", "&", "|", "^", "==", "!=")
MIRRORED: Final = {">": "<", ">=": "<="}
OPPOSITE: Final = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}
_IDENTITIES: Final[dict[str, tuple[float | None, float]]] = {
    "*": (1.0, 1.0),
    "/": (None, 1.0),
    "+": (-0.0, -0.0),
    "-": (None, 0.0),
}
"""The literal on the left, or on the right, that leaves a floating value as it is."""
LEAVING: Final = tuple(_IDENTITIES)
"""The operations that there are literals for which leave a value as it is."""


def opposite(op: str, of: ElementType) -> str | None:
    """The comparison that holds exactly where one does not; of floats, which may be no numbers,
    only of equality."""
    return OPPOSITE.get(op) if op in ("==", "!=") or not of.is_float else None


def converted(value: float, type: ElementType) -> float:
    """A floating literal in another floating type."""
    if type.size != 4 or not type.is_float:
        return float(value)
    try:
        (rounded,) = struct.unpack("f", struct.pack("f", value))
    except OverflowError:
        return math.copysign(math.inf, value)
    return float(rounded)


def exactly(value: int, type: ElementType) -> float | None:
    """A whole number as a floating literal, where its type is what converts it; None where that
    makes another number of it, as `uint32` does of -4."""
    if abs(value) >= 2**63 or not (type.is_float or type.least <= value <= type.most):
        return None
    found = converted(value, type)
    return found if int(found) == value else None


def leaves(op: str, literal: float | int | None, left: bool) -> bool:
    """Whether an operation with a literal on one side gives the other side, to the last bit."""
    if literal is None or op not in _IDENTITIES:
        return False
    wanted = _IDENTITIES[op][0 if left else 1]
    if wanted is None or isinstance(literal, int):
        return wanted == literal
    return literal.hex() == wanted.hex()
