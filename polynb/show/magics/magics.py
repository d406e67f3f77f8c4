"""The magics: each finds its program, calls one function of the library, and binds a name.

`%%MAGIC [NAME] [options]` takes the cell as a new program and binds NAME; `x = %MAGIC PROGRAM`
takes a program there is and returns the result. Errors are PolynbErrors, raised.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

from IPython.core.magic import (
    Magics,
    line_cell_magic,
    line_magic,
    magics_class,
    no_var_expand,
)
from IPython.core.magic_arguments import argument, magic_arguments
from IPython.display import display

from polynb.derivation import Derivation, as_scop
from polynb.errors import PolynbError
from polynb.propagation import propagate
from polynb.propagation.defaults import LIMIT
from polynb.recurrences import FORMS
from polynb.reordering import reorder
from polynb.reordering.algorithm import SCHEDULERS
from polynb.reordering.constraints import PRESETS
from polynb.scop import Scop, parse
from polynb.show.displays.derivation import explanation
from polynb.show.magics.arguments import MagicLine, Word, names, parse_line, pointing, quoted, split
from polynb.show.magics.measuring import arguments_of, refuse_missing, variants, words_of
from polynb.show.magics.passes import about_tiles, number_of, order_of, passes_of, sizes_of
from polynb.show.magics.programs import Program, body_source, check_name, find, redeclared
from polynb.show.magics.progress import Progress, watched

if TYPE_CHECKING:
    from polynb.run.timing import Timing

F = TypeVar("F", bound=Callable[..., Any])
Work = Callable[[Sequence[Program], argparse.Namespace, MagicLine], Any]


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
        help="What the cell is written in (found out by default).",
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
    """A method as a magic with these arguments, and those that all magics of programs have."""

    def decorate(method: F) -> F:
        for each in reversed((*arguments, *common)):
            each(method)
        made: F = no_var_expand(kind(magic_arguments()(method)))
        return made

    return decorate


def _limit(text: str) -> int | str | None:
    """A number of cache lines, or none."""
    return None if text == "none" else number_of(text)


@magics_class
class PolynbMagics(Magics):  # type: ignore[misc]
    """%%scop, %%propagate, %%reorder, %%bench."""

    @magic(PROGRAM)
    def scop(self, line: str, cell: str | None = None) -> Any:
        """Show a loop nest as polyhedra: its arrays, iteration spaces and dependences.

        As a cell magic, the cell is a program in the SCoP language or in C; NAME becomes a Scop.
        """
        return self._run(line, cell, self.scop, lambda programs, *_: as_scop(programs[0]))

    @magic(
        PROGRAM,
        argument("--arrays", metavar="ARRAYS", help="Propagate only these: --arrays tmp,s"),
        argument("--keep", metavar="ARRAYS", help="Keep these: --keep tmp"),
        argument(
            "--partial",
            action="store_true",
            help="Where an array cannot be propagated whole, propagate what can be.",
        ),
        argument(
            "--live-out", action="store_true", help="Propagate through live-out arrays as well."
        ),
        argument(
            "--order",
            metavar="ORDER",
            default="potential",
            help="In which order arrays are tried: potential (the paper's, default), first_write, "
            "or arrays: --order s,tmp",
        ),
        argument(
            "--cache-lines",
            metavar="N",
            type=_limit,
            default=LIMIT,
            help="How many cache lines an iteration may need (default: %(default)s); none: any "
            "number.",
        ),
        argument(
            "--recurrences",
            nargs="?",
            choices=FORMS,
            const=FORMS[0],
            default=False,
            help="Iterations pass on what the next would compute again: in scalars (default), or "
            "in strips, a buffer at a time, which compilers vectorise.",
        ),
        argument("--explain", metavar="ARRAY", help="Every step about one array: --explain tmp"),
    )
    def propagate(self, line: str, cell: str | None = None) -> Any:
        """Evaluate expressions where they are needed instead of storing them (CC'18).

        NAME (or the value of the line) becomes a Derivation: before, result, steps.
        """
        return self._run(line, cell, self.propagate, self._propagated)

    @magic(
        PROGRAM,
        argument(
            "--preset",
            choices=PRESETS,
            default="cpu",
            help="What the scheduler is told: as PPCG on a CPU (default), the paper to the letter "
            "(gpu), or that no live range may be reordered (none).",
        ),
        argument(
            "--scheduler",
            choices=SCHEDULERS,
            default="polynb",
            help="Algorithm 1 of the paper step by step (default), or isl's own.",
        ),
        argument(
            "--privatize",
            metavar="ARRAYS",
            help="Temporaries that each iteration is to have for itself, arrays too: "
            "--privatize t,s (default: all scalars that can be).",
        ),
        argument("--no-privatize", action="store_true", help="No private temporaries."),
        argument(
            "--tile",
            metavar="SIZES",
            type=sizes_of,
            help="Tile the outermost permutable loops: --tile 32, or --tile 32,64 for two.",
        ),
        argument(
            "--separate", action="store_true", help="Full tiles apart from partial ones (--tile)."
        ),
        argument(
            "--interchange", metavar="ORDER", type=order_of, help="Its loops in this order: 1,0."
        ),
        argument("--contract", action="store_true", help="Scalars for arrays of one live cell."),
    )
    def reorder(self, line: str, cell: str | None = None) -> Any:
        """Find an order with wide permutable bands; live ranges may change places (IMPACT'16).

        NAME (or the value of the line) becomes a Derivation: before, result, steps.
        """
        return self._run(line, cell, self.reorder, self._reordered)

    @magic(
        argument(
            "program", nargs="*", metavar="DERIVATION | VAR=VALUE", help="What to step through."
        ),
        argument("--predict", action="store_true", help="Ask what comes next before it is shown."),
        kind=line_magic,
        common=(),
    )
    def step(self, line: str) -> Any:
        """Step through what a pass decided, forwards and back: %step fast N=6.

        Gives the stepper: `answers` and `score` are what was predicted. VAR=VALUE are the
        parameter values that instances are shown for.
        """
        magic: Any = self.step
        words = split(line, "%step")
        options = parse_line(words, magic.parser)
        plain = words_of(words, options.program)
        with pointing(words):
            if len(plain) != 1:
                raise PolynbError(
                    f"%step takes one derivation, not {len(plain) or 'none'}",
                    span=plain[1].span if plain else words.start,
                    hint="%step fast, after fast = %propagate blur",
                )
            derivation = find(plain[0], self.shell.user_ns)
            if not isinstance(derivation, Derivation):
                raise PolynbError(
                    f"{plain[0].text} is a program: it has no steps",
                    span=plain[0].span,
                    hint=f"fast = %propagate {plain[0].text}, then %step fast",
                )
            values = arguments_of(words, self.shell)
            return derivation.step(options.predict, **values)

    @magic(
        argument(
            "program",
            nargs="*",
            metavar="PROGRAM | VAR=EXPR",
            help="Programs to time (cell: the name to bind), and values, N=4096 in=photo, where "
            "EXPR is Python. A Derivation stands for its stages.",
        ),
        argument(
            "--apply",
            metavar="PASSES",
            help="Time what these passes, one after the other, make of the programs as well: "
            "--apply reorder, --apply propagate,reorder (a cell's default: propagate).",
        ),
        argument("--threads", type=number_of, help="Threads (default: all that may be used)."),
        argument(
            "--heap",
            choices=("kept", "fresh"),
            default="kept",
            help="Whether temporaries keep their memory between calls.",
        ),
        argument(
            "--rounds", type=number_of, help="How often each is run (default: about 2 seconds)."
        ),
        argument(
            "--fast-math",
            action="store_true",
            help="Let the compiler reorder floating point; results may differ a little.",
        ),
    )
    def bench(self, line: str, cell: str | None = None) -> Any:
        """Compile programs, check that their results are equal, and time them.

        The first program is the baseline. Inputs without a value are seeded random data.
        """
        return self._run(line, cell, self.bench, self._timed)

    # -- one magic -----------------------------------------------------------------------

    def _run(self, line: str, cell: str | None, magic: Any, work: Work) -> Any:
        """The result of `work` on the cell (bound to the name on its line) or on the programs
        that the line names."""
        words = split(line, f"{'%' if cell is None else '%%'}{magic.__name__}")
        options = parse_line(words, magic.parser)
        plain = words_of(words, options.program)
        with pointing(words):
            if cell is None:
                return work(self._existing(words, plain, options), options, words)
            if len(plain) > 1:
                raise PolynbError(
                    f"{words.magic} binds one name, not {len(plain)}",
                    span=plain[1].span,
                    hint=quoted(words) or f"{words.magic} {plain[0].text}",
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
        found = (find(word, self.shell.user_ns) for word in plain)
        return [redeclared(program, temp, options.assume) for program in found]

    # -- what the magics do ----------------------------------------------------------------

    def _propagated(
        self, programs: Sequence[Program], options: argparse.Namespace, words: MagicLine
    ) -> Derivation:
        with Progress(self.shell, options.quiet) as progress:
            result = watched(
                propagate,
                programs[0],
                progress,
                arrays=None if options.arrays is None else names(options.arrays),
                keep=names(options.keep),
                partial=options.partial,
                live_out=options.live_out,
                order=options.order,
                cache_lines=options.cache_lines,
                recurrences=options.recurrences,
            )
        if options.explain is not None:
            display(explanation(result, options.explain), raw=True)
        return result

    def _reordered(
        self, programs: Sequence[Program], options: argparse.Namespace, words: MagicLine
    ) -> Derivation:
        if options.separate and options.tile is None:
            raise PolynbError(
                "--separate is about tiles, and there are none",
                span=words.span_of("--separate"),
                hint="--tile 32 --separate",
            )
        if options.no_privatize and options.privatize is not None:
            raise PolynbError(
                "--privatize and --no-privatize contradict each other",
                span=words.span_of("--no-privatize"),
                hint="one of them",
            )
        chosen = True if options.privatize is None else names(options.privatize)
        with Progress(self.shell, options.quiet) as progress, about_tiles(options, words):
            return watched(
                reorder,
                programs[0],
                progress,
                preset=options.preset,
                scheduler=options.scheduler,
                privatize=False if options.no_privatize else chosen,
                tile=options.tile,
                separate=options.separate,
                interchange=options.interchange,
                contract=options.contract,
            )

    def _timed(
        self, programs: Sequence[Program], options: argparse.Namespace, words: MagicLine
    ) -> Timing:
        from polynb.run import measure

        values = arguments_of(words, self.shell)
        refuse_missing(programs, values, words)
        with Progress(self.shell, options.quiet) as progress:
            called = [w.text for w in words_of(words, options.program)] or ["program"]
            default = "propagate" if words.magic.startswith("%%") else None
            for pass_ in passes_of(options.apply or default, words):
                programs = [watched(pass_, p, progress) for p in programs]
            return measure(
                variants(programs, called),
                values,
                threads=options.threads,
                heap=options.heap,
                rounds=options.rounds,
                fast_math=options.fast_math,
                progress=progress,
            )
