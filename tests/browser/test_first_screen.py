"""What lessons show before anything is scrolled: 1, a program and its picture, whole, beside it;
10, two steppers, their pictures of memory whole; 4, a playground with a verdict and the live ranges
that overlap."""

import nbformat
import pytest

from .conftest import ROOT
from .test_lab import RUN, show

LESSON = ROOT / "notebooks" / "lessons" / "10_scalars.ipynb"
FIRST = LESSON.with_name("01_instances.ipynb")
LEGALITY = LESSON.with_name("04_legality.ipynb")
# The picture on screen: how far it is above the status bar, what is written in it, and what is cut.
PICTURE = """() => {
  const visible = e => e.getClientRects().length > 0;
  const memory = [...document.querySelectorAll('.pnb-memory')].find(visible);
  const sheet = memory.querySelector('.pnb-sheet').getBoundingClientRect();
  const box = memory.getBoundingClientRect();
  const bar = document.querySelector('#jp-main-statusbar').getBoundingClientRect();
  return {
    below: bar.top - sheet.bottom,
    cut: Math.max(sheet.bottom - box.bottom, sheet.right - box.right),
    words: [...memory.querySelectorAll('.pnb-word, .pnb-clash text')].map(e => e.textContent),
    legend: [...document.querySelectorAll('.pnb-textures')].find(visible).textContent,
  };
}"""


@pytest.mark.parametrize("width", [1366, 1024])
def test_both_steppers_are_seen_whole(page, lab, width):
    address, folder = lab
    page.set_viewport_size({"width": width, "height": 768})
    lesson = nbformat.read(LESSON, 4)
    lesson.cells = lesson.cells[:2]
    nbformat.write(lesson, folder / f"first{width}.ipynb")
    show(page, address, f"first{width}.ipynb")
    page.evaluate("window.jupyterapp.shell.collapseLeft()")
    page.evaluate(RUN)
    page.wait_for_selector(".pnb-several .pnb-root", timeout=60_000)
    page.wait_for_timeout(1000)
    page.evaluate("document.querySelector('.jp-WindowedPanel-outer').scrollTo(0, 0)")

    for tab, scalar, forward, after in (
        (0, "a", True, "✗ conflict: lifetime in an occupied zone"),
        (1, "c", False, None),
    ):
        page.locator(".pnb-several .lm-TabBar-tab").nth(tab).click()
        page.wait_for_timeout(300)
        found = page.evaluate(PICTURE)
        assert found["below"] >= 0, tab
        assert found["cut"] <= 1, tab
        lifetime = {f"← lifetime of {scalar}", f"lifetime of {scalar} →"}
        assert {"unused", "occupied", "written"} <= set(found["words"])
        assert lifetime & set(found["words"])
        assert f"does it fit in C? {scalar}" in found["legend"]
        if forward:
            page.locator(".pnb-root:visible .pnb-controls button").nth(3).click()
            found = page.evaluate(PICTURE)
            assert after in found["words"]
            assert found["below"] >= 0


def test_without_its_kernel_both_are_played_one_below_the_other(page, lab):
    address, folder = lab
    lesson = nbformat.read(LESSON, 4)
    lesson.cells = lesson.cells[:2]
    nbformat.write(lesson, folder / "stored.ipynb")
    show(page, address, "stored.ipynb")
    page.wait_for_function("document.querySelectorAll('.pnb-root').length === 2", timeout=60_000)
    titles = page.locator(".pnb-title").all_inner_texts()
    assert ["listing2" in titles[0], "gemm" in titles[1]] == [True, True]
    assert page.locator(".pnb-number-of").all_inner_texts() == ["2 of 4", "2 of 5"]
    page.locator(".pnb-root").nth(1).locator(".pnb-controls button").nth(3).click()
    assert page.locator(".pnb-number-of").all_inner_texts() == ["2 of 4", "3 of 5"]
    assert "<p>" not in page.inner_text(".jp-Notebook")


# Where the boxes of a still end, and the lowest and rightmost of its instances.
STILL = """() => {
  const box = s => document.querySelector(s).getBoundingClientRect();
  const dots = [...document.querySelectorAll('.pnb-dot')].map(e => e.getBoundingClientRect());
  const [slider, program, picture] = ['.pnb-sliders', '.pnb-program', '.pnb-space'].map(box);
  const most = side => Math.max(...dots.map(d => d[side])) - picture[side];
  return { dots: dots.length, cut: Math.max(most('bottom'), most('right')),
           beside: picture.left - program.right, above: picture.top - slider.bottom };
}"""


@pytest.mark.parametrize(("width", "height"), [(1366, 768), (1280, 800), (1024, 768)])
def test_a_still_is_seen_whole_beside_its_program_and_under_its_slider(page, lab, width, height):
    """At 1366 and 1280 pixels with the side bar open."""
    address, folder = lab
    page.set_viewport_size({"width": width, "height": height})
    lesson = nbformat.read(FIRST, 4)
    lesson.cells = lesson.cells[:3]
    name = f"still{width}.ipynb"
    nbformat.write(lesson, folder / name)
    show(page, address, name)
    page.evaluate(f"window.jupyterapp.shell.{'expand' if width > 1024 else 'collapse'}Left()")
    page.evaluate(RUN)
    slider = page.locator(".pnb-sliders input[type=range]")
    slider.wait_for(timeout=60_000)
    for value in (4, 12):
        change = "(e, v) => { e.value = v; e.dispatchEvent(new Event('input', {bubbles: true})) }"
        slider.evaluate(change, value)
        page.locator(".pnb-notes", has_text=f"N = {value}").wait_for()
        found = page.evaluate(STILL)
        assert found["dots"] == (value + 1) * (value + 2) // 2
        assert found["cut"] <= 0
        assert found["beside"] >= 0
        assert found["above"] >= 0


# The lowest edge of the code, of the verdict and of the first picture, and the status bar's.
EDGES = """() => {
  const low = s => document.querySelector(s).getBoundingClientRect().bottom;
  return [low('.pnp-code'), low('.pnp-verdict'), low('.pnp-pictures img'),
          document.querySelector('#jp-main-statusbar').getBoundingClientRect().top];
}"""


@pytest.mark.parametrize("width", [1366, 1024])
def test_lesson_4_begins_with_a_verdict_that_is_seen_and_can_be_undone(page, lab, width):
    address, folder = lab
    page.set_viewport_size({"width": width, "height": 768})
    lesson = nbformat.read(LEGALITY, 4)
    lesson.cells = lesson.cells[:2]
    nbformat.write(lesson, folder / f"play{width}.ipynb")
    show(page, address, f"play{width}.ipynb")
    page.evaluate("window.jupyterapp.shell.collapseLeft()")
    page.evaluate(RUN)
    page.wait_for_selector(".pnp-pictures img", timeout=60_000)
    page.wait_for_timeout(500)
    page.evaluate("document.querySelector('.jp-WindowedPanel-outer').scrollTo(0, 0)")
    *edges, bar = page.evaluate(EDGES)
    assert max(edges) <= bar
    page.locator(".pnp-verdict", has_text="illegal").wait_for()
    page.locator("button", has_text="undo").first.click()
    page.locator(".pnp-verdict", has_text="illegal").wait_for(state="detached")
    page.locator(".pnp-line", has_text="for i").click()
    page.locator(".pnp-move", has_text="parallel").first.click()
    page.locator(".pnp-way", has_text="privatize t").wait_for()
