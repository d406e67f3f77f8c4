"""Progress of long work: a bar with the time left, which is gone when the work is done."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Generator, Mapping
from typing import Any, Final

from polynb.conveniences import grading
from polynb.derivation import Derivation, Pass, Step
from polynb.scop.model import Scop
from polynb.show.displays.registry import Position, view_of
from polynb.show.html import Html, element

PATIENCE: Final = 0.5  # seconds of silence before anything is shown
INTERVAL: Final = 0.2  # seconds between changes
LEAST: Final = 1.0  # seconds that a piece of work runs before the time left is told
WIDTH: Final = 24  # characters of a bar in a terminal
# JupyterLab and Notebook 7 run a command for a click on an element that names one, and the server
# sends the interrupt: that works while the kernel is busy, as no button of a widget does.
STOP: Final = {
    "data-commandlinker-command": "notebook:interrupt-kernel",
    "type": "button",
    "style": "padding:1px 10px",
}


class Progress:
    """Call it with what is being done, how much is done, and of how much (0: nobody knows).

    A context manager: what it shows, it takes away in the end, and an interrupt is told what was
    being done. In a notebook it is an output that is updated, in a terminal a line that is written
    over, elsewhere nothing.
    """

    def __init__(self, shell: Any, quiet: bool = False) -> None:
        self._kernel = getattr(shell, "kernel", None) is not None
        self._silent = quiet or grading() or not (self._kernel or sys.stderr.isatty())
        self._handles: list[Any] = []  # of the bar, and of the button that stops the work
        self._last = time.monotonic() + PATIENCE - INTERVAL
        self._began, self._first = ("", 0), time.monotonic()
        self._width = 0
        self._said = ""

    def __call__(self, what: str, done: int, total: int) -> None:
        now = time.monotonic()
        if what != self._began[0]:
            self._began, self._first = (what, done), now
        self._said = f"{what} ({min(done + 1, total)} of {total})" if total else what
        if self._silent or now < self._last + INTERVAL:
            return
        self._last = now
        left = time_left(done - self._began[1], total - done, now - self._first)
        self._show(self._said + left, min(done / total, 1) if total else None)

    def _show(self, text: str, share: float | None) -> None:
        if not self._kernel:
            line = f"{_bar(share)}{text}"
            sys.stderr.write("\r" + line.ljust(self._width))
            sys.stderr.flush()
            self._width = max(self._width, len(line))
            return
        bundle = {"text/plain": text, "text/html": progress_html(text, share)}
        if self._handles:
            self._handles[0].update(bundle, raw=True)
            return
        from IPython.display import display

        shown = [bundle]
        if has_commands(os.environ):
            # An output of its own: what an update replaces between the press and the release of
            # a mouse was not clicked.
            shown.append({"text/plain": "", "text/html": element("button", "Stop", **STOP)})
        self._handles = [display(each, raw=True, display_id=True) for each in shown]

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        for handle in self._handles:
            handle.update({}, raw=True)
        if self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()
        if isinstance(error, KeyboardInterrupt) and self._said:
            error.add_note(self._said)


def time_left(done: int, to_do: int, seconds: float) -> str:
    """`, about 12 s left`, if what is left goes as fast; nothing as long as that is a guess."""
    if done <= 0 or to_do <= 0 or seconds < LEAST:
        return ""
    left = seconds / done * to_do
    return f", about {left:.0f} s left" if left < 99.5 else f", about {left / 60:.0f} min left"


def _bar(share: float | None) -> str:
    if share is None:
        return ""
    full = round(WIDTH * share)
    return f"[{'#' * full}{'.' * (WIDTH - full)}] "


def progress_html(text: str, share: float | None) -> Html:
    """A bar, the text, and a word on what stops the work where no button does."""
    filled = "" if share is None else f"{100 * share:.0f}%"
    inner = element("div", style=f"width:{filled or '100%'};height:8px;background-color:#0072B2")
    track = "width:200px;border-radius:4px;overflow:hidden;background-color:rgba(127,127,127,0.3)"
    bar = [element("div", inner, style=track)] if filled else []
    word = element("span", "(an interrupt of the kernel stops it)", style="opacity:0.75")
    stop = [] if has_commands(os.environ) else [word]
    style = "display:flex;align-items:center;gap:12px;font-family:sans-serif;font-size:13px"
    return element("div", *bar, element("span", text), *stop, style=style)


def has_commands(environment: Mapping[str, str]) -> bool:
    """Whether the notebook is one of Jupyter's own server, whose pages run commands for clicks."""
    return "JPY_SESSION_NAME" in environment and "VSCODE_PID" not in environment


def watched(
    pass_: Pass[...], program: Scop | Derivation, progress: Progress, **options: Any
) -> Derivation:
    """`pass_(program, **options)`, its steps reported while they are taken."""

    def steps(scop: Scop, /, **given: Any) -> Generator[Step, None, Scop]:
        moves = view_of(pass_.info.name).progress
        return (yield from _reported(pass_.steps(scop, **given), moves, progress))

    steps.__name__ = pass_.info.name
    return Pass(steps, pass_.paper, pass_.takes, pass_.gives)(program, **options)


def _reported(
    running: Generator[Step, None, Scop],
    moves: Callable[[Step, Position], Position],
    report: Callable[[str, int, int], None],
) -> Generator[Step, None, Scop]:
    now = Position()
    while True:
        try:
            step = next(running)
        except StopIteration as stop:
            result: Scop = stop.value
            return result
        now = moves(step, now)
        if now.what:
            report(now.what, now.done, now.total)
        yield step
