"""The papers' terms are explained where they are read."""

import re
from html import unescape

import pytest

import polynb as pn
from polynb.show import mimebundle
from polynb.show.glossary import definitions, in_terms
from polynb.show.html import sentence
from polynb.show.trace.builder import trace


def found(text):
    return [d.term for _, d in in_terms(text, set()) if d is not None]


def test_every_definition_says_where_its_paper_has_it():
    for d in definitions():
        assert re.fullmatch(r".+\.", d.means), d.term
        assert re.match(r"(CC'18|IMPACT'16|DeLICM|TACO'19), (section|definition)", d.source), d.term
        assert found(f"x {d.forms[-1]} x") == [d.term]


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("The dates decide: θ(S) ≪ θ(T), whatever dates are.", ["date", "≪"]),
        ("A label function with ⊤, widened: is widened", ["label function", "⊤", "widening"]),
        ("Overwritten reloads, ORDER and PIWs", ["OR"]),
        ("An unused zone, a written cell, its known content", ["unused", "known content"]),
        ("the live ranges stay in a band; no live-out array", ["live range", "band", "live-out"]),
    ],
)
def test_terms_are_found_each_once(text, terms):
    assert found(text) == terms
    assert "".join(piece for piece, _ in in_terms(text, set())) == text


def test_what_was_explained_before_is_not_again():
    known = set()
    assert "<abbr" in sentence("a band", known)
    assert "<abbr" not in sentence("another band", known)


REFUSED = "param N; for i = 0 to N do t[i] = A[i]; done for i = 0 to N do B[i] = t[i]; done"


@pytest.mark.parametrize("what", ["kept", "lrr_listing1"])
def test_displays_explain_terms_and_have_no_backquotes(what):
    kept = what == "kept"
    derivation = pn.propagate(pn.parse(REFUSED)) if kept else pn.reorder(pn.gallery.load(what))
    markup = mimebundle(derivation)["text/html"]
    said = unescape(re.sub(r"<[^>]*>", "", markup))
    assert "`" not in said
    terms = set(re.findall(r"<abbr [^>]*>([^<]*)</abbr>", markup))
    assert terms >= (
        {"Non-live-out"} if kept else {"band", "permutable", "coincident", "live ranges"}
    )


def test_titles_have_the_gallery_s_names():
    """Also of C functions that are called f."""
    listing = pn.gallery.load("lrr_listing1")
    title = "lrr_listing1 (Live-Range Reordering, Listing 1)"
    assert trace(pn.reorder(listing))["title"] == f"reorder {title}"
    assert trace(listing)["title"] == title
    assert mimebundle(listing)["text/plain"].startswith(f"{title}: 4 statements")
    own = pn.parse(pn.gallery.text("fig1").replace("1.5", "2.5"), name="fig1")
    assert trace(own)["title"] == "fig1"
