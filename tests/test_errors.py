"""Carets stay where they belong."""

from __future__ import annotations

import pickle

import pytest

import polynb as pn
from polynb.errors import Source, Span, about


def caret(text: str, what: str) -> tuple[str, str]:
    """The shown line and the characters above the carets."""
    start = text.index(what)
    shown, marks = Span(Source(text), start, start + len(what)).excerpt().split("\n")
    shown, marks = shown.split("| ", 1)[1], marks.split("| ", 1)[1]
    return shown, marks


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends(end: str) -> None:
    text = end.join(["param N;", "A[0] = ?;", "B[0] = 1;"])
    span = Span(Source(text), text.index("?"), text.index("?") + 1)
    assert (span.line, span.column) == (2, 8)
    assert span.excerpt() == "   2 | A[0] = ?;\n     |        ^"


def test_tabs_are_expanded() -> None:
    assert caret("\tA[0]\t= ?;", "?") == ("    A[0]    = ?;", "              ^")


def test_wide_characters_count_double() -> None:
    shown, marks = caret("/* 多面体 */ A = ?;", "?")
    assert marks.index("^") == shown.index("?") + 3


def test_a_long_line_is_cut_around_the_place() -> None:
    for text in ("x + " * 100 + "? + y", "? + " + "x + " * 100, "x + " * 50 + "? + " + "y + " * 50):
        shown, marks = caret(text, "?")
        assert len(shown) <= 122
        assert shown[marks.index("^")] == "?"


def test_an_error_pickles_with_its_place() -> None:
    with pytest.raises(pn.PolynbError) as caught:
        pn.parse("param N;\nfor i = 0 to N*N do A[i] = 0; done")
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value)
    assert again._render_traceback_() == [f"PolynbError: {again}"]


def test_an_error_knows_the_keyword_at_fault() -> None:
    with pytest.raises(pn.PolynbError) as caught, about("tile"):
        raise pn.PolynbError("too many sizes")
    assert pickle.loads(pickle.dumps(caught.value)).argument == "tile"
    with pytest.raises(pn.PolynbError) as caught, about("tile"):
        raise pn.PolynbError("no loop", argument="interchange")
    assert caught.value.argument == "interchange"


@pytest.mark.parametrize(
    ("options", "argument"),
    [({"tile": (4, 4, 4)}, "tile"), ({"interchange": (0, 0)}, "interchange")],
)
def test_reordering_says_which_keyword_is_at_fault(options: dict, argument: str) -> None:
    with pytest.raises(pn.PolynbError) as caught:
        pn.reorder(pn.gallery.load("lrr_listing1"), **options)
    assert caught.value.argument == argument
