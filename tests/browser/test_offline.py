"""Live pages without their server, and after it has got a newer version of them."""

import os
import shutil
import time
from importlib.resources import files

import pytest

from polynb.site.live.offline import write_service
from tests.browser.serving import served
from tests.browser.test_live import ANSWER, run
from tests.website.live.building import built

KEPT = """async () => {
  const { active } = await navigator.serviceWorker.ready;
  if (active.state === "activated") return;
  await new Promise((done) => (active.onstatechange = done));
}"""
STAGES = """window.stages = [];
new MutationObserver(() => {
  const stage = document.documentElement?.dataset.live;
  if (stage && stages.at(-1) !== stage) stages.push(stage);
}).observe(document, { attributes: true, subtree: true, childList: true });"""
OF_PYTHON = "(await caches.keys()).find((name) => name.startsWith('polynb python'))"
HAS_PYTHON = f"""async () => {{
  const name = {OF_PYTHON};
  return name && (await (await caches.open(name)).match('memory')) !== undefined;
}}"""
BROKEN = f"""async () => {{
  await (await caches.open({OF_PYTHON})).put('memory', new Response('broken'));
}}"""
PAGE = """<!doctype html><meta charset="utf-8"><title>a page</title><link rel="icon" href="data:,">
<p>the {version} version</p>
<script type="module">import {{ keep }} from "./offline.js"; keep(() => false);</script>"""


@pytest.mark.live
def test_after_a_first_visit_no_server_is_needed(page, tmp_path_factory):
    with served(built(tmp_path_factory)) as address:
        page.goto(f"{address}/#cell=print(6*7)")
        page.locator("html[data-live=ready]").wait_for(timeout=ANSWER)
        page.evaluate(KEPT)
        page.wait_for_function(HAS_PYTHON, polling=200)
    page.add_init_script(STAGES)
    page.goto(f"{address}/index.html#propagate=A%5B0%5D%3D1%3B")
    run(page, "pn.prove(pn.parse('A[0] = 2;'), pn.parse('A[0] = 1 + 1;'))")
    page.get_by_text("the same: proved").first.wait_for()
    assert page.evaluate("stages") == ["Python", "ready"]  # polynb came with it
    page.evaluate(BROKEN)
    page.goto("about:blank")
    page.goto(f"{address}/index.html#cell=print(6*9)")
    run(page, "print(6*9)")
    page.get_by_text("54", exact=True).wait_for()
    assert page.evaluate("stages") == ["Python", "polynb", "ready"]


def test_a_newer_version_takes_the_place_of_what_is_kept(page, tmp_path):
    shutil.copy(files("polynb.site.live") / "static" / "offline.js", tmp_path)
    with served(tmp_path) as address:
        for later, version in enumerate(("first", "second")):
            index = tmp_path / "index.html"
            index.write_text(PAGE.format(version=version), "utf-8")
            for file in (index, write_service(tmp_path)):  # a server tells files apart by seconds
                os.utime(file, times=(time.time() + 2 * later - 9,) * 2)
            page.goto(f"{address}/")
            page.get_by_text(f"the {version} version").wait_for()
            page.evaluate(KEPT)
        assert len(page.evaluate("caches.keys()")) == 1
    page.reload()
    page.get_by_text("the second version").wait_for()
