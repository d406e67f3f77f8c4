"""Times: a ratio to a reference in the same run; what is right comes first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from polynb.labs.findings import Finding, Outcome
from polynb.labs.tasks.programs import as_program, same
from polynb.run import measure
from polynb.scop.parsing import parse


@dataclass(frozen=True)
class TimeTask:
    """A program that computes the same as a reference and is seen to be faster: both are compiled
    and timed in turn, and the 95 % interval of the ratio lies above `least`, which leaves room for
    what is faster by chance, or by where memory happens to lie (a walk in the wrong order, turned
    around, was once seen 1.2 times as fast). An answer of which that was not seen is worth
    nothing."""

    program: str
    sizes: Mapping[str, int]
    seconds: float = 2.0
    threads: int = 1
    least: float = 2.0

    @property
    def form(self) -> str:
        return "a program: its text, or what %%scop, %propagate or another pass made"

    def judge(self, answer: object) -> Outcome:
        before, after = parse(self.program), as_program(answer)
        _, different = same(before, after)
        if different is not None:
            return Outcome(Fraction(0), (different,))
        timing = measure(
            {"reference": before, "answer": after},
            self.sizes,
            threads=self.threads,
            seconds=self.seconds,
        )
        said = timing.comparison("answer")
        interval = timing.interval("answer")
        if interval is not None and interval[0] > self.least:
            return Outcome(Fraction(1), (), said)
        return Outcome(Fraction(0), (Finding(said),))
