"""`%%fold`: a C program is run and watched, because a person asks for it, and what was seen is
folded."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from IPython.core.magic import magics_class
from IPython.core.magic_arguments import argument

from polynb.derivation import as_scop
from polynb.errors import PolynbError, Source
from polynb.show.magics.arguments import MagicLine, Word, parse_line, pointing, split
from polynb.show.magics.measuring import arguments_of, words_of
from polynb.show.magics.programs import body_source, check_name, find
from polynb.show.magics.progress import Progress
from polynb.show.magics.running import ProgramMagics, magic
from polynb.show.passes.values import number_of
from polynb.tracing import Folding, trace

VARIANTS: Final = ("F", "F_W", "F_GG", "F_GG,W")
OPTIONS: Final = ("call", "only", "seconds", "events", "variant", "streams")


@magics_class
class FoldingMagics(ProgramMagics):
    """%%fold, which is no pass: it begins with a program that runs, and ends with a Folding."""

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
        argument("--variant", choices=VARIANTS, default="F_GG,W", help="How streams are folded."),
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
        words = split(line, f"{'%' if cell is None else '%%'}fold")
        magic_: Any = self.fold
        options = parse_line(words, magic_.parser)
        plain = words_of(words, options.program, {})
        with pointing(words):
            if cell is None:
                return self._folded(self._named(words, plain), words, options)
            if len(plain) > 1:
                raise PolynbError(
                    f"%%fold binds one name, not {len(plain)}",
                    span=plain[1].span,
                    hint=f"%%fold {plain[0].text}",
                )
            name = check_name(plain[0], self.shell.user_ns) if plain else None
            result = self._folded(body_source(cell, words), words, options)
        if name is not None:
            self.shell.user_ns[name] = result
        return None if options.quiet else result

    def _folded(self, source: Any, words: MagicLine, options: argparse.Namespace) -> Folding:
        given = {o: getattr(options, o) for o in OPTIONS if getattr(options, o) is not None}
        sizes = arguments_of(words, self.shell)
        for clash in set(given) & set(sizes):
            raise PolynbError(
                f"{clash} is an option", span=words.span_of(f"{clash}="), hint=f"--{clash} ..."
            )
        try:
            with Progress(self.shell, options.quiet) as progress:
                return trace(source, progress=progress, **given, **sizes)
        except PolynbError as error:  # what Python says, as it is typed here
            error.hint = error.hint and re.sub(r'call="([^"]*)"', r"--call '\1'", error.hint)
            raise

    def _named(self, words: MagicLine, plain: Sequence[Word]) -> Any:
        """The C of a program, or the text or path that a variable holds."""
        if len(plain) != 1:
            raise PolynbError(
                f"%fold takes one program, not {len(plain) or 'none'}",
                span=plain[1].span if plain else words.start,
                hint="%fold gemm n=20, or a cell: %%fold run, and C below",
            )
        held = self.shell.user_ns.get(plain[0].text)
        if isinstance(held, str | Path | Source):
            return held
        return as_scop(find(plain[0], self.shell.user_ns)).to_c()
