"""Progress of long work: one line that changes in place, and is gone when the work is done."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Generator
from typing import Any, Final

from polynb.derivation import Derivation, Pass, Step
from polynb.scop import Scop
from polynb.show.displays.registry import Position, view_of

PATIENCE: Final = 0.5  # seconds of silence before the first line
INTERVAL: Final = 0.2  # seconds between changes


class Progress:
    """Call it with what is being done, how much is done, and of how much (0: nobody knows).

    A context manager: what it shows, it takes away in the end. In a notebook it is an output that
    is updated, in a terminal a line that is written over, elsewhere nothing.
    """

    def __init__(self, shell: Any, quiet: bool = False) -> None:
        self._kernel = getattr(shell, "kernel", None) is not None
        self._silent = quiet or not (self._kernel or sys.stderr.isatty())
        self._handle: Any = None
        self._last = time.monotonic() + PATIENCE - INTERVAL
        self._width = 0

    def __call__(self, what: str, done: int, total: int) -> None:
        now = time.monotonic()
        if self._silent or now < self._last + INTERVAL:
            return
        self._last = now
        self._show(f"{what} ({min(done + 1, total)} of {total})" if total else what)

    def _show(self, text: str) -> None:
        if not self._kernel:
            sys.stderr.write("\r" + text.ljust(self._width))
            sys.stderr.flush()
            self._width = max(self._width, len(text))
        elif self._handle is None:
            from IPython.display import display

            self._handle = display({"text/plain": text}, raw=True, display_id=True)
        else:
            self._handle.update({"text/plain": text}, raw=True)

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._handle is not None:
            self._handle.update({}, raw=True)
        elif self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()


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
