"""Folding random streams: what the pieces say is true of every entry.

F gives back each label; what widened label functions claim holds for every pair of points; the
boxes of given-up streams contain every point. POLYNB_LAWS is the number of streams (40 unless it
is set), from POLYNB_LAWS_FIRST on."""

import os
from collections import Counter
from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest
from random_streams import RandomStream, random_stream, scattered
from shares import COUNTS

from polynb.folding import Folded, FoldedPiece, Variant, fold, label_functions
from polynb.folding.model import NAMED

STREAMS = int(os.environ.get("POLYNB_LAWS", "40"))
FIRST = int(os.environ.get("POLYNB_LAWS_FIRST", "0"))
SEEDS = range(FIRST, FIRST + STREAMS)
VARIANTS = [*NAMED, *(Variant(widen=w, slope=s) for w in (False, True) for s in (1, 2))]
counted = COUNTS["folding"]


def folded(stream: RandomStream, variant: str | Variant, engine: str = "python") -> Folded:
    return fold(stream.points, stream.labels, variant=variant, kind="dependence", engine=engine)


def points_of(piece: FoldedPiece) -> list[tuple[int, ...]]:
    """The integer points between a piece's bounds."""
    found: list[tuple[int, ...]] = [()]
    for bounds in piece.bounds:
        (low, least), (high, most) = bounds.low, bounds.high
        found = [
            (*p, c)
            for p in found
            for c in range(
                least + int(np.dot(low, p)) if p else least,
                (most + int(np.dot(high, p)) if p else most) + 1,
            )
        ]
    return found


@pytest.mark.parametrize("seed", SEEDS)
def test_every_piece_holds_what_it_claims(seed: int) -> None:
    counted["streams"] += 1
    check_stream(random_stream(seed), VARIANTS)


@pytest.mark.parametrize("seed", SEEDS[: max(len(SEEDS) // 8, 4)])
def test_pieces_of_large_streams_hold_what_they_claim(seed: int) -> None:
    """Of up to five dimensions, by the engine."""
    check_stream(RandomStream(*scattered(seed)), ["F", "F_W", VARIANTS[-1]], "c")


def check_stream(
    stream: RandomStream, variants: Sequence[str | Variant], engine: str = "python"
) -> None:
    labels = {
        tuple(p): tuple(l)
        for p, l in zip(stream.points.tolist(), stream.labels.tolist(), strict=True)
    }
    for variant in variants:
        found = folded(stream, variant, engine)
        assert found.entries == len(labels) == sum(p.points for p in found.pieces)
        seen: Counter[tuple[int, ...]] = Counter()
        for piece in sorted(found.pieces, key=lambda p: p.approximate):
            points = points_of(piece)
            if piece.approximate:
                rest = set(points) & set(labels) - set(seen)
                assert len(rest) == piece.points
                seen.update(rest)
                continue
            assert len(points) == piece.points, f"{variant}: {piece}"
            seen.update(points)
            check_labels(piece, points, labels)
        assert set(seen) == set(labels), f"{variant}: points are missing, or too many"
        assert set(seen.values()) <= {1}, f"{variant}: pieces overlap"
        if variant == "F":
            assert found.is_affine
        if engine == "c":
            continue
        if variant == "F":
            counted["several pieces"] += len(found.pieces) > 1
        if variant == "F_W":
            tops = [f for p in found.pieces for f in p.labels if not f.is_affine]
            counted["widened"] += bool(tops)
            counted["claims beside ⊤"] += any(
                k for p in found.pieces for f in p.labels for q, k in enumerate(f.coefficients)
                if not f.is_affine and q not in f.tops and spans(p, q)
            )  # fmt: skip
        counted["given up"] += variant == "F_GG" and found.gave_up


def spans(piece: FoldedPiece, axis: int) -> bool:
    return len({v[axis] for v in piece.vertices}) > 1


def check_labels(piece: FoldedPiece, points: list[tuple[int, ...]], labels: dict) -> None:
    """Without ⊤, the labels themselves; with it, one function of the ⊤ coordinates besides."""
    for output, function in enumerate(piece.labels):
        rest: dict[tuple[int, ...], int] = {}
        for p in points:
            value = labels[p][output]
            if function.is_affine:
                assert function(p) == value, f"{piece} at {p}: {value}"
            tops = tuple(p[q] for q in function.tops)
            left = value - function.affine_part(p)
            assert rest.setdefault(tops, left) == left, f"{piece} at {p}: {value}"
        anchors = tuple(piece.anchor[q] for q in function.tops)
        assert rest[anchors] == function.constant, f"{piece}: the constant is the anchor's"


@pytest.mark.parametrize("seed", SEEDS)
def test_isl_knows_the_same_points_and_labels(seed: int) -> None:
    stream = random_stream(seed)
    found = folded(stream, "F")
    names = [f"i{q}" for q in range(stream.points.shape[1])]
    for piece in found.pieces[:4]:
        assert piece.domain(names).count_val().to_python() == piece.points
        for point in piece.vertices:
            at = " and ".join(f"{n} = {c}" for n, c in zip(names, point, strict=True))
            there = type(piece.domain(names))(f"{{ [{', '.join(names)}] : {at} }}")
            assert there.is_subset(piece.domain(names))
        graph = piece.relation(names)
        assert graph.is_single_valued()
        assert graph.domain().is_equal(piece.domain(names))
        again = label_functions(graph)
        for p, f, g in product(piece.vertices, piece.labels, again):
            if piece.labels.index(f) == again.index(g):
                assert f(p) == g(p)
