"""What of the passes' results is proved: `tests/benchmarks/proofs.py [CHECKOUT] [NAME...]`.

The programs of the gallery or, of a checkout of PolyBench/C 4.2.1, its kernels, against what each
pass makes of them: how long the proof took (seconds of the processor), and why not, if not.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "proofs"))

from passes import WAYS
from threads import kernel_text

import polynb as pn

PASSES = 120.0  # seconds that a pass may take


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkout", nargs="?", type=Path)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--ways", nargs="*", choices=list(WAYS), default=list(WAYS))
    given = parser.parse_args()
    answers: Counter[str] = Counter()
    longest = 0.0
    for name, scop in programs(given.checkout, given.names):
        for way in given.ways:
            try:
                with pn.budget(seconds=PASSES):
                    after = WAYS[way](scop)
            except pn.PolynbError as error:
                print(f"{name}, {way}: no result: {error.message}", flush=True)
                continue
            start = time.process_time()
            proof = pn.prove(scop, after)
            took = time.process_time() - start
            answers[proof.answer] += 1
            longest = max(longest, took)
            if not proof or took > 1:
                print(f"{name}, {way}: {took:.1f} s, {str(proof)[:300]}", flush=True)
    print(", ".join(f"{k} {n}" for k, n in answers.items()), f"at most {longest:.1f} s each")
    return bool(answers["different"])


def programs(checkout: Path | None, names: list[str]) -> Iterator[tuple[str, pn.Scop]]:
    if checkout is None or not checkout.is_dir():
        for name in [*([str(checkout)] if checkout else []), *names] or pn.gallery.names():
            yield name, pn.gallery.load(name)
        return
    for file in sorted(checkout.rglob("*.c")):
        path = file.relative_to(checkout).as_posix()
        if "utilities" in path or ".orig" in path or (names and file.stem not in names):
            continue
        yield file.stem, pn.parse(kernel_text(file, checkout), language="c")


if __name__ == "__main__":
    sys.exit(main())
