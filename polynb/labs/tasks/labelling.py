"""Labels with which folding comes to know what is asked for (TACO'19, section 5)."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from polynb.arguments import shown
from polynb.errors import PolynbError
from polynb.labs.findings import Finding, Outcome
from polynb.labs.tasks.labels import Entries, function_of, known_of


@dataclass(frozen=True)
class StreamTask:
    """Labels for a rectangle of points, row by row, of which folding knows the `functions` after so
    many of them: `{ "3" = "⊥cj + ⊤ck + 5" }`. Half of the points are for those that come out, in
    labels that begin as asked."""

    dimensions: tuple[str, ...]
    sides: tuple[int, ...]
    functions: Mapping[str, str]

    @property
    def _many(self) -> int:
        return max(map(int, self.functions))

    @property
    def form(self) -> str:
        return f'{self._many} labels, row by row, as a text: "7, 9, 12, ..."'

    def judge(self, answer: object) -> Outcome:
        points = itertools.product(*map(range, self.sides))
        entries = tuple(zip(points, self._read(answer), strict=True))
        findings = list(self._wrong(entries))
        if not findings:
            return Outcome(Fraction(1))
        first = function_of(next(iter(self.functions.values())), self.dimensions)[1]
        right = len(self.functions) - len(findings) if entries[0][1] == first else 0
        return Outcome(Fraction(right, 2 * len(self.functions)), tuple(findings))

    def _wrong(self, entries: Entries) -> Iterator[Finding]:
        """What is known after some labels, and is not as asked."""
        for until, wanted in self.functions.items():
            coefficients, constant = known_of(entries[: int(until)])
            if (coefficients, constant) != function_of(wanted, self.dimensions):
                pairs = zip(coefficients, self.dimensions, strict=True)
                known = " + ".join([*(f"{c}{d}" for c, d in pairs), str(constant)])
                yield Finding(f"after {until} labels {known} is known, not {wanted}")

    def _read(self, answer: object) -> list[int]:
        """The labels of an answer. Raises PolynbError for something else, or too few or many."""
        hint = ", ".join(str(7 + 2 * k) for k in range(self._many))
        if not isinstance(answer, str) or not re.fullmatch(
            r"[\s\[({]*[-−]?\d{1,9}([\s,;]+[-−]?\d{1,9})*[\s\])},;]*", answer
        ):
            raise PolynbError(f"the answer must be numbers, not {shown(answer)}", hint=hint)
        found = [int(x.replace("−", "-")) for x in re.findall(r"[-−]?\d+", answer)]
        if len(found) != self._many:
            raise PolynbError(f"the answer has {len(found)} labels, not {self._many}", hint=hint)
        return found
