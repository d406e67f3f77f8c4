"""How fast streams are folded: `python tests/benchmarks/folding.py [--most N] [--plot FILE]`.

First the reference in Python and the engine in C on arrays of several shapes, the best of some
rounds. Then streams of 10^5 to N points (10^9 unless --most says otherwise), made and folded in one
C program, so that nothing is kept but what is folded: seconds, points a second, and the memory of
the process. The last line is the exponent of a line through them: 1 is linear in the stream.
"""

import argparse
import ctypes
import math
import multiprocessing
import resource
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polynb.folding import Folder
from polynb.folding.engine import EngineFolder, text
from polynb.run import compilers
from polynb.run.cache import Build, shared_object
from polynb.tuning.tables import Table

Ints = NDArray[np.int64]
SECONDS = 0.5  # for the rounds of one measurement
REFERENCE = 20_000  # points that the reference is given


def box(*extents: int) -> Ints:
    return np.stack([axis.ravel() for axis in np.indices(extents)], axis=1)


def irregular(points: Ints, axis: int) -> Ints:
    """Labels with a base that lies anywhere, for each value of an axis; 8 apart along the other."""
    bases = np.random.default_rng(0).integers(0, 10**6, points[:, axis].max() + 1)
    return bases[points[:, axis]] + 8 * points[:, 1 - axis]


def shapes() -> Iterator[tuple[str, Ints, Ints, dict[str, Any]]]:
    """A name, points, labels, and what the folder is to do."""
    rows = box(10_000, 100)
    yield "rows of 100", rows, rows @ [100, 1], {}
    yield "rows of 100, two labels", rows, rows, {}
    yield "rows of 100, ⊤ along them", rows, irregular(rows, 1), {}
    yield "rows of 100, ⊤ across them", rows, irregular(rows, 0), {}
    short = box(125_000, 8)
    yield "rows of 8", short, short @ [8, 1], {}
    yield "rows of 8, two labels", short, short, {}
    yield "rows of 8, ⊤ along them", short, irregular(short, 1), {}
    yield "rows of 8, ⊤ across them", short, irregular(short, 0), {}
    yield "single points", box(200_000, 1), np.arange(200_000), {}
    planes = box(15_625, 8, 8)
    yield "planes of 8 by 8", planes, planes @ [64, 8, 1], {}
    cube = box(100, 100, 100)
    yield "cube of 100", cube, cube @ [10_000, 100, 1], {}
    triangle = np.argwhere(np.tri(1414, dtype=bool))
    yield "triangle", triangle, triangle @ [1, 2], {}
    half = np.argwhere(np.random.default_rng(0).random((1000, 1000)) < 0.5)
    yield "half of all points, F", half, half @ [1, 2], {"widen": False}
    yield "half of all points, given up", half, half @ [1, 2], {"give_up": 9}
    yield "every other column, given up", rows * [1, 2], rows @ [1, 1], {"give_up": 9}


def best(run: Callable[[], float]) -> float:
    """The best of as many rounds as fit into SECONDS, at least one."""
    found, end = [run()], time.perf_counter() + SECONDS
    while time.perf_counter() < end:
        found.append(run())
    return min(found)


def timed(made: Callable[[], Folder | EngineFolder], points: Ints, labels: Ints) -> float:
    folder = made()
    start = time.perf_counter()
    folder.feed(points, labels)
    return time.perf_counter() - start


def speeds() -> Table:
    """Millions of points a second, of arrays that are there."""
    rows = []
    for name, points, labels, options in shapes():
        points, labels = np.ascontiguousarray(points), labels.reshape(len(points), -1)
        arguments = points.shape[1], labels.shape[1]
        options = {"widen": True, **options}
        some, theirs = points[:REFERENCE], labels[:REFERENCE]

        def reference(arguments=arguments, options=options) -> Folder:
            return Folder(*arguments, **options)

        def engine(arguments=arguments, options=options) -> EngineFolder:
            return EngineFolder(*arguments, **options)

        slow = best(lambda: timed(reference, some, theirs))  # noqa: B023
        fast = best(lambda: timed(engine, points, labels))  # noqa: B023
        folder = engine()
        folder.feed(points, labels)
        found = len(points) / fast / 1e6, len(some) / slow / 1e6
        rows.append((name, len(points), len(folder.finish()), folder.most_live, *found))
    head = ("stream", "points", "pieces", "most live", "engine, M/s", "reference, M/s")
    return Table(head, rows)


# -- five decades ----------------------------------------------------------------------------

GENERATOR = r"""
#include <stdio.h>
/* n points: rows of 1000, planes of 100 rows; kind 0 is affine, 1 has rows that lie anywhere, 2 has
   rows with gaps, whose pieces are taken as they retire, 3 is that given up. */
int64_t generate(int64_t n, int kind, int64_t *stats) {
  fold *f = fold_new(3, 1, 1, kind == 3 ? 13 : 0, 1);
  int64_t iv[3], labels[1000], taken[256], pieces = 0;
  if (!f) return -1;
  for (int64_t done = 0; done < n; done += 1000) {
    int64_t row = done / 1000;
    iv[0] = row / 100, iv[1] = row % 100, iv[2] = 0;
    int64_t base = kind == 1 ? (row % 100) * (row % 100) * 4099 : 1000 * row;
    for (int64_t k = 0; k < 1000; k++) labels[k] = base + k;
    if (kind < 2) {
      if (fold_row(f, iv, 1000, labels)) return -1;
      continue;
    }
    for (int64_t k = 0; k < 1000; k += 100) {
      iv[2] = k + k / 100 + row % 2;
      if (fold_row(f, iv, 100, labels + k)) return -1;
    }
    for (int64_t got; (got = fold_pieces(f, taken, 256)) > 0;)
      for (int64_t at = 0; at < got; at += taken[at]) pieces++;
  }
  fold_stats(f, stats);
  if (fold_finish(f)) return -1;
  for (int64_t got; (got = fold_pieces(f, taken, 256)) > 0;)
    for (int64_t at = 0; at < got; at += taken[at]) pieces++;
  fold_free(f);
  return pieces;
}
"""
KINDS = ("affine", "rows that lie anywhere", "rows with gaps", "rows with gaps, given up")


def generated(points: int, kind: int) -> tuple[float, int, int, float]:
    """Seconds, pieces, most live, and the MB by which the process grew."""
    compiler = compilers.find()
    made = shared_object(Build(compiler, compiler.flags(), text() + GENERATOR))
    generate = ctypes.CDLL(str(made)).generate
    generate.restype = ctypes.c_int64
    stats = (ctypes.c_int64 * 6)()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.perf_counter()
    pieces = generate(ctypes.c_int64(points), kind, stats)
    seconds = time.perf_counter() - start
    assert pieces > 0, "there is no memory"
    assert stats[0] == points
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    return seconds, pieces, stats[2], grown / 1000


def decades(most: int) -> tuple[Table, dict[str, list[tuple[int, float]]]]:
    """Each size in a process of its own."""
    rows, lines = [], {}
    sizes = [10**k for k in range(5, 13) if 10**k <= most]
    for kind, name in enumerate(KINDS):
        found = []
        for size in sizes:
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                seconds, pieces, live, memory = pool.apply(generated, (size, kind))
            found.append((size, seconds))
            rows.append((name, f"{size:.0e}", seconds, size / seconds / 1e6, pieces, live, memory))
        lines[name] = found
        if len(found) > 1:
            logs = np.log([[s, t] for s, t in found])
            exponent = np.polyfit(logs[:, 0], logs[:, 1], 1)[0]
            rows.append((name, "exponent", float(exponent), None, None, None, None))
    head = ("stream", "points", "seconds", "M/s", "pieces", "most live", "MB more")
    return Table(head, rows, left=("points",)), lines


def plot(lines: dict[str, list[tuple[int, float]]], file: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(6, 4))
    for name, found in lines.items():
        axes.loglog(*zip(*found, strict=True), marker="o", label=name)
    axes.set(xlabel="points", ylabel="seconds")
    axes.legend()
    figure.savefig(file, bbox_inches="tight")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--most", type=float, default=1e9, help="points of the longest stream")
    parser.add_argument("--plot", type=Path, help="a file for the plot of seconds over points")
    parser.add_argument("--only", choices=("speeds", "decades"))
    options = parser.parse_args()
    if options.only != "decades":
        print(speeds(), end="\n\n")
    if options.only != "speeds":
        table, lines = decades(math.floor(options.most))
        print(table)
        if options.plot:
            plot(lines, options.plot)


if __name__ == "__main__":
    main()
