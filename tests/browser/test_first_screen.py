"""What lessons show before anything is scrolled: a question, its whole picture, and no answer."""

import shutil

import nbformat
import pytest

from .conftest import ROOT
from .test_lab import RUN, opened, show

LESSONS = ROOT / "notebooks" / "lessons"
FIRST = LESSONS / "01_instances.ipynb"
LEGALITY = LESSONS / "04_legality.ipynb"
# Lesson -> what its first picture is made of, and words that would give the answer away.
OPENINGS = {
    "01_instances": (".jp-OutputArea-output img", "5151"),
    "04_legality": (".jp-OutputArea-output img", "illegal"),
    "06_propagation": (".pnb-dot", "is removed"),
    "09_bands": (".jp-OutputArea-output img", "may not"),
    "10_scalars": (".pnb-sheet", "lives in C"),
}
LOWEST = """selector => Math.max(
  ...[...document.querySelectorAll(selector)].map(e => e.getBoundingClientRect().bottom))"""
BAR = "document.querySelector('#jp-main-statusbar').getBoundingClientRect().top"
# The picture of memory that is seen: what is cut of it, what is written in it and beside it.
PICTURE = """() => {
  const visible = e => e.getClientRects().length > 0;
  const memory = [...document.querySelectorAll('.pnb-memory')].find(visible);
  const sheet = memory.querySelector('.pnb-sheet').getBoundingClientRect();
  const box = memory.getBoundingClientRect();
  return {
    cut: Math.max(sheet.bottom - box.bottom, sheet.right - box.right),
    words: [...memory.querySelectorAll('.pnb-word, .pnb-clash text')].map(e => e.textContent),
    legend: [...document.querySelectorAll('.pnb-textures')].find(visible).textContent,
  };
}"""


@pytest.mark.parametrize("name", OPENINGS)
def test_a_lesson_opens_on_its_picture_and_gives_no_answer(page, lab, name):
    """As it is stored, at 1366 x 768 with the side bar open."""
    address, folder = lab
    selector, answer = OPENINGS[name]
    page.set_viewport_size({"width": 1366, "height": 768})
    lesson = nbformat.read(LESSONS / f"{name}.ipynb", 4)
    lesson.cells = lesson.cells[:3]
    nbformat.write(lesson, folder / f"opening{name}.ipynb")
    show(page, address, f"opening{name}.ipynb")
    page.evaluate("window.jupyterapp.shell.expandLeft()")
    page.locator(selector).first.wait_for()
    page.wait_for_timeout(500)
    assert page.evaluate(LOWEST, selector) <= page.evaluate(BAR)
    assert answer not in page.inner_text(".jp-Notebook")


SEVERAL = """import polynb as pn
listing2 = pn.map_scalars(pn.gallery.load("delicm_listing2"))
gemm_licm = pn.map_scalars(pn.scalarize(pn.gallery.load("gemm")))
%step listing2 gemm_licm --at 2 N=2 K=1 ni=1 nj=2 nk=1"""


def test_pictures_of_memory_are_seen_whole_on_two_tabs_and_without_the_kernel(page, lab):
    address, folder = lab
    page.set_viewport_size({"width": 1366, "height": 768})
    opened(page, lab, "several.ipynb", SEVERAL)
    page.evaluate("window.jupyterapp.shell.collapseLeft()")
    page.wait_for_selector(".pnb-several .pnb-root", timeout=60_000)
    page.wait_for_timeout(1000)
    for tab, scalar in ((0, "a"), (1, "c")):
        page.locator(".pnb-several .lm-TabBar-tab").nth(tab).click()
        page.wait_for_timeout(300)
        found = page.evaluate(PICTURE)
        assert found["cut"] <= 1, tab
        lifetime = {f"← lifetime of {scalar}", f"lifetime of {scalar} →"}
        assert {"unused", "occupied", "written"} <= set(found["words"])
        assert lifetime & set(found["words"])
        assert f"does it fit in C? {scalar}" in found["legend"]
        page.locator(".pnb-root:visible .pnb-controls button").nth(3).click()
        clash = "✗ conflict: lifetime in an occupied zone"
        assert (clash in page.evaluate(PICTURE)["words"]) == (tab == 0)
        page.locator(".pnb-root:visible .pnb-controls button").nth(1).click()
    page.evaluate("window.jupyterapp.commands.execute('docmanager:save')")
    page.wait_for_timeout(1500)
    shutil.copy(folder / "several.ipynb", folder / "stored.ipynb")
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
    lesson.cells = [c for c in lesson.cells if c.id in ("first", "scop")]
    lesson.cells[0].source = "%load_ext polynb"
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
def test_lesson_4_begins_with_a_move_whose_verdict_is_seen_and_can_be_undone(page, lab, width):
    address, folder = lab
    page.set_viewport_size({"width": width, "height": 768})
    lesson = nbformat.read(LEGALITY, 4)
    lesson.cells = lesson.cells[:2]
    nbformat.write(lesson, folder / f"play{width}.ipynb")
    show(page, address, f"play{width}.ipynb")
    page.evaluate("window.jupyterapp.shell.collapseLeft()")
    page.evaluate(RUN)
    page.locator(".pnp-line", has_text="for j").click(timeout=60_000)
    page.locator(".pnp-move", has_text="interchange").first.click()
    page.locator(".pnp-verdict", has_text="illegal").wait_for()
    page.wait_for_timeout(500)
    page.evaluate("document.querySelector('.jp-WindowedPanel-outer').scrollTo(0, 0)")
    *edges, bar = page.evaluate(EDGES)
    assert max(edges) <= bar
    page.locator("button", has_text="undo").first.click()
    page.locator(".pnp-verdict", has_text="illegal").wait_for(state="detached")
    page.locator(".pnp-line", has_text="for i").click()
    page.locator(".pnp-move", has_text="parallel").first.click()
    page.locator(".pnp-way", has_text="privatize t").wait_for()
