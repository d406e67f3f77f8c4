"""The magics: each finds its program, calls one function of the library, and binds a name.

`%%MAGIC [NAME] [options]` takes the cell as a new program and binds NAME; `x = %MAGIC PROGRAM`
takes a program there is and returns the result. Errors are PolynbErrors, raised.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from IPython.core.magic import line_magic, magics_class
from IPython.core.magic_arguments import argument

from polynb.arguments import count, optional, seconds
from polynb.derivation import as_scop
from polynb.errors import PolynbError, Source
from polynb.folding.model import NAMED
from polynb.run.kernel import HEAPS, checked_options
from polynb.show.displays.comparing import comparison
from polynb.show.displays.registry import number_of, seconds_of
from polynb.show.magics.arguments import MagicLine, pointing
from polynb.show.magics.measuring import arguments_of, refuse_missing, speeds, variants, words_of
from polynb.show.magics.passes import passes_of
from polynb.show.magics.programs import Program, body_source, find
from polynb.show.magics.progress import Progress, watched
from polynb.show.magics.running import PROGRAM, Called, ProgramMagics, magic
from polynb.show.magics.stepping import stepped
from polynb.show.words import questions
from polynb.tracing import Folding, trace

if TYPE_CHECKING:
    from polynb.run import Timing
    from polynb.tuning import Roofline, Search


OPTIONS: Final = ("call", "only", "seconds", "events", "variant", "streams")


@magics_class
class PolynbMagics(ProgramMagics):
    """%%scop, %step, %compare, %%play, %%bench, %%fold; those of the passes are in `passes.py`."""

    @magic(PROGRAM)
    def scop(self, line: str, cell: str | None = None) -> Any:
        """Show a loop nest as polyhedra: its arrays, iteration spaces and dependences.

        As a cell magic, the cell is a program in the SCoP language or in C; NAME becomes a Scop.
        Sizes are declared, loops include both bounds, and an array that is not needed afterwards
        is `temp`; what is only read is an input, what else is written a result. For example:

          %%scop blur
          param N;  temp t;
          for i = 0 to N do t[i] = A[i] / 2; done
          for i = 1 to N do B[i] = t[i-1] + t[i]; done
        """
        return self._run(line, cell, self.scop, lambda programs, *_: as_scop(programs[0]))

    @magic(
        argument(
            "program", nargs="*", metavar="DERIVATION | VAR=VALUE", help="What to step through."
        ),
        argument("--predict", action="store_true", help="Ask what comes next before it is shown."),
        argument("--at", type=number_of, metavar="STEP", help="Begin at this step: --at 6"),
        kind=line_magic,
        common=(),
    )
    def step(self, line: str) -> Any:
        """Step through what a pass decided, forwards and back: %step fast N=6.

        Gives the stepper: `answers` and `score` are what was predicted. VAR=VALUE are the
        parameter values that instances are shown for. Several derivations are on tabs. For example:

          fast = %propagate gallery:fig1
          %step fast N=6
        """
        call = self._called(self.step, line)
        with pointing(call.words):
            return stepped(call.words, call.plain, call.options, self.shell)

    @magic(
        argument(
            "program",
            nargs="*",
            metavar="PROGRAM | VAR=EXPR",
            help="What each pass is to work on; with values, N=4096, it is timed as well.",
        ),
        argument("--quiet", action="store_true", help="No progress."),
        kind=line_magic,
        common=(),
    )
    def compare(self, line: str) -> Any:
        """Each paper's answer to one program, side by side.

        Gives a table: what each pass says, and how wide a band of permutable loops the scheduler
        finds in what the pass made; given sizes, how many times as fast that is. For example:

          %compare gallery:gemm_accumulator ni=300 nj=300 nk=300
        """
        call = self._called(self.compare, line)
        with pointing(call.words):
            program = find(call.one("%compare gallery:gemm_accumulator"), self.shell.user_ns)
            values = arguments_of(call.words, self.shell)
            if values:
                refuse_missing([program], values, call.words)
            with Progress(self.shell, call.options.quiet) as progress:
                return comparison(
                    program,
                    lambda run, scop: watched(run, scop, progress),
                    (lambda made: speeds(made, values, progress)) if values else None,
                )

    @magic(PROGRAM)
    def play(self, line: str, cell: str | None = None) -> Any:
        """Try out transformations with buttons and sliders, each with its verdict.

        Gives the playground: `transformation` is what was made (`pn.transform`), `script` its
        lines. Of a chain of moves it goes on where that ends. For example:

          %play gallery:gemm
        """
        from polynb.show.play import play

        return self._run(line, cell, self.play, lambda programs, *_: play(programs[0]))

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
            choices=HEAPS,
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
        argument(
            "--roofline",
            action="store_true",
            help="Say what limits each, memory or arithmetic, and how far from it it is.",
        ),
        argument(
            "--tune",
            nargs="?",
            const=60,
            type=seconds_of,
            metavar="SECONDS",
            help="Look for what makes the program fastest, for so long (60): passes, and moves.",
        ),
    )
    def bench(self, line: str, cell: str | None = None) -> Any:
        """Compile programs, check that their results are equal, and time them.

        The first program is the baseline. Inputs without a value are seeded random data. For
        example:

          fast = %propagate gallery:fig1
          %bench fast N=1000000
        """
        return self._run(line, cell, self.bench, self._timed)

    def _timed(self, programs: Sequence[Program], call: Called) -> Timing | Roofline | Search:
        if call.options.tune is not None:
            return self._tuned(programs, call)
        from polynb.run import Timing, measure
        from polynb.tuning import roofline

        words, options = call.words, call.options
        checked_options(options.threads, options.fast_math, (), options.heap, None)
        optional(count, "rounds", options.rounds)
        values = arguments_of(words, self.shell)
        refuse_missing(programs, values, words)
        asked = [q for p in programs for q in questions(p)]
        with Progress(self.shell, options.quiet) as progress:
            called = [w.text for w in words_of(words, options.program, {})] or ["program"]
            default = "propagate" if words.magic.startswith("%%") else None
            for pass_ in passes_of(options.apply or default, words):
                programs = [watched(pass_, p, progress) for p in programs]
            found = (roofline if options.roofline else measure)(
                variants(programs, called),
                values,
                threads=options.threads,
                heap=options.heap,
                rounds=options.rounds,
                fast_math=options.fast_math,
                progress=progress,
            )
        if isinstance(found, Timing):
            return replace(found, warnings=(*asked, *found.warnings))
        return replace(
            found, timing=replace(found.timing, warnings=(*asked, *found.timing.warnings))
        )

    def _tuned(self, programs: Sequence[Program], call: Called) -> Search:
        from polynb.tuning import tune

        words, options = call.words, call.options
        for other in ("apply", "rounds", "roofline"):
            if getattr(options, other):
                raise PolynbError(
                    f"--tune does not go with --{other}",
                    span=words.span_of(f"--{other}"),
                    reason="it tries passes and moves by itself, and times each as it needs",
                    hint=f"without --{other}",
                )
        scop = as_scop(programs[0])
        if len(programs) > 1:
            raise PolynbError(
                "--tune is for one program", span=words.start, hint=f"`%bench {scop.name} --tune`"
            )
        seconds("tune", options.tune)
        checked_options(options.threads, options.fast_math, (), options.heap, None)
        values = arguments_of(words, self.shell)
        refuse_missing(programs, values, words)
        from polynb.run.measurement import sizes_of  # this loads all that runs programs

        values = {**sizes_of(scop, values), **values}
        given = {"threads": options.threads, "fast_math": options.fast_math, "heap": options.heap}
        with Progress(self.shell, options.quiet) as progress:
            return tune(
                scop,
                {k: v for k, v in values.items() if k in scop.parameters},
                budget=options.tune,
                arrays={k: v for k, v in values.items() if k not in scop.parameters},
                compile_options=given,
                progress=progress,
            )

    @magic(
        argument(
            "program",
            nargs="*",
            metavar="NAME | SIZE=N",
            help="Cell: the name to bind. Line: a program, or a variable that holds C text or a "
            "path. And the numbers that the function is called with: n=100.",
        ),
        argument("--call", metavar="CALL", help="What runs: --call kernel, --call 'f(4, 5)'"),
        argument("--only", metavar="FUNCTION", help="The function that is recorded."),
        argument("--seconds", type=float, default=10.0, help="After that it is stopped."),
        argument("--events", type=number_of, help="After so many entries it is stopped."),
        argument("--variant", choices=NAMED, default="F_GG,W", help="How streams are folded."),
        argument("--streams", action="store_true", help="Keep the entries: small ones can %%step."),
        argument("--quiet", action="store_true", help="No display of a cell, and no progress."),
        common=(),
    )
    def fold(self, line: str, cell: str | None = None) -> Any:
        """Run a C program, watch it, and fold what its loops did into polyhedra.

        The program in the cell really runs, on this machine and with your rights, in a process of
        its own; it is stopped after --seconds. NAME becomes a Folding: pn.feedback(NAME) says what
        may be done to its loops. For example:

          %%fold run
          int main(void) {
            double A[100];
            for (int i = 0; i < 100; i++) A[i] = 2 * i;
            return A[99] != 198;
          }
        """
        call = self._called(self.fold, line, cell)

        def work(_: str | None) -> Folding:
            source = self._c_of(call) if cell is None else body_source(cell, call.words)
            return self._folded(source, call.words, call.options)

        return self._bound(call, work)

    def _folded(self, source: Any, words: MagicLine, options: argparse.Namespace) -> Folding:
        given = {o: getattr(options, o) for o in OPTIONS if getattr(options, o) is not None}
        sizes = arguments_of(words, self.shell)
        for clash in {*OPTIONS} & {*sizes}:
            raise PolynbError(
                f"{clash} is an option", span=words.span_of(f"{clash}="), hint=f"--{clash} ..."
            )
        for clash in {"memory", "compiler", "arguments", "progress"} & set(sizes):
            raise PolynbError(
                f"{clash} is what `pn.trace` is told, and cannot be an argument by its name",
                span=words.span_of(f"{clash}="),
                hint=f"the call in C: --call 'f({sizes[clash]})'",
            )
        try:
            with Progress(self.shell, options.quiet) as progress:
                return trace(source, progress=progress, **given, **sizes)
        except PolynbError as error:  # what Python says, as it is typed here
            error.hint = error.hint and re.sub(r'call="([^"]*)"', r"--call '\1'", error.hint)
            raise

    def _c_of(self, call: Called) -> Any:
        """The C of the program on a line, or the text or path that a variable holds."""
        word = call.one("%fold gallery:gemm ni=20 nj=20 nk=20, or a cell: %%fold run, and C below")
        held = self.shell.user_ns.get(word.text)
        if isinstance(held, str | Path | Source):
            return held
        return as_scop(find(word, self.shell.user_ns)).to_c()
