"""Magics whose cell is a script about a program: `%%transform NAME --from PROGRAM`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from IPython.core.magic_arguments import argument

from polynb.derivation import as_scop
from polynb.errors import Edit, PolynbError, Source, Span
from polynb.scop import Scop
from polynb.show.displays.registry import PassMagic, Script
from polynb.show.magics.arguments import MagicLine, Word, parse_line, pointing, split
from polynb.show.magics.measuring import words_of
from polynb.show.magics.programs import GALLERY, check_name, find, program_names
from polynb.show.magics.running import ProgramMagics, magic

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
        this: Any = getattr(self, name)
        words = split(line, f"{'%' if cell is None else '%%'}{name}")
        options = parse_line(words, this.parser)
        names = words_of(words, options.program, self.shell.user_ns)
        with pointing(words):
            _check_script(words, names, cell or "", script)
            origin = _origin(words, options.origin, cell, _program_meant(names, self.shell.user_ns))
            if len(names) > 1:
                raise PolynbError(
                    f"{words.magic} binds one name, not {len(names)}",
                    span=names[1].span,
                    hint=f"{words.magic} {names[0].text} {FROM} {origin.text}",
                )
            bound = check_name(names[0], self.shell.user_ns) if names else None
            program = find(origin, self.shell.user_ns)
            result = script.run(program, _source(cell or "", words, script))
        if bound is not None:
            self.shell.user_ns[bound] = result
        return None if options.quiet else result

    method.__name__ = name
    method.__doc__ = magic_.doc
    return magic(NAME, PROGRAM, QUIET, common=())(method)


def _program_meant(names: list[Word], namespace: Mapping[str, Any]) -> str:
    """What examples work on: the first program there is of the names, or of the variables."""
    known = program_names(namespace)
    named = (w.text for w in names if w.text in known or w.text.startswith(GALLERY))
    return next(named, (*known, "gallery:gemm")[0])


def _check_script(words: MagicLine, names: list[Word], cell: str, script: Script) -> None:
    """Raises PolynbError for a cell that holds a program instead of what is to be done with one."""
    code = re.sub(r"//[^\n]*|#[^\n]*", "", cell)
    first = re.match(r"\s*(\w+)", code)
    if first is None or first[1] in script.words(None, "", "") or not _PROGRAM.search(code):
        return
    name = next((w.text for w in names if w.text.isidentifier()), "blur")
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


def _source(body: str, words: MagicLine, script: Script) -> Source:
    """The script, its lines counted as in the cell."""
    if not body.strip():
        raise PolynbError("the cell is empty", span=words.start, hint=script.empty)
    return Source("\n" + body, "cell")


def named_program(line: str, namespace: Mapping[str, Any]) -> Scop | None:
    """The program that a line names, if it does; while it is being typed, it may not."""
    try:
        words = split(line.strip().partition(" ")[2], line.split(maxsplit=1)[0])
        place = [w.text for w in words.words].index(FROM)
        return as_scop(find(words.words[place + 1], namespace))
    except (PolynbError, ValueError, IndexError):
        return None
