"""The checks of what public functions are called with, each in one place.

A check takes the argument's name and value, and gives the value back, made plain (an int, a tuple
of names). Where it does not fit, it raises a PolynbError that says which argument is wrong, what it
is, and what is allowed. True and False are no numbers here.
"""

from __future__ import annotations

import math
import operator
import os
import shlex
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from pathlib import Path
from types import UnionType
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

from polynb.errors import PolynbError, Source, refuse_halves

T = TypeVar("T")
R = TypeVar("R")
P = ParamSpec("P")
Kind = type | UnionType

LEAST: Final = -(2**63)
MOST: Final = 2**63 - 1
"""Parameters, sizes and isl's counts have 64 bits."""

THREADS: Final = 1024
SECONDS: Final = 1_000_000
"""The longest that anything may be waited for, some eleven days."""

MANY: Final = 12
"""Names that a hint can list."""
LONG: Final = 60
"""Characters of a wrong value that an error shows."""


def shown(value: object) -> str:
    """A wrong value in an error: its text if that is short, else its kind."""
    if isinstance(value, int) and abs(value) >= 10**LONG:  # Python refuses to print larger ones
        text = f"10**{LONG} or more" if value > 0 else f"-10**{LONG} or less"
    elif value is None or isinstance(value, str | bytes | bool | int | float | complex):
        text = repr(value)
    else:
        text = type(value).__name__
        if isinstance(value, list | tuple | set | frozenset | dict) and len(value) <= MANY:
            with suppress(Exception):  # a person's own classes may fail
                text = repr(value) if len(repr(value)) <= LONG else text
    return text if len(text) <= LONG else f"{text[:LONG]}…"


def wrong(
    name: str, value: object, allowed: str, hint: str | None = None, *, verb: str = "be"
) -> PolynbError:
    """The error for an argument: `threads must be at least 1, not 0`."""
    return PolynbError(f"{name} must {verb} {allowed}, not {shown(value)}", hint=hint)


def optional(
    check: Callable[Concatenate[str, Any, P], R],
    name: str,
    value: Any,
    *args: P.args,
    **kwargs: P.kwargs,
) -> R | None:
    """None, or what a check gives."""
    return None if value is None else check(name, value, *args, **kwargs)


# -- numbers -------------------------------------------------------------------------------


def integer(name: str, value: Any, *, least: int = LEAST, most: int = MOST) -> int:
    """An integer within bounds, Python's or NumPy's."""
    number = None
    if not isinstance(value, bool):
        with suppress(TypeError):
            number = operator.index(value)
    if number is None:
        whole = isinstance(value, float) and value.is_integer() and least <= value <= most
        hint = f"{name}={int(value)}" if whole else f"{name}={min(max(least, 2), most)}, say"
        raise wrong(name, value, f"an integer{_from(least)}", hint)
    if number not in range(LEAST, MOST + 1):
        allowed = "" if most == MOST else f": at most {most}"
        raise PolynbError(
            f"{name} = {shown(number)} does not fit 64 bits", hint=f"a smaller value{allowed}"
        )
    if number < least:
        raise wrong(name, value, f"at least {least}", f"{name}={min(max(least, 2), most)}, say")
    if number > most:
        raise wrong(name, value, f"at most {most}", f"{name}={min(max(least, 2), most)}, say")
    return number


def _from(least: int) -> str:
    return f" of at least {least}" if least > LEAST else ""


def count(name: str, value: Any, *, least: int = 1, most: int = MOST) -> int:
    """A number of things."""
    return integer(name, value, least=least, most=most)


def seconds(name: str, value: Any) -> float:
    """A positive, finite number of seconds."""
    hint = "seconds, or None for no limit" if name == "timeout" else f"{name}=2.0, say"
    number = value
    if not isinstance(value, bool | str | bytes):
        try:
            number = float(value)
        except (TypeError, ValueError, OverflowError):
            number = None
    if not isinstance(number, float):
        raise wrong(name, value, "a number of seconds", hint)
    if math.isnan(number) or number <= 0:
        raise wrong(name, value, "positive", hint)
    if number > SECONDS:
        raise wrong(name, value, f"at most {SECONDS} seconds", hint)
    return number


def flag(name: str, value: Any) -> bool:
    """True or False, Python's or NumPy's."""
    numpys = type(value).__module__ == "numpy" and type(value).__name__ in ("bool", "bool_")
    if not (isinstance(value, bool) or numpys):
        raise wrong(name, value, "True or False")
    return bool(value)


def integers(
    name: str, value: Any, *, least: int = LEAST, most: int = MOST, some: bool = True
) -> tuple[int, ...]:
    """A sequence of integers; with `some`, at least one."""
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise wrong(name, value, "a sequence of integers", f"{name}=[{max(least, 1)}], say")
    given = _listed(name, value, "a sequence of integers")
    if some and not given:
        raise PolynbError(f"{name} is empty", hint=f"{name}=[{max(least, 1)}], say")
    found = []
    for each in given:
        try:
            found.append(integer(name, each, least=least, most=most))
        except PolynbError:
            hint = f"{name}=[{max(least, 1)}], say"
            raise wrong(name, each, f"integers{_from(least)}", hint, verb="hold") from None
    return tuple(found)


# -- words ---------------------------------------------------------------------------------


def text(name: str, value: Any, hint: str | None = None) -> str:
    """A text."""
    if not isinstance(value, str):
        raise wrong(name, value, "a text", hint)
    refuse_halves(Source(value, name))
    return value


def one_of(name: str, value: Any, known: Collection[str], what: str | None = None) -> str:
    """One of some words: `there is no preset 'x'`."""
    if not isinstance(value, str) or value not in known:
        raise unknown(what or name, value, known)
    return value


def unknown(what: str, value: object, known: Iterable[str]) -> PolynbError:
    """The error for a word that is not among the known ones, with one that is like it."""
    words = list(known)
    close = get_close_matches(value, words, 1) if isinstance(value, str) else []
    most = f"one of: {', '.join(words[:MANY])}{', …' if len(words) > MANY else ''}"
    hint = close[0] if close else most if words else "there are none"
    return PolynbError(f"there is no {what} {shown(value)}", hint=hint)


def several_names(
    name: str,
    value: Any,
    known: Collection[str] | None = None,
    *,
    what: str = "array",
    once: bool = False,
) -> tuple[str, ...]:
    """Names, as a sequence or in one text, `"tmp, s"`; with `once`, none of them twice."""
    hint = f'{name}="tmp, s" or {name}=["tmp", "s"]'
    several = f"{what}es" if what.endswith("s") else f"{what}s"
    if isinstance(value, str):
        names = tuple(value.replace(",", " ").split())
    elif isinstance(value, bytes | Mapping) or not isinstance(value, Iterable):
        raise wrong(name, value, f"names of {several}", hint)
    else:
        names = _listed(name, value, f"names of {several}")
    for each in names:
        if not isinstance(each, str):
            raise PolynbError(f"{name} must hold names of {several}, not {shown(each)}", hint=hint)
        refuse_halves(Source(each, name))
        if known is not None and each not in known:
            raise unknown(what, each, known)
    if once and len(set(names)) < len(names):
        twice = next(n for k, n in enumerate(names) if n in names[:k])
        raise PolynbError(f"{name} names {what} {twice!r} twice", hint="each of them once")
    return names


def command_line(name: str, value: Any) -> tuple[str, ...]:
    """The words of a command line, as a sequence or in one text."""
    hint = f'{name}="-O2 -DX=1" or {name}=["-O2", "-DX=1"]'
    if isinstance(value, str):
        try:
            words = tuple(shlex.split(value))
        except ValueError as error:
            raise PolynbError(f"{name} = {value!r}: {error}", hint="quotes in pairs") from None
    else:
        words = objects(name, value, str, "texts", hint)
    if any("\0" in word for word in words):
        raise wrong(name, value, "without the character 0", hint)
    return tuple(text(name, word) for word in words)


# -- mappings and objects ------------------------------------------------------------------


def named(
    name: str, value: Any, known: Collection[str] | None = None, *, what: str = "parameter"
) -> dict[str, Any]:
    """Values by name, of known names."""
    if not isinstance(value, Mapping):
        raise wrong(name, value, f"values by name of {what}", f"{name}={{'N': 100}}, say")
    for key in value:
        if not isinstance(key, str):
            raise PolynbError(
                f"{name} must have names of {what}s as keys, not {shown(key)}",
                hint=f"{name}={{'N': 100}}, say",
            )
        if known is not None and key not in known:
            raise unknown(what, key, known)
    return dict(value)


def values(name: str, value: Any, known: Collection[str] | None = None) -> dict[str, int]:
    """Integers of 64 bits for parameters, by name."""
    return {k: integer(k, v) for k, v in named(name, value, known).items()}


def instance(name: str, value: Any, kinds: type[T] | tuple[type[T], ...], hint: str) -> T:
    """An object of a class."""
    if not isinstance(value, kinds):
        first = (kinds[0] if isinstance(kinds, tuple) else kinds).__name__
        raise wrong(name, value, f"{'an' if first[0] in 'AEIOU' else 'a'} {first}", hint)
    return value


def objects(
    name: str, value: Any, kind: Kind | Callable[[Any], bool], what: str, hint: str
) -> tuple[Any, ...]:
    """A sequence of objects of a class, or that `kind` accepts."""
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise wrong(name, value, f"a sequence of {what}", hint)
    found = _listed(name, value, f"a sequence of {what}")
    for each in found:
        if not (isinstance(each, kind) if isinstance(kind, Kind) else kind(each)):
            raise PolynbError(f"{name} must hold {what}, not {shown(each)}", hint=hint)
    return found


def function(name: str, value: Any, hint: str) -> Callable[..., Any]:
    """Something that can be called."""
    if not callable(value):
        raise wrong(name, value, "a function", hint)
    called: Callable[..., Any] = value
    return called


def file(name: str, value: Any) -> Path:
    """A place for a file: one in a folder that there is."""
    if not isinstance(value, str | os.PathLike) or not str(value) or "\0" in str(value):
        raise wrong(name, value, "the path of a file", f'{name}="page.html", say')
    try:
        os.fsencode(value)
    except UnicodeEncodeError:
        raise wrong(name, value, "a path that the system can write", None) from None
    path = Path(value)
    if path.is_dir():
        raise PolynbError(f"{name}: {path} is a folder", hint=f"a file in it: {path / 'file'}")
    if not path.absolute().parent.is_dir():
        raise PolynbError(f"{name}: there is no folder {path.parent}", hint="one that there is")
    return path


def _listed(name: str, value: Iterable[Any], allowed: str) -> tuple[Any, ...]:
    """What is in a sequence. (NumPy's arrays of no dimension say that they can be iterated.)"""
    if not isinstance(value, Sequence) and hasattr(value, "shape") and len(value.shape) != 1:
        raise wrong(name, value, allowed)
    return tuple(value)
