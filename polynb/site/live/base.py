"""islpy's classes over isl as WebAssembly: what is not generated.

This file is the first part of a module `islpy` for where there is none (`generated.py` writes the
second). `machine` is isl: an object that has a function for each that `glue.py` exports, called
with numbers, and besides `put(text)` and `take(address)` for texts, `hear(function)` to be called
back, and `arm(seconds)` for a deadline. Objects are addresses in isl's memory, with a class around.
There is one context.
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

    def brake(self) -> Brake:
        """What stops isl at a deadline."""
        return Brake(self)


class Brake:
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
    val = _kinds["val"]
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


# -- what islpy's classes have besides isl's functions ----------------------------------


class Numeral(Object):
    """`Val`: computes as Python's numbers do."""

    def __init__(self, i: Any, context: OneContext | None = None) -> None:
        if isinstance(i, int) and -(1 << 63) <= i < 1 << 63:
            i = str(int(i))
        super().__init__(i)

    def __bool__(self: Any) -> bool:
        return not self.is_zero()

    def __neg__(self: Any) -> Any:
        return self.neg()

    def __add__(self: Any, other: Any) -> Any:
        return self.add(other)

    __radd__ = __add__

    def __sub__(self: Any, other: Any) -> Any:
        return self.sub(other)

    def __rsub__(self: Any, other: Any) -> Any:
        return -self + other

    def __mul__(self: Any, other: Any) -> Any:
        return self.mul(other)

    __rmul__ = __mul__

    def __mod__(self: Any, other: Any) -> Any:
        return self.mod(other)

    def __lt__(self: Any, other: Any) -> Any:
        return self.lt(other)

    def __gt__(self: Any, other: Any) -> Any:
        return self.gt(other)

    def __le__(self: Any, other: Any) -> Any:
        return self.le(other)

    def __ge__(self: Any, other: Any) -> Any:
        return self.ge(other)

    def __eq__(self: Any, other: Any) -> Any:
        return self.eq(other)

    def __ne__(self: Any, other: Any) -> Any:
        return self.ne(other)

    __hash__ = Object.__hash__

    def to_python(self: Any) -> int:
        """An integer of Python's."""
        if not self.is_int():
            raise ValueError("can only convert integer Val to python")
        return int(str(self))


class Named(NeverEqual):
    """`Id`: a name, and perhaps an object of Python's."""

    _objects: ClassVar[dict[int, object]] = {}

    def __init__(self, name: str, user: object = None, context: OneContext | None = None) -> None:
        number = id(user) & 0x7FFFFFFF
        self._objects[number] = user  # isl finds names and objects that it has seen before
        self._p = machine.id_alloc_with(text(name), number)

    @classmethod
    def _user(cls, number: int) -> object:
        return cls._objects.get(number)


class Pieces(Object):
    """`Aff`, `PwAff`: computes with its kind, and with numbers."""

    def get_pieces(self: Any) -> list[tuple[Any, Any]]:
        """Where each formula holds, and the formula."""
        found: list[tuple[Any, Any]] = []
        whole = self.to_pw_aff() if self._base_name == "aff" else self
        whole.foreach_piece(lambda *piece: found.append(piece))
        return found

    def _like(self: Any, x: Any) -> Any:
        if isinstance(x, Pieces):
            return x
        space = self.get_domain_space()
        constant = _kinds["aff"].zero_on_domain(space).set_constant_val(x)
        if self._base_name == "aff":
            return constant
        return _kinds["pw_aff"].alloc(_kinds["set"].universe(space), constant)

    def __add__(self: Any, other: Any) -> Any:
        return self.add(self._like(other))

    __radd__ = __add__

    def __sub__(self: Any, other: Any) -> Any:
        return self.sub(self._like(other))

    def __rsub__(self: Any, other: Any) -> Any:
        return -self + other

    def __mul__(self: Any, other: Any) -> Any:
        return self.mul(self._like(other))

    __rmul__ = __mul__

    def __neg__(self: Any) -> Any:
        return self.neg()

    def __mod__(self: Any, other: Any) -> Any:
        return self.mod_val(other)

    def __floordiv__(self: Any, other: Any) -> Any:
        return self.scale_down_val(other).floor()


class Disjuncts(Object):
    """Sets and maps, basic or not."""

    def _whole(self: Any) -> Any:
        return self

    def __and__(self: Any, other: Any) -> Any:
        return (
            self.intersect(other) if type(self) is type(other) else other._whole() & self._whole()
        )

    __rand__ = __and__

    def __or__(self: Any, other: Any) -> Any:
        return self._whole().union(other)

    __ror__ = __or__

    def __sub__(self: Any, other: Any) -> Any:
        return self._whole().subtract(other)

    def __lt__(self: Any, other: Any) -> Any:
        return self._whole().is_strict_subset(other)

    def __le__(self: Any, other: Any) -> Any:
        return self._whole().is_subset(other)

    def __gt__(self: Any, other: Any) -> Any:
        return other._whole().is_strict_subset(self)

    def __ge__(self: Any, other: Any) -> Any:
        return other._whole().is_subset(self)

    __hash__ = Object.__hash__


class BasicOnes(Disjuncts):
    """Basic sets and basic maps, which isl hashes as sets and maps."""

    def _whole(self: Any) -> Any:
        return self.to_set() if self._base_name == "basic_set" else self.to_map()

    def __hash__(self) -> int:
        return hash(self._whole())

    def get_constraints(self: Any) -> list[Any]:
        """Its constraints, in isl's order."""
        found = self.get_constraint_list()
        return [found.get_at(k) for k in range(len(found))]


class Spacious(Object):
    """`Space`: made of names."""

    @classmethod
    def create_from_names(
        cls: Any, ctx: Any, set: Any = None, in_: Any = None, out: Any = None, params: Any = ()
    ) -> Any:
        """A space of sets, or of maps, with these dimensions and parameters."""
        kinds = {1: params, 3: set} if set is not None else {1: params, 2: in_, 3: out}
        sizes = [len(names) for names in kinds.values()]
        space = cls.set_alloc(ctx, *sizes) if set is not None else cls.alloc(ctx, *sizes)
        for kind, names in kinds.items():
            for k, name in enumerate(names):
                space = space.set_dim_name(kind, k, name)
        return space


_kinds: dict[str, Any] = {}
"""The classes, by isl's names."""
