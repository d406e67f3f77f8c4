"""PolyBench/C there and back: `tests/benchmarks/round_trip.py CHECKOUT [NAME...]`.

The kernels of a checkout of PolyBench/C 4.2.1, with the scalars of LICM and of PRE (`scalarize`)
and without them again (`remove_scalars`): how many dependences through scalars each form has, which
scalars are left and why, how long it took, and whether the result, compiled, computes the bits that
gcc's compilation of the original does, at small sizes.
"""

import argparse
import ctypes
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from threads import kernel_text

import polynb as pn
from polynb.evaluation.delicm import KINDS, RoundTrip, counts, round_trip, table
from polynb.tuning.results import Sweep

BASES = (1, 2, 3, 9, 20)
ARGUMENT = re.compile(r"\s*(\w+)\s+(\w+)\s*((?:\[[^]]*\])*)")
TYPES = {"int": np.int32, "double": np.float64, "float": np.float32, "char": np.int8}
BEFORE = {"eps": 0.1}  # what a kernel assigns before its SCoP, which then only reads it


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("names", nargs="*", metavar="NAME")
    given = parser.parse_args()
    rows, wrong = [], 0
    for file in sorted(given.checkout.rglob("*.c")):
        path = file.relative_to(given.checkout).as_posix()
        if "utilities" in path or ".orig" in path or (given.names and file.stem not in given.names):
            continue
        text = kernel_text(file, given.checkout)
        scop = pn.parse(text, language="c")
        for kind in KINDS:
            start = time.process_time()
            trip = round_trip(scop, kind)
            took = time.process_time() - start
            differing = differences(text, trip)
            wrong += bool(differing)
            rows.append(counts(file.stem, kind, trip))
            said = differing or "the bits of the original"
            print(f"{file.stem}, {kind}: {took:.1f} s, {said}", flush=True)
    print(table(Sweep(tuple(rows))))
    return bool(wrong)


def differences(text: str, trip: RoundTrip) -> list[str]:
    """The arrays, and sizes, in which the result and gcc's original differ."""
    scop, found = trip.program, []
    with tempfile.TemporaryDirectory() as folder:
        original, kernel = compiled(text, Path(folder)), pn.compile(trip.removed.result)
        for seed, base in enumerate(BASES):
            sizes = {p: base + (k % 3) * (base > 3) for k, p in enumerate(scop.parameters)}
            given = arguments(text, sizes, seed)
            expected, other = (called(original, text, scop, given, fill) for fill in (0, 1))
            wanted = {a.name for a in kernel.signature.arrays if kernel.signature.needs(a)}
            own = {n: v for n, v in {**BEFORE, **given}.items() if n in wanted}
            result = kernel(own, **sizes)
            for name in (a.name for a in scop.arrays.values() if a.live_out and a.dimensions):
                # what is not written, an output has from its caller
                written = np.equal(expected[name], other[name]) | np.isnan(expected[name])
                bits = [x[name][written].tobytes() for x in (result, expected)]
                if bits[0] != bits[1]:
                    found.append(f"{name} differs at {sizes}")
    return found


def compiled(text: str, folder: Path) -> Callable[..., Any]:
    (folder / "kernel.c").write_text("#include <math.h>\n" + text)
    flags = ["-O2", "-ffp-contract=off", "-shared", "-fPIC", "-w"]
    made = folder / "kernel.so"
    subprocess.run(["gcc", *flags, "-o", made, folder / "kernel.c", "-lm"], check=True)
    name = re.search(r"kernel_\w+", text)
    assert name is not None
    return getattr(ctypes.CDLL(str(made)), name[0])


def declared(text: str) -> list[tuple[str, str, str]]:
    """Type, name and dimensions of each argument."""
    head = text[text.index("(") + 1 : text.index("{")]
    parts = (ARGUMENT.match(part) for part in head[: head.rindex(")")].split(","))
    return [(m[1], m[2], m[3]) for m in parts if m is not None]


def arguments(text: str, sizes: Mapping[str, int], seed: int) -> dict[str, Any]:
    """Random numbers; square matrices have a large diagonal, so that they have factors."""
    random, found = np.random.default_rng(seed), dict[str, Any]()
    for kind, name, dims in declared(text):
        dtype = np.dtype(TYPES.get(kind, np.int8))
        shape = [eval(d, {}, dict(sizes)) for d in re.findall(r"\[([^]]*)\]", dims)]
        if dtype.kind == "f":
            content = random.random(shape) + 0.5
            if len(shape) == 2 and shape[0] == shape[1]:
                content += np.eye(shape[0]) * 2 * shape[0]
        else:
            content = random.integers(0, 4, shape)
        found[name] = np.asarray(content, dtype)
    return {**found, **{p: np.int32(v) for p, v in sizes.items() if p in found}}


def called(
    original: Callable[..., Any], text: str, scop: pn.Scop, given: Mapping[str, Any], fill: int
) -> dict[str, Any]:
    """The arrays after a call; those that are only written, with other content before."""
    found = {}
    passed: list[Any] = []
    for kind, name, dims in declared(text):
        value = given[name].copy()
        if not dims:
            passed.append(getattr(ctypes, f"c_{kind}")(value.item()))
            continue
        if name in scop.arrays and scop.arrays[name].role == "output":
            value += value.dtype.type(fill)
        found[name] = value
        passed.append(value.ctypes.data_as(ctypes.c_void_p))
    original(*passed)
    return found


if __name__ == "__main__":
    sys.exit(main())
