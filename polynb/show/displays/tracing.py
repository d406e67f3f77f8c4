"""How a traced program is shown: its run, its loops by what they executed, its streams folded."""

from __future__ import annotations

from typing import Any, Final

from polynb.folding import Folded
from polynb.run.timing import seconds
from polynb.show.displays.display import Display
from polynb.show.displays.naming import step_line, variable_of
from polynb.show.displays.tables import table_html
from polynb.show.draw.flame import flame_graph
from polynb.show.html import (
    Html,
    details,
    element,
    image,
    page,
    paragraph,
    program,
    table as html_table,
)
from polynb.tracing.model import Folding
from polynb.words import counted

MOST: Final = 120  # rows of a table
OUTPUT: Final = 40  # lines of what a program wrote
ONE_RUN: Final = (
    "This program was run because you asked for it, in a process of its own with your rights. What "
    "is said here holds of this run: other inputs may take other ways."
)


def folded(folded: Folded) -> Display:
    """The pieces of a stream; next: its steps, where it was kept, else its relation."""
    known = f"{100 * folded.affine:.0f} % of {folded.entries:,} entries in affine pieces"
    live = f"at most {folded.most_live} polyhedra at a time"
    parts = table_html(folded.table()), paragraph(f"{known}; {live}.", muted=True)
    steps = folded.stream_entries is not None and len(folded.stream.dimensions) <= 3
    line = step_line(folded) if steps else f"{variable_of(folded) or '_'}.relation"
    return Display(str(folded), parts, (line,))


def folding(folding: Folding) -> Display:
    """A run: its loops by what they executed, what it wrote, and its streams folded."""
    picture = flame_graph(folding)
    parts = (
        paragraph(element("b", _headline(folding))),
        *(paragraph(f"⚠ {w}") for w in _warnings(folding)),
        paragraph(ONE_RUN, muted=True),
        image(str(picture.svg), picture.alt, picture.svg.width),
        *_written(folding),
        details(_counted(folding.executed, "instruction"), _part(folding, "instructions")),
        details(
            _counted(folding.dependences, "dependence"),
            page(_part(folding, "dependences"), _how(folding)),
        ),
    )
    return Display(f"{folding}\n{ONE_RUN}", parts, (f"{variable_of(folding) or '_'}.feedback()",))


def _headline(folding: Folding) -> str:
    run = folding.run
    return (
        f"{run.command or 'the program'}: {run.ended}; {run.events:,} entries in "
        f"{seconds(run.seconds)}, folded into "
        f"{sum(len(f.pieces) for f in _all(folding)):,} polyhedra."
    )


def _warnings(folding: Folding) -> list[str]:
    found = []
    if not folding.run.complete:
        found.append("It did not run to its end; what was folded until then is kept.")
    given_up = [f.stream.identifier for f in _all(folding) if f.gave_up]
    if given_up:
        found.append(
            f"Of {len(given_up)} streams the shape was given up: they are boxes that hold more "
            "than what ran."
        )
    return found


def _all(folding: Folding) -> list[Folded]:
    return [*folding.executed.values(), *folding.dependences.values()]


def _written(folding: Folding) -> list[Html]:
    """What the program wrote."""
    said = []
    for name, text in (("output", folding.run.output), ("errors", folding.run.errors)):
        lines = text.splitlines()
        if lines:
            cut = [*lines[:OUTPUT], "…"] if len(lines) > OUTPUT else lines
            said.append(details(f"{name}: {len(lines)} line{'s' * (len(lines) > 1)}", program(cut)))
    return said


def _part(folding: Folding, kind: str) -> Html:
    shown = folding.table(kind)
    cells = shown.cells
    if len(cells) <= MOST:
        return table_html(shown)
    more = f"{len(cells) - MOST:,} more rows: .table({kind!r})"
    return page(html_table("", shown.head, cells[:MOST]), paragraph(more, muted=True))


def _how(folding: Folding) -> Html:
    return paragraph(f"Folded by the variant {folding.variant} (section 6).", muted=True)


def _counted(streams: Any, noun: str) -> str:
    pieces = sum(len(f.pieces) for f in streams.values())
    entries = sum(f.entries for f in streams.values())
    said = (
        counted(len(streams), noun),
        "1 entry" if entries == 1 else f"{entries:,} entries",
        "1 polyhedron" if pieces == 1 else f"{pieces:,} polyhedra",
    )
    return ", ".join(said)
