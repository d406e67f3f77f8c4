"""The engine equals the reference, piece for piece, and both are the same in any way the entries
come. POLYNB_LAWS is the number of streams (40 unless it is set), from POLYNB_LAWS_FIRST on."""

import os
from itertools import product

import numpy as np
import pytest
from random_streams import in_phases, random_stream, scattered
from shares import COUNTS

from polynb.folding import Folded, Folder, Variant, fold
from polynb.folding.engine import EngineFolder
from polynb.folding.model import NAMED, variant_of

STREAMS = int(os.environ.get("POLYNB_LAWS", "40"))
FIRST = int(os.environ.get("POLYNB_LAWS_FIRST", "0"))
SEEDS = range(FIRST, FIRST + STREAMS)
OTHERS = [Variant(widen=w, slope=s) for w in (False, True) for s in (1, 2)] + [
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


def whole(folder: Folder | EngineFolder, points, labels) -> None:
    assert folder.feed(points, labels) == (len(points), 0)


def in_parts(folder: Folder | EngineFolder, points, labels) -> None:
    r = np.random.default_rng(len(points))
    ends = np.sort(r.integers(0, len(points) + 1, 6))
    for first, last in zip([0, *ends], [*ends, len(points)], strict=True):
        whole(folder, points[first:last], labels[first:last])


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("stream", [random_stream, in_phases])
def test_both_give_the_same_in_any_parts(seed: int, stream) -> None:
    """Also where differences of labels leave 64 bits."""
    points, labels = stream(seed).points, stream(seed).labels
    labels = labels * (2**61 + 1 if seed % 5 == 0 else 1)
    for named in ["F", "F_W", "F_GG,W", OTHERS[seed % len(OTHERS)]]:
        variant = variant_of(named, points.shape[1])
        options = {"widen": variant.widen, "give_up": variant.give_up or 0, "slope": variant.slope}
        found = []
        for kind, feed in product((Folder, EngineFolder), (whole, in_parts)):
            folder = kind(points.shape[1], labels.shape[1], **options)
            feed(folder, points, labels)
            found.append((folder.finish(), folder.entries, folder.most_live, folder.gave_up))
        assert all(one == found[0] for one in found), f"{named}"
    counted["in phases"] += stream is in_phases


def test_a_row_that_only_ends_as_expected_does_not_repeat() -> None:
    """Where nothing is widened, the second half of the sixth row continues the rows before it, and
    the rows after it are like it; but they lie elsewhere."""
    starts = [4] * 5 + [-12 * k for k in range(5)]
    points, labels = [], []
    for row, start in enumerate(starts):
        steps = [5 * k for k in range(4)] if start == 4 else [0, 3, 6, 9, 0, 5, 10, 15]
        points += [(row, start + k) for k in range(len(steps))]
        labels += [10 * row + step for step in steps]
    found = same(np.array(points), np.array(labels), "F")
    assert len(found.pieces) == 10
