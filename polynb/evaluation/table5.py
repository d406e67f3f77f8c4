"""Table 5: Rodinia's programs, traced and folded with four variants, beside the paper's figures.

    python -m polynb.evaluation.table5 CHECKOUT [NAME ...]

CHECKOUT is your clone of Rodinia 3.1 (its folder `openmp` is read; nothing is written there). Each
program is built with the compiler's hooks, gets a small input that is generated here, and runs
twice, bounded in time and memory. It is run with your rights. The paper counts dependences through
registers, too: `--scalars` sees local variables and arrays (with clang, and runs longer).
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from polynb.errors import PolynbError
from polynb.evaluation.commands import run
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
    """A traced program as a row of the table. What the library keeps from call to call is no load
    or store of the program's."""
    foldings = {v: traced.folding(v) for v in VARIANTS}
    kept = {i.name for i in foldings["F"].instructions.values() if i.state}
    dependences = {
        v: [d for ends, d in f.dependences.items() if kept.isdisjoint(ends)]
        for v, f in foldings.items()
    }
    executed = {v: [s for i, s in f.executed.items() if i not in kept] for v, f in foldings.items()}
    return ProgramRow(
        name,
        traced.facts.ended,
        sum(traced.seconds),
        sum(d.entries for d in dependences["F"]),
        {v: statistics(dependences[v]) for v in VARIANTS},
        sum(s.entries for s in executed["F"]),
        {v: statistics(executed[v]) for v in INSTRUCTIONS},
        tuple(traced.notes),
    )


def measured(
    program: SuiteProgram, checkout: Path, limits: RunLimits, *, scalars: bool = False
) -> ProgramRow:
    """Build, run and fold a program of the suite. Raises PolynbError where it cannot be."""
    folder = checkout / (program.folder or program.name)
    missing = [s for s in program.sources if not (folder / s).exists()]
    if missing:
        raise PolynbError(f"{folder / missing[0]} is not there", hint="a clone of Rodinia 3.1")
    with tempfile.TemporaryDirectory(prefix="polynb-rodinia-") as name:
        room = Path(name)
        built = _built(program, folder, tools(room, scalars=scalars), room / program.name)
        command = RunCommand(built, tuple(program.arguments), lay_out(program, room))
        traced = trace(command, variants=VARIANTS, limits=limits, scalars=scalars)
        return row_of(program.name, traced)


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
    found.add_argument("--scalars", action="store_true", help="see local variables (with clang)")
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
    limits = RunLimits(options.seconds, 0, int(options.memory * 2**30))
    rows, failed = [], 0
    for name in options.names or (*known, *LEFT_OUT):
        if name in LEFT_OUT:
            print(f"{name} is left out: {LEFT_OUT[name]}", file=sys.stderr)
            continue
        try:
            rows.append(measured(known[name], checkout, limits, scalars=options.scalars))
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


# The OpenMP programs of Rodinia 3.1, as they lie in a person's own clone: how each is built, and
# run on a small input that is generated here. Nothing of the suite is in polynb.


@dataclass(frozen=True)
class SuiteProgram:
    """A program of the suite: `sources` within its `folder` (that of its name), what
    it is called with, and the files it reads (by their place beside the directory that it runs
    in): each a generator and its arguments."""

    name: str
    sources: Sequence[str]
    arguments: Sequence[str]
    flags: Sequence[str] = ()
    inputs: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    folder: str = ""

    def files(self) -> dict[str, str]:
        """The texts of those files."""
        return {at: GENERATORS[name](*given) for at, (name, *given) in self.inputs.items()}


def _numbers(count: int, low: float, high: float, seed: int = 1) -> Iterator[float]:
    """Pseudo-random numbers, the same ones every time."""
    source = random.Random(seed)
    return (source.uniform(low, high) for _ in range(count))


def column(count: int, low: float, high: float) -> str:
    """A number on each line."""
    return "".join(f"{x:.4f}\n" for x in _numbers(count, low, high))


def graph(nodes: int = 600, degree: int = 4) -> str:
    """bfs: the number of nodes; of each its first edge and how many; the source; the edges."""
    source = random.Random(2)
    heads = "".join(f"{degree * k} {degree}\n" for k in range(nodes))
    edges = "".join(f"{source.randrange(nodes)} 1\n" for _ in range(nodes * degree))
    return f"{nodes}\n{heads}\n0\n\n{nodes * degree}\n{edges}"


def mesh(elements: int = 8) -> str:
    """cfd: of each element its area, and of each of four neighbours the number (-1: a wing, -2: far
    away; from 1) and a normal."""
    lines = [str(elements)]
    for k in range(elements):
        around = [k or -1, k + 2 if k + 1 < elements else -2, (k + 7) % elements + 1, -2]
        normals = _numbers(12, -0.05, 0.05, seed=k)
        sides = " ".join(f"{n} " + " ".join(f"{next(normals):.5f}" for _ in "xyz") for n in around)
        lines.append(f"0.5 {sides}")
    return "\n".join(lines) + "\n"


def records(count: int, seed: int) -> str:
    """nn: hurricanes in lines of 49 characters, the place in columns 28 to 38."""
    source, lines = random.Random(seed), []
    for k in range(count):
        place = f"{source.uniform(7, 63):5.1f} {source.uniform(0, 358):5.1f}"
        lines.append(f"{1950 + k % 60} {k % 12 + 1:2d} {k % 28 + 1:2d} 12 {k:3d} POLYNB  "
                     .ljust(27)[:27] + place + f" {k % 150:4d} {k % 900:4d}".ljust(10))  # fmt: skip
    return "".join(line[:48].ljust(48) + "\n" for line in lines)


def points(count: int = 120, attributes: int = 6) -> str:
    """kmeans: a number and the attributes of each point."""
    values = _numbers(count * attributes, 0, 100)
    rows = (" ".join(f"{next(values):.3f}" for _ in range(attributes)) for _ in range(count))
    return "".join(f"{k} {row}\n" for k, row in enumerate(rows))


def image(rows: int, columns: int) -> str:
    """srad: a picture in PGM's text form."""
    pixels = " ".join(str(int(x)) for x in _numbers(rows * columns, 1, 255))
    return f"P2\n{columns} {rows}\n255\n{pixels}\n"


def keys(count: int = 800) -> str:
    """b+tree: how many numbers there are, then the numbers."""
    numbers = list(range(count))
    random.Random(3).shuffle(numbers)
    return f"{count}\n" + "".join(f"{n}\n" for n in numbers)


def lines(*texts: str) -> str:
    """A text of several lines."""
    return "".join(f"{t}\n" for t in texts)


GENERATORS: Final[Mapping[str, Callable[..., str]]] = {
    f.__name__: f for f in (column, graph, image, keys, lines, mesh, points, records)
}


def _programs() -> tuple[SuiteProgram, ...]:
    text = files("polynb.evaluation").joinpath("rodinia.toml").read_text("utf-8")
    return tuple(SuiteProgram(name, **row) for name, row in tomllib.loads(text).items())


PROGRAMS: Final = _programs()

LEFT_OUT: Final = {
    "heartwall": "it reads a video (AVI), which is not generated here",
    "leukocyte": "it reads a video (AVI), which is not generated here",
}


def lay_out(program: SuiteProgram, room: Path) -> Path:
    """Write a program's input under `room`; the directory that it is to run in."""
    directory = room / "a" / "b" / "run"
    directory.mkdir(parents=True, exist_ok=True)
    for place, text in program.files().items():
        path = (directory / ".." / place).resolve()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return directory


if __name__ == "__main__":
    run(main)
