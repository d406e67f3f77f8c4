"""Orders whose times are no numbers of C's: a loop over them would overflow."""

from __future__ import annotations

from typing import Final

from polynb import isl
from polynb.errors import PolynbError
from polynb.scop.model import Scop
from polynb.scop.schedule import Band, walk

FARTHEST: Final = 2**62
"""Half of int64's values: as many are left for iterators and parameters."""


def refuse_overflow(scop: Scop) -> None:
    """Raises PolynbError, naming the statement, for a member of a band `{ S[i] -> [i + 2^63 - 2] }`
    with a shift or factor that leaves int64 nothing to count with."""
    for band in walk(scop.schedule):
        for name, member in band.members.items() if isinstance(band, Band) else ():
            far = _farthest(member)
            if far is not None:
                raise PolynbError(
                    f"the loops of {name} cannot be written in C",
                    span=scop.by_name[name].span,
                    reason=f"its times have {far} in them, and C's integers of 64 bits overflow",
                    hint="the same order with smaller numbers: "
                    f"shifts and factors below 2^62 for {name}",
                )


def _farthest(member: isl.Map) -> int | None:
    """A number of the conditions on the times `[t]` of `{ S[i] -> [t] }` that is too far."""
    for part in isl.basic_maps(member):
        for c in isl.constraints(part):
            if not c.involves_dims(isl.OUT, 0, c.dim(isl.OUT)):
                continue
            numbers = [c.get_constant_val()]
            for kind in (isl.PARAM, isl.IN, isl.OUT):
                numbers += [c.get_coefficient_val(kind, k) for k in range(c.dim(kind))]
            for number in numbers:
                if abs(number.to_python()) >= FARTHEST:
                    return int(abs(number.to_python()))
    return None
