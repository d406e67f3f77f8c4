"""How many scalar reads propagation removes from the loops of C programs (CC'18, end of 6.3).

`python -m polynb.evaluation.scalars FOLDER`: all C files below a folder; of each, the functions
with `#pragma scop`, or if there are none, all functions. What polynb cannot read is listed with the
reason. (The paper: 63 % and 60 % in the loop nests of SPEC 2000 and 2006 that its Polly can read.)
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pycparser import c_ast

from polynb import isl
from polynb.conveniences import Json
from polynb.errors import PolynbError, Source
from polynb.evaluation.commands import run
from polynb.propagation import paper_heuristics, propagate
from polynb.scop.build import build
from polynb.scop.model import Scop
from polynb.source.c.parser import parse_c
from polynb.source.c.read.grammar import parse_grammar
from polynb.source.c.read.tokens import preprocess
from polynb.tuning.results import Row, Sweep
from polynb.tuning.sweeping import sweep
from polynb.tuning.tables import Table

OPERATIONS: Final = 400_000_000  # of isl, to read a function and find its dependences


@dataclass(frozen=True)
class Reads:
    """Reads of scalars, counted as they stand in the statements: all of them, those of scalars
    that the program itself writes (the others are arguments, which nothing could replace), and
    those that propagation removes."""

    all: int
    written: int
    removed: int


@isl.guarded
def scalar_reads(scop: Scop) -> Reads:
    """Counts for a program. A read is removed if its scalar is gone from the propagated program:
    then all of its reads are. (Copies of a read that stays, in expressions that moved, count for
    nothing.)"""
    scalars = {a.name for a in scop.arrays.values() if not a.extents}
    written = {s.write.array for s in scop.statements} & scalars
    reads = Counter(r.array for s in scop.statements for r in s.reads if r.array in scalars)
    after = propagate(scop, heuristics=paper_heuristics()).result
    left = {a.array for s in after.statements for a in s.accesses}
    return Reads(
        all=reads.total(),
        written=sum(reads[n] for n in written),
        removed=sum(reads[n] for n in written - left),
    )


def examine(place: CFunction) -> dict[str, Json]:
    """The counts for a function of a C file, or why it was `refused`."""
    try:
        with isl.budget(OPERATIONS):
            program = parse_c(Source(place.text, place.file), function=place.function)
            scop = build(program)
            found = scalar_reads(scop)
    except PolynbError as error:
        return {"refused": error.message, "reason": error.reason}
    return {
        "statements": len(scop.statements),
        "reads": found.all,
        "written": found.written,
        "removed": found.removed,
    }


# -- the report ----------------------------------------------------------------------------


def report(found: Sweep) -> Table:
    """A line for each function with scalar reads, the totals, and what was refused and why."""
    read = [r for r in found.rows if "reads" in r.values]
    with_scalars = [r for r in read if r.values["reads"]]
    columns = ("statements", "reads", "written", "removed")
    cells = [[r.name, *(str(r.values[c]) for c in columns), _share(r.values)] for r in with_scalars]
    total = {c: sum(r.values[c] for r in read) for c in columns}
    cells.append(["all", *(str(total[c]) for c in columns), _share(total)])
    head = ["function", "statements", "scalar reads", "of written ones", "removed", "%"]
    lines = [""]
    lines.append(
        f"{len(found.rows)} functions: {len(read)} read ({len(read) - len(with_scalars)} of them "
        f"without scalar reads), {len(found.rows) - len(read)} refused"
    )
    lines.append(
        f"removed: {_share(total)} of all scalar reads, {_of_written(total)} of those of "
        "scalars that the loops write"
    )
    refused = [(r, _why(r)) for r in found.rows if r not in read]
    kinds = Counter(re.sub(r"`[^`]*`|'[^']*'|\b\d+\b", "...", why) for _, why in refused)
    lines += [f"{count:6}  refused: {why}" for why, count in kinds.most_common()]
    lines += [f"{r.name}: {why}" for r, why in refused]
    return Table(head, cells, notes=lines)


def _share(values: Mapping[str, int]) -> str:
    return f"{100 * values['removed'] / values['reads']:.0f} %" if values["reads"] else "-"


def _of_written(values: Mapping[str, int]) -> str:
    return f"{100 * values['removed'] / values['written']:.0f} %" if values["written"] else "-"


def _why(row: Row) -> str:
    if row.error is not None:
        return f"polynb failed: {row.error}"
    return str(row.values["refused"])


def main(arguments: Sequence[str] | None = None) -> int:
    """The command: every function of the C files in a folder, a process for each of `jobs`."""
    prog = "python -m polynb.evaluation.scalars"
    options = argparse.ArgumentParser(prog=prog, description=__doc__)
    options.add_argument("folder", type=Path)
    options.add_argument(
        "--include", type=Path, action="append", default=[], metavar="DIR", help="for headers"
    )
    options.add_argument("--jobs", type=int, default=1, help="processes")
    options.add_argument("--resume", metavar="FILE", help="keep rows there; go on from them")
    options.add_argument("--json", type=Path, metavar="FILE", help="also write what was found")
    chosen = options.parse_args(arguments)
    if not chosen.folder.is_dir():
        raise PolynbError(f"there is no folder {chosen.folder}", hint="a folder with C files")
    variants = dict(_named(places(chosen.folder, chosen.include)))
    if not variants:
        raise PolynbError(f"there are no C files in {chosen.folder}", hint="*.c")
    pool = ProcessPoolExecutor(chosen.jobs) if chosen.jobs > 1 else nullcontext()
    with pool as executor:
        found = sweep(variants, examine, executor=executor, resume=chosen.resume)
    print(report(found))
    if chosen.json is not None:
        chosen.json.write_text(found.to_json() + "\n", encoding="utf-8")
    return 0


def _named(found: Iterator[CFunction]) -> Iterator[tuple[str, CFunction]]:
    for place in found:
        yield place.file if place.function is None else f"{place.file}: {place.function}", place


# The functions in the C files of a folder.


INCLUDE: Final = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"][^\n]*$', re.MULTILINE)


@dataclass(frozen=True)
class CFunction:
    """A function of a C file (whose headers are in `text`); None where its functions cannot be
    told, or it has none: a bare loop nest."""

    file: str
    text: str
    function: str | None


def places(folder: Path, include: Sequence[Path] = ()) -> Iterator[CFunction]:
    """All functions with `#pragma scop` of the C files below a folder; of a file without any, all
    functions. Headers are looked for beside the file and in the folders of `include`; what is in
    neither is left to the preprocessor, which knows the standard ones."""
    for path in sorted(folder.rglob("*.c")):
        name = path.relative_to(folder).as_posix()
        text = with_headers(path, include)
        try:
            grammar = parse_grammar(Source(text, name), preprocess(Source(text, name)))
        except (PolynbError, RecursionError):
            yield CFunction(name, text, None)  # reading it again will say why
            continue
        functions = [e for e in grammar.file.ext if isinstance(e, c_ast.FuncDef)]
        marked = [f for f in functions if _has_pragma(f.body)]
        chosen = [f.decl.name for f in marked or functions]
        for function in [None] if grammar.bare else chosen:
            yield CFunction(name, text, function)


def with_headers(path: Path, include: Sequence[Path], known: frozenset[Path] = frozenset()) -> str:
    """A file's text with the headers that are found in place of their `#include`s."""

    def content(found: re.Match[str]) -> str:
        for directory in (path.parent, *include):
            header = (directory / found[1]).resolve()
            if header.is_file():
                again = header in known
                return "" if again else with_headers(header, include, known | {header})
        return found[0]

    return INCLUDE.sub(content, path.read_text(encoding="utf-8", errors="replace"))


def _has_pragma(node: c_ast.Node) -> bool:
    if isinstance(node, c_ast.Pragma):
        return True
    return any(_has_pragma(child) for _, child in node.children())


if __name__ == "__main__":
    run(main)
