"""Figure 13 and Table 4 of CC'18: what polynb makes of a program, beside every peer that is here.

`python -m polynb.evaluation.peers [NAME ...]`: the seven pipelines and the classic kernels, naive,
propagated (as it is, in strips, in windows of rows) or reordered and tiled, and as `optimise` has
them by default (with `--tune`, as `tune` finds them, too), compiled by gcc (or what there is) and
by clang; by Polly and by Graphite; in Halide, scheduled by hand and by its autoschedulers; in NumPy
and numba; and as CC'18's tool made it, of a clone of its artifact. Each is compared with the naive
program, and all are called in turn.
Figures are medians, and how many times faster than the naive program (medians of paired ratios, in
brackets their 95 % intervals), and the most memory in use. The heap is kept between calls (the
measure of the transformation), and fresh (as naive programs are: most of their time is page
faults).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

from polynb import gallery
from polynb.conveniences import Json, below
from polynb.errors import PolynbError
from polynb.evaluation import artifact, halide, optimisers
from polynb.evaluation.commands import parser, pipelines, run, trial, write_json
from polynb.evaluation.delicm import inputs
from polynb.evaluation.interpreted import in_numpy
from polynb.evaluation.numba_kernel import in_numba
from polynb.evaluation.optimisers import BASELINE, PEERS, Peer, Programs, programs
from polynb.evaluation.paper import PAPER
from polynb.run import Kernel, compilers, measure
from polynb.run.kernel import HEAPS
from polynb.run.shared import readable
from polynb.run.signature import Signature
from polynb.run.timing import Timing, seconds
from polynb.scop.model import Scop
from polynb.tuning.machine import processor
from polynb.tuning.results import Row, Sweep, bracketed
from polynb.tuning.searching import tune
from polynb.tuning.tables import Table
from polynb.tuning.trial import Trial, ends

SLOW: Final = 10
"""What is so many times slower than the baseline is timed with it alone: in turn with all, it would
leave time for a few rounds only."""
BY_HAND: Final = "Halide"
HALIDE: Final = {BY_HAND: "", **{f"{BY_HAND}, {s}": s for s in halide.AUTOSCHEDULERS}}
NUMPY: Final = "NumPy"
NUMBA: Final = "numba"
TOOL: Final = "CC'18's tool"
LABELS: Final = (*(p.label for p in PEERS), *HALIDE, NUMPY, NUMBA, TOOL)
"""All peers, in the order of the table."""
# What is done to a pipeline of pictures, and to a kernel of loops.
OF_PIPELINES: Final = ("naive", "propagated", "strips", "windows", "optimised")
OF_KERNELS: Final = ("naive", "propagated", "reordered", "optimised")


def forms(name: str) -> tuple[str, ...]:
    """What polynb does to a program of the gallery."""
    return OF_PIPELINES if name in PAPER else OF_KERNELS


# -- a comparison --------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Contest:
    """A program of the gallery on `trial`, and its `programs` in the forms of `forms`; `checkout`
    is a clone of CC'18's artifact."""

    name: str
    trial: Trial
    programs: Programs
    heap: str = "kept"
    threads: int | None = None
    checkout: Path | None = None

    def makers(self, signature: Signature) -> dict[str, Callable[[], Kernel]]:
        """How the kernel of each peer is made, for the naive one's signature."""
        sizes, threads, heap = self.trial.sizes, self.threads, self.heap
        found: dict[str, Callable[[], Kernel]] = {
            p.label: partial(self.optimised, p) for p in PEERS if p.form in self.programs
        }
        if self.name in PAPER:
            found |= {
                label: partial(self.in_halide, signature, scheduler)
                for label, scheduler in HALIDE.items()
            }
        found[NUMPY] = partial(in_numpy, self.name, signature)
        found[NUMBA] = partial(in_numba, self.trial.program, signature, sizes, threads)
        if (folder := self.checkout) is not None and self.name in PAPER:
            found[TOOL] = lambda: artifact.kernel(
                self.name, signature, sizes, folder, threads=threads, heap=heap
            )
        return found

    def in_halide(self, signature: Signature, scheduler: str) -> Kernel:
        return halide.kernel(
            *(self.name, signature, self.trial.sizes),
            scheduler=scheduler,
            threads=self.threads,
            heap=self.heap,
        )

    def optimised(self, peer: Peer) -> Kernel:
        return optimisers.kernel(
            peer, self.programs, self.trial.sizes, threads=self.threads, heap=self.heap
        )

    def measured(self, kernels: Mapping[str, Kernel], rounds: int | None) -> Timing:
        given = {**self.trial.arrays, **self.trial.sizes}
        return measure(dict(kernels), given, rounds=rounds, seconds=self.trial.seconds)


def compare(contest: Contest) -> Sweep:
    """A row for each peer: `seconds`, `ratio` to the baseline, the `peak` of its memory, and
    whether it runs `parallel`.

    A peer that is not here, refuses the program or computes something else has its error. Raises
    PolynbError if the baseline itself cannot be made.
    """
    (first,) = (p for p in PEERS if p.label == BASELINE)
    baseline = contest.optimised(first)
    rows: dict[str, Row] = {}
    kept: dict[str, Kernel] = {BASELINE: baseline}
    slow: dict[str, Kernel] = {}
    for label, make in contest.makers(baseline.signature).items():
        if label == BASELINE:
            continue
        try:  # once, alone with the baseline: what computes something else spoils nobody's turn
            kernel = make()
            once = contest.measured({BASELINE: baseline, label: kernel}, 1)
        except PolynbError as error:
            rows[label] = Row(label, error=" ".join(str(error).split()))
            continue
        (slow if once.ratio(label) * SLOW < 1 else kept)[label] = kernel
    groups = [kept, *({BASELINE: baseline, label: kernel} for label, kernel in slow.items())]
    for kernels in groups:
        timing = contest.measured(kernels, contest.trial.rounds)
        for label, kernel in kernels.items():
            rows.setdefault(label, Row(label, _values(timing, label, kernel)))
    return Sweep(tuple(sorted(rows.values(), key=lambda r: LABELS.index(r.name))))


def _values(timing: Timing, label: str, kernel: Kernel) -> dict[str, Json]:
    low, high = timing.spread(label)
    return {
        "ratio": timing.ratio(label),
        "interval": ends(timing, label),
        "seconds": timing.median(label),
        "quartiles": [low, high],
        "peak": timing.peak(label),
        "parallel": label in (*HALIDE, NUMPY, NUMBA, TOOL) or optimisers.is_parallel(kernel),
        "rounds": timing.rounds,
        "compiler": kernel.compiler,
        "flags": " ".join(f for f in kernel.flags if not f.endswith((".o", ".so"))),
        "heap": kernel.heap,
        "processor": processor(),
        "agreement": timing.agreement,
    }


# -- tables --------------------------------------------------------------------------------


def table(found: Mapping[str, Sweep]) -> Table:
    """A line for each peer, a column for each program."""
    return _by_peer(found, _time)


def ratios(found: Mapping[str, Sweep]) -> Table:
    """The same without times and intervals, for many programs."""
    return _by_peer(found, lambda row: "-" if row.error else f"{row.values['ratio']:.2f}")


def _by_peer(found: Mapping[str, Sweep], cell: Callable[[Row], str]) -> Table:
    rows = [{r.name: r for r in sweep.rows} for sweep in found.values()]
    labels = [label for label in LABELS if any(label in of for of in rows)]
    cells = [[label, *(cell(of[label]) if label in of else "-" for of in rows)] for label in labels]
    return Table(("", *found), cells)


def _time(row: Row) -> str:
    if row.error is not None:
        return "-"
    alone = "" if row.values["parallel"] else ", 1 thread"
    return f"{seconds(row.values['seconds'])}, {row.values['ratio']:.2f}{bracketed(row)}{alone}"


def paper(names: Sequence[str]) -> Table:
    """The same of the paper's Table 4, in milliseconds."""
    known = [n for n in names if n in PAPER]
    fields = ("naive_ms", "propagated_ms", "polly_ms", "polymage_ms", "halide_ms")
    rows = []
    for field in fields:
        cells = []
        for name in known:
            time, naive = getattr(PAPER[name], field), PAPER[name].naive_ms
            cells.append("-" if time is None else f"{time:.2f} ms ({naive / time:.2f})")
        rows.append([field.removesuffix("_ms"), *cells])
    return Table(("", *known), rows)


# -- the command ---------------------------------------------------------------------------


def default_names() -> tuple[str, ...]:
    """The pipelines, then the classic kernels."""
    kernels = (n for n in gallery.names() if gallery.entry(n).source == "classic kernel")
    return (*PAPER, *kernels)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command: what the machine has is printed first, since times depend on it."""
    options = parser("peers", __doc__ or "", sweeping=False)
    options.add_argument(
        "--plot", type=Path, metavar="FILE", help="also draw it (.svg, .png, .pdf)"
    )
    options.add_argument(
        "--tune", type=float, metavar="SECONDS", help="also what pn.tune finds in so many"
    )
    options.add_argument(
        "--artifact", type=Path, metavar="DIR", help="a clone of CC'18's, to add its"
    )
    chosen = options.parse_args(arguments)
    _head()
    everything: dict[str, Sweep] = {}
    for name, scop in pipelines(chosen.names or default_names()):
        one = trial(name, scop, chosen)
        one = replace(one, arrays={**one.arrays, **inputs(name, one.sizes)})
        made = dict(programs(scop, forms(name)))
        if chosen.tune is not None:
            made["tuned"] = tuned(one, chosen.tune)
        for heap in HEAPS:
            contest = Contest(name, one, made, heap, chosen.threads, chosen.artifact)
            try:
                found = compare(contest)
            except PolynbError as error:
                print(f"{name} failed: {' '.join(str(error).split())}", file=sys.stderr)
                continue
            everything[f"{name}, {heap}"] = found
            print(f"\n{name}, heap {heap}\n{_alone(found)}", flush=True)
    for heap in HEAPS if everything else ():
        print(f"\nheap {heap}, times faster than naive\n{ratios(with_heap(everything, heap))}")
    if known := [n for n in with_heap(everything, HEAPS[0]) if n in PAPER]:
        print(f"\nthe paper, Xeon E3-1225 v3, 4 threads (Table 4)\n{paper(known)}")
    write_json(chosen.json, everything)
    if chosen.plot is not None and everything:
        panels = {f"heap {heap}": with_heap(everything, heap) for heap in HEAPS}
        below("peers_plot")(panels).savefig(chosen.plot)
    return not everything


def tuned(of: Trial, budget: float) -> Scop | PolynbError:
    """What `pn.tune` makes of a program in so many seconds, printed, or why it makes nothing."""
    try:
        best = tune(
            of.program,
            of.sizes,
            budget=budget,
            arrays=of.arrays,
            compile_options=of.compile_options,
            progress=False,
        ).best
    except PolynbError as error:
        return error
    print(f"\n{of.program.name}, tuned\n{best}", flush=True)
    return best.program


def with_heap(found: Mapping[str, Sweep], heap: str) -> dict[str, Sweep]:
    """What was measured with one heap, by the names of the programs."""
    named = ((name.rpartition(", "), sweep) for name, sweep in found.items())
    return {name: sweep for (name, _, own), sweep in named if own == heap}


def _head() -> None:
    print(f"{processor()}; -O3 -march=native -ffast-math")
    for compiler in (None, "gcc", "clang"):
        try:
            print(f"{compiler or 'compiler'}: {compilers.find(compiler).version}")
        except PolynbError as error:
            print(f"{compiler or 'compiler'}: {error.message}")
    for peer in PEERS:
        if peer.flags:
            print(f"{peer.label}, of the naive program with its sizes as numbers: {peer.flags}")


def _alone(found: Sweep) -> str:
    """The rows of one program, and why some are missing."""
    done = [
        (r.name, _time(r), "-" if (n := r.values["peak"]) is None else readable(n))
        for r in found.rows
        if r.error is None
    ]
    notes = [f"{r.name}: {r.error}" for r in found.failed]
    return str(Table(("", "median, times faster", "memory"), done, notes=notes))


if __name__ == "__main__":
    run(main)
