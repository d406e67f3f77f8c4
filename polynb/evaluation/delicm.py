"""What DeLICM removes of the scalars that a compiler introduces, and what that buys (section 5).

`python -m polynb.evaluation.delicm [NAME ...]`: classic kernels in the form of arrays, with the
scalars of LICM or of PRE (`scalarize`), and without them again (`remove_scalars`): the dependences
through scalars, and how many loops can be interchanged and tiled. `--times`: how fast each form is,
and what live-range reordering and propagation make of the scalars instead.

(The paper: clang's own passes on PolyBench in C, Polly early and late in its pipeline.)
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

import numpy as np

from polynb import gallery
from polynb.conveniences import Json
from polynb.delicm import remove_scalars
from polynb.delicm.mapping_steps import WebsSplit
from polynb.dependences import Edge, analyze
from polynb.derivation import Derivation
from polynb.errors import PolynbError
from polynb.evaluation.bands import permutable_loops
from polynb.evaluation.commands import run, write_json
from polynb.propagation import propagate
from polynb.reordering import reorder
from polynb.run import Timing, compile, measure
from polynb.run.intervals import interval_text
from polynb.run.timing import seconds as readable_seconds
from polynb.scalarizing import scalarize
from polynb.scalarizing.invariant_cells import Kind
from polynb.schedules.bands import all_bands, several_permutable
from polynb.scop.model import Scop
from polynb.scop.storage import in_memory
from polynb.tuning.results import INTERVAL, Row, Sweep
from polynb.tuning.tables import Table
from polynb.words import counted

PROGRAMS: Final = (
    *("gemm", "2mm", "trmm", "atax", "mvt", "lu", "cholesky", "covariance"),
    *("jacobi_1d", "jacobi_2d", "seidel_2d", "fdtd_2d", "floyd_warshall", "durbin"),
    *("delicm_listing1", "delicm_listing2", "delicm_listing3", "delicm_listing4"),
)
KINDS: Final[tuple[Kind, ...]] = ("licm", "pre")
FORMS: Final = ("arrays", "scalars", "DeLICM")
MEMORY_BASED: Final = ("raw", "war", "waw")


@dataclass(frozen=True, eq=False)
class RoundTrip:
    """A program, with the scalars that a compiler of a kind introduces, and without them again."""

    program: Scop
    scalarized: Derivation
    removed: Derivation

    @property
    def forms(self) -> dict[str, Scop]:
        results = (self.program, self.scalarized.result, self.removed.result)
        return dict(zip(FORMS, results, strict=True))

    @cached_property
    def introduced(self) -> tuple[Edge, ...]:
        """The dependences through scalars that the program itself does not have."""
        return self._others(scalar_dependences(self.scalarized.result))

    @cached_property
    def kept(self) -> tuple[Edge, ...]:
        """Those of them that are not removed."""
        return self._others(scalar_dependences(self.removed.result))

    @cached_property
    def left(self) -> dict[str, str]:
        """Of each scalar that dependences are left through why it is: what was tried, and the
        witnesses."""
        edges = scalar_dependences(self.removed.result)
        return {name: _why(self.removed, name) for name in dict.fromkeys(e.array for e in edges)}

    @cached_property
    def own(self) -> frozenset[str]:
        """The arrays of the program itself, and what its scalars are called where one that is used
        for several things became several."""
        webs = [s for s in self.removed.steps if isinstance(s, WebsSplit)]
        split = {n for s in webs if s.scalar in self.program.arrays for n in s.names}
        return frozenset(split.union(self.program.arrays))

    def _others(self, edges: Iterable[Edge]) -> tuple[Edge, ...]:
        return tuple(e for e in edges if e.array not in self.own)


def round_trip(program: Scop, kind: Kind) -> RoundTrip:
    """There and back."""
    scalarized = scalarize(program, kind)
    return RoundTrip(program, scalarized, remove_scalars(scalarized.result))


def scalar_dependences(scop: Scop) -> tuple[Edge, ...]:
    """The value-based dependences, `{ S[i] -> T[j] }`, through arrays of no dimension."""
    scop = in_memory(scop)
    return _through_scalars(scop, analyze(scop).edges)


def _memory_dependences(scop: Scop) -> tuple[Edge, ...]:
    """The same, memory-based: what schedulers see that keep all false dependences."""
    scop = in_memory(scop)
    found = analyze(scop)
    return _through_scalars(scop, [e for kind in MEMORY_BASED for e in found.memory(kind)])


def _through_scalars(scop: Scop, edges: Iterable[Edge]) -> tuple[Edge, ...]:
    return tuple(
        e
        for e in edges
        if not scop.arrays[e.array].dimensions
        and not e.relation.intersect_params(scop.assumed).is_empty()
    )


def _why(removed: Derivation, scalar: str) -> str:
    """A scalar that had another name when it was decided on has no step of its own."""
    try:
        return removed.why(scalar)
    except PolynbError as error:
        return error.message


# -- counts ----------------------------------------------------------------------------------


def counts(name: str, kind: Kind, trip: RoundTrip) -> Row:
    """What is counted of a program in its three forms, and the scalars that are left."""
    forms = trip.forms.values()
    values = {
        "dependences": [len(scalar_dependences(s)) for s in forms],
        "memory-based": [len(_memory_dependences(s)) for s in forms],
        "band": [permutable_loops(s) for s in forms],
        "introduced": len(trip.introduced),
        "kept": len(trip.kept),
        "own": [n for n in trip.left if n in trip.own],
        "left": trip.left,
    }
    return Row(f"{name}, {kind}", values)


def table(found: Sweep) -> Table:
    """A line for each program and kind, what is left and why, and how much is gone in all."""
    rows = [
        (r.name, *(_arrows(r.values[c]) for c in ("dependences", "memory-based", "band")), tiled(r))
        for r in found.rows
    ]
    totals = [
        _arrows([sum(r.values[c][k] for r in found.rows) for k in range(len(FORMS))])
        for c in ("dependences", "memory-based")
    ]
    rows.append(("all", *totals, "", ""))
    introduced = sum(r.values["introduced"] for r in found.rows)
    gone = introduced - sum(r.values["kept"] for r in found.rows)
    notes = ["", f"each: in the form of {', of '.join(FORMS[:2])}, after {FORMS[2]}"]
    if introduced:
        notes.append(
            f"of {counted(introduced, 'scalar dependence')} that were introduced, {gone} are gone "
            f"({100 * gone / introduced:.1f} %)"
        )
    notes += [line for r in found.rows for line in _left(r)]
    head = ("program", "scalar dependences", "memory-based", "widest band", "can be tiled")
    return Table(head, rows, notes=notes)


def tiled(row: Row) -> str:
    """Whether two loops or more can be interchanged, in each form."""
    return _arrows(["yes" if band > 1 else "no" for band in row.values["band"]])


def _arrows(cells: Iterable[object]) -> str:
    return " → ".join(map(str, cells))


def _left(row: Row) -> list[str]:
    found = []
    for scalar, why in row.values["left"].items():
        whose = "the program's own" if scalar in row.values["own"] else "introduced"
        found.append(f"{row.name}: {scalar} is left ({whose})")
        found += [f"    {line}" for line in why.splitlines()]
    return found


# -- the command -----------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> int:
    """The command: counts of what DeLICM removes, and times where they are asked for."""
    chosen = _options().parse_args(arguments)
    kinds = KINDS if chosen.kind is None else (chosen.kind,)
    names = [n.replace("-", "_") for n in chosen.names] or list(PROGRAMS)
    for name in names:
        if name not in PROGRAMS:
            raise PolynbError(f"{name} is not counted here", hint=f"one of: {', '.join(PROGRAMS)}")
    trips = {(n, k): round_trip(gallery.load(n), k) for n in names for k in kinds}
    found = {"counts": Sweep(tuple(counts(n, k, trip) for (n, k), trip in trips.items()))}
    print(table(found["counts"]))
    if chosen.times:
        found["times"] = _times(trips, chosen)
        print(f"\n{_times_table(found['times'])}")
    write_json(chosen.json, found)
    return 0


def _times(trips: Mapping[tuple[str, Kind], RoundTrip], chosen: argparse.Namespace) -> Sweep:
    rows = []
    for (name, kind), trip in trips.items():
        sizes = dict.fromkeys(trip.program.parameters, chosen.size) if chosen.size else None
        programs, much = settings(trip.forms), {"rounds": chosen.rounds, "seconds": chosen.seconds}
        rows.append(_times_row(f"{name}, {kind}", timed(name, programs, sizes, **much)))
    return Sweep(tuple(rows))


def _options() -> argparse.ArgumentParser:
    prog = "python -m polynb.evaluation.delicm"
    found = argparse.ArgumentParser(prog=prog, description=__doc__)
    found.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(PROGRAMS)}")
    found.add_argument("--kind", choices=KINDS, help="of scalars (default: both)")
    found.add_argument("--times", action="store_true", help="also measure")
    found.add_argument("--size", type=int, help="of all parameters (default: the gallery's)")
    found.add_argument("--rounds", type=int, help="of each measurement (default: by time)")
    found.add_argument("--seconds", type=float, default=5.0, help="for each measurement (5)")
    found.add_argument("--json", type=Path, metavar="FILE", help="also write what was found there")
    return found


# Kernels in five settings, with and without tiles: what it buys to remove scalars (DeLICM, 5.1).
#
# On one thread, as in the paper, so that only the order counts; without its `-ffast-math`, so that
# results are compared bit by bit.


TILE: Final = 32
TILED: Final = ", tiled"
REORDERED: Final = "live ranges reordered"
PROPAGATED: Final = "propagated"
LEGEND: Final[Mapping[str, str]] = {
    "arrays": "the program as it is",
    "scalars": "with the scalars that a compiler introduces",
    "DeLICM": "... and after remove_scalars",
    REORDERED: f"... or after reorder(tile={TILE}) instead, which lets live ranges change places",
    PROPAGATED: "... or after propagate instead",
    TILED.strip(", "): f'... after reorder(preset="none", tile={TILE}), which keeps all false '
    "dependences, where that finds a band",
}


def settings(forms: Mapping[str, Scop]) -> dict[str, Scop]:
    """What is timed of the three forms of a program: they themselves, the scalars after
    live-range reordering and after propagation, and of the three what can be tiled."""
    scalars = forms["scalars"]
    found = dict(forms)
    found[REORDERED] = reorder(scalars, tile=TILE).result
    found[PROPAGATED] = propagate(scalars).result
    for name, scop in forms.items():
        ordered = reorder(scop, preset="none", privatize=False, tile=TILE).result
        if any(several_permutable(b) for b in all_bands(ordered.schedule)):
            found[name + TILED] = ordered
    return found


def timed(
    name: str,
    programs: Mapping[str, Scop],
    sizes: Mapping[str, int] | None = None,
    *,
    rounds: int | None = None,
    seconds: float = 5.0,
) -> Timing:
    """The settings of a program of the gallery, called in turn, their results compared."""
    values = dict(gallery.sizes(name) if sizes is None else sizes)
    kernels = {label: compile(scop, threads=1) for label, scop in programs.items()}
    return measure(kernels, {**values, **inputs(name, values)}, rounds=rounds, seconds=seconds)


def inputs(name: str, sizes: Mapping[str, int]) -> dict[str, np.ndarray]:
    """What random numbers would not do for: matrices that have factors, and a Toeplitz matrix
    that can be solved. (Of others, everything would soon be infinite, or no number.)"""
    n = sizes.get("n", 0)
    if name in ("lu", "cholesky"):
        return {"A": np.random.default_rng(0).random((n, n)) + n * np.eye(n)}
    if name == "durbin":
        return {"r": 0.25 / np.arange(1, n + 1) ** 2}
    return {}


def _times_row(name: str, timing: Timing) -> Row:
    """The median of each setting, how many times faster than the arrays that is, and the interval
    of that."""
    cells = {r["program"]: _cell(r) for r in timing.rows}
    return Row(name, {**cells, "sizes": dict(timing.parameters), "rounds": timing.rounds})


def _cell(row: Mapping[str, Json]) -> dict[str, Json]:
    low, high = row["ratio_low"], row["ratio_high"]
    sure = None if low is None else [low, high]
    return {"seconds": row["median"], "ratio": row["ratio"], INTERVAL: sure}


def _times_table(found: Sweep) -> Table:
    """A line for each setting of each program."""
    rows = []
    for r in found.rows:
        for k, (label, cell) in enumerate(_settings_of(r).items()):
            median, first = readable_seconds(cell["seconds"]), k == 0
            ratio = "1" if first else f"{cell['ratio']:.2f}"
            sure = "" if first else interval_text(cell[INTERVAL])
            rows.append((r.name if first else "", label, median, ratio, sure))
    head = ("program", "setting", "median", "times faster", "95 % interval")
    notes = [f"{label}: {meaning}" for label, meaning in LEGEND.items()]
    return Table(head, rows, left=("setting",), notes=notes)


def _settings_of(row: Row) -> dict[str, Json]:
    return {label: v for label, v in row.values.items() if isinstance(v, dict) and "ratio" in v}


if __name__ == "__main__":
    run(main)
