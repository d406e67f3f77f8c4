"""A live page in a browser: a program is changed, run, stepped and proved, and nothing is asked of
anybody but the page's own server."""

import shutil
from importlib.resources import files

import pytest

from tests.browser.conftest import ROOT
from tests.browser.serving import served
from tests.website.live.building import built

pytestmark = pytest.mark.live
BLUR = """%%propagate blur
param N;  temp t;
for i = 0 to N+1 do t[i] = (in[i] + in[i+1]) / 2; done
for i = 0 to N   do out[i] = (t[i] + t[i+1]) / 2; done
"""
AXE = ROOT / "widgets" / "node_modules" / "axe-core" / "axe.min.js"
ANSWER = 120_000  # milliseconds for the first one, on a busy machine


PAGE = """<!doctype html><html data-content_root="../"><meta charset="utf-8"><title>lesson</title>
<link rel="icon" href="data:,"><article><h1>A lesson</h1>
<div class="cell"><div class="cell_input"><pre>x = 6</pre></div></div>
<div class="cell"><div class="cell_input"><pre>print(7 * x)</pre></div>
<div class="cell_output">stored</div></div>
<div class="cell"><div class="cell_input"><pre>%%bench N=3
param N; for i = 0 to N do A[i] = 1; done</pre></div>
<div class="cell_output">2.0 times faster</div></div></article>
<script src="../live_pages.js"></script></html>
"""


COUNTED = """<!doctype html><html data-content_root="../"><meta charset="utf-8">
<title>counted</title><link rel="icon" href="data:,"><article><h1>Counted</h1>
<div class="cell"><div class="cell_input"><pre>x = vars().get("x", 0) + 1</pre></div></div>
<div class="cell"><div class="cell_input"><pre>x = 10 * x; x</pre></div></div>
<div class="cell"><div class="cell_input"><pre>x + 1</pre></div></div></article>
<script src="../live_pages.js"></script></html>
"""


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    folder = tmp_path_factory.mktemp("served")
    (folder / "live").symlink_to(built(tmp_path_factory))
    (folder / "lessons").mkdir()
    (folder / "lessons" / "one.html").write_text(PAGE, "utf-8")
    (folder / "lessons" / "counted.html").write_text(COUNTED, "utf-8")
    shutil.copy(files("polynb.site") / "static" / "live_pages.js", folder)
    with served(folder) as address:
        yield f"{address}/live/"


def run(page, text):
    page.get_by_label("the cell").fill(text)
    page.get_by_role("button", name="Run", exact=True).click()
    page.get_by_role("button", name="Stop").and_(page.locator(":disabled")).wait_for(timeout=ANSWER)


def text_of(page):
    return page.locator(".live-cell").evaluate("cell => cell.text()")


def test_a_program_is_changed_run_stepped_and_proved(page, address):
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(address)
    run(page, BLUR)
    page.get_by_text("t is removed: 2 statements became 1.").first.wait_for()
    run(page, BLUR.replace("/ 2; done", "/ 2 done"))
    page.get_by_text("`;` is missing").wait_for()
    run(page, BLUR.replace("0 to N ", "3 to N "))
    number = page.locator(".pnb-number-of").first
    assert number.inner_text().startswith("0 of")
    page.locator("button[aria-label*='forward'], button[title*='forward']").first.click()
    assert number.inner_text().startswith("1 of")
    run(page, "pn.prove(blur)")
    page.get_by_text("proved for every N").wait_for()
    assert {url.split("/")[2] for url in asked} == {address.split("/")[2]}


LOOKS = """cell => [...cell.querySelectorAll('.pnb-cell-keyword, .pnb-cell-error')]
  .map(e => [e.textContent, getComputedStyle(e).color])"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_editor_colours_marks_and_completes(page, address, scheme):
    page.emulate_media(color_scheme=scheme)
    page.goto(address)
    cell = page.locator(".live-cell")
    run(page, BLUR.replace("(t[i] + t[i+1])", "(t[i] t[i+1])"))
    cell.locator(".pnb-cell-error").wait_for()
    looks = dict(cell.evaluate(LOOKS))
    assert {"param", "for", "done", "t"} <= looks.keys()
    plain = page.evaluate("getComputedStyle(document.querySelector('.cm-line')).color")
    assert looks["for"] != plain
    editor = page.get_by_label("the cell")
    editor.press("End")
    editor.press("Space")
    assert cell.locator(".pnb-cell-error").count() == 0
    editor.fill("%%scop x\ntemp tangent;\ntang")
    editor.press("Control+End")
    editor.press("Tab")
    page.locator(".cm-tooltip-autocomplete", has_text="tangent").wait_for()
    page.wait_for_timeout(200)  # CodeMirror takes what comes at once for something else
    editor.press("Tab")
    assert text_of(page).endswith("\ntangent")
    editor.press("Enter")
    editor.press("Tab")  # nothing to complete: it leaves the editor
    assert page.evaluate("document.activeElement.textContent") == "Run"
    page.keyboard.press("Shift+Tab")
    editor.press("Control+z")
    assert text_of(page) != "%%scop x\ntemp tangent;\ntangent\n"
    if AXE.exists():
        page.add_script_tag(path=str(AXE))
        found = page.evaluate("axe.run(document.querySelector('.live-cell'))")["violations"]
        assert not [(v["id"], [n["html"] for n in v["nodes"]]) for v in found]


def test_the_playground_judges_a_move_and_offers_its_repair(page, address):
    page.goto(f"{address}#cell=%25play%20gallery%3Aseidel_2d")
    run(page, "%play gallery:seidel_2d")
    page.get_by_role("button", name="interchange").wait_for()
    page.get_by_role("button", name="reverse").first.click()
    heading = page.get_by_text("in place of the illegal one")
    heading.wait_for()
    page.get_by_role("button", name="undo it").click()
    heading.wait_for(state="hidden")


def test_stop_ends_a_computation_and_the_next_one_runs(page, address):
    page.goto(address)
    page.get_by_label("the cell").fill("while True: pass")
    page.get_by_role("button", name="Run", exact=True).click()
    page.get_by_role("button", name="Stop").click()
    page.get_by_text("The computation was stopped.").wait_for()
    run(page, "print(6 * 7)")
    page.get_by_text("42", exact=True).wait_for()


def test_an_address_names_a_program(page, address):
    page.goto(f"{address}#cell=print('from%20the%20address')")
    assert text_of(page) == "print('from the address')"
    for text in (
        "print('from the address')",
        BLUR.rstrip(),
        "%%propagate\nparam N;\nA[0] = N + 1;",
    ):
        page.get_by_label("the cell").fill(text)
        page.get_by_role("button", name="Copy link").click()
        page.get_by_text("The address of this program is copied.").wait_for()
        magic = "#propagate=" if text.startswith("%%") else "#cell="
        assert f"index.html{magic}" in page.url
        page.reload()
        assert text_of(page) == text


def test_a_page_of_the_site_is_made_live(page, address):
    """A cell has those above it run first, again after it was stopped."""
    page.goto(f"{address}../lessons/one.html")
    page.get_by_text("stored").wait_for()
    page.get_by_role("button", name="Run the cells of this page").click()
    second = page.locator(".live-cell").nth(1)
    for text in ("print(7 * x)", "print(x)"):
        second.get_by_label("the cell").fill(text)
        second.get_by_role("button", name="Run", exact=True).click()
        second.get_by_text("42" if "7" in text else "6", exact=True).wait_for(timeout=ANSWER)
        assert page.get_by_text("stored").count() == 0
    second.get_by_label("the cell").fill("while True: pass")
    second.get_by_role("button", name="Run", exact=True).click()
    second.get_by_role("button", name="Stop").click()
    second.get_by_label("the cell").fill("print(x + 1)")
    second.get_by_role("button", name="Run", exact=True).click()
    second.get_by_text("7", exact=True).wait_for(timeout=ANSWER)
    third = page.locator(".live-cell").nth(2)
    third.get_by_role("button", name="Run", exact=True).click()
    third.get_by_text("There is no C compiler here: what is shown is what").wait_for(timeout=ANSWER)
    third.get_by_text("2.0 times faster").wait_for()
    assert third.get_by_text("PolynbError").count() == 0


def test_cells_that_run_already_are_waited_for(page, address):
    page.goto(f"{address}../lessons/counted.html")
    page.get_by_role("button", name="Run the cells of this page").click()
    _, second, third = (page.locator(".live-cell").nth(k) for k in range(3))
    second.get_by_role("button", name="Run", exact=True).click()  # Python is being loaded
    third.get_by_role("button", name="Run", exact=True).click()
    third.get_by_text("11", exact=True).wait_for(timeout=ANSWER)
    assert second.get_by_text("10", exact=True).count() == 1
