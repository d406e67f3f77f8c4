"""Memory as Python draws it: in pictures of steps, and on pages without scripts."""

import re
import xml.etree.ElementTree as ET
from itertools import combinations
from pathlib import Path

import pytest

import polynb as pn
from polynb.show.trace.builder import trace
from polynb.show.trace.memory_layout import Box, Run, dots, hatch, lines, memory_layout, runs
from polynb.show.trace.memory_picture import RULES, draw_memory

from .test_delicm import READ, WRITTEN

SVG = "{http://www.w3.org/2000/svg}"
WORDS = Path(__file__).parents[3] / "widgets" / "src" / "memory_words.ts"


@pytest.fixture(scope="module")
def written():
    return pn.remove_scalars(WRITTEN)


def memories(derivation, **parameters):
    steps = trace(derivation, parameters)["steps"]
    return {k: s["memory"] for k, s in enumerate(steps) if "memory" in s}


def texts(svg):
    return [t.text for t in ET.fromstring(str(svg)).iter(f"{SVG}text")]


def test_a_picture_of_a_step_has_its_cells_its_times_and_what_each_texture_means(written):
    memory = memories(written, N=2, K=2)
    asked = next(k for k, m in memory.items() if "candidate" in m)
    said = texts(written.to_svg(asked, N=2, K=2))
    assert {"A[0]", "A[1]", "W(0,1)", "U(1)", "before", "after"} <= set(said)
    assert {"A, above:", "s, below:"} <= set(said)
    assert {"unused", "occupied", "known content", "written", "lifetime"} <= set(said)
    assert not any("conflict" in t for t in said)
    assert written.to_svg(asked, N=2, K=2) == written.to_svg(asked, N=2, K=2)


@pytest.mark.parametrize("scop", [READ, WRITTEN], ids=["read", "written"])
def test_the_ring_is_where_the_conflict_is(scop):
    memory = next(m for m in memories(pn.remove_scalars(scop)).values() if "conflict" in m)
    conflict = memory["conflict"]
    cell, k = conflict["place"]
    layout = memory_layout(memory, 18)
    place = layout.place(Run(cell, k, k))
    middle = layout.line(k) if conflict["at"] == "time" else place.x + place.width / 2
    drawn = ET.fromstring(str(draw_memory(memory)))
    (ring,) = [p for p in drawn.iter(f"{SVG}path") if p.get("stroke-width") == "3"]
    x, y, across = map(float, re.match(r"M(\S+) (\S+)h([\d.]+)", ring.get("d")).groups())
    assert x + across / 2 == pytest.approx(middle, abs=0.2)
    assert y < place.y < y + 4
    assert f"✗ conflict: {RULES[conflict['rule']]}" in texts(draw_memory(memory))


def test_rules_have_the_names_of_the_stepper():
    block = re.search(r"RULES\b.*?= \{(.*?)\};", WORDS.read_text("utf-8"), re.S)[1]
    told = re.findall(r'"?(\w[\w ]*)"?: "(.*?)"', block)
    assert dict(told) == RULES


@pytest.mark.parametrize("width", [2, 4])
def test_a_lifetime_is_as_long_as_its_zones(width):
    """Listing 3: from T(j) to U(j), K + 1 zones in each row, is one box."""
    derivation = pn.remove_scalars(pn.gallery.load("delicm_listing3"))
    memory = next(m for m in memories(derivation, N=2, K=width - 1).values() if "candidate" in m)
    layout = memory_layout(memory, 2)
    drawn = ET.fromstring(str(draw_memory(memory)))
    found = [p.get("d") for p in drawn.iter(f"{SVG}path") if p.get("stroke-width") == "2"]
    boxes = [tuple(map(float, re.match(r"M(\S+) \S+h([\d.]+)", d).groups())) for d in found]
    *rows, _legend = boxes
    each = width + 1  # instances of an iteration of the outer loop
    for row, (x, across) in enumerate(rows):
        assert x == pytest.approx(layout.line(row * each), abs=0.1)
        assert across == pytest.approx(layout.zone * width, abs=0.1)
    assert len(rows) == 2


@pytest.mark.parametrize("name", ["delicm_listing2", "delicm_listing3", "durbin"])
def test_no_value_reaches_another_one(name):
    """Texts that are not slanted; each is where nothing else is written."""
    for memory in memories(pn.map_scalars(pn.gallery.load(name))).values():
        svg = ET.fromstring(str(draw_memory(memory)))
        boxes = [_box(t) for t in svg.iter(f"{SVG}text") if t.get("transform") is None]
        width, height = float(svg.get("width")), float(svg.get("height"))
        for left, top, right, bottom, text in boxes:
            assert left >= 0 <= top, text
            assert right <= width + 1, text
            assert bottom <= height, text
        for a, b in combinations(boxes, 2):
            across = min(a[2], b[2]) - max(a[0], b[0])
            down = min(a[3], b[3]) - max(a[1], b[1])
            assert across <= 1 or down <= 1, (a, b)


def _box(t):
    size = float(t.get("font-size"))
    width = 0.6 * size * len(t.text)
    shift = {"middle": width / 2, "end": width}.get(t.get("text-anchor"), 0)
    left, base = float(t.get("x")) - shift, float(t.get("y"))
    return left, base - 0.75 * size, left + width, base + 0.2 * size, t.text


def test_runs_are_broken_at_writes_and_where_values_differ():
    layer = {"of": "existing", "role": "known", "label": "", "places": [[0, k] for k in range(5)]}
    layer["values"] = ["a", "a", "a", "b", "b"]
    assert [r[1:] for r in runs(layer, {(0, 0)})] == [(0, 0, "a"), (1, 2, "a"), (3, 4, "b")]
    assert [r[1:3] for r in runs(layer | {"role": "unused"})] == [(0, 4)]


def test_textures_differ_and_stay_inside():
    box = Box(13, 7, 31, 19)
    drawn = {texture(box) for texture in (dots, hatch, lines)}
    assert len(drawn) == 3
    for d in drawn:
        points = [tuple(map(float, p)) for p in re.findall(r"([-\d.]+) ([-\d.]+)", d)]
        assert points
        assert all(13 <= x <= 44 and 7 <= y <= 26 for x, y in points)
    left, right = lines(box, (20, 30)).split("M")[1:3]
    assert float(left.partition("H")[2]) <= 20 < 30 <= float(right.split()[0])


def test_a_page_without_scripts_shows_memory(written):
    page = written.to_html(N=2, K=2)
    without = re.sub(r"<script.*?</script>", "", page, flags=re.S)
    (figure,) = re.findall(r"<figure>(.*?)</figure>", without, re.S)
    assert "✗ conflict: existing write into the lifetime" in figure
    assert "s is not mapped to A" in figure
    assert "<figure>" not in re.sub(
        r"<script.*?</script>", "", pn.propagate(pn.gallery.load("fig9a")).to_html(), flags=re.S
    )
