"""Ctrl-C at any moment: `python tests/benchmarks/interrupts.py [NAME ...] [--moments M]`.

Processes call the public functions, each one over and over, and get SIGINT at moments that are
drawn. A process has to catch KeyboardInterrupt within SECONDS and nothing else, nothing may be
printed, and after the last one it computes on, finds what it found before, and ends with 0. (What
is freed twice shows later: memory that is freed is overwritten, `MALLOC_PERTURB_`.)
"""

from __future__ import annotations

import argparse
import itertools
import os
import random
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

SECONDS: Final = 2.0
BEGINS: Final = 240.0  # seconds for two calls: `roofline` fills caches of any size
LONGEST: Final = 2.0  # seconds into a call at which it is interrupted at the latest
EACH: Final = 10  # interrupts of one process

CHAIN: Final = """
#include <math.h>
void f(int n, double a[n]) {
  for (int t = 0; t < 20; t++) for (int i = 1; i < n; i++) a[i] = sqrt(a[i-1] + a[i]);
}
"""


# -- what is called -------------------------------------------------------------------------


def calls() -> dict[str, Callable[[], Any]]:
    """A call of each public function, by its name; other calls besides, with a dot in theirs."""
    import numpy as np

    import polynb as pn
    from polynb.schedules import tile

    load = cache(pn.gallery.load)
    tiled = cache(lambda name, size: pn.reorder(load(name), tile=size))
    ranges = cache(lambda: pn.analyze(load("harris")))
    scalars = cache(lambda: pn.scalarize(load("gemm")).result)
    kernel = cache(lambda: pn.compile(load("jacobi_1d"), threads=1))
    fresh, zeros = itertools.count(), np.zeros(1000)
    grid = [(i, j) for i in range(60) for j in range(60)]

    def compiled() -> Any:  # never from the cache
        return pn.compile(load("gemm"), threads=1, flags=(f"-DFRESH={os.getpid()}{next(fresh)}",))

    def searched() -> Any:
        return pn.search(load("gemm"), ni=8, nj=8, nk=8, most=1, depth=1, progress=False)

    return {
        "analyze": lambda: pn.analyze(load("harris")),
        "budget": _in_budget,
        "check": lambda: pn.check(tiled("fdtd_2d", 32)),
        "compile": compiled,
        "draw": lambda: pn.draw(load("jacobi_2d")),
        "equivalent": lambda: pn.equivalent(pn.propagate(load("fig1")), N=[5, 8]),
        "feedback": lambda: pn.feedback(pn.trace(CHAIN, n=30)),
        "fold": lambda: pn.fold(grid, [3 * i + j for i, j in grid]),
        "forward_operands": lambda: pn.forward_operands(scalars()),
        "map_scalars": lambda: pn.map_scalars(scalars()),
        "measure": lambda: pn.measure(kernel(), n=1000, tsteps=100, rounds=3),
        "parse": lambda: pn.parse(pn.gallery.text("harris")),
        "play": lambda: pn.play(load("gemm")),
        "propagate": lambda: pn.propagate(load("harris")),
        "prove": lambda: pn.prove(pn.propagate(load("harris"))),
        "read_back": lambda: pn.read_back(load("gemm")),
        "reload_test": lambda: [pn.reload_test(ranges(), e) for e in ranges().edges],
        "remove_scalars": lambda: pn.remove_scalars(scalars()),
        "optimise": lambda: pn.optimise(load("lu")),
        "reorder": lambda: pn.reorder(load("fdtd_2d"), tile=32),
        "roofline": lambda: pn.roofline(kernel(), n=1000, tsteps=100, rounds=3),
        "scalarize": lambda: pn.scalarize(load("gemm")),
        "search": lambda: pn.search(
            load("gemm"), ni=8, nj=8, nk=8, most=1, depth=1, progress=False
        ),
        "simplify": lambda: pn.simplify(scalars()),
        "sweep": lambda: pn.sweep({"one": {}}, lambda _: {"C": len(load("gemm").to_c())}),
        "trace": lambda: pn.trace(CHAIN, n=30),
        "transform": lambda: pn.transform(load("gemm"), "interchange i j"),
        "tune": lambda: pn.tune(
            load("gemm"), ni=8, nj=8, nk=8, budget=1, trial_seconds=0.01, progress=False
        ),
        "violated_ranges": lambda: pn.violated_ranges(load("fdtd_2d"), tiled("fdtd_2d", 32).result),
        "Scop.str": lambda: str(tiled("fdtd_2d", 4).result),
        "Scop.to_c": lambda: tiled("fdtd_2d", 32).result.to_c(),
        "Derivation.to_html": lambda: pn.propagate(load("fig1")).to_html(),
        "Kernel.call": lambda: kernel()(n=1000, tsteps=20_000, A=zeros, B=zeros),
        "schedules.tile": lambda: tile(tiled("gemm", 8).result, 16),
    }


def _in_budget() -> None:
    import polynb as pn

    with pn.budget(seconds=60):
        str(pn.propagate(pn.gallery.load("harris")).result)


def sound() -> str:
    """What a process that is in order computes."""
    import polynb as pn

    d = pn.propagate(pn.gallery.load("harris"))
    c = pn.reorder(pn.gallery.load("jacobi_1d"), tile=8).result.to_c()
    return f"{d.result}{c}{pn.prove(d)}"


def _child(name: str, moments: int) -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in the background
    call, before = calls()[name], sound()
    call()
    begun = time.monotonic()
    call()
    print(time.monotonic() - begun, flush=True)
    for _ in range(moments):
        try:
            print("go", flush=True)
            while True:
                call()
        except KeyboardInterrupt:
            print("caught", flush=True)
    call()
    assert sound() == before


# -- interrupting it ------------------------------------------------------------------------


@dataclass(frozen=True)
class Answers:
    """How long a process took to answer each interrupt; what was wrong with it, "" for nothing."""

    name: str
    seconds: tuple[float, ...]
    wrong: str


def interrupted(name: str, moments: int, seed: int, patience: float = SECONDS) -> Answers:
    """A process that calls one function, interrupted at so many moments."""
    command = [sys.executable, __file__, "--child", name, "--moments", str(moments)]
    env = {**os.environ, "MALLOC_PERTURB_": "165", "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        command, stdin=-3, stdout=-1, stderr=-2, env=env, start_new_session=True
    ) as child:
        lines, took = _lines(child), list[float]()
        try:
            wrong = _exchange(child, lines, random.Random(f"{name} {seed}"), took, patience)
        finally:
            child.kill()
    return Answers(name, tuple(took), wrong)


def _exchange(
    child: subprocess.Popen[bytes],
    lines: Iterator[str],
    draw: random.Random,
    took: list[float],
    patience: float,
) -> str:
    first = next(lines)
    try:
        seconds = float(first)
    except ValueError:
        return "\n".join([first, *lines]).strip() or "it did not begin"
    for line in lines:
        if line != "go":
            return "\n".join([line, *lines])
        time.sleep(draw.uniform(0, min(1.1 * seconds + 0.01, LONGEST)))
        child.send_signal(signal.SIGINT)
        sent = time.monotonic()
        if (answer := next(lines)) != "caught":
            return "\n".join([answer, *lines]) if answer else "it did not answer"
        took.append(time.monotonic() - sent)
        if took[-1] > patience:
            return f"it answered after {took[-1]:.1f} seconds"
    code = child.wait(60)
    return f"it ended with {code}" if code else ""


def _lines(child: subprocess.Popen[bytes]) -> Iterator[str]:
    """The lines a process prints, "" for one that it does not print in a minute, or, the first
    one, in BEGINS."""
    assert child.stdout is not None
    text, seconds = b"", BEGINS
    while True:
        while b"\n" in text:
            line, _, text = text.partition(b"\n")
            yield line.decode(errors="replace")
            seconds = 60
        if not select.select([child.stdout], [], [], seconds)[0]:
            yield ""
            return
        if not (more := os.read(child.stdout.fileno(), 65536)):
            if text:
                yield text.decode(errors="replace")
            return
        text += more


def report(answers: Mapping[str, list[Answers]]) -> None:
    """A line for each function, and one for all."""
    every = [a for found in answers.values() for a in found]
    moments, wrong = sum(len(a.seconds) for a in every), [a for a in every if a.wrong]
    slowest = max((s for a in every for s in a.seconds), default=0.0)
    print(f"{moments} moments, {len(every)} processes, {len(wrong)} wrong; answers took up to "
          f"{slowest:.2f} seconds")  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--moments", type=int, default=400)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--child")
    options = parser.parse_args()
    if options.child:
        _child(options.child, options.moments)
        return 0
    names = options.names or list(calls())
    answers: dict[str, list[Answers]] = {name: [] for name in names}
    rounds = -(-options.moments // (EACH * len(names)))
    for k, name in itertools.product(range(rounds), names):
        found = interrupted(name, EACH, options.seed + k)
        answers[name].append(found)
        slowest = max(found.seconds, default=0.0)
        print(f"{name:20} {len(found.seconds):3} {slowest:5.2f} s  {found.wrong}", flush=True)
    report(answers)
    return int(any(a.wrong for found in answers.values() for a in found))


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    sys.exit(main())
