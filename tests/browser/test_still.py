"""Nothing of the stepper moves but what a step is about: measured in a browser, step by step."""

import itertools
import os
import random

import pytest

import polynb as pn
from polynb.errors import PolynbError

FIXED = ("fig1", "fig7b", "unsharp_mask")
PASSES = {"propagate": pn.propagate, "reorder": pn.reorder}
DELICM = {"remove_scalars": pn.remove_scalars, "map_scalars": pn.map_scalars}
MEMORY = (
    *(("remove_scalars", "delicm_listing3"), ("map_scalars", "delicm_listing2")),
    *(("remove_scalars", "delicm_listing2"), ("remove_scalars", "durbin")),
)
SLOW = ("interpolate", "local_laplacian", "pyramid_blending")  # minutes, for their traces alone
GALLERY = [(p, n) for n in pn.gallery.names() for p in PASSES if n not in SLOW]
SAMPLED = random.Random(7).sample(GALLERY, 3)
ALL = "POLYNB_LARGE" in os.environ
SHOWN = GALLERY if ALL else list(dict.fromkeys([*(("propagate", n) for n in FIXED), *SAMPLED]))
SHOWN = [*MEMORY, *SHOWN]
WIDTHS = (700, 1024, 1366, 1920)
MEASURED = WIDTHS if ALL else WIDTHS[::2]

SPACE = ".pnb-space:not([hidden])"
PARTS = (
    *("button[aria-label*='forward']", ".pnb-telling", ".pnb-tabs", ".pnb-copy", ".pnb-text"),
    *(".pnb-sight", SPACE, ".pnb-timeline", ".pnb-root"),
)
MEASURE = """async ([parts, predict]) => {
  const one = s => document.querySelector(s);
  const button = text =>
    [...document.querySelectorAll('button')].find(b => b.textContent.startsWith(text));
  // The picture of a space and that of memory each have a place of their own, below their legends.
  const boxes = () => parts.map(s => {
    const { x, y, width, height } = one(s).getBoundingClientRect();
    const kind = s.startsWith('.pnb-space') ? one(s).className : s;
    return [kind, [x, y, width, height].map(v => v.toFixed(1)).join(' ')];
  });
  if (predict) button('predict').click();
  await new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)));
  const [forward, root] = [one(parts[0]), one('.pnb-root')];
  const first = Object.fromEntries(boxes()), moved = new Set();
  const compare = what => boxes().forEach(([kind, b]) => {
    first[kind] ??= b;
    if (b !== first[kind]) moved.add(`${what}: ${kind} ${first[kind]} -> ${b}`);
  });
  let steps = 0;
  while (forward.getAttribute('aria-disabled') !== 'true') {
    forward.click();
    steps += 1;
    compare(`step ${steps}`);
    const skip = button('skip');
    if (!skip) continue;
    skip.click();
    compare(`step ${steps}, shown`);
  }
  return { steps, moved: [...moved].slice(0, 5), over: root.scrollWidth - root.clientWidth };
}"""


@pytest.mark.parametrize(("name", "program"), SHOWN)
def test_all_stays_where_it_is_at_every_step(page, tmp_path, name, program):
    try:
        text = (PASSES | DELICM)[name](pn.gallery.load(program)).to_html()
    except PolynbError as error:
        pytest.skip(f"no stepper: {error}")
    file = tmp_path / "page.html"
    file.write_text(text, "utf-8")
    for width in MEASURED:
        for predict in (False, True):
            page.set_viewport_size({"width": width, "height": 768})
            page.goto("about:blank")  # or the address would keep the step
            page.goto(file.as_uri())
            page.wait_for_selector(".pnb-root")
            if predict and not page.locator("button:has-text('predict'):visible").count():
                continue
            found = page.evaluate(MEASURE, [list(PARTS), predict])
            assert found["steps"] > 0
            assert (found["moved"], found["over"]) == ([], 0), (width, predict)


@pytest.mark.parametrize("width", WIDTHS)
def test_clicks_without_moving_the_mouse_go_on(page, tmp_path, width):
    """Controls, sentence, picture and text are on the screen together, too."""
    file = tmp_path / "fig1.html"
    pn.propagate(pn.gallery.load("fig1")).to_html(file)
    page.set_viewport_size({"width": width, "height": 768})
    page.goto(file.as_uri())
    box = page.locator("button[aria-label*='forward']").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    for _ in range(6):
        page.mouse.down()
        page.mouse.up()
    assert page.inner_text(".pnb-number-of") == "6 of 40"
    for part in (".pnb-controls", ".pnb-telling", ".pnb-text", SPACE):
        seen = page.locator(part).bounding_box()
        assert seen["y"] >= 0, part
        assert seen["y"] + seen["height"] <= 768, part


def test_what_a_step_draws_is_brought_into_sight(page, tmp_path):
    """Figures of four cubes do not fit: the arrows of step 3 are between the last two."""
    file = tmp_path / "unsharp_mask.html"
    pn.propagate(pn.gallery.load("unsharp_mask")).to_html(file)
    page.set_viewport_size({"width": 1024, "height": 600})
    page.goto(f"{file.as_uri()}#step=2")
    page.click("button[aria-label*='forward']")
    page.wait_for_function("document.querySelector('.pnb-space').scrollTop > 0")
    box = page.locator(SPACE).bounding_box()
    drawn = page.locator(f"{SPACE} .pnb-drawn").bounding_box()
    seen = min(box["y"] + box["height"], drawn["y"] + drawn["height"]) - max(box["y"], drawn["y"])
    assert seen >= min(box["height"], drawn["height"]) / 2


# What scrolls up and down within the stepper, and what is marked in the program but cannot be seen.
BOXES = """() => {
  const root = document.querySelector('.pnb-root');
  const scrolls = e => /auto|scroll/.test(getComputedStyle(e).overflowY)
    && e.scrollHeight > e.clientHeight + 1;
  const edge = document.querySelector('.pnb-text').getBoundingClientRect().bottom;
  const unseen = e => e.offsetParent === null || e.getBoundingClientRect().bottom > edge;
  const marks = [...document.querySelectorAll('.pnb-mark')];
  return [[...root.querySelectorAll('*')].filter(scrolls).map(e => e.className),
          marks.length, marks.filter(unseen).length];
}"""


def test_a_long_program_is_folded_to_what_a_step_is_about(page, tmp_path):
    """Thirteen nests: what a step is about is in sight, and nothing is scrolled but the page."""
    names = [f"t{k}" for k in range(12)]
    nests = [
        f"for i = 0 to N do for j = 0 to N do {b}[i][j] = {a}[i][j] + 1; done done"
        for a, b in itertools.pairwise(["A", *names, "B"])
    ]
    program = pn.parse(f"param N; temp {', '.join(names)};" + "\n".join(nests))
    file = tmp_path / "long.html"
    pn.propagate(program).to_html(file)
    page.set_viewport_size({"width": 1024, "height": 600})
    page.goto(f"{file.as_uri()}#step=2")
    gap = page.locator(".pnb-gap").first
    gap.wait_for()
    scrolled, marks, unseen = page.evaluate(BOXES)
    assert (scrolled, unseen) == ([], 0)
    assert marks >= 2
    lines = page.locator(".pnb-code")
    assert page.locator(".pnb-code:visible").count() < lines.count()
    gap.click()
    assert page.locator(".pnb-code:visible").count() == lines.count()
    assert page.locator(".pnb-gap").count() == 0
    assert page.evaluate(BOXES)[0] == []
