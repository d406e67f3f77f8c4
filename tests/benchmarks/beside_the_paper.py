"""Our kernels beside the paper's own: `tests/benchmarks/beside_the_paper.py CHECKOUT`.

CHECKOUT is a clone of cdl-saarland/PolyhedralExpressionPropagation, the artifact of CC'18:
PolyMage's naive programs in C++, which g++ compiles here, and what the authors' tool made of them
at several limits on cache lines, as shared objects (for the unsharp mask and the bilateral grid;
they need an OpenMP runtime called libomp.so, Debian's libomp-dev). Nothing of it is part of polynb.

Each program is in a process of its own that keeps its heap; they are called in turn, on 2 threads
that wait passively. Figures are medians, and medians of paired ratios to the paper's naive program.
Results are compared by their sums: the programs have frames of different widths.
"""

import argparse
import ctypes
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

import polynb as pn
from polynb.gallery import sizes as usual_sizes
from polynb.recurrences import with_recurrences

NAMES = ("unsharp_mask", "bilateral_grid")
FLAGS = "-O3 -march=native -ffast-math -fopenmp -DENABLE_OMP_PRAGMAS -shared -fPIC"
KEPT = {
    "MALLOC_MMAP_MAX_": "0",
    "MALLOC_TRIM_THRESHOLD_": "1000000000000",
    "MALLOC_TOP_PAD_": "67108864",
    "OMP_NUM_THREADS": "2",
    "OMP_WAIT_POLICY": "passive",
}
WEIGHT, THRESHOLD = 3.0, 0.001
FRAMES = {"unsharp_mask": 4, "bilateral_grid": 56}  # rows of padding that the paper's programs have


# -- the programs -----------------------------------------------------------------------------


def theirs(checkout: Path, name: str, folder: Path) -> dict[str, Path]:
    """The paper's programs of a pipeline as shared objects: naive, and after its tool."""
    source = checkout / "benchmarks/apps" / name / f"{name}_polymage_naive.cpp"
    naive = folder / f"{name}.so"
    subprocess.run(["g++", *FLAGS.split(), str(source), "-o", str(naive)], check=True)
    built = sorted((checkout / "benchmarks/apps/build" / name).glob("polly-prop-parallel-*.so"))
    different = {path.read_bytes(): path for path in built}  # many limits lead to the same
    made = {f"paper's tool, {path.stem.rpartition('-')[2]}": path for path in different.values()}
    return {"paper's naive": naive, **made}


def ours(name: str) -> dict[str, Path]:
    scop, options = pn.gallery.load(name), {"threads": 2, "fast_math": True}
    propagated = pn.propagate(scop).result
    return {
        "our naive": pn.compile(scop, parallel="trip-count", **options).library,
        "our naive, balanced": pn.compile(scop, **options).library,
        "our propagated": pn.compile(propagated, **options).library,
        "our propagated, strips": pn.compile(
            with_recurrences(propagated, form="strips"), **options
        ).library,
    }


# -- in a process of its own ------------------------------------------------------------------


def smooth(*shape: int) -> np.ndarray:
    """A picture between 0.1 and 0.9 without the noise that no result would be near to."""
    rows, columns = np.linspace(0, 1, shape[-2])[:, None], np.linspace(0, 1, shape[-1])
    plane = 0.5 + 0.4 * np.sin(7 * columns + 3 * rows) * np.cos(5 * rows)
    return np.ascontiguousarray(np.broadcast_to(plane, shape), np.float32)


def their_call(library: ctypes.CDLL, name: str, r: int, c: int) -> tuple[Callable, np.ndarray]:
    frame = FRAMES[name]
    planes = (3,) if name == "unsharp_mask" else ()
    picture, out = smooth(*planes, r + frame, c + frame), np.zeros((*planes, r, c), np.float32)
    pointers = [ctypes.c_void_p(x.ctypes.data) for x in (picture, out)]
    # The scalars of the unsharp mask are floats; the grid's sizes count the frame.
    sizes = [ctypes.c_long(n + frame * (not planes)) for n in (c, r)]
    if planes:
        call = library.pipeline_mask
        scalars = [ctypes.c_float(THRESHOLD), ctypes.c_float(WEIGHT)]
    else:
        call, scalars = library.pipeline_filtered, []
    return lambda: (picture, call(*sizes, *scalars, *pointers)), out


def our_call(library: ctypes.CDLL, name: str, r: int, c: int) -> tuple[Callable, np.ndarray]:
    if name == "unsharp_mask":
        picture = smooth(3, r + 4, c + 4)
        scalars = [np.array([x], np.float32) for x in (WEIGHT, THRESHOLD)]
    else:
        picture, scalars = smooth(r + 52, c + 52), []
    out = np.zeros_like(picture)
    arrays = [picture, *scalars, out]
    sizes = (ctypes.c_int64 * 2)(r, c)
    pointers = (ctypes.c_void_p * len(arrays))(*(a.ctypes.data for a in arrays))
    return lambda: (arrays, library.kernel(sizes, pointers, 2)), out


def serve(which: str, path: str, name: str) -> None:
    """For each line of the input: call once, print the seconds and the sum of the result."""
    import time

    r, c = (usual_sizes(name)[n] for n in "RC")
    library = ctypes.CDLL(path)
    call, out = (our_call if which.startswith("our") else their_call)(library, name, r, c)
    for _ in sys.stdin:
        out.fill(0)
        start = time.perf_counter()
        call()
        seconds = time.perf_counter() - start
        print(json.dumps([seconds, float(out.sum(dtype=np.float64))]), flush=True)


# -- in turn ----------------------------------------------------------------------------------


def compare(programs: dict[str, Path], name: str, rounds: int) -> dict[str, dict[str, float]]:
    """For each program the median in milliseconds and of the ratios, and the sum of its result."""
    processes = {
        label: subprocess.Popen(
            [sys.executable, __file__, "--serve", label, str(path), name],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, **KEPT},
        )
        for label, path in programs.items()
    }  # fmt: skip
    seconds: dict[str, list[float]] = {label: [] for label in programs}
    sums: dict[str, float] = {}
    for k in range(rounds + 2):  # two to warm up
        for label, p in processes.items():
            assert p.stdin
            assert p.stdout
            print(file=p.stdin, flush=True)
            time, sums[label] = json.loads(p.stdout.readline() or "[NaN, NaN]")
            seconds[label] += [time] if k >= 2 else []
    base, *_ = seconds.values()
    return {
        label: {
            "ms": statistics.median(times) * 1e3,
            "ratio": statistics.median(b / t for b, t in zip(base, times, strict=True)),
            "sum": sums[label],
        }
        for label, times in seconds.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("`")[0])
    parser.add_argument("checkout", type=Path)
    parser.add_argument("rounds", type=int, nargs="?", default=41)
    parser.add_argument("--rows", type=Path, help="a file that the figures go to, as JSON")
    options = parser.parse_args()
    found = {}
    for name in NAMES:
        print(f"{name}, {usual_sizes(name)}, {options.rounds} rounds", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            programs = {**theirs(options.checkout, name, Path(folder)), **ours(name)}
            found[name] = compare(programs, name, options.rounds)
        for label, row in found[name].items():
            print(f"{label:24} {row['ms']:7.2f} ms {row['ratio']:6.2f}   sum {row['sum']:.0f}")
        print()
    if options.rows:
        options.rows.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--serve"]:
        serve(*sys.argv[2:])
    else:
        main()
