"""Notebook 7: JupyterLab's parts in another application, which takes keys before the page does."""

import pytest

from .test_lab import FORWARD, NUMBER, PROGRAM, RUN, written

pytest.importorskip("notebook", reason="Notebook 7 is not installed")


def opened(page, lab, name, *cells, run=RUN):
    address, folder = lab
    written(folder / name, *cells)
    page.goto(f"{address}/notebooks/{name}")
    page.wait_for_function(
        "window.jupyterapp?.shell.currentWidget?.context?.isReady", timeout=60_000
    )
    page.evaluate(run)


@pytest.mark.parametrize("clicked", [FORWARD, ".pnb-title"])
def test_keys_step_after_a_click(page, lab, clicked):
    opened(page, lab, "keys.ipynb", PROGRAM)
    page.wait_for_selector(".pnb-root", timeout=60_000)
    cells = page.locator(".jp-Cell").count()
    page.click(clicked)
    first = int(page.inner_text(NUMBER).split()[0])
    for key, steps in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1)):
        page.keyboard.press(key)
        assert page.inner_text(NUMBER).startswith(f"{first + steps} of"), key
    page.keyboard.press("b")  # a command of the notebook: a new cell
    assert page.locator(".jp-Cell").count() == cells


def test_a_button_stops_what_a_magic_does(page, lab):
    cell = "%bench gallery:harris R=600 C=600 --rounds 100000"
    opened(page, lab, "stops7.ipynb", cell, run=RUN.replace("await app", "app"))
    stop = page.locator(".jp-OutputArea button", has_text="Stop")
    stop.click(timeout=90_000, delay=500)  # as long as a person presses: the bar has moved
    error = page.locator(".jp-OutputArea", has_text="Interrupted: %bench was interrupted")
    error.first.wait_for(timeout=60_000)
    assert stop.count() == 0
    assert "Traceback" not in page.inner_text(".jp-Notebook")
