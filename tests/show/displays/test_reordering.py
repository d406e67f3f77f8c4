"""Displays of reorderings, verdicts and schedule trees."""

import re

import pytest

import polynb as pn
from polynb.scop.schedule import Band, walk
from polynb.show import mimebundle
from polynb.show.displays.schedule import formulas, tree_lines
from polynb.show.trace.saved import MIME

from .test_bundle import Safe


def plain(markup):
    markup = re.sub(r"</?abbr[^>]*>", "", markup)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", markup)).replace("&#x27;", "'")


@pytest.fixture(scope="module")
def listing1():
    return pn.reorder(pn.gallery.load("lrr_listing1_scalar"), tile=32)


def test_the_verdict_says_what_was_in_the_way_and_what_is_now(listing1):
    first = mimebundle(listing1)["text/plain"].splitlines()[0]
    assert "7 false dependences through t and C" in first
    assert "4 of them are turned around, and no live ranges overlap." in first
    assert "2 loop nests became 1: S1, S2, S3 and S4 in 2 permutable loops" in first
    assert "tiled by 32 × 32. t is private to an iteration." in first
    assert first.endswith("Proven legal: every read gets the value that it got.")


@pytest.mark.parametrize("name", ["lrr_listing1", "lrr_listing3", "gemm_accumulator", "stap"])
@pytest.mark.long
def test_html_survives_in_an_unsigned_notebook(name):
    shown = mimebundle(pn.reorder(pn.gallery.load(name)))["text/html"]
    safe = Safe()
    safe.feed(shown)
    safe.close()
    assert safe.problems == []
    assert safe.open == []


def test_before_and_after_tree_and_dependences_are_there(listing1):
    shown = plain(mimebundle(listing1)["text/html"])
    for said in (
        "before: 4 statements",
        "after reorder: 4 statements",
        "band of 2 loops over tiles of 32 × 32, permutable",
        "S1 32*(j/32) 32*(i/32)",
        "mark: t private to an iteration of the loops above",
        "in this order: S1, S2, S3, S4",
        "Ignored, and why",
        "forced: live-out",
        "13 steps",
    ):
        assert said in shown, said


def test_what_is_ignored_has_a_witness_and_its_live_ranges(listing1):
    text = mimebundle(listing1)["text/plain"]
    assert (
        "ignored: anti S2 → S1 (t), turned around, as S2(0, 1) and S1(1, 0), n = 2. "
        "The live range S1 → S2 next to it stays within one iteration."
    ) in text
    isl_made = pn.reorder(pn.gallery.load("lrr_listing1_scalar"), scheduler="isl")
    assert "ignored: anti S2 → S1 (t), turned around" in mimebundle(isl_made)["text/plain"]


def test_where_nothing_is_in_the_way_that_is_said():
    text = mimebundle(pn.reorder(pn.gallery.load("taco13_fig12")))["text/plain"]
    assert "put live ranges in one fixed order, and all are respected." in text
    assert "ignored" not in text


def test_every_display_is_the_same_each_time_and_ends_with_the_next_line(listing1):
    found = mimebundle(listing1)
    assert found == mimebundle(listing1)
    assert found["text/plain"].splitlines()[-1].startswith("next: ")


def test_a_scop_with_bands_shows_its_tree(listing1):
    text = mimebundle(listing1.result)["text/plain"]
    assert "band of 2 loops over tiles of 32 × 32, permutable" in text
    assert "schedule tree" in mimebundle(listing1.result)["text/html"]
    assert "schedule tree" not in mimebundle(listing1.before)["text/html"]


def test_formulas_are_the_programs_own(listing1):
    bands = [t for t in walk(listing1.result.schedule) if isinstance(t, Band)]
    assert formulas(bands[0].members, listing1.result)["S3"] == ("32*(i/32)", "32*(j/32)")
    assert formulas(bands[1].members, listing1.result)["S1"] == ("j", "i")
    shifted = pn.reorder(pn.gallery.load("lrr_listing3"))
    assert "  S4 → [i2, j2, k2+1]" in tree_lines(shifted.result)


def test_a_verdict_says_what_would_go_wrong():
    scop = pn.gallery.load("taco13_fig7")
    bad = pn.check(scop, "{ S1[i, j] -> [0, i, j]; S2[i, j] -> [1, i, j] }")
    shown = mimebundle(bad)
    assert shown["text/plain"].startswith("illegal: ")
    assert "would overwrite t between" in plain(shown["text/html"])
    good = plain(mimebundle(pn.check(pn.reorder(pn.gallery.load("lrr_listing1"))))["text/html"])
    assert "legal : 2 false dependences are turned around" in good
    assert "S2 → S1" in good
    safe = Safe()
    safe.feed(shown["text/html"])
    assert safe.problems == []


@pytest.mark.long
def test_large_ones_are_the_stepper_with_less_beside_it(monkeypatch):
    monkeypatch.setattr("polynb.show.bundle._has_kernel", lambda: True)
    small = mimebundle(pn.reorder(pn.gallery.load("taco13_fig7")))
    large = mimebundle(pn.reorder(pn.gallery.load("stap")))
    assert MIME in small
    assert MIME in large
    assert "schedule tree" in small["text/html"]
    assert large["text/html"].startswith("<pre>")


def test_pages_and_pictures(listing1):
    page = listing1.to_html(n=3)
    assert len(page.encode()) < 400_000
    picture = listing1.to_svg(8, n=3)
    assert "The member turns" in picture
    assert "#B3261E" in picture


def test_a_verdict_shows_itself_without_the_magics():
    fused = pn.reorder(pn.gallery.load("lrr_listing1"))
    shown = pn.check(fused)._repr_mimebundle_()
    assert shown["text/plain"] == str(pn.check(fused))
    assert "<b>legal</b>" in shown["text/html"]


def test_an_order_that_the_model_finds_slower_is_said_to_be():
    first, *_ = mimebundle(pn.reorder(pn.gallery.load("atax")))["text/plain"].splitlines()
    assert first.endswith("A model of caches and vectors finds it slower than before.")
    assert "model" not in mimebundle(pn.reorder(pn.gallery.load("lu")))["text/plain"]
