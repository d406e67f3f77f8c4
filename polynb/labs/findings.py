"""What a checker finds: how much of an answer is right, and what shows that the rest is wrong."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from polynb.scop.witness import Witness


@dataclass(frozen=True, eq=False)
class Finding:
    """One thing that is wrong with an answer, and the instances that show it, where it is about
    some."""

    text: str
    witness: Witness | None = None

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a checker found: the share of an answer that is right (1: all of it), what is wrong with
    the rest, and what was shown of it: a clause without a full stop ("legal: every dependence is
    respected")."""

    share: Fraction
    findings: tuple[Finding, ...] = ()
    shown: str = ""


def nothing(*why: Finding | str) -> Outcome:
    """What an answer has that is worth nothing."""
    return Outcome(Fraction(0), tuple(Finding(w) if isinstance(w, str) else w for w in why))
