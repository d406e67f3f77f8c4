"""What all magics of programs do: find the programs of a line or parse a cell, and bind a name."""

from __future__ import annotations

import argparse
import functools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from IPython.core.magic import Magics, line_cell_magic, no_var_expand
from IPython.core.magic_arguments import argument, magic_arguments

from polynb.errors import PolynbError
from polynb.scop.model import Scop
from polynb.scop.parsing import parse
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
from polynb.source.parse import LANGUAGES

F = TypeVar("F", bound=Callable[..., Any])

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
        choices=LANGUAGES,
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


@dataclass(frozen=True, eq=False)
class Called:
    """How a magic is called: the words of its line, its options, the words that are no options and
    no values; and its cell, if it has one."""

    words: MagicLine
    options: argparse.Namespace
    plain: Sequence[Word]
    cell: str | None = None

    def one(self, example: str) -> Word:
        """The one word of a line that takes a program."""
        if len(self.plain) != 1:
            raise PolynbError(
                f"{self.words.magic} takes one program, not {len(self.plain) or 'none'}",
                span=self.plain[1].span if self.plain else self.words.start,
                hint=example,
            )
        return self.plain[0]


Work = Callable[[Sequence[Program], Called], Any]


def _one_name(call: Called) -> str:
    """What to write where a cell has several names."""
    return quoted(call.words) or f"{call.words.magic} {call.plain[0].text.rstrip(',;')}"


class ProgramMagics(Magics):  # type: ignore[misc]
    """Magics of programs; `_bound` is what each of them calls that has a cell."""

    def _called(self, magic: Any, line: str, cell: str | None = None) -> Called:
        words = split(line, f"{'%' if cell is None else '%%'}{magic.__name__}")
        options = parse_line(words, magic.parser)
        plain = words_of(words, options.program, self.shell.user_ns)
        return Called(words, options, plain, cell)

    def _bound(
        self,
        call: Called,
        work: Callable[[str | None], Any],
        way: Callable[[Called], str] = _one_name,
    ) -> Any:
        """The result of `work`, of a cell bound to the name on its line, with which it is called;
        `way` is the way out for a cell with several names, and refuses what comes before that."""
        with pointing(call.words):
            hint = way(call) if call.plain else ""
            if call.cell is None:
                return work(None)
            if len(call.plain) > 1:
                raise PolynbError(
                    f"{call.words.magic} binds one name, not {len(call.plain)}",
                    span=call.plain[1].span,
                    hint=hint,
                )
            name = check_name(call.plain[0], self.shell.user_ns) if call.plain else None
            result = work(name)
        if name is not None:
            self.shell.user_ns[name] = result
        return None if call.options.quiet else result

    def _run(self, line: str, cell: str | None, magic: Any, work: Work) -> Any:
        """The result of `work` on the cell (bound to the name on its line) or on the programs
        that the line names."""
        call = self._called(magic, line, cell)

        def programs(name: str | None) -> Any:
            found = self._existing(call) if cell is None else [_parsed(name, call)]
            return work(found, call)

        return self._bound(call, programs)

    def _existing(self, call: Called) -> list[Program]:
        """The programs that a line names: one, for %bench any number."""
        words, plain = call.words, call.plain
        if not plain or (len(plain) > 1 and words.magic != "%bench"):
            listed = list_with_blanks(words, plain[1].span) if plain else None
            if listed is not None:
                raise listed
            call.one(
                f"{words.magic} blur, where blur is a variable or gallery:harris; "
                f"or a cell: %{words.magic} blur, and the program below"
            )
        if call.options.language != "auto":
            raise PolynbError(
                "--language says what a cell is written in; this program is parsed already",
                span=words.span_of("--language"),
                hint="without it",
            )
        temp = names(call.options.temp)
        found = ((word, find(word, self.shell.user_ns)) for word in plain)
        return [redeclared(word, program, temp, call.options.assume) for word, program in found]


def _parsed(name: str | None, call: Called) -> Scop:
    """The program of a cell."""
    source, options = body_source(call.cell or "", call.words), call.options
    temp = names(options.temp)
    return parse(source, options.language, name=name or "kernel", temp=temp, assume=options.assume)
