"""The pictures of steppers, step by step: no text covers another one, nothing is cut, and there is
no scrollbar for a few pixels. And displays at 900 pixels: no word is broken."""

import os

import pytest

import polynb as pn
from polynb.errors import PolynbError
from polynb.show.bundle import STATEMENTS, STEPS
from polynb.show.displays.static import static
from polynb.show.trace.builder import trace
from polynb.show.trace.pages import BUNDLE

FEW = (
    "delicm_listing3",
    "fig1",
    "fig5",
    "fig7b",
    "lrr_listing1",
    "lrr_listing3",
    "unsharp_mask",
    "delicm_listing2",
)
NAMES = pn.gallery.names() if os.environ.get("POLYNB_LARGE") else FEW

# Goes through a trace; gives what is wrong, with the steps at which it is. Fonts reach a little
# beyond their letters, so two texts may share that much.
MEASURE = """async trace => {
  const frame = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
  document.body.replaceChildren();
  const close = window.polynb.mount(document.body, trace);
  await frame();
  const wrong = {};
  const slider = document.querySelector('.pnb-slider');
  const measured = () => {
    const found = [];
    const space = document.querySelector('.pnb-space:not([hidden])');
    const svgs = [...space?.querySelectorAll('.pnb-svg') ?? []];
    if (!svgs[0]?.getClientRects().length) return found;
    const around = space.querySelector('.pnb-scroll') ?? space;
    const over = around.scrollWidth - around.clientWidth;
    if (over > 0 && over < 60) found.push(`a scrollbar for ${over} pixels`);
    const legend = document.querySelector('.pnb-legend:not([hidden])');
    const hidden = legend.scrollHeight - legend.clientHeight;
    const room = 2 * legend.clientHeight + 2 < legend.parentElement.clientHeight;
    if (hidden > 1 && room) found.push(`${hidden} pixels of the legend are cut`);
    const shown = selector => svgs.flatMap(svg => [...svg.querySelectorAll(selector)])
      .filter(e => e.getClientRects().length)
      .map(e => [e.textContent.trim() || e.getAttribute('class'), e.getBoundingClientRect(), e]);
    const texts = shown('text');
    for (const [name, r, e] of [...texts, ...shown('.pnb-overlay path, .pnb-ring, .pnb-dot')]) {
      const box = e.closest('.pnb-svg').getBoundingClientRect();
      const aside = Math.max(box.left - r.left, r.right - box.right);
      const above = Math.max(box.top - r.top, r.bottom - box.bottom);
      if (Math.max(aside, above) > 1) found.push(`${name} is outside`);
    }
    const level = texts.filter(([, , e]) => !e.hasAttribute('transform')); // boxes are around them
    level.forEach(([a, r], k) => level.slice(k + 1).forEach(([b, q]) => {
      const across = Math.min(r.right, q.right) - Math.max(r.left, q.left);
      const down = Math.min(r.bottom, q.bottom) - Math.max(r.top, q.top);
      if (across > 1 && down > 3) found.push(`${a} covers ${b}`);
    }));
    return found;
  };
  trace.steps.forEach((_, k) => {
    slider.value = k;
    slider.dispatchEvent(new Event('input', { bubbles: true }));
    for (const said of measured()) (wrong[said] ??= []).push(k);
  });
  close();
  return wrong;
}"""

LOAD = """async text => {
  const module = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
  window.polynb = await import(module);
}"""

# The words of a page that are on two lines. Code may be broken beside brackets and operators.
BROKEN = """() => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode());) {
    for (const { 0: word, index } of node.data.matchAll(/[\\p{L}\\p{N}_.]+/gu)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const lines = new Set([...range.getClientRects()].map(r => Math.round(r.top)));
      if (lines.size > 1) found.push(word);
    }
  }
  return found;
}"""


def small(name):
    """What of a gallery's program is shown as a stepper."""
    scop = pn.gallery.load(name)
    if len(scop.statements) > 4 * STATEMENTS:
        return
    yield "scop", scop
    for make in (pn.propagate, pn.reorder, pn.remove_scalars, pn.map_scalars):
        try:
            with pn.budget(seconds=60):
                derivation = make(scop)
        except PolynbError:
            continue
        if len(derivation.steps) <= STEPS:
            yield make.__name__, derivation


@pytest.mark.parametrize("name", NAMES)
def test_nothing_collides(page, name):
    shown = [(w, x) for w, x in small(name) if len(getattr(x, "statements", ())) <= STATEMENTS]
    traces = {what: trace(x) for what, x in shown}
    for width in (900, 1366):
        page.set_viewport_size({"width": width, "height": 768})
        page.goto("about:blank")
        page.evaluate(LOAD, BUNDLE.read_text("utf-8"))
        for what, found in traces.items():
            wrong = page.evaluate(MEASURE, found)
            assert not wrong, (width, what, wrong)


@pytest.mark.parametrize("name", ["fig1", "lrr_listing1", "unsharp_mask"])
def test_no_word_is_broken_at_900_pixels(page, name):
    page.set_viewport_size({"width": 900, "height": 800})
    for what, x in small(name):
        page.set_content(f"<body>{static(x)['text/html']}</body>")
        page.evaluate("() => document.querySelectorAll('details').forEach(d => { d.open = true; })")
        assert page.evaluate(BROKEN) == [], what
