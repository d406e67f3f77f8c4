"""Instances in the order they run, as a moving picture: one order beside the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Any, Final

from polynb import isl
from polynb.arguments import named, values as integers_by_name
from polynb.derivation import Derivation, as_scop
from polynb.errors import PolynbError
from polynb.legality.order import New, new_times
from polynb.scop.model import Scop
from polynb.scop.witness import Instance
from polynb.show.draw.iteration_space import drawn_spaces, over_dimensions, parameters_of
from polynb.show.draw.layout import DrawnSpace, Layout, Room, arranged
from polynb.show.draw.sample import dated, drawn_for
from polynb.show.draw.scene import RADIUS, Point
from polynb.show.draw.scene_svg import draw_space, line
from polynb.show.draw.svg import BLUE, FAINT, ORANGE, Svg
from polynb.show.html import image, page, paragraph

Round = tuple[Instance, ...]
"""What runs at one time."""
MANY: Final = 150
SECONDS: Final = 0.5
"""For each round, unless that would be longer than `LONGEST` altogether."""
LONGEST: Final = 20.0
PAUSE: Final = 4
"""Rounds for which all that has run stays, before it begins again."""
GAP: Final = 34.0


@dataclass(frozen=True, eq=False)
class Running:
    """Orders by their titles: what runs at each time. It moves in a page; as text it is lines."""

    orders: Mapping[str, Sequence[Round]]
    svg: Svg
    note: str

    def __repr__(self) -> str:
        return "\n".join(f"{title}: {_listed(rounds)}" for title, rounds in self.orders.items())

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        shown = image(str(self.svg), f"Instances in the order they run. {self!r}", self.svg.width)
        below = [paragraph(self.note, muted=True)] if self.note else []
        return {"text/plain": repr(self), "text/html": page(shown, *below)}


@isl.bounded("the making of the picture")
def draw_order(program: Scop | Derivation, orders: Mapping[str, New], **values: int) -> Running:
    """The instances of a program, numbered as they run in each of several orders, one beside the
    other; in a page they appear one after the other, again and again (not to readers who asked
    their system for less motion).

    `draw_order(square, {"as written": square, "exchanged": "{ S[i, j] -> [j, i] }"}, N=3)`. Orders
    are what `polynb.check` takes, legal or not: a program, a schedule, or times `{ S[i] -> [t] }`.
    Instances of one time have one number. Parameters without a value get a small one. Raises
    PolynbError for no order, and for more than 150 instances.
    """
    scop = as_scop(program)
    orders = named("orders", orders, what="order")
    if not orders:
        raise PolynbError("there is no order to draw", hint='{"as written": program}')
    values = parameters_of(scop, (), integers_by_name("parameters", values, scop.parameters))
    found = {title: rounds(scop, order, values) for title, order in orders.items()}
    most = sum(map(len, next(iter(found.values()))))
    if most > MANY:
        raise PolynbError(
            f"{most} instances are too many to be watched",
            hint=f"smaller parameter values: at most {MANY} instances",
        )
    domains = {s.name: (s.domain, s.iterators) for s in scop.statements}
    spaces = drawn_spaces(domains, (), values)
    note = " ".join([*drawn_for(values), *over_dimensions(spaces)])
    return Running(found, _drawn(found, spaces), note)


def rounds(scop: Scop, order: New, values: Mapping[str, int]) -> list[Round]:
    """What runs at each time, the earliest time first."""
    by_time = groupby(dated(new_times(scop, order), values), key=itemgetter(0))
    return [tuple(instance for _, instance in group) for _, group in by_time]


def _listed(found: Sequence[Round]) -> str:
    return "; ".join(", ".join(map(str, together)) for together in found) or "nothing runs"


def _drawn(orders: Mapping[str, Sequence[Round]], spaces: Mapping[str, DrawnSpace]) -> Svg:
    """The orders side by side where that fits on a page, else one below the other."""
    layout = arranged(spaces, Room(unit=40.0))
    wide, high = max(layout.width, 150) + GAP, layout.height + 24
    beside = wide * len(orders) <= 760
    svg = Svg(wide * (len(orders) if beside else 1), high * (1 if beside else len(orders)))
    longest = max(map(len, orders.values()))
    seconds = min(SECONDS, LONGEST / max(longest, 1))
    svg.style(_css(longest, seconds))
    dot, ring = Svg(0, 0), Svg(0, 0)
    dot.circle(0, 0, RADIUS + 0.5, BLUE)
    ring.circle(0, 0, RADIUS + 4, "none", ORANGE)
    ring.circle(0, 0, RADIUS + 5, "none", ORANGE)
    svg.define("dot", dot)
    svg.define("ring", ring)
    for k, (title, found) in enumerate(orders.items()):
        panel = _panel(title, found, spaces, layout)
        svg.place(panel, wide * k if beside else 0, 0 if beside else high * k)
    return svg


def _panel(
    title: str, found: Sequence[Round], spaces: Mapping[str, DrawnSpace], layout: Layout
) -> Svg:
    panel, picture = Svg(layout.width, layout.height), Svg(layout.width, layout.height)
    panel.text(8, 16, title, 14, bold=True)
    for before, after in pairwise(found):  # of what runs at once there is no line
        if len(before) == len(after) == 1:
            a, b = (_place(spaces, layout, x[0]) for x in (before, after))
            picture.path(line(a, b), FAINT, 1, opacity=0.55)
    draw_space(picture, layout.rules, layout.placed.values(), layout.texts)
    named_already = set()
    for k, together in enumerate(found):
        ran, now = Svg(0, 0), Svg(0, 0)
        for instance in together:
            x, y = _place(spaces, layout, instance)
            now.use("ring", x, y)
            if (x, y) not in named_already:  # of deeper spaces, the first instance there
                ran.use("dot", x, y)
                ran.text(x + RADIUS + 2, y - RADIUS - 1, str(k + 1), 10.5)
                named_already.add((x, y))
        picture.place(ran, 0, 0, **{"class": f"ran r{k}"})
        picture.place(now, 0, 0, **{"class": f"now n{k}"})
    panel.place(picture, 0, 22)
    return panel


def _place(spaces: Mapping[str, DrawnSpace], layout: Layout, instance: Instance) -> Point:
    drawn = spaces[instance.statement]
    return layout.placed[instance.statement, drawn.project(instance.point)]


def _css(count: int, seconds: float) -> str:
    """What has run appears at its time and stays; a ring is where it runs now. To those who want no
    motion, all has run."""
    length = count + 1 + PAUSE
    parts = [f".ran,.now{{animation:{seconds * length:.4g}s step-end infinite}}.now{{opacity:0}}"]
    for k in range(count):
        begin, end = (f"{100 * t / length:.4g}%" for t in (k + 1, k + 2))
        parts.append(
            f".r{k}{{animation-name:r{k}}}.n{k}{{animation-name:n{k}}}"
            f"@keyframes r{k}{{0%{{opacity:0}}{begin}{{opacity:1}}}}"
            f"@keyframes n{k}{{0%{{opacity:0}}{begin}{{opacity:1}}{end}{{opacity:0}}}}"
        )
    parts.append("@media (prefers-reduced-motion:reduce){.ran,.now{animation:none}}")
    return "".join(parts)
