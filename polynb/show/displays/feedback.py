"""How feedback on a traced program is shown: what may be done to which nest, and its lines in the
source, each with a colour and a mark of its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from polynb.show.displays.display import Display
from polynb.show.displays.naming import variable_of
from polynb.show.displays.tables import table_html
from polynb.show.html import (
    SHADE,
    Html,
    details,
    element,
    join,
    paragraph,
    program,
)
from polynb.tracing.feedback.reports import Feedback, LineReport, NestReport

PARALLEL: Final = ("∥", "parallel: the loop carried no flow dependence", "rgba(0,158,115,0.22)")
TILABLE: Final = ("▦", "tilable: of a permutable band", "rgba(0,114,178,0.20)")
BLOCKED: Final = ("×", "not parallel: it carries a flow dependence", "rgba(213,94,0,0.22)")
NOT_KNOWN: Final = ("?", "not known to be parallel", "rgba(240,228,66,0.30)")
UNIT: Final = (
    "→",
    "stride 1: an access moves by one element along a loop",
    "rgba(204,121,167,0.22)",
)
MARKS: Final = (PARALLEL, BLOCKED, NOT_KNOWN, TILABLE, UNIT)
LINES: Final = 400  # of a source that is shown
MARGIN: Final = 23  # characters before each: marks, number, operations


def display(feedback: Feedback) -> Display:
    """What may be done, the source with its marks, the nests; next: the suggestions, the first of
    which is the most far-reaching."""
    shown = feedback.table()
    suggested = [f"{k}. {s}" for k, s in enumerate(feedback.suggestions, 1)]
    head = f"{len(feedback.nests)} loop nest{'s' * (len(feedback.nests) != 1)}"
    notes = [n for n in shown.notes if n not in {str(s) for s in feedback.suggestions}]
    parts = (
        paragraph(element("b", f"{head}: {_said(feedback)}.")),
        *(paragraph(s) for s in suggested),
        *_sources(feedback),
        details("each loop, with its verdict", table_html(replace(shown, notes=()))),
        *(paragraph(n, muted=True) for n in notes if n),
    )
    suggestions = f"print(*{variable_of(feedback) or '_'}.suggestions, sep='\\n')"
    return Display(str(feedback), parts, (suggestions,))


def _said(feedback: Feedback) -> str:
    """Table 5's letters in words."""
    if feedback.optim == "-":
        return "nothing that may be transformed was found"
    words = {"T": "can be tiled in", "P": "a loop is parallel", "V": "one may be vectorised"}
    parts = [
        f"{words['T']} {p[2:].removesuffix('D')} dimension{'s' * (p[2:] != '1D')}"
        if p.startswith("T ")
        else words[p]
        for p in feedback.optim.split(", ")
    ]
    return f"{', '.join(parts)} ({feedback.optim})"


# -- the source --------------------------------------------------------------------------


def _sources(feedback: Feedback) -> Iterator[Html]:
    """Each text with its lines marked, and what the marks mean."""
    shown = False
    for file, source in feedback.sources.items():
        reports = {r.line: r for r in feedback.lines if r.file == file}
        if not reports:
            continue
        lines, shades = [], []
        for k, line in enumerate(source.text.splitlines()[:LINES], 1):
            marks = marks_of(k, reports.get(k), feedback, file)
            sign = "".join(m[0] for m in marks)
            count = f"{reports[k].executed:,}" if k in reports and reports[k].executed else ""
            lines.append(f"{f'{sign:<3} {k:>4} {count:>12}':<{MARGIN}}{line}")
            shades.append(f"background-color:{marks[0][2]}" if marks else "")
        yield program(lines, shades, MARGIN)
        shown = True
    if shown:
        yield paragraph(join([_legend(m) for m in MARKS], "; "), ". The number is that of the ",
                        "operations a line executed.", muted=True)  # fmt: skip


def marks_of(
    line: int, report: LineReport | None, feedback: Feedback, file: str
) -> list[tuple[str, str, str]]:
    """The marks of a line, the one that gives it its colour first."""
    if report is None:
        return []
    found = []
    if report.verdict == "parallel":
        found.append(PARALLEL)
    elif report.verdict:
        found.append(NOT_KNOWN if report.verdict.startswith("not known") else BLOCKED)
    if any(_tilable(n, line, file) for n in feedback.nests):
        found.append(TILABLE)
    if not report.verdict and any(_is_unit(s) for s in report.strides):
        found.append(UNIT)
    return found


def _tilable(nest: NestReport, line: int, file: str) -> bool:
    first, last = nest.widest
    band = nest.loops[first : last + 1] if last > first else ()
    return any(x.loop.line == line and x.loop.file == file for x in band)


def _is_unit(strides: str) -> bool:
    """Whether `conn[k][j]: 1 along cj, irregular along ck` has a stride of one."""
    parts = strides.rpartition(": ")[2].split(", ")
    return any(p.startswith(("1 along", "-1 along")) for p in parts)


def _legend(mark: tuple[str, str, str]) -> Html:
    sign, means, colour = mark
    return join(
        [element("span", f" {sign} ", style=f"background-color:{colour or SHADE}"), f" {means}"]
    )
