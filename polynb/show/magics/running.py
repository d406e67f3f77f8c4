"""What all magics of programs do: find the programs of a line or parse a cell, and bind a name."""

from __future__ import annotations

import argparse
import functools
import re
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

from IPython.core.magic import Magics, line_cell_magic, no_var_expand
from IPython.core.magic_arguments import argument, magic_arguments

from polynb.errors import PolynbError
from polynb.scop import Scop, parse
from polynb.show.magics.arguments import (
    MagicLine,
    Word,
    list_with_blanks,
    names,
    parse_line,
    pointing,
    quoted,
    split,
)
from polynb.show.magics.measuring import words_of
from polynb.show.magics.programs import Program, body_source, check_name, find, redeclared

F = TypeVar("F", bound=Callable[..., Any])
Work = Callable[[Sequence[Program], argparse.Namespace, MagicLine], Any]

HELP: Final = re.compile(r"(?<!\S)(?:--help|-h)(?!\S)")
PROGRAM: Final = argument(
    "program",
    nargs="*",
    metavar="PROGRAM",
    help="Cell: the name to bind. Line: a program (a variable, fast.before, gallery:harris).",
)
COMMON: Final = (
    argument(
        "--language",
        choices=("auto", "scop", "c"),
        default="auto",
        help="What the cell is written in (found out by default). All of the SCoP language: "
        "`python -m polynb.scop.language`.",
    ),
    argument(
        "--temp",
        metavar="ARRAYS",
        help="Arrays that are not needed afterwards, as `temp tmp, s;` says: --temp tmp,s",
    ),
    argument(
        "--assume", metavar="CONDITION", help="What is known of the parameters: --assume 'N >= 2'"
    ),
    argument("--quiet", action="store_true", help="No display of a cell, and no progress."),
)


def magic(
    *arguments: Any, kind: Any = line_cell_magic, common: Sequence[Any] = COMMON
) -> Callable[[F], F]:
    """A method as a magic with these arguments, and those that all magics of programs have.

    With `--help` or `-h` on its line it shows what `%name?` does; an interrupt is one line.
    """

    def decorate(method: F) -> F:
        for each in reversed((*arguments, *common)):
            each(method)
        parsed = magic_arguments()(method)
        parsed.__doc__ = help_of(parsed.__doc__)

        @functools.wraps(parsed)
        def called(self: Magics, line: str, *cell: str) -> Any:
            if HELP.search(line):
                return self.shell.run_line_magic("pinfo", f"%{parsed.__name__}")
            try:
                return parsed(self, line, *cell)
            except KeyboardInterrupt as error:
                raise MagicInterrupted(parsed.__name__, error) from None

        made: F = no_var_expand(kind(called))
        return made

    return decorate


def help_of(text: str) -> str:
    """The help that IPython makes of the arguments, without its markup."""
    return re.sub(r"<([{\[].*?[}\]])>", r"\1", text.removeprefix("::").lstrip())


class MagicInterrupted(KeyboardInterrupt):
    """A magic was interrupted: a notebook shows one line, and runs no cell after it."""

    def __init__(self, name: str, error: KeyboardInterrupt) -> None:
        doing = ", ".join(getattr(error, "__notes__", ()))
        at = f" ({doing})" if doing else ""
        super().__init__(f"%{name} was interrupted{at}; no variable was changed")

    def _render_traceback_(self) -> list[str]:
        return [f"Interrupted: {self}"]


class ProgramMagics(Magics):  # type: ignore[misc]
    """Magics of programs; `_run` is what each of them calls."""

    def _run(self, line: str, cell: str | None, magic: Any, work: Work) -> Any:
        """The result of `work` on the cell (bound to the name on its line) or on the programs
        that the line names."""
        words = split(line, f"{'%' if cell is None else '%%'}{magic.__name__}")
        options = parse_line(words, magic.parser)
        plain = words_of(words, options.program, self.shell.user_ns)
        with pointing(words):
            if cell is None:
                return work(self._existing(words, plain, options), options, words)
            if len(plain) > 1:
                raise PolynbError(
                    f"{words.magic} binds one name, not {len(plain)}",
                    span=plain[1].span,
                    hint=quoted(words) or f"{words.magic} {plain[0].text.rstrip(',;')}",
                )
            name = check_name(plain[0], self.shell.user_ns) if plain else None
            result = work([self._parsed(name, cell, options, words)], options, words)
        if name is not None:
            self.shell.user_ns[name] = result
        return None if options.quiet else result

    def _parsed(
        self, name: str | None, cell: str, options: argparse.Namespace, words: MagicLine
    ) -> Scop:
        temp = names(options.temp)
        source = body_source(cell, words)
        return parse(
            source, options.language, name=name or "kernel", temp=temp, assume=options.assume
        )

    def _existing(
        self, words: MagicLine, plain: Sequence[Word], options: argparse.Namespace
    ) -> list[Program]:
        """The programs that a line names: one, for %bench any number."""
        if not plain or (len(plain) > 1 and words.magic != "%bench"):
            listed = list_with_blanks(words, plain[1].span) if plain else None
            if listed is not None:
                raise listed
            raise PolynbError(
                f"{words.magic} takes one program, not {len(plain) or 'none'}",
                span=plain[1].span if plain else words.start,
                hint=f"{words.magic} blur, where blur is a variable or gallery:harris; "
                f"or a cell: %{words.magic} blur, and the program below",
            )
        if options.language != "auto":
            raise PolynbError(
                "--language says what a cell is written in; this program is parsed already",
                span=words.span_of("--language"),
                hint="without it",
            )
        temp = names(options.temp)
        found = ((word, find(word, self.shell.user_ns)) for word in plain)
        return [redeclared(word, program, temp, options.assume) for word, program in found]
