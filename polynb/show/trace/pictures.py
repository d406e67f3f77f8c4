"""Steps of a derivation as SVG: one for a slide, or all of them one after the other."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Final

from polynb import isl
from polynb.arguments import integers, optional, seconds as positive
from polynb.conveniences import Markup
from polynb.derivation import Derivation
from polynb.errors import PolynbError
from polynb.folding import Folded
from polynb.scop.model import Scop
from polynb.show.draw.kinds import EVIDENCE
from polynb.show.draw.layout import DrawnSpace, Layout, arranged, curve
from polynb.show.draw.sample import Sample
from polynb.show.draw.scene import RADIUS, Point, Text
from polynb.show.draw.scene_svg import draw_arrow, draw_space
from polynb.show.draw.svg import BLUE, BROWN, FAINT, INK, ORANGE, Svg
from polynb.show.trace.builder import trace
from polynb.show.trace.focus import thinned
from polynb.show.trace.format import (
    Frame,
    OverlayJson,
    Role,
    SceneJson,
    Segment,
    TraceJson,
    WitnessJson,
)
from polynb.show.trace.memory_picture import draw_memory

LETTER: Final = 7.23  # the width of a letter of the program, in pixels
LINE: Final = 17.0
SIZE: Final = 12.0
WORD: Final = 7.6  # the width of a letter of a sentence, in a wide font
ARROWS: Final = ("raw", "war", "waw", *EVIDENCE)


@isl.bounded("the making of the picture")
def to_svg(
    program: Derivation | Scop | Folded,
    step: int | Sequence[int] | None,
    seconds: float | None,
    parameters: Mapping[str, int],
) -> Markup:
    """See `Derivation.to_svg`."""
    seconds = optional(positive, "seconds", seconds)
    wanted: Sequence[int] = ()
    if step is not None:
        wanted = integers("step", step if isinstance(step, str | Iterable) else [step])
    found = trace(program, parameters)
    count = len(found["steps"])
    steps = list(range(count) if step is None and seconds else wanted or [count - 1])
    for k in steps:
        if not -count <= k < count:
            raise PolynbError(f"there is no step {k}", hint=f"0 to {count - 1}")
    return Markup(_Picture(found, [k % count for k in steps]).drawn(seconds))


def picture(found: TraceJson, step: int) -> Svg:
    """One frame of a trace."""
    return _Picture(found, [step]).drawn(None)


class _Picture:
    """Some frames of a trace, all of one size."""

    def __init__(self, found: TraceJson, steps: Sequence[int]) -> None:
        self.trace = found
        self.steps = steps
        frames = [found["steps"][k] for k in steps]
        self.programs = {_shown(f): _program(found, _shown(f)) for f in frames}
        numbers = [f["scene"] for f in frames if f["scene"] is not None]
        self.layouts = {k: _layout(found["scenes"][k]) for k in numbers}
        self.left = max(p.width for p in self.programs.values()) + 24
        self.memories = {k: draw_memory(m) for k in steps if (m := found["steps"][k].get("memory"))}
        right: list[Svg | Layout] = [*self.layouts.values(), *self.memories.values()]
        self.above = max(x.height for x in [*self.programs.values(), *right]) + 8
        self.width = max(self.left + max((x.width for x in right), default=0) + 8, 640)
        self.below = LINE * max(len(self._wrapped(f)) for f in frames) + 26

    def drawn(self, seconds: float | None) -> Svg:
        svg = Svg(self.width, self.above + self.below)
        prefix = f"p{self.trace['id']}"
        for k, program in self.programs.items():
            svg.define(f"{prefix}-{k}", program)
        for k, layout in self.layouts.items():
            svg.define(f"{prefix}-s{k}", _space(layout))
        if seconds is not None:
            svg.style(animation(prefix, len(self.steps), seconds))
        for n, k in enumerate(self.steps):
            frame = self._frame(k, prefix)
            if seconds is None:
                svg.place(frame, 0, 0)
            else:
                delay = f"animation-delay:{n * seconds - len(self.steps) * seconds:g}s"
                last = " last" if n == len(self.steps) - 1 else ""
                svg.place(frame, 0, 0, **{"class": f"{prefix}{last}", "style": delay})
        return svg

    def _frame(self, k: int, prefix: str) -> Svg:
        step = self.trace["steps"][k]
        svg = Svg(self.width, self.above + self.below)
        lines = self.trace["programs"][_shown(step)]["lines"]
        for x, y, width in _marked(lines, set(_marks(step))):
            svg.rectangle(x, y, width, LINE - 2, ORANGE, 0.35)
        svg.use(f"{prefix}-{_shown(step)}")
        if step["scene"] is not None:
            space = Svg(0, 0)
            space.use(f"{prefix}-s{step['scene']}")
            layout = self.layouts[step["scene"]]
            scene = self.trace["scenes"][step["scene"]]
            places = partial(_place, scene, layout)
            alone = step["kind"] in ("program", "verdict")  # nothing else to be seen: dependences
            shown = scene["relations"] if alone else step.get("overlays", ())
            focus = (scene if alone else step).get("focus", ())
            for overlay in shown:
                drawn = thinned(overlay, [(a, p) for a, p in focus]) if focus else overlay
                _overlay(space, drawn, places, layout)
            _witness(space, step.get("witness"), places, layout)
            svg.place(space, self.left, 0)
        if k in self.memories:
            svg.place(self.memories[k], self.left, 0)
        y = self.above + 14
        for line in self._wrapped(step):
            svg.text(8, y, line, 13.5)
            y += LINE
        last = len(self.trace["steps"]) - 1
        if last:
            svg.text(8, y + 2, f"{k} of {last} · {step['section']}", 11)
        return svg

    def _wrapped(self, step: Frame) -> list[str]:
        return textwrap.wrap(step["sentence"], int((self.width - 16) / WORD))


def animation(prefix: str, count: int, seconds: float) -> str:
    """CSS: each of `count` frames (of class `prefix`) is shown in its turn; to those who want no
    motion, the one of class `last`."""
    return (
        f".{prefix}{{opacity:0;animation:{prefix} {count * seconds:g}s step-end infinite}}"
        f"@keyframes {prefix}{{0%{{opacity:1}}{100 / count:.4g}%{{opacity:0}}}}"
        f"@media (prefers-reduced-motion:reduce){{.{prefix}{{animation:none}}"
        f".{prefix}.last{{opacity:1}}}}"
    )


def _shown(step: Frame) -> int:
    """The program of a step: what it becomes, if it changes; at first, what it was."""
    return step["program"] if step["kind"] == "verdict" else step.get("other", step["program"])


def _marks(step: Frame) -> list[str]:
    """What is marked in that program."""
    own = step.get("otherMarks") if _shown(step) != step["program"] else None
    return step.get("marks", []) if own is None else own


# -- the program -----------------------------------------------------------------------------


def _program(found: TraceJson, number: int) -> Svg:
    lines = ["".join(s[0] for s in line) for line in found["programs"][number]["lines"]]
    longest = max(map(len, lines), default=0)
    svg = Svg(longest * LETTER + 16, len(lines) * LINE + 12)
    for k, line in enumerate(lines):
        if line.strip():
            indent = len(line) - len(line.lstrip())
            svg.text(8 + indent * LETTER, LINE * (k + 1), line.lstrip(), SIZE, mono=True)
    return svg


def _marked(lines: Sequence[Sequence[Segment]], ids: set[str]) -> list[tuple[float, float, float]]:
    """(x, y, width) of the stretches of lines that are part of what is marked."""
    found = []
    for k, line in enumerate(lines):
        column = 0
        stretches: list[list[int]] = []
        for text, *said in line:
            if said and ids & set(said[0].split()) and text.strip():
                if stretches and stretches[-1][1] == column:
                    stretches[-1][1] += len(text)
                else:
                    stretches.append([column, column + len(text)])
            column += len(text)
        y = LINE * k + 5
        found += [(7 + a * LETTER, y, (b - a) * LETTER + 2) for a, b in stretches]
    return found


# -- the space -------------------------------------------------------------------------------


def _layout(scene: SceneJson) -> Layout:
    whole = isl.read_set("{ [] }")
    spaces = {}
    for s in scene["spaces"]:
        points = tuple(tuple(p) for p in s["points"])
        shown = tuple(range(min(len(s["dims"]), 2)))
        spaces[s["name"]] = DrawnSpace(s["name"], tuple(s["dims"]), shown, Sample(points, whole))
    return arranged(spaces)


def _space(layout: Layout) -> Svg:
    svg = Svg(layout.width, layout.height)
    draw_space(svg, layout.rules, layout.placed.values(), layout.texts)
    return svg


Places = Callable[[int, int], Point]
"""Where instances are, by the indices of the trace."""


def _place(scene: SceneJson, layout: Layout, space: int, point: int) -> Point:
    s = scene["spaces"][space]
    return layout.placed[s["name"], tuple(s["points"][point][:2])]


def _overlay(svg: Svg, overlay: OverlayJson, at: Places, layout: Layout) -> None:
    role = overlay["role"]
    for a, p, b, q in overlay.get("pairs", ()):
        start, end = at(a, p), at(b, q)
        if role == "piw":
            svg.path(f"M{start.x} {start.y}L{end.x} {end.y}", BROWN, 1, opacity=0.7)
            r = RADIUS + 3
            svg.polygon(
                [
                    (start.x, start.y - r),
                    (start.x + r, start.y),
                    (start.x, start.y + r),
                    (start.x - r, start.y),
                ],
                "none",
                BROWN,
            )
            continue
        kind = role if role in ARROWS else "raw"
        arrow = curve(layout, start, end, kind, overlay.get("exact", True), b - a)
        draw_arrow(svg, arrow, 3.2 if role == "propagation" else None)
    for a, p in overlay.get("instances", ()):
        x, y = at(a, p)
        _shape(svg, role, x, y, overlay["label"])


def _shape(svg: Svg, role: Role, x: float, y: float, label: str) -> None:
    r = RADIUS + 3
    match role:
        case "or":
            svg.path(f"M{x - r} {y - r}h{2 * r}v{2 * r}h{-2 * r}z", BROWN, 1.4)
            svg.path(
                f"M{x - r} {y - r}L{x + r} {y + r}M{x + r} {y - r}L{x - r} {y + r}", BROWN, 1.4
            )
        case "piece":
            svg.text(x + r, y - r, label.rpartition("_")[2], 10)
        case "removed":
            svg.path(f"M{x - r} {y + r}L{x + r} {y - r}", INK, 2)
        case _:
            svg.circle(x, y, r, "none", BLUE)


def _witness(svg: Svg, witness: WitnessJson | None, at: Places, layout: Layout) -> None:
    """A ring around each of its instances, and its name where there is room for it."""
    taken = [_box(t) for t in layout.texts]
    for instance in witness["instances"] if witness else ():
        x, y = at(*instance["at"])
        svg.circle(x, y, RADIUS + 5, "none", INK)
        svg.circle(x, y, RADIUS + 6.5, "none", FAINT)
        tried = [
            Text(x + side * out, y + down, instance["name"], "name", anchor)
            for out in (RADIUS + 8, RADIUS + 20)
            for down in (-8.0, 18.0, -22.0, 32.0)
            for side, anchor in ((1, "start"), (-1, "end"))
        ]
        free = (t for t in tried if not any(_meet(_box(t), b) for b in taken))
        name = next((t for t in free if _inside(_box(t), layout)), tried[0])
        taken.append(_box(name))
        svg.text(name.x, name.y, name.text, 11.5, name.anchor, bold=True)


_Box = tuple[float, float, float, float]  # left, top, right, bottom


def _box(t: Text) -> _Box:
    width = 7.2 * len(t.text) * (0.95 if t.role == "tick" else 1.1)
    left = t.x - {"middle": width / 2, "end": width}.get(t.anchor, 0)
    return left, t.y - 10, left + width, t.y + 3


def _meet(a: _Box, b: _Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _inside(box: _Box, layout: Layout) -> bool:
    return box[0] >= 0 and box[1] >= 0 and box[2] <= layout.width and box[3] <= layout.height
