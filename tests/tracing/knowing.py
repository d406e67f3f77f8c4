"""What a program's text says, beside what its run showed: domains, accesses, flow, as Python sets.

The first is enumerated from `pn.parse` and `pn.analyze`; the second from what was folded (which
must be the raw streams again, entry for entry), whose canonical iterators get the values that the
text's iterators were seen to have, and whose addresses become cells by the blocks they lie in. A
statement is what stands on its lines.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

import polynb as pn
from polynb import isl
from polynb.scop.sizes import extents_at

ENUMERATED = 20_000
"""Entries of a stream whose pieces are enumerated point by point; longer ones are counted, and
evaluated where they are one piece."""


@dataclass(frozen=True)
class Known:
    """`domains[S]` are points; `accesses` (S, point, "read" or "write", array, cell); `flow`
    ((T, producer's point), (S, consumer's point)), within one instance left out. `lazy` are the
    statements whose operators (`?:`) may leave reads out."""

    domains: dict[str, frozenset]
    accesses: frozenset
    flow: frozenset
    lazy: frozenset = frozenset()

    def differences(self, other: Known) -> dict[str, tuple[list, list]]:
        """For each kind, what only one of the two has (at most five of each)."""
        may = {x for x in self.accesses if x[0] in self.lazy and x[2] == "read"}
        may_flow = {x for x in self.flow if x[1][0] in self.lazy}
        pairs = {
            "domains": (
                {(s, p) for s, points in self.domains.items() for p in points},
                {(s, p) for s, points in other.domains.items() for p in points},
            ),
            "accesses": (self.accesses - (may - other.accesses), other.accesses),
            "flow": (self.flow - (may_flow - other.flow), other.flow),
        }
        return {
            kind: (sorted(a - b, key=str)[:5], sorted(b - a, key=str)[:5])
            for kind, (a, b) in pairs.items()
            if a != b
        }


def of_text(scop: pn.Scop, sizes: dict[str, int]) -> Known:
    """What polynb's model of the text says at these sizes."""
    values = {p: sizes[p] for p in scop.parameters}
    domains, accesses = {}, set()
    scalars = {a for a, array in scop.arrays.items() if array.dimensions == 0}
    for s in scop.statements:
        domains[s.name] = frozenset(isl.points(s.domain, values))
        for access, how in [(s.write, "write"), *((r, "read") for r in s.reads)]:
            if access.array not in scalars:
                inside = access.relation.intersect_domain(s.domain)
                for point, cell in isl.pairs(inside, values):
                    accesses.add((s.name, point, how, access.array, cell))
    flow = set()
    for e in pn.analyze(scop).flow_edges:
        for producer, consumer in isl.pairs(e.relation, values):
            if (e.source, producer) != (e.target, consumer):
                flow.add(((e.source, producer), (e.target, consumer)))
    lazy = frozenset(s.name for s in scop.statements if "?" in s.span.text)
    return Known(domains, frozenset(accesses), frozenset(flow), lazy)


def of_run(folding, scop: pn.Scop, sizes: dict[str, int]) -> Known:
    """What the run showed."""
    points = _Points(folding, scop)
    cells = _Cells(folding, scop, sizes)
    domains: dict[str, set] = {s.name: set() for s in scop.statements}
    accesses, flow = set(), set()
    for name, i in folding.instructions.items():
        label = points.label(i)
        if label is None:
            continue
        for vector, value in entries(folding, name):
            point = points.of(i, vector)
            domains[label].add(point)
            if i.kind in ("load", "store"):
                array, cell = cells.of(value[0])
                how = "read" if i.kind == "load" else "write"
                accesses.add((label, point, how, array, cell))
    for key in folding.dependences:
        producer, consumer = (folding.instructions[k] for k in key)
        if points.label(producer) is None or points.label(consumer) is None:
            continue
        for to, of in entries(folding, key):
            a = points.label(producer), points.of(producer, of)
            b = points.label(consumer), points.of(consumer, to)
            if a != b:
                flow.add((a, b))
    frozen = {s: frozenset(p) for s, p in domains.items()}
    return Known(frozen, frozenset(accesses), frozenset(flow))


def entries(folding, key) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The entries of a stream, out of its pieces; where there is a ⊤, which these programs have
    only by way of what is not affine in them, out of what was kept."""
    vectors, labels = folding.streams[key]
    kept = [(tuple(v), tuple(x)) for v, x in zip(vectors.tolist(), labels.tolist(), strict=True)]
    folded = folding[key]
    assert folded.rejected == 0
    assert not folded.gave_up
    if len(kept) > ENUMERATED:
        assert sum(p.points for p in folded.pieces) == len(kept) == folded.entries
        if len(folded.pieces) == 1 and folded.is_affine:
            (piece,) = folded.pieces
            for f, column in zip(piece.labels, labels.T, strict=True):
                assert (vectors @ np.array(f.coefficients, np.int64) + f.constant == column).all()
        return kept
    domains = [isl.points(p.domain(folded.stream.dimensions)) for p in folded.pieces]
    assert sorted(x for d in domains for x in d) == sorted(v for v, _ in kept)
    if not folded.is_affine:
        return kept
    found = [
        (point, tuple(f(point) for f in piece.labels))
        for piece, points in zip(folded.pieces, domains, strict=True)
        for point in points
    ]
    assert sorted(found) == sorted(kept)
    return kept


def comparable(scop: pn.Scop) -> pn.Scop | None:
    """The program as its own C says it; None where data decides what it does, or where there is no
    such C."""
    try:
        again = pn.parse(scop.to_c(), language="c")
    except pn.PolynbError:
        return None
    return again if all(s.affine for s in again.statements) else None


def compared(scop: pn.Scop, sizes: dict[str, int]) -> tuple[Known, dict]:
    """What the text of a comparable program says at these sizes, and where a run differs."""
    folding = pn.trace(
        scop.statements[0].span.source, call=scop.name, streams=True, variant="F", **sizes
    )
    assert folding.run.ended == "exit 0", folding.run
    known = of_text(scop, sizes)
    return known, known.differences(of_run(folding, scop, sizes))


class _Points:
    """Canonical vectors -> the values of the text's iterators, which each loop's `i++` shows."""

    def __init__(self, folding, scop) -> None:
        self.statements = {
            line: s.name
            for s in scop.statements
            for line in range(s.span.line, s.span.source.position(s.span.end)[0] + 1)
        }
        self.values: dict[str, dict[tuple, int]] = {}
        by_name = {x.name: x for x in folding.loops}
        for name, i in folding.instructions.items():
            if i.kind != "integer" or not i.loops or i.place:
                continue
            loop = by_name[i.loops[-1]]
            if re.fullmatch(rf"(\+\+|--)?{loop.iterator}(\+\+|--| \+= .*| -= .*)?", i.text):
                after = {v: x[0] for v, x in entries(folding, name)}
                step = _step(i.text)
                self.values[loop.name] = {v: x - step for v, x in after.items()}

    def label(self, i) -> str | None:
        line = i.place[0].line if i.place else i.line
        return self.statements.get(line)

    def of(self, i, vector: list[int]) -> tuple[int, ...]:
        return tuple(self.values[name][vector[: k + 1]] for k, name in enumerate(i.loops))


def _step(text: str) -> int:
    if "=" in text:
        sign = 1 if "+=" in text else -1
        return sign * int(text.split("=")[1])
    return 1 if "++" in text else -1


class _Cells:
    """Addresses -> arrays and subscripts, by the blocks that the run named."""

    def __init__(self, folding, scop, sizes) -> None:
        values = {p: sizes[p] for p in scop.parameters}
        self.blocks = [b for b in folding.blocks if b.name in scop.arrays]
        self.extents = {name: extents_at(array, values) for name, array in scop.arrays.items()}
        self.known: dict[int, tuple] = {}

    def of(self, address: int) -> tuple[str, tuple[int, ...]]:
        if address not in self.known:
            block = next(b for b in reversed(self.blocks) if address in b)
            extents = self.extents[block.name]
            count = 1
            for e in extents:
                count *= e
            at, rest = divmod(address - block.address, block.size // count)
            assert rest == 0
            cell = []
            for e in reversed(extents):
                at, inner = divmod(at, e)
                cell.insert(0, inner)
            self.known[address] = block.name, tuple(cell)
        return self.known[address]
