"""Polynb's cells in an editor: colours of their language, the place of an error, completion."""

import pytest

from .test_lab import opened
from .test_notebook7 import opened as opened_in_notebook7

SCOP = """%%scop blur
param N;  input double in[N+1];
for i = 1 to N do
  False[i] = sqrt(in[i-1]) + in[i];  // S0
done"""
C = """%%scop blur
for (int i = 0; i < n; i++)
  in[i] += sqrt(in[i]);  // lambda"""
PYTHON = """for i in (1, 2):  # S0
    x = False"""
WRONG = """%%scop wrong
param N;
for i = 0 to N do
\tA[i] =\tB[i*i] + /* \N{GRINNING FACE} */ (C[i] D);
done"""


def look(page, cell, word):
    """How a word looks, wherever it stands alone in a cell: the theme's names of its colour (some
    have the same), and whether it is bold or italic."""
    return page.evaluate(
        """([cell, word]) => {
          const content = document.querySelectorAll('.jp-Cell')[cell].querySelector('.cm-content');
          const names = ['keyword', 'comment', 'builtin', 'variable'];
          const probe = document.body.appendChild(document.createElement('i'));
          const colours = names.map(name => {
            probe.style.color = `var(--jp-mirror-editor-${name}-color)`;
            return getComputedStyle(probe).color;
          });
          probe.remove();
          const walker = document.createTreeWalker(content, NodeFilter.SHOW_TEXT);
          const found = new Set();
          for (let node; (node = walker.nextNode());) {
            if (!node.data.split(/\\W+/).includes(word)) continue;
            const style = getComputedStyle(node.parentElement);
            const named = names.filter((_, k) => colours[k] === style.color);
            if (style.fontWeight === '700') named.push('bold');
            if (style.fontStyle === 'italic') named.push('italic');
            found.add(named.join(' '));
          }
          return [...found];
        }""",
        [cell, word],
    )


def is_a(kind, looks):
    """Whether a word looks like that in all its places."""
    assert len(looks) == 1, looks
    (known,) = (set(look.split()) for look in looks)
    style = {"keyword": {"bold"}, "comment": {"italic"}}.get(kind, set())
    return kind in known and known & {"bold", "italic"} == style


def coloured(page):
    page.locator(".pnb-cell-word").first.wait_for()
    page.locator(".jp-Cell").nth(3).locator(".cm-line span").first.wait_for()  # what Python is
    for word, colour in (
        *(("param", "keyword"), ("for", "keyword"), ("done", "keyword"), ("S0", "comment")),
        *(("in", "variable"), ("False", "variable"), ("sqrt", "builtin"), ("double", "builtin")),
    ):
        assert is_a(colour, look(page, 1, word)), word
    for word, colour in (("for", "keyword"), ("lambda", "comment"), ("in", "variable")):
        assert is_a(colour, look(page, 2, word)), word
    for word, colour in (("in", "keyword"), ("False", "keyword"), ("S0", "comment")):
        assert is_a(colour, look(page, 3, word)), word
    assert page.locator(".jp-Cell").nth(3).locator(".pnb-cell-word").count() == 0


def test_colours_are_the_language_s_in_both_themes(page, lab):
    opened(page, lab, "colours.ipynb", SCOP, C, PYTHON, run=False)
    coloured(page)
    light = page.locator(".pnb-cell-keyword").first.evaluate("e => getComputedStyle(e).color")
    theme = "theme => window.jupyterapp.commands.execute('apputils:change-theme', { theme })"
    page.evaluate(theme, "JupyterLab Dark")
    page.wait_for_function(
        "light => getComputedStyle(document.querySelector('.pnb-cell-keyword')).color !== light",
        arg=light,
    )
    coloured(page)
    page.evaluate(theme, "JupyterLab Light")


def marked_and_edited(page):
    marks = page.locator(".pnb-cell-error")
    marks.first.wait_for()
    assert marks.all_inner_texts() == ["D"]
    error = page.locator(".jp-Cell").nth(1).locator(".jp-OutputArea-output")
    assert "or an operator is missing before `D`" in error.inner_text()  # a real error output
    # In a notebook that uses polynb, what is printed is broken between words.
    assert error.locator("pre").evaluate("e => getComputedStyle(e).wordBreak") == "normal"
    marks.first.hover()
    told = page.locator(".pnb-cell-error-told")
    told.wait_for()
    assert "is missing before `D`" in told.inner_text()
    page.locator(".jp-Cell").nth(1).locator(".cm-line").last.click()
    page.keyboard.type(" ")
    assert marks.count() == 0
    assert error.is_visible()


def test_the_place_of_an_error_is_marked_until_the_cell_is_edited(page, lab):
    opened(page, lab, "wrong.ipynb", WRONG)
    marked_and_edited(page)


def test_notebook_7_knows_cells_as_well(page, lab):
    opened_in_notebook7(page, lab, "cells7.ipynb", SCOP, C, PYTHON)
    coloured(page)
    opened_in_notebook7(page, lab, "wrong7.ipynb", WRONG)
    marked_and_edited(page)


@pytest.mark.parametrize(("typed", "expected"), [("ta", "tangent"), ("inp", "input")])
def test_words_of_a_program_are_completed(page, lab, typed, expected):
    cell = "%%scop x\nparam N;  input tangent;\nA = tangent;\n"
    opened(page, lab, f"complete_{typed}.ipynb", cell)
    page.locator(".jp-Cell").nth(1).locator(".cm-line").nth(3).click()
    page.keyboard.type(typed)
    page.keyboard.press("Tab")
    item = page.locator(".jp-Completer-item", has_text=expected).first
    item.wait_for()
    assert "in" not in page.locator(".jp-Completer-item").all_inner_texts()
