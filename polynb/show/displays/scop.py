"""How a Scop and its Dependences are shown."""

from __future__ import annotations

from polynb.dependences import Dependences, analyze
from polynb.scop import Array, Scop
from polynb.scop.needs import needs
from polynb.scop.storage import storage_text
from polynb.show.displays.edges import computed_edges, edge_lines, edges_table, picture
from polynb.show.displays.naming import reference, title_of
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
from polynb.show.words import cautions, declared, headline, questions, taken_for_inputs


def scop_html(scop: Scop) -> Html:
    edges = computed_edges(analyze(scop))
    return page(
        paragraph(element("b", title_of(scop)), f": {headline(scop)}"),
        *(paragraph("⚠ ", c) for c in cautions(scop)),
        columns(program(str(scop).strip("\n").split("\n")), picture(scop, edges or ())),
        tree_details(scop),
        _inputs(scop),
        arrays_table(scop),
        edges_table(scop, edges),
        next_line(next_of_scop(scop)),
    )


def below_space(scop: Scop) -> Html:
    """What there is to say of a program whose text and space are shown already."""
    return page(
        *(paragraph("⚠ ", sentence(c)) for c in cautions(scop)),
        tree_details(scop),
        _inputs(scop),
        arrays_table(scop),
        edges_table(scop, computed_edges(analyze(scop))),
        next_line(next_of_scop(scop)),
    )


def scop_text(scop: Scop) -> str:
    width = max((len(declared(a)) for a in scop.arrays.values()), default=0)
    return "\n".join(
        [
            f"{title_of(scop)}: {headline(scop)}",
            *(f"note: {c}" for c in cautions(scop)),
            "",
            str(scop).strip("\n"),
            "",
            *(tree_lines(scop) if is_notable(scop.schedule) else ()),
            *filter(None, [taken_for_inputs(scop)]),
            *(
                f"{declared(a):{width}}  {a.role:6}  {a.type}" + (f"  ({why(a)})" if why(a) else "")
                for a in scop.arrays.values()
            ),
            *edge_lines(scop, computed_edges(analyze(scop))),
            f"next: {next_of_scop(scop)}",
        ]
    )


def _inputs(scop: Scop) -> Html:
    said = taken_for_inputs(scop)
    return paragraph(said) if said else Html()


def arrays_table(scop: Scop) -> Html:
    rows = [(code(declared(a)), a.role, str(a.type), why(a)) for a in scop.arrays.values()]
    return table("Arrays", ("array", "role", "type", "why"), rows, wrap=(3,))


def why(array: Array) -> str:
    """What the role, the type and the extents of an array come from, and where it lives."""
    return "; ".join(filter(None, (storage_text(array), array.why)))


def next_of_scop(scop: Scop) -> str:
    name = reference(scop)
    if name is not None and name.endswith(".result"):
        return f"print({name})" if needs(scop) else f"print({name}.to_c())"
    return f"fast = %propagate {name}" if name else "fast = pn.propagate(scop)"


def dependences_html(dependences: Dependences) -> Html:
    scop = dependences.scop
    edges = computed_edges(dependences)
    return page(
        paragraph("Dependences of ", element("b", title_of(scop)), f": {headline(scop)}"),
        *(paragraph("⚠ ", sentence(text)) for text in questions(scop)),
        picture(scop, edges or ()),
        edges_table(scop, edges),
        next_line(next_of_dependences(dependences)),
    )


def dependences_text(dependences: Dependences) -> str:
    scop = dependences.scop
    return "\n".join(
        [
            f"Dependences of {title_of(scop)}: {headline(scop)}",
            *(f"note: {text}" for text in questions(scop)),
            *(edge_lines(scop, computed_edges(dependences)) or ["none"]),
            f"next: {next_of_dependences(dependences)}",
        ]
    )


def next_of_dependences(dependences: Dependences) -> str:
    name = reference(dependences)
    return f"{name}.raw" if name else next_of_scop(dependences.scop)
