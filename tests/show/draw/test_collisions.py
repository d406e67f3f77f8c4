"""No text of a picture covers another one, and none is cut (where texts are is estimated)."""

import re
from itertools import combinations
from xml.etree import ElementTree

import pytest

import polynb as pn
from polynb.dependences import analyze
from polynb.show.draw.iteration_space import iteration_space
from polynb.show.draw.scene_svg import scene_svg

NAMESPACE = "{http://www.w3.org/2000/svg}"
Box = tuple[float, float, float, float]  # left, top, right, bottom


def collisions(svg: str) -> list[str]:
    """What is said of texts that cover one another, and of texts outside of the picture."""
    root = ElementTree.fromstring(svg)
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    known = {d.attrib["id"]: d for d in root.iter(f"{NAMESPACE}g") if "id" in d.attrib}
    texts = list(_texts(root, known, 0, 0))
    found = []
    for text, (left, top, right, bottom) in texts:
        if left < 0 or top < 0 or right > width or bottom > height:
            found.append(f"{text} is outside: {left:.0f} {top:.0f} {right:.0f} {bottom:.0f}")
    for (a, p), (b, q) in combinations(texts, 2):
        if min(p[2], q[2]) - max(p[0], q[0]) > 1 and min(p[3], q[3]) - max(p[1], q[1]) > 1:
            found.append(f"{a} covers {b}")
    return found


def _texts(node, known, x, y):
    for child in node:
        tag = child.tag.removeprefix(NAMESPACE)
        if tag == "text":
            yield child.text, _box(child, x, y)
        elif tag == "use":
            at = float(child.get("x", 0)), float(child.get("y", 0))
            yield from _texts(known[child.attrib["href"][1:]], {}, x + at[0], y + at[1])
        elif tag == "g":
            moved = re.search(r"translate\(([-\d.]+) ([-\d.]+)\)", child.get("transform", ""))
            dx, dy = map(float, moved.groups()) if moved else (0, 0)
            yield from _texts(child, known, x + dx, y + dy)


def _box(text, x, y) -> Box:
    size = float(text.attrib["font-size"])
    mono = "mono" in text.attrib["font-family"]
    width = size * (0.61 if mono else 0.56) * len(text.text)
    left = (
        x
        + float(text.get("x", 0))
        - {"middle": width / 2, "end": width}.get(text.get("text-anchor", ""), 0)
    )
    base = y + float(text.get("y", 0))
    return left, base - 0.75 * size, left + width, base + 0.2 * size


PICTURES = ("fig1", "fig7b", "lrr_listing1", "lrr_listing3", "unsharp_mask", "harris", "gemm")


@pytest.mark.parametrize("name", PICTURES)
def test_iteration_spaces(name):
    scop = pn.gallery.load(name)
    assert collisions(scene_svg(iteration_space(scop, analyze(scop).edges))) == []


@pytest.mark.parametrize(
    "name", ["fig7b", "fig5", pytest.param("lrr_listing3", marks=pytest.mark.long)]
)
def test_steps(name):
    scop = pn.gallery.load(name)
    derivation = pn.reorder(scop) if name.startswith("lrr") else pn.propagate(scop)
    steps = range(28 if name.startswith("lrr") else 10)
    assert {k: c for k in steps if (c := collisions(derivation.to_svg(step=k)))} == {}


def test_what_collides_is_found():
    text = '<text x="{}" y="20" font-size="10" font-family="mono">abc</text>'
    for x, wrong in ((5, 0), (12, 1), (-1, 1), (50, 1)):
        two = text.format(x) + text.format(28)
        svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="60" height="30">{two}</svg>'
        assert len(collisions(svg)) == wrong, x
