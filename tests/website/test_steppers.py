"""Notebooks whose stored traces become elements that a script plays."""

import base64
import html
import json
import re
import zlib

import pytest

import polynb as pn
from polynb.errors import PolynbError
from polynb.show.displays.static import static
from polynb.show.html import Html
from polynb.show.trace import saved
from polynb.show.trace.builder import trace
from polynb.site.steppers import playable, script

ELEMENT = re.compile(
    r'<div data-polynb-stepper="([^"]*)"><script type="application/zlib">(.*?)</script>', re.S
)


def unpacked(text):
    return json.loads(zlib.decompress(base64.b64decode(text)))


@pytest.fixture(scope="module")
def shown():
    """(its trace, what a notebook holds of it)."""
    derivation = pn.propagate(pn.gallery.load("fig9a"))
    found = trace(derivation)
    more = [(found, {"predict": True})]
    return found, saved.bundle(
        found, static(derivation), Html("<p>below</p>"), more, step=4, hidden=["a'b"]
    )


def notebook(*outputs):
    cell = {"cell_type": "code", "id": "x", "source": "", "metadata": {}, "outputs": list(outputs)}
    return {"cells": [cell], "metadata": {"widgets": {}}, "nbformat": 4, "nbformat_minor": 5}


def displayed(data):
    return {"output_type": "display_data", "metadata": {}, "data": data}


def outputs(made):
    return made["cells"][0]["outputs"]


def test_a_trace_is_there_to_be_played(shown):
    found, data = shown
    made = playable(notebook(displayed(data | {"application/vnd.jupyter.widget-view+json": {}})))
    (output,) = outputs(made)
    assert set(output["data"]) == {"text/plain", "text/html"}
    assert "widgets" not in made["metadata"]
    markup = output["data"]["text/html"]
    (first, second) = ELEMENT.findall(markup)
    assert [unpacked(t) for _, t in (first, second)] == [found, found]
    assert json.loads(html.unescape(first[0])) == {"step": 4, "hidden": ["a'b"], "hash": False}
    assert json.loads(html.unescape(second[0])) == {"predict": True, "hash": False}
    assert data["text/html"] in markup
    (without,) = outputs(playable(notebook(displayed(data)), plain=False))
    assert data["text/html"] not in without["data"]["text/html"]
    assert markup.count("<p>below</p>") == 1


def test_a_program_ends_no_script(shown):
    found, data = shown
    evil = found | {"title": "</script><img src=x>"}
    data = data | {saved.MIME: saved.bundle(evil, static(pn.gallery.load("fig9a")))[saved.MIME]}
    markup = outputs(playable(notebook(displayed(data))))[0]["data"]["text/html"]
    assert "</script><img" not in markup
    assert unpacked(ELEMENT.search(markup)[2])["title"] == evil["title"]


def test_other_outputs_stay_and_empty_ones_go():
    printed = {"output_type": "stream", "name": "stdout", "text": "1\n"}
    plain = displayed({"text/plain": "1"})
    assert outputs(playable(notebook(printed, displayed({}), plain))) == [printed, plain]


@pytest.mark.parametrize("text", ["", "polynb-trace 3 0 ####", "another 3 0 AAAA", "a b"])
def test_what_is_no_trace_is_refused(text):
    with pytest.raises(PolynbError, match="no trace"):
        saved.read(text)


def test_the_script_is_no_module():
    text = script()
    assert text.startswith("globalThis.polynbStepping = (async () => {")
    assert "export{" not in text[-200:]
