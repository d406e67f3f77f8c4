"""Which registers an iteration has written for certain, whatever data decide, where its text is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Certain:
    """Of each register that was: in the iteration that runs of how many loops around (`depths`).
    Not `reached`: what stands here is only come to by a label."""

    depths: Mapping[str, int] = field(default_factory=dict)
    reached: bool = True

    def also(self, ref: str, depth: int) -> Certain:
        """After a register was written within so many loops."""
        return Certain({**self.depths, ref: depth}, self.reached)

    def outside(self, depth: int) -> Certain:
        """After a loop, of which so many are around."""
        return Certain({r: min(d, depth) for r, d in self.depths.items()}, self.reached)


JUMPED = Certain(reached=False)


def either(*ways: Certain) -> Certain:
    """Where several ways meet."""
    reached = [w for w in ways if w.reached]
    if not reached:
        return JUMPED
    common = set(reached[0].depths).intersection(*(w.depths for w in reached[1:]))
    return Certain({r: min(w.depths[r] for w in reached) for r in common})


@dataclass(eq=False)
class Left:
    """A loop or a `switch` that a text is in: what is certain where it `begins`, and where it is
    left, or its next iteration begun, by a jump. `whole`: a `switch` has a way for every value."""

    loop: bool
    begins: Certain
    breaks: list[Certain] = field(default_factory=list)
    continues: list[Certain] = field(default_factory=list)
    whole: bool = False
