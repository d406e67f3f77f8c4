"""Live-range reordering beside schedulers that keep every false dependence (IMPACT'16, section 4).

`python -m polynb.evaluation.schedulers [NAME ...]`: for each program the loops that three
schedulers give it, and then the times. (a) as Pluto does it: all false dependences kept, all
statements scheduled together; (b) as PPCG does it with `--no-live-range-reordering`: the same, with
isl's own choice of what is scheduled together; (c) live ranges reordered. (a) is a reconstruction:
isl's scheduler with `whole_component`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from polynb import gallery
from polynb.derivation import Derivation, as_scop
from polynb.errors import PolynbError
from polynb.evaluation.as_printed import effort
from polynb.evaluation.commands import run
from polynb.evaluation.loops import common_loops, nests, outer_bands, tileable
from polynb.reordering import IslOptions, reorder
from polynb.run import Kernel, Timing, compile, measure
from polynb.run.intervals import interval_text
from polynb.run.timing import seconds
from polynb.schedules import contract, interchange, tile
from polynb.scop import Scop
from polynb.tuning.tables import Table

SIZES: Final[Mapping[str, Mapping[str, int]]] = {
    "lrr_listing1": {"n": 4096},
    "lrr_listing1_scalar": {"n": 4096},
    "lrr_listing3": {"Nx": 200, "Ny": 200, "Nz": 200},
    "gemm_accumulator": {"ni": 512, "nj": 512, "nk": 512},
    "pencil_convolution": {"rows": 1024, "columns": 1024, "radius": 2},
}
ORIGINAL: Final = "original"
REORDERED: Final = "(c) reordered"
KEPT: Final[Mapping[str, Any]] = {"preset": "none", "scheduler": "isl", "privatize": False}
SCHEDULERS: Final[Mapping[str, Mapping[str, Any]]] = {
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
            cells = (seconds(timing.median(label)), ratio, "" if first else _sure(timing, label))
            rows.append((name if first else "", label, *cells))
    head = ("program", "schedule", "median", "times faster", "95 % interval")
    return Table(head, rows, left=("schedule",))


def _sure(timing: Timing, label: str) -> str:
    return interval_text(timing.interval(label))


def main(arguments: Sequence[str] | None = None) -> int:
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


if __name__ == "__main__":
    run(main)
