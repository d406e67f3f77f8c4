"""What passes between polynb and a traced program: files of 64-bit numbers.

The plan says what the run is for, its limits, and where functions and loops are; the results are
the graph of blocks (of the first run) or the streams, folded (of the second). The other side is
runtime/start.c and runtime/results.c.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from polynb.errors import PolynbError
from polynb.folding.search import SLOPE
from polynb.tracing.launching.words import ENDINGS, Fold, WordReader, Words, ending, require
from polynb.tracing.programs.forest import BlockLoop

GRAPH: Final = 1
FOLD: Final = 2
CALL: Final = 0xFFFFFFFF  # in the place of an edge's function: an edge of the call graph
ENDED: Final = (
    *ENDINGS,
    "too deep", "too many contexts", "control flow that the first run did not see",
)  # fmt: skip
STATE, UNKNOWN = 1, 2
MARK: Final = 0x656E64


@dataclass(frozen=True)
class RunLimits:
    """Of one run: seconds, entries of all streams, bytes of memory (0: no limit)."""

    seconds: int = 60
    entries: int = 0
    memory: int = 4 << 30


@dataclass(frozen=True)
class VariantWords:
    """A variant of the folding (section 6) as the engine takes it: F_GG,W is (True, True)."""

    widen: bool
    give_up: bool


@dataclass(frozen=True)
class RunHead:
    """How a run went, as the runtime saw it."""

    mode: int
    how: int
    detail: int
    nanoseconds: int
    blocks: int
    entries: int
    outside: int
    unforeseen: int
    merged: int
    rejected: int
    memory: int
    code: int
    fault: int
    lost: int

    @property
    def ended(self) -> str:
        """`exit`, `time limit`, `signal` ... Raises Broken."""
        return ending(ENDED, self.how, self.detail)


@dataclass(frozen=True)
class BlockGraph:
    """The first run: `(function, from, to)` for blocks (from 0: the function's entry), `(caller,
    callee)` for calls (caller 0: code that is not traced)."""

    head: RunHead
    edges: tuple[tuple[int, int, int], ...]
    calls: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class CallContext:
    """A calling context: `base` dimensions come before its own loops, `parent_depth` of them are
    its caller's; what is between counts calls from code that is not traced (`external`) and the
    calls and returns of a circle (`component` is its number, -1 for none). `loop` is the
    caller's loop at the call (-1: none)."""

    caller: int
    site: int
    function: int
    base: int
    parent_depth: int
    component: int
    loop: int
    external: bool
    merged: bool


@dataclass(frozen=True, eq=False)
class AccessStream:
    """The stream of one access in one context: `loop` is its innermost one (-1: none), `raw` has
    rows of vector and address. A `local` access is of a variable in the frame of the function that
    runs; a load of it has a second label, the value as an integer. `called` is the library's
    function that does it (its number, 0: none), `part` which of what it does, `role` whether it is
    an access of memory, of what that function keeps (STATE), or only says that it was called
    (UNKNOWN). `reached` are the bytes that it touched, from the first to behind the last, `over`
    the loops (a bit each, by depth) of which it wrote over what another iteration had written."""

    context: int
    at: int
    size: int
    write: bool
    dims: int
    entries: int
    rejected: int
    loop: int
    local: bool
    role: int
    called: int
    part: int
    reached: tuple[int, int]
    over: int
    folds: tuple[Fold | None, ...]
    raw: Words


@dataclass(frozen=True, eq=False)
class DependenceStream:
    """Flow between two accesses (their numbers, from 1); `over`: the loops (a bit each, by depth)
    that had written what was read in several iterations, `early` those of which it was not the
    last one's, `crossed` those to another of whose
    iterations it leads; `raw`: consumer's, producer's vector."""

    consumer: int
    producer: int
    entries: int
    rejected: int
    over: int
    early: int
    crossed: int
    folds: tuple[Fold | None, ...]
    raw: Words


@dataclass(frozen=True, eq=False)
class Streams:
    """The second run."""

    head: RunHead
    contexts: tuple[CallContext, ...]
    accesses: tuple[AccessStream, ...]
    dependences: tuple[DependenceStream, ...]
    allocated: tuple[tuple[int, ...], ...]  # place of the call, address, size, element


def graph_plan(limits: RunLimits, functions: Iterable[tuple[int, int]]) -> Words:
    """The plan of the first run; `functions` are the (start, end) of symbols, in order."""
    return _words(GRAPH, *_limits(limits), *_table(functions))


def fold_plan(
    limits: RunLimits,
    functions: Iterable[tuple[int, int]],
    loops: Sequence[BlockLoop],
    blocks: Mapping[int, tuple[int, bool]],
    entries: Mapping[int, tuple[int, bool]],
    variants: Sequence[VariantWords],
    *,
    slope: int = SLOPE,
    raw: bool = False,
    scalars: bool = False,
    redirected: Iterable[tuple[int, int, int]] = (),
) -> Words:
    """The plan of the second run. `blocks` has of each block its innermost loop (-1: none) and
    whether it is the header; `entries` of each function its circle and whether it is main;
    `redirected` where calls of libraries come by (`calls`)."""
    return _words(
        FOLD,
        *_limits(limits),
        *_table(functions),
        *_table((loop.parent, loop.depth, loop.header) for loop in loops),
        *_table((at, loop, header) for at, (loop, header) in blocks.items()),
        *_table((at, circle, main) for at, (circle, main) in entries.items()),
        *_table((v.widen, v.give_up) for v in variants),
        slope,
        raw,
        scalars,
        *_table(redirected),
    )


def _limits(limits: RunLimits) -> tuple[int, int, int]:
    return limits.seconds, limits.entries, limits.memory


def _table(rows: Iterable[tuple[int, ...]]) -> list[int]:
    found = list(rows)
    return [len(found), *(int(number) for row in found for number in row)]


def _words(*numbers: int) -> Words:
    return np.array(numbers, dtype=np.int64)


def read(path: Path) -> BlockGraph | Streams | None:
    """The results of a run; None if it left none. Raises PolynbError if they are cut off, and
    Broken if they do not fit together."""
    if not path.exists():
        return None
    words = np.fromfile(path, dtype=np.int64)
    if not len(words) or words[-1] != MARK:
        raise PolynbError(
            "what the traced program left is cut off",
            reason="it was killed while it wrote its results, or the disk is full",
            hint="a lower limit: seconds=, entries=, memory=",
        )
    reader = WordReader(words)
    head = RunHead(*reader.row(14))
    require(min(head.nanoseconds, head.entries, head.rejected, head.fault) >= 0)
    return _graph(head, reader) if head.mode == GRAPH else _streams(head, reader)


def _graph(head: RunHead, reader: WordReader) -> BlockGraph:
    rows = reader.rows(reader.one(), 3).tolist()
    edges = tuple((f, start, end) for f, start, end in rows if f != CALL)
    return BlockGraph(head, edges, tuple((start, end) for f, start, end in rows if f == CALL))


def _streams(head: RunHead, reader: WordReader) -> Streams:
    contexts = []
    for _ in range(reader.one()):
        caller, site, function, base, parent, circle, loop, external, merged = reader.row(9)
        shared, other = bool(merged), bool(external)
        contexts.append(
            CallContext(caller, site, function, base, parent, circle, loop, other, shared)
        )
    variants = reader.one()
    accesses = []
    for _ in range(reader.one()):
        context, at, size, write, dims, entries, rejected, loop, local = reader.row(9)
        role, called, part, low, high, over = reader.row(6)
        shape = dims, 2 if local and not write else 1
        folds, raw = _folds(reader, variants, shape, rejected), _raw(reader, shape)
        told = AccessStream(
            *(context, at, size, bool(write), dims, entries, rejected, loop, bool(local)),
            role, called, part, (low, high), over, folds, raw,
        )  # fmt: skip
        accesses.append(told)
    dependences = []
    while consumer := reader.one():
        producer, entries, rejected, over, early, crossed = reader.row(6)
        require(0 < consumer <= len(accesses) and 0 < producer <= len(accesses))
        shape = accesses[consumer - 1].dims, accesses[producer - 1].dims
        folds, raw = _folds(reader, variants, shape, rejected), _raw(reader, shape)
        dependences.append(
            DependenceStream(
                consumer, producer, entries, rejected, over, early, crossed, folds, raw
            )
        )
    allocated = tuple(tuple(reader.row(4)) for _ in range(reader.one()))
    return Streams(head, tuple(contexts), tuple(accesses), tuple(dependences), allocated)


def _folds(
    reader: WordReader, variants: int, shape: tuple[int, int], refused: int
) -> tuple[Fold | None, ...]:
    """One for each variant. Entries that the runtime `refused` itself, after control flow that it
    could not follow, are rejected ones."""
    folds: list[Fold | None] = []
    for _ in range(variants):
        fold = reader.fold(*shape) if reader.one() else None
        folds.append(fold and replace(fold, rejected=max(fold.rejected, refused)))
    return tuple(folds)


def _raw(reader: WordReader, shape: tuple[int, int]) -> Words:
    """All that was kept raw of a stream, in rows."""
    width, count = max(sum(shape), 1), reader.one()
    require(count % width == 0)
    return reader.rows(count // width, width)
