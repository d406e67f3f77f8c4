"""How time and memory grow: `python tests/benchmarks/growth.py [PROGRAM [SIZE ...]] [--rows FILE]`.

Chains, nests, stencils, sweeps in place and parameters, in every public call: processor time
at each size, and the exponent of growth through all of them (`public_calls.py`); ends with 1 if one
is above 2. With the name of another program, or `pipelines` for all of those, what follows.

Programs of growing size are parsed, analysed, propagated and printed, each size in a process of
its own. A table says how much processor time each phase took, how large the process became, and
how many distinct nodes the largest expression left has. The last column is the exponent of growth
of the whole since the size before: 1 is linear in the statements, 2 quadratic; below the sizes of a
program stands that of a line through all of them. `--phase` leaves out what comes after it.

Two chains are propagated whole, into one statement. Of the two-dimensional one that has a number of
nodes that grows with the cube of the stages, as each stage's window does with their square; its
time is compared with its nodes, too.
"""

import argparse
import json
import math
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from public_calls import PROGRAMS as CALLS, print_calls

import polynb as pn
from polynb.gallery.pipelines import interpolate, local_laplacian
from polynb.source.tree import walk

PHASES = ("parse", "analyze", "propagate", "print")


def chain_1d(stages: int) -> str:
    """3-point stencils, each of the one before."""
    names = ["A", *(f"t{k}" for k in range(1, stages)), "B"]
    loops = [
        f"for i = {k} to N - {k + 1} do\n  {b}[i] = {a}[i-1] + 2.0 * {a}[i] + {a}[i+1];\ndone"
        for k, (a, b) in enumerate(pairwise(names), 1)
    ]
    head = f"param N; assume N >= {2 * stages + 2}; input A[N]; output B[N];"
    return "\n".join([head, *_temporaries(names, "[N]"), *loops])


def chain_2d(stages: int) -> str:
    """9-point stencils, each of the one before."""
    names = ["A", *(f"t{k}" for k in range(1, stages)), "B"]
    loops = []
    for k, (a, b) in enumerate(pairwise(names), 1):
        around = " + ".join(f"{a}[i+({y})][j+({x})]" for y in (-1, 0, 1) for x in (-1, 0, 1))
        loops.append(
            f"for i = {k} to N - {k + 1} do for j = {k} to N - {k + 1} do\n"
            f"  {b}[i][j] = ({around}) / 9.0;\n"
            "done done"
        )
    head = f"param N; assume N >= {2 * stages + 2}; input A[N][N]; output B[N][N];"
    return "\n".join([head, *_temporaries(names, "[N][N]"), *loops])


def writers(count: int) -> str:
    """One array whose cells are written by many statements, in several ways, and read after each
    fourth of them."""
    loops = []
    for k in range(count):
        match k % 4:
            case 0:
                loops.append(f"for i = 0 to N do t[i] = A[i] * {k}.0; done")
            case 1:
                loops.append(f"t[{k}] = A[{k}];")
            case 2:
                loops.append(f"for i = {k} to N do t[i] = A[i] + {k}.0; done")
            case _:
                loops.append(f"for i = 0 to N do B[{k // 4}][i] = t[i] + t[N-i]; done")
    head = f"param N; assume N >= {count}; input A[N+1]; output B[{count // 4 + 1}][N+1];"
    return "\n".join([head, "temp t[N+1];", *loops])


def planes(count: int) -> str:
    """As `writers`, but each statement writes, and reads, a plane of its own of one array."""
    loops = [
        f"for i = 0 to N do t[{k}][i] = A[i] * {k}.0; done\n"
        f"for i = 0 to N do B[{k}][i] = t[{k}][i] + t[{k}][N-i]; done"
        for k in range(count // 2)
    ]
    head = f"param N; assume N >= 4; input A[N+1]; output B[{count // 2 + 1}][N+1];"
    return "\n".join([head, f"temp t[{count // 2 + 1}][N+1];", *loops])


def pyramid(levels: int) -> str:
    """A Laplacian pyramid of a line, taken apart and put together again: sampling down by two, up
    with a case for even and one for odd cells, and differences."""
    size = [f"N_{k}" for k in range(levels + 1)]
    head = f"param {', '.join(size)}; assume {size[-1]} >= 4; input g0[{size[0]}];"
    assumed = "".join(f" assume {a} == 2*{b};" for a, b in pairwise(size))
    lines = [head + assumed]
    lines += [f"temp g{k}[{size[k]}], d{k}[{size[k]}];" for k in range(1, levels + 1)]
    lines += [f"temp u{k}[{size[k]}], l{k}[{size[k]}], o{k}[{size[k]}];" for k in range(1, levels)]
    lines += [f"temp u0[{size[0]}], l0[{size[0]}]; output o0[{size[0]}];"]
    for k in range(levels):
        below, above = size[k], size[k + 1]
        lines.append(
            f"for i = 1 to {above} - 2 do\n"
            f"  g{k + 1}[i] = (g{k}[2*i-1] + 2.0 * g{k}[2*i] + g{k}[2*i+1]) * 0.25;\ndone\n"
            f"g{k + 1}[0] = g{k}[0]; g{k + 1}[{above} - 1] = g{k}[{below} - 1];"
        )
    for k in range(levels):
        lines.append(_up(f"u{k}", f"g{k + 1}", size[k]))
        lines.append(f"for i = 0 to {size[k]} - 1 do l{k}[i] = g{k}[i] - u{k}[i]; done")
    above = f"g{levels}"
    for k in reversed(range(levels)):
        up = f"v{k}"
        lines.insert(1, f"temp {up}[{size[k]}];")
        lines.append(_up(up, above, size[k]))
        lines.append(f"for i = 0 to {size[k]} - 1 do o{k}[i] = l{k}[i] + {up}[i]; done")
        above = f"o{k}"
    return "\n".join(lines)


def _up(to: str, of: str, size: str) -> str:
    return (
        f"for i = 0 to {size} - 1 do\n"
        f"  if mod(i, 2) == 0 then {to}[i] = {of}[floord(i, 2)];\n"
        f"  else if i <= {size} - 2 then\n"
        f"    {to}[i] = ({of}[floord(i, 2)] + {of}[floord(i, 2) + 1]) * 0.5;\n"
        f"  else {to}[i] = {of}[floord(i, 2)]; fi fi\ndone"
    )


def _temporaries(names: Sequence[str], extents: str) -> list[str]:
    found = ", ".join(f"{n}{extents}" for n in names[1:-1])
    return [f"temp {found};"] if found else []


PROGRAMS: dict[str, tuple[Callable[[int], str], tuple[int, ...]]] = {
    "chain_1d": (chain_1d, (8, 16, 32)),
    "chain_2d": (chain_2d, (3, 6, 12)),
    "writers": (writers, (25, 50, 100)),
    "planes": (planes, (100, 200, 400)),
    "pyramid": (pyramid, (2, 4, 8)),
    "interpolate": (interpolate.program, (3, 5, 7, 10, 14)),
    "local_laplacian": (local_laplacian.program, (2, 4, 6, 8)),
}


OPTIONS: dict[str, dict[str, Any]] = {
    name: {"heuristics": (), "order": "first_write"} for name in ("chain_1d", "chain_2d")
}
"""Chains are propagated into one statement, however many cells it then needs."""


def measured(program: str, size: int, last: str) -> dict[str, float]:
    """Processor seconds of each phase up to `last`, statements, peak memory in MB, nodes."""
    text = PROGRAMS[program][0](size)
    pn.parse("x = 1;")  # reads the grammar
    found: dict[str, float] = {}
    clock = time.process_time()

    def lap(phase: str) -> bool:
        nonlocal clock
        found[phase], clock = time.process_time() - clock, time.process_time()
        return phase == last

    def run() -> None:
        scop = pn.parse(text)
        found["statements"] = len(scop.statements)
        if lap("parse"):
            return
        _ = pn.analyze(scop).edges
        if lap("analyze"):
            return
        result = pn.propagate(scop, **OPTIONS.get(program, {})).result
        found["nodes"] = max(len(list(walk(s.expression))) for s in result.statements)
        if lap("propagate"):
            return
        str(result)
        lap("print")

    run()
    found["MB"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("`")[0])
    parser.add_argument("program", nargs="?", choices=(*CALLS, *PROGRAMS, "pipelines"))
    parser.add_argument("size", nargs="*", type=int)
    parser.add_argument("--phase", choices=PHASES, default=PHASES[-1])
    parser.add_argument("--json", action="store_true", help="one measurement, as JSON")
    parser.add_argument("--rows", type=Path, help="a file that all measurements go to, as JSON")
    options = parser.parse_args(arguments)
    if options.program is None or options.program in CALLS:
        chosen = [options.program] if options.program else list(CALLS)
        sys.exit(0 if print_calls(chosen, options.size) else 1)
    if options.json:
        print(json.dumps(measured(options.program, options.size[0], options.phase)))
        return
    phases = PHASES[: PHASES.index(options.phase) + 1]
    print(
        f"{'':16} statements" + "".join(f"{p:>11}" for p in phases) + "     memory   nodes growth"
    )
    rows = []
    for program in PROGRAMS if options.program == "pipelines" else [options.program]:
        points: list[tuple[float, float, float]] = []
        for size in options.size or PROGRAMS[program][1]:
            call = [sys.executable, __file__, "--json", "--phase", options.phase, program]
            row = json.loads(subprocess.check_output([*call, str(size)], text=True))
            rows.append({"program": program, "size": size, **row})
            points.append((row["statements"], sum(row[p] for p in phases), row.get("nodes", 1)))
            print(
                f"{program + ' ' + str(size):16} {row['statements']:10}"
                + "".join(f"{row[p]:9.2f} s" for p in phases)
                + f" {row['MB']:7.0f} MB {row.get('nodes', 0):7} {_growth(points[-2:])}",
                flush=True,
            )
        if len(points) > 2:
            print(f"{'':16} growth over all sizes {_growth(points)}", end="")
            nodes = [(n, seconds, n) for _, seconds, n in points]
            print(f"; in nodes {_growth(nodes)}" if program in OPTIONS else "")
    if options.rows:
        options.rows.write_text(json.dumps(rows, indent=1) + "\n")


def _growth(points: Sequence[tuple[float, float, float]]) -> str:
    """The slope of a line through (size, seconds) where both axes are logarithmic."""
    if len(points) < 2:
        return ""
    xs, ys = ([math.log(p[k]) for p in points] for k in (0, 1))
    return f"{statistics.linear_regression(xs, ys).slope:6.2f}"


if __name__ == "__main__":
    main()
