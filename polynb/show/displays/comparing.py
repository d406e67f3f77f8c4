"""What each paper makes of one program, side by side."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from polynb.derivation import Derivation, Pass, as_scop
from polynb.errors import PolynbError
from polynb.evaluation.bands import permutable_loops
from polynb.scop.model import Scop
from polynb.show.displays.registry import applicable
from polynb.show.words import questions
from polynb.tuning.tables import Table

Run = Callable[[Pass[..., Any, Any], Scop], Derivation[Any, Any]]
HEAD: Final = ("paper", "pass", "what it says", "statements", "temporaries", "permutable loops")
NOTES: Final = (
    "permutable loops: of the widest band of loops that can be interchanged and tiled, in the "
    "result or as the scheduler orders it where live ranges may not change places",
)


def comparison(program: Scop | Derivation[Any, Any], run: Run) -> Table:
    """A row for the program itself, and one for what each pass of a paper makes of it.

    `run` runs a pass (and says how far it is). A pass that fails has its error in the row.
    """
    scop = as_scop(program)
    rows: list[tuple[Any, ...]] = [_row("", "", "the program itself", scop, permutable_loops(scop))]
    for name, known in applicable().items():
        paper = known.info.paper
        if not paper:
            continue
        try:
            found = run(known.info.run, scop)
        except PolynbError as error:
            rows.append((paper, name, error.message, "", "", ""))
            continue
        result = as_scop(found)
        says = known.view.report.verdict(found)
        rows.append(_row(paper, name, says, result, permutable_loops(result)))
    return Table(HEAD, rows, left=HEAD[:3], notes=(*questions(program), *NOTES), caption=scop.name)


def _row(
    paper: str, name: str, says: str, scop: Scop, band: int
) -> tuple[str, str, str, int, int, int]:
    return paper, name, says, len(scop.statements), len(scop.temporaries), band
