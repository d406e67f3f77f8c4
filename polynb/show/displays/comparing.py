"""What each paper makes of one program, side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from polynb.derivation import Derivation, Pass, as_scop
from polynb.errors import PolynbError
from polynb.evaluation.bands import permutable_loops
from polynb.scop.model import Scop
from polynb.show.displays.registry import applicable
from polynb.show.words import questions
from polynb.tuning.tables import Table

Run = Callable[[Pass[..., Any, Any], Scop], Derivation[Any, Any]]
Times = Callable[[Mapping[str, Scop]], Mapping[str, str]]
HEAD: Final = ("paper", "pass", "what it says", "statements", "temporaries", "permutable loops")
SPEED: Final = "times as fast"
WRITTEN: Final = "as written"
"""The program itself, among what passes, which have names as programs have, make of it."""
NOTES: Final = (
    "permutable loops: of the widest band of loops that can be interchanged and tiled, in the "
    "result or as the scheduler orders it where live ranges may not change places",
)


def comparison(program: Scop | Derivation[Any, Any], run: Run, times: Times | None = None) -> Table:
    """A row for the program itself, and one for what each pass of a paper makes of it.

    `run` runs a pass (and says how far it is). A pass that fails has its error in the row. `times`
    tells of programs, the first of which is the one as it is, how many times as fast each one is.
    """
    scop = as_scop(program)
    rows: list[tuple[object, ...]] = [("", "", "the program itself", *_counts(scop))]
    results: dict[str, Scop] = {}
    for name, known in applicable().items():
        paper = known.info.paper
        if not paper:
            continue
        try:
            found = run(known.info.run, scop)
        except PolynbError as error:
            rows.append((paper, name, error.message, "", "", ""))
            continue
        results[name] = as_scop(found)
        rows.append((paper, name, known.view.report.verdict(found), *_counts(results[name])))
    head: tuple[str, ...] = HEAD
    if times is not None:
        changed = {name: made for name, made in results.items() if made is not scop}
        speeds = {"": "1", **times({WRITTEN: scop, **changed})}
        head, rows = (*HEAD, SPEED), [(*row, speeds.get(str(row[1]), "")) for row in rows]
    return Table(head, rows, left=HEAD[:3], notes=(*questions(program), *NOTES), caption=scop.name)


def _counts(scop: Scop) -> tuple[int, int, int]:
    return len(scop.statements), len(scop.temporaries), permutable_loops(scop)
