"""The playground in JupyterLab: by mouse, by keyboard alone, and opened again without a kernel."""

import re
import shutil
from pathlib import Path

import pytest

from .conftest import ROOT
from .test_lab import executed, opened, said_in_time, show
from .test_pages import AXE

HEAT = """%%scop --quiet heat
param T, N;  assume T >= 1;  assume N >= 3;
for t = 0 to T-1 do for i = 1 to N-2 do
  A[t+1][i] = A[t][i-1] + A[t][i] + A[t][i+1];  // S
done done"""
PLAY = "p = %play heat\np"
CODE, VERDICT, WAY = ".pnp-code", ".pnp-verdict", ".pnp-way"
COLOUR = "e => getComputedStyle(e).backgroundColor"


def move(page, name):
    return page.locator(".pnp-move", has_text=name).first


def said(page, *words):
    for word in words:
        page.locator(VERDICT, has_text=word).wait_for()


@pytest.fixture
def played(page, lab, request):
    name = re.sub(r"\W+", "_", request.node.name)
    opened(page, lab, f"{name}.ipynb", HEAT, PLAY)
    page.wait_for_selector(".pnp-root", timeout=60_000)
    return page


def test_an_illegal_move_is_red_and_repaired_with_a_click(played):
    page = played
    page.locator(".pnp-line", has_text="for t").click()
    move(page, "interchange").click()
    said(page, "✗ illegal", "S(1, 1) needs what S(0, 2) writes to A")
    statement = page.locator(".pnp-line", has_text="A[t+1][i]")
    assert "pnp-bad" in statement.get_attribute("class")
    assert statement.evaluate(COLOUR) != page.locator(".pnp-line").first.evaluate(COLOUR)
    assert page.locator(".pnp-line mark").count() == 4
    assert page.locator(".pnp-pictures img").count() == 2
    sizes = page.locator(".pnp-pictures img").evaluate_all("all => all.map(e => e.naturalWidth)")
    assert min(sizes) > 100  # they are pictures that can be read
    page.locator(WAY, has_text="skew i by t").click()
    said(page, "✓ legal")
    assert page.locator(".pnp-bad").count() == 0
    assert page.locator(".pnp-script li").all_inner_texts() == [
        "✓ skew i by t", "✓ interchange t i",
    ]  # fmt: skip
    assert said_in_time(page, "print(p.script)", "skew i by t\ninterchange t i")
    same = "import polynb; print(bool(polynb.equivalent(p.transformation, N=[4], T=[3])))"
    assert executed(page, same).strip() == "True"
    page.locator("button", has_text="undo").first.click()
    page.locator("button", has_text="undo").first.click()
    page.wait_for_function("document.querySelectorAll('.pnp-script li').length === 0")
    assert said_in_time(page, "print(len(p.transformation.moves))", "0")


def test_moves_are_marked_before_they_are_made(played):
    """Where the pointer is; and after an illegal move the others take its place."""
    page = played
    page.locator(".pnp-line", has_text="for t").click()
    for name, sign in (("interchange", "✗"), ("shift", "✓"), ("parallel", "✗"), ("unroll", "✓")):
        move(page, name).locator(".pnp-mark", has_text=sign).wait_for()
    move(page, "skew").hover()
    page.locator(".pnp-preview", has_text="✗ illegal: S(1, 1) needs").wait_for()
    assert page.locator(".pnp-script li").count() == 0
    move(page, "interchange").click()
    said(page, "✗ illegal")
    move(page, "shift").click()
    said(page, "✓ legal")
    assert page.locator(".pnp-script li").count() == 1


def test_a_slider_changes_what_was_done(played):
    page = played
    page.locator(".pnp-line", has_text="for i").click()
    page.wait_for_function("document.querySelector('.pnp-heading').textContent.includes('loop i')")
    move(page, "skew").click()
    page.locator(".pnp-script li", has_text="skew i by t").wait_for()
    slider = page.locator("input[aria-label='skew: number']")
    slider.focus()
    page.keyboard.press("ArrowRight")
    page.locator(".pnp-script li", has_text="skew i by 2*t").wait_for()
    assert page.locator(".pnp-script li").count() == 1
    page.locator(".pnp-line", has_text="A[t+1][i-2*t]").wait_for()


def test_by_keyboard_alone_and_the_copied_cell_is_the_program(played):
    """Interchange, repair, tile, undo; and what is copied makes the same in a cell of its own."""
    page = played
    cells = page.locator(".jp-Cell").count()
    page.locator(CODE).focus()
    for key in ("ArrowDown", "ArrowUp", "i"):
        page.keyboard.press(key)
    page.locator(WAY).first.wait_for()
    page.keyboard.press("1")
    said(page, "✓ legal")
    page.keyboard.press("Home")
    page.keyboard.press("t")
    page.locator(".pnp-script li", has_text="tile i t by 32").wait_for()
    page.keyboard.press("Control+z")
    page.wait_for_function("document.querySelectorAll('.pnp-script li').length === 2")
    page.keyboard.press("y")
    page.locator(".pnp-script li", has_text="tile i t by 32").wait_for()
    page.keyboard.press("b")  # JupyterLab's key for a new cell
    assert page.locator(".jp-Cell").count() == cells
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.keyboard.press("c")
    page.locator("button", has_text="copied").wait_for()
    text = page.evaluate("navigator.clipboard.readText()")
    assert text == "%%transform fast --from heat\nskew i by t\ninterchange t i\ntile i t by 32\n"
    ran = f"get_ipython().run_cell({text!r}); print(fast.script == p.script, fast.legal)"
    assert executed(page, ran).strip().endswith("True True")


def test_a_verdict_is_there_in_a_fifth_of_a_second(played):
    """From the key to the picture, the median of some moves: a loose limit, as machines differ."""
    page = played
    page.locator(CODE).focus()
    took = page.evaluate("""async () => {
      const code = document.querySelector('.pnp-code');
      const times = [];
      for (const key of ['r', 'z', 'i', 'z', 'p', 'z', 'r', 'z']) {
        const root = document.querySelector('.pnp-root');
        const begun = performance.now();
        code.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
        await new Promise(done => {
          const isBusy = () => root.getAttribute('aria-busy') !== 'false';
          const look = () => isBusy() ? setTimeout(look, 5) : done();
          look();
        });
        times.push(performance.now() - begun);
        await new Promise(done => setTimeout(done, 600));
      }
      return times.sort((a, b) => a - b);
    }""")
    assert took[len(took) // 2] < 1000, took


@pytest.mark.parametrize("theme", ["JupyterLab Dark", "JupyterLab Light"])
def test_there_are_no_barriers(played, theme):
    """Names, roles and contrast, where a move is illegal and where it is legal."""
    page = played
    if not AXE.exists():
        pytest.skip("axe-core is not there (npm ci in widgets/)")
    change = "theme => window.jupyterapp.commands.execute('apputils:change-theme', {theme})"
    page.evaluate(change, theme)
    page.add_script_tag(path=str(AXE))
    page.locator(".pnp-keys summary").click()
    for key, state in (("i", ".pnp-illegal"), ("1", ".pnp-legal")):
        page.locator(CODE).focus()
        page.keyboard.press(key)
        page.locator(state).wait_for()
        page.wait_for_selector(WAY if key == "i" else ".pnp-off")
        found = page.evaluate("axe.run(document.querySelector('.pnp-root'))")["violations"]
        assert not [(v["id"], [n["html"] for n in v["nodes"]]) for v in found]


def test_opened_again_it_is_a_picture(page, lab, request):
    name = f"{request.node.name}.ipynb"
    opened(page, lab, name, HEAT, PLAY.replace("\np", "\np.do('interchange t i')\np"))
    page.wait_for_selector(".pnp-root", timeout=60_000)
    page.evaluate("""async () => {
      const panel = window.jupyterapp.shell.currentWidget;
      await panel.context.save();
      await panel.sessionContext.shutdown();
    }""")
    folder = Path(lab[1])
    again = f"again_{name}"
    shutil.copy(folder / name, folder / again)
    page.evaluate("() => window.jupyterapp.serviceManager.sessions.shutdownAll()")
    show(page, lab[0], again)
    still = page.locator(".jp-OutputArea", has_text="Playground of heat")
    still.locator("td", has_text="✗ illegal").wait_for(timeout=60_000)
    assert still.locator("img").count() == 2
    assert "model" not in page.inner_text(".jp-Notebook").lower()
    assert page.locator(".pnp-root").count() == 0


def test_the_bundle_is_small_and_imports_nothing():
    text = (ROOT / "polynb" / "show" / "static" / "play.js").read_text()
    assert len(text.encode()) < 30_000
    assert "import " not in text[:200]
