"""The magics: each finds its program, calls one function of the library, and binds a name.

`%%MAGIC [NAME] [options]` takes the cell as a new program and binds NAME; `x = %MAGIC PROGRAM`
takes a program there is and returns the result. Errors are PolynbErrors, raised.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import Any, Final

from IPython.core.magic import Magics, line_cell_magic, magics_class, no_var_expand
from IPython.core.magic_arguments import argument, magic_arguments

from polynb.derivation import Derivation, as_scop
from polynb.errors import PolynbError
from polynb.propagation import propagate
from polynb.scop import Scop, parse
from polynb.show.arguments import Line, Word, at_word, names, parse_line, split
from polynb.show.derivation_view import explanation
from polynb.show.measuring import arguments_of, complete, words_of
from polynb.show.programs import Program, body_source, check_name, find, redeclared
from polynb.show.progress import Progress, watched

LANGUAGES: Final = ("auto", "scop", "c")


def _program_options(function: Any) -> Any:
    """The options that every magic has."""
    for option in (
        argument("--quiet", action="store_true", help="No display of a cell, and no progress."),
        argument(
            "--assume",
            metavar="CONDITION",
            help="What is known of the parameters: --assume 'N >= 2'",
        ),
        argument(
            "--temp",
            metavar="ARRAYS",
            help="Arrays that are not needed afterwards, as `temp tmp, s;` says: --temp tmp,s",
        ),
        argument(
            "--language",
            choices=LANGUAGES,
            default="auto",
            help="What the cell is written in (found out by default).",
        ),
    ):
        function = option(function)
    return function


@magics_class
class PolynbMagics(Magics):  # type: ignore[misc]
    """%%scop, %%propagate, %%bench."""

    @no_var_expand
    @line_cell_magic
    @magic_arguments()
    @argument(
        "program",
        nargs="*",
        help="Cell: the name to bind. Line: a program (a variable, fast.before, gallery:harris).",
    )
    @_program_options
    def scop(self, line: str, cell: str | None = None) -> Any:
        """Show a loop nest as polyhedra: its arrays, iteration spaces and dependences.

        As a cell magic, the cell is a program in the SCoP language or in C; NAME becomes a Scop.
        """
        return self._run(line, cell, self.scop, lambda program, options, words: program)

    @no_var_expand
    @line_cell_magic
    @magic_arguments()
    @argument(
        "program",
        nargs="*",
        help="Cell: the name to bind. Line: a program (a variable, fast.before, gallery:harris).",
    )
    @argument("--arrays", metavar="ARRAYS", help="Propagate only these: --arrays tmp,s")
    @argument("--keep", metavar="ARRAYS", help="Keep these: --keep tmp")
    @argument(
        "--partial",
        action="store_true",
        help="Where an array cannot be propagated whole, propagate what can be.",
    )
    @argument("--live-out", action="store_true", help="Propagate through live-out arrays as well.")
    @argument("--explain", metavar="ARRAY", help="Every step about one array: --explain tmp")
    @_program_options
    def propagate(self, line: str, cell: str | None = None) -> Any:
        """Evaluate expressions where they are needed instead of storing them (CC'18).

        NAME (or the value of the line) becomes a Derivation: before, result, steps.
        """
        return self._run(line, cell, self.propagate, self._propagated)

    @no_var_expand
    @line_cell_magic
    @magic_arguments()
    @argument(
        "program",
        nargs="*",
        metavar="PROGRAM | VAR=EXPR",
        help="Programs to time (cell: the name to bind), and values, N=4096 in=photo, where EXPR "
        "is Python. A Derivation stands for its stages.",
    )
    @argument(
        "--apply",
        choices=("propagate",),
        help="Time what this pass makes of the programs as well (a cell's default).",
    )
    @argument("--threads", type=int, help="Threads (default: all that may be used).")
    @argument(
        "--heap",
        choices=("kept", "fresh"),
        default="kept",
        help="Whether temporaries keep their memory between calls.",
    )
    @argument("--rounds", type=int, help="How often each is run (default: about two seconds).")
    @argument(
        "--fast-math",
        action="store_true",
        help="Let the compiler reorder floating point; results are compared with a tolerance.",
    )
    @_program_options
    def bench(self, line: str, cell: str | None = None) -> Any:
        """Compile programs, check that their results are equal, and time them.

        The first program is the baseline. Inputs without a value are seeded random data.
        """
        if cell is None:
            return self._bench_line(line)
        return self._run(line, cell, self.bench, self._benched_cell)

    # -- one magic -----------------------------------------------------------------------

    def _run(
        self,
        line: str,
        cell: str | None,
        magic: Any,
        work: Callable[[Program, argparse.Namespace, Line], Any],
    ) -> Any:
        """The result of `work` on the cell (bound to the name on its line) or on the program that
        the line names."""
        sign = "%" if cell is None else "%%"
        words = split(line, f"{sign}{magic.__name__}")
        options = parse_line(words, magic.parser)
        plain = words_of(words, options.program)
        if cell is None:
            return work(self._existing(words, plain, options), options, words)
        if len(plain) > 1:
            raise PolynbError(
                f"{words.magic} binds one name, not {len(plain)}",
                span=plain[1].span,
                hint=f"{words.magic} {plain[0].text}",
            )
        name = check_name(plain[0], self.shell.user_ns) if plain else None
        source = body_source(cell)
        program = parse(
            source,
            options.language,
            name=name or "kernel",
            temp=names(options.temp),
            assume=options.assume,
        )
        result = work(program, options, words)
        if name is not None:
            self.shell.user_ns[name] = result
        return None if options.quiet else result

    def _existing(self, words: Line, plain: Sequence[Word], options: argparse.Namespace) -> Program:
        """The one program that a line names."""
        if len(plain) != 1:
            raise PolynbError(
                f"{words.magic} takes one program, not {len(plain) or 'none'}",
                span=plain[1].span if plain else None,
                hint=f"{words.magic} blur, where blur is a variable or gallery:harris; "
                f"or a cell: %{words.magic} blur, and the program below",
            )
        return self._found(words, plain[0], options)

    def _found(self, words: Line, word: Word, options: argparse.Namespace) -> Program:
        if options.language != "auto":
            raise PolynbError(
                "--language says what a cell is written in; this program is parsed already",
                span=words.span_of("--language"),
                hint="without it",
            )
        program = find(word, self.shell.user_ns)
        return redeclared(program, names(options.temp), options.assume)

    def _propagated(self, program: Program, options: argparse.Namespace, words: Line) -> Derivation:
        with Progress(self.shell, options.quiet) as progress:
            result = watched(
                propagate,
                program,
                progress,
                arrays=None if options.arrays is None else names(options.arrays),
                keep=names(options.keep),
                partial=options.partial,
                live_out=options.live_out,
            )
        if options.explain is not None:
            shown = at_word(words, options.explain, lambda: explanation(result, options.explain))
            self._display(shown)
        return result

    def _display(self, bundle: dict[str, str]) -> None:
        from IPython.display import display

        display(bundle, raw=True)

    # -- timing --------------------------------------------------------------------------

    def _bench_line(self, line: str) -> Any:
        words = split(line, "%bench")
        options = parse_line(words, self.bench.parser)
        plain = words_of(words, options.program)
        if not plain:
            raise PolynbError("%bench takes at least one program", hint="%bench blur fast N=4000")
        programs = [self._found(words, w, options) for w in plain]
        if options.apply is not None:
            programs += [propagate(p) for p in programs]
        return self._measured(programs, [w.text for w in plain], options, words)

    def _benched_cell(self, program: Program, options: argparse.Namespace, words: Line) -> Any:
        scop = as_scop(program)
        complete([scop], [""], arguments_of(words, self.shell), words)
        with Progress(self.shell, options.quiet) as progress:
            derived = watched(propagate, scop, progress)
        return self._measured([derived], [""], options, words)

    def _measured(
        self,
        programs: Sequence[Scop | Derivation],
        called: Sequence[str],
        options: argparse.Namespace,
        words: Line,
    ) -> Any:
        from polynb.run.measure import measure

        values = arguments_of(words, self.shell)
        complete(programs, called, values, words)
        with Progress(self.shell, options.quiet) as progress:
            return measure(
                list(programs),
                values,
                threads=options.threads,
                heap=options.heap,
                rounds=options.rounds,
                fast_math=options.fast_math,
                progress=progress,
            )
