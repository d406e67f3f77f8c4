"""Conditions in the feedback: what flows into them orders iterations, and so do early ends.

A value of an earlier iteration that decides what a later one does is a flow dependence like one
that is computed with. A loop that goes on, or not, by what its iterations compute or read cannot
run them in another order, nor at the same time: whether a later one runs is only known after it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from polynb.tracing.feedback.cells import in_one_cell
from polynb.tracing.feedback.known import Pruned
from polynb.tracing.feedback.loops import LoopKey, common_loops, loop_keys
from polynb.tracing.model import Folding
from polynb.tracing.records import Instruction


def with_conditions(folding: Folding) -> Folding:
    """The same, with conditions as instructions, and what flows into them as dependences."""
    return replace(
        folding,
        instructions={**folding.instructions, **folding.conditions},
        executed={**folding.executed, **folding.tested},
        dependences={**folding.dependences, **folding.control},
    )


def endings(folding: Folding, known: Pruned) -> Mapping[LoopKey, Instruction]:
    """The loops that end early, or go on, by a condition on other values than the iterators', with
    the first such condition. `known` has the induction variables."""
    found: dict[LoopKey, Instruction] = {}
    for c in folding.conditions.values():
        keys = loop_keys(folding, c)
        for q, name in enumerate(c.loops):
            if name in c.leaves and varies(folding, c, q, known):
                found.setdefault(keys[q], c)
    return found


def begun_anywhere(folding: Folding, known: Pruned) -> set[LoopKey]:
    """The loops whose counters begin where data say, or go as far: no other order is known to have
    the same iterations."""
    found = set[LoopKey]()
    for source, asked in folding.control:
        variable, c = known.variables.get(source), folding.conditions[asked]
        if variable is not None and variable.within and c.loops[variable.within - 1] in c.leaves:
            found.add(loop_keys(folding, c)[variable.within - 1])
    return found


def varies(
    folding: Folding, c: Instruction, q: int, known: Pruned, seen: frozenset[str] = frozenset()
) -> bool:
    """Whether a condition asks for what iterations of loop q compute or read anew. (`seen` are
    those that it hangs on, and that are looked at already.)"""
    if c.name in seen:
        return False
    seen |= {c.name}
    inside = _inside(folding.control, folding, c, q)
    return not all(stays(folding, s, c, q, known, seen) for s in inside)


def stays(
    folding: Folding,
    i: Instruction,
    by: Instruction,
    q: int,
    known: Pruned,
    seen: frozenset[str] = frozenset(),
) -> bool:
    """Whether what `by` takes is of the iterators, or one cell's in all iterations of loop q, which
    none of them writes."""
    if known.knows(i.name, q):
        asked = [folding.conditions[n] for n, d in i.under if d > q and n in folding.conditions]
        chosen = (i.name, by.name) in known.chosen
        return not chosen and not any(varies(folding, c, q, known, seen) for c in asked)
    address = i.outputs == ("address",) and in_one_cell(folding.executed[i.name], q)
    if i.kind != "load" or not address:
        return False
    made = _inside(folding.dependences, folding, i, q)
    return all(stays(folding, s, i, q, known, seen) for s in made)


def _inside(
    dependences: Mapping[tuple[str, str], object], folding: Folding, i: Instruction, q: int
) -> Iterator[Instruction]:
    """The instructions in loop q whose values an instruction takes."""
    for source, target in dependences:
        producer = folding.instructions[source]
        if target == i.name and common_loops(folding, producer, i) > q:
            yield producer
