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
class Rivals:
    """Propagation removes either of two temporaries, if it is tried first, and then the other one
    has to stay."""

    arrays: tuple[str, str]

    def failed(self, before: Scop, after: Scop) -> Finding | None:
        missing = [a for a in self.arrays if a not in after.temporaries]
        if missing:
            return Finding(f"{missing[0]} is no temporary of the program any more")
        for first, second in (self.arrays, self.arrays[::-1]):
            found = propagate(after, order=(first, second))
            left = found.result.arrays
            if first in left:
                return Finding(f"though {first} is tried first, {found.why(first)}")
            if second not in left:
                return Finding(f"if {first} goes first, {second} goes, too")
        return None


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
