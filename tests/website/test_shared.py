"""Pictures and looks of displays that stand in a site once."""

import base64
import re
from xml.etree import ElementTree

import polynb as pn
from polynb.site.reference.programs import _picture
from polynb.site.shared import STYLES, SharedParts, shorter

SVG = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0" fill="red"/></svg>'
PLAIN = '<p style="margin:0"><img alt="a" src="data:image/svg+xml;base64,{}"></p>'


def notebook(*bundles):
    outputs = [{"output_type": "display_data", "metadata": {}, "data": data} for data in bundles]
    printed = {"output_type": "stream", "name": "stdout", "text": "1\n"}
    cells = [{"cell_type": "code", "source": "", "outputs": [*outputs, printed]}]
    return {"cells": [*cells, {"cell_type": "markdown", "source": ""}]}


def test_a_picture_and_a_look_are_there_once(tmp_path):
    parts = SharedParts(tmp_path / "shared")
    png = base64.b64encode(b"no picture").decode()
    markup = PLAIN.format(base64.b64encode(SVG.encode()).decode())
    given = notebook({"text/html": [markup]}, {"image/png": png, "text/plain": "<Figure>"})
    for page in (tmp_path / "notebooks" / "lessons", tmp_path / "slides"):
        first, drawn, printed = parts.notebook(given, page)["cells"][0]["outputs"]
        source = re.search(
            r'<p class="(\w+)"><img alt="a" src="(.*)"></p>', first["data"]["text/html"]
        )
        assert (page / source[2]).resolve().read_text() == SVG
        assert drawn["data"]["text/plain"] == "<Figure>"
        place = re.search(r'<img alt="[^"]+" src="(.*)">', drawn["data"]["text/html"])[1]
        assert (page / place).resolve().read_bytes() == b"no picture"
        assert printed["text"] == "1\n"
    parts.write_styles()
    assert (parts.folder / STYLES).read_text() == f".{source[1]}{{margin:0!important}}\n"
    assert len(list(parts.folder.iterdir())) == 3


def looks(svg):
    """What each element looks like, by its own attributes or by its class."""
    rules = dict(re.findall(r"\.(\w+)\{([^}]*)\}", svg))
    for element in ElementTree.fromstring(svg).iter():
        given = dict(element.attrib)
        for rule in filter(None, rules.get(given.pop("class", ""), "").split(";")):
            name, _, value = rule.partition(":")
            given[name] = value.removesuffix("px") if name == "font-size" else value
        if not element.tag.endswith("style"):
            yield element.tag, given, element.text


def test_a_shorter_picture_is_the_same_picture():
    svg, _, _ = _picture(pn.gallery.load("harris"))
    short = shorter(svg)
    assert len(short) < 0.7 * len(svg)
    assert list(looks(short)) == list(looks(svg))
    assert shorter(SVG) == SVG
