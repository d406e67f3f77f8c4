"""Overlapping live ranges on a time line (the paper on GRAPHITE, Figure 9)."""

import xml.etree.ElementTree as ElementTree

import pytest

import polynb as pn
from polynb import isl
from polynb.dependences import live_ranges
from polynb.errors import PolynbError
from polynb.legality import Verdict, check
from polynb.legality.order import new_times
from polynb.scop import Instance
from polynb.show.draw.cell_trace import CellEvent, cell_trace
from polynb.show.draw.verdict_pictures import conflict_pictures

LATE = "{ S[i] -> [0,i]; R[i] -> [1,i] }"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def scop():
    return pn.parse("param N; temp t; for i=0 to N do S: t = A[i]; R: B[i] = t; done")


def trace(scop, order, cell, **values):
    ranges = live_ranges(scop)
    return cell_trace(ranges, new_times(scop, order), cell, values)


def test_the_trace_of_a_cell(scop):
    found = trace(scop, LATE, "t", N=1)
    s, r = (lambda i: Instance("S", (i,))), (lambda i: Instance("R", (i,)))
    assert found.events == (
        CellEvent(s(0), False, True),
        CellEvent(s(1), False, True),
        CellEvent(r(0), True, False),
        CellEvent(r(1), True, False),
    )
    assert set(found.lives) == {(s(0), r(0)), (s(1), r(1))}
    assert found.place(r(0)) == 2
    assert found.place(Instance("S", (7,))) is None


def test_figure_9():
    """Writes and reads of phi_out_of_ssa, interleaved, and its live ranges."""
    scop = pn.gallery.load("matmul_pre")
    found = trace(scop, scop, "phi_out_of_ssa", N=2)
    names = [str(e.instance) for e in found.events[:6]]
    assert names == [
        "S1(0, 0)", "S2(0, 0, 0)", "S6(0, 0, 0)", "S2(0, 0, 1)", "S6(0, 0, 1)", "S1(0, 1)",
    ]  # fmt: skip
    lives = {str(w): None if r is None else str(r) for w, r in found.lives}
    assert lives["S1(0, 0)"] == "S2(0, 0, 0)"
    assert lives["S6(0, 0, 0)"] == "S2(0, 0, 1)"
    assert lives["S6(0, 0, 1)"] is None


def test_an_array_may_have_a_number_in_its_name():
    scop = pn.parse("param N; inout x1; for i=0 to N do S: x1[i] = x1[i] + 1; done")
    found = trace(scop, scop, "x1[2]", N=3)
    assert [str(e.instance) for e in found.events] == ["S(2)"]


def test_what_was_there_before_has_a_life(scop):
    scop = pn.parse("param N; inout A; for i=0 to N do S: B[i] = A[i]; T: A[i] = 1; done")
    found = trace(scop, scop, "A[2]", N=3)
    assert [str(e.instance) for e in found.events] == ["S(2)", "T(2)"]
    assert set(found.lives) == {(None, Instance("S", (2,))), (Instance("T", (2,)), None)}


def test_an_instance_may_do_both():
    scop = pn.parse("param N; inout A; for i=0 to N do S: A[0] = A[0] + i; done")
    found = trace(scop, scop, "A[0]", N=1)
    assert [(e.reads, e.writes) for e in found.events] == [(True, True)] * 2


def test_the_picture(scop):
    verdict = check(scop, LATE)
    svg = verdict.to_svg()
    assert svg == check(scop, LATE).to_svg()
    root = ElementTree.fromstring(svg)
    texts = [t.text for t in root.iter(f"{SVG}text")]
    for said in ("t, N = 1", "in the program", "in the new order", "S(0)", "R(1)", "reads"):
        assert said in texts
    (drawn,) = conflict_pictures(verdict)
    assert str(drawn.whole.svg) == svg
    assert "S(1), whose value R(1) reads, would overwrite it" in drawn.line.alt


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("inout A; for i=0 to N do S: B[i] = A[i]; T: A[i] = 1; done",
         "{ S[i] -> [i,1]; T[i] -> [i,0] }"),
        ("output A; for i=0 to N do S: A[0] = B[i]; done", "{ S[i] -> [-i] }"),
        ("temp t; for i=0 to N do S: t = A[i]; R: B[i] = t; D: t = 0; done",
         "{ S[i] -> [i,0]; D[i] -> [i,1]; R[i] -> [i,2] }"),
        ("assume N >= 9; temp t; for i=0 to N do S: t = A[i]; R: B[i] = t; done",
         "{ S[i] -> [0,-i]; R[i] -> [1,i] }"),
    ],
    ids=["live-in", "live-out", "dead", "far apart"],
)  # fmt: skip
def test_every_kind_is_drawn_inside_the_picture(text, order):
    (drawn,) = conflict_pictures(check(pn.parse("param N; " + text), order))
    svg = str(drawn.line.svg)
    root = ElementTree.fromstring(svg)
    width, height = (float(root.get(k)) for k in ("width", "height"))
    for t in root.iter(f"{SVG}text"):
        assert 0 <= float(t.get("x")) <= width
        assert 0 <= float(t.get("y")) <= height
    bars = [p for p in root.iter(f"{SVG}path") if p.get("stroke-width") == "5"]
    assert len(bars) >= 4


def test_nothing_to_draw(scop):
    with pytest.raises(PolynbError, match="no conflict to draw"):
        check(scop, scop).to_svg()
    flow = check(scop, "{ S[i] -> [i,1]; R[i] -> [i,0] }")
    assert all(c.kind == "flow" or c.pair is not None for c in flow.conflicts)
    assert conflict_pictures(Verdict(())) == []


def test_the_display_of_a_verdict(scop):
    verdict = check(scop, LATE)
    shown = verdict._repr_mimebundle_()["text/html"]
    assert shown.count("<img") == 2
    assert "t, N = 1: t holds what S(0) writes until R(0) reads it" in shown
    assert ".repairs" in shown
    assert "<img" not in check(scop, scop)._repr_mimebundle_()["text/html"]


def test_a_display_of_what_is_too_complex_says_so(scop, monkeypatch):
    from polynb.show.displays import verdict as shown

    verdict = check(scop, LATE)
    monkeypatch.setattr(shown, "BUDGET", 10)
    assert "too complex to draw" in shown.conflicts_html(verdict)
    assert isinstance(isl.BudgetExhausted("x"), PolynbError)
