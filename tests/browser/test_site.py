"""The site, from a disk: every stored stepper steps, and what is needed is there."""

import fcntl
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from polynb.show.trace import saved
from polynb.site.sources import found

ROOT = Path(__file__).parents[2]
FORWARD = "button[aria-label*='forward'], button[title*='forward']"
NUMBER = ".pnb-number-of"
WORDS = re.compile(r"(\d+) of (\d+)")


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """Its folder: built once, by whichever process is first."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "polynb-site"
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "built").is_file():
            command = [sys.executable, "-m", "polynb.site", str(folder)]
            done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
            assert (done.returncode, done.stderr) == (0, ""), done.stderr
            (folder / "built").touch()
    return folder


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
    stepped = 0
    for k in range(roots.count()):
        root = roots.nth(k)
        if not root.locator(NUMBER).is_visible():  # of a program, which has one step
            continue
        at, last = map(int, WORDS.fullmatch(root.locator(NUMBER).inner_text()).groups())
        root.locator("button[title*='back']" if at == last else FORWARD).first.click()
        now, _ = map(int, WORDS.fullmatch(root.locator(NUMBER).inner_text()).groups())
        if root.locator(".pnb-prompt:visible").count():  # it was stored as one that asks first
            assert now == at
        else:
            assert now == (at - 1 if at == last else at + 1)
        stepped += 1
    assert stepped
    assert not asked, "the pages load nothing from elsewhere"


def test_a_stepper_is_worked_with_the_keyboard(page, site):
    page.goto((site / STEPPING[0].relative_to(ROOT)).with_suffix(".html").as_uri())
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
