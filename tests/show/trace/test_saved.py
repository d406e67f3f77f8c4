"""What a notebook's file holds of a display: all of it, or fewer frames and that they are fewer."""

import base64
import json
import re
import zlib
from pathlib import Path

import jsonschema
import pytest

import polynb as pn
from polynb.show.bundle import mimebundle
from polynb.show.displays.static import static
from polynb.show.html import Html
from polynb.show.trace import builder, saved
from polynb.show.trace.builder import trace
from polynb.show.trace.saved import LIMIT, MIME

SCHEMA = json.loads((Path(builder.__file__).parent / "trace.schema.json").read_text())
PASSES = (pn.propagate, pn.reorder)


@pytest.fixture(scope="module")
def derivation():
    return pn.propagate(pn.gallery.load("fig1"))


def opened(text):
    """The id in the text, and what is in it."""
    name, version, key, packed = text.split(" ")
    assert (name, version) == ("polynb-trace", "1")
    return key, json.loads(zlib.decompress(base64.b64decode(packed)))


def size(display):
    return sum(len(text.encode()) for text in display.values())


def test_it_is_the_trace_and_always_the_same(derivation, monkeypatch):
    monkeypatch.setattr("polynb.show.bundle._has_kernel", lambda: True)
    found = mimebundle(derivation)
    assert set(found) == {MIME, "text/plain", "text/html"}
    key, content = opened(found[MIME])
    assert content["trace"] == json.loads(json.dumps(trace(derivation)))
    assert key == content["trace"]["id"]
    assert "next: " in content["below"]
    assert mimebundle(pn.propagate(pn.gallery.load("fig1"))) == found


def test_a_widget_is_saved_as_it_begins(derivation):
    pytest.importorskip("anywidget")
    stepper = derivation.step(N=5, predict=True)
    stepper.step = 3
    _, content = opened(stepper._repr_mimebundle_()[MIME])
    assert content["traits"] == {"step": 3, "predict": True, "hidden": []}
    assert content["trace"] == json.loads(json.dumps(stepper.trace))


def pictures(display):
    found = re.findall(
        r'alt="([^"]*)" src="data:image/svg\+xml;base64,([^"]*)"', display["text/html"]
    )
    return {alt: base64.b64decode(packed).decode() for alt, packed in found}


def test_where_it_is_not_played_there_are_the_first_and_the_last_picture(derivation, monkeypatch):
    whole, plain = trace(derivation), static(derivation)
    found = pictures(saved.bundle(whole, plain))
    assert [alt.partition(":")[0] for alt in found] == ["Step 0 of 40", "Step 40 of 40"]
    assert list(found.values()) == [str(derivation.to_svg(step=k)) for k in (0, -1)]
    program = derivation.before  # whose page has pictures of its own
    assert (
        saved.bundle(trace(program), static(program))["text/html"] == static(program)["text/html"]
    )
    monkeypatch.setattr(saved, "MOST", 10_000)
    assert saved.bundle(whole, plain)["text/html"] == plain["text/html"]


def test_frames_are_worth_more_than_pictures(derivation, monkeypatch):
    whole, plain = trace(derivation), static(derivation)
    all_of_it = size(saved.bundle(whole, plain))
    monkeypatch.setattr(saved, "LIMIT", all_of_it - 1)
    found = saved.bundle(whole, plain)
    assert opened(found[MIME])[1]["trace"]["steps"] == whole["steps"]
    assert not pictures(found)


@pytest.mark.parametrize("room", [1000, 3500, 5000])
def test_where_there_is_no_room_there_are_fewer_frames_and_it_says_so(
    derivation, monkeypatch, room
):
    whole = trace(derivation)
    plain = static(derivation)
    monkeypatch.setattr(saved, "LIMIT", size(plain) + room)
    found = saved.bundle(whole, plain, Html("<p>below</p>"))
    if room == 1000:  # not enough for two frames, unless there is less beside them
        assert found["text/html"].startswith("<pre>")
        assert opened(found[MIME])[1]["trace"]["steps"] == whole["steps"]
        return
    assert size(found) <= size(plain) + room
    key, content = opened(found[MIME])
    thin = content["trace"]
    jsonschema.Draft202012Validator(SCHEMA).validate(thin)
    kept = len(thin["steps"])
    assert 2 <= kept < len(whole["steps"])
    assert key == whole["id"]
    assert f"{kept} of {len(whole['steps'])} frames are kept" in content["below"]
    assert content["below"].endswith("<p>below</p>")
    assert (thin["steps"][0]["kind"], thin["steps"][-1]["kind"]) == ("verdict", "result")


def test_fewer_frames_show_what_they_showed(derivation):
    whole = trace(derivation)
    thin = saved._thinned(whole, 7)
    numbers = [k * 40 // 6 for k in range(7)]
    for frame, old in zip(thin["steps"], (whole["steps"][n] for n in numbers), strict=True):
        assert frame["sentence"] == old["sentence"]
        for of, key in (("programs", "program"), ("phases", "phase")):
            named = [t[of][f[key]] for t, f in ((thin, frame), (whole, old))]
            assert {**named[0], "first": 0} == {**named[1], "first": 0}
        assert thin["scenes"][frame["scene"]] == whole["scenes"][old["scene"]]
        said = [[t["sets"][s] for s in f.get("sets", ())] for t, f in ((thin, frame), (whole, old))]
        assert said[0] == said[1]
    for phase, k in zip(thin["phases"], range(99), strict=False):
        assert next(n for n, f in enumerate(thin["steps"]) if f["phase"] == k) == phase["first"]
    for before, after in zip(whole["arrays"], thin["arrays"], strict=True):
        assert numbers[after["step"]] >= before["step"] > ([-1, *numbers][after["step"]])
    assert whole == trace(derivation)  # is as it was


def test_a_frame_that_decides_and_is_kept_is_the_one_an_array_names(derivation):
    whole = trace(derivation)
    count, exact = len(whole["steps"]), 0
    for kept in range(2, count):
        numbers = [k * (count - 1) // (kept - 1) for k in range(kept)]
        for before, after in zip(
            whole["arrays"], saved._thinned(whole, kept)["arrays"], strict=True
        ):
            assert numbers[after["step"]] >= before["step"] > [-1, *numbers][after["step"]]
            exact += before["step"] in numbers
    assert exact


@pytest.mark.parametrize("name", ["fig1", "taco13_fig7", "lrr_listing3", "sat"])
@pytest.mark.long
def test_files_stay_small(name, monkeypatch):
    monkeypatch.setattr("polynb.show.bundle._has_kernel", lambda: True)
    scop = pn.gallery.load(name)
    for shown in (scop, *(run(scop) for run in PASSES)):
        display = mimebundle(shown)
        assert size(display) <= LIMIT
        if MIME in display:
            assert "are kept in this file" not in opened(display[MIME])[1]["below"]


def test_what_is_too_long_for_a_file_says_how_to_step_through_it(derivation, monkeypatch):
    monkeypatch.setattr("polynb.show.bundle._has_kernel", lambda: True)
    monkeypatch.setattr("polynb.show.displays.naming.variable_of", lambda x: "fast")
    monkeypatch.setattr(saved, "LIMIT", 1000)
    display = mimebundle(derivation)
    assert set(display) == {"text/plain", "text/html"}
    for text in display.values():
        assert "%step fast plays all of them" in text


@pytest.mark.parametrize("lines", [3, 1000])
def test_frames_have_room_beside_long_html(derivation, lines):
    """Else a widget that is opened again would be without its model, and with nothing instead."""
    text = "\n".join(["tmp <is> removed"] * lines)
    display = saved.bundle(
        trace(derivation), {"text/plain": text * 3, "text/html": "<p>x</p>" * 20_000}
    )
    assert size(display) <= LIMIT
    assert opened(display[MIME])[1]["trace"]["steps"] == trace(derivation)["steps"]
    assert "tmp &lt;is&gt; removed" in display["text/html"]
    assert display["text/plain"] == text * 3 or display["text/plain"].endswith("removed\n…")
