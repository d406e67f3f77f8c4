"""How the live ranges that an order makes overlap are shown, the ViolatedRanges of
`pn.violated_ranges`; and what would mend it, the Repairs of a Verdict, and what memory that takes.
"""

from __future__ import annotations

from polynb.show.displays.display import Display
from polynb.show.displays.naming import variable_of
from polynb.show.html import element, paragraph, table
from polynb.violations.repair import Repairs
from polynb.violations.vio import ViolatedRanges
from polynb.words import listed


def repairs(them: Repairs) -> Display:
    """What would mend an order, each with its memory, then what cannot; next: the first one."""
    rows = [(str(k), r.change, r.cost) for k, r in enumerate(them)]
    refused = list(them.refused.items())
    parts = (
        table("Repairs", ("", "what changes", "memory"), rows, wrap=(1, 2)) if rows else "",
        table("Not expanded", ("array", "why"), refused, wrap=(1,)) if refused else "",
        "" if rows or refused else paragraph(str(them)),
    )
    name = variable_of(them) or "_"
    return Display(str(them), parts, (f"fixed = {name}[0].apply()",) if them else ())


def violated(ranges: ViolatedRanges) -> Display:
    """The pairs that overlap, and what does not flow; next: the sets, or the whole answer."""
    rows = [(p.cell, str(p)) for p in ranges.pairs]
    flow = [(str(w),) for w in ranges.flow]
    answer = f"live ranges of {listed(ranges.arrays)}" if ranges else "no live ranges"
    printed = ", by the formulas as the paper prints them" * (ranges.mode == "paper")
    parts = (
        paragraph(element("b", f"{answer} overlap"), f"{printed}."),
        table("Live ranges that overlap", ("cell", "witness"), rows, wrap=(1,)) if rows else "",
        table("Flow that is not respected", ("witness",), flow, wrap=(0,)) if flow else "",
    )
    text = "\n".join([str(ranges), *(f"not respected: {w}" for (w,) in flow)])
    name = variable_of(ranges) or "_"
    return Display(text, parts, (f"{name}.{'vio' if ranges else 'legal'}",))
