"""In which order temporaries are propagated, so that a limit lets all of them go."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from polynb.arguments import shown
from polynb.errors import PolynbError
from polynb.labs.findings import Outcome, nothing
from polynb.propagation import propagate
from polynb.scop import Scop, parse


@dataclass(frozen=True)
class RemovalTask:
    """An order of all temporaries of a program in which propagation removes every one of them,
    though an iteration may need no more than these cache lines. One that leaves any is worth
    nothing: most orders remove some."""

    program: str
    cache_lines: int

    @property
    def scop(self) -> Scop:
        return parse(self.program)

    @property
    def form(self) -> str:
        return f'all temporaries, in an order: "{", ".join(self.scop.temporaries)}"'

    def judge(self, answer: object) -> Outcome:
        order = self._read(answer)
        found = propagate(self.scop, order=order, cache_lines=self.cache_lines)
        left = [name for name in order if name in found.result.temporaries]
        if left:
            return nothing(f"{found.why(left[0])}".rstrip("."))
        return Outcome(Fraction(1), (), f"propagated in this order: {', '.join(order)} go")

    def _read(self, answer: object) -> list[str]:
        """The names of an answer. Raises PolynbError unless each temporary stands there once."""
        example = ", ".join(self.scop.temporaries)
        if not isinstance(answer, str):
            raise PolynbError(f"the answer must be names in a text, not {shown(answer)}",
                              hint=example)  # fmt: skip
        names = re.findall(r"[A-Za-z_]\w*", answer)
        for name in names:
            if name not in self.scop.temporaries:
                raise PolynbError(f"there is no temporary {shown(name)}", hint=example)
        for name in self.scop.temporaries:
            if names.count(name) != 1:
                often = "not there" if name not in names else "there twice"
                raise PolynbError(f"{name} is {often}: each one stands there once", hint=example)
        return names
