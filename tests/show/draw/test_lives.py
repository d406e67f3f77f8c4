"""The live ranges of a cell along time, and pictures side by side."""

import base64
import io
import re

import numpy as np
import pytest
from matplotlib.image import imread

import polynb as pn
from polynb.errors import PolynbError
from polynb.show import draw_lives, show_pictures
from polynb.show.draw.lives import lives, overlaps

WISH = "{ S1[i,j] -> [j,i,0]; S2[i,j] -> [j,i,1]; S3[i,j] -> [i,j,2]; S4[i,j] -> [i,j,3] }"
BETWEEN = "{ S1[i,j] -> [j,i,0]; S2[i,j] -> [j,i,2]; S3[i,j] -> [i,j,1]; S4[i,j] -> [i,j,3] }"


@pytest.fixture(scope="module")
def listing():
    return pn.gallery.load("lrr_listing1")


def test_each_write_of_the_cell_has_its_life(listing):
    found, length = lives(listing, listing, "t[2]", {"n": 3})
    assert length == 4 * 3 * 3
    assert [str(life) for life in found] == [
        *(f"S1({i}, {2 - i}) to S2" for i in range(3)),
        *(f"S3({i}, {2 - i}) to S4" for i in range(3)),
    ]
    # As written, S1 and S2 alternate, and then S3 and S4.
    assert [life.begin for life in found[:3]] == [2 * (3 * i + 2 - i) for i in range(3)]
    assert all(life.end == life.begin + 1 for life in found)
    assert not overlaps(found)


def test_they_change_places_and_overlap_only_where_the_check_says_so(listing):
    for order in (WISH, BETWEEN):
        found, _ = lives(listing, order, "t[2]", {"n": 3})
        assert bool(overlaps(found)) == (not pn.check(listing, order))
    assert len(overlaps(found)) == 3


def test_a_value_lives_until_its_last_read():
    scop = pn.parse("param N; temp t; for i = 0 to N do t = A[i]; B[i] = t; C[i] = t; done")
    found, _ = lives(scop, scop, "t", {"N": 1})
    assert [(life.begin, life.end) for life in found] == [(0, 2), (3, 5)]
    assert [str(life) for life in found] == ["S0(0) to S2", "S0(1) to S2"]


def test_the_picture_says_what_it_shows(listing):
    drawn = draw_lives(listing, {"as written": listing, "between": BETWEEN}, "t[2]", n=3)
    assert repr(drawn) == (
        "<Drawing: as written: 6 live ranges of t[2], no overlapping; "
        "between: 6 live ranges of t[2], 3 overlapping>"
    )
    assert len(drawn.axes) == 2
    assert drawn._repr_mimebundle_()["image/png"].startswith(b"\x89PNG")


@pytest.mark.parametrize("cell", ["t", "t[1][2]", "u[1]", "t[i]", "", 3])
def test_what_is_no_cell_is_refused(listing, cell):
    with pytest.raises(PolynbError):
        draw_lives(listing, {"as written": listing}, cell, n=3)


def test_no_order_and_no_value_are_refused(listing):
    with pytest.raises(PolynbError, match="no order"):
        draw_lives(listing, {}, "t[2]", n=3)
    with pytest.raises(PolynbError, match="parameter"):
        draw_lives(listing, {"as written": listing}, "t[2]", m=3)


def test_pictures_are_shown_side_by_side_as_jpeg():
    """Each one alone, with nothing around it: titles and ground are the page's, in any theme."""
    grey, colours_first = np.linspace(0, 1, 12).reshape(3, 4), np.full((3, 5, 6), 0.5)
    bundle = show_pictures({"grey": grey, "colours": colours_first}, "a <b")._repr_mimebundle_()
    assert bundle["text/plain"] == "<Pictures: grey, colours>\na <b"
    assert ">a &lt;b</p>" in bundle["text/html"]
    assert re.findall(r"<div[^>]*>(\w+)</div>", bundle["text/html"]) == ["grey", "colours"]
    files = re.findall(r'"data:image/jpeg;base64,([^"]+)"', bundle["text/html"])
    shown = [imread(io.BytesIO(base64.b64decode(f)), format="jpeg") for f in files]
    assert [s.shape for s in shown] == [(3, 4, 3), (5, 6, 3)]
    assert shown[0].min() < 20
    assert shown[0].max() > 235
    assert abs(shown[1].astype(int) - 127).max() <= 2


@pytest.mark.parametrize(
    "wrong", [{}, {"a": np.zeros(3)}, {"a": np.zeros((2, 2, 2))}, {"a": "x"}, 3]
)
def test_what_is_no_picture_is_refused(wrong):
    with pytest.raises(PolynbError):
        show_pictures(wrong)
