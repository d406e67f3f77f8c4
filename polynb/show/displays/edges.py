"""Dependences as a table, and as a picture with its caption."""

from __future__ import annotations

from collections.abc import Sequence

from polynb import isl
from polynb.dependences import Dependences, Edge
from polynb.isl import BudgetExhausted, budget
from polynb.scop.model import Scop
from polynb.show.draw.iteration_space import iteration_space
from polynb.show.draw.kinds import KINDS
from polynb.show.draw.scene_svg import scene_svg
from polynb.show.draw.svg import Svg
from polynb.show.html import Html, code, details, element, image, join, paragraph, sentence, table
from polynb.show.words import DATA, NOT_AFFINE, vague
from polynb.words import counted, listed

BUDGET = 20_000_000  # isl operations for the edges of a display: a few seconds


def computed_edges(dependences: Dependences) -> tuple[Edge, ...] | None:
    """The value-based edges, None if they take too long for a display."""
    try:
        with budget(BUDGET):
            return dependences.edges
    except BudgetExhausted:
        return None


def picture(scop: Scop, edges: Sequence[Edge]) -> Html:
    """The iteration spaces with the edges as arrows, and what is drawn."""
    try:
        with budget(BUDGET):
            scene = iteration_space(scop, edges)
    except BudgetExhausted:
        return paragraph("The iteration spaces are too complex to draw.", muted=True)
    shown = image(scene_svg(scene), scene.alt, round(scene.width))
    legend = join([_legend_entry(k) for k in scene.kinds if k != "map"], " ")
    return element("div", shown, paragraph(legend), paragraph(" ".join(scene.notes), muted=True))


def _legend_entry(kind: str) -> Html:
    said = join([kind_label(kind), f" {KINDS[kind].meaning}"])
    return element("span", said, style="display:inline-block;padding-right:16px")


def edges_table(scop: Scop, edges: Sequence[Edge] | None) -> Html:
    """A row for each kind and array."""
    if edges is None:
        return paragraph("The dependences are too complex for a display: see pn.analyze.")
    if not edges:
        return paragraph("No dependences: all instances can run in any order.")
    rows = []
    for (kind, array), group in _grouped(edges).items():
        reads = ["" if e.read is None else f"read {e.read}: " for e in group]
        codes = [relation_code(e.relation.gist_params(scop.assumed)) for e in group]
        relations = folded_relations(list(zip(reads, codes, strict=True)))
        rows.append((kind_label(kind), code(array), arrows(scop, group), relations))
    return table("Dependences", ("kind", "array", "edges", "relations"), rows, wrap=(2,))


def _grouped(edges: Sequence[Edge]) -> dict[tuple[str, str], list[Edge]]:
    groups: dict[tuple[str, str], list[Edge]] = {}
    for kind in KINDS:
        for e in edges:
            if e.kind == kind:
                groups.setdefault((kind, e.array), []).append(e)
    return groups


def relation_code(relation: isl.Map) -> Html:
    """A relation as isl writes it, with the papers' arrow."""
    return code(str(relation).replace("->", "→"))


def folded_relations(lines: Sequence[Sequence[str]]) -> Html:
    """Relations, each with what is said of it on its line, folded under their number."""
    shown = [element("div", *line, style="margin:2px 0") for line in lines]
    body = element("div", *shown, style="white-space:pre-wrap")
    return details(counted(len(lines), "relation"), body)


def kind_label(kind: str) -> Html:
    """The name of a kind after a sample of its line."""
    look = KINDS[kind]
    svg = Svg(30, 10)
    svg.path("M1 5L29 5", look.colour, look.width + 0.3, look.dash)
    sample = image(str(svg), "", 30, "min-width:30px")
    return join([sample, Html("&nbsp;"), element("b", sentence(look.name))])


def arrows(scop: Scop, edges: Sequence[Edge]) -> str:
    """Edges in the order of the program, those with the same targets together:
    "S0 → S1 and S2; S1 and S2 → S4"."""
    place = {s.name: k for k, s in enumerate(scop.statements)}
    targets: dict[str, set[str]] = {}
    for e in edges:
        targets.setdefault(e.source, set()).add(e.target)
    sources: dict[tuple[str, ...], list[str]] = {}
    for source in sorted(targets, key=place.__getitem__):
        its = sorted(targets[source], key=place.__getitem__)
        sources.setdefault(tuple(its), []).append(source)
    said = "; ".join(f"{listed(s)} → {listed(t)}" for t, s in sources.items())
    unsure = [e for e in edges if not e.exact]
    return said + (f" (may: {_why(scop, unsure)})" if unsure else "")


def _why(scop: Scop, unsure: Sequence[Edge]) -> str:
    """Why some edges are not known exactly."""
    names = {n for e in unsure for n in (e.source, e.target)}
    arrays = {e.array for e in unsure}
    found = [s for s in scop.statements if s.name in names]
    accesses = [a for s in found for a in s.accesses if a.array in arrays]
    reasons = {vague(a) for a in accesses if not a.must}
    only_shape = reasons == {NOT_AFFINE} and all(s.guard is None for s in found)
    return f"a subscript {NOT_AFFINE}" if only_shape else DATA


def edge_lines(scop: Scop, edges: Sequence[Edge] | None) -> list[str]:
    """The table as plain text, a line for each kind and array."""
    if edges is None:
        return ["dependences: too complex for a display"]
    groups = _grouped(edges)
    return [f"{KINDS[k].name} {a}: {arrows(scop, group)}" for (k, a), group in groups.items()]
