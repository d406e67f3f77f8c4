"""One thread against two: `tests/benchmarks/threads.py [--checkout DIR] [NAME...]`.

The programs of the gallery and, given a checkout of PolyBench/C 4.2.1, its kernels, also reordered
with `tile=32` where that takes less than 10 seconds; NAMEs choose some of both. From the smallest
sizes they accept to those that take about `--largest` seconds, and with one parameter large and
all others small. The two kernels of a program are called in turn; what counts is the ratio of
their least times (others may use the machine), beyond a microsecond that a call may cost. What
seems slower than the limit is measured again, for longer, and the processor time of both is
compared: if two threads take no more than one does, they had to wait for others. The worst ratios
come last.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import polynb as pn
from polynb.errors import PolynbError
from polynb.run.measurement import prepared
from polynb.run.timing import seconds

LADDER = (0, 1, 3, 10, 32, 100, 320, 1000, 3200, 10_000, 100_000, 1_000_000, 10_000_000)
LIMIT, CALL = 1.1, 1e-6
PATIENCE = 10.0  # seconds that reordering may take


@dataclass(frozen=True)
class Found:
    name: str
    sizes: dict[str, int]
    one: float
    two: float
    medians: tuple[float, float]
    spreads: tuple[tuple[float, float], tuple[float, float]]
    processors: float | None = None

    @property
    def ratio(self) -> float:
        return max(self.two - CALL, 0.0) / self.one

    def __str__(self) -> str:
        at = " ".join(f"{p}={v}" for p, v in self.sizes.items())
        least = f"{seconds(self.one)} {seconds(self.two)}"
        medians = ", ".join(
            f"{seconds(m)} ({seconds(a)} - {seconds(b)})"
            for m, (a, b) in zip(self.medians, self.spreads, strict=True)
        )
        used = f"; processor time {self.processors:.2f}" if self.processors is not None else ""
        return f"{self.ratio:8.2f}  {self.name:28} {at:32} least {least}; medians {medians}{used}"


def programs(checkout: Path | None) -> Iterator[tuple[str, pn.Scop]]:
    for name in pn.gallery.names():
        yield name, pn.gallery.load(name)
    for file in sorted(checkout.rglob("*.c")) if checkout else ():
        if file.stem != file.parent.name or "utilities" in file.parts:
            continue
        scop = pn.parse(kernel_text(file, checkout), language="c")
        yield f"polybench:{file.stem}", scop
        start = time.perf_counter()
        result = pn.reorder(scop, tile=32).result
        if time.perf_counter() - start < PATIENCE:
            yield f"polybench:{file.stem} tiled", result


def kernel_text(file: Path, checkout: Path, sizes: Mapping[str, int] | None = None) -> str:
    """The kernel's function, preprocessed: its arrays are then C99's, its bounds parameters. Arrays
    of its own have these sizes, or else those of PolyBench's large data set."""
    include = [f"-I{checkout / 'utilities'}", f"-I{file.parent}"]
    own = ["-DPOLYBENCH_USE_C99_PROTO", "-Dbase=char"]  # a type of nussinov's
    own += [f"-D{name.upper()}={value}" for name, value in (sizes or {}).items()]
    command = ["cc", "-E", "-P", *own, *include, str(file)]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    start = re.search(r"void\s+kernel_\w+\s*\(", text)
    assert start is not None, file
    depth = end = 0
    for end in range(text.index("{", start.start()), len(text)):
        depth += (text[end] == "{") - (text[end] == "}")
        if depth == 0:
            break
    return text[start.start() : end + 1]


def points(scop: pn.Scop) -> Iterator[tuple[bool, dict[str, int]]]:
    """Parameter values, and whether all larger ones may be left out if these take too long."""
    for v in LADDER if scop.parameters else (0,):
        yield True, dict.fromkeys(scop.parameters, v)
    if len(scop.parameters) > 1:
        for p in scop.parameters:
            for large, small in ((20_000, 8), (20_000, 64), (2000, 200)):
                yield False, dict.fromkeys(scop.parameters, small) | {p: large}


def compared(name: str, scop: pn.Scop, budget: float, largest: float) -> Iterator[Found]:
    try:
        kernels = {str(k): pn.compile(scop, threads=k, timeout=8 * largest) for k in (1, 2)}
    except PolynbError as error:
        print(f"{name}: {error.message}")
        return
    done = False
    for ladder, sizes in points(scop):
        if ladder and done:
            continue
        try:
            found = timed(name, kernels, sizes, budget)
            if found.ratio > LIMIT:
                again = timed(name, kernels, sizes, 5 * budget)
                found = min(found, again, key=lambda f: f.ratio)
                used = processor_times(list(kernels.values()), sizes)
                found = replace(found, processors=used)
        except PolynbError as error:  # too small, too large, or it takes too long
            done = done or ("least" not in error.message and max(sizes.values(), default=0) > 100)
            continue
        done = done or found.one > largest / 8
        yield found


def timed(name: str, kernels: dict[str, pn.Kernel], sizes: dict[str, int], budget: float) -> Found:
    t = pn.measure(kernels, seconds=budget, **sizes)
    one, two = (min(samples) for samples in t.samples)
    return Found(name, sizes, one, two, (t.median(0), t.median(1)), (t.spread(0), t.spread(1)))


def processor_times(kernels: list[pn.Kernel], sizes: dict[str, int], rounds: int = 20) -> float:
    """The processor time of all threads of the second kernel to that of the first's (Linux)."""
    calls, _ = prepared(kernels, sizes)
    used = []
    for kernel, call in zip(kernels, calls, strict=True):
        with kernel.bound(call) as bound:
            bound.run()
            start = _processor_time(bound.worker.pid)
            for _ in range(rounds):
                bound.reset()
                bound.run()
            used.append(_processor_time(bound.worker.pid) - start)
    return used[1] / max(used[0], 1)


def _processor_time(pid: int) -> int:
    tasks = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(t.read_text().split()[0]) for t in tasks)


def main() -> None:
    parser = argparse.ArgumentParser(description="one thread against two")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--checkout", type=Path)
    parser.add_argument("--seconds", type=float, default=0.1)
    parser.add_argument("--largest", type=float, default=1.0)
    parser.add_argument("--worst", type=int, default=20)
    given = parser.parse_args()
    found: list[Found] = []
    for name, scop in programs(given.checkout):
        if not given.names or name.split(":")[-1].split()[0] in given.names:
            for f in compared(name, scop, given.seconds, given.largest):
                print(f, flush=True)
                found.append(f)
    found.sort(key=lambda f: f.ratio, reverse=True)
    over = sum(f.ratio > LIMIT for f in found)
    print(f"\n{len(found)} comparisons, {over} over {LIMIT}; the worst:")
    print(*found[: given.worst], sep="\n")


if __name__ == "__main__":
    main()
