"""Random C loop nests, as `pn.optimise` orders them by default, against gcc -O3 on their text:
`tests/benchmarks/nests.py [--programs 100] [--first 2000] [--threads 1 2] [--tune SECONDS]
[SEED ...]`.

The programs are those of `tests/laws/c_nests.py`. Each is called with the least sizes for which its
text takes `--least` milliseconds. Of a program that is left alone nothing is measured. What seems
slower than 0.97 is measured again, with more rounds; it ends with 1 if one is so by all of its
interval, or if one computes something else than its text, in a single bit.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from typed import Typed

import polynb as pn
from polynb.errors import PolynbError
from polynb.optimising.steps import OrderChosen
from polynb.run.intervals import interval_text

sys.path.insert(0, str(Path(__file__).parents[1] / "laws"))
from c_nests import nest_program

LADDER = (30, 45, 60, 90, 130, 200, 300, 450, 700, 1000, 1500, 2000, 3000)
CELLS = 40_000_000
LIMIT = 0.97
SHORT = "never long enough"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("seeds", nargs="*", type=int, metavar="SEED")
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--first", type=int, default=2000)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--tune", type=float, metavar="SECONDS", help="what pn.tune finds instead")
    parser.add_argument("--least", type=float, default=10.0, help="milliseconds a call")
    args = parser.parse_args()
    ratios: dict[int, list[float]] = {threads: [] for threads in args.threads}
    slower, read, changed, wrong = 0, 0, 0, 0
    for seed in args.seeds or range(args.first, args.first + args.programs):
        text = nest_program(seed).text()
        try:
            scop = pn.parse(text, language="c")
        except PolynbError:
            continue
        read += 1
        found = tuned(scop, text, args) if args.tune else by_default(scop)
        if found is None:
            continue
        changed += 1
        new, said = found
        kernels = {said_threads(t): pn.compile(new, threads=t) for t in args.threads}
        timing = measured({"text": as_typed(scop, text), **kernels}, args.least)
        if isinstance(timing, str):
            said += f" {timing}"
            wrong += timing is not SHORT
        else:
            for threads in args.threads:
                name = said_threads(threads)
                ratio, (low, high) = timing.ratio(name), timing.interval(name)
                ratios[threads].append(ratio)
                slower += high < LIMIT
                said += f" {name} {ratio:.2f} "
                said += interval_text((low, high)) + " SLOWER" * (high < LIMIT)
        print(f"{seed}: {said}", flush=True)
    print(f"{read} programs, {changed} changed; slower than {LIMIT}: {slower}; wrong: {wrong}")
    for threads, each in ratios.items():
        if each:
            print(f"{threads} threads: {statistics.geometric_mean(each):.2f} in the mean")
    return int(slower + wrong > 0)


def by_default(scop: pn.Scop) -> tuple[pn.Scop, str] | None:
    """What is made of a program, and how; None of one that is left alone."""
    made = pn.optimise(scop)
    for s in made.steps:
        if isinstance(s, OrderChosen):
            return made.result, f"{s.order}, by the model {s.gain:.2f};"
    return None


def said_threads(count: int) -> str:
    return f"{count} thread{'s' * (count > 1)}"


def as_typed(scop: pn.Scop, text: str) -> pn.Kernel:
    signature = replace(pn.compile(scop, threads=1).signature, threads=1)
    return Typed(text, signature).compiled("gcc")


def tuned(scop: pn.Scop, text: str, args: argparse.Namespace) -> tuple[pn.Scop, str] | None:
    sizes = long_enough({"text": as_typed(scop, text)}, args.least)
    if isinstance(sizes, str):
        return None
    options = {"threads": max(args.threads)}
    found = pn.tune(scop, sizes, budget=args.tune, trial_seconds=0.1, compile_options=options,
                    progress=False)  # fmt: skip
    return (found.program, f"{found.best.name};") if found.script else None


def measured(kernels: Mapping[str, pn.Kernel], least: float) -> pn.Timing | str:
    """At the least sizes that take long enough; again, with more rounds, what seems slower. Why
    not, if it is not."""
    sizes = long_enough(kernels, least)
    if isinstance(sizes, str):
        return sizes
    timing = pn.measure(kernels, sizes, rounds=7)
    seems_slower = any(timing.ratio(k) < LIMIT for k in range(1, len(kernels)))
    return pn.measure(kernels, sizes, rounds=21) if seems_slower else timing


def long_enough(kernels: Mapping[str, pn.Kernel], least: float) -> dict[str, int] | str:
    """The least sizes for which the first kernel takes so many milliseconds; why there are none."""
    for sizes in ladder(kernels["text"]):
        try:
            timing = pn.measure(kernels, sizes, rounds=3)
        except PolynbError as error:
            return str(error)
        if 1e3 * timing.median(0) >= least:
            return sizes
    return SHORT


def ladder(kernel: pn.Kernel) -> Iterator[dict[str, int]]:
    dimensions = max([1, *(len(a.extents) for a in kernel.signature.arrays)])
    for n in LADDER:
        if n**dimensions <= CELLS:
            sizes = {"n": n, "m": n - n // 10, "steps": 10}
            yield {p: sizes[p] for p in kernel.signature.parameters}


if __name__ == "__main__":
    sys.exit(main())
