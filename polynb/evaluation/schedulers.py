"""Live-range reordering beside schedulers that keep every false dependence (IMPACT'16, section 4).

`python -m polynb.evaluation.schedulers [NAME ...]`: for each program the loops that three
schedulers give it, and then the times. (a) as Pluto does it: all false dependences kept, all
statements scheduled together; (b) as PPCG does it with `--no-live-range-reordering`: the same, with
isl's own choice of what is scheduled together; (c) live ranges reordered. (a) is a reconstruction:
isl's scheduler with `whole_component`.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from polynb import gallery, isl
from polynb.codegen.scan import scan
from polynb.dependences import live_ranges
from polynb.derivation import Derivation, as_scop
from polynb.errors import PolynbError
from polynb.evaluation.commands import run
from polynb.reordering import IslOptions, SearchBudget, build, preset, reorder
from polynb.reordering.integer_program import Counter
from polynb.reordering.sentences import formula
from polynb.run import Kernel, Timing, compile, measure
from polynb.run.intervals import interval_text
from polynb.run.timing import seconds
from polynb.schedules import contract, interchange, tile
from polynb.scop.model import Scop
from polynb.scop.schedule import Band, Tree, subtrees, walk
from polynb.source import tree as syntax
from polynb.tuning.tables import Table
from polynb.tuning.trial import Options

SIZES: Final[Mapping[str, Mapping[str, int]]] = {
    "lrr_listing1": {"n": 4096},
    "lrr_listing1_scalar": {"n": 4096},
    "lrr_listing3": {"Nx": 200, "Ny": 200, "Nz": 200},
    "gemm_accumulator": {"ni": 512, "nj": 512, "nk": 512},
    "pencil_convolution": {"rows": 1024, "columns": 1024, "radius": 2},
}
ORIGINAL: Final = "original"
REORDERED: Final = "(c) reordered"
KEPT: Final[Options] = {"preset": "none", "scheduler": "isl", "privatize": False}
SCHEDULERS: Final[Mapping[str, Options]] = {
    "(a) Pluto-style": {**KEPT, "options": IslOptions(whole_component=True)},
    "(b) PPCG without": {**KEPT, "options": IslOptions()},
    REORDERED: {},
}
TILE: Final = 32


def schedules(name: str) -> dict[str, Scop]:
    """A program of the gallery as written, and in the orders of the three schedulers."""
    scop = gallery.load(name)
    orders = {label: reorder(scop, **options).result for label, options in SCHEDULERS.items()}
    return {ORIGINAL: scop, **orders}


def shapes(found: Mapping[str, Mapping[str, Scop]]) -> Table:
    """What loops each order has: nests in the text, loops around all statements at once, how many
    loops each outermost band has, and those of them that can be tiled."""
    rows = [
        (
            name if label == ORIGINAL else "",
            label,
            nests(scop),
            common_loops(scop),
            " + ".join(str(b.depth) for b in outer_bands(scop)),
            " + ".join(str(b.depth) for b in tileable(scop)) or "-",
        )
        for name, orders in found.items()
        for label, scop in orders.items()
    ]
    head = ("program", "schedule", "nests", "in common", "bands", "can be tiled")
    return Table(head, rows, left=("schedule",))


def made_local(programs: Mapping[str, Scop | Derivation]) -> Table:
    """What Table 1 of the paper counts while Algorithm 1 runs: members found, groups of live ranges
    made local, those of them that were not local by then, and bands built anew."""
    rows = [(name, *effort(as_scop(program))) for name, program in programs.items()]
    return Table(("program", "members", "made local", "not local before", "resets"), rows)


# -- times -----------------------------------------------------------------------------------


def variants(name: str, orders: Mapping[str, Scop]) -> Iterator[tuple[str, Scop]]:
    """What is timed: each order tiled by 32 where it can be, and what else (c) allows: the two
    loops of Listing 1 exchanged before they are tiled, and its `t` made a scalar. The last one is
    for all threads."""
    for label, scop in orders.items():
        if label != REORDERED:
            yield label, tiled(scop)
    last = orders[REORDERED]
    yield "(c) not tiled", last
    yield "(c) tiled", tiled(last)
    if name.startswith("lrr_listing1"):
        last = tiled(interchange(last, (1, 0)))
        yield "(c) exchanged, tiled", last
    if name == "lrr_listing1":
        yield "(c) ... and contracted", contract(last)
    yield "(c) on all threads", last


def tiled(scop: Scop) -> Scop:
    """By 32 where it can be."""
    return tile(scop, TILE) if tileable(scop) else scop


def timed(
    name: str,
    orders: Mapping[str, Scop],
    sizes: Mapping[str, int] | None = None,
    *,
    rounds: int = 7,
) -> Timing:
    """The variants of a program, called in turn, their results compared bit by bit: on one thread,
    so that only the order counts, but for the last one."""
    made = dict(variants(name, orders))
    *alone, _ = made
    programs: dict[str, Scop | Kernel] = {**made, **{k: compile(made[k], threads=1) for k in alone}}
    return measure(programs, dict(SIZES[name] if sizes is None else sizes), rounds=rounds)


def times(found: Mapping[str, Timing]) -> Table:
    """The medians, how many times faster than the original that is, and the interval of that."""
    rows = []
    for name, timing in found.items():
        for label in timing.labels:
            first = label == ORIGINAL
            ratio = "1" if first else f"{timing.ratio(label):.2f}"
            sure = "" if first else interval_text(timing.interval(label))
            rows.append((name if first else "", label, seconds(timing.median(label)), ratio, sure))
    head = ("program", "schedule", "median", "times faster", "95 % interval")
    return Table(head, rows, left=("schedule",))


def main(arguments: Sequence[str] | None = None) -> int:
    """The command: shapes, then times, of the same program in the orders of three schedulers."""
    prog = "python -m polynb.evaluation.schedulers"
    options = argparse.ArgumentParser(prog=prog, description=__doc__)
    options.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(SIZES)}")
    options.add_argument("--rounds", type=int, default=7, help="of each measurement (7)")
    chosen = options.parse_args(arguments)
    names = chosen.names or list(SIZES)
    for name in names:
        if name not in SIZES:
            raise PolynbError(f"{name} is not compared here", hint=f"one of: {', '.join(SIZES)}")
    found = {name: schedules(name) for name in names}
    print(shapes(found), end="\n\n")
    print(times({n: timed(n, orders, rounds=chosen.rounds) for n, orders in found.items()}))
    return 0


# What loops a program has: its nests, what they have in common, its outermost bands.


Body = tuple[syntax.Stmt, ...]


def nests(program: Scop | Derivation) -> int:
    """How many loop nests the generated code has, one after the other."""
    return _nests(scan(as_scop(program)).body)


def _nests(body: Body) -> int:
    found = 0
    for s in body:
        match s:
            case syntax.For():
                found += 1
            case syntax.If(then=then, otherwise=otherwise):
                found += _nests(then) + _nests(otherwise)
            case syntax.Assign():
                pass
    return found


def common_loops(program: Scop | Derivation) -> int:
    """How many loops of the generated code are around all statements at once."""
    body, found = scan(as_scop(program)).body, 0
    while len(body) == 1:
        match body[0]:
            case syntax.For(body=inner):
                body, found = inner, found + 1
            case syntax.If(then=inner, otherwise=()):
                body = inner
            case _:
                break
    return found


def outer_bands(program: Scop | Derivation) -> list[Band]:
    """The outermost bands of a program's schedule."""
    return _outer_bands(as_scop(program).schedule)


def _outer_bands(tree: Tree) -> list[Band]:
    if isinstance(tree, Band):
        return [tree]
    return [band for t in subtrees(tree) for band in _outer_bands(t)]


def tileable(program: Scop | Derivation) -> list[Band]:
    """Those of them of which two loops or more may be exchanged, and so tiled."""
    return [b for b in outer_bands(program) if b.permutable and b.depth > 1]


def permutable(program: Scop | Derivation) -> str:
    """How many loops of each outermost band may be exchanged, "2 + 1": one is none."""
    return " + ".join(str(b.depth if b.permutable else 1) for b in outer_bands(program))


# What a paper prints of a program, made of ours, to stand beside it.


STEPS = 2000
"""Integer programs that a band may take, far more than the papers' do."""


def body(scop: Scop) -> str:
    """The loops and statements, without declarations and labels."""
    return re.sub(r" // \w+$", "", str(scop), flags=re.M).partition("\n\n")[2]


def modulo_domains(scop: Scop, relations: Iterable[isl.Map]) -> str:
    """A union of relations between instances, or from instances to elements, as IMPACT'16 writes
    it, "modulo domain constraints": without what the iteration domains say anyway."""
    instances = isl.union_set(s.domain for s in scop.statements)
    found = isl.union_map(relations)
    there = instances.union(found.range().subtract(instances))
    parts = isl.maps(found.gist_domain(instances).gist_range(there))
    return "; ".join(str(m).partition("{ ")[2].removesuffix(" }") for m in parts)


def effort(scop: Scop, name: str = "cpu") -> tuple[int, int, int, int]:
    """A row of Table 1 of IMPACT'16: the band members that were computed, the groups of condition
    constraints that were marked local, those of them that were not local already, and the bands
    that began again. `name` is a preset of `pn.reorder`."""
    spent = SearchBudget(Counter(STEPS))
    for _ in build(preset(live_ranges(scop), name), effort=spent):
        pass
    return spent.members, spent.localized, spent.non_local, spent.resets


def agrees(scop: Scop, relations: Iterable[isl.Map], printed: str) -> bool:
    """Whether relations from instances are those that are printed, `[n] -> { S[i] -> A[i] }`, once
    domain constraints are added to these."""
    instances = isl.union_set(s.domain for s in scop.statements)
    said = isl.read_union_map(printed).intersect_domain(instances)
    elements = said.range().subtract(instances.universe())
    return isl.union_map(relations).is_equal(said.intersect_range(instances.union(elements)))


def distances(scop: Scop, schedule: str, sizes: Mapping[str, int]) -> set[tuple[int, ...]]:
    """How far apart in time, `{ S[i] -> [t] }`, the two ends of flow dependences are."""
    times = isl.read_union_map(schedule)
    flow = isl.union_map(e.relation for e in live_ranges(scop).flow)
    apart = isl.maps(times.reverse().apply_range(flow).apply_range(times))
    return {d for m in apart for d in isl.points(m.deltas(), sizes)}


def members(scop: Scop) -> dict[str, str]:
    """What the one band of a schedule gives to each statement, `{"S1": "[j, i]"}`. Raises
    PolynbError where there are several bands, or none."""
    bands = [node for node in walk(scop.schedule) if isinstance(node, Band)]
    if len(bands) != 1:
        raise PolynbError(f"there are {len(bands)} bands", hint="a schedule of one band")
    return {s: formula(m) for s, m in sorted(bands[0].members.items())}


if __name__ == "__main__":
    run(main)
