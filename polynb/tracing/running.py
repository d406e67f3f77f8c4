"""`pn.trace`: a C text is instrumented, compiled, run in a process of its own, and folded there."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from polynb.arguments import (
    count,
    flag,
    function,
    integer,
    objects,
    one_of,
    optional,
    seconds as checked_seconds,
    text,
)
from polynb.errors import PolynbError, Source, Span, refuse_halves
from polynb.folding import engine
from polynb.folding.search import SLOPE
from polynb.run import cache, compilers
from polynb.run.cache import Build
from polynb.tracing import runtime
from polynb.tracing.building import build
from polynb.tracing.instrument.driving import starting
from polynb.tracing.instrument.text import ENTRY, NAME, Parsed, instrumented, parsed
from polynb.tracing.launching.decoding import decode, require_fit
from polynb.tracing.launching.process import Limits, launch, not_told
from polynb.tracing.launching.words import Broken
from polynb.tracing.model import Folding

VARIANTS: Final = ("F", "F_W", "F_GG", "F_GG,W")
KEPT: Final = 5_000_000
"""Raw entries that `streams=True` keeps at most."""
SHIFTS: Final = {1: 0, 2: 1, 4: 2, 8: 3}
FLAGS: Final = ("-std=gnu11", "-fno-strict-aliasing", "-w", "-Wl,-Bsymbolic")
LARGEST: Final = 2**62
ASKED: Final = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(_\w+_SOURCE|NDEBUG)\b[ \t]*(\w*)", re.M)
"""What headers ask for."""


def trace(
    source: str | Source | os.PathLike[str],
    /,
    *,
    call: str | None = None,
    only: str | None = None,
    seconds: float | None = 10.0,
    events: int = 1_000_000_000,
    memory: int = 2_000_000_000,
    variant: str = "F_GG,W",
    streams: bool = False,
    compiler: str | None = None,
    arguments: Sequence[str] = (),
    progress: Callable[[str, int, int], None] | None = None,
    **sizes: float,
) -> Folding:
    """Run a C program, watch it, and fold what is seen: which instances each instruction had, which
    addresses or integers they gave, and from which instances their values came (TACO'19, section
    4). The program really runs, in a process of its own with the rights of the user: trace no
    program that you would not run.

    `source` is C text, or the path of a C file: functions, or bare statements. It may have loops
    of any kind, pointers, records, `malloc`, calls and recursion; no `goto` backwards, `setjmp` or
    threads. What runs is its `main` (with `arguments`), or `call="f(4, 5)"`, in C; or a function,
    by `call="f"` or because no other calls it, with numbers by keywords (`n=100`) and with arrays
    of their declared extents, which hold seeded random numbers. `#pragma scop` ... `endscop` in
    the text, or a function's name as `only`, say what is recorded; otherwise everything is.

    It is stopped after `seconds`, when it has made `events` entries, or when it takes more than
    `memory` bytes: what was folded until then is kept, as it is where it crashes, and
    `Folding.run.ended` says so. `variant` is F, F_W, F_GG or "F_GG,W" (section 6); those with GG
    also give up on streams that come to a great many pieces. `streams` keeps the entries
    themselves as well, five million at most.

    `progress` is called while it runs, with what is done, and how much of how much.

    What most functions of the C library read and write is known, and that printing, reading and
    random numbers go in order. That another was called is an instruction of its own (a "call"), and
    no loop around it is called parallel. Raises PolynbError, with the place, for text that is no C
    or cannot be traced, and where it is not clear what to run.
    """
    asked = _Asked(
        optional(text, "call", call),
        optional(text, "only", only),
        Limits(
            optional(checked_seconds, "seconds", seconds),
            count("memory", memory, most=LARGEST),
            count("events", events, most=LARGEST),
            KEPT if flag("streams", streams) else 0,
        ),
        one_of("variant", variant, VARIANTS),
        optional(text, "compiler", compiler),
        _words(arguments),
        {name: _number(name, value) for name, value in sizes.items()},
        optional(function, "progress", progress, "a function(what, done, total)"),
    )
    return _traced(_read(source), asked)


@dataclass(frozen=True)
class _Asked:
    """The checked arguments of `trace`."""

    call: str | None
    only: str | None
    limits: Limits
    variant: str
    compiler: str | None
    arguments: tuple[str, ...]
    sizes: dict[str, int | float]
    progress: Callable[[str, int, int], None] | None = None


def _traced(source: Source, asked: _Asked) -> Folding:
    program = parsed(source)
    _check_only(program, asked.only)
    start, words = starting(program, asked.call, asked.sizes)
    made = instrumented(program, start, asked.only)
    chosen = compilers.find(asked.compiler)
    library = _compiled(chosen, runtime.text(made.depth, engine.text()), ("-O3",))
    try:
        flags = ("-O2", "-fvisibility=hidden", *_asked_of_headers(source.text))
        compiled = _compiled(chosen, runtime.header(made.depth) + made.text, flags)
    except compilers.CompilerError as error:
        raise _complaint(error, source) from None
    settings = [
        SHIFTS[made.unit],
        int(not (program.has_region or asked.only)),
        int("W" in asked.variant),
        int("GG" in asked.variant),
        SLOPE,
    ]
    arguments = ("program", *asked.arguments)
    outcome = launch(
        library, compiled, ENTRY, asked.limits, settings, arguments, _ticking(asked, words)
    )
    try:
        told = decode(outcome.words)
        require_fit(told, made.program)
    except Broken:
        raise not_told(outcome) from None
    facts = {"output": outcome.output, "errors": outcome.errors, "command": words}
    return build(made, told, source, facts, asked.variant)


def _ticking(asked: _Asked, command: str) -> Callable[[float], None] | None:
    """What is called with the seconds that have passed."""
    tell, limit = asked.progress, asked.limits.seconds
    if tell is None:
        return None
    whole = 0 if limit is None else round(limit * 10)
    return lambda passed: tell(f"{command} runs", min(round(passed * 10), whole), whole)


def _asked_of_headers(text: str) -> list[str]:
    """What is defined before the first header, and whatever the conditions."""
    before = re.split(r"^[ \t]*#[ \t]*(?:include|if)", text, maxsplit=1, flags=re.MULTILINE)[0]
    return [f"-D{name}={value}" for name, value in ASKED.findall(before)]


def _compiled(compiler: compilers.Compiler, c_text: str, extra: tuple[str, ...]) -> Path:
    flags = compiler.flags(extra=(*FLAGS, *extra))
    return cache.shared_object(Build(compiler, flags, c_text))


def _read(source: Any) -> Source:
    if isinstance(source, (Source, str)):
        found = source if isinstance(source, Source) else Source(source, "cell")
        refuse_halves(found)
        return found
    try:
        path = Path(source)
        return Source(path.read_text(encoding="utf-8", errors="replace"), path.name)
    except TypeError:
        raise PolynbError(
            f"a program to trace must be C text or a path, not {type(source).__name__}",
            hint='pn.trace("int main(void) { ... }"), pn.trace(Path("program.c"))',
        ) from None
    except OSError as error:
        raise PolynbError(f"{source} cannot be read", reason=error.strerror) from None


def _check_only(program: Parsed, only: str | None) -> None:
    if only is not None and only not in program.functions:
        raise PolynbError(
            f"only={only!r} is no function of this text",
            hint=", ".join(f"only={f!r}" for f in program.functions if f.isidentifier()) or None,
        )


def _words(arguments: Sequence[str]) -> tuple[str, ...]:
    words = objects("arguments", arguments, str, "texts", '["-n", "100"]')
    if any("\0" in a for a in words):
        raise PolynbError("arguments cannot hold the character 0", hint='["-n", "100"]')
    return tuple(text("arguments", a) for a in words)


def _number(name: str, value: Any) -> int | float:
    if isinstance(value, float) and math.isfinite(value):
        return value
    return integer(name, value)


def _complaint(error: PolynbError, source: Source) -> PolynbError:
    """The error for text that the compiler refused; the compiler's own where it names no line of
    the person's text."""
    said = re.match(rf"{NAME}:(\d+):\d+: (?:fatal )?error: (.*)", error.reason or "")
    if said is None:
        return error
    return PolynbError(
        f"this is no C that can be compiled: {said[2]}",
        span=_place(source, int(said[1]), re.search(r"[‘'](\w+)[’']", said[2])),
        reason="the C compiler says so",
        hint="declarations of all that is used, and the #include of what the library has",
    )


def _place(source: Source, line: int, word: re.Match[str] | None) -> Span:
    """The line without its margins; only the word in it, where there is one."""
    starts = [0, *(m.end() for m in re.finditer(r"\r\n|\r|\n", source.text))]
    start = starts[min(line, len(starts)) - 1]
    text = source.line(line)
    found = re.search(rf"\b{word[1]}\b", text) if word else None
    found = found or re.search(r"\S.*\S|\S", text)
    first, last = found.span() if found else (0, len(text))
    return Span(source, start + first, start + last)
