"""IMPACT'16's schedulers side by side, at sizes that take no time."""

import pytest

import polynb as pn
from polynb.evaluation import schedulers
from polynb.evaluation.schedulers import ORIGINAL, REORDERED, SIZES

SMALL = {
    "lrr_listing1": {"n": 40},
    "lrr_listing1_scalar": {"n": 40},
    "lrr_listing3": {"Nx": 6, "Ny": 5, "Nz": 7},
}


@pytest.fixture(scope="module")
def found():
    return {name: schedulers.schedules(name) for name in SMALL}


def test_every_order_is_legal(found):
    for orders in found.values():
        for scop in orders.values():
            assert pn.check(orders[ORIGINAL], scop)


def test_only_reordering_fuses_the_two_nests_of_each(found):
    rows = schedulers.shapes(found).rows
    assert len(rows) == 4 * len(SMALL)
    fused = {(label, common) for _, label, nests, common, *_ in rows if label == REORDERED}
    assert fused == {(REORDERED, 2), (REORDERED, 3)}
    others = [common for _, label, _, common, *_ in rows if label != REORDERED]
    assert max(others) < 2
    scalar = rows[4:8]
    assert [row[-1] for row in scalar] == ["-", "-", "-", "2"]


@pytest.mark.long
def test_variants_compute_the_same_and_have_intervals(found):
    name = "lrr_listing1"
    timing = schedulers.timed(name, found[name], SMALL[name], rounds=5)
    assert timing.labels[0] == ORIGINAL
    assert {"(c) exchanged, tiled", "(c) ... and contracted"} < set(timing.labels)
    assert timing.labels[-1] == "(c) on all threads"
    rows = schedulers.times({name: timing}).rows
    assert rows[0][:2] == (name, ORIGINAL)
    assert rows[0][3:] == ("1", "")
    assert all(" – " in row[-1] for row in rows[1:])


def test_what_table_1_of_the_paper_counts():
    programs = {n: pn.gallery.load(n) for n in ("lrr_listing1", "lrr_listing3", "taco13_fig12")}
    table = schedulers.made_local(programs)
    assert table.rows == (
        ("lrr_listing1", 2, 2, 0, 0),
        ("lrr_listing3", 3, 3, 0, 0),
        ("taco13_fig12", 4, 3, 2, 1),
    )


def test_a_program_that_is_not_compared_is_refused():
    with pytest.raises(pn.PolynbError, match="harris is not compared here"):
        schedulers.main(["harris"])
    assert set(SMALL) < set(SIZES)
