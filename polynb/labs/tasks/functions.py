"""A function of the size, `def cells(N): ...`: called in a process of its own, with a limit."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from polynb.arguments import shown
from polynb.conveniences import Json
from polynb.errors import PolynbError
from polynb.labs.apart import apart
from polynb.labs.findings import Finding, Outcome
from polynb.labs.variants import Draws
from polynb.scop.witness import Witness, values_text

SECONDS: Final = 2.0
SEEN: Final = 5
"""Sizes that feedback shows, the smallest."""
HIDDEN: Final = 3
"""Sizes beside those that feedback shows."""
LARGEST: Final = 40
FAR: Final = (1_000, 100_000, 30_000_000)
"""Sizes around which a function is asked, too, if it is quick there."""
SLOW: Final = "slow"
"""What there is instead of a value, where a function is not."""
RAISED: Final = "an error, "
"""What went wrong begins like this among the values."""
TOO_LARGE: Final = (f"{RAISED}RecursionError", f"{RAISED}MemoryError")


@dataclass(frozen=True)
class FunctionTask:
    """A function of some parameters that gives the same numbers as `right`, at small sizes, which
    feedback shows, and at others, which it does not: they are drawn from a hash that the teacher
    keys (`POLYNB_GRADING_SEED`), and of them only is said that one is wrong. At large ones a
    function that counts instance by instance need not give any."""

    right: Callable[..., int]
    parameters: tuple[str, ...]
    least: int = 1
    salt: str = ""

    @property
    def form(self) -> str:
        return f"a function: def f({', '.join(self.parameters)}): return ..."

    def judge(self, answer: object) -> Outcome:
        if not callable(answer):
            raise PolynbError(
                f"the answer must be a function, not {shown(answer)}",
                hint=f"def f({', '.join(self.parameters)}): return ... and f, without calling it",
            )
        sizes = self.sizes()
        given = called(answer, sizes)
        answered = [
            (k, at, value)
            for k, (at, value) in enumerate(zip(sizes, given, strict=True))
            if not (value == SLOW and max(at) > LARGEST)
        ]
        wrong = [k for k, at, v in answered if isinstance(v, str) or v != self.right(*at)]
        if not wrong:
            return Outcome(Fraction(1))
        first = wrong[0]
        share = Fraction(len(answered) - len(wrong), 2 * len(sizes))
        if first >= SEEN:
            return Outcome(share, (Finding("right for the smallest sizes, not for a larger one"),))
        values = dict(zip(self.parameters, sizes[first], strict=True))
        said = f"for {values_text(values)} it {_said(given[first])}"
        return Outcome(share, (Finding(said, Witness(values, {})),))

    def sizes(self) -> list[tuple[int, ...]]:
        """The sizes at which a function is called: small ones, then hidden ones."""
        seen = range(self.least, self.least + SEEN)
        return [*((n,) * len(self.parameters) for n in seen), *self._hidden()]

    def _hidden(self) -> list[tuple[int, ...]]:
        key = os.environ.get("POLYNB_GRADING_SEED", "")
        draws = Draws(hashlib.sha256(key.encode()).hexdigest(), self.salt)
        near = [
            tuple(draws.integer(f"{p}{k}", self.least + SEEN, LARGEST) for p in self.parameters)
            for k in range(HIDDEN)
        ]
        far = [
            tuple(draws.integer(f"{p}{most}", most // 2, most) for p in self.parameters)
            for most in FAR
        ]
        return [*near, *far]


def called(function: Callable[..., Json], sizes: Sequence[tuple[int, ...]]) -> list[int | str]:
    """What a function gives at each size, or what went wrong, as a text. It is called in a copy of
    this process, which is stopped when the time is up: an endless function ends. At sizes that are
    far away, it may take too long, or too much memory."""
    far = [at for at in sizes if max(at) > LARGEST]
    near = [at for at in sizes if at not in far]
    given = dict(zip(near, _called(function, near), strict=True))
    for at in far:
        try:
            (given[at],) = _called(function, [at], SECONDS / 4)
        except PolynbError:
            given[at] = SLOW
        if str(given[at]).startswith(TOO_LARGE):
            given[at] = SLOW
        if given[at] == SLOW:
            given |= dict.fromkeys(far[far.index(at) :], SLOW)
            break
    return [given[at] for at in sizes]


class TooLong(PolynbError):
    """A function did not end in its time."""


class Recorded(PolynbError):
    """What a function that ran elsewhere gave there, which is no number."""


def _called(
    function: Callable[..., Json], sizes: Sequence[tuple[int, ...]], seconds: float = SECONDS
) -> list[int | str]:
    text = apart(lambda: _answered(function, sizes), seconds)
    if text is None:
        raise TooLong(f"the function took more than {SECONDS:g} seconds")
    try:
        found = json.loads(text)
        assert isinstance(found, list)
        assert len(found) == len(sizes)
    except (ValueError, AssertionError):
        raise PolynbError("the function ended the process it ran in") from None
    return found


def _answered(function: Callable[..., Json], sizes: Sequence[tuple[int, ...]]) -> bytes:
    sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    return json.dumps([_value(function, at) for at in sizes]).encode()


def _said(given: int | str) -> str:
    """What a function does that is not right, as a sentence goes on."""
    if given == "None":
        return "gives None: has it a `return`?"
    if isinstance(given, str) and given.startswith(RAISED):
        return f"raises {given.removeprefix(RAISED)}"
    return f"gives {given}, which is not right"


def _value(function: Callable[..., Json], at: tuple[int, ...]) -> int | str:
    try:
        value = function(*at)
        if value is None:
            return "None"
        if isinstance(value, bool) or int(value) != value or abs(int(value)) > 10**15:
            return shown(value)
        return int(value)
    except TooLong:
        return SLOW
    except Recorded as recorded:
        return recorded.message
    except BaseException as error:  # whatever a student's function does, it is its answer
        return f"{RAISED}{type(error).__name__}: {error}"[:200]
