"""The widget, the page and the pictures that step through a derivation."""

import base64
import json
import re
import xml.etree.ElementTree as ET
import zlib

import pytest

import polynb as pn
from polynb.errors import PolynbError
from polynb.show.bundle import mimebundle
from polynb.show.trace.builder import trace
from polynb.show.trace.saved import MIME
from polynb.show.trace.stepper import KEPT

anywidget = pytest.importorskip("anywidget")


@pytest.fixture
def derivation():
    return pn.propagate(pn.gallery.load("fig1"))


def test_the_widget_plays_the_trace(derivation):
    stepper = derivation.step(N=5)
    assert stepper.trace["parameters"] == [{"name": "N", "value": 5, "low": 3, "high": 15}]
    assert (stepper.step, stepper.predict, stepper.live) == (0, False, True)
    bundle = stepper._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert bundle["text/html"].endswith(mimebundle(derivation)["text/html"])
    title = "propagate fig1 (Polyhedral Expression Propagation, Figure 1)"
    assert repr(stepper) == f"<Stepper: 41 frames of {title}>"


def test_other_values_give_another_trace_and_bad_ones_change_nothing(derivation):
    stepper = derivation.step(N=5)
    stepper.step = 3
    stepper.wanted = {"N": 9}
    assert stepper.trace["parameters"][0]["value"] == 9
    assert stepper.step == 3
    stepper.wanted = {"N": 1}
    assert stepper.trace["parameters"][0]["value"] == 9


def test_sizes_that_are_not_allowed_are_not_offered():
    program = pn.parse("param N; assume N >= 2 and N <= 8; for i = 0 to N-1 do A[i] = i; done")
    (n,) = trace(program, {"N": 3})["parameters"]
    assert (n["low"], n["high"]) == (2, 8)


def test_answers_are_judged_again(derivation):
    stepper = derivation.step(predict=True)
    steps = stepper.trace["steps"]
    at, question = next((k, s["question"]) for k, s in enumerate(steps) if "question" in s)
    given = {"step": at, "kind": question["kind"], "answer": question["answer"], "right": False}
    stepper.answers = [given, {**given, "answer": "no such array", "right": True}]
    assert [a["right"] for a in stepper.answers] == [True, False]
    assert stepper.score == (1, 2)
    stepper.trace = {**stepper.trace, "steps": []}  # of another size, with other questions
    stepper.set_state({"answers": [*stepper.answers, {**given, "step": 0, "right": True}]})
    assert [a["right"] for a in stepper.answers] == [True, False, False]


def test_without_a_kernel_the_display_is_static(derivation):
    assert set(mimebundle(derivation)) == {"text/plain", "text/html"}


def test_with_a_kernel_a_derivation_is_the_stepper(derivation, monkeypatch):
    monkeypatch.setattr("polynb.show.bundle._has_kernel", lambda: True)
    found = mimebundle(derivation)
    assert MIME in found
    assert found["text/html"].startswith("<div")


@pytest.mark.long
def test_a_long_derivation_is_the_stepper_too_with_what_decides(derivation, monkeypatch):
    """At first with every step; of a longer one, or where that is too much, with fewer."""
    made = []

    def traced(x, whole):
        made.append(whole)
        if whole and "harris" in str(x.before.name):
            raise PolynbError("too much to enumerate")
        return trace(x, whole=whole)

    def shown(x):
        content = mimebundle(x)[MIME].split(" ")[-1]
        return json.loads(zlib.decompress(base64.b64decode(content)))["trace"]

    monkeypatch.setattr("polynb.show.bundle._has_kernel", lambda: True)
    monkeypatch.setattr("polynb.show.trace.builder.trace", traced)
    long = pn.propagate(pn.gallery.load("harris"))
    assert shown(derivation)["id"] == trace(derivation)["id"]
    assert shown(long)["id"] == trace(long, whole=False)["id"]
    monkeypatch.setattr("polynb.show.bundle.STEPS", 20)
    assert shown(derivation)["id"] == trace(derivation, whole=False)["id"]
    assert made == [True, True, False, False]


def test_of_a_long_derivation_there_is_what_begins_and_what_decides():
    found = pn.propagate(pn.gallery.load("unsharp_mask"))
    whole, short = trace(found), trace(found, whole=False)
    kinds = [f["kind"] for f in short["steps"]]
    assert set(kinds) == {"verdict", "ArrayChosen", "ArrayPropagated", "result"}
    assert (
        f"Here are the {len(kinds) - 2} of {len(found.steps)} steps" in short["steps"][0]["detail"]
    )
    assert "detail" not in whole["steps"][0]
    said = [[t["steps"][a["step"]]["sentence"] for a in t["arrays"]] for t in (whole, short)]
    assert said[0] == said[1]
    assert short["code"] == whole["code"]
    assert short["steps"][0]["change"] == whole["steps"][0]["change"]


def test_a_small_program_is_shown_by_the_same_panels(monkeypatch):
    monkeypatch.setattr("polynb.show.bundle._has_kernel", lambda: True)
    scop = pn.gallery.load("fig1")
    assert MIME in mimebundle(scop)
    assert len(scop.to_html().encode()) < 150_000
    root = ET.fromstring(scop.to_svg(N=4))
    assert not any(" of " in (t.text or "") for t in root.iter("{http://www.w3.org/2000/svg}text"))


# -- pages and pictures ----------------------------------------------------------------------


def test_a_page_is_whole_in_itself(derivation, tmp_path):
    file = tmp_path / "fig1.html"
    assert derivation.to_html(file, N=4) == file
    page = derivation.to_html(N=4)
    assert file.read_text(encoding="utf-8") == page
    assert len(page) > 50_000
    assert len(repr(page)) < 100 > len(repr(derivation.to_svg(N=4)))
    assert len(page.encode()) < 160_000
    trace = re.search(r'<script type="application/json">(.*?)</script>', page, re.S)[1]
    assert json.loads(trace)["parameters"][0]["value"] == 4
    assert page.count("</script>") == 2
    assert not re.search(r'(?:src|href)="(?!data:|#)', page)


def test_nothing_of_a_program_ends_its_page_early():
    text = "output B[1]; temp t[1]; t[0] = 1; // S\nB[0] = t[0] < 2; // T"
    page = pn.propagate(pn.parse(text)).to_html()
    trace = re.search(r'<script type="application/json">(.*?)</script>', page, re.S)[1]
    assert "<" not in trace
    assert json.loads(trace)


def test_a_picture_of_a_step(derivation):
    picture = derivation.to_svg(step=5, N=4)
    assert picture == derivation.to_svg(step=5, N=4)
    root = ET.fromstring(picture)
    texts = [t.text for t in root.iter("{http://www.w3.org/2000/svg}text")]
    assert any(t.startswith("5 of 40") for t in texts)
    assert "animation" not in picture


def test_all_steps_one_after_the_other(derivation):
    picture = derivation.to_svg([0, 2, -1], seconds=1.5, N=4)
    ET.fromstring(picture)
    assert "4.5s step-end infinite" in picture
    assert picture.count("animation-delay") == 3
    assert "prefers-reduced-motion" in picture


def test_steps_that_there_are_not_are_refused(derivation):
    with pytest.raises(PolynbError, match="no step 41"):
        derivation.to_svg(step=41)


def test_an_answer_counts_for_the_sizes_that_were_shown(derivation):
    """It may be on its way while a trace of other sizes is made."""
    stepper = derivation.step(predict=True)
    before = stepper.trace
    at = next(k for k, s in enumerate(before["steps"]) if "question" in s)
    question = before["steps"][at]["question"]
    given = {"step": at, "trace": before["id"], "kind": question["kind"]}
    stepper.wanted = {"N": 9}
    assert stepper.trace["id"] != before["id"]
    stepper.trace = {**stepper.trace, "steps": []}
    stepper.answers = [{**given, "answer": question["answer"], "right": True}]
    assert stepper.score == (1, 1)
    for n in range(4, 4 + 2 * KEPT):
        stepper.wanted = {"N": n}
    assert len(stepper._asked) == KEPT
