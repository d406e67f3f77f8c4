"""Live-range reordering, timed: `tests/benchmarks/reordering.py [ROUNDS] [NAME...]`.

Listing 1 of the paper (IMPACT'16) and a few programs with reused scalars, at sizes beyond the
cache, called in turn in one run: as written; scheduled with all false dependences kept
(`preset="none"`, as PPCG's --no-live-range-reordering), also tiled where that leaves something to
tile; reordered, tiled, with the innermost loops interchanged, and with arrays of one live cell
contracted. Ratios are to the program as written. Then how long both schedulers take.
"""

import sys
import time

import polynb as pn
from polynb.errors import PolynbError
from polynb.scop.schedule import Band, walk

SIZES = {
    "lrr_listing1": {"n": 4096},
    "lrr_listing1_scalar": {"n": 4096},
    "lrr_listing3": {"Nx": 256, "Ny": 256, "Nz": 256},
    "gemm_accumulator": {"ni": 700, "nj": 700, "nk": 700},
    "pencil_resize": None,
    "pencil_gaussian": None,
}
TILE = 32


def wide(scop: pn.Scop) -> bool:
    return any(isinstance(b, Band) and b.permutable and b.depth > 1 for b in walk(scop.schedule))


def variants(scop: pn.Scop) -> dict[str, pn.Scop]:
    found = {"as written": scop, "false dependences kept": pn.reorder(scop, preset="none").result}
    if wide(found["false dependences kept"]):
        found["the same, tiled"] = pn.reorder(scop, preset="none", tile=TILE).result
    found["reordered"] = pn.reorder(scop).result
    if wide(found["reordered"]):
        found["reordered, tiled"] = pn.reorder(scop, tile=TILE).result
        try:
            best = pn.reorder(scop, tile=TILE, interchange=(1, 0), contract=True).result
        except PolynbError:  # more than two loops
            best = pn.reorder(scop, tile=TILE, contract=True).result
        found["and interchanged, contracted"] = best
    return found


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    for name in sys.argv[2:] or SIZES:
        sizes = SIZES.get(name) or dict(pn.gallery.sizes(name))
        programs = variants(pn.gallery.load(name))
        for threads in (1, 2):
            print(f"{name}, {sizes}, {threads} thread{'s' * (threads > 1)}")
            print(pn.measure(programs, rounds=rounds, threads=threads, **sizes), end="\n\n")
    print("seconds to schedule            polynb    isl")
    for name in pn.gallery.names():
        entry = pn.gallery.entry(name)
        if entry.source == "classic kernel" or name.startswith(("lrr", "pencil", "stap", "taco")):
            scop = pn.gallery.load(name)
            print(f"{name:28}", *(f"{seconds(scop, s):8.3f}" for s in ("polynb", "isl")))


def seconds(scop: pn.Scop, scheduler: str) -> float:
    start = time.perf_counter()
    pn.reorder(scop, scheduler=scheduler)
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
