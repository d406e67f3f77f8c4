"""Pages that step on their own, in a browser, from the disk."""

from pathlib import Path

import pytest

import polynb as pn

AXE = Path(__file__).parents[2] / "widgets" / "node_modules" / "axe-core" / "axe.min.js"
NUMBER = ".pnb-number-of"
FORWARD = "button[aria-label*='forward'], button[title*='forward']"
BACK = "button[aria-label*='step back']"


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "fig9a.html"
    pn.propagate(pn.gallery.load("fig9a")).to_html(path)
    return path


def test_it_opens_at_a_step_and_steps(page, file):
    page.goto(f"{file.as_uri()}#step=4")
    assert page.inner_text(NUMBER) == "4 of 22"
    page.click(FORWARD)
    assert page.inner_text(NUMBER) == "5 of 22"
    page.wait_for_function("location.hash === '#step=5'")
    page.keyboard.press("End")
    assert page.inner_text(NUMBER) == "22 of 22"
    page.keyboard.press("ArrowLeft")
    assert "s1 is kept" in page.inner_text(".pnb-sentence")


def test_in_a_frame_of_a_course_without_an_address_of_its_own(page, file, tmp_path):
    outer = tmp_path / "course.html"
    outer.write_text(
        "<!doctype html><iframe sandbox='allow-scripts' width=1100 height=900></iframe>"
    )
    page.goto(outer.as_uri())
    page.evaluate("t => { document.querySelector('iframe').srcdoc = t }", file.read_text("utf-8"))
    frame = page.frame_locator("iframe")
    frame.locator(".pnb-root").wait_for()
    frame.locator(FORWARD).first.click()
    assert frame.locator(NUMBER).inner_text() == "1 of 22"


def test_without_scripts_it_shows_what_a_notebook_does(browser, file):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(file.as_uri())
    assert "s0 is removed: 4 statements became 3." in page.inner_text("body")
    context.close()


@pytest.fixture(scope="module")
def memory(tmp_path_factory):
    """The second listing of DeLICM: step 2 asks, step 3 has a conflict."""
    path = tmp_path_factory.mktemp("memory") / "delicm_listing2.html"
    pn.map_scalars(pn.gallery.load("delicm_listing2")).to_html(path)
    return path


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("step", [1, 2, 3])
def test_nor_is_there_one_in_pictures_of_memory(page, memory, scheme, step):
    test_there_is_no_serious_violation_of_accessibility(page, memory, scheme, step)


def test_whether_it_fits_is_asked_before_it_is_told(page, memory):
    page.goto(memory.as_uri())
    page.click("button:has-text('predict')")
    for _ in range(3):
        if page.locator(".pnb-prompt").count():
            break
        page.click(FORWARD)
    assert "Does it fit: may the values of a live in C" in page.inner_text(".pnb-prompt")
    assert page.locator(".pnb-memory .pnb-proposed.pnb-occupied:visible").count() == 1
    assert not page.locator(".pnb-clash:visible").count()
    body = page.inner_text("body")
    assert "is not mapped" not in body
    assert "No scalar is removed" not in body
    page.locator(".pnb-question button", has_text="yes").click()
    assert "Not quite" in page.inner_text(".pnb-told")
    page.click("button:has-text('ask me again')")
    page.locator(".pnb-question button", has_text="no").first.click()
    assert "Right." in page.inner_text(".pnb-told")
    assert "C[0] has to keep another value" in page.inner_text(".pnb-told")
    page.click(FORWARD)
    assert page.locator(".pnb-memory .pnb-ring:visible").count() == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("step", [0, 4, 20])
def test_there_is_no_serious_violation_of_accessibility(page, file, scheme, step):
    if not AXE.is_file():
        pytest.skip("axe-core is not there (npm ci in widgets/)")
    page.emulate_media(color_scheme=scheme)
    page.goto(f"{file.as_uri()}#step={step}")
    page.wait_for_selector(".pnb-root")
    page.add_script_tag(path=str(AXE))
    found = page.evaluate("axe.run()")["violations"]
    serious = [v["id"] for v in found if v["impact"] in ("serious", "critical")]
    assert not serious, serious


@pytest.mark.parametrize("width", [700, 920, 1024, 1366])
def test_the_outcomes_of_all_arrays_are_in_sight(page, tmp_path, width):
    """Reasons take more than one line."""
    path = tmp_path / "lrr_listing1.html"
    pn.reorder(pn.gallery.load("lrr_listing1")).to_html(path)
    page.set_viewport_size({"width": width, "height": 768})
    page.goto(path.as_uri())
    page.wait_for_selector(".pnb-root")
    said = page.locator(".pnb-said")
    assert "unchanged" in said.inner_text()
    assert said.evaluate("e => e.scrollHeight - e.clientHeight") <= 0


MANY = """param N; assume N >= 4; input A[N+1][N+1]; output B[N+1][N+1]; temp t[N+1][N+1];
for i = 0 to N do for j = 0 to N do t[i][j] = A[i][j] + 1; done done
for i = 0 to N do for j = 0 to N do B[i][j] = t[i][N-j]; done done"""
TIMES = """async ([forward, back]) => {
  const drawn = () => new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)));
  const least = [];
  for (let round = 0; round < 5; round++) {
    for (let k = 0; k < 6; k++) {
      const start = performance.now();
      document.querySelector(forward).click();
      least[k] = Math.min(least[k] ?? Infinity, performance.now() - start);
      await drawn();
    }
    for (let k = 0; k < 6; k++) document.querySelector(back).click();
  }
  return least;
}"""


def times_of_steps(page):
    """Of the first six, in milliseconds; each the least of five, as a browser beside other work
    is now and then made to wait."""
    return page.evaluate(TIMES, [FORWARD, BACK])


def test_a_step_takes_less_than_a_frame_with_5000_instances(page, tmp_path):
    derivation = pn.propagate(pn.parse(MANY))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("polynb.show.trace.scene.MOST", 10_000)
        page_text = derivation.to_html(N=49)
    file = tmp_path / "many.html"
    file.write_text(page_text, "utf-8")
    page.goto(file.as_uri())
    assert page.locator("svg circle, svg .pnb-dot").count() >= 5000
    times = times_of_steps(page)
    assert sorted(times)[len(times) // 2] < 16, times


# The boxes of a stepper that scroll in themselves, upwards or sideways.
SCROLLED = """() => [...document.querySelectorAll('.pnb-root *')].filter(e => {
  const { overflowX, overflowY } = getComputedStyle(e);
  const scrolls = by => /auto|scroll/.test(by);
  return e.getClientRects().length && (scrolls(overflowY) && e.scrollHeight > e.clientHeight + 1
    || scrolls(overflowX) && e.scrollWidth > e.clientWidth + 1);
}).map(e => e.className)"""


@pytest.mark.parametrize("name", ["harris", "lrr_listing1"])
def test_on_a_phone_nothing_scrolls_but_the_page(page, tmp_path, name):
    file = tmp_path / "page.html"
    made = pn.propagate if name == "harris" else pn.reorder
    made(pn.gallery.load(name)).to_html(file)
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(file.as_uri())
    last = int(page.inner_text(NUMBER).split(" of ")[1])
    for step in range(0, last + 1, max(1, last // 12)):
        page.evaluate("step => { location.hash = `#step=${step}` }", step)
        page.wait_for_function(
            "step => document.querySelector('.pnb-number-of').textContent.startsWith(`${step} of`)",
            arg=step,
        )
        page.wait_for_timeout(100)
        assert page.evaluate(SCROLLED) == [], step
        assert page.evaluate("document.documentElement.scrollWidth") == 390
