"""The times of several programs that compute the same: medians, spread, paired ratios and how
sure they are."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from dataclasses import dataclass

from polynb.conveniences import Conveniences, Json
from polynb.errors import PolynbError
from polynb.run.intervals import (
    Interval,
    excludes_one,
    interval_text,
    ratio_interval,
    ratio_of,
)
from polynb.run.shared import readable
from polynb.scop.witness import values_text
from polynb.words import counted


@dataclass(frozen=True)
class Timing(Conveniences):
    """What `measure` found.

    `samples[k][r]` is the time of variant k in round r, in seconds, the call of the kernel alone;
    in each round every variant ran once. `memory[k]` is the bytes of all arrays of
    variant k, arguments and temporaries; `peaks[k]` the most that its process has had in use, None
    where the system does not say. `data` says what the inputs held, `agreement` how the
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
    peaks: tuple[int | None, ...] = ()

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
        return ratio_of(self.samples[0], self.samples[self._index(variant)])

    def interval(self, variant: str | int = -1) -> Interval | None:
        """Where the ratio is, 19 times of 20: a bootstrap over the rounds, paired, and 3 % for
        where memory happens to lie, which rounds do not show. None with fewer than 5 rounds, which
        say too little."""
        return ratio_interval(self.samples[0], self.samples[self._index(variant)])

    def peak(self, variant: str | int = -1) -> int | None:
        """The most bytes that its process has had in use, with its interpreter's (10 MB); None
        where the system does not say."""
        return self.peaks[self._index(variant)] if self.peaks else None

    def differs(self, variant: str | int = -1) -> bool:
        """Whether it was seen to be faster or slower than the baseline: 1 is outside of the
        interval."""
        return self._index(variant) % len(self.labels) != 0 and excludes_one(self.interval(variant))

    def comparison(self, variant: str | int = -1) -> str:
        """`fast is 2.74 times faster than blur (2.60 – 2.90)`; or that no difference was seen."""
        label, first = self.labels[self._index(variant)], self.labels[0]
        ratio, interval = self.ratio(variant), self.interval(variant)
        faster = ratio >= 1
        factor = f"{ratio if faster else 1 / ratio:.2f} times {'faster' if faster else 'slower'}"
        if interval is None:
            few = f"{counted(self.rounds, 'round')}: too few to be sure"
            return f"{label} ran {factor} than {first} ({few})"
        if not self.differs(variant):
            seen = f"{ratio:.2f} × ({interval_text(interval)})"
            return f"between {label} and {first} no difference seen: {seen}"
        low, high = interval if faster else (1 / interval[1], 1 / interval[0])
        return f"{label} is {factor} than {first} ({interval_text((low, high))})"

    @property
    def rows(self) -> list[dict[str, Json]]:
        """One for each program, as plain values: `pandas.DataFrame(timing.rows)`. Times are in
        seconds, memory in bytes; an interval that is not known is None."""
        return [self._row(k) for k in range(len(self.labels))]

    def _row(self, k: int) -> dict[str, Json]:
        first, third = self.spread(k)
        low, high = (self.interval(k) if k else (1.0, 1.0)) or (None, None)
        return {
            "program": self.labels[k],
            "median": self.median(k),
            "first_quartile": first,
            "third_quartile": third,
            "ratio": self.ratio(k),
            "ratio_low": low,
            "ratio_high": high,
            "differs": self.differs(k),
            "memory": self.memory[k],
            "rounds": self.rounds,
        }

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
        columns = (
            f"{'median':>9}  {'half of them within':>21}  ratio  {'95 % interval':>13}  arrays"
        )
        lines = [f"{'':{width}}  {columns}"]
        for k, label in enumerate(self.labels):
            low, high = self.spread(k)
            half = f"{seconds(low)} - {seconds(high)}"
            sure = interval_text(self.interval(k)) if k else ""
            row = f"{seconds(self.median(k)):>9}  {half:>21}  {self.ratio(k):5.2f}  {sure:>13}"
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
