"""Foldings made by hand, for tests of what comes after folding."""

from collections.abc import Sequence

import numpy as np

from polynb.errors import Source
from polynb.folding import Folded, Stream, Variant, fold_arrays
from polynb.tracing import Folding, Instruction, LoopOf, RunFacts

Entries = Sequence[tuple[tuple[int, ...], tuple[int, ...]]]
RUN = RunFacts(0, 0.0, "exit 0")


def folded(
    name: str,
    dims: Sequence[str],
    outputs: Sequence[str],
    entries: Entries,
    variant: Variant,
    kind: str = "instruction",
) -> Folded:
    points = np.array([p for p, _ in entries], np.int64).reshape(len(entries), len(dims))
    labels = np.array([v for _, v in entries], np.int64).reshape(len(entries), len(outputs))
    stream = Stream(name, kind, tuple(dims), tuple(outputs))
    return fold_arrays(points, labels, stream, variant)


def folding(
    instructions: Sequence[Instruction],
    executed: dict[str, Entries],
    dependences: dict[tuple[str, str], Entries],
    loops: Sequence[LoopOf],
    variant: Variant | None = None,
    text: str = "",
) -> Folding:
    chosen = variant or Variant()
    by_name = {i.name: i for i in instructions}
    runs = {
        n: folded(n, by_name[n].loops, by_name[n].outputs, e, chosen) for n, e in executed.items()
    }
    pairs = {}
    for (a, b), e in dependences.items():
        outputs = [f"{x}'" for x in by_name[a].loops]
        pairs[a, b] = folded(f"{a} -> {b}", by_name[b].loops, outputs, e, chosen, "dependence")
    return Folding(by_name, runs, pairs, tuple(loops), Source(text, "made"), RUN)
