"""Which arrows are drawn first, where all of them cannot be told apart."""

import pytest

import polynb as pn
from polynb.show.trace.builder import trace
from polynb.show.trace.focus import BETWEEN_PLANES, IN_PLANES, IN_ROWS, focus, thinned


def scene(depth, points, spaces=2):
    at = [[k] * depth for k in range(points)]
    names = [f"S{k}" for k in range(spaces)]
    return {
        "spaces": [{"name": n, "dims": ["i"] * depth, "points": at} for n in names],
        "relations": [],
        "notes": [],
    }


def overlay(*pairs):
    return {"id": "raw", "role": "raw", "label": "RAW", "pairs": [list(p) for p in pairs]}


@pytest.mark.parametrize(
    ("depth", "target", "most"), [(1, 1, IN_ROWS), (2, 1, BETWEEN_PLANES), (2, 0, IN_PLANES)]
)
def test_arrows_that_can_be_told_apart_need_no_focus(depth, target, most):
    arrows = [(0, k, target, k + 1) for k in range(most + 1)]
    assert focus(scene(depth, 200), [overlay(*arrows[:-1])]) == []
    assert len(focus(scene(depth, 200), [overlay(*arrows)])) == 1


def test_the_instance_of_the_most_overlays_is_chosen_in_the_middle():
    first = overlay(*((0, k, 1, k) for k in range(9)))
    second = overlay(*((1, k, 1, k + 1) for k in range(8)))
    assert focus(scene(2, 9), [first, second]) == [(1, 4)]


def test_every_overlay_has_an_arrow():
    lonely = overlay((2, 0, 2, 1))
    found = focus(scene(2, 9, spaces=3), [overlay(*((0, k, 1, k) for k in range(9))), lonely])
    assert len(found) == 2
    assert thinned(lonely, found) == lonely


def test_a_witness_comes_first():
    arrows = overlay(*((0, k, 1, k) for k in range(9)))
    assert focus(scene(2, 9), [arrows], [(0, 7), (1, 8)]) == [(0, 7), (1, 8)]
    assert thinned(arrows, [(0, 7), (1, 8)])["pairs"] == [[0, 7, 1, 7], [0, 8, 1, 8]]


def test_planes_of_the_paper_are_not_covered_by_arrows():
    """Listing 1 has 44 order dependences from S2 to S3 alone."""
    found = trace(pn.reorder(pn.gallery.load("lrr_listing1")))
    most = 0
    for step in found["steps"]:
        overlays = step.get("overlays", [])
        if "focus" in step:
            overlays = [thinned(o, [(a, p) for a, p in step["focus"]]) for o in overlays]
            assert all(o["pairs"] for o in overlays if o.get("total"))
        most = max(most, sum(len(o.get("pairs", [])) for o in overlays))
    assert BETWEEN_PLANES < most <= 24
