"""What limits a kernel, memory or arithmetic, and how far from that limit it is.

The picture is Williams, Waterman and Patterson's: *Roofline: An Insightful Visual Performance Model
for Multicore Architectures*, CACM 52(4), 2009.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from numpy.typing import ArrayLike

from polynb.conveniences import Conveniences, Json, Markup
from polynb.errors import PolynbError
from polynb.run.kernel import Kernel
from polynb.run.measurement import Program, Progress, measured_beside
from polynb.run.shared import readable
from polynb.run.timing import Timing, seconds as time_text
from polynb.scop.witness import values_text
from polynb.source.types import ElementType
from polynb.tuning.demands import Demand, demand
from polynb.tuning.limits import Gauge, MachineLimits, computing_type, gauges, reached
from polynb.tuning.machine import last_level_cache
from polynb.tuning.tables import aligned
from polynb.words import counted


@dataclass(frozen=True)
class RooflinePoint:
    """A kernel under a machine's roof: what it has to do, and the seconds that it takes."""

    label: str
    demand: Demand
    seconds: float
    limits: MachineLimits

    @property
    def operations(self) -> int:
        """Those that the machine's peak is of: in floating point, or on integers."""
        return self.demand.of(self.limits.floating)

    @property
    def bytes(self) -> int:
        """Those that move between memory and the last-level cache, at least."""
        return self.demand.moved(self.limits.cache)

    @property
    def intensity(self) -> float:
        """Operations for each byte."""
        return self.operations / self.bytes if self.bytes else math.inf

    @property
    def rate(self) -> float:
        """Operations a second."""
        return self.operations / self.seconds

    @property
    def bandwidth(self) -> float:
        """Bytes a second, of those that have to move."""
        return self.bytes / self.seconds

    @property
    def alone(self) -> tuple[float, float]:
        """The seconds that memory alone would take, and arithmetic alone."""
        return self.bytes / self.limits.bandwidth, self.operations / self.limits.peak

    @property
    def limit(self) -> str:
        """What would take longer, if it were all: "memory" or "arithmetic"."""
        memory, arithmetic = self.alone
        return "memory" if memory >= arithmetic else "arithmetic"

    @property
    def times(self) -> float:
        """How many times longer it takes than its limit alone."""
        return self.seconds / max(self.alone)

    def __str__(self) -> str:
        alone = time_text(max(self.alone))
        if self.times < 1:
            said = f"takes {self.times:.2f} of the time that {self.limit} alone takes ({alone})"
            return f"{self.label} {said}: the limit was measured too low, or caches keep its arrays"
        said = f"takes {self.times:.2f} times the time that {self.limit} alone takes ({alone})"
        return f"{self.label} {said}"


@dataclass(frozen=True)
class Roofline(Conveniences):
    """What `roofline` found: each kernel under the machine's roof (`kernels`, in the order they
    were given), and the `timing` of them all."""

    kernels: tuple[RooflinePoint, ...]
    limits: MachineLimits
    timing: Timing

    @property
    def rows(self) -> list[dict[str, Json]]:
        """One for each kernel, as plain values: `pandas.DataFrame(roofline.rows)`. Times are in
        seconds, rates in operations and bytes a second."""
        return [
            {
                "program": p.label, "floating": p.demand.of(True), "integer": p.demand.of(False),
                "bytes": p.bytes, "intensity": p.intensity, "seconds": p.seconds, "rate": p.rate,
                "bandwidth": p.bandwidth, "limit": p.limit, "times": p.times,
            }
            for p in self.kernels
        ]  # fmt: skip

    def to_svg(self) -> Markup:
        """The roof, both axes logarithmic, and the kernels below it, for slides."""
        picture: Markup = self._below("roofline_svg")
        return picture

    @property
    def notes(self) -> list[str]:
        """What the machine reached, and what was counted."""
        limits, many = self.limits, counted(self.limits.threads, "thread")
        kept = [p for p in self.kernels if p.demand.kept > limits.cache]
        other = [p for p in self.kernels if p.demand.of(not limits.floating)]
        kind = "integers" if limits.floating else "floating-point numbers"
        notes = [
            f"machine: {limits.bandwidth / 1e9:.3g} GB/s (copy and triad of arrays beyond the "
            f"last-level cache, {readable(limits.cache)}), {limits.peak / 1e9:.3g} "
            f"{limits.unit} (multiply-adds in {limits.type}), {many}, in the same rounds",
            "bytes: each cell of an input read once, each of a result written once"
            + "".join(
                f", {readable(p.demand.kept)} of temporaries of {p.label} both" for p in kept
            ),
        ]
        if other:
            others = ", ".join(f"{p.demand.of(not limits.floating):,} ({p.label})" for p in other)
            notes.append(f"operations on {kind} are not counted: {others}")
        if not all(p.demand.exact for p in self.kernels):
            notes.append("where data decides what is accessed or computed, all that may be counts")
        values = values_text(self.timing.parameters)
        return [*([values] if values else []), *notes, *self.timing.warnings]

    @property
    def table(self) -> list[tuple[str, ...]]:
        """A head, and a row for each kernel."""
        head = ("program", "operations", "bytes", "op/byte", "time", self.limits.unit, "GB/s")
        return [head, *map(_cells, self.kernels)]

    def __str__(self) -> str:
        head, *rows = self.table
        return "\n".join([aligned(head, rows), *map(str, self.kernels), *self.notes])

    def __repr__(self) -> str:
        parts = (f"{p.label} {p.times:.2f} × {p.limit}" for p in self.kernels)
        return f"<Roofline {', '.join(parts)}>"


def _cells(p: RooflinePoint) -> tuple[str, ...]:
    """A kernel's row of the table."""
    return (
        p.label, f"{p.operations:,}", readable(p.bytes), f"{p.intensity:.2f}",
        time_text(p.seconds), f"{p.rate / 1e9:.3g}", f"{p.bandwidth / 1e9:.3g}",
    )  # fmt: skip


def roofline(
    programs: Program | Sequence[Program] | Mapping[str, Program],
    arrays: Mapping[str, ArrayLike] | None = None,
    /,
    *,
    threads: int | None = None,
    heap: str = "kept",
    rounds: int | None = None,
    seconds: float = 2.0,
    fast_math: bool = False,
    compiler: str | None = None,
    flags: Sequence[str] | str = (),
    timeout: float | None = 60.0,
    progress: Progress | None = None,
    **values: ArrayLike,
) -> Roofline:
    """What limits programs at given sizes, memory or arithmetic, and how far from it they are.

    Programs are compiled, compared and timed as by `measure`, which has the same arguments (several
    compute the same: `roofline({"naive": scop, "windows": d}, R=2000, C=2000)`). Operations (of
    statements: see `Demand`) are counted from the polyhedral model, and so are the bytes that have
    to move at least: each cell of an input once, each of a result once, and temporaries twice that
    are together larger than the last-level cache; not what a store reads of its cache line before,
    nor what is read again. In the same rounds, with the same compiler and flags, for as many
    threads as one of them uses at most, a copy and a triad of large arrays (the better one is the
    bandwidth, its bytes counted in the same way) and multiply-adds in registers are timed: what the
    machine can do. All times are medians. The result says it in operations and bytes a second, and
    draws Williams, Waterman and Patterson's roofline (CACM 2009).

    Raises PolynbError as `measure` does, for a kernel of another C text, and where instances are
    too many to be counted.
    """
    demands: list[Demand] = []
    beside: list[Gauge] = []

    def machine(
        kernels: Sequence[Kernel], given: Mapping[str, object]
    ) -> list[tuple[Kernel, Mapping[str, object]]]:
        demands.extend(_demand(k, given) for k in kernels)
        most = max(kernels, key=lambda k: k.threads)
        beside.extend(gauges(most, _computing(demands), last_level_cache()))
        return [(kernel, called) for kernel, _, called in beside]

    timing, apart = measured_beside(
        programs, arrays, values, machine, rounds=rounds, seconds=seconds, progress=progress,
        threads=threads, heap=heap, fast_math=fast_math, compiler=compiler, flags=flags,
        timeout=timeout, parallel="balanced", independent=(),
    )  # fmt: skip
    limits = reached(beside, apart, _computing(demands), last_level_cache())
    return under(limits, timing, demands)


def under(limits: MachineLimits, timing: Timing, demands: Sequence[Demand]) -> Roofline:
    """Kernels that were timed, under the roof of a machine with these limits."""
    placed = [
        RooflinePoint(label, d, timing.median(label), limits)
        for label, d in zip(timing.labels, demands, strict=True)
    ]
    return Roofline(tuple(placed), limits, timing)


def _demand(kernel: Kernel, given: Mapping[str, object]) -> Demand:
    if kernel.program is None:
        raise PolynbError(
            f"what {kernel.name} computes is not known: it was compiled from a C text",
            hint="the program as a Scop: pn.parse(text)",
        )
    sizes = {p: given[p] for p in kernel.signature.parameters if p in given}
    found = demand(kernel.program, kernel.signature.checked_parameters(sizes))
    if not (found.operations or found.read or found.written):
        raise PolynbError(f"{kernel.name} does nothing at these sizes", hint="larger ones")
    return found


def _computing(demands: Sequence[Demand]) -> ElementType:
    total: dict[str, int] = {}
    for name, n in (item for d in demands for item in d.operations.items()):
        total[name] = total.get(name, 0) + n
    return computing_type(total)
