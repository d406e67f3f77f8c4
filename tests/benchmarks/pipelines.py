"""Random pipelines of pictures, as `pn.optimise` runs them by default, against the program as
written: `tests/benchmarks/pipelines.py [--programs 100] [--first 0] [--threads 2] [SEED ...]`.

The programs are those of `tests/laws/random_pipelines.py`: two to eight stages in two or three
dimensions, of half, the same and twice the size, with channels and borders. Each result is compared
bit by bit, and proved for every size. What seems slower than 0.97 is measured again; it ends with 1
if one is so by all of its interval, if one is not proved, or computes something else.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Iterator, Mapping
from math import prod
from pathlib import Path

from nests import LIMIT

import polynb as pn
from polynb.errors import PolynbError
from polynb.run.intervals import interval_text
from polynb.scop.sizes import extents_at

sys.path.insert(0, str(Path(__file__).parents[1] / "laws"))
from random_pipelines import random_pipeline

LADDER = (30, 60, 100, 150, 200, 300, 400, 600, 800, 1200, 1600)
CELLS = 40_000_000


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("seeds", nargs="*", type=int, metavar="SEED")
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--least", type=float, default=5.0, help="milliseconds a call")
    args = parser.parse_args()
    seeds = args.seeds or range(args.first, args.first + args.programs)
    ratios, longest, slower, failed = [], 0.0, 0, 0
    for seed in seeds:
        scop = pn.parse(random_pipeline(seed))
        start = time.perf_counter()
        made = pn.optimise(scop)
        longest = max(longest, taken := time.perf_counter() - start)
        if made.result is made.before:
            continue
        said = f"{seed}: {taken:.1f} s;"
        verdict = pn.prove(scop, made.result)
        if not str(verdict).startswith("the same: proved"):
            said, failed = f"{said} NOT PROVED {str(verdict).splitlines()[0]};", failed + 1
        kernels = {
            "written": pn.compile(scop, threads=args.threads),
            "rows": pn.compile(made.result, threads=args.threads),
        }
        try:
            timing = measured(kernels, args.least)
        except PolynbError as error:
            print(said, error, flush=True)
            failed += 1
            continue
        ratios.append(timing.ratio())
        ends = timing.interval()
        is_slower = ends is not None and ends[1] < LIMIT
        slower += is_slower
        text = f"{timing.ratio():.2f} {interval_text(ends)}" + " SLOWER" * is_slower
        print(said, f"{1e3 * timing.median(0):.1f} ms;", text, flush=True)
    print(f"{len(seeds)} pipelines, {len(ratios)} in rows; slower than {LIMIT}: {slower}; wrong or "
          f"not proved: {failed}; answers took up to {longest:.1f} s")  # fmt: skip
    if ratios:
        print(f"{statistics.geometric_mean(ratios):.2f} in the mean, {min(ratios):.2f} at least")
    return int(slower + failed > 0)


def measured(kernels: Mapping[str, pn.Kernel], least: float) -> pn.Timing:
    """At the least size that takes long enough; again, with more rounds, what seems slower."""
    for sizes in ladder(kernels["written"]):
        if 1e3 * pn.measure(kernels, sizes, rounds=3).median(0) >= least:
            break
    timing = pn.measure(kernels, sizes, rounds=7)
    return pn.measure(kernels, sizes, rounds=21) if timing.ratio() < LIMIT else timing


def ladder(kernel: pn.Kernel) -> Iterator[dict[str, int]]:
    """Sizes at which its arrays do not get too large."""
    for n in LADDER:
        sizes = {"N": n}
        shapes = (extents_at(a, sizes) for a in kernel.signature.arrays)
        if sum(prod(e or 0 for e in shape) for shape in shapes) <= CELLS:
            yield sizes


if __name__ == "__main__":
    sys.exit(main())
