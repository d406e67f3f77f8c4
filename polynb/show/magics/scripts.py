"""Magics whose cell is a script about a program: `%%transform NAME --from PROGRAM`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from IPython.core.magic_arguments import argument

from polynb.derivation import as_scop
from polynb.errors import Edit, PolynbError, Span
from polynb.scop.model import Scop
from polynb.show.displays.registry import PassMagic, Script
from polynb.show.magics.arguments import MagicLine, Word, split
from polynb.show.magics.programs import GALLERY, body_source, find, program_names
from polynb.show.magics.running import Called, ProgramMagics, magic

FROM: Final = "--from"
NAME: Final = argument("program", nargs="*", metavar="NAME", help="The name to bind.")
PROGRAM: Final = argument(
    FROM,
    dest="origin",
    metavar="PROGRAM",
    help="The program: a variable, fast.before, gallery:harris.",
)
_PROGRAM: Final = re.compile(r"\bfor\b|=.*;")
QUIET: Final = argument("--quiet", action="store_true", help="No display.")


def script_magic(name: str, magic_: PassMagic, script: Script) -> Any:
    """The method of one such magic."""

    def method(self: ProgramMagics, line: str, cell: str | None = None) -> Any:
        call = self._called(getattr(self, name), line, cell)
        named = _program_meant(call.plain, self.shell.user_ns)

        def origin() -> Word:
            return _origin(call.words, call.options.origin, cell, named)

        def way(call: Called) -> str:
            _check_script(call, script)
            return f"{call.words.magic} {call.plain[0].text} {FROM} {origin().text}"

        def work(name: str | None) -> Any:
            _check_script(call, script)
            program = find(origin(), self.shell.user_ns)
            source = body_source(cell or "", call.words, "the cell is empty", script.empty)
            return script.run(program, source)

        return self._bound(call, work, way)

    method.__name__ = name
    method.__doc__ = magic_.doc
    return magic(NAME, PROGRAM, QUIET, common=())(method)


def _program_meant(names: Sequence[Word], namespace: Mapping[str, Any]) -> str:
    """What examples work on: the first program there is of the names, or of the variables."""
    known = program_names(namespace)
    named = (w.text for w in names if w.text in known or w.text.startswith(GALLERY))
    return next(named, (*known, "gallery:gemm")[0])


def _check_script(call: Called, script: Script) -> None:
    """Raises PolynbError for a cell that holds a program instead of what is to be done with one."""
    words = call.words
    code = re.sub(r"//[^\n]*|#[^\n]*", "", call.cell or "")
    first = re.match(r"\s*(\w+)", code)
    if first is None or first[1] in script.words(None, "", "") or not _PROGRAM.search(code):
        return
    name = next((w.text for w in call.plain if w.text.isidentifier()), "blur")
    raise PolynbError(
        f"the cell of {words.magic} says what is to be done with a program, and this is one",
        span=words.start,
        hint=f"`%%scop {name}` binds it; then, in a cell of its own, {words.magic} faster "
        f"{FROM} {name}, and the moves below it",
        fix=[Edit(Span(words.source, 0, len(words.source.text)), f"%%scop {name}")],
    )


def _origin(words: MagicLine, said: str | None, cell: str | None, meant: str) -> Word:
    """The word that names the program; `meant` is the one of examples."""
    example = f"%%{words.magic.lstrip('%')} faster {FROM} {meant}"
    if cell is None:
        raise PolynbError(
            f"{words.magic} has what is to be done in a cell",
            span=words.start,
            hint=f"{example}, and the lines below",
        )
    if said is None:
        named = words.span_of(meant)
        raise PolynbError(
            f"{words.magic} needs a program",
            span=named or words.start,
            hint=example,
            fix=[Edit(named, f"faster {FROM} {meant}")] if named else (),
        )
    word = next(w for w in words.words if w.text in (said, f"{FROM}={said}"))
    return Word(said, replace(word.span, start=word.span.start + word.span.text.index(said)))


def named_program(line: str, namespace: Mapping[str, Any]) -> Scop | None:
    """The program that a line names, if it does; while it is being typed, it may not."""
    try:
        words = split(line.strip().partition(" ")[2], line.split(maxsplit=1)[0])
        place = [w.text for w in words.words].index(FROM)
        return as_scop(find(words.words[place + 1], namespace))
    except (PolynbError, ValueError, IndexError):
        return None
