"""Text -> Scop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from polynb import isl
from polynb.arguments import one_of, several_names, text as checked_text
from polynb.errors import PolynbError, Source, Span
from polynb.scop.build import build
from polynb.scop.doubts import only_named
from polynb.scop.model import Scop
from polynb.source import tree as syntax
from polynb.source.typos import meant, no_array


@isl.bounded("reading the program")
def parse(
    text: str | Source,
    language: str = "auto",
    *,
    name: str = "kernel",
    temp: str | Sequence[str] = (),
    assume: str | None = None,
) -> Scop:
    """The Scop of a program text, in the SCoP language or in C.

    `temp` names arrays that are not needed afterwards, as `temp A, s;` in the text would; `assume`
    is a condition on the parameters, as `assume N >= 2;`. Raises PolynbError with a caret.
    """
    from polynb.source.parse import LANGUAGES, parse_program

    if not isinstance(text, str | Source):
        raise _no_text(text)
    one_of("language", language, LANGUAGES)
    program = parse_program(text, language, name=checked_text("name", name))
    _check_temporaries(program)
    program = _with_temporaries(program, several_names("temp", temp))
    return build(_with_assumption(program, assume))


def _no_text(given: object) -> PolynbError:
    hint = 'pn.parse("param N; for i = 0 to N do A[i] = 1; done")'
    if hasattr(given, "read_text"):  # a pathlib.Path
        hint = "what is in the file: `path.read_text()`"
    elif isinstance(given, bytes):
        hint = "text.decode()"
    elif isinstance(given, Scop):
        hint = "nothing: it is a program already"
    return PolynbError(f"a program's text is needed, not {_kind_of(given)}", hint=hint)


def _kind_of(given: object) -> str:
    """What a wrong argument is, in an error."""
    return "None" if given is None else type(given).__name__


@isl.bounded("reading the program")
def with_declarations(
    scop: Scop, *, temp: str | Sequence[str] = (), assume: str | None = None
) -> Scop:
    """The same program with more temporaries and assumptions, as `parse` takes them.

    Raises PolynbError for a Scop that has no text to add them to: the result of a pass, sets.
    """
    if scop.program is None:
        raise PolynbError(
            f"{scop.name} has no text of its own to declare something in",
            hint="declare it in the program that it came from",
        )
    return build(
        _with_assumption(_with_temporaries(scop.program, several_names("temp", temp)), assume)
    )


def _check_temporaries(program: syntax.Program) -> None:
    """A temporary that a text in the SCoP language only names, and does not use, is a name that
    somebody mistyped, if it is near one that is used; else it is asked about (`Scop.doubts`)."""
    used = syntax.accessed(program.body)
    others = used - {d.name for d in program.declarations}
    for d in program.declarations if program.language == "scop" else ():
        mistyped = only_named(d) and d.name not in used and meant(d.name, others) is not None
        if mistyped and d.span is not None:
            place = Span(d.span.source, d.span.start, d.span.start + len(d.name))
            raise no_array(d.name, others, place)


def _with_temporaries(program: syntax.Program, names: Sequence[str]) -> syntax.Program:
    used = {d.name for d in program.declarations} | syntax.accessed(program.body)
    for n in names:
        if n not in used:
            raise no_array(n, used)
    rest = [replace(d, role="temp", why="") if d.name in names else d for d in program.declarations]
    known = {d.name for d in rest}
    rest += [syntax.Declaration(n, role="temp") for n in names if n not in known]
    return replace(program, declarations=tuple(rest))


def _with_assumption(program: syntax.Program, assume: str | None) -> syntax.Program:
    if assume is None or not checked_text("assume", assume, 'assume="N >= 2"').strip():
        return program
    from polynb.source.scoplang.parser import parse_assumption

    more = parse_assumption(Source(assume, "assume"), program.parameters)
    return replace(program, assumptions=(*program.assumptions, *more))
