"""Live pages without their server, and after it has got a newer version of them."""

import shutil
from importlib.resources import files

import pytest

from polynb.site.live.offline import write_service
from tests.browser.serving import served
from tests.browser.test_live import ANSWER
from tests.website.live.building import built

KEPT = """async () => {
  const { active } = await navigator.serviceWorker.ready;
  if (active.state === "activated") return;
  await new Promise((done) => (active.onstatechange = done));
}"""
PAGE = """<!doctype html><meta charset="utf-8"><title>a page</title><link rel="icon" href="data:,">
<p>the {version} version</p>
<script type="module">import {{ keep }} from "./offline.js"; keep(() => false);</script>"""


@pytest.mark.live
def test_after_a_first_visit_no_server_is_needed(page, tmp_path_factory):
    with served(built(tmp_path_factory)) as address:
        page.goto(f"{address}/#cell=print(6*7)")
        page.locator("html[data-live=ready]").wait_for(timeout=ANSWER)
        page.evaluate(KEPT)
    page.goto(f"{address}/index.html#cell=print(6*9)")
    page.get_by_role("button", name="Run", exact=True).click()
    page.get_by_text("54", exact=True).wait_for(timeout=ANSWER)


def test_a_newer_version_takes_the_place_of_what_is_kept(page, tmp_path):
    shutil.copy(files("polynb.site.live") / "static" / "offline.js", tmp_path)
    with served(tmp_path) as address:
        for version in ("first", "second"):
            (tmp_path / "index.html").write_text(PAGE.format(version=version), "utf-8")
            write_service(tmp_path)
            page.goto(f"{address}/")
            page.get_by_text(f"the {version} version").wait_for()
            page.evaluate(KEPT)
        assert len(page.evaluate("caches.keys()")) == 1
    page.reload()
    page.get_by_text("the second version").wait_for()
