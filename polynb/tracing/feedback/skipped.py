"""Loops that carried nothing in a run that took other ways than another would: what is on those may
hand something on."""

from __future__ import annotations

from dataclasses import dataclass

from polynb.tracing.feedback.chance import Meeting
from polynb.tracing.feedback.control import varies
from polynb.tracing.feedback.known import Pruned
from polynb.tracing.feedback.loops import LoopNode, loop_keys
from polynb.tracing.model import Folding
from polynb.tracing.records import Instruction, Skipped


def not_taken(folding: Folding, node: LoopNode, known: Pruned) -> str:
    """What a loop may hand on, on a way that this run did not take, in words; "" for nothing."""
    inside = [s for s in folding.skipped if node.key in loop_keys(folding, s.instruction)]
    if not inside:
        return ""
    accesses = [i for i in node.inside if i.outputs == ("address",)]
    named = {i.name: i for i in accesses}
    owned = [named[s.same[0]] for s in inside if s.instruction.kind == "store" and s.same]
    loads = [i for i in accesses if i.kind == "load"]
    stores = [i for i in (*accesses, *owned) if i.kind == "store" or i in owned]
    look = _Ways(Meeting(folding, node.depth, known), named, loads, stores)
    for s in sorted(inside, key=lambda s: s.instruction.kind == "load"):
        if node.loop.name in s.hands or look.may_carry(s):
            i = s.instruction
            return (
                f"`{i.text}` (line {i.line}) is on a way that this run did not take; one that "
                "takes it would tell"
            )
    return ""


def not_written(folding: Folding, node: LoopNode, known: Pruned) -> str:
    """Which variable an iteration of a loop would take from another one, in words, were it not
    written, as data decide; "" for none."""
    for u in folding.unsure:
        if node.loop.name != u.loop or node.key not in loop_keys(folding, u.instruction):
            continue
        decided = [(w, _varying(folding, node, known, w.under)) for w in u.writes]
        if any(w.before and c is None for w, c in decided):
            continue
        for w, c in decided:
            if c is not None:
                i = u.instruction
                return (
                    f"`{u.variable}` is written (line {w.line}) as `{c.text}` (line {c.line}) "
                    f"says, and `{i.text}` (line {i.line}) would take it from another iteration; "
                    "only other data could tell"
                )
    return ""


def _varying(
    folding: Folding, node: LoopNode, known: Pruned, conditions: tuple[tuple[str, int], ...]
) -> Instruction | None:
    """One of these conditions that is of other values in another iteration."""
    for name, depth in conditions:
        c = folding.conditions.get(name)
        if depth > node.depth and c is not None and varies(folding, c, node.depth, known):
            return c
    return None


@dataclass(frozen=True, eq=False)
class _Ways:
    """What a loop accesses: the `stores` also on the ways that were not taken."""

    meeting: Meeting
    named: dict[str, Instruction]
    loads: list[Instruction]
    stores: list[Instruction]

    def may_carry(self, s: Skipped) -> bool:
        """Whether memory may hand something on by it."""
        same = [self.named[n] for n in s.same]
        match s.instruction.kind:
            case "store":
                return not same or any(self.meeting.may_meet(same[0], x) for x in self.loads)
            case "load" if any(i.kind == "load" for i in same):
                return False  # what it is handed, the other is
            case "load" if same:
                return any(self.meeting.may_meet(x, same[0]) for x in self.stores)
            case "load":
                return self._written(s.base)
        return s.instruction.kind == "call"

    def _written(self, base: str) -> bool:
        """Whether a variable, or what may be anywhere, is written."""
        names = {n for x in self.stores for n in self.meeting.variables(x)}
        return bool(names) and (not base or base in names or "" in names)
