"""Propagated against naive parallel kernels: `python tests/benchmarks/kernels.py [ROUNDS]`.

Unsharp mask and Harris at their usual sizes, compiled with `-O3 -march=native -ffast-math` as the
paper does, called in turn in one run. The heap is kept between calls (the honest measure of the
transformation) and fresh (as the naive programs are: they allocate what they need at each call,
and most of their time is page faults). The paper (CC'18, section 6.3) reports 5.6x and 11.3x on
its Xeon E3-1225 v3.
"""

from __future__ import annotations

import sys

import polynb as pn


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    for name in ("unsharp_mask", "harris"):
        derivation = pn.propagate(pn.gallery.load(name))
        sizes = pn.gallery.sizes(name)
        for heap in ("kept", "fresh"):
            timing = pn.measure([derivation], heap=heap, rounds=rounds, fast_math=True, **sizes)
            print(f"{name}, heap {heap}, {sizes}")
            print(timing, end="\n\n")


if __name__ == "__main__":
    main()
