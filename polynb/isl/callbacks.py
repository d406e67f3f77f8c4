"""What isl calls back: while it may, no handler of a signal runs.

Some of isl's functions take a function for what they come to. If that raises, islpy prints the
error and goes on without it; and what isl only lends to it (the builder, at each node of a syntax
tree) is freed with the frame of the error, and then by isl once more. A function of Python may
raise before its first line: Python runs the handlers of signals wherever it enters one. So
whatever isl calls back is called in here.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

from islpy import Aff, PwAff, Set

Handler = Callable[[int, FrameType | None], object]
_Came = dict[int, FrameType | None]
"""The signals that came, and where."""
MOMENT: Final = 0.01
"""Seconds until a postponed signal comes again;"""
LATE: Final = 2.0
"""and at most, on a machine that is very busy."""


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Signals are handled when the block has been left. (They stop isl all the same, which the
    brake sees to: no handler is needed for that.)"""
    before, came = _handlers(), _Came()
    try:
        with _held(before, came):
            yield
    finally:
        while came:
            number, frame = came.popitem()
            before[number](number, frame)


@contextmanager
def postponed() -> Iterator[None]:
    """Signals are handled a moment after the block has been left: for what the collector of garbage
    calls, where an exception reaches nobody, and the wish to stop would be lost."""
    came = _Came()
    try:
        with _held(_handlers(), came):
            yield
    finally:
        for number in came:
            again = threading.Timer(MOMENT, _again, (number,))
            _coming.append(number)
            try:
                again.start()
            except RuntimeError:  # where all ends anyway, no thread starts any more
                _coming.remove(number)


def _again(number: int) -> None:
    signal.pthread_kill(threading.main_thread().ident or 0, number)
    _coming.remove(number)


def wait_for_postponed() -> None:
    """Until the signals that were postponed have come, and their handlers run."""
    end = time.monotonic() + LATE
    while _coming and time.monotonic() < end:
        time.sleep(MOMENT / 10)


_coming: list[int] = []


@contextmanager
def _held(handlers: dict[int, Handler], came: _Came) -> Iterator[None]:
    """In the block signals are only noted."""
    try:
        for number in handlers:
            signal.signal(number, came.__setitem__)  # no function of Python, either
        yield
    finally:
        _restore(list(handlers.items()))


def pieces(f: PwAff) -> list[tuple[Set, Aff]]:
    """The pieces of a function: where each of its formulas holds."""
    with uninterrupted():
        found: list[tuple[Set, Aff]] = f.get_pieces()
        return found


def _handlers() -> dict[int, Handler]:
    """The handlers that Python runs in this thread, by signal."""
    if threading.current_thread() is not threading.main_thread():
        return {}
    found = ((number, signal.getsignal(number)) for number in range(1, signal.NSIG))
    return {number: handler for number, handler in found if callable(handler)}


def _restore(handlers: list[tuple[int, Handler]]) -> None:
    if handlers:
        try:
            signal.signal(*handlers[0])
        finally:  # the first ones may be run, and raise, while the others are put back
            _restore(handlers[1:])
