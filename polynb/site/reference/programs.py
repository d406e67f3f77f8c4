"""The gallery's page: each program with its picture, its text and where it comes from."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Final

from polynb import gallery
from polynb.dependences import analyze
from polynb.scop.model import Scop
from polynb.show.displays.edges import computed_edges
from polynb.show.draw.iteration_space import parameters_of, related_spaces
from polynb.show.draw.scene_svg import scene_svg
from polynb.site.shared import shorter
from polynb.words import counted, listed

STATEMENTS: Final = 60  # of a picture
LINES: Final = 60  # of a program's text
FOLDER: Final = "gallery"  # of the pictures, beside the page


def write(folder: Path) -> None:
    """The page in MyST's Markdown, `gallery.md`, and its pictures."""
    names = gallery.names()
    about = (
        f"# Gallery\n\n{counted(len(names), 'program')} to begin with: `%%scop`, `%propagate` and "
        'the other magics take `gallery:NAME`, `pn.gallery.load("NAME")` gives the program. In the '
        "pictures a dot is an instance of a statement, and arrows lead to those that depend on it: "
        "solid where a value flows (RAW), dashed from a read to the next write (WAR), dotted from "
        "a write to the next (WAW).\n"
    )
    (folder / FOLDER).mkdir(parents=True, exist_ok=True)
    parts = [_program(name, folder / FOLDER / f"{name}.svg") for name in names]
    (folder / "gallery.md").write_text("".join([about, *parts]), encoding="utf-8")


def _program(name: str, place: Path) -> str:
    """A section, whose picture is written to a file."""
    found = gallery.entry(name)
    svg, alt, notes = _picture(gallery.load(name))
    place.write_text(shorter(svg), encoding="utf-8")
    lines = gallery.text(name).strip("\n").split("\n")
    text = "\n".join(lines[:LINES])
    more = f"\n… {counted(len(lines) - LINES, 'line')} more" if len(lines) > LINES else ""
    sizes = listed([f"{k} = {v}" for k, v in found.sizes.items()])
    usual = f" Usual size: {sizes}." if sizes else ""
    return (
        f"\n## {name}\n\n{found.title} ({found.source}).{usual}\n\n"
        f":::::{{container}} polynb-program\n\n::::{{container}} polynb-picture\n\n"
        f":::{{image}} {FOLDER}/{name}.svg\n:alt: {alt}\n:loading: lazy\n:::\n\n{notes}\n\n::::\n\n"
        f"```{'c' if found.language == 'c' else 'text'}\n{text}{more}\n```\n\n:::::\n"
    )


def _picture(scop: Scop) -> tuple[str, str, str]:
    """An SVG of the iteration spaces and the dependences, its alternative text, and notes; of a
    long program, of its first statements alone."""
    count = len(scop.statements)
    first = list(islice(scop.statements, STATEMENTS))
    edges = computed_edges(analyze(scop)) or () if count <= STATEMENTS else ()
    values = parameters_of(scop, edges, {})
    domains = {s.name: (s.domain, s.iterators) for s in first}
    scene = related_spaces(domains, [(e.relation, e.kind, e.exact) for e in edges], values)
    notes = list(scene.notes)
    if count > STATEMENTS:
        notes.append(f"The first {STATEMENTS} of {count} statements, without dependences.")
    return scene_svg(scene), scene.alt.replace("\n", " "), " ".join(notes)
