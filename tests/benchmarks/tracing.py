"""How fast programs are traced, and the law: `tests/benchmarks/tracing.py [--law [CHECKOUT]]`,
`--programs CHECKOUT`.

Without `--law`: nanoseconds for each entry of a stream, from the event in the program to the piece
it is folded into. With it: domains, accesses and flow dependences that a run shows, against those
that the text says, of all affine programs of the gallery or of all kernels of a checkout of
PolyBench/C 4.2.1. With `--programs`: whether PolyBench's whole programs (their small data sets)
print what they print untraced, and how many instructions of their kernels are one piece.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tracing"))

from knowing import comparable, compared
from threads import kernel_text

import polynb as pn
from polynb.evaluation.scalars import with_headers
from polynb.tuning.tables import Table

LIST = """
#include <stdlib.h>
typedef struct node { struct node *next; int value; } node;
int main(void) {
  node *list = NULL;
  int s = 0;
  for (int i = 0; i < 1000; i++) {
    node *n = malloc(sizeof *n);
    n->next = list, n->value = i, list = n;
  }
  for (int r = 0; r < 500; r++)
    for (node *p = list; p; p = p->next) s += p->value;
  return s & 1;
}
"""
SORT = """
int a[2000];
int main(void) {
  unsigned x = 1;
  for (int i = 0; i < 2000; i++) a[i] = (x = x * 1103515245u + 12345u) >> 16;
  for (int i = 1; i < 2000; i++) {
    int key = a[i], j = i - 1;
    while (j >= 0 && a[j] > key) { a[j + 1] = a[j]; j--; }
    a[j + 1] = key;
  }
  return a[0] & 1;
}
"""
FIB = """
int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
int main(void) { return fib(27) & 1; }
"""
BACKPROP = """
#include <stdlib.h>
int main(void) {
  int n1 = 1000, n2 = 400;
  double *l1 = calloc(n1 + 1, 8), *l2 = calloc(n2 + 1, 8), **conn = malloc((n1 + 1) * sizeof *conn);
  for (int k = 0; k <= n1; k++) conn[k] = calloc(n2 + 1 + 40 * (k % 3), 8);
  for (int j = 1; j <= n2; j++) {
    double sum = 0.0;
    for (int k = 0; k <= n1; k++) sum += conn[k][j] * l1[k];
    l2[j] = sum;
  }
  return 0;
}
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--law", nargs="?", type=Path, const=Path(), metavar="CHECKOUT")
    parser.add_argument("--programs", type=Path, metavar="CHECKOUT")
    parser.add_argument("--variant", default="F_GG,W")
    given = parser.parse_args()
    if given.law is not None:
        return law(given.law)
    if given.programs is not None:
        return whole(given.programs)
    print(speed(given.variant))
    return 0


def speed(variant: str) -> Table:
    """Programs, their entries, and the time for each."""
    texts = {
        "gemm (160)": (pn.gallery.load("gemm").to_c(), {"ni": 160, "nj": 160, "nk": 160}),
        "lu (200)": (pn.gallery.load("lu").to_c(), {"n": 200}),
        "jacobi-1d (1000 x 1000)": (
            pn.gallery.load("jacobi_1d").to_c(),
            {"tsteps": 1000, "n": 1000},
        ),
        "backprop (malloc'ed rows)": (BACKPROP, {}),
        "a linked list": (LIST, {}),
        "insertion sort": (SORT, {}),
        "recursive fib(27)": (FIB, {}),
    }
    rows = []
    for name, (text, sizes) in texts.items():
        pn.trace(text, seconds=0.001, **sizes)  # compiles it
        run = min(
            (pn.trace(text, seconds=60.0, variant=variant, **sizes).run for _ in range(2)),
            key=lambda r: r.seconds,
        )
        nanoseconds = run.seconds / run.events * 1e9
        rows.append((name, run.events, f"{run.seconds:.2f}", f"{nanoseconds:.1f}", run.ended))
    head = ("program", "entries", "seconds", "ns each", "ended")
    return Table(head, rows, left=("ended",), notes=(f"folded with {variant}",))


def law(checkout: Path) -> int:
    """The law, program by program; how many do not keep it."""
    wrong = 0
    counts = {"programs": 0, "accesses": 0, "dependences": 0}
    for name, scop in programs(checkout):
        if scop is None:
            print(f"{name}: data decides what it does, or it is not written in C", flush=True)
            continue
        start = time.perf_counter()
        try:
            sizes = {p: 5 + k for k, p in enumerate(scop.parameters)}
            known, differences = compared(scop, sizes)
        except (pn.PolynbError, AssertionError) as error:
            print(f"{name}: not compared: {error}", flush=True)
            wrong += 1
            continue
        took = time.perf_counter() - start
        counts["programs"] += 1
        counts["accesses"] += len(known.accesses)
        counts["dependences"] += len(known.flow)
        wrong += bool(differences)
        said = f"differs: {differences}" if differences else "equal"
        print(f"{name}: {said} ({len(known.accesses)} accesses, {len(known.flow)} dependences, "
              f"{took:.1f} s)", flush=True)  # fmt: skip
    print(", ".join(f"{n} {what}" for what, n in counts.items()), f"{wrong} programs differ")
    return bool(wrong)


SMALL = ("MINI_DATASET", "POLYBENCH_DUMP_ARRAYS")


def whole(checkout: Path) -> int:
    """PolyBench's programs with their `main`, beside gcc's; how many print something else."""
    utilities, wrong = checkout / "utilities", 0
    for file in files(checkout):
        parts = [with_headers(f, [utilities]) for f in (file, utilities / "polybench.c")]
        text = "".join(f"#define {name}\n" for name in SMALL) + "\n".join(parts)
        folding = pn.trace(text, seconds=60.0)
        flags = [*(f"-D{name}" for name in SMALL), f"-I{utilities}", f"-I{file.parent}", "-w"]
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "program"
            sources = [str(file), str(utilities / "polybench.c")]
            subprocess.run(["gcc", *flags, *sources, "-o", program, "-lm"], check=True)
            expected = subprocess.run([program], capture_output=True, text=True, check=True)
        same = folding.run.errors[:15_000] == expected.stderr[:15_000]
        kernel = [n for n, i in folding.instructions.items() if i.function.startswith("kernel_")]
        one = sum(len(folding[n].pieces) == 1 for n in kernel)
        refused = sum(
            f.rejected for f in (*folding.executed.values(), *folding.dependences.values())
        )
        wrong += not same or folding.run.ended != "exit 0" or bool(refused)
        said = "the same output" if same else "ANOTHER OUTPUT"
        print(f"{file.stem}: {said}, {folding.run.ended}, "
              f"{folding.run.events} entries, {one} of {len(kernel)} instructions of the kernel in "
              f"one piece", flush=True)  # fmt: skip
    return bool(wrong)


def files(checkout: Path) -> Iterator[Path]:
    """The programs of a checkout."""
    for file in sorted(checkout.rglob("*.c")):
        path = file.relative_to(checkout).as_posix()
        if "utilities" not in path and ".orig" not in path:
            yield file


def programs(checkout: Path) -> Iterator[tuple[str, pn.Scop | None]]:
    """The gallery's, or those of a checkout."""
    if checkout == Path():
        for name in pn.gallery.names():
            yield name, comparable(pn.gallery.load(name))
        return
    for file in files(checkout):
        yield file.stem, comparable(pn.parse(kernel_text(file, checkout), language="c"))


if __name__ == "__main__":
    sys.exit(main())
