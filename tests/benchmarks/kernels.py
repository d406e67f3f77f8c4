"""Propagated against naive parallel kernels: `tests/benchmarks/kernels.py [ROUNDS] [NAME...]`.

The pipelines of the paper (unsharp mask and Harris unless others are named) at their usual sizes,
compiled with `-O3 -march=native -ffast-math` as the paper does, called in turn in one run: naive,
propagated, and propagated with recurrences in both forms. The heap is kept between calls (the
honest measure of the transformation) and fresh (as the naive programs are: they allocate what they
need at each call, and most of their time is page faults). The paper (CC'18, section 6.3) reports
5.6x and 11.3x on its Xeon E3-1225 v3. "naive" shares its iterations out as the naive programs of
the paper do, `schedule(static)`. Then its Figure 10 with a function that is expensive, exact and
with -ffast-math, and the choice of the parallel loop (section 5.2) by itself.
"""

import sys

import polynb as pn
from polynb.recurrences import FORMS, with_recurrences

FIGURE_10 = """
param N; define f(x) = sqrt(exp(x)) + exp(sqrt(x)); input double A[N+1]; temp tmp[N+1];
for i = 0 to N do tmp[i] = f(A[i]); done
for j = 1 to N-1 do Out[j] = tmp[j-1] + tmp[j] + tmp[j+1]; done
"""


def forms(scop: pn.Scop) -> dict[str, pn.Scop]:
    propagated = pn.propagate(scop).result
    found = {"naive, balanced": scop, "propagated": propagated}
    for form in FORMS:
        result = with_recurrences(propagated, form=form)
        found |= {f"and {form}": result} if result is not propagated else {}
    return found


def kernels(name: str, heap: str) -> dict[str, pn.Kernel]:
    scop = pn.gallery.load(name)
    options = {"heap": heap, "fast_math": True, "sizes": pn.gallery.sizes(name)}
    made = {"naive": pn.compile(scop, parallel="trip-count", **options)}
    return made | {label: pn.compile(s, **options) for label, s in forms(scop).items()}


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    for name in sys.argv[2:] or ("unsharp_mask", "harris"):
        sizes = pn.gallery.sizes(name)
        for heap in ("kept", "fresh"):
            timing = pn.measure(kernels(name, heap), rounds=rounds, **sizes)
            print(f"{name}, heap {heap}, {sizes}")
            print(timing, end="\n\n")
    programs = forms(pn.parse(FIGURE_10))
    for fast_math in (False, True):
        print(f"Figure 10 with an expensive f, {'-ffast-math' if fast_math else 'exact'}")
        print(pn.measure(programs, rounds=rounds, fast_math=fast_math, N=4_000_000), end="\n\n")
    sharpened = pn.propagate(pn.gallery.load("unsharp_mask")).result
    choices = ("outermost", "trip-count", "balanced")
    compared = {c: pn.compile(sharpened, parallel=c, fast_math=True) for c in choices}
    print("unsharp mask, which loop is parallel")
    print(pn.measure(compared, rounds=rounds, **pn.gallery.sizes("unsharp_mask")))


if __name__ == "__main__":
    main()
