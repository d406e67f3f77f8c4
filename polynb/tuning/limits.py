"""What a machine can do, measured by kernels of our own: how fast memory is, and arithmetic."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from polynb.run.kernel import Kernel
from polynb.run.resources import available_memory
from polynb.scop.parsing import parse
from polynb.source.types import DOUBLE, FLOAT, UINT32, UINT64, ElementType
from polynb.tuning.demands import FLOATING, demand

COPY: Final = (
    "param N; input double a[N]; output double b[N]; for i = 0 to N-1 do b[i] = a[i]; done"
)
TRIAD: Final = """param N; input double a[N], c[N], s; output double d[N];
for i = 0 to N-1 do d[i] = a[i] + s * c[i]; done"""
ROW: Final = 512  # cells, whose chains overlap; as many as stay in the first-level cache
ROWS: Final = 256  # which threads share
TIMES: Final = 50  # each row is computed again and again: a few milliseconds in all
TIMES_LARGER: Final = 4  # each array than the last-level cache, as STREAM demands
LEAST: Final = 1 << 16  # cells of an array


Gauge = tuple[Kernel, Mapping[str, int], Mapping[str, object]]
"""A kernel that measures a limit, the sizes at which it does, and all that it is called with."""


@dataclass(frozen=True)
class MachineLimits:
    """What a machine was seen to reach: `bandwidth` in bytes a second, of a copy or a triad of
    arrays larger than the last-level cache (of `cache` bytes); `peak` in operations of a `type` a
    second, of multiplications and additions of numbers in registers; both with `threads`."""

    bandwidth: float
    peak: float
    type: str
    cache: int
    threads: int = 1

    @property
    def floating(self) -> bool:
        """Whether the peak is of floating-point operations."""
        return self.type in FLOATING

    @property
    def unit(self) -> str:
        return "Gflop/s" if self.floating else "Gop/s"


def arithmetic(type: ElementType) -> str:
    """The text of a program of multiply-adds, most of which need not wait for each other. Beside
    eleven of them a load and a store take no time of their own."""
    x = "x[i][j]"
    value = f"({x} * a + b) * ({x} * c + d) + ({x} * b + c) * ({x} * d + a)"
    return f"""param K, T; input {type} a, b, c, d; inout {type} x[K][{ROW}];
for i = 0 to K-1 do for t = 0 to T-1 do for j = 0 to {ROW - 1} do {x} = {value}; done done done"""


def gauges(like: Kernel, type: ElementType, cache: int) -> list[Gauge]:
    """A copy, a triad, and arithmetic in a type, compiled as a kernel is, for as many threads as it
    uses."""
    left = available_memory() or 16 * TIMES_LARGER * cache
    cells = max(min(TIMES_LARGER * cache, left // 16) // DOUBLE.size, LEAST)
    near = 0.25 if type.is_float else 3  # with which x becomes 0.17, and stays it
    texts: tuple[tuple[str, str, dict[str, int], dict[str, float]], ...] = (
        ("copy", COPY, {"N": cells}, {}),
        ("triad", TRIAD, {"N": cells}, {"s": 3.0}),
        ("arithmetic", arithmetic(type), {"K": ROWS, "T": TIMES}, dict.fromkeys("abcd", near)),
    )
    return [
        (like.again(parse(text, "scop", name=name), sizes), sizes, {**sizes, **scalars})
        for name, text, sizes, scalars in texts
    ]


def reached(
    gauges: Sequence[Gauge], samples: Sequence[Sequence[float]], type: ElementType, cache: int
) -> MachineLimits:
    """The limits that gauges show by their times: the better bandwidth of the first two, the
    arithmetic of the third."""
    asked = [demand(k.program, sizes) for k, sizes, _ in gauges if k.program is not None]
    copy, triad, busy = (statistics.median(times) for times in samples)
    bandwidth = max(asked[0].moved(cache) / copy, asked[1].moved(cache) / triad)
    peak = asked[2].of(type.is_float) / busy
    return MachineLimits(bandwidth, peak, type.name, cache, gauges[2][0].threads)


def computing_type(types: Mapping[str, int]) -> ElementType:
    """The type in which most is computed, narrow integers as C does; an unsigned type stands for
    signed ones, whose overflow C leaves open."""
    most = max(types, key=lambda t: types[t], default="double")
    wide = {"float": FLOAT, "double": DOUBLE, "int64": UINT64, "uint64": UINT64}
    return wide.get(most, UINT32)
