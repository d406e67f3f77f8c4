"""PolyBench's kernels, as `pn.optimise` orders them by default: `tests/benchmarks/polybench.py
CHECKOUT [NAME ...] [--threads 1] [--tune SECONDS]`.

CHECKOUT is a clone of PolyBench/C 4.2.1. Every variant of a kernel is called in turn, in one run,
and compared bit by bit with PolyBench's own text compiled by gcc -O3 (no fast math), whose time is
divided by the variant's: Polly's (clang's, one thread, of that text, and of ours with sizes as
numbers) where it is, the kernel as polynb writes it, the default's, and what `pn.tune` finds in
some seconds. What is left alone is the kernel as written. A test's sizes are those of 20 to 200 ms
on a machine of 2022.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from threads import kernel_text
from typed import Typed

import polynb as pn
from polynb.errors import PolynbError
from polynb.evaluation.fixed_sizes import fixed
from polynb.optimising.steps import OrderChosen
from polynb.run.intervals import interval_text
from polynb.run.kernel import Kernel
from polynb.run.worker import WorkerError

SIZES = {
    "2mm": {"ni": 350, "nj": 350, "nk": 350, "nl": 350},
    "3mm": {"ni": 300, "nj": 300, "nk": 300, "nl": 300, "nm": 300},
    "adi": {"tsteps": 10, "n": 500},
    "atax": {"m": 4000, "n": 4000},
    "bicg": {"m": 4000, "n": 4000},
    "cholesky": {"n": 700},
    "correlation": {"m": 400, "n": 450},
    "covariance": {"m": 400, "n": 450},
    "deriche": {"w": 1500, "h": 1500},
    "doitgen": {"nr": 80, "nq": 80, "np": 100},
    "durbin": {"n": 6500},
    "fdtd-2d": {"tmax": 30, "nx": 1000, "ny": 1000},
    "floyd-warshall": {"n": 400},
    "gemm": {"ni": 700, "nj": 700, "nk": 700},
    "gemver": {"n": 3000},
    "gesummv": {"n": 4000},
    "gramschmidt": {"m": 300, "n": 350},
    "heat-3d": {"n": 32},
    "jacobi-1d": {"tsteps": 2000, "n": 20000},
    "jacobi-2d": {"tsteps": 30, "n": 1000},
    "lu": {"n": 500},
    "ludcmp": {"n": 500},
    "mvt": {"n": 3000},
    "nussinov": {"n": 600},
    "seidel-2d": {"tsteps": 10, "n": 800},
    "symm": {"m": 350, "n": 350},
    "syr2k": {"n": 400, "m": 350},
    "syrk": {"n": 500, "m": 450},
    "trisolv": {"n": 6000},
    "trmm": {"m": 350, "n": 400},
}
WITH_ARRAYS = ("durbin",)
"""Kernels that have arrays of their own."""
POLLY = ("-mllvm", "-polly")
TYPED, WRITTEN = "gcc", "as written"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("checkout", type=Path)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(SIZES)}")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--tune", type=float, metavar="SECONDS", help="what pn.tune finds, too")
    args = parser.parse_args()
    found: dict[str, list[float]] = {}
    for file in sorted(args.checkout.rglob("*.c")):
        if file.stem in (args.names or SIZES) and file.stem == file.parent.name:
            own = SIZES[file.stem] if file.stem in WITH_ARRAYS else None
            text = kernel_text(file, args.checkout, own)
            for label, ratio in measured(file.stem, text, args).items():
                found.setdefault(label, []).append(ratio)
    for label, ratios in found.items():
        mean = statistics.geometric_mean(ratios)
        slower = sum(r < 0.97 for r in ratios)
        print(f"{label}: {mean:.2f} in the mean of {len(ratios)}, {slower} below 0.97")
    return 0


def measured(name: str, text: str, args: argparse.Namespace) -> dict[str, float]:
    """How many times as fast as its text each variant of a kernel is, printed on a line."""
    sizes, scop = SIZES[name], pn.parse(text, language="c")
    start = time.perf_counter()
    default = pn.optimise(scop)
    taken = time.perf_counter() - start
    programs = {WRITTEN: scop}
    if any(isinstance(s, OrderChosen) for s in default.steps):
        programs["default"] = default.result
    if args.tune:
        compile_options = {"threads": args.threads}
        tuned = pn.tune(
            scop, sizes, budget=args.tune, compile_options=compile_options, progress=False
        )
        programs["tuned"] = tuned.program
        print("  " + str(tuned.best).replace("\n", "; "))
    kernels = {k: pn.compile(p, threads=args.threads) for k, p in programs.items()}
    typed = Typed(text, replace(pn.compile(scop, threads=1).signature, threads=1))
    text_itself = typed.compiled("gcc")
    for label, kernel in polly(scop, typed, sizes).items():
        if runs(label, {TYPED: text_itself, label: kernel}, sizes):
            kernels[label] = kernel
    kernels = {TYPED: text_itself, **kernels}
    timing = pn.measure(kernels, sizes, rounds=args.rounds)
    ratios = {k: timing.ratio(k) for k in kernels if k != TYPED}
    told = [f"{k} {r:.2f} {interval_text(timing.interval(k))}" for k, r in ratios.items()]
    left = "" if "default" in ratios else ", left alone"
    print(f"{name:15}{1e3 * timing.median(TYPED):6.0f} ms  {', '.join(told)}; {taken:.2f} s{left}")
    sys.stdout.flush()
    return {"default": ratios[WRITTEN], **ratios}


def polly(scop: pn.Scop, typed: Typed, sizes: Mapping[str, int]) -> dict[str, Kernel]:
    try:
        own = pn.compile(
            fixed(scop, sizes), compiler="clang", flags=("-O3", *POLLY), parallel="none", threads=1
        )
        return {"Polly": own, "Polly of the text": typed.compiled("clang", *POLLY)}
    except PolynbError as error:
        print(f"{scop.name}: no Polly ({error.message.splitlines()[0]})")
        return {}


def runs(label: str, kernels: Mapping[str, Kernel], sizes: Mapping[str, int]) -> bool:
    """Polly keeps blocks of matrix products on the stack, on some processors more than there is."""
    try:
        pn.measure(kernels, sizes, rounds=1)
    except WorkerError as error:
        print(f"no {label}: {error.message.splitlines()[0]}")
        return False
    return True


if __name__ == "__main__":
    sys.exit(main())
