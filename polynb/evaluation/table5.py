"""Table 5: Rodinia's programs, traced and folded with four variants, beside the paper's figures.

    python -m polynb.evaluation.table5 CHECKOUT [NAME ...]

CHECKOUT is your clone of Rodinia 3.1 (its folder `openmp` is read; nothing is written there). Each
program is built with the compiler's hooks, gets a small input that is generated here, and runs
twice, bounded in time and memory. It is run with your rights.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from polynb.errors import PolynbError
from polynb.evaluation.commands import run
from polynb.evaluation.rodinia import LEFT_OUT, PROGRAMS, SuiteProgram, lay_out
from polynb.evaluation.table5_paper import PAPER, PaperCell
from polynb.folding import Folded
from polynb.tracing.programs import (
    HookedCompilers,
    RunCommand,
    RunLimits,
    TracedProgram,
    build,
    tools,
    trace,
)

VARIANTS: Final = ("F", "F_W", "F_GG", "F_GG,W")
INSTRUCTIONS: Final = ("F_W", "F_GG,W")


@dataclass(frozen=True)
class FoldingStatistics:
    """What one variant made of all streams of a kind: #P, %A, and a bound of #MP_I: the sum of the
    most that lived in each stream."""

    polyhedra: int
    affine: float
    live: int


@dataclass(frozen=True)
class ProgramRow:
    """A program's row: how the run ended, entries, and the statistics by variant."""

    name: str
    ended: str
    seconds: float
    dependence_entries: int
    dependences: dict[str, FoldingStatistics]
    instruction_entries: int
    instructions: dict[str, FoldingStatistics]
    notes: tuple[str, ...] = ()


def statistics(streams: Sequence[Folded]) -> FoldingStatistics:
    """#P, %A and #MP_I over streams."""
    entries = sum(s.entries for s in streams)
    return FoldingStatistics(
        sum(len(s.pieces) for s in streams),
        sum(s.affine * s.entries for s in streams) / entries if entries else 1.0,
        sum(s.most_live for s in streams),
    )


def row_of(name: str, traced: TracedProgram) -> ProgramRow:
    """A traced program as a row of the table."""
    foldings = {v: traced.folding(v) for v in VARIANTS}
    one = foldings["F"]
    return ProgramRow(
        name,
        traced.facts.ended,
        sum(traced.seconds),
        sum(d.entries for d in one.dependences.values()),
        {v: statistics(list(f.dependences.values())) for v, f in foldings.items()},
        sum(s.entries for s in one.executed.values()),
        {v: statistics(list(foldings[v].executed.values())) for v in INSTRUCTIONS},
        tuple(traced.notes),
    )


def measured(program: SuiteProgram, checkout: Path, seconds: int, memory: float) -> ProgramRow:
    """Build, run and fold a program of the suite. Raises PolynbError where it cannot be."""
    folder = checkout / (program.folder or program.name)
    missing = [s for s in program.sources if not (folder / s).exists()]
    if missing:
        raise PolynbError(f"{folder / missing[0]} is not there", hint="a clone of Rodinia 3.1")
    with tempfile.TemporaryDirectory(prefix="polynb-rodinia-") as name:
        room = Path(name)
        built = _built(program, folder, tools(room), room / program.name)
        command = RunCommand(built, tuple(program.arguments), lay_out(program, room))
        limits = RunLimits(seconds, 0, int(memory * 2**30))
        return row_of(program.name, trace(command, variants=VARIANTS, limits=limits))


def _built(program: SuiteProgram, folder: Path, compilers: HookedCompilers, target: Path) -> Path:
    flags = [f"-I{folder / f[2:]}" if f.startswith("-I") else f for f in program.flags]
    return build([folder / s for s in program.sources], target, compilers, flags)


def table(rows: Sequence[ProgramRow]) -> str:
    """The rows as text, each with the paper's below it."""
    wide = 26
    groups = [f"dep. {v}" for v in VARIANTS] + [f"instr. {v}" for v in INSTRUCTIONS]
    lines = [f"{'#P / %A / #MP_I':15}{'entries':>16} " + "".join(f"{g:^{wide}}" for g in groups)]
    for row in rows:
        cells = [_ours(row.dependences[v]) for v in VARIANTS]
        cells += [_ours(row.instructions[v]) for v in INSTRUCTIONS]
        size = f"{short(row.dependence_entries)} + {short(row.instruction_entries)}"
        lines.append(f"{row.name:15}{size:>16} " + "".join(f"{c:^{wide}}" for c in cells))
        paper = PAPER[row.name]
        cells = [_theirs(paper.dependences[v]) for v in VARIANTS]
        cells += [_theirs(paper.instructions[v]) for v in INSTRUCTIONS]
        size = f"{paper.dependence_entries} + {paper.instruction_entries}"
        lines.append(f"{'  paper':15}{size:>16} " + "".join(f"{c:^{wide}}" for c in cells))
    return "\n".join(line.rstrip() for line in lines)


def _ours(found: FoldingStatistics) -> str:
    return f"{short(found.polyhedra)} / {found.affine:.0%} / {short(found.live)}"


def _theirs(cell: PaperCell) -> str:
    return f"{cell.polyhedra} / {cell.affine}% / {cell.live}"


def short(number: int) -> str:
    """As the paper prints numbers: 903K, 19M."""
    for size, letter in ((10**9, "G"), (10**6, "M"), (10**3, "K")):
        if number >= size:
            return f"{number // size}{letter}"
    return str(number)


def parser() -> argparse.ArgumentParser:
    """The options of the command."""
    about, _, rest = (__doc__ or "").partition("\n\n")
    found = argparse.ArgumentParser(
        prog="python -m polynb.evaluation.table5",
        description=about,
        epilog=rest,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    found.add_argument("checkout", type=Path, help="your clone of Rodinia, or its folder openmp")
    found.add_argument("names", nargs="*", metavar="NAME", help="programs (default: all)")
    found.add_argument("--seconds", type=int, default=20, help="for each of two runs (20)")
    found.add_argument("--memory", type=float, default=3.0, help="gigabytes for each (3)")
    found.add_argument("--json", type=Path, metavar="FILE", help="also write the rows there")
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; 0 if every program came to a row. Raises PolynbError for a folder that is
    no clone of the suite."""
    options = parser().parse_intermixed_args(arguments)
    checkout = options.checkout / "openmp"
    checkout = checkout if checkout.is_dir() else options.checkout
    known = {p.name: p for p in PROGRAMS}
    strange = set(options.names) - {*known, *LEFT_OUT}
    if strange or not (checkout / "backprop").is_dir():
        raise PolynbError(
            f"there is no program {strange.pop()}" if strange else f"{checkout} is no Rodinia",
            hint=", ".join(known) if strange else "git clone https://github.com/yuhc/gpu-rodinia",
        )
    rows, failed = [], 0
    for name in options.names or (*known, *LEFT_OUT):
        if name in LEFT_OUT:
            print(f"{name} is left out: {LEFT_OUT[name]}", file=sys.stderr)
            continue
        try:
            rows.append(measured(known[name], checkout, options.seconds, options.memory))
        except PolynbError as error:
            failed += 1
            print(f"{name}: {error}", file=sys.stderr)
            continue
        _tell(rows[-1])
    print(table(rows))
    if options.json is not None:
        options.json.write_text(json.dumps([asdict(r) for r in rows], indent=1) + "\n")
    return int(failed > 0)


def _tell(row: ProgramRow) -> None:
    entries = row.dependence_entries + row.instruction_entries
    print(f"{row.name}: {entries:,} entries, {row.seconds:.1f} s, {row.ended}", file=sys.stderr)
    for note in row.notes:
        print(f"  {note}", file=sys.stderr)


if __name__ == "__main__":
    run(main)
