"""What live-range reordering (IMPACT'16) looks like in a notebook."""

from __future__ import annotations

from argparse import Namespace
from typing import Any, Final

from polynb.derivation import Step
from polynb.errors import PolynbError
from polynb.reordering.algorithm import SCHEDULERS
from polynb.reordering.constraints import PRESETS
from polynb.reordering.steps import BandBegun, Checked
from polynb.show.displays.registry import PassMagic, PassView, Position, option, order_of, sizes_of
from polynb.show.displays.reordering import REPORT
from polynb.words import shortened

FRAMES: Final = "polynb.show.trace.reordering.steps"
OPTIONS: Final = (
    option(
        "--preset",
        "What the scheduler is told: as PPCG on a CPU (default), the paper to the letter "
        "(gpu), or that no live range may be reordered (none).",
        choices=PRESETS,
    ),
    option(
        "--scheduler",
        "Algorithm 1 of the paper step by step (default), or isl's own.",
        choices=SCHEDULERS,
    ),
    option(
        "--privatize",
        "Temporaries that each iteration is to have for itself, arrays too: "
        "--privatize t,s (default: all scalars that can be).",
        of="temporaries",
    ),
    option("--no-privatize", "No private temporaries.", action="store_true"),
    option(
        "--tile",
        "Tile the outermost permutable loops: --tile 32, or --tile 32,64 for two.",
        metavar="SIZES",
        type=sizes_of,
    ),
    option("--separate", "Full tiles apart from partial ones (--tile)."),
    option("--interchange", "Its loops in this order: 1,0.", metavar="ORDER", type=order_of),
    option("--contract", "Scalars for arrays of one live cell.", action="store_true"),
)


def _keywords(options: Namespace) -> dict[str, Any]:
    if options.separate and options.tile is None:
        raise PolynbError(
            "--separate is about tiles, and there are none",
            argument="separate",
            hint="--tile 32 --separate",
        )
    if options.no_privatize and options.privatize is not True:
        raise PolynbError(
            "--privatize and --no-privatize contradict each other",
            argument="no_privatize",
            hint="one of them",
        )
    return {"privatize": False} if options.no_privatize else {}


def _progress(step: Step, now: Position) -> Position:
    if not isinstance(step, BandBegun):
        return now
    return Position(f"scheduling {shortened(step.statements)}", now.done, now.total)


MAGIC: Final = PassMagic(
    """Find an order with wide permutable bands; live ranges may change places (IMPACT'16).

NAME (or the value of the line) becomes a Derivation: before, result, steps. For example:

  %%reorder wide
  param N;  temp t;
  for i = 0 to N do for j = 0 to N do
    t = A[i][j] * 2;
    B[i][j] = t + 1;
  done done
""",
    OPTIONS,
    _keywords,
)
VIEW: Final = PassView(REPORT, FRAMES, begins=(BandBegun, Checked), progress=_progress, magic=MAGIC)
