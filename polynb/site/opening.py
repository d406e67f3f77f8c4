"""What the README and the site open on: one loop, one question, and a playground that answers it.

`python -m polynb.site.opening` makes the README's picture, which moves. On the site the playground
itself stands in its place: what there is to be seen after one move, and after its repair, is
recorded, and answered without Python.
"""

from __future__ import annotations

import argparse
import base64
import json
import re
import sys
import textwrap
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

from polynb.scop import parse
from polynb.show.draw.range_bars import BAD
from polynb.show.draw.svg import BLUE, GREEN, INK, Svg
from polynb.show.play import play
from polynb.show.play.view import Spaces, View, moved
from polynb.show.trace.pictures import animation
from polynb.site.steppers import PACKED, plain
from polynb.violations import transform

NAME: Final = "squares"
PROGRAM: Final = """param N;  temp t;
for i = 0 to N do
  t = in[i] - in[i+1];  // S
  out[i] = t * t;  // U
done"""
MOVE: Final = "distribute i"
REPAIR: Final = "expand t"
PICTURE: Final = "notebooks/pictures/playground.svg"
SCRIPT: Final = "play.js"
SECONDS: Final = 2.6  # for each frame
WIDTH: Final = 492
LINE: Final = 21.0
_SHOWN: Final = re.compile(rf"^\[(!\[[^\]]*\]\({re.escape(PICTURE)}\))\]\([^)]*\)$", re.MULTILINE)
"""The README's picture, which is a link."""


def with_playground(readme: str, live: str) -> str:
    """The text of the README for the site. `live` leads to the folder of live pages; "": there is
    none."""
    packed = base64.b64encode(zlib.compress(json.dumps(recorded()).encode(), 9)).decode()
    script = f'<script type="{PACKED}">{packed}</script>'
    change = urlencode({"play": f"{NAME}\n{PROGRAM}\n"})
    link = f'<p><a href="{live}index.html#{change}">Change the program</a></p>\n' if live else ""

    def opened(found: re.Match[str]) -> str:
        place = f'<div data-polynb-play="{live}">{script}\n\n{found[1]}\n\n</div>\n'
        return f'{place}<script src="_static/{SCRIPT}" defer></script>\n{link}'

    return _SHOWN.sub(opened, readme)


def script() -> str:
    """What shows the recording: no module, as browsers load none from a disk."""
    own = files("polynb.site").joinpath("static")
    parts = (own.joinpath(name).read_text("utf-8") for name in ("unpacking.js", "opening.js"))
    return f"(async () => {{\n{next(parts)}{plain(SCRIPT)}{next(parts)}}})();\n"


# -- what is recorded ------------------------------------------------------------------------------


def recorded() -> dict[str, Any]:
    """What is shown of the program after each of its moves, and after these with what repairs
    them (`widgets/src/play/recorded.ts`)."""
    game = _Game()
    first = game.state()
    states = {"": first}
    for line in sorted({x for offers in first["offers"].values() for x in _lines(offers)}):
        game.ask("reset")
        if not game.ask("do", line):
            continue
        states[line] = game.state()
        for way in [w["line"] for w in states[line]["shown"]["ways"]]:
            if game.ask("first", way):
                states[f"{way}\n{line}"] = game.state()
                game.ask("reset")
                game.ask("do", line)
    return {"program": f"pn.parse({PROGRAM!r}, name={NAME!r})", "states": states}


class _Game:
    """A playground, by the messages of its front end."""

    def __init__(self) -> None:
        self.playground = play(parse(PROGRAM, name=NAME))
        self.number = 0

    def ask(self, action: str, line: str = "") -> bool:
        """Whether it was followed."""
        self.number += 1
        self.playground.asked = {"number": self.number, "action": action, "line": line}
        return not self.playground.shown["refused"]

    def state(self) -> dict[str, Any]:
        """What is shown now, with the offers of each handle, and the verdicts on these."""
        shown = dict(self.playground.shown)
        offers = {}
        for handle in shown["handles"]:
            self.ask("pick", handle["id"])
            offers[handle["id"]] = self.playground.shown["offers"]
        for line in sorted({x for of in offers.values() for x in _lines(of)}):
            self.ask("look", line)
        self.ask("pick", shown["picked"])
        kept = {k: v for k, v in shown.items() if k not in ("number", "offers", "undo", "redo")}
        return {"shown": kept, "offers": offers, "looked": self.playground.looked["verdicts"]}


def _lines(offers: Sequence[dict[str, Any]]) -> Iterator[str]:
    """The moves that are offered, with their first numbers."""
    for offer in offers:
        yield from (f["line"].replace("#", str(offer["number"])) for f in offer["forms"])


# -- the picture -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Shot:
    """What is seen of a playground: after some moves, and a button, which may be just pressed."""

    view: View
    button: str
    pressed: bool = False

    def drawn(self) -> Svg:
        svg = Svg(WIDTH, 0)
        y = 8.0
        for line in self.view.code:
            bad = line.handle in self.view.bad
            if bad:
                svg.rectangle(8, y, WIDTH - 16, LINE, BAD, 0.16)
            svg.text(16, y + 15, line.text.replace("  ", "\N{NO-BREAK SPACE}" * 2), 14, mono=True,
                     fill=BAD if bad else INK)  # fmt: skip
            y += LINE
        y = self._press(svg, y + 10)
        for text in textwrap.wrap(_verdict(self.view), 62):
            svg.text(16, y, text, 13.5, fill=GREEN if self.view.chain.legal else BAD)
            y += 18
        picture = self.view.pictures[0]
        svg.place(picture.svg, 16, y)
        svg.height = round(y + picture.svg.height + 8)
        return svg

    def _press(self, svg: Svg, y: float) -> float:
        """Draws the button; where what comes below it begins."""
        if not self.button:
            return y + 12
        width = 8.4 * len(self.button) + 24
        svg.rectangle(16, y, width, 26, BLUE, 1 if self.pressed else 0.14)
        fill = "#ffffff" if self.pressed else INK
        svg.text(16 + width / 2, y + 18, self.button, 14, "middle", mono=True, fill=fill)
        return y + 48


def _verdict(view: View) -> str:
    sign = "" if view.last is None else "✓ " if view.chain.legal else "✗ "
    return sign + view.said.partition(": ")[2] if sign else ""


def film() -> Svg:
    """The move that is illegal, what repairs it, and that it is legal then: one after the other."""
    start, spaces = transform(parse(PROGRAM)), Spaces()
    illegal = moved(start, MOVE)
    views = [View(c, spaces) for c in (start, illegal, moved(moved(start, REPAIR), MOVE))]
    shots = [_Shot(views[0], MOVE), _Shot(views[0], MOVE, True), _Shot(views[1], f"{REPAIR} first"),
             _Shot(views[1], f"{REPAIR} first", True), _Shot(views[2], "")]  # fmt: skip
    frames = [shot.drawn() for shot in shots]
    svg = Svg(WIDTH, max(frame.height for frame in frames))
    svg.style(animation("p", len(frames), SECONDS))
    for k, frame in enumerate(frames):
        still = " last" if shots[k].view is views[1] and not shots[k].pressed else ""
        delay = f"animation-delay:{(k - len(frames)) * SECONDS:g}s"
        svg.place(frame, 0, 0, **{"class": f"p{still}", "style": delay})
    return svg


def main(arguments: Sequence[str] | None = None) -> int:
    """Writes it to a file."""
    parser = argparse.ArgumentParser(prog="python -m polynb.site.opening", description=__doc__)
    parser.add_argument("picture", type=Path, nargs="?", default=Path(PICTURE))
    parser.parse_args(arguments).picture.write_text(str(film()), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
