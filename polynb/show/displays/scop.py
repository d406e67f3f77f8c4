"""How a Scop and its Dependences are shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from polynb.dependences import Dependences, Edge, analyze
from polynb.scop.model import Array, Scop
from polynb.scop.needs import needs
from polynb.scop.storage import storage_text
from polynb.show.displays.display import Display
from polynb.show.displays.edges import computed_edges, edge_lines, edges_table, picture
from polynb.show.displays.naming import reference, title_of
from polynb.show.displays.reading import read_back_box, read_back_lines
from polynb.show.displays.schedule import is_notable, tree_details, tree_lines
from polynb.show.html import (
    Html,
    code,
    columns,
    element,
    next_line,
    page,
    paragraph,
    program,
    sentence,
    table,
)
from polynb.show.words import cautions, declared, headline, questions


def display(scop: Scop) -> Display:
    """A program: its text beside its space, its arrays and its dependences."""
    edges = computed_edges(analyze(scop))
    lines = str(scop).strip("\n").split("\n")
    parts = (
        paragraph(element("b", title_of(scop)), f": {headline(scop)}"),
        *(paragraph("⚠ ", c) for c in cautions(scop)),
        *read_back_box(scop),
        columns(program(lines), picture(scop, edges or ())),
        *_tables(scop, edges),
    )
    return Display("\n".join(_text_lines(scop, lines, edges)), parts, (next_of_scop(scop),))


def below_space(scop: Scop) -> Html:
    """What there is to say of a program whose text and space are shown already. What is asked is
    at the end, which is all that is seen when a notebook goes on to the next cell."""
    notes = (paragraph("⚠ ", sentence(c)) for c in cautions(scop))
    tables = _tables(scop, computed_edges(analyze(scop)))
    return page(*tables, *read_back_box(scop), *notes, next_line(next_of_scop(scop)))


def _tables(scop: Scop, edges: Sequence[Edge] | None) -> Iterator[Html]:
    yield tree_details(scop)
    yield arrays_table(scop)
    yield edges_table(scop, edges)


def _text_lines(scop: Scop, lines: Sequence[str], edges: Sequence[Edge] | None) -> Iterator[str]:
    yield f"{title_of(scop)}: {headline(scop)}"
    yield from (f"note: {c}" for c in cautions(scop))
    yield from read_back_lines(scop)
    yield from ("", *lines, "")
    yield from tree_lines(scop) if is_notable(scop.schedule) else ()
    width = max((len(declared(a)) for a in scop.arrays.values()), default=0)
    for a in scop.arrays.values():
        reason = f"  ({why(a)})" if why(a) else ""
        yield f"{declared(a):{width}}  {a.role:6}  {a.type}{reason}"
    yield from edge_lines(scop, edges)


def arrays_table(scop: Scop) -> Html:
    """The arrays, and what their roles, types and sizes come from."""
    rows = [(code(declared(a)), a.role, str(a.type), why(a)) for a in scop.arrays.values()]
    return table("Arrays", ("array", "role", "type", "why"), rows, wrap=(3,))


def why(array: Array) -> str:
    """What the role, the type and the extents of an array come from, and where it lives."""
    return "; ".join(filter(None, (storage_text(array), array.why)))


def next_of_scop(scop: Scop) -> str:
    """What to do with a program: the C of a result, a pass for another one."""
    name = reference(scop)
    if name is not None and name.endswith(".result"):
        return f"print({name})" if needs(scop) else f"print({name}.to_c())"
    return f"fast = %propagate {name}" if name else "fast = pn.propagate(scop)"


def dependences(x: Dependences) -> Display:
    """Dependences as a picture, and as a table."""
    scop, edges = x.scop, computed_edges(x)
    parts = (
        paragraph("Dependences of ", element("b", title_of(scop)), f": {headline(scop)}"),
        *(paragraph("⚠ ", sentence(text)) for text in questions(scop)),
        picture(scop, edges or ()),
        edges_table(scop, edges),
    )
    head = f"Dependences of {title_of(scop)}: {headline(scop)}"
    notes = (f"note: {text}" for text in questions(scop))
    text = "\n".join([head, *notes, *(edge_lines(scop, edges) or ["none"])])
    return Display(text, parts, (next_of_dependences(x),))


def next_of_dependences(dependences: Dependences) -> str:
    """The edges, where a line can name them; else what to do with the program."""
    name = reference(dependences)
    return f"{name}.raw" if name else next_of_scop(dependences.scop)
