"""How fast polynb answers: `python tests/benchmarks/analysis.py`.

Prints the best of five for importing polynb (in a fresh interpreter) and for parsing, analysing
and propagating gallery programs (in this process, after one call to warm up), against what is
promised. Exits 1 if a promise is broken.
"""

import subprocess
import sys
import time
from collections.abc import Callable

import polynb as pn

IMPORT = "import time; t = time.perf_counter(); import polynb; print(time.perf_counter() - t)"


def best(action: Callable[[], object], runs: int = 5) -> float:
    """The shortest of several runs, in seconds."""
    found = []
    for _ in range(runs):
        start = time.perf_counter()
        action()
        found.append(time.perf_counter() - start)
    return min(found)


def importing() -> float:
    """The shortest of five imports in fresh interpreters, in seconds."""
    run = [sys.executable, "-c", IMPORT]
    return min(float(subprocess.check_output(run, text=True)) for _ in range(5))


def answering(name: str) -> Callable[[], object]:
    text = pn.gallery.text(name)

    def answer() -> object:
        scop = pn.parse(text)
        _ = pn.analyze(scop).edges
        return pn.propagate(scop)

    answer()
    return answer


def main() -> int:
    rows = [("import polynb", importing(), 0.3)]
    promised = {"fig1": 0.1, "unsharp_mask": 1.0, "harris": 1.0}
    rows += [(f"parse, analyse, propagate {n}", best(answering(n)), p) for n, p in promised.items()]
    for what, seconds, promise in rows:
        verdict = "ok" if seconds < promise else "TOO SLOW"
        print(f"{what:38} {1000 * seconds:8.1f} ms   promised {1000 * promise:6.0f} ms   {verdict}")
    return any(seconds >= promise for _, seconds, promise in rows)


if __name__ == "__main__":
    sys.exit(main())
