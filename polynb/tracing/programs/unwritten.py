"""What the iterations of a loop would take from each other where data do not let them write it."""

from __future__ import annotations

from collections.abc import Sequence

from polynb.tracing.programs.assigned import Tokens, assignments
from polynb.tracing.programs.certain import unsure_reads
from polynb.tracing.programs.deciding import changed_in, deciding
from polynb.tracing.programs.keeping import is_private, of_iterations
from polynb.tracing.programs.leaving import OWNERS, loop_at, statement, words_at


def not_written(lines: Sequence[str], line: int, which: int) -> str:
    """Which variable of the `which`-th loop of a line that is, in words; "" for none."""
    text = tuple(lines)
    tokens, _ = words_at(text)
    if (head := loop_at(text, line, which)) is None:
        return ""
    end = statement(tokens, head)
    writes: dict[str, list[int]] = {}
    for a in assignments(tokens, of_iterations(tokens, head), end):
        if a.name and a.how not in ("&", ".") and not is_private(tokens, head, end, a):
            writes.setdefault(a.name, []).append(a.at)
    changed = changed_in(tokens, head, end) if writes else frozenset[str]()
    for name, places in writes.items():
        for read in unsure_reads(tokens, head, name):
            for at in places:
                if not _comes_before(tokens, head, at, read):
                    continue
                asked = (c for c in deciding(text, at) if c.at > head)
                if found := next((c for c in asked if c.finds or c.names & changed), None):
                    return (
                        f"`{name}` is written (line {tokens[at][1]}) as `{found.text}` says, and "
                        f"line {tokens[read][1]} would take it from another iteration"
                    )
    return ""


def _comes_before(tokens: Tokens, head: int, at: int, read: int) -> bool:
    """Whether what stands at a token may run before another in one iteration: also in an earlier
    one of a loop within."""
    low, high = min(at, read), max(at, read)
    return at < read or any(
        tokens[j][0] in OWNERS[:3] and statement(tokens, j) > high for j in range(head + 1, low)
    )
