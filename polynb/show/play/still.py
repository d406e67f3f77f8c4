"""What is left of a playground in a saved notebook: the code, the moves with their verdicts, and
the pictures, for which no kernel is needed."""

from __future__ import annotations

from polynb.show.html import (
    Html,
    columns,
    element,
    image,
    next_line,
    page,
    paragraph,
    program,
    sentence,
    table as html_table,
)
from polynb.show.play.view import View
from polynb.show.words import questions

BAD = "background-color:rgba(213,94,0,0.25)"


def still(view: View) -> dict[str, str]:
    """`text/plain`, and `text/html` that needs no scripts."""
    return {"text/plain": _text(view), "text/html": _html(view)}


def _text(view: View) -> str:
    moves = [f"{'✓' if s['legal'] else '✗'} {s['line']}: {s['said']}" for s in view.steps_json()]
    code = [("! " if c.handle in view.bad else "  ") + c.text for c in view.code]
    asked = [f"note: {question}" for question in questions(view.chain)]
    return "\n".join([f"Playground of {view.title}", *asked, *moves, *code])


def _html(view: View) -> Html:
    moves = [(s["line"], "✓ legal" if s["legal"] else "✗ illegal", s["said"])
             for s in view.steps_json()]  # fmt: skip
    told = html_table("Moves", ("move", "verdict", "why"), moves, wrap=(2,)) if moves else ""
    shades = [BAD if c.handle in view.bad else "" for c in view.code]
    code = program([c.text for c in view.code], shades)
    drawn = [element("div", paragraph(p.title, muted=True), image(str(p.svg), p.alt, p.svg.width))
             for p in view.pictures]  # fmt: skip
    head = paragraph(element("b", f"Playground of {view.title}"),
                     "" if view.chain.legal else ": the last move is illegal.")  # fmt: skip
    asked = [paragraph("⚠ ", sentence(question)) for question in questions(view.chain)]
    return page(head, *asked, told, columns(code, element("div", *drawn)),
                next_line("%play PROGRAM", "pn.transform(program)"))  # fmt: skip
