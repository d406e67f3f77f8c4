"""`python -m polynb.tracing`: a whole C or C++ program built, run and folded.

    python -m polynb.tracing main.c util.c -- 64 64
    python -m polynb.tracing --build "make clean all" ./prog -- input.txt
    python -m polynb.tracing main.cpp --flags "-Iinclude -DN=100" --seconds 20
    python -m polynb.tracing main.c --scalars

Sources are compiled here; with `--build`, a command builds the program (in this directory, with CC
and CXX set, and gcc and g++ of ours first in PATH; {cc} and {cxx} in it are their paths). The
program then runs twice, with your rights and on your files, under limits.
"""

from __future__ import annotations

import argparse
import json
import shlex
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from polynb.errors import PolynbError
from polynb.folding.model import NAMED
from polynb.tracing.programs import RunCommand, RunLimits, build, build_by, report, tools, trace
from polynb.tracing.programs.building import C_SUFFIXES, CXX_SUFFIXES


def parser() -> argparse.ArgumentParser:
    """The options of the command."""
    about, _, examples = (__doc__ or "").partition("\n\n")
    found = argparse.ArgumentParser(
        prog="python -m polynb.tracing",
        description=about,
        epilog=examples,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    found.add_argument("files", nargs="+", type=Path, metavar="FILE", help="sources, or a program")
    found.add_argument("--build", metavar="CMD", help="builds the program that FILE is")
    found.add_argument("--flags", default="", help="for the compiler: -I, -D, -l, -std")
    found.add_argument("--scalars", action="store_true", help="see local variables (with clang)")
    found.add_argument("--variant", choices=tuple(NAMED), default="F_GG,W", help="of the folding")
    found.add_argument("--seconds", type=int, default=60, help="for each of the two runs (60)")
    found.add_argument("--entries", type=int, default=0, help="most entries of streams (no limit)")
    found.add_argument("--memory", type=float, default=4.0, help="gigabytes (4)")
    found.add_argument("--stdin", type=Path, metavar="FILE", help="what the program reads")
    found.add_argument("--directory", type=Path, default=Path(), help="where it runs (here)")
    found.add_argument("--rows", type=int, default=12, help="of each table (12)")
    found.add_argument("--feedback", type=int, nargs="?", const=5, default=0, metavar="LOOPS",
                       help="what may be done with the heaviest loops (5)")  # fmt: skip
    found.add_argument("--json", type=Path, metavar="FILE", help="also write all of it there")
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Trace a program and print the report. Raises PolynbError as `trace` and the build do."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    cut = given.index("--") if "--" in given else len(given)
    options = parser().parse_intermixed_args(_joined(given[:cut]))
    with tempfile.TemporaryDirectory(prefix="polynb-build-") as name:
        program = _built(options, Path(name))
        command = RunCommand(program, tuple(given[cut + 1 :]), options.directory, options.stdin)
        traced = trace(
            command,
            variants=(options.variant,),
            limits=RunLimits(options.seconds, options.entries, int(options.memory * 2**30)),
            scalars=options.scalars,
            progress=_say,
        )
        print(report.report(traced, options.rows, options.feedback))
        if options.json is not None:
            text = json.dumps(report.as_json(traced), indent=1, ensure_ascii=False)
            options.json.write_text(text + "\n", encoding="utf-8")
    return 0


def _joined(given: Sequence[str]) -> list[str]:
    """`--flags -pthread` as `--flags=-pthread`: what begins with a dash is no option."""
    found: list[str] = []
    for word in given:
        if found[-1:] in (["--flags"], ["--build"]):
            found[-1] += f"={word}"
        else:
            found.append(word)
    return found


def _built(options: argparse.Namespace, room: Path) -> Path:
    compilers = tools(room, scalars=options.scalars)
    if options.build:
        _say(f"building: {options.build}")
        build_by(options.build, compilers, Path())
        return Path(options.files[0])
    strange = [f for f in options.files if f.suffix not in (*C_SUFFIXES, *CXX_SUFFIXES)]
    if strange:
        raise PolynbError(
            f"{strange[0]} is no C or C++ source",
            hint=f'a program is built with the hooks: --build "make" {strange[0]}',
        )
    _say(f"building {options.files[0].stem} with {'clang' if options.scalars else 'gcc'}")
    return build(options.files, room / options.files[0].stem, compilers, shlex.split(options.flags))


def _say(message: str) -> None:
    print(message, file=sys.stderr)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except PolynbError as error:
        sys.exit(str(error))
