"""The site, from a disk: every stored stepper steps, and what is needed is there."""

import functools
import json
import re
from pathlib import Path

import pytest

from polynb.show.trace import saved
from polynb.site.sources import found
from tests.website.pages import Page, target
from tests.website.sizes import FIRST_PAGE, LIVE, SITE, size

ROOT = Path(__file__).parents[2]
AXE = ROOT / "widgets" / "node_modules" / "axe-core" / "axe.min.js"
FORWARD = "button[aria-label*='forward'], button[title*='forward']"
NUMBER = ".pnb-number-of"
WORDS = re.compile(r"(\d+) of (\d+)")


def test_it_is_built_without_a_warning(site):
    assert (site / "built").read_text("utf-8") == ""


def steppers(path):
    """How many steppers the stored outputs of a notebook have."""
    cells = json.loads(path.read_text("utf-8"))["cells"]
    outputs = [o.get("data", {}) for c in cells for o in c.get("outputs", ())]
    traces = [saved.read(d[saved.MIME]) for d in outputs if saved.MIME in d]
    return sum(1 + len(t.get("more", ())) for t in traces)


NOTEBOOKS = [p for p in found(ROOT) if p.parent.name != "labs"]  # students' copies have no outputs
STEPPING = [p for p in NOTEBOOKS if steppers(p)]


def test_lessons_have_steppers():
    assert len([p for p in STEPPING if p.parent.name == "lessons"]) > 4


@pytest.mark.parametrize("notebook", STEPPING, ids=lambda p: p.stem)
def test_every_stored_stepper_steps(page, site, notebook):
    asked = []
    page.on("request", lambda r: asked.append(r.url) if r.url.startswith("http") else None)
    page.goto((site / notebook.relative_to(ROOT)).with_suffix(".html").as_uri())
    roots = page.locator(".pnb-root")
    roots.first.wait_for()
    assert roots.count() == steppers(notebook)
    assert not page.locator(".pnb-broken").count()
    for k in range(roots.count()):
        root = roots.nth(k)
        if not root.locator(NUMBER).is_visible():  # of a program, which has one step
            continue
        at, last = map(int, WORDS.fullmatch(root.locator(NUMBER).inner_text()).groups())
        root.locator("button[title*='back']" if at == last else FORWARD).first.click()
        said = root.locator(NUMBER).inner_text()
        if root.locator(".pnb-prompt:visible").count():  # it was stored as one that asks first
            assert said == f"{at + 1}? of {last}"
        else:
            assert said == f"{at - 1 if at == last else at + 1} of {last}"
    assert not asked, "the pages load nothing from elsewhere"


def test_derivations_step(page, site):
    """Programs have one step: what is counted are the others."""
    page.goto(next(site.glob("notebooks/lessons/09_*.html")).as_uri())
    page.locator(".pnb-root").first.wait_for()
    assert page.locator(f"{NUMBER}:visible").count()


def test_a_stepper_is_worked_with_the_keyboard(page, site):
    page.goto(next(site.glob("notebooks/lessons/09_*.html")).as_uri())
    root = page.locator(".pnb-root", has=page.locator(f"{NUMBER}:visible")).first
    root.locator(FORWARD).first.focus()
    number = root.locator(NUMBER)
    _, last = WORDS.fullmatch(number.inner_text()).groups()
    page.keyboard.press("Home")
    assert number.inner_text() == f"0 of {last}"
    page.keyboard.press("Enter")
    assert number.inner_text() == f"1 of {last}"
    page.keyboard.press("ArrowRight")
    assert number.inner_text() == f"2 of {last}"
    page.keyboard.press("End")
    assert number.inner_text() == f"{last} of {last}"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement !== document.body")


def test_a_stepper_steps_in_the_slides(page, site):
    asked = []
    page.on("request", lambda r: asked.append(r.url) if r.url.startswith("http") else None)
    page.goto(next(site.glob("slides/09_*.html")).as_uri())
    page.wait_for_selector(".reveal.ready")
    page.evaluate("""() => {
      const { h, v } = Reveal.getIndices(document.querySelector(".pnb-root").closest("section"));
      Reveal.slide(h, v);
    }""")
    page.wait_for_function("location.hash.length > 2")  # which Reveal writes a little later
    number = page.locator(f".present .pnb-root {NUMBER}").first
    at, last = map(int, WORDS.fullmatch(number.inner_text()).groups())
    assert at < last
    address = page.url
    page.locator(f".present .pnb-root :is({FORWARD})").first.click()
    assert number.inner_text() == f"{at + 1} of {last}"
    page.keyboard.press("ArrowLeft")  # the stepper's, while it has the focus
    assert number.inner_text() == f"{at} of {last}"
    assert page.url == address
    scrolls = page.evaluate("getComputedStyle(Reveal.getCurrentSlide()).overflowY")
    assert scrolls == "auto", "a long slide can be read to its end"
    slides = page.evaluate("document.querySelectorAll('.slides > section').length")
    assert page.locator(".slide-number").inner_text().endswith(f"/ {slides}")
    assert not asked, "the slides load nothing from elsewhere"


GENERATED = ("genindex.html", "search.html")  # the theme's own
AXED = [
    *(("index.html", scheme) for scheme in ("light", "dark")),
    *(("notebooks/lessons/01_*.html", scheme) for scheme in ("light", "dark")),
    *((f"{page}.html", "light") for page in ("notebooks/labs/lab_01_*", "reference/magics")),
    *((f"reference/library/{name}.html", "light") for name in ("index", "Scop")),
]


@functools.cache
def pages(site):
    found = {p: Page(p) for p in sorted(site.rglob("*.html"))}
    assert len(found) > 60
    return found


def test_every_link_of_the_site_leads_somewhere(site):
    read = pages(site)
    wrong = []
    for path, page in read.items():
        for link in (*page.links, *page.loaded):
            found = target(path, link)
            if found is None:
                continue
            file, place = found
            there = file.is_file() and (not place or file not in read or place in read[file].ids)
            if not there and place != "step":
                wrong.append(f"{path.relative_to(site)}: {link}")
    assert not wrong


def test_pages_load_nothing_from_elsewhere(site):
    for path, page in pages(site).items():
        assert not [u for u in page.loaded if u.startswith(("http:", "https:", "//"))], path


def test_the_site_is_small(site):
    """With what live pages load, which is no part of this one (`tests/website/live`)."""
    assert size(site) < SITE - LIVE
    for path in (site / "index.html", *site.glob("notebooks/lessons/*.html")):
        shown = {path, *(t[0] for link in Page(path).loaded if (t := target(path, link)))}
        assert sum(p.stat().st_size for p in shown if p.is_file()) < FIRST_PAGE - LIVE, path


def test_pages_have_a_language_headings_in_order_and_texts_for_pictures(site):
    for path, page in pages(site).items():
        assert page.lang == "en", path
        assert None not in page.images, f"{path} has a picture without a text"
        if path.name not in GENERATED and path.parent.name != "slides":
            assert page.headings.count(1) == 1, path
            steps = zip(page.headings, page.headings[1:], strict=False)
            assert all(below - above <= 1 for above, below in steps), path


@pytest.mark.parametrize(("name", "scheme"), AXED)
def test_no_serious_violation_of_accessibility(page, site, name, scheme):
    if not AXE.is_file():
        pytest.skip("axe-core is not there (npm ci in widgets/)")
    page.emulate_media(color_scheme=scheme)
    page.goto(next(site.glob(name)).as_uri())
    page.add_script_tag(path=str(AXE))
    found = page.evaluate("axe.run({ preload: false })")["violations"]
    serious = {v["id"]: [n["html"][:200] for n in v["nodes"]]
               for v in found if v["impact"] in ("serious", "critical")}  # fmt: skip
    assert not serious
