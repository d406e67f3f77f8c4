"""How a Verdict of `pn.check` is shown: legal or not, with a witness for each reason."""

from __future__ import annotations

from typing import Final

from polynb.legality.checking import Verdict
from polynb.show.displays.conflicts import conflicts_html
from polynb.show.displays.naming import variable_of
from polynb.show.html import (
    Html,
    code,
    element,
    join,
    next_line,
    page,
    paragraph,
    table,
)

BUDGET: Final = 2_000_000


def verdict_html(verdict: Verdict) -> Html:
    return page(
        paragraph(element("b", "legal" if verdict else "illegal"), _because(verdict)),
        _conflicts(verdict),
        conflicts_html(verdict),
        _ignored(verdict),
        _next(verdict),
    )


def verdict_text(verdict: Verdict) -> str:
    return str(verdict)


def _because(verdict: Verdict) -> str:
    if not verdict:
        return ": some instances would read or leave behind other values."
    return str(verdict).removeprefix("legal")


def _conflicts(verdict: Verdict) -> str:
    if not verdict.conflicts:
        return ""
    rows = [(c.kind, code(c.array), str(c)) for c in verdict.conflicts]
    return table("Conflicts", ("kind", "array", "witness"), rows, wrap=(2,))


def _next(verdict: Verdict) -> Html:
    if verdict or verdict.asked is None:
        return join(())
    return next_line(f"{variable_of(verdict) or '_'}.repairs")


def _ignored(verdict: Verdict) -> str:
    if not verdict.ignored:
        return ""
    rows = [(v.edge.flow_name, f"{v.edge.source} → {v.edge.target}", code(v.edge.array), str(v))
            for v in verdict.ignored]  # fmt: skip
    heads = ("false dependence", "edges", "array", "witness")
    return table("Ignored", heads, rows, wrap=(3,))
