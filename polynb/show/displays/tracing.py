"""How a traced program is shown: its run, its loops by what they executed, its streams folded."""

from __future__ import annotations

from typing import Any, Final

from polynb.folding import Folded
from polynb.run.timing import seconds
from polynb.show.displays.naming import variable_of
from polynb.show.displays.tables import table_html
from polynb.show.draw.flame import flame_graph
from polynb.show.html import (
    Html,
    details,
    element,
    image,
    next_line,
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


def folded_text(folded: Folded) -> str:
    return f"{folded}\nnext: {_next_of_folded(folded)}"


def folded_html(folded: Folded) -> Html:
    shown = folded.table()
    known = f"{100 * folded.affine:.0f} % of {folded.entries:,} entries in affine pieces"
    live = f"at most {folded.most_live} polyhedra at a time"
    return page(
        table_html(shown),
        paragraph(f"{known}; {live}.", muted=True),
        next_line(_next_of_folded(folded)),
    )


def _next_of_folded(folded: Folded) -> str:
    """Its steps, where it was kept; else its relation."""
    name = variable_of(folded)
    if folded.stream_entries is None or len(folded.stream.dimensions) > 3:
        return f"{name or '_'}.relation"
    return f"%step {name}" if name else "_.step()"


def folding_text(folding: Folding) -> str:
    return f"{folding}\n{ONE_RUN}\nnext: {_next_of_folding(folding)}"


def folding_html(folding: Folding) -> Html:
    picture = flame_graph(folding)
    return page(
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
        next_line(_next_of_folding(folding)),
    )


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


def _next_of_folding(folding: Folding) -> str:
    return f"{variable_of(folding) or '_'}.feedback()"
