"""The engine equals the reference, piece for piece, in any way its entries come. POLYNB_LAWS is the
number of streams (40 unless it is set), from POLYNB_LAWS_FIRST on."""

from __future__ import annotations

import os

import numpy as np
import pytest
from random_streams import random_stream, scattered
from shares import COUNTS

from polynb.folding import Folded, Variant, fold
from polynb.folding.model import NAMED

STREAMS = int(os.environ.get("POLYNB_LAWS", "40"))
FIRST = int(os.environ.get("POLYNB_LAWS_FIRST", "0"))
SEEDS = range(FIRST, FIRST + STREAMS)
OTHERS = [Variant(widen=w, slope=2) for w in (False, True)] + [
    Variant(widen=True, give_up=3, slope=0),
    Variant(widen=False, give_up=30),
]
counted = COUNTS["folding engine"]


def facts(found: Folded) -> tuple:
    return found.pieces, found.entries, found.most_live, found.gave_up, found.rejected


def same(points, labels, variant, **options) -> Folded:
    found = {
        engine: fold(points, labels, variant=variant, kind="dependence", engine=engine, **options)
        for engine in ("python", "c")
    }
    assert facts(found["c"]) == facts(found["python"]), f"{variant}"
    return found["c"]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_engine_is_equal_to_the_reference(seed: int) -> None:
    stream = random_stream(seed)
    counted["streams"] += 1
    for variant in [*NAMED, *OTHERS]:
        found = same(stream.points, stream.labels, variant)
        counted["given up"] += found.gave_up and variant == "F_GG"
        counted["several pieces"] += len(found.pieces) > 1 and variant == "F"


@pytest.mark.parametrize("seed", SEEDS[: max(len(SEEDS) // 8, 4)])
def test_it_is_equal_where_very_many_polyhedra_live(seed: int) -> None:
    """Where it looks them up in tables, and not one by one."""
    points, labels = scattered(seed)
    for variant in ("F", "F_W", OTHERS[1]):
        counted["large"] += 1
        counted["many live"] += same(points, labels, variant).most_live > 40


@pytest.mark.parametrize("seed", SEEDS[: max(len(SEEDS) // 2, 4)])
def test_both_refuse_the_same_entries(seed: int) -> None:
    stream, r = random_stream(seed), np.random.default_rng(seed)
    count = len(stream.points)
    at = np.sort(r.integers(0, max(count, 1), min(count, 1 + count // 9)))
    points = np.insert(stream.points, at, stream.points[r.permutation(at)], axis=0)
    labels = np.insert(stream.labels, at, 7, axis=0)
    for variant in ("F", "F_GG,W"):
        found = same(points, labels, variant, skip=True)
        counted["refused"] += found.rejected > 0
        assert found.entries + found.rejected == len(points)
