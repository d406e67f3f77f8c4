"""Loops that go by steps of one length which is no number: `for (i = d; i < n; i += 2 * d)`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from polynb.tracing.programs.assigned import Assigned, assignments, lent_out
from polynb.tracing.programs.leaving import decided_by
from polynb.tracing.programs.texts import function_at, own_names
from polynb.tracing.programs.tokens import closed, loop_at, statement, words_at
from polynb.tracing.programs.typed import is_real

SUM: Final = re.compile(r"(?:\w+|[-+*()])(?: (?:\w+|[-+*()]))*")


def stepped_by(lines: Sequence[str], line: int, which: int = 0) -> str:
    """The variable that the `which`-th loop of a line steps, where what is added to it is made of
    numbers and the function's own variables, which nothing in the loop changes; "" for none."""
    text = tuple(lines)
    tokens, _ = words_at(text)
    head = loop_at(text, line, which)
    if head is None or tokens[head][0] != "for" or decided_by(lines, line, which):
        return ""
    body, end = closed(tokens, head + 1), statement(tokens, head)
    parts = [k for k in range(head + 2, body) if tokens[k][0] == ";"]
    found = [*assignments(tokens, parts[1] + 1, body)] if len(parts) == 2 else []
    if len(found) != 1:
        return ""
    (step,), added = found, _added([t for t, _ in tokens[found[0].at + 1 : body - 1]], found[0])
    names = {word for word in added if word.isidentifier()}
    if not names or not SUM.fullmatch(" ".join(added)) or step.name in names:
        return ""
    first, last = function_at(text, line)
    changed = {
        a.name for a in assignments(tokens, parts[0] + 1, end) if a is not step and a.at != step.at
    }
    fixed = own_names(tokens, first, last) - lent_out(tokens, first, last) - changed
    real = any(is_real(text, line, name) for name in (*names, step.name))
    return step.name if {*names, step.name} <= fixed and not real else ""


def _added(right: list[str], step: Assigned) -> list[str]:
    """What is added to a variable, or taken from it; nothing where it is given another value."""
    if step.how in ("+=", "-="):
        return right
    again = step.how == "=" and right[:1] == [step.name] and right[1:2] in (["+"], ["-"])
    return right[2:] if again else []
