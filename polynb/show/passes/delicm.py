"""What DeLICM looks like in a notebook."""

from __future__ import annotations

from typing import Final

from polynb.delicm.forwarding_steps import Forwarded
from polynb.delicm.mapping_steps import Mapped, NotMapped, TargetChosen
from polynb.delicm.pipeline import STAGES, StageBegun
from polynb.derivation import Step
from polynb.show.displays.registry import PassMagic, PassView, Position, option
from polynb.show.displays.scalars import REPORT

FRAMES: Final = "polynb.show.trace.delicm.steps"
OPTIONS: Final = (
    option(
        "--only",
        "Some of its stages, in their order: --only forward,map,simplify",
        words=tuple(STAGES),
        metavar="STAGES",
    ),
)


def _progress(step: Step, now: Position) -> Position:
    match step:
        case StageBegun(stage=stage):
            return Position(f"DeLICM: {stage}", now.done + bool(now.what), len(STAGES))
        case TargetChosen(statement=statement):
            return Position(f"mapping to what {statement} stores", now.done, now.total)
    return now


MAGIC: Final = PassMagic(
    """Remove scalar dependences: forward operand trees, map scalars to arrays (DeLICM).

NAME (or the value of the line) becomes a Derivation: before, result, steps. For example:

  %%delicm stored
  param N;  temp s;
  for i = 0 to N do
    s = 0;
    for j = 0 to N do s = s + A[i][j] * x[j]; done
    y[i] = s;
  done
""",
    OPTIONS,
)
VIEW: Final = PassView(REPORT, FRAMES, (StageBegun, Forwarded, Mapped, NotMapped), _progress, MAGIC)
ALONE: Final = PassView(REPORT, FRAMES, (Forwarded, Mapped, NotMapped), _progress)
"""Of its stages on their own."""
