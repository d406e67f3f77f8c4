"""What a program computes, read back to the person who typed it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from polynb import isl
from polynb.conveniences import Conveniences
from polynb.derivation import Derivation, as_scop
from polynb.errors import PolynbError
from polynb.reading.formulas import LeftFormula, formulas_of, untouched
from polynb.reading.trying import SmallRun, tried
from polynb.scop.model import Scop
from polynb.words import listed

STATEMENTS: Final = 12
"""Of a longer program there is no short formula."""
LINES: Final = 8
BUDGET: Final = 200_000
"""isl operations: what is not found in them is not said."""


@dataclass(frozen=True, eq=False, repr=False)
class ReadBack(Conveniences):
    """What a program leaves in its arrays: `formulas`, the cells that it leaves `alone`, and what
    it leaves when it is `tried` at small sizes, where each input holds other digits.

    Formulas are of real numbers (a floating sum may be rounded otherwise), at sizes that are no
    special case, of eight say. A name in them is what the program leaves there, or has there all
    the time; `old A[i]` is what was there before, where that is another value. Those of steps
    say what iterations do, one after the other. Of arrays that are `unsaid` there is no short one.
    `returned` is what a function makes of what they hold at its end.
    """

    formulas: tuple[LeftFormula, ...] = ()
    alone: tuple[str, ...] = ()
    tried: SmallRun | None = None
    unsaid: tuple[str, ...] = ()
    returned: str = ""

    def __bool__(self) -> bool:
        return bool(self.formulas) or self.tried is not None

    @property
    def lines(self) -> tuple[str, ...]:
        """What is left, each in a line."""
        return tuple(self._lines())

    def _lines(self) -> Iterator[str]:
        for f in self.formulas:
            yield from str(f).splitlines()
        if self.alone:
            verb = "stays as it was" if len(self.alone) == 1 else "stay as they were"
            yield f"{listed(self.alone)} {verb}"
        if self.unsaid:
            yield f"{listed(self.unsaid)}: no short formula"
        if self.returned:
            yield f"it returns {self.returned}"
        if self.tried is not None:
            yield str(self.tried)

    def __str__(self) -> str:
        return "\n".join(self.lines) or "There is no short way to say what it computes."

    __repr__ = __str__


@isl.bounded("the reading of a program")
def read_back(program: Scop | Derivation[Any, Any]) -> ReadBack:
    """What a program computes, in formulas of its inputs, and tried on a few small numbers: to see
    whether that is what was meant. See `ReadBack`."""
    scop = as_scop(program)
    formulas: tuple[LeftFormula, ...] = ()
    alone: tuple[str, ...] = ()
    if len(scop.statements) <= STATEMENTS:
        with suppress(PolynbError), isl.budget(BUDGET), isl.wrapped():
            formulas = formulas_of(scop)
            alone = tuple(untouched(scop, {f.array for f in formulas}))
    if sum(1 + len(f.given) for f in formulas) > LINES:
        formulas, alone = (), ()
    said = {f.array for f in formulas}
    left = dict.fromkeys(s.write.array for s in scop.statements)
    unsaid = tuple(n for n in left if scop.arrays[n].live_out and n not in said)
    returned = scop.program.returned if scop.program is not None else ""
    with suppress(PolynbError), isl.budget(BUDGET), isl.wrapped():
        return ReadBack(formulas, alone, tried(scop), unsaid, returned)
    return ReadBack(formulas, alone, unsaid=unsaid, returned=returned)
