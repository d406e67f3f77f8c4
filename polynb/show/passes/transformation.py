"""What a chain of moves looks like in a notebook."""

from __future__ import annotations

from typing import Any, Final

from polynb.derivation import Derivation
from polynb.errors import Source
from polynb.schedules.moves import named_loops
from polynb.scop import Scop
from polynb.show.displays.registry import PassMagic, PassView, Script
from polynb.show.displays.transformation import REPORT
from polynb.violations import transform
from polynb.violations.moves import FORMS
from polynb.violations.steps import Moved, NotReached

FRAMES: Final = "polynb.show.trace.transformation.steps"


def _run(program: Scop | Derivation[Any, Any], script: Source) -> Derivation[Any, Any]:
    return transform(program, script)


def _words(scop: Scop | None, before: str) -> tuple[str, ...]:
    """A move; then its words: loops, statements, temporaries. (Of loops that tiling makes nobody
    knows before the lines above are run.)"""
    name, *rest = before.split() or [""]
    if not name:
        return tuple(FORMS)
    usage = FORMS[name].usage if name in FORMS else ""
    by = ("by",) if rest and " by " in usage else ()
    if scop is None:
        return by
    loops = tuple(dict.fromkeys(x.name for x in named_loops(scop)))
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


MAGIC: Final = PassMagic(
    """Transform a program move by move, each with its verdict: legal, or what is violated.

The cell has a move a line, `#` begins a comment:

  interchange i j         skew j by i              parallel i        privatize t
  tile i j by 32, 16      reverse i                vectorize j       expand t
  strip-mine i by 8       shift S by 1             unroll i by 4     peel first 1 of i
  unroll-and-jam i by 4   fuse S T                 distribute i at T
  schedule { S[i, j] -> [j, i] }

A loop is called by its iterator, `S.i` if several are. NAME becomes a Derivation, whose result
is there if all moves are legal; NAME.undo() takes the last one back.
""",
    script=Script(_run, _words, "a move a line, such as `interchange i j`"),
)
VIEW: Final = PassView(REPORT, FRAMES, (Moved, NotReached), magic=MAGIC)
