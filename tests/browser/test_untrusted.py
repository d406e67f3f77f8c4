"""Notebooks that their reader did not run and nobody signed: no script of theirs runs through what
polynb adds to Jupyter, whatever the kernel is doing. POLYNB_OPENINGS is how often each is opened:
every second time with 150 outputs, which come while the kernel does."""

import os

import nbformat
import pytest

import polynb as pn
from polynb.show.displays.static import static
from polynb.show.trace import saved
from polynb.show.trace.builder import trace

from .test_lab import PROGRAM, RUN, opened, show

VIEW = "application/vnd.jupyter.widget-view+json"
STATE = "application/vnd.jupyter.widget-state+json"
KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}
RAN = "window.scripts ?? 0"
OPENINGS = int(os.environ.get("POLYNB_OPENINGS", "1"))
SCRIPT = "<img src=x onerror='window.scripts = (window.scripts ?? 0) + 1'>"
BUSY = """async () => {
  const panel = window.jupyterapp.shell.currentWidget;
  await panel.sessionContext.ready;
  const { kernel } = panel.sessionContext.session;
  await kernel.info;
  await new Promise(done => setTimeout(done, 2000)); // whatever else is asked at first
  const future = kernel.requestExecute({ code: "import time; print(flush=True); time.sleep(8)" });
  await new Promise(done => { future.onIOPub = m => { if (m.content.text) done(); }; });
}"""
MOVED = """async () => {
  const { commands, shell } = window.jupyterapp;
  const notebook = shell.currentWidget.content;
  notebook.activeCellIndex = 0;
  await commands.execute('notebook:move-cell-down');
  await commands.execute('notebook:create-output-view');
}"""


def hostile(kind, count):
    """Outputs whose widgets are in the file: HTML that would run a script."""
    model = {
        "model_name": "HTMLModel",
        "model_module": "@jupyter-widgets/controls",
        "model_module_version": "2.0.0",
        "state": {"value": SCRIPT, "_view_name": "HTMLView"},
    }
    layout = {
        "model_name": "LayoutModel",
        "model_module": "@jupyter-widgets/base",
        "model_module_version": "2.0.0",
        "state": {},
    }
    style = layout | {"model_name": "HTMLStyleModel", "model_module": model["model_module"]}
    model["state"] |= {"layout": "IPY_MODEL_layout", "style": "IPY_MODEL_style"}
    states = {"layout": layout, "style": style}
    derivation = pn.propagate(pn.gallery.load("fig1"))
    shown = {
        "trace": saved.bundle(trace(derivation), static(derivation)),
        "play": {"application/vnd.polynb.play+json": "", "text/html": "", "text/plain": ""},
    }[kind]
    cells = []
    for k in range(count):
        states[f"m{k}"] = model
        view = {VIEW: {"model_id": f"m{k}", "version_major": 2, "version_minor": 0}}
        output = nbformat.v4.new_output("display_data", shown | view)
        cells.append(nbformat.v4.new_code_cell("", outputs=[output]))
    cells.append(nbformat.v4.new_code_cell(""))
    widgets = {STATE: {"version_major": 2, "version_minor": 0, "state": states}}
    return nbformat.v4.new_notebook(
        cells=cells, metadata={"kernelspec": KERNEL, "widgets": widgets}
    )


@pytest.mark.parametrize("opening", range(OPENINGS))
@pytest.mark.parametrize("kind", ["trace", "play"])
def test_no_script_of_a_file_runs_while_the_kernel_is_busy(page, lab, kind, opening):
    name = f"hostile_{kind}_{opening}.ipynb"
    nbformat.write(hostile(kind, 150 if opening % 2 else 1), lab[1] / name)
    show(page, lab[0], name)
    page.evaluate(BUSY)
    page.evaluate(MOVED)
    page.wait_for_timeout(3000)
    assert page.locator(".jp-LinkedOutputView").count() == 1
    assert page.evaluate(RAN) == 0


def test_a_trusted_widget_is_live_while_its_cell_still_runs(page, lab):
    """The kernel has sent it, and could not be asked whether it has it."""
    quiet = PROGRAM.replace("%%propagate fast", "%%propagate --quiet fast")
    running = "display(fast.step())\nimport time; time.sleep(20)"
    opened(page, lab, "running.ipynb", quiet, running, run=False)
    page.evaluate(RUN.replace("await app", "app"))
    page.locator(".polynb-trace > .lm-Panel .pnb-root").wait_for()
    assert "[*]" in page.locator(".jp-InputPrompt").last.inner_text()
