"""islpy's classes over isl as WebAssembly: what is not generated.

Where there is no islpy, a module of its name is made of this, of `likes.py`, and of what
`generated.py` writes. `machine` is isl: an object that has a function for each that `glue.py`
exports, called with numbers, and besides `put(text)` and `take(address)` for texts,
`hear(function)` to be called back, and `arm(seconds)` for a deadline. Objects are addresses in
isl's memory, with a class around. There is one context.
"""

from __future__ import annotations

import math
import sys
import time
import traceback
from collections.abc import Callable
from enum import IntEnum
from operator import index
from typing import Any, ClassVar, TypeVar

import isl_machine

machine: Any = isl_machine


class Error(Exception):
    """isl refused something."""


class Enumeration(IntEnum):
    """An enumeration of isl's."""

    def __str__(self) -> str:
        return f"{type(self).__name__}.{self.name}"

    __repr__ = __str__


class Object:
    """Something of isl's. It is freed when nobody has it any more."""

    _p: int = 0
    _base_name: ClassVar[str]
    _upcasts: ClassVar[dict[type, Callable[[int], int]]] = {}
    _free: ClassVar[Any]
    _read: ClassVar[Any] = None
    _print: ClassVar[Any] = None

    def __init__(self, s: Any, context: OneContext | None = None) -> None:
        if type(s) is str and self._read is not None:
            self._p = self._read(_START, text(s))
            if not self._p:
                raise failure(f"{self._base_name}_read_from_str")
        elif type(s) in self._upcasts:
            self._p = self._upcasts[type(s)](s._p)
        else:
            raise _wrong("__init__", s)

    def __del__(self) -> None:
        if self._p:
            self._free(self._p)

    def __str__(self) -> str:
        if self._print is None:
            return object.__repr__(self)
        found = said(self._print(self._p))
        if found is None:
            raise failure(f"printer_print_{self._base_name}")
        return found

    def __repr__(self) -> str:
        if self._print is None:
            return object.__repr__(self)
        return f'{type(self).__name__}("{self}")'

    def __eq__(self, other: Any) -> Any:
        other.get_ctx  # noqa: B018  (as in islpy, what is not of isl is compared with nothing)
        return self.is_equal(other)  # type: ignore[attr-defined]

    def __hash__(self) -> int:
        raise TypeError(f"unhashable type: {type(self).__name__}")

    def __reduce__(self) -> Any:
        return type(self), (str(self),)

    def _is_valid(self) -> bool:
        return bool(self._p)


class NeverEqual(Object):
    """What isl cannot compare."""

    def __eq__(self, other: Any) -> Any:
        raise TypeError("equality not available; use manual downcast or try plain_is_equal")

    def __ne__(self, other: Any) -> Any:
        raise TypeError("equality not available; use manual downcast or try plain_is_equal")

    __hash__ = Object.__hash__


class OneContext:
    """`Context`: all of its objects are one."""

    _p = 0
    _base_name = "ctx"

    def __init__(self) -> None:
        self._p = _START

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OneContext)

    def __hash__(self) -> int:
        return self._p

    def __reduce__(self) -> Any:
        return type(self), ()

    def brake(self) -> Deadline:
        """What stops isl at a deadline."""
        return Deadline(self)


class Deadline:
    """Makes a call of isl that is under way fail at a deadline (as `polynb/isl/brake.py` does for
    islpy): isl asks its host now and then. Nobody hears of signals while it computes."""

    _listens = False

    def __init__(self, context: Any) -> None:
        self.context = context
        self._end = math.inf

    def arm(self, seconds: float | None) -> bool:
        """Abort in so many seconds; None: not at all. Whether the time set before was over."""
        over = time.monotonic() >= self._end
        self._end = math.inf if seconds is None else time.monotonic() + seconds
        machine.arm(-1.0 if seconds is None else seconds)
        return over

    def settle(self, seconds: float | None = None) -> None:
        """A time that was over is not asked for again: nothing comes late."""

    watch = unwatch = forget = lambda self: None

    def signals(self) -> bytes:
        """None are heard."""
        return b""


T = TypeVar("T", bound=Object)
KINDS: dict[str, Any] = {}
"""The classes, by isl's names for them."""

_START = machine.begin()


# -- what goes over, and what comes back ------------------------------------------------


def failure(name: str) -> Error:
    """What isl says of a function that has failed."""
    return Error(f"call to isl_{name} failed: {said(machine.failure())}")


def _wrong(name: str, *given: object) -> TypeError:
    kinds = ", ".join(type(x).__name__ for x in given)
    return TypeError(f"{name}(): incompatible function arguments: {kinds}")


def made(kind: type[T], p: int, name: str) -> T:
    """An object of isl's with its class."""
    if not p:
        raise failure(name)
    x = object.__new__(kind)
    x._p = p
    return x


def as_object(kind: type[Object], x: Any, name: str) -> Any:
    """An argument of another class than is asked for."""
    convert = kind._upcasts.get(type(x))
    if convert is None:
        raise _wrong(name, x)
    return made(kind, convert(x._p), name)


def number(x: Any) -> int:
    """An argument of 32 bits."""
    whole = index(x)
    if -0x80000000 <= whole <= 0xFFFFFFFF:
        return whole
    raise _wrong("a number of isl's", x)


def truth(answer: int, name: str) -> bool:
    """An `isl_bool`."""
    if answer < 0:
        raise failure(name)
    return answer > 0


def value(x: Any, name: str) -> Any:
    """A `Val`, also of an integer."""
    val = KINDS["val"]
    if isinstance(x, int) and -(1 << 63) <= x < 1 << 63:
        return val(x)
    if type(x) is val:
        return x
    raise Error(f"unrecognized argument for {name}")


def text(x: Any) -> int:
    """A text, which the function frees that is given it."""
    if type(x) is not str:
        raise _wrong("a text of isl's", x)
    return int(machine.put(x))


def said(address: int) -> str | None:
    """A text that isl gives."""
    return str(machine.take(address)) if address else None


# -- calling back ----------------------------------------------------------------------

_called: dict[int, Callable[[int, int], int]] = {}
_numbers = iter(range(1, sys.maxsize))


class CallbackLifetimeHandle:
    """Who has this may be called back."""

    def __init__(self, function: Callable[[int, int], int]) -> None:
        self.number = next(_numbers)
        _called[self.number] = function

    def __del__(self) -> None:
        _called.pop(self.number, None)


def _hear(number: int, first: int, second: int) -> int:
    return _called[number](first, second)


machine.hear(_hear)


def callback(
    function: Callable[..., Any], kinds: tuple[tuple[type[Object], bool], ...], back: str
) -> CallbackLifetimeHandle:
    """A function for isl to call. `kinds` are the classes of its arguments, and whether they are
    its own; `back` is what it answers, "stat", "bool" or "object"."""

    def run(*addresses: int) -> int:
        objects = [made(k, p, "callback") for (k, _), p in zip(kinds, addresses, strict=False)]
        try:
            answer = function(*objects)
            if back != "object":
                return 0 if answer is None else int(answer)
            p, answer._p = answer._p, 0
            return int(p)
        except Exception:
            traceback.print_exc()
            return 0 if back == "object" else -1
        finally:
            for (_, own), x in zip(kinds, objects, strict=True):
                if not own:
                    x._p = 0

    return CallbackLifetimeHandle(run)
