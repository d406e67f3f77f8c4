"""Whether compiled programs give the same results, bit for bit or within a stated tolerance."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from polynb.errors import PolynbError
from polynb.run.bound import BoundKernel
from polynb.scop.witness import cell_text

# With fast_math, results may differ by this much of an array's largest value.
TOLERANCE: Final = {"float32": 1e-4, "float64": 1e-9}
# The rounding of floats to whole numbers turns the least difference into one of 1: there, this
# much of the largest value, or 1, in at most one cell of a hundred.
ROUNDED: Final = 1e-4
FEW: Final = 100
# A table that is looked up at a rounded place jumps there: this much, in at most one cell of so
# many (gcc and clang make of the local Laplacian filter what differs in three cells of a million).
JUMP: Final = 1e-3
RARE: Final = 100_000


def compare(
    labels: Sequence[str],
    bounds: Sequence[BoundKernel],
    fast_math: bool,
    report: Callable[[str, int, int], None],
    decided: Sequence[str] = (),
) -> str:
    """Run every kernel once and compare with the first; says how they were compared.

    Raises PolynbError with the first differing cell and both values. `decided`: arrays of which
    data decides which cells are accessed: outside of them, kernels may find different things.
    """
    first = bounds[0]
    outputs = {a.name: a for a in first.signature.arrays if a.live_out}
    floats = any(_has_floats(b) for b in bounds)
    for k, (label, bound) in enumerate(zip(labels, bounds, strict=True)):
        report(f"check {label}", k, len(bounds))
        bound.run()
        own = {a.name: a for a in bound.signature.arrays if a.live_out}
        if set(own) != set(outputs):
            raise PolynbError(
                f"{labels[0]} and {label} give different arrays: "
                f"{', '.join(outputs) or 'none'}; {', '.join(own) or 'none'}",
                hint="programs that compute the same",
            )
        for name in outputs if bound is not first else ():
            a, b = first.view(outputs[name]), bound.view(own[name])
            _compare_array(labels[0], a, label, b, name, fast_math, floats, decided)
    if not fast_math:
        return "results equal bit for bit"
    types = {a.type for a in outputs.values()}
    stated = max((TOLERANCE.get(t.dtype, 0.0) for t in types), default=0.0)
    if floats and not all(t.is_float for t in types):
        return f"results equal within {max(stated, ROUNDED):g} of the largest value, or 1 if whole"
    return f"results equal within {stated:g} of the largest value"


def _has_floats(bound: BoundKernel) -> bool:
    """Whether a program has floats in memory, from which its whole numbers may be rounded."""
    return any(a.type.is_float for a in (*bound.signature.arrays, *bound.signature.temporaries))


def _compare_array(
    first: str,
    a: np.ndarray,
    second: str,
    b: np.ndarray,
    name: str,
    fast_math: bool,
    rounded: bool,
    decided: Sequence[str],
) -> None:
    if a.shape != b.shape or a.dtype != b.dtype:
        raise PolynbError(
            f"{name} is {a.dtype} {a.shape} in {first}, and {b.dtype} {b.shape} in {second}",
            hint="programs that compute the same",
        )
    index = first_difference(a, b, fast_math, rounded)
    if index is None:
        return
    cell = cell_text(name, index)
    raise PolynbError(
        f"{first} and {second} do not compute the same, so they were not timed",
        reason=f"{cell} is {a[index]!r} in the one and {b[index]!r} in the other",
        hint=(
            f"inputs with which all subscripts of {', '.join(decided)} are in bounds; "
            if decided
            else ""
        )
        + "pn.equivalent(before, after) tells whether and where the programs differ",
    )


def first_difference(
    a: np.ndarray, b: np.ndarray, fast_math: bool = False, rounded: bool = False
) -> tuple[int, ...] | None:
    """The first index at which two arrays of one shape and type differ, None if they are equal.

    Equal means the same bits, or both NaN; with `fast_math`, floats may differ by TOLERANCE
    times the largest finite value of either array, and whole numbers that are `rounded` from
    floats a little in a few cells.
    """
    if a.size == 0:
        return None
    bits = f"u{a.dtype.itemsize}"
    unequal = a.view(bits) != b.view(bits)
    if a.dtype.kind == "f":
        unequal &= ~(np.isnan(a) & np.isnan(b))
        if fast_math and unequal.any():
            finite = np.isfinite(a) & np.isfinite(b)
            largest = np.max(np.maximum(np.abs(a), np.abs(b)), initial=0, where=finite)
            with np.errstate(all="ignore"):
                near = np.abs(a - b) <= TOLERANCE[a.dtype.name] * largest
            unequal &= ~near
    elif fast_math and rounded and 0 < np.count_nonzero(unequal) <= a.size / FEW:
        x, y = a.astype(np.float64), b.astype(np.float64)
        largest = float(np.max(np.maximum(np.abs(x), np.abs(y))))
        unequal &= np.abs(x - y) > max(ROUNDED * largest, 1)
        if np.count_nonzero(unequal) <= a.size / RARE:
            unequal &= np.abs(x - y) > max(JUMP * largest, 1)
    if not unequal.any():
        return None
    return tuple(int(k) for k in np.unravel_index(int(np.argmax(unequal)), a.shape))
