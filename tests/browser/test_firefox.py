"""Pages in Firefox (the others are in Chromium): stored steppers, cells that run, no network."""

import json
import shutil

import pytest

from tests.browser.firefox import FIREFOX, Firefox
from tests.browser.serving import served
from tests.browser.test_live import BLUR
from tests.browser.test_offline import HAS_PYTHON, KEPT
from tests.website.live.building import built

pytestmark = pytest.mark.skipif(not any(map(shutil.which, FIREFOX)), reason="no Firefox here")
RUN = """
const [cell, run, stop] = [".live-cell", "Run", "Stop"].map((name, k) =>
  k ? named(name) : document.querySelector(name));
cell.write(%s);
run.click();
await until(() => stop.disabled);
return cell.lastElementChild.innerText;"""
NUMBER = 'return document.querySelector(".pnb-number-of").innerText;'
STEP = f'named("One step forward").click();{NUMBER}'


@pytest.fixture
def firefox(tmp_path):
    found = Firefox(tmp_path)
    yield found
    found.close()
    assert not found.said


def run(firefox, text):
    firefox.evaluate("await until(() => document.documentElement.dataset.live === 'ready');")
    return firefox.evaluate(RUN % json.dumps(text))


def test_a_stored_stepper_steps(firefox, site):
    firefox.open(next(site.glob("notebooks/lessons/06_*.html")).as_uri())
    firefox.evaluate("await until(() => document.querySelector('.pnb-root'));")
    before, after = (int(firefox.evaluate(x).split(" of ")[0]) for x in (NUMBER, STEP))
    assert after == before + 1


def test_the_first_page_plays_from_a_disk(firefox, site):
    firefox.open((site / "index.html").as_uri())
    said = "document.querySelector('.pnp-verdict')?.innerText"
    firefox.evaluate("(await until(() => named('distribute'))).click();")
    firefox.evaluate(f"await until(() => {said}.includes('would overwrite t'));")
    firefox.evaluate("document.querySelector('.pnp-way').click();")
    firefox.evaluate(f"await until(() => {said}.includes('✓ legal'));")


@pytest.mark.live
def test_a_program_is_changed_run_stepped_and_kept(firefox, tmp_path_factory):
    with served(built(tmp_path_factory)) as address:
        firefox.open(f"{address}/index.html")
        assert "`;` is missing" in run(firefox, BLUR.replace("/ 2; done", "/ 2 done"))
        assert "t is removed: 2 statements became 1." in run(firefox, BLUR)
        assert firefox.evaluate(STEP).startswith("1 of")
        assert "proved for every N" in run(firefox, "pn.prove(blur)")
        run(firefox, "%play gallery:seidel_2d")
        firefox.evaluate("(await until(() => named('reverse'))).click();")
        illegal = "document.body.innerText.includes('in place of the illegal one')"
        firefox.evaluate(f"await until(() => {illegal});")
        firefox.evaluate("(await until(() => named('undo it'))).click();")
        firefox.evaluate(f"await until(() => !{illegal});")
        firefox.evaluate(f"await ({KEPT})(); await until({HAS_PYTHON});")
    firefox.open("about:blank")
    firefox.open(f"{address}/index.html")
    assert run(firefox, "print(6*9)").strip() == "54"
