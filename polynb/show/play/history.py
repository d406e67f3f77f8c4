"""What was played: chains of moves, each one move further, that can be gone back and forth on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from polynb.derivation import Derivation
from polynb.errors import PolynbError
from polynb.moves.script import read
from polynb.scop import Scop
from polynb.violations.transforming import Transformation, transform


@dataclass(frozen=True, eq=False)
class History:
    """Chains, each one move longer than the one before; `at` is where we are."""

    chains: tuple[Transformation, ...]
    at: int = 0

    @property
    def now(self) -> Transformation:
        return self.chains[self.at]

    @property
    def can_redo(self) -> bool:
        return self.at + 1 < len(self.chains)

    def moved(self, line: str) -> History:
        """With one more move; those that were undone are forgotten. Raises PolynbError for a line
        that is none, for a move that cannot be made, and after an illegal one."""
        if not self.now.legal:
            raise PolynbError("the last move is illegal", hint="undo it first")
        chain = self.now
        for each in read(line):
            with each.pointing():
                chain = chain.then(each.move, search=False)
        return History((*self.chains[: self.at + 1], chain), self.at + 1)

    def replaced(self, line: str) -> History:
        """With another move in the place of the last one."""
        return self.undone().moved(line)

    def repaired(self, line: str) -> History:
        """With a move before the last one."""
        return self.undone().moved(line).moved(str(self.now.moves[-1]))

    def undone(self) -> History:
        return replace(self, at=max(self.at - 1, 0))

    def redone(self) -> History:
        return replace(self, at=min(self.at + 1, len(self.chains) - 1))

    def reset(self) -> History:
        """At the first chain; what was done can be redone."""
        return replace(self, at=0)

    def searched(self) -> History:
        """With what would make the last move legal, if it is not: that takes longer than to see
        that it is not."""
        chains = (*self.chains[: self.at], self.now.searched(), *self.chains[self.at + 1 :])
        return replace(self, chains=chains)


def begun(program: Scop | Derivation[Any, Any]) -> History:
    """From a program; or from a chain of moves, of which each can be undone."""
    if not isinstance(program, Transformation):
        return History((transform(program),))
    chains = [program]
    while chains[0].moves:
        chains.insert(0, chains[0].undo())
    return History(tuple(chains), len(chains) - 1)


ACTIONS: dict[str, Callable[[History, str], History]] = {
    "do": History.moved,
    "replace": History.replaced,
    "first": History.repaired,
    "undo": lambda history, _: history.undone(),
    "redo": lambda history, _: history.redone(),
    "reset": lambda history, _: history.reset(),
}
"""What can be asked for, by its name in a message; those with a line take it."""
