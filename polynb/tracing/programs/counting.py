"""Which stores to variables count: those of a loop's head, and `k++` in every iteration.

clang's debug information says at which token of the text a store stands. A variable that is written
by such a store alone has values that are known from the iterators, whatever the data are.
"""

from __future__ import annotations

from collections.abc import Sequence

from polynb.tracing.programs.assigned import assignments
from polynb.tracing.programs.leaving import decided_by
from polynb.tracing.programs.tokens import OWNERS, Tokens, closed, span, statement, words_at

DECIDING = frozenset(("if", "switch"))
CHOOSING = frozenset(("?", "&&", "||"))
JUMPING = frozenset(("continue", "goto"))


def counts(lines: Sequence[str], line: int, column: int) -> bool:
    """Whether the assignment at a place counts a loop, begins one, or adds a number in every
    iteration."""
    tokens, places = words_at(tuple(lines))
    ks: Sequence[int] = places.get((line, column), range(0))
    if len(ks) > 1:  # a macro stands there
        found = assignments(tokens, ks[0], ks[-1] + 1)
        ks = [a.at for a in found if a.how not in ("&", ".")]
    return bool(ks) and all(_counts(lines, tokens, k) for k in ks)


def _counts(lines: Sequence[str], tokens: Tokens, k: int) -> bool:
    """The same of a token."""
    if (head := head_around(tokens, k)) is not None:
        which = sum(t in OWNERS[:3] for t, at in tokens[:head] if at == tokens[head][1])
        return not decided_by(lines, tokens[head][1], which)
    return _steps(tokens, k) and _always(tokens, k)


def head_around(tokens: Tokens, k: int) -> int | None:
    """The `for` in whose head a token stands."""
    near = range(k, max(-1, k - 200), -1)
    return next((j for j in near if tokens[j][0] == "for" and k < closed(tokens, j + 1)), None)


def _steps(tokens: Tokens, k: int) -> bool:
    """Whether a number that stands there is added to a variable: `k++`, `k += 2`, `k = k + 2`."""
    found = next(assignments(tokens, k, k + 1), None)
    after = [t for t, _ in tokens[k + 1 : k + 5]]
    if found is None or not found.name:
        return False
    if found.how in ("++", "--"):
        return True
    if found.how == "=" and after[:1] == [found.name] and after[1:2] in (["+"], ["-"]):
        return after[2][0].isdigit() and after[3] == ";"
    return found.how in ("+=", "-=") and after[0][0].isdigit() and after[1] in (";", ")", ",")


def _always(tokens: Tokens, k: int) -> bool:
    """Whether what stands at a token runs in every iteration of the loops around it."""
    first, last = span(tokens, k)
    if any(t in CHOOSING for t, at in tokens if first <= at <= last):
        return False
    depth = 0
    for j in range(k - 1, -1, -1):
        word = tokens[j][0]
        depth += (word == "}") - (word == "{")
        if word in DECIDING and statement(tokens, j) > k:
            return False
        end = statement(tokens, j) if word in OWNERS[:3] else 0
        if end > k and any(t in JUMPING for t, _ in tokens[j:end]):
            return False
    return True
