"""An answer that a teacher's own function judges."""

from __future__ import annotations

import runpy
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final

from polynb.arguments import shown
from polynb.errors import PolynbError
from polynb.labs.answers import decoded, encoded
from polynb.labs.findings import Finding, Outcome
from polynb.labs.folders import own_file

HINT: Final = 'def judge(answer, ...): return 0.5, "what is wrong"'


@dataclass(frozen=True)
class CheckerTask:
    """An answer as `judge(answer, **given)` of the file `checker` judges it (`loops/blocks.py`, in
    a folder of exercises): it gives the share that is right, from 0 to 1, and what is wrong with
    the rest. `form` says what to answer with; `given` are values with the student's numbers in
    them. The answer is what is left of it as data: a number, a text (of programs, too), or values
    by name."""

    checker: str
    form: str
    given: Mapping[str, object] = field(default_factory=dict)

    def judge(self, answer: object) -> Outcome:
        found = self._function()(decoded(encoded(answer)), **self.given)
        try:
            share, said = found
            part = Fraction(share)
            assert isinstance(said, str)
            assert 0 <= part <= 1
        except (TypeError, ValueError, AssertionError):
            raise PolynbError(f"{self.checker} gave {shown(found)}", hint=HINT) from None
        if part == 1 and not said:
            return Outcome(part)
        return Outcome(part, (Finding(said or "some of it is not right"),))

    def _function(self) -> Callable[..., Any]:
        found = runpy.run_path(str(own_file(self.checker))).get("judge")
        if not callable(found):
            raise PolynbError(f"{self.checker} has no function `judge`", hint=HINT)
        function: Callable[..., Any] = found
        return function
