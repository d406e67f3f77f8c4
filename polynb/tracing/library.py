"""The one table of what the functions of C's library (and POSIX') read and write through their
arguments, and which state they keep from call to call: library.toml, whose rows are LibraryCalls.

Numbers are C text: `$0`, `$1` ... stand for the arguments, `$r` for the result.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import Any, Final


@dataclass(frozen=True)
class Touched:
    """Bytes that a call reads or writes: `size` of them, `offset` bytes after where argument
    `argument` points (None: after the result)."""

    writes: bool
    argument: int | None
    size: str
    offset: str = "0"

    @property
    def late(self) -> bool:
        """Whether only the result says how many they are."""
        return self.argument is None or "$r" in self.size


@dataclass(frozen=True)
class LibraryCall:
    """What a call does: what it touches; the state that it goes on with and changes ("random", or
    the file of an argument, as "pn_order_of($0)"), or only `asks` for; the argument that is the
    format of what is printed or scanned; the memory it gives, as (pointer, bytes), and whether it
    `copies` what it read there. `calls_back`: it gives nothing, and calls what it is given before
    it has written. `errs`: its failures can be told by `errno` alone. `sets`: a variable of the
    library; where a program has it, nothing is known of the call. `ends`: the program may end in
    it. `by` is what the traced text calls instead; with `block`, the memory's number goes first.
    `twice`: whether some memory has two addresses after it. `refused` is what it would make that
    no trace follows."""

    touched: tuple[Touched, ...] = ()
    state: str | None = None
    asks: bool = False
    printed: int | None = None
    scanned: int | None = None
    gives: tuple[str, str] | None = None
    copies: bool = False
    calls_back: bool = False
    errs: bool = False
    sets: str = ""
    ends: bool = False
    by: str = ""
    block: bool = False
    twice: str = ""
    refused: str = ""

    @property
    def pure(self) -> bool:
        """Whether it gives a value of its arguments, and nothing else comes of it."""
        return replace(self, errs=False, sets="", ends=False, by="") == LibraryCall()


STATES: Final = (
    *("random", "strtok", "exit", "environment", "files", "clock", "signals", "locale", "names"),
    "volatile",
)
"""What the library keeps for itself, beside its streams and `errno`; and what volatile accesses
reach outside."""
ORDERED: Final = ("files", "clock", "signals", "volatile")
"""Those of which not a value is handed on, but the order seen from outside."""
STREAMS: Final = ("stdin", "stdout", "stderr")

_FAILING: Final = (
    r"(a?(sin|cos|tan)h?|atan2|exp(2|10|m1)?|log(2|10|1p|b)?|pow|sqrt|hypot|fmod|fdim|fma|erfc?"
    r"|tgamma|remainder|drem|ldexp|scalbl?n|ilogb|nextafter|nexttoward|l?l?round|l?l?rint"
    r"|j[01n]|y[01n])[fl]?"
)
PURE: Final = re.compile(
    r"""(cbrt|fabs|floor|ceil|trunc|nearbyint|fmin|fmax|copysign|nan|significand)[fl]?
    |(l|ll|imax)?abs|(l|ll|imax)?div|is(al(num|pha)|blank|cntrl|x?digit|graph|lower|print|punct
    |space|upper|ascii)|to(lower|upper|ascii)|isnan[fl]?|isinf[fl]?|finite|isfinite|isnormal
    |signbit|fpclassify|isunordered|is(less|greater)(equal|greater)?|c(real|imag|abs|arg|onj)[fl]?
    |assert|static_assert|_Static_assert|va_end|difftime|u?sleep|sched_yield|strerror
    |get(p?p|u|g)id|isatty|sysconf|malloc_usable_size|omp_\w+|offsetof|ffs(l|ll)?
    |__builtin_(expect|popcountl?l?|c[lt]zl?l?|parityl?l?|bswap\d+|ffsl?l?|prefetch|trap|abs
    |unreachable|assume_aligned|constant_p|object_size|huge_val[fl]?|inf[fl]?|nan[fl]?|offsetof)
    |UINT\d+_C|INT\d+_C|MAX|MIN""",
    re.VERBOSE,
)
"""Functions (and macros) that give a value of their arguments alone, touch no memory of the
program's, and whose order nobody sees."""


TOUCHES: Final = re.compile(r"(reads|writes|string) (\d|r)(?:: ([^@]+?))?(?: @ (.+))?")


def reads(argument: int, size: str) -> Touched:
    return Touched(False, argument, size)


def writes(argument: int, size: str) -> Touched:
    return Touched(True, argument, size)


def string(argument: int) -> Touched:
    return reads(argument, f"pn_text(${argument})")


def _touched(text: str) -> Touched:
    """`writes 1: 8 @ 4`, as library.toml says it."""
    found = TOUCHES.fullmatch(text)
    assert found is not None, text
    how, where, size, offset = found.groups()
    argument = None if where == "r" else int(where)
    return Touched(how == "writes", argument, size or f"pn_text(${where})", offset or "0")


def _call(*, touches: Sequence[str] = (), gives: Sequence[str] = (), **rest: Any) -> LibraryCall:
    given = (gives[0], gives[1]) if gives else None
    return LibraryCall(tuple(map(_touched, touches)), gives=given, **rest)


def _table() -> dict[str, LibraryCall]:
    text = files("polynb.tracing").joinpath("library.toml").read_text("utf-8")
    rows = {names: _call(**row) for names, row in tomllib.loads(text).items()}
    return {name: call for names, call in rows.items() for name in names.split()}


TABLE: Final[dict[str, LibraryCall]] = _table()


def library_call(name: str) -> LibraryCall | None:
    """What a function of the library does; None where that is not known: then it is taken for one
    that reads and writes all that it is handed, and goes on with a state of its own."""
    plain = name.removeprefix("__builtin_")
    if PURE.fullmatch(name) or PURE.fullmatch(plain):
        return LibraryCall()
    if re.fullmatch(_FAILING, plain):
        return LibraryCall(errs=True)
    return TABLE.get(plain)
