"""The stepper in JupyterLab: by mouse, by keyboard, without its kernel, unsigned, as a page."""

import shutil
import subprocess
import sys

import nbformat

from polynb.show.trace.saved import MIME

from .conftest import ROOT

PROGRAM = """%%propagate fast
param N;  assume N >= 1;  temp s0, s1;  inout A;
for i = 0 to N do
  s0 = A[i];  // S
  s1 = A[i] + B[i];  // T
  A[i] = s0 + 1;  // U
  C[i] = s1;  // V
done"""
NUMBER = ".pnb-number-of"
FORWARD = "button[aria-label*='forward'], button[title*='forward']"
RUN = """async () => {
  const app = window.jupyterapp;
  const panel = app.shell.currentWidget;
  await panel.context.ready;
  await panel.sessionContext.ready;
  await panel.sessionContext.session.kernel.info;
  await app.commands.execute('notebook:run-all-cells');
}"""


def written(path, *cells):
    """A notebook of these cells, after one that loads polynb."""
    sources = [nbformat.v4.new_code_cell(c) for c in ("%load_ext polynb", *cells)]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    nbformat.write(nbformat.v4.new_notebook(cells=sources, metadata=kernel), path)


def opened(page, lab, name, *cells, run=True):
    """A notebook of these cells, open in JupyterLab, and run."""
    address, folder = lab
    written(folder / name, *cells)
    show(page, address, name)
    if run:
        page.evaluate(RUN)


def show(page, address, name):
    page.goto(f"{address}/lab/workspaces/auto-{name.split('.')[0]}/tree/{name}?reset")
    page.wait_for_function(
        "window.jupyterapp?.shell.currentWidget?.context?.isReady", timeout=60_000
    )


def executed(page, code):
    """What a cell added at the end prints."""
    return page.evaluate(
        """async code => {
          const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
          let text = '';
          const future = kernel.requestExecute({ code });
          future.onIOPub = m => { if (m.content.text) text += m.content.text; };
          await future.done;
          return text;
        }""",
        code,
    )


def said_in_time(page, code, expected):
    """Whether the kernel says so within 20 s: a widget's changes reach it when they may."""
    for _ in range(200):
        if executed(page, code).strip() == expected:
            return True
        page.wait_for_timeout(100)
    return False


def test_it_steps_by_mouse_and_by_keyboard(page, lab):
    opened(page, lab, "steps.ipynb", PROGRAM)
    page.wait_for_selector(".pnb-root", timeout=60_000)
    cells = page.locator(".jp-Cell").count()
    page.click(FORWARD)
    assert page.inner_text(NUMBER).startswith("1 of")
    for key, number in (("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2), ("Home", 0)):
        page.keyboard.press(key)
        assert page.inner_text(NUMBER).startswith(f"{number} of"), key
    page.keyboard.press("b")  # JupyterLab's key for a new cell
    assert page.locator(".jp-Cell").count() == cells
    page.fill(".pnb-search", "kept")
    page.locator(".pnb-results button").first.click()
    assert "kept" in page.inner_text(".pnb-sentence")


def test_overlays_are_switched(page, lab):
    opened(page, lab, "overlays.ipynb", PROGRAM)
    page.wait_for_selector(".pnb-root", timeout=60_000)
    switches = page.locator(".pnb-roles button, .pnb-legend button")
    raw = switches.filter(has_text="RAW").first
    before = page.locator(".pnb-overlay path:visible").count()
    raw.click()
    assert page.locator(".pnb-overlay path:visible").count() < before
    raw.click()
    assert page.locator(".pnb-overlay path:visible").count() == before


def test_predictions_are_judged_here_and_in_python(page, lab):
    """Which array is first? s0, not s1. Can S be evaluated where U reads s0? Yes."""
    quiet = PROGRAM.replace("%%propagate fast", "%%propagate --quiet fast")
    opened(page, lab, "predict.ipynb", quiet, "stepper = fast.step(predict=True)\nstepper")
    page.wait_for_selector(".pnb-root", timeout=60_000)
    page.click(FORWARD)
    page.locator(".pnb-question button", has_text="s1").first.click()
    assert "Not quite" in page.inner_text(".pnb-told")
    assert page.inner_text(".pnb-score") == "score 0 of 1"
    asked = page.locator(".pnb-question button", has_text="yes")
    for _ in range(20):
        if asked.count():
            break
        page.click(FORWARD)
    asked.first.click()
    assert "Right" in page.inner_text(".pnb-told")
    assert page.inner_text(".pnb-score") == "score 1 of 2"
    score = "print(stepper.score, [a['right'] for a in stepper.answers])"
    assert said_in_time(page, score, "(1, 2) [False, True]")


REORDER = """%%reorder fast
param n;  assume n >= 1;  input A[n][n], y[n];  temp t;  inout x1[n];
for i = 0 to n-1 do for j = 0 to n-1 do
  t = A[i][j] * y[j];  // S1
  x1[i] = x1[i] + t;  // S2
done done"""


def test_a_reordering_is_stepped(page, lab):
    """Times by the members so far, the rows of the integer program, and a prediction."""
    opened(page, lab, "reorder.ipynb", REORDER)
    page.wait_for_selector(".pnb-root", timeout=60_000)
    assert "Proven legal" in page.inner_text(".pnb-verdict, .pnb-sentence >> visible=true")
    below = page.locator(".polynb-trace .jp-RenderedHTMLCommon", has_text="Ignored, and why")
    below.locator("summary", has_text="schedule tree").click()
    assert "band of 2 loops, permutable" in below.inner_text()
    while "Member 1" not in page.inner_text(".pnb-sentence"):
        page.click(FORWARD)
    assert page.locator(".pnb-number").first.is_visible()
    table = page.locator(".pnb-more")
    table.locator("summary", has_text="integer program").click()
    table.locator("td", has_text="validity S1 → S2, flow through t").first.wait_for()
    page.click("button:has-text('predict')")
    page.click(FORWARD)
    page.click(FORWARD)
    page.locator(".pnb-question button", has_text="yes").click()
    assert "Right" in page.inner_text(".pnb-told")
    assert "The member turns" in page.inner_text(".pnb-sentence")


def test_without_its_kernel_it_goes_on(page, lab):
    opened(page, lab, "restart.ipynb", PROGRAM)
    page.wait_for_selector(".pnb-root", timeout=60_000)
    page.evaluate(
        "() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()"
    )
    page.click(FORWARD)
    page.click(FORWARD)
    assert page.inner_text(NUMBER).startswith("2 of")
    page.evaluate("() => window.jupyterapp.shell.currentWidget.sessionContext.shutdown()")
    page.click(FORWARD)
    assert page.inner_text(NUMBER).startswith("3 of")


def test_a_button_stops_what_a_magic_does_and_goes_away(page, lab):
    """It stops the kernel while that is busy; the interrupt is one line."""
    opened(page, lab, "stop.ipynb", "%bench gallery:harris R=600 C=600 --rounds 100000", run=False)
    page.evaluate(RUN.replace("await app", "app"))  # not to wait for what shall be stopped
    stop = page.locator(".jp-OutputArea button", has_text="Stop")
    stop.wait_for(timeout=90_000)
    stop.click(delay=500)  # as long as a person presses: the bar has moved
    error = page.locator(".jp-OutputArea", has_text="Interrupted: %bench was interrupted")
    error.first.wait_for(timeout=60_000)
    assert stop.count() == 0
    assert "Traceback" not in page.inner_text(".jp-Notebook")


def test_parameters_are_live(page, lab):
    opened(page, lab, "live.ipynb", PROGRAM)
    page.wait_for_selector(".pnb-root", timeout=60_000)
    slider = page.locator(".pnb-sliders input[type=range]").first
    slider.evaluate("e => { e.value = 9; e.dispatchEvent(new Event('input', {bubbles: true})) }")
    page.locator(".pnb-notes", has_text="N = 9").first.wait_for()


def test_an_unsigned_notebook_shows_its_pictures(page, lab):
    address, folder = lab
    lesson = ROOT / "notebooks" / "lessons" / "01_instances.ipynb"
    notebook = nbformat.read(lesson, 4)
    for output in (o for c in notebook.cells for o in c.get("outputs", ()) if "data" in o):
        output.data.pop(MIME, None)  # as where the extension is not there
    nbformat.write(notebook, folder / "unsigned.ipynb")
    show(page, address, "unsigned.ipynb")
    picture = page.locator(".jp-OutputArea img[src^='data:image/svg']").first
    picture.scroll_into_view_if_needed()
    assert picture.evaluate("e => e.complete && e.naturalWidth") > 100
    assert page.locator("text=Error displaying widget").count() == 0


def test_the_first_lesson_is_run_and_grows(page, lab):
    """Three lines of program, and a triangle that a slider makes larger."""
    address, folder = lab
    name = "01_instances.ipynb"
    page.set_viewport_size({"width": 1366, "height": 900})
    shutil.copy(ROOT / "notebooks" / "lessons" / name, folder)
    show(page, address, name)
    page.evaluate(RUN.replace("await app", "app"))
    display = page.locator(".pnb-root", has_text="triangle").first
    slider = display.locator(".pnb-sliders input[type=range]")
    slider.wait_for(timeout=60_000)
    dots = display.locator(".pnb-dot")
    few = dots.count()
    slider.evaluate("e => { e.value = 7; e.dispatchEvent(new Event('input', {bubbles: true})) }")
    display.locator(".pnb-notes", has_text="N = 7").first.wait_for()
    assert dots.count() - few == 8 * 9 // 2 - 5 * 6 // 2


def test_a_lesson_is_run_and_stepped(page, lab):
    address, folder = lab
    name = "06_propagation.ipynb"
    shutil.copy(ROOT / "notebooks" / "lessons" / name, folder)
    show(page, address, name)
    page.evaluate(
        """async () => {
          const app = window.jupyterapp, panel = app.shell.currentWidget;
          await panel.sessionContext.ready;
          await panel.sessionContext.session.kernel.info;
          const cells = panel.content.widgets;
          const last = cells.findIndex(c => c.model.sharedModel.source.startsWith('%%propagate'));
          panel.content.activeCellIndex = last;
          await app.commands.execute('notebook:run-all-above');
          await app.commands.execute('notebook:run-cell');
        }"""
    )
    stepper = page.locator(".pnb-root", has_text="propagate smooth")
    stepper.wait_for(timeout=60_000)
    stepper.scroll_into_view_if_needed()
    stepper.locator(FORWARD).click()
    assert stepper.locator(NUMBER).inner_text() == "1 of 40"
    page.keyboard.press("End")
    assert "5 statements became 3" in stepper.locator(".pnb-sentence").inner_text()


def test_nbconvert_makes_a_page_of_it(page, lab, tmp_path):
    opened(page, lab, "converted.ipynb", PROGRAM)
    page.wait_for_selector(".pnb-root", timeout=60_000)
    page.evaluate("() => window.jupyterapp.commands.execute('docmanager:save')")
    page.wait_for_timeout(1500)
    shutil.copy(lab[1] / "converted.ipynb", tmp_path)
    command = [sys.executable, "-m", "nbconvert", "--to", "html", str(tmp_path / "converted.ipynb")]
    subprocess.run(command, check=True, capture_output=True)
    text = (tmp_path / "converted.html").read_text("utf-8")
    assert "widget-state" not in text
    page.goto((tmp_path / "converted.html").as_uri())
    assert "is removed: 4 statements became 3." in page.inner_text("body")


def test_it_fits(page, lab):
    opened(page, lab, "fits.ipynb", PROGRAM)
    page.wait_for_selector(".pnb-root", timeout=60_000)
    for width in (1300, 700):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_function(f"document.querySelector('.pnb-root').clientWidth < {width}")
        over = page.locator(".pnb-root").evaluate("e => e.scrollWidth - e.clientWidth")
        assert over <= 1, width
