"""Notebooks that are opened again: no kernel, nothing signed, and every display steps; and where
there is a kernel, it is asked for what it knows."""

from dataclasses import dataclass

import nbformat
import pytest

import polynb as pn
from polynb.show.displays.static import static
from polynb.show.trace import saved
from polynb.show.trace.builder import trace

from .test_lab import FORWARD, NUMBER, PROGRAM, REORDER, opened, said_in_time, show
from .test_pages import MANY, times_of_steps

STEPPER = ".polynb-trace .pnb-root"
APPS = ["lab", "notebook"]
STEP = 16  # ms
OPENING = 2000  # ms
SLACK = 3  # for other tests may run beside this one


@dataclass
class Application:
    """JupyterLab, or Notebook 7 in the same server."""

    name: str
    page: object
    address: str
    folder: object

    def show(self, name):
        if self.name == "lab":
            show(self.page, self.address, name)
        else:
            self.page.goto(f"{self.address}/notebooks/{name}")
        self.page.wait_for_function(
            "window.jupyterapp?.shell.currentWidget?.context?.isReady", timeout=60_000
        )

    def show_without_kernel(self, name):
        self.show(name)
        self.page.click(".jp-Dialog button:has-text('No Kernel')")


@pytest.fixture(params=APPS)
def application(request, page, lab):
    if request.param == "notebook":
        pytest.importorskip("notebook", reason="Notebook 7 is not installed")
    address, folder = lab
    return Application(request.param, page, address, folder)


def saved_as(folder, name, *displays):
    """A notebook that nobody signed, and that names no kernel, with these outputs."""
    cells = [
        nbformat.v4.new_code_cell("", outputs=[nbformat.v4.new_output("display_data", d)])
        for d in displays
    ]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), folder / name)


def display(program):
    return saved.bundle(trace(program), static(program))


def test_run_saved_and_opened_again_every_display_steps(page, lab):
    """The program, the propagation, the widget of step(), and the reordering."""
    name = "again.ipynb"
    scop = PROGRAM.replace("%%propagate fast", "%%scop shown")
    opened(page, lab, name, scop, PROGRAM, "fast.step()", REORDER)
    page.wait_for_function(f"document.querySelectorAll('{STEPPER}').length === 4", timeout=90_000)
    page.evaluate("() => window.jupyterapp.commands.execute('docmanager:save')")
    page.wait_for_timeout(1500)
    notebook = nbformat.read(lab[1] / name, 4)
    outputs = [o for c in notebook.cells for o in c.outputs]
    assert len(outputs) == 4
    for output in outputs:
        assert sum(len(str(text)) for text in output.data.values()) < saved.LIMIT
    page.evaluate("() => window.jupyterapp.shell.currentWidget.sessionContext.shutdown()")
    notebook.metadata = {}
    for app in APPS:
        file = f"again_{app}.ipynb"
        nbformat.write(notebook, lab[1] / file)
        Application(app, page, *lab).show_without_kernel(file)
        page.wait_for_function(f"document.querySelectorAll('{STEPPER}').length === 4")
        for k in (1, 2, 3):
            stepper = page.locator(STEPPER).nth(k)
            stepper.locator(FORWARD).click()
            assert stepper.locator(NUMBER).inner_text().startswith("1 of")
        assert page.locator("text=model not found").count() == 0
        assert page.locator(".pnb-sliders:visible").count() == 0
        below = page.locator(".polynb-trace .jp-RenderedHTMLCommon")
        assert below.filter(has_text="Ignored, and why").count() == 1
        assert below.filter(has_text="next: ").count() == 3
        if app == "lab":
            pytest.importorskip("notebook", reason="Notebook 7 is not installed")


def test_the_key_that_saves_does_so_in_the_stepper_too(application):
    """It reaches the application, which has it from nobody else while the stepper has the focus."""
    name = f"saves_{application.name}.ipynb"
    saved_as(application.folder, name, display(pn.propagate(pn.gallery.load("fig1"))))
    application.show_without_kernel(name)
    page = application.page
    page.click(FORWARD)
    dirty = "window.jupyterapp.shell.currentWidget.context.model.dirty"
    page.evaluate(f"() => {{ {dirty} = true; }}")
    page.keyboard.press("ArrowRight")
    assert page.evaluate(dirty)
    page.keyboard.press("Control+s")
    page.wait_for_function(f"!{dirty}")
    assert page.inner_text(NUMBER).startswith("2 of")


def test_what_is_no_trace_is_shown_as_without_the_extension(application):
    shown = {"text/plain": "", "text/html": "<b>what there was</b><img src=x onerror=alert(1)>"}
    bad = ("polynb-trace 9 00000000 eJyrrgUAAXUA+Q==", "polynb-trace 1 00000000 AAAA", "{}")
    name = f"bad_{application.name}.ipynb"
    saved_as(application.folder, name, *({saved.MIME: b, **shown} for b in bad))
    application.show_without_kernel(name)
    page = application.page
    page.locator("b", has_text="what there was").nth(2).wait_for()
    assert page.locator("text=polynb cannot play this").count() == 3
    assert page.locator("[onerror]").count() == 0


def test_the_widget_of_step_is_the_live_one(page, lab):
    """Python knows where it is; and there is one stepper, not two."""
    quiet = PROGRAM.replace("%%propagate fast", "%%propagate --quiet fast")
    opened(page, lab, "widget.ipynb", quiet, "stepper = fast.step()\nstepper")
    page.wait_for_selector(STEPPER, timeout=60_000)
    page.wait_for_function(f"document.querySelectorAll('{STEPPER}').length === 1")
    page.click(FORWARD)
    assert said_in_time(page, "print(stepper.step)", "1")
    page.evaluate("() => window.jupyterapp.commands.execute('docmanager:save')")
    page.wait_for_timeout(1500)
    show(page, lab[0], "widget.ipynb")  # loaded again: the kernel still has it
    page.wait_for_selector(STEPPER, timeout=60_000)
    page.wait_for_function(
        f"document.querySelector('{STEPPER} {NUMBER}')?.textContent.startsWith('1 of')"
    )
    assert page.locator(STEPPER).count() == 1


def test_a_kernel_that_did_not_run_the_cell_says_so(page, lab):
    opened(page, lab, "sizes.ipynb", PROGRAM)
    page.wait_for_selector(STEPPER, timeout=60_000)
    slide(page, 7)
    page.locator(".pnb-notes", has_text="N = 7").wait_for()
    page.evaluate(
        "() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()"
    )
    page.locator(".pnb-sliders:visible").wait_for()
    slide(page, 9)
    page.locator("text=run it again").wait_for()
    assert page.locator(".pnb-sliders:visible").count() == 0
    page.click(FORWARD)
    assert page.inner_text(NUMBER).startswith("1 of")


def slide(page, value):
    page.locator(".pnb-sliders input[type=range]").first.evaluate(
        "(e, v) => { e.value = v; e.dispatchEvent(new Event('input', {bubbles: true})) }", value
    )


def test_ten_steppers_are_open_at_once(page, lab):
    """Measured from the first renderer to the last stepper that is drawn."""
    one = display(pn.propagate(pn.gallery.load("fig1")))
    saved_as(lab[1], "ten.ipynb", *[one] * 10)
    page.add_init_script(
        """new MutationObserver(() => {
          const seen = document.querySelectorAll('.polynb-trace').length;
          if (seen && !window.began) window.began = performance.now();
          const drawn = document.querySelectorAll('.polynb-trace .pnb-root circle').length;
          if (drawn !== window.drawn) [window.drawn, window.ended] = [drawn, performance.now()];
        }).observe(document, { childList: true, subtree: true });"""
    )
    show(page, lab[0], "ten.ipynb")
    page.wait_for_function(f"document.querySelectorAll('{STEPPER} {NUMBER}').length === 10")
    page.wait_for_timeout(1000)
    took = page.evaluate("window.ended - window.began")
    assert took < SLACK * OPENING


def test_a_step_takes_less_than_a_frame_with_5000_instances(page, lab):
    derivation = pn.propagate(pn.parse(MANY))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("polynb.show.trace.scene.MOST", 10_000)
        many = trace(derivation, {"N": 49})
    found = saved.bundle(many, static(derivation))
    assert sum(len(text.encode()) for text in found.values()) <= saved.LIMIT
    saved_as(lab[1], "many.ipynb", found)
    show(page, lab[0], "many.ipynb")
    page.click(".jp-Dialog button:has-text('No Kernel')")
    page.locator(FORWARD).wait_for()
    assert page.locator(f"{STEPPER} circle").count() >= 5000
    times = times_of_steps(page)
    assert sorted(times)[len(times) // 2] < STEP, times
