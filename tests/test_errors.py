"""Carets stay where they belong."""

import pickle

import pytest

import polynb as pn
from polynb import isl
from polynb.errors import PolynbError, Source, Span, about


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


# -- texts that are long, or hold half of a character ------------------------------------------

LONG_NAME = "x" * 100_000
HALF = chr(0xD800)
HALVES = {
    "program": lambda: pn.parse(f"param N; A[0] = 1; // {HALF}"),
    "c": lambda: pn.parse(f"for (int i = 0; i < n; i++) B{HALF}[i] = 1;"),
    "assume": lambda: pn.parse("param N; A[0] = 1;", assume=f"N > {HALF}"),
    "name": lambda: pn.parse("A[0] = 1;", name=HALF),
    "temp": lambda: pn.parse("A[0] = 1;", temp=[HALF]),
    "schedule": lambda: pn.check(pn.parse("A[0] = 1;"), f"{{ S0[] -> [0] }}{HALF}"),
    "isl": lambda: isl.read_set(f"{{ [i{HALF}] }}"),
    "drawn": lambda: pn.draw(f"{{ [i{HALF}] }}"),
    "moves": lambda: pn.transform(pn.parse("A[0] = 1;"), f"interchange {HALF}"),
    "flags": lambda: pn.compile(pn.parse("A[0] = 1;"), flags=f"-D{HALF}"),
    "arguments": lambda: pn.trace("int main(void) { return 0; }", arguments=[HALF]),
    "file": lambda: pn.propagate(pn.parse("A[0] = 1;")).to_html(HALF),
    "labels": lambda: pn.fold([[0]], [1], identifier=HALF),
}


@pytest.mark.parametrize("where", HALVES)
def test_half_of_a_character_is_refused(where):
    """It can be in no file, and isl cannot take it."""
    with pytest.raises(PolynbError) as caught:
        HALVES[where]()
    str(caught.value).encode()


@pytest.mark.parametrize(
    "text",
    [
        f"param N, {LONG_NAME}; param {LONG_NAME}; A[0] = 1;",
        f"param N; input double {LONG_NAME}[N]; output B[N]; B[0] = {LONG_NAME}[0][0];",
        f"param N; define {LONG_NAME}(a) = a; B[0] = {LONG_NAME}(1, 2);",
        f"{LONG_NAME} A[100]; for (int i = 0; i < n; i++) A[i] = {LONG_NAME}->x;",
        f"param N; for i = 0 to {'9' * 5000} do B[i] = 1; done",
        f"for (int i = 0; i < n; i++) B[i] = {'9' * 5000};",
    ],
)
def test_an_error_is_short_however_long_the_names_and_numbers_are(text):
    with pytest.raises(PolynbError) as caught:
        pn.parse(text)
    assert len(str(caught.value)) < 1000
