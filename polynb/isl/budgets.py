"""Budgets: how much isl may compute, in operations and in seconds, and for whom.

isl counts the operations of a context and fails at a limit; there is one context, and so one
analysis at a time: whoever has a budget has the process's lock. Budgets nest: the operations are
counted on, so that what is used inside counts outside, and a limit inside is never above what is
left outside. Operations are steps of isl's inner loops and the same everywhere; seconds are for
people. A deadline is kept inside a call of isl (`isl/brake.py`), between calls, and by `check_time`
in long loops of Python.
"""

from __future__ import annotations

import functools
import math
import os
import re
import signal
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from typing import Final, ParamSpec, TypeVar

import islpy as _isl

from polynb.arguments import count, optional, seconds as positive, text
from polynb.errors import PolynbError
from polynb.isl import brake
from polynb.isl.callbacks import wait_for_postponed
from polynb.isl.failures import (
    BudgetExhausted as BudgetExhausted,
    Interrupted as Interrupted,
    IslError as IslError,
    Level,
    out_of_operations,
    out_of_time,
)

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")

CONTEXT = _isl.DEFAULT_CONTEXT

SECONDS: Final = 300.0
"""What a public function may take, unless a person says otherwise (`budget`, POLYNB_SECONDS)."""

OPERATIONS_PER_SECOND: Final = 200_000
"""What isl does of its operations in a second (70,000 to 3,000,000 were seen): this is what a
deadline means inside a call where there is no brake."""

_UNBOUNDED = 1 << 62


class _Turn:
    """Around the lock: Ctrl-C is answered while its turn is waited for, and inside isl's calls.
    (Python tells only the main thread of signals.)"""

    def __enter__(self) -> int:
        """How many budgets of this thread are in force."""
        global _brake, _sought
        if not _sought:
            _brake, _sought = brake.found(CONTEXT, _isl._isl.__file__), True
        around = len(_levels) if _LOCK._is_owned() else 0  # type: ignore[attr-defined]
        if _brake is not None and _hears():
            if not around:
                _brake.unwatch()  # an interrupt may have come before that, in `__exit__`
                if _brake.signals() and not _levels:
                    CONTEXT.resume()  # what is told of after the call that it was for was heard
            _brake.watch()
        return around

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if _brake is None or not _hears():
            return
        if _mine():
            if kind is not None and issubclass(kind, KeyboardInterrupt):
                _heard(_brake)
            return
        _brake.unwatch()
        if not _levels:
            CONTEXT.resume()


_LOCK = threading.RLock()
_TURN = _Turn()
_levels: list[Level] = []  # of the thread that has the lock
_owner: int | None = None
_brake: brake.Brake | None = None
_sought = False


# -- for callers -----------------------------------------------------------------------


@contextmanager
def budget(
    operations: int | None = None, seconds: float | None = None, *, doing: str = ""
) -> Iterator[None]:
    """Let isl use at most that many operations, and take that long, inside the block.

    None: no limit of its own; what is left of the budget around it always holds. `seconds` may be
    `math.inf`: as long as it takes, where a public function would have its usual limit. `doing`
    names the work in errors ("the integer-set computation"). Raises BudgetExhausted.

    Other threads that analyse something wait until the block is left (so do not wait for them
    inside it).
    """
    operations, doing = optional(count, "operations", operations), text("doing", doing)
    if seconds != math.inf:
        seconds = optional(positive, "seconds", seconds)
    with _TURN as around, _LOCK:
        try:
            _enter(around, operations, seconds, doing)
            with _all_wrapped():
                yield
        except Interrupted:
            raise Interrupted if around else _by_signal() from None
        finally:
            _leave(around)


def bounded(doing: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A public function: it has the lock, and the usual seconds unless there is a deadline around
    it. `doing` says in errors what was being computed ("reading the program")."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @functools.wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            while True:
                with _TURN as around, _LOCK:
                    try:
                        _enter(around, None, _usual(around), doing)
                        with _all_wrapped():
                            return function(*args, **kwargs)
                    except Interrupted:  # the outermost begins anew
                        if around:
                            raise
                    finally:
                        _leave(around)

        return call

    return decorate


def bounded_steps(work: Generator[T, None, R], doing: str) -> Generator[T, None, R]:
    """The same generator; each of its steps has the lock, and all together the usual seconds.
    What is done between the steps is not limited, and others may compute."""
    left = _usual(len(_levels) if _mine() else 0)
    while True:
        begun = time.monotonic()
        with _TURN as around, _LOCK:
            try:
                _enter(around, None, left, doing)
                with _all_wrapped():
                    step = next(work)
            except StopIteration as stop:
                result: R = stop.value
                return result
            except Interrupted:
                raise Interrupted if around else _by_signal() from None
            finally:
                _leave(around)
        left = None if left is None else max(left - (time.monotonic() - begun), 1e-6)
        yield step


def time_left(most: float = math.inf) -> float:
    """The seconds to wait for something else than isl, `most` at most: until the deadline of the
    budget around. (Who has waited calls `check_time`.)"""
    return max(min(most, _levels[-1].deadline - time.monotonic()), 1e-3) if _mine() else most


def check_time(waiting: str = "") -> None:
    """Raise BudgetExhausted if the time is up: for loops that do not call isl, and for who waits
    for something else: `waiting` names it ("the compiler")."""
    if _mine() and time.monotonic() >= _levels[-1].deadline:
        raise out_of_time(_levels, waiting)


def keeps_time() -> bool:
    """Whether a deadline is kept inside a call of isl. If not, it is so many operations, which isl
    does in less time, mostly."""
    return _brake is not None


# -- errors ----------------------------------------------------------------------------


@contextmanager
def wrapped() -> Iterator[None]:
    """Turn isl's exceptions inside the block into `IslError`s."""
    try:
        yield
    except _isl.Error as error:
        raise _translated(error) from None


@contextmanager
def _all_wrapped() -> Iterator[None]:
    """The same, and of what fails because islpy made None of a failure of isl's: if it did, isl
    fails here again."""
    with wrapped():
        try:
            yield
        except (TypeError, AttributeError):
            _isl.Set("{ : }")
            raise


def _translated(error: Exception) -> IslError:
    text = str(error)
    if CONTEXT.aborted():
        return _aborted()
    if _levels and ("maximal number of operations" in text or _spent()):
        return out_of_operations(_levels)
    call = re.search(r"call to (isl_)?(\w+?) failed: (.*?)( in \S+:\d+)?$", text, re.S)
    what = f"{call[3]} (in {call[2]})" if call else text
    return IslError(f"the integer-set library refused: {what}")


def _spent() -> bool:
    """Whether there are no operations left. (isl's parser calls that a syntax error.)"""
    return _levels[-1].cap < _UNBOUNDED and _fails_at(_levels[-1].cap)


def _aborted() -> IslError:
    """Why isl was aborted, if the time was up. Raises KeyboardInterrupt or Interrupted else.

    Ctrl-C whose handler has run already, and is Python's, was lost (what collects garbage prints
    errors and goes on) or caught; isl's work is not begun anew for somebody who wants to stop it.
    """
    if _levels and time.monotonic() >= _levels[-1].deadline:
        return out_of_time(_levels)
    came = b"" if _brake is None else _brake.signals()
    CONTEXT.resume()
    _handle_signals()
    if _hears():
        wait_for_postponed()
        usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
        if usual and signal.SIGINT in came:
            raise KeyboardInterrupt
    if not _levels:
        return _by_signal()
    raise Interrupted


def _hears() -> bool:
    """Whether Python tells this thread of signals."""
    return threading.current_thread() is threading.main_thread()


def _heard(by: brake.Brake) -> None:
    """Ctrl-C is on its way to whoever catches it; who then goes on, inside a budget, may."""
    by.signals()
    if time.monotonic() < _levels[-1].deadline:
        CONTEXT.resume()


def _handle_signals() -> None:
    """Run the handlers of signals that have come. (Python is late to, if it was told of them in
    another thread.)"""
    with suppress(ValueError):  # not in the main thread
        signal.signal(signal.SIGINT, signal.getsignal(signal.SIGINT))


def _by_signal() -> IslError:
    return IslError("a signal interrupted the computation", hint="run it again")


# -- levels ----------------------------------------------------------------------------


def _mine() -> bool:
    """Whether a budget of this thread is in force."""
    return bool(_levels) and _owner == threading.get_ident()


def _usual(around: int) -> float | None:
    """The seconds of a public function inside so many budgets; None where one has a deadline."""
    if any(x.seconds is not None for x in _levels[:around]):
        return None
    text = os.environ.get("POLYNB_SECONDS", "").strip()
    try:
        seconds = float(text) if text else SECONDS
    except ValueError:
        seconds = math.nan
    if not seconds > 0:
        raise PolynbError(
            f"POLYNB_SECONDS is {text!r}, which is no number of seconds",
            hint="POLYNB_SECONDS=60, or inf for no limit",
        )
    return seconds


def _enter(around: int, operations: int | None, seconds: float | None, doing: str) -> None:
    """A budget comes into force inside of `around`, for whoever has the lock."""
    global _owner
    standing = len(_levels) > around  # an interrupt has left some
    del _levels[around:]
    outer = _levels[-1] if _levels else None
    if outer is None:
        _owner = threading.get_ident()
        CONTEXT.resume()
        CONTEXT.set_max_operations(0)
        CONTEXT.reset_operations()
    cap = outer.cap if outer is not None else _UNBOUNDED
    end = outer.deadline if outer is not None else math.inf
    if seconds is not None:
        end = min(end, time.monotonic() + seconds)
    if operations is not None:
        cap = min(cap, (_count(cap) if outer is not None else 0) + operations)
    elif _brake is None and seconds is not None and seconds < 1e9:
        cap = min(cap, _count(cap) + max(int(seconds * OPERATIONS_PER_SECOND), 1))
    doing = doing or (outer.doing if outer is not None else "")
    level = Level(doing, operations, seconds, cap, end)
    _levels.append(level)
    if outer is None or standing or end != outer.deadline:
        _enforce(level)
    elif operations is not None or cap != outer.cap:
        _limit(level)  # one alarm for one deadline: more would abort what comes after


def _leave(around: int) -> None:
    """A budget is over, and all that a signal left standing inside it; what is around it holds."""
    if len(_levels) <= around:  # it had not begun
        return
    level, standing = _levels[around], len(_levels) > around + 1
    del _levels[around:]
    outer = _levels[-1] if _levels else None
    same = outer is not None and level.deadline == outer.deadline and not standing
    if same and outer is not None and level.cap == outer.cap:
        return
    over = False
    if not same:
        over = _enforce(outer)
    else:
        _limit(outer)
    if _brake is not None and over:
        _brake.settle(brake.LATE)  # else it might abort what comes after
    if time.monotonic() < (outer.deadline if outer is not None else math.inf):
        CONTEXT.resume()


def _limit(level: Level | None) -> None:
    unlimited = level is None or level.cap == _UNBOUNDED
    CONTEXT.set_max_operations(0 if level is None or unlimited else level.cap)


def _enforce(level: Level | None) -> bool:
    """What a budget allows holds from now on. Whether the time of the one before was over."""
    _limit(level)
    if _brake is None:
        return False
    never = level is None or level.deadline == math.inf
    return _brake.arm(None if level is None or never else level.deadline - time.monotonic())


def _count(cap: int) -> int:
    """How many operations isl has counted. It does not say: one that fails at a limit does."""
    low, high = 0, 1 << 12
    while high < cap and _fails_at(high):
        low, high = high, high << 4
    high = min(high, cap)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _fails_at(middle) else (low, middle)
    return high


def _fails_at(limit: int) -> bool:
    CONTEXT.set_max_operations(limit)
    try:
        _isl.Val(1)
    except _isl.Error:
        return not CONTEXT.aborted()  # if it is aborted, all fails
    return False


def _after_fork() -> None:
    """A child has neither the timer nor the threads of its parent, nor whoever has the lock."""
    global _LOCK, _brake, _sought, _owner
    if _brake is not None:
        _brake.forget()
    _LOCK, _brake, _sought, _owner = threading.RLock(), None, False, None
    _levels.clear()
    _enforce(None)
    CONTEXT.resume()


os.register_at_fork(after_in_child=_after_fork)
