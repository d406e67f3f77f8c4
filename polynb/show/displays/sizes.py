"""Parameter values that are worth timing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from polynb import isl
from polynb.errors import PolynbError
from polynb.scop.model import Scop
from polynb.scop.needs import needs
from polynb.scop.sizes import extents_at

BYTES: Final = 64_000_000
FEW: Final = 10  # for a parameter that no array's size depends on, such as a number of time steps


def memory(scop: Scop, values: Mapping[str, int]) -> int:
    """The bytes of all arrays whose extents are known."""
    total = 0
    for array in scop.arrays.values():
        cells = 1
        for extent in extents_at(array, values):
            cells *= extent or 0
        total += cells * array.type.size if array.extents else 0
    return total


def suggested(scop: Scop, given: Mapping[str, int] | None = None) -> dict[str, int]:
    """Values for the parameters that are not given, so that the arrays take about 64 MB together
    (one value for all that sizes depend on); allowed ones, if there are any nearby."""
    given = dict(given or {})
    missing = [p for p in scop.parameters if p not in given]
    sizing = [p for p in missing if _sizes_depend_on(scop, p)]
    rest = {p: FEW for p in missing if p not in sizing}

    def at(size: int) -> dict[str, int]:
        return given | rest | dict.fromkeys(sizing, size)

    low, high = 1, 2
    while sizing and high < 2**40 and memory(scop, at(high)) < BYTES:
        low, high = high, 2 * high
    while high - low > max(low // 100, 1):
        middle = (low + high) // 2
        low, high = (middle, high) if memory(scop, at(middle)) < BYTES else (low, middle)
    return {p: v for p, v in _allowed(scop, at(_rounded(low)), given).items() if p in missing}


def _allowed(scop: Scop, values: dict[str, int], given: Mapping[str, int]) -> dict[str, int]:
    """The values, or the nearest ones that the program allows."""
    if not isl.fix_parameters(scop.assumed, values).is_empty():
        return values
    region = isl.fix_parameters(scop.assumed, given)
    universe = isl.Set.universe(isl.param_space(scop.parameters))
    found = isl.witness(isl.Set.from_params(region.intersect(universe)))
    if found is None:
        raise PolynbError(
            f"{scop.name} allows no parameter values",
            reason="what it assumes and what its accesses need exclude each other",
            hint="other assumptions",
        )
    return found[0]


def _sizes_depend_on(scop: Scop, parameter: str) -> bool:
    for array in scop.arrays.values():
        for extent in array.extents:
            if extent is not None and parameter in isl.dim_names(extent, isl.PARAM):
                where = isl.dim_names(extent, isl.PARAM).index(parameter)
                if extent.involves_dims(isl.PARAM, where, 1):
                    return True
    return False


def _rounded(value: int) -> int:
    """Two leading digits."""
    scale: int = 10 ** max(len(str(value)) - 2, 0)
    return value // scale * scale


def bench_line(name: str, scop: Scop) -> str | None:
    """`%bench fast N=4000000`; None where a kernel needs more than sizes."""
    return None if needs(scop) else f"%bench {name} {bench_arguments(scop)}".strip()


def timed_line(name: str, scop: Scop) -> str:
    """A way on from a result: to time it, or, where that needs more than sizes, to print it."""
    return bench_line(name, scop) or f"print({name}.result)"


def bench_arguments(scop: Scop, given: Mapping[str, int] | None = None) -> str:
    """`N=4000000`, to be typed after %bench."""
    return " ".join(f"{k}={v}" for k, v in suggested(scop, given).items())
