"""Moves that are written as calls of Python, `interchange(i, j)`, and the lines that are meant."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import fields
from typing import Final

from polynb.errors import Edit, PolynbError, Span
from polynb.moves import MOVES, SAME, Move, Tile

CALL: Final = re.compile(r"\.?\s*(?P<calls>[A-Za-z][\w.-]*\s*\(.*\))\s*;?", re.DOTALL)
PLAIN: Final = re.compile(r"(?P<name>[A-Za-z][\w-]*)\s*\((?P<words>[^()]*)\)")
SCHEDULE: Final = re.compile(r"[\w.]*schedule\s*\(\s*[\"']?(?P<times>.*\})", re.DOTALL)
LONGEST: Final = 300
"""Characters: Python's parser is asked of no longer ones."""
DASHES: Final = re.compile(r"\w+-[\w-]*\w(?=\s*\()")


def refused_call(span: Span, names: frozenset[str]) -> PolynbError | None:
    """What is wrong with a line that is a call, or several in a chain, of moves or passes of these
    names, and the line for each; None for another line."""
    lines = _lines(span.text, names)
    if not lines:
        return None
    if SCHEDULE.fullmatch(span.text):  # it was read up to its brace
        text = span.source.text[span.end :]
        closed = len(text) - len(text.lstrip("\"') ;"))
        span = Span(span.source, span.start, span.end + closed)
    several = "the lines " * (len(lines) > 1)
    return PolynbError(
        "a move is a line, and no call",
        span=span,
        hint=several + "; ".join(f"`{line}`" for line in lines),
        fix=[Edit(span, "\n".join(lines))],
    )


def _lines(text: str, names: frozenset[str]) -> list[str]:
    """What is meant by a call, or a chain of them; nothing if it is none of these names."""
    if own := SCHEDULE.fullmatch(text):
        return [f"schedule {own['times']}"]
    if len(text) > LONGEST or (found := CALL.fullmatch(text)) is None:
        return []
    dashed = DASHES.sub(lambda m: m[0].replace("-", "_"), found["calls"])
    try:
        calls = list(_chain(ast.parse(dashed, mode="eval").body))
    except (SyntaxError, ValueError):
        plain = PLAIN.fullmatch(found["calls"])
        name = _known(plain["name"]) if plain else ""
        return [f"{name} {' '.join(plain['words'].split())}"] if plain and name in names else []
    return [*map(_line, calls)] if all(_name(c) in names for c in calls) else []


def _chain(node: ast.expr) -> Iterator[ast.Call]:
    """The calls of `interchange(i, j).parallel(j)`, in this order."""
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute):
            yield from _chain(node.func.value)
        yield node


def _name(call: ast.Call) -> str:
    func = call.func
    return _known(func.id if isinstance(func, ast.Name) else getattr(func, "attr", ""))


def _known(name: str) -> str:
    """What a move is called, `strip-mine`, of what a call of it may be: `strip_mine`."""
    dashed = SAME.get(name.lower(), name.lower().replace("_", "-"))
    return dashed if dashed in MOVES else name.lower()


def _line(call: ast.Call) -> str:
    """The line that a call means: the move's own, or else its words one after the other."""
    name = _name(call)
    given = [_value(a) for a in call.args]
    options = {k.arg: _value(k.value) for k in call.keywords if k.arg}
    if name in MOVES:
        with suppress(PolynbError, TypeError):
            return str(_move(MOVES[name], given, options))
        return MOVES[name].example
    return " ".join((name, *map(str, given), *(f"{k}={v}" for k, v in options.items())))


def _move(kind: type[Move], given: list[object], options: dict[str, object]) -> Move:
    """The move of a call: what is given without a name, beyond what may be, is its options."""
    if kind is Tile:
        flat = [x for g in given for x in (g if isinstance(g, tuple) else (g,))]
        sizes = tuple(x for x in flat if isinstance(x, int))
        by = {"by": sizes} if sizes else {}
        return Tile.of(*(x for x in flat if not isinstance(x, int)), **by, **options)  # type: ignore[arg-type]
    names = [f.name for f in sorted(fields(kind), key=lambda f: f.kw_only is True)]
    return kind(**dict(zip(names, given, strict=False)), **options)


def _value(node: ast.expr) -> object:
    """A name stands for itself, `S.i` too; numbers and lists are what they are."""
    if isinstance(node, ast.List | ast.Tuple):
        return tuple(map(_value, node.elts))
    with suppress(ValueError, TypeError):
        return ast.literal_eval(node)
    return ast.unparse(node)
