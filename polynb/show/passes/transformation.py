"""What a chain of moves looks like in a notebook."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from polynb import isl
from polynb.errors import PolynbError
from polynb.moves import MOVES, Expand
from polynb.moves.loops import named_loops, unique_name
from polynb.moves.script import PASSES, moves_in
from polynb.scop.model import Scop
from polynb.show.displays.registry import PassMagic, PassView, Script
from polynb.show.displays.transformation import REPORT
from polynb.violations import transform
from polynb.violations.steps import Moved, NotReached

OPERATIONS: Final = 500_000
"""How much isl may compute for the words that a line may go on with: a fraction of a second."""
FRAMES: Final = "polynb.show.trace.transformation"


def _words(scop: Scop | None, above: str, before: str) -> tuple[str, ...]:
    """A move or a pass; then its words: loops, those too that moves above have made, statements,
    temporaries; what the pass may be told."""
    name, *rest = before.split() or [""]
    if not name:
        return (*MOVES, *PASSES)
    if name in PASSES:
        return tuple(f"{option}=" for option in PASSES[name])
    usage = MOVES[name].usage if name in MOVES else ""
    by = ("by",) if rest and " by " in usage else ()
    if scop is None:
        return by
    every = named_loops(_moved(scop, above))
    loops = tuple(dict.fromkeys(unique_name(x, every) for x in every))
    statements = tuple(scop.by_name)
    match name:
        case "privatize" | "expand":
            return scop.temporaries
        case "shift":
            return (*statements, *by)
        case "fuse":
            return (*statements, *loops, "depth")
        case "distribute":
            return (*loops, "at", *statements)
        case "peel":
            return (*loops, "first", "last", "of")
    return (*loops, *by)


def _moved(scop: Scop, script: str) -> Scop:
    """The program in the order that the moves of a script lead to, legal or not; those that cannot
    be made, and what is done to memory, are left out."""
    with suppress(isl.BudgetExhausted), isl.budget(OPERATIONS):
        for move in moves_in(script):
            try:
                scop = scop if isinstance(move, Expand) else move.applied(scop)
            except isl.BudgetExhausted:
                raise
            except PolynbError:
                continue
    return scop


MAGIC: Final = PassMagic(
    """Transform a program move by move, each with its verdict: legal, or what is violated.

The cell has a move a line, `#` begins a comment:

  interchange i j         skew j by i              parallel i        privatize t
  tile i j by 32, 16      reverse i                vectorize j       expand t
  strip-mine i by 8       shift S by 1             unroll i by 4     peel first 1 of i
  unroll-and-jam i by 4   fuse S T                 distribute i at T
  schedule { S[i, j] -> [j, i] }

A loop is called by its iterator, `S.i` if several are. The first lines may be passes, told what
`pn.propagate` and the others are told: `propagate windows=32`, `reorder tile=32`,
`remove_scalars`; `%bench PROGRAM --tune` finds such a script. NAME becomes a Derivation, whose
result is there if all moves are legal; NAME.undo() takes the last one back. For example:

  %%transform faster --from gallery:gemm
  interchange j k
""",
    script=Script(transform, _words, "a move a line, such as `interchange i j`"),
)
VIEW: Final = PassView(REPORT, FRAMES, (Moved, NotReached), magic=MAGIC)
