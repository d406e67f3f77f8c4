"""What loops a program has."""

import pytest

import polynb as pn
from polynb.evaluation.schedulers import common_loops, nests, outer_bands, permutable, tileable


@pytest.mark.parametrize(
    ("text", "separate", "common"),
    [
        ("param N; for i = 0 to N do A[i] = 1; done", 1, 1),
        ("param N; for i = 0 to N do A[i] = 1; done for i = 0 to N do B[i] = A[N-i]; done", 2, 0),
        ("param N; for i = 0 to N do for j = 0 to N do A[i][j] = 1; done B[i] = 2; done", 1, 1),
        ("param N; for i = 0 to N do for j = 0 to N do A[i][j] = 1; done done", 1, 2),
        ("param N; a = 1; for i = 0 to N do A[i] = 1; done", 1, 0),
    ],
)
def test_nests_and_what_they_have_in_common(text, separate, common):
    scop = pn.parse(text)
    assert (nests(scop), common_loops(scop)) == (separate, common)


def test_bands_of_listing_1():
    listing = pn.gallery.load("lrr_listing1")
    assert permutable(listing) == "1 + 1"
    assert not tileable(listing)
    fused = pn.reorder(listing)
    assert permutable(fused) == "2"
    assert [b.depth for b in outer_bands(fused)] == [b.depth for b in tileable(fused)] == [2]
    assert (nests(fused), common_loops(fused)) == (1, 2)
