"""How the ViolatedRanges of `pn.violated_ranges` are shown: which live ranges overlap."""

from __future__ import annotations

from polynb.show.displays.naming import variable_of
from polynb.show.html import Html, element, next_line, page, paragraph, table
from polynb.violations.vio import ViolatedRanges
from polynb.words import listed


def violated_text(found: ViolatedRanges) -> str:
    flow = (f"not respected: {w}" for w in found.flow)
    return "\n".join([str(found), *flow, f"next: {_next(found)}"])


def violated_html(found: ViolatedRanges) -> Html:
    rows = [(p.cell, str(p)) for p in found.pairs]
    flow = [(str(w),) for w in found.flow]
    return page(
        paragraph(element("b", _answer(found)), _formula(found)),
        table("Live ranges that overlap", ("cell", "witness"), rows, wrap=(1,)) if rows else "",
        table("Flow that is not respected", ("witness",), flow, wrap=(0,)) if flow else "",
        next_line(_next(found)),
    )


def _answer(found: ViolatedRanges) -> str:
    if not found:
        return "no live ranges overlap"
    return f"live ranges of {listed(found.arrays)} overlap"


def _formula(found: ViolatedRanges) -> str:
    return ", by the formulas as the paper prints them." if found.mode == "paper" else "."


def _next(found: ViolatedRanges) -> str:
    """The sets, or the whole answer."""
    return f"{variable_of(found) or '_'}.{'vio' if found else 'legal'}"
