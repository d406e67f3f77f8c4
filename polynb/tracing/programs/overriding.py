"""Methods of one name, of which what an object is says which one is called."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence

from polynb.tracing.programs.mentions import mentions
from polynb.tracing.programs.seen import SeenAt
from polynb.tracing.programs.texts import FunctionText, every_function
from polynb.tracing.programs.tokens import words_at
from polynb.tracing.programs.ways import LoopText, changes, locals_of


def overridden(
    loop: LoopText, seen: Mapping[str, Sequence[SeenAt]], variables: Container[str]
) -> str:
    """Which method that a loop calls may be another one, which did not run, and reads or writes
    more than its own variables, in words. `seen` is what was accessed in each function."""
    for name in sorted(set(_methods(loop))) if not loop.plain else ():
        bodies = list(_of_name(loop, name))
        for body in bodies if len(bodies) > 1 else ():
            lines = words_at(body.text)[0][body.first][1], words_at(body.text)[0][body.end - 1][1]
            ran = any(
                lines[0] <= at <= lines[1]
                for way in seen.get(name, ())
                for at in (*way.stores, *way.loads)
            )
            if not ran and _does_more(loop, body, variables):
                other = f"another {name} (line {lines[0]})"
                return f"{other} is called, perhaps, on a way that this run did not take"
    return ""


def _methods(loop: LoopText) -> Iterator[str]:
    for _, text, first, end in loop.parts:
        tokens, _ = words_at(text)
        for k in range(first + 1, end - 1):
            member = tokens[k - 1][0] in (".", "->")
            if member and tokens[k][0].isidentifier() and tokens[k + 1][0] == "(":
                yield tokens[k][0]


def _of_name(loop: LoopText, name: str) -> Iterator[FunctionText]:
    for text in loop.texts.texts:
        for found, first, end in every_function(text):
            if found == name:
                yield FunctionText(name, text, first, end)


def _does_more(loop: LoopText, body: FunctionText, variables: Container[str]) -> bool:
    tokens, mine = words_at(body.text)[0], locals_of(body)
    reads = any(m.name in variables for m in mentions(tokens, body.first, body.end, mine))
    return reads or changes(loop.texts, body, variables, frozenset())
