"""The times of several programs that compute the same: medians, spread, paired ratios."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from dataclasses import dataclass

from polynb.conveniences import Conveniences
from polynb.errors import PolynbError
from polynb.run.shared import readable
from polynb.scop.witness import values_text


@dataclass(frozen=True)
class Timing(Conveniences):
    """What `measure` found.

    `samples[k][r]` is the time of variant k in round r, in seconds, the call of the kernel alone;
    in each round every variant ran once, in turn. `memory[k]` is the bytes of all arrays of
    variant k, arguments and temporaries. `data` says what the inputs held, `agreement` how the
    results were compared before anything was timed. Variant 0 is the baseline.
    """

    labels: tuple[str, ...]
    samples: tuple[tuple[float, ...], ...]
    memory: tuple[int, ...]
    parameters: Mapping[str, int]
    data: str
    agreement: str
    compiler: str
    flags: tuple[str, ...]
    threads: int
    heap: str
    warnings: tuple[str, ...] = ()

    @property
    def rounds(self) -> int:
        return len(self.samples[0])

    def median(self, variant: str | int = 0) -> float:
        """The median time in seconds."""
        return statistics.median(self.samples[self._index(variant)])

    def spread(self, variant: str | int = 0) -> tuple[float, float]:
        """The quartiles of the times: half of them lie between these, in seconds."""
        times = self.samples[self._index(variant)]
        if len(times) == 1:
            return times[0], times[0]
        low, _, high = statistics.quantiles(times, n=4, method="inclusive")
        return low, high

    def ratio(self, variant: str | int = -1) -> float:
        """How many times faster than the baseline: the median over the rounds of baseline time
        divided by this one's in the same round (noise that lasts longer cancels out)."""
        pairs = zip(self.samples[0], self.samples[self._index(variant)], strict=True)
        return statistics.median(base / time for base, time in pairs)

    def _index(self, variant: str | int) -> int:
        if isinstance(variant, str) and variant in self.labels:
            return self.labels.index(variant)
        if type(variant) is int and -len(self.labels) <= variant < len(self.labels):
            return variant
        raise PolynbError(
            f"nothing called {variant!r} was timed", hint=f"one of: {', '.join(self.labels)}"
        )

    def __str__(self) -> str:
        width = max(len(label) for label in self.labels)
        lines = [f"{'':{width}}  {'median':>9}  {'half of them within':>21}  ratio  arrays"]
        for k, label in enumerate(self.labels):
            low, high = self.spread(k)
            half = f"{seconds(low)} - {seconds(high)}"
            row = f"{seconds(self.median(k)):>9}  {half:>21}  {self.ratio(k):5.2f}"
            lines.append(f"{label:{width}}  {row}  {readable(self.memory[k])}")
        values = values_text(self.parameters)
        plural = "s" * (self.threads != 1)
        lines += [
            "; ".join(t for t in (values, f"data {self.data}", self.agreement) if t),
            f"{self.rounds} rounds, {self.threads} thread{plural}, heap {self.heap}",
            f"{self.compiler}: {' '.join(self.flags)}",
            *(f"note: {w}" for w in self.warnings),
        ]
        return "\n".join(lines)

    def __repr__(self) -> str:
        parts = (f"{label} {seconds(self.median(k))}" for k, label in enumerate(self.labels))
        return f"<Timing {', '.join(parts)}>"


def seconds(time: float) -> str:
    """A time with three digits: "18.9 ms"."""
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("µs", 1e6)):
        if time * factor >= 0.9995 or unit == "µs":
            break
    value = time * factor
    return f"{value:.0f} {unit}" if value >= 999.5 else f"{value:.3g} {unit}"
