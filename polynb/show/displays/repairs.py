"""How the live ranges that an order makes overlap are shown, the ViolatedRanges of
`pn.violated_ranges`; and what would mend it, the Repairs of a Verdict, and what memory that takes.
"""

from __future__ import annotations

from polynb.show.displays.naming import variable_of
from polynb.show.html import Html, element, next_line, page, paragraph, table
from polynb.violations.repair import Repairs
from polynb.violations.vio import ViolatedRanges
from polynb.words import listed


def repairs_text(found: Repairs) -> str:
    return "\n".join([str(found), *(f"next: {line}" for line in _ways(found))])


def repairs_html(found: Repairs) -> Html:
    rows = [(str(k), r.change, r.cost) for k, r in enumerate(found)]
    refused = list(found.refused.items())
    return page(
        table("Repairs", ("", "what changes", "memory"), rows, wrap=(1, 2)) if rows else "",
        table("Not expanded", ("array", "why"), refused, wrap=(1,)) if refused else "",
        "" if rows or refused else paragraph(str(found)),
        *(next_line(line) for line in _ways(found)),
    )


def _ways(found: Repairs) -> tuple[str, ...]:
    return (f"fixed = {variable_of(found) or '_'}[0].apply()",) if found else ()


def violated_text(found: ViolatedRanges) -> str:
    flow = (f"not respected: {w}" for w in found.flow)
    return "\n".join([str(found), *flow, f"next: {_sets(found)}"])


def violated_html(found: ViolatedRanges) -> Html:
    rows = [(p.cell, str(p)) for p in found.pairs]
    flow = [(str(w),) for w in found.flow]
    return page(
        paragraph(element("b", _answer(found)), _formula(found)),
        table("Live ranges that overlap", ("cell", "witness"), rows, wrap=(1,)) if rows else "",
        table("Flow that is not respected", ("witness",), flow, wrap=(0,)) if flow else "",
        next_line(_sets(found)),
    )


def _answer(found: ViolatedRanges) -> str:
    if not found:
        return "no live ranges overlap"
    return f"live ranges of {listed(found.arrays)} overlap"


def _formula(found: ViolatedRanges) -> str:
    return ", by the formulas as the paper prints them." if found.mode == "paper" else "."


def _sets(found: ViolatedRanges) -> str:
    """The sets, or the whole answer."""
    return f"{variable_of(found) or '_'}.{'vio' if found else 'legal'}"
