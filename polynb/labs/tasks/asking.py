"""What passes make of a program, as a property that is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from polynb.labs.findings import Finding, Outcome
from polynb.labs.tasks.programs import as_program
from polynb.propagation import propagate
from polynb.reordering import reorder
from polynb.reordering.steps import BandReset, Violated
from polynb.scop import Scop
from polynb.words import counted


@dataclass(frozen=True)
class Stays:
    """Propagation cannot remove an array."""

    array: str

    def failed(self, before: Scop, after: Scop) -> Finding | None:
        if self.array not in after.temporaries:
            return Finding(f"{self.array} is no temporary of the program any more")
        if self.array in propagate(after).result.arrays:
            return None
        return Finding(f"{self.array} can still be removed")


@dataclass(frozen=True)
class Goes:
    """The array is there, and propagation removes it."""

    array: str

    def failed(self, before: Scop, after: Scop) -> Finding | None:
        if self.array not in after.arrays:
            return Finding(f"{self.array} is to be in the program; propagation is to remove it")
        found = propagate(after)
        if self.array not in found.result.arrays:
            return None
        return Finding(found.why(self.array))


@dataclass(frozen=True)
class AtMost:
    """No more statements than this."""

    statements: int

    def failed(self, before: Scop, after: Scop) -> Finding | None:
        has = len(after.statements)
        if has <= self.statements:
            return None
        enough = counted(self.statements, "statement")
        return Finding(f"it has {counted(has, 'statement')}; {enough} can do")


@dataclass(frozen=True)
class ResetTask:
    """A small program of one's own on which Algorithm 1 begins a band again (lines 15 to 17)."""

    statements: int

    @property
    def form(self) -> str:
        return "a program: its text, or what %%scop made"

    def judge(self, answer: Any) -> Outcome:
        program = as_program(answer)
        large = AtMost(self.statements).failed(program, program)
        steps = reorder(program).steps
        resets = [s for s in steps if isinstance(s, BandReset)]
        if resets:
            share = Fraction(1, 2) if large else Fraction(1)
            thrown = counted(resets[0].thrown_away, "member", "no")
            shown = f"a band is begun again, and {thrown} thrown away"
            return Outcome(share, (large,) if large else (), shown)
        met = any(isinstance(s, Violated) for s in steps)
        why = "those live ranges were local" if met else "no member turns a false dependence around"
        return Outcome(Fraction(0), (Finding(f"no band is begun again: {why}"),))
