"""Figure 13 and Table 4 of CC'18: naive, propagated, and every peer on this machine.

`python -m polynb.evaluation.figure13 [NAME ...]`: each pipeline, naive and propagated, compiled by
gcc (or what there is) and by clang; by Polly, by Graphite, and by Halide, where its Python package
is installed; all called in turn. Figures are medians, and how many times faster than the naive
program (medians of paired ratios, in brackets their 95 % intervals). The heap is kept between calls
(the measure of the transformation), and fresh (as naive programs are: most of their time is page
faults).
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Final

from polynb.errors import PolynbError
from polynb.evaluation import halide, peers
from polynb.evaluation.commands import parser, pipelines, run, trial, write_json
from polynb.evaluation.paper import PAPER
from polynb.propagation import propagate
from polynb.run import Kernel, compilers, measure
from polynb.run.kernel import HEAPS
from polynb.run.timing import seconds
from polynb.scop.model import Scop
from polynb.tuning.machine import processor
from polynb.tuning.results import Row, Sweep, bracketed
from polynb.tuning.tables import Table
from polynb.tuning.trial import Trial, ends

HALIDE: Final = "Halide"
LABELS: Final = (*(p.label for p in peers.PEERS), HALIDE)


def compare(
    name: str, trial: Trial, propagated: Scop, *, heap: str = "kept", threads: int | None = None
) -> Sweep:
    """A row for each peer: `seconds`, `ratio` to the baseline, and whether it runs `parallel`.

    A peer that is not here, refuses the program or computes something else has its error. Raises
    PolynbError if the baseline itself cannot be made.
    """
    errors: dict[str, str] = {}
    kernels = _kernels(name, trial, propagated, heap, threads, errors)
    if peers.BASELINE not in kernels:
        raise PolynbError(f"there is no baseline for {name}", reason=errors[peers.BASELINE])
    given = {**trial.arrays, **trial.sizes}
    for label, kernel in list(kernels.items()):
        try:  # once, alone with the baseline: what computes something else spoils nobody's turn
            measure({"": kernels[peers.BASELINE], label: kernel}, given, rounds=1)
        except PolynbError as error:
            errors[label] = " ".join(str(error).split())
            del kernels[label]
    timing = measure(kernels, given, rounds=trial.rounds, seconds=trial.seconds)
    rows = [Row(label, error=errors[label]) for label in LABELS if label in errors]
    for label, kernel in kernels.items():
        low, high = timing.spread(label)
        values = {
            "ratio": timing.ratio(label),
            "interval": ends(timing, label),
            "seconds": timing.median(label),
            "quartiles": [low, high],
            "parallel": label == HALIDE or peers.is_parallel(kernel),
            "rounds": timing.rounds,
            "compiler": kernel.compiler,
            "flags": " ".join(f for f in kernel.flags if not f.endswith(".o")),
            "processor": processor(),
            "agreement": timing.agreement,
        }
        rows.append(Row(label, values))
    return Sweep(tuple(sorted(rows, key=lambda r: LABELS.index(r.name))))


def _kernels(
    name: str,
    trial: Trial,
    propagated: Scop,
    heap: str,
    threads: int | None,
    errors: dict[str, str],
) -> dict[str, Kernel]:
    made: dict[str, Kernel] = {}
    for peer in peers.PEERS:
        try:
            made[peer.label] = peers.kernel(
                peer, trial.program, propagated, trial.sizes, threads=threads, heap=heap
            )
        except PolynbError as error:
            errors[peer.label] = error.message
    if peers.BASELINE not in made:
        return made
    signature = made[peers.BASELINE].signature
    try:
        made[HALIDE] = halide.kernel(name, signature, trial.sizes, threads=threads, heap=heap)
    except PolynbError as error:
        errors[HALIDE] = error.message
    return made


def table(found: Mapping[str, Sweep]) -> Table:
    """A line for each peer, a column for each pipeline."""
    rows = [[label, *(_cell(s[label]) for s in found.values())] for label in LABELS]
    return Table(("", *found), rows)


def _cell(row: Row) -> str:
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


def main(arguments: Sequence[str] | None = None) -> int:
    """The command: what the machine has is printed first, since times depend on it."""
    chosen = parser("figure13", __doc__ or "", sweeping=False).parse_args(arguments)
    print(f"{processor()}; -O3 -march=native -ffast-math")
    for compiler in (None, "gcc", "clang"):
        try:
            print(f"{compiler or 'compiler'}: {compilers.find(compiler).version}")
        except PolynbError as error:
            print(f"{compiler or 'compiler'}: {error.message}")
    for peer in peers.PEERS:
        if peer.flags:
            print(f"{peer.label}, of the naive program with its sizes as numbers: {peer.flags}")
    pairs = {name: (s, propagate(s).result) for name, s in pipelines(chosen.names)}
    everything = {}
    for heap in HEAPS:
        found: dict[str, Sweep] = {}
        for name, (scop, propagated) in pairs.items():
            one = trial(name, scop, chosen)
            try:
                found[name] = compare(name, one, propagated, heap=heap, threads=chosen.threads)
            except PolynbError as error:
                print(f"{name} failed: {' '.join(str(error).split())}", file=sys.stderr)
        if found:
            print(f"\nheap {heap}\n{table(found)}")
        for name, s in found.items():
            everything[f"{name}, {heap}"] = s
            for row in s.failed:
                print(f"{row.name} of {name}: {row.error}")
    if everything:
        print(f"\nthe paper, Xeon E3-1225 v3, 4 threads (Table 4)\n{paper(list(pairs))}")
    write_json(chosen.json, everything)
    return not everything


if __name__ == "__main__":
    run(main)
