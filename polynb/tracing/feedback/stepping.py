"""Counters that begin anywhere: `for (i = row[r]; i < row[r + 1]; i++)`, `j += width`.

Their values are no affine functions of all iterators, as data say where they begin, or how far they
go. But within their own loop they are known: what they began with, and so many steps.

What goes on from itself in another way than by steps may have affine values, too: two of `x = 5 * x
+ 3`, or `len += sprintf(to + len, "%d", i)` as long as the numbers have one digit. These the
iterators do not give.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from polynb.graphs import strongly_connected
from polynb.tracing.feedback.accumulating import CALLED
from polynb.tracing.feedback.cells import in_one_cell
from polynb.tracing.feedback.loops import common_loops
from polynb.tracing.library import library_call
from polynb.tracing.model import Folding
from polynb.tracing.records import Instruction

STEP: Final = re.compile(
    r"(?:\+\+|--)\w+|\w+(?:\+\+|--)|(?P<a>\w+)\s*[-+]=\s*(?P<b>[^?]+)"
    r"|(?P<c>\w+)\s*=\s*(?P=c)\s*[-+]\s*(?P<d>[^?+-]+)"
)


TIMES: Final = re.compile(
    r"(?P<a>\w+)\s*(?:[*/]|<<|>>)=\s*(?P<b>\w+)|(?P<c>\w+)\s*\+=\s*(?P=c)"
    r"|(?P<d>\w+)\s*=\s*(?:(?P=d)\s*(?:[*/]|<<|>>)\s*(?P<e>\w+)|(?P=d)\s*\+\s*(?P=d)"
    r"|(?P<f>\w+)\s*\*\s*(?P=d))"
)


def counters(folding: Folding) -> list[Instruction]:
    """The instructions that add what their innermost loop does not change to what they made in its
    iteration before; what begins that is made outside of it."""
    return _going_on(folding, _adds)


def multiples(folding: Folding) -> list[tuple[Instruction, int]]:
    """The same of those that multiply (or divide, or shift) by it, where a `for` counts by that,
    and asks for it: `for (w = 1; w < n; w *= 2)`. Each with how many loops it is known within.
    (What else does so is a generator of numbers.) And of those that step by what is no number,
    where values alone do not show it."""
    iterators = {loop.name: loop.iterator for loop in folding.loops}
    steps = {loop.name: loop.stepped or _by_number(loop.counted) for loop in folding.loops}
    asked = {
        (source, folding.conditions[c].loops[-1])
        for source, c in folding.control
        if folding.conditions[c].loops[-1:] == folding.conditions[c].leaves != ()
    }
    found: list[tuple[Instruction, list[Instruction]]] = [
        (i, [])
        for i in _going_on(folding, lambda text: bool(_multiplied(text)))
        if (i.name, i.loops[-1]) in asked and _multiplied(i.text) == iterators.get(i.loops[-1])
    ]
    heads = (i for i in folding.instructions.values() if i.counts and i.loops[-1:])
    heads = (i for i in heads if i.variable == steps.get(i.loops[-1]))
    found += ((i, reads) for i in heads if (reads := _reads_of(folding, i)))
    return [(x, len(i.loops)) for i, reads in found for x in (i, *reads)]


def _reads_of(folding: Folding, i: Instruction) -> list[Instruction]:
    """What reads a counter, where that takes nothing else that is made in the loop; if anything
    does, none."""
    names = {b for a, b in folding.dependences if a == i.name}
    made = (folding.instructions[a] for a, b in folding.dependences if b in names and a != i.name)
    apart = all(common_loops(folding, x, i) < len(i.loops) for x in made)
    return [folding.instructions[n] for n in sorted(names)] if apart else []


def _going_on(folding: Folding, how: Callable[[str], bool]) -> list[Instruction]:
    into: dict[str, list[str]] = {}
    for source, target in folding.dependences:
        into.setdefault(target, []).append(source)
    return [
        i
        for i in folding.instructions.values()
        if i.kind == "integer" and i.loops and i.outputs == ("value",) and how(i.text)
        if _from_before(folding, i)
        if all(n == i.name or _unchanged(folding, n, i, into) for n in into[i.name])
    ]


def _multiplied(text: str) -> str:
    """The variable that a text multiplies by another one or by a number; "" for none."""
    found = TIMES.fullmatch(text.strip())
    if found is None:
        return ""
    name = found["a"] or found["c"] or found["d"]
    return "" if name in (found["b"], found["e"], found["f"]) else str(name)


def _by_number(text: str) -> str | None:
    """The same by a number alone; None for none."""
    others = set(re.findall(r"[a-zA-Z_]\w*", text)) - {_multiplied(text)}
    return None if others else _multiplied(text) or None


def _adds(text: str) -> bool:
    found = STEP.fullmatch(text.strip())
    if found is None:
        return False
    name, rest = found["a"] or found["c"], found["b"] or found["d"]
    return name is None or not re.search(rf"\b{name}\b|…", rest)


def _from_before(folding: Folding, i: Instruction) -> bool:
    """Whether it goes on from its own iteration before, wherever it goes on from itself."""
    flow = folding.dependences.get((i.name, i.name))
    return flow is not None and all(
        piece.is_affine and [v[k] - label(v) for k, label in enumerate(piece.labels)] == steps
        for piece in flow.pieces
        for v in piece.vertices
        for steps in [[0] * (len(v) - 1) + [1]]
    )


def _unchanged(folding: Folding, name: str, i: Instruction, into: dict[str, list[str]]) -> bool:
    """Whether what an instruction gives is the same in all iterations of the innermost loop around
    another: made outside, or a cell that nothing in it writes."""
    source, depth = folding.instructions[name], len(i.loops)
    if common_loops(folding, source, i) < depth:
        return True
    address = source.outputs == ("address",) and in_one_cell(folding.executed[name], depth - 1)
    if source.kind != "load" or not address:
        return False
    made = (folding.instructions[n] for n in into.get(name, ()))
    return all(common_loops(folding, x, i) < depth for x in made)


SUM: Final = re.compile(r"(?:[\w\s.()\[\]=+]|->|--|-=|-(?=\s*\d))*")


def unstepped(folding: Folding, found: Iterable[str], steps: Iterable[str]) -> Iterator[str]:
    """Those of some instructions that go on from themselves, perhaps by way of others, and not by
    `steps`, nor by sums of one of their values and numbers."""
    names, known = {*found}, {*steps}
    arcs = [pair for pair in folding.dependences if pair[0] in names and pair[1] in names]
    for group in strongly_connected(sorted(names), arcs):
        inside = {*group}
        goes_on = len(inside) > 1 or (group[0], group[0]) in folding.dependences
        if goes_on and not any(folding.instructions[n].counts for n in inside):
            yield from (n for n in inside - known if not _sums(folding, n, inside))


def _sums(folding: Folding, name: str, inside: set[str]) -> bool:
    """Whether an instruction adds numbers to one of the values that are made `inside`, once."""
    operands: set[object] = set()
    for pair in folding.dependences:
        if pair[1] == name and pair[0] in inside:
            operands |= folding.operands.get(pair, frozenset({pair[0]}))
    text = folding.instructions[name].text
    called = any(library_call(c) is not None for c in CALLED.findall(text))
    return len(operands) == 1 and SUM.fullmatch(text) is not None and not called
