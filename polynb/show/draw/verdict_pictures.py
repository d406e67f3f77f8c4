"""The conflicts of a verdict as pictures: on a time line, and in the iteration space."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from polynb import isl
from polynb.conveniences import Markup
from polynb.dependences import LiveRanges, live_ranges
from polynb.errors import PolynbError
from polynb.legality import Verdict
from polynb.legality.order import new_times
from polynb.show.draw.collision import Collision, JudgedMove, collisions, shown_conflicts
from polynb.show.draw.collision_space import collision_scene
from polynb.show.draw.collision_svg import collision_svg
from polynb.show.draw.svg import Svg, SvgPicture
from polynb.show.draw.timeline import timeline

GAP: Final = 28.0
WIDE: Final = 1000.0  # of both beside each other; where they are wider, one is below the other
LINE: Final = 2_000_000  # isl operations for a time line


@dataclass(frozen=True, eq=False)
class ConflictPicture:
    """Of one conflict, which `sentence` tells. `line` None: no live ranges overlap, or what happens
    to their cell is too much to draw."""

    line: SvgPicture | None
    space: SvgPicture
    sentence: str

    @property
    def parts(self) -> list[SvgPicture]:
        return [self.space] if self.line is None else [self.line, self.space]

    @property
    def whole(self) -> SvgPicture:
        """Both in one picture, side by side where that is not too wide."""
        if self.line is None:
            return self.space
        a, b = self.line.svg, self.space.svg
        beside = a.width + GAP + b.width <= WIDE
        x, y = (a.width + GAP, 0.0) if beside else (0.0, a.height + 12.0)
        svg = Svg(max(a.width, x + b.width), max(a.height, y + b.height))
        svg.place(a, 0, 0)
        svg.place(b, x, y)
        return SvgPicture(svg, f"{self.line.alt}. {self.space.alt}")


def conflict_pictures(verdict: Verdict | JudgedMove, most: int = 3) -> list[ConflictPicture]:
    """One for each of the first conflicts of live ranges, of different cells; where nothing but
    flow is turned around, or iterations that run at once depend on one another, one of that. None
    of a legal verdict, and of one that does not know its program."""
    order = verdict if isinstance(verdict, Verdict) else verdict.order
    found = list(collisions(verdict, most))
    spaces = [_space(c) for c in found]
    lines = _lines(order, most) or [None] * len(found)
    return [
        ConflictPicture(line, space, c.sentence)
        for line, space, c in zip(lines, spaces, found, strict=True)
    ]


def _space(found: Collision) -> SvgPicture:
    scene = collision_scene(found)
    return SvgPicture(collision_svg(scene), scene.alt)


def _lines(verdict: Verdict, most: int) -> list[SvgPicture | None]:
    pairs = [c.pair for c in shown_conflicts(verdict, most) if c.pair is not None]
    asked = verdict.asked
    if asked is None or not pairs:
        return []
    ranges: LiveRanges = live_ranges(asked.program, kills=asked.kills)
    times = new_times(ranges.scop, asked.schedule)
    found: list[SvgPicture | None] = []
    for pair in pairs:
        try:
            with isl.budget(LINE):
                found.append(timeline(ranges, times, pair))
        except isl.BudgetExhausted:
            found.append(None)
    return found


def picture(verdict: Verdict | JudgedMove) -> SvgPicture:
    """The first conflict of a verdict. Raises PolynbError if it has none that can be drawn."""
    found = conflict_pictures(verdict, most=1)
    if not found:
        raise PolynbError(
            "there is no conflict to draw",
            reason=str(verdict),
            hint="pn.check(scop, schedule) of a schedule that makes live ranges overlap",
        )
    return found[0].whole


@isl.bounded("the making of the picture")
def verdict_svg(verdict: Verdict) -> Markup:
    """See `Verdict.to_svg`."""
    return Markup(picture(verdict).svg)
