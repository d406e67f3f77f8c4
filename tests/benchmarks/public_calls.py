"""How long each public call takes on programs of growing size, which `growth.py` prints."""

import json
import math
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import growing

import polynb as pn
from polynb.codegen.lower import SEVERAL, lower
from polynb.errors import PolynbError

PROGRAMS: Final[dict[str, tuple[Callable[[int], str], tuple[int, ...]]]] = {
    "chain": (growing.chain, (100, 200, 400)),
    "nests": (growing.nests, (100, 200, 400)),
    "stencils": (growing.stencils, (100, 200, 400)),
    "in_place": (growing.in_place, (100, 200, 400)),
    "parameters": (growing.parameters, (4, 8, 16)),
    "sizes": (growing.sizes, (4, 8, 16)),
}
FREE: Final[dict[str, Any]] = {"max_operations": None}
LEAST: Final = 0.05
"""Processor seconds: what takes less at the largest size has no exponent."""
MOST: Final = 2.0
TIMES: Final[dict[str, Callable[[int], int]]] = {"sizes": lambda n: n + 1}
"""What else a program has more of the larger it is, of which each of its parts has as many: the
exponent is that of the product. (A constraint has a coefficient for each parameter.)"""


def calls(text: str) -> dict[str, float]:
    """Processor seconds of each public call on a program; of one that is refused, until then."""
    found: dict[str, float] = {}

    def timed(name: str, call: Callable[[], Any]) -> Any:
        clock = time.process_time()
        try:
            return call()
        except PolynbError as error:
            print(f"{name}: {error}", file=sys.stderr)
        finally:
            found[name] = time.process_time() - clock

    scop = timed("parse", lambda: pn.parse(text))
    timed("text", lambda: str(scop))
    timed("analyze", lambda: pn.analyze(scop).edges)
    propagated = timed("propagate", lambda: pn.propagate(scop, **FREE))
    reordered = timed("reorder", lambda: pn.reorder(scop, **FREE))
    tiled = timed("tile", lambda: pn.reorder(scop, tile=32, **FREE))
    timed("optimise", lambda: pn.optimise(scop))
    timed("scalarize", lambda: pn.scalarize(scop))
    for name in ("remove_scalars", "forward_operands", "map_scalars", "simplify"):
        timed(name, lambda name=name: getattr(pn, name)(scop, **FREE))  # type: ignore[misc]
    timed("violated_ranges", lambda: pn.violated_ranges(scop, scop.schedule, **FREE))
    timed("to_c", scop.to_c)
    timed("code", lambda: lower(scop, SEVERAL))
    timed("to_html", scop.to_html)
    for name, d in (("propagated", propagated), ("reordered", reordered), ("tiled", tiled)):
        if d is not None:
            timed(f"{name}: check", lambda d=d: pn.check(d))  # type: ignore[misc]
            timed(f"{name}: prove", lambda d=d: pn.prove(d))  # type: ignore[misc]
            timed(f"{name}: code", lambda d=d: lower(d.result, SEVERAL))  # type: ignore[misc]
    for name, d in (("propagated", propagated), ("reordered", reordered)):
        if d is not None:
            timed(f"{name}: to_html", d.to_html)
    return found


def print_calls(chosen: Sequence[str], sizes: Sequence[int]) -> bool:
    """A table for each program: its sizes, and the exponent between the first and the last of
    them. Whether none is above MOST."""
    good = True
    for program in chosen:
        counts = sizes or PROGRAMS[program][1]
        rows = [_apart(program, n) for n in counts]
        times = TIMES.get(program, lambda _: 1)
        of = " of statements times parameters" if program in TIMES else ""
        print(f"{program:26}" + "".join(f"{n:>9}" for n in counts) + f"   exponent{of}")
        for call in rows[0]:
            seconds = [row.get(call, math.nan) for row in rows]
            exponent = _exponent([n * times(n) for n in counts], seconds)
            good &= not exponent > MOST
            said = "" if math.isnan(exponent) else f"{exponent:11.2f}{'  !' * (exponent > MOST)}"
            print(f"  {call:24}" + "".join(f"{s:9.2f}" for s in seconds) + said, flush=True)
    return good


def _apart(program: str, size: int) -> dict[str, float]:
    """The times in a process of its own, which has done everything once before. (No call has a
    limit, of time or of operations: one that used it up would look as if it grew no more.)"""
    call = [sys.executable, __file__, program, str(size)]
    env = {**os.environ, "POLYNB_SECONDS": "inf"}
    found: dict[str, float] = json.loads(
        subprocess.check_output(call, text=True, cwd=Path(__file__).parent, env=env)
    )
    return found


def _exponent(sizes: Sequence[int], seconds: Sequence[float]) -> float:
    """The slope of a line through all sizes where both axes are logarithmic."""
    if len(sizes) < 2 or not seconds[-1] >= LEAST or not min(seconds) > 0:
        return math.nan
    return statistics.linear_regression(
        [math.log(n) for n in sizes], [math.log(s) for s in seconds]
    ).slope


if __name__ == "__main__":
    make = PROGRAMS[sys.argv[1]][0]
    calls(make(4))
    print(json.dumps(calls(make(int(sys.argv[2])))))
