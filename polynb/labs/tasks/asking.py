"""What passes make of a program, as a property that is asked for."""

from __future__ import annotations

from dataclasses import dataclass

from polynb.labs.findings import Finding
from polynb.propagation import propagate
from polynb.scop.model import Scop
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
