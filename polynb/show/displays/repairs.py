"""How the Repairs of a Verdict are shown: what each changes, and what it takes of memory."""

from __future__ import annotations

from polynb.show.displays.naming import variable_of
from polynb.show.html import Html, next_line, page, paragraph, table
from polynb.violations.repair import Repairs


def repairs_text(found: Repairs) -> str:
    return "\n".join([str(found), *(f"next: {line}" for line in _next(found))])


def repairs_html(found: Repairs) -> Html:
    rows = [(str(k), r.change, r.cost) for k, r in enumerate(found)]
    refused = list(found.refused.items())
    return page(
        table("Repairs", ("", "what changes", "memory"), rows, wrap=(1, 2)) if rows else "",
        table("Not expanded", ("array", "why"), refused, wrap=(1,)) if refused else "",
        "" if rows or refused else paragraph(str(found)),
        *(next_line(line) for line in _next(found)),
    )


def _next(found: Repairs) -> tuple[str, ...]:
    return (f"fixed = {variable_of(found) or '_'}[0].apply()",) if found else ()
