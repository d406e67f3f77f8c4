"""What a proof that two programs are the same looks like in a notebook."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from polynb.derivation import Derivation
from polynb.proofs.steps import Compared, Concluded, Guess, Widened
from polynb.show.displays.registry import PassView
from polynb.show.displays.reports import PLAIN
from polynb.words import counted

FRAMES: Final = "polynb.show.trace.proving"


def _verdict(derivation: Derivation[Any, Any]) -> str:
    compared = [s for s in derivation.steps if isinstance(s, Compared)]
    closed = sum(s.done == "closed" for s in compared)
    circles = f", {counted(closed, 'circle')} closed" if closed else ""
    answer = [s.answer for s in derivation.steps[-1:] if isinstance(s, Concluded)]
    return f"{counted(len(compared), 'obligation')}{circles}: {''.join(answer)}"


VIEW: Final = PassView(replace(PLAIN, verdict=_verdict), FRAMES, begins=(Guess, Widened, Concluded))
