"""Scripts on trial: each is made once, whoever asks, and in the time there is."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from polynb import isl
from polynb.conveniences import Json
from polynb.moves.script import read_all
from polynb.tuning.trial import MadeVariant, Trial
from polynb.violations.transforming import Transformation, transform


class TimeIsUp(BaseException):
    """The time ended before a program was made. That says nothing about the program, so that it is
    no row of a sweep: no `Exception`, whoever has set `Scripts.end` knows."""


@dataclass(eq=False)
class Scripts:
    """What a search runs: `scripts(script)` is what the `trial`, whose pass is `pn.transform`, says
    of the program that a script leads to. Until `end`, by the clock that `time.monotonic` reads,
    programs can be made; the program as it is, whose script is "", always can. Pickles as its trial
    does, without what was made, and without an end: other processes finish what they began."""

    trial: Trial
    end: float = field(default=math.inf, compare=False)
    made: dict[str, MadeVariant] = field(default_factory=dict, compare=False)

    def __call__(self, script: str) -> dict[str, Json]:
        """As `Trial()`. Raises TimeIsUp."""
        return self.trial.timed({script: self._made(script)}, self._made(""))[0][script]

    def beside(
        self, scripts: Mapping[str, str], times: int, seconds: float
    ) -> list[dict[str, dict[str, Json]]]:
        """As `Trial.timed` of those, by name, that are there or can be made in the time there is,
        each time for so many seconds."""
        found: dict[str, MadeVariant] = {}
        for name, script in scripts.items():
            with suppress(TimeIsUp):
                found[name] = self._made(script)
        if not found:
            return [{}] * times
        return self.trial.timed(found, self._made(""), times, seconds)

    def transformation(self, script: str) -> Transformation:
        """What a script leads to: as it was made, or now."""
        return self.at_hand(script) or transform(self.trial.program, script)

    def at_hand(self, script: str) -> Transformation | None:
        """What a script leads to, if that was made."""
        there = self.made[script].derivation if script in self.made else None
        return there if isinstance(there, Transformation) else None

    def _made(self, script: str) -> MadeVariant:
        if script not in self.made:
            left = None
            if script and self.end < math.inf:
                left = max(self.end - time.monotonic(), 1e-3)
            try:
                self.made[script] = self._trial_of(script).made({}, left)
            except isl.BudgetExhausted:
                if not script or time.monotonic() < self.end:
                    raise
                raise TimeIsUp from None
        return self.made[script]

    def _trial_of(self, script: str) -> Trial:
        """The trial of a script: of its last move, if what is before it is there."""
        before, _, last = script.rpartition("\n")
        chain, (passes, moves) = self.at_hand(before), read_all(last)
        if chain is None or passes:
            return replace(self.trial, apply=partial(self.trial.apply, script=script))
        return replace(self.trial, apply=lambda _: chain.then(moves[0].move))

    def __reduce__(self) -> tuple[Any, ...]:
        return Scripts, (self.trial,)
