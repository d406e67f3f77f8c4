"""Predict a refusal and name the witness: the student's instances are replayed, not compared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Final

from polynb import isl
from polynb.labs.findings import Finding, Outcome
from polynb.labs.tasks.claims import Claim, claim
from polynb.labs.tasks.replaying import Cell, Replay, cell_said
from polynb.legality.checking import new_times
from polynb.scop import Scop, parse
from polynb.scop.witness import Instance, Witness

LEGAL: Final = "legal"
ROLES: Final = {
    "flow": ("write", "read"),
    "live range": ("write", "read", "other"),
    "live-in": ("read", "other"),
    "live-out": ("write", "other"),
    "propagation": ("source", "other", "target"),
}


@dataclass(frozen=True)
class RefusalTask:
    """Whether an order (or, of the kind "propagation", to compute a value where it is needed) is
    refused, and if it is, instances that show why, in their roles.

    `kind` is what goes wrong, None if nothing does: then the answer is "legal". The first quarter
    of the points is for the prediction, the rest for the claims that hold.
    """

    program: str
    kind: str | None = None
    schedule: str = ""
    asked: str = "live range"
    """The kind whose roles the student is asked for, also where the answer is "legal"."""
    storage: str = ""
    """`{ t[x] -> M[y] }`: the memory that arrays are to live in, if it is that that is refused."""

    @cached_property
    def scop(self) -> Scop:
        return parse(self.program)

    @property
    def roles(self) -> tuple[str, ...]:
        return ROLES[self.kind or self.asked]

    @property
    def form(self) -> str:
        name = self.scop.statements[0].name
        instances = ", ".join(f"{role} {name}(...)" for role in self.roles)
        sizes = "".join(f", {p} = ..." for p in self.scop.parameters)
        return f'"{LEGAL}", or the witness: "{instances}{sizes}"'

    def judge(self, answer: Any) -> Outcome:
        if isinstance(answer, str) and answer.strip().lower().rstrip(".") == LEGAL:
            if self.kind is None:
                return Outcome(Fraction(1))
            return Outcome(Fraction(0), (Finding("it is refused: there is a witness"),))
        scop = self.scop
        dims = {s.name: len(s.iterators) for s in scop.statements}
        given = claim(answer, self.roles, dims, scop.parameters)
        at = Witness(given.values, given.instances)
        new = {} if self.kind == "propagation" else new_times(scop, self.schedule or scop)
        memory = isl.read_union_map(self.storage) if self.storage else None
        run = Replay(scop, given.values, new, memory)
        for held, wrong in enumerate(self._claims(run, given)):
            if wrong:
                share = Fraction(0) if self.kind is None else Fraction(1 + held, 5)
                return Outcome(share, (Finding(at.for_values(wrong), at),))
        return Outcome(Fraction(1), (), f"replayed: {at}")

    def _claims(self, run: Replay, given: Claim) -> Iterator[str]:
        """For each claim in turn what is wrong with it, "" if it holds. The claims are made one
        after the other: a later one relies on those before."""
        every = given.instances
        absent = [str(i) for i in every.values() if i not in run.then]
        yield f"{absent[0]} does not run" if absent else ""
        match self.kind or self.asked:
            case "flow":
                yield from self._flow(run, every["write"], every["read"])
            case "live range":
                yield from self._range(run, every["write"], every["read"], every["other"])
            case "live-in":
                yield from self._live_in(run, every["read"], every["other"])
            case "live-out":
                yield from self._live_out(run, every["write"], every["other"])
            case _:
                yield from self._moved(run, every["source"], every["other"], every["target"])

    def _flow(self, run: Replay, write: Instance, read: Instance) -> Iterator[str]:
        yield _not_used(run, write, read)
        late = run.now[write] >= run.now[read]
        yield "" if late else f"{write} runs before {read} in the new order as well"

    def _range(
        self, run: Replay, write: Instance, read: Instance, other: Instance
    ) -> Iterator[str]:
        yield _not_used(run, write, read)
        cells = {run.place(c) for c in _used(run, write, read)} & run.written.get(other, set())
        yield "" if cells and other != write else f"{other} is no other write of that cell"
        inside = run.now[write] <= run.now[other] <= run.now[read]
        own = other == read  # it reads before it writes
        yield "" if inside and not own else _elsewhere(other, write, read)

    def _live_in(self, run: Replay, read: Instance, other: Instance) -> Iterator[str]:
        first = {c for c in run.reads.get(read, set()) if run.value_of(c, read) is None}
        yield "" if first else f"{read} reads nothing that was there before the program"
        cells = first & run.writes.get(other, set())
        yield "" if cells and other != read else f"{other} does not overwrite what {read} reads"
        early = run.now[other] <= run.now[read]
        yield "" if early else f"{other} runs after {read} in the new order as well"

    def _live_out(self, run: Replay, write: Instance, other: Instance) -> Iterator[str]:
        out = {c for c in run.writes[write] if self.scop.arrays[c[0]].live_out}
        last = {run.place(c) for c in out if run.remains(c) == write}
        yield "" if last else f"the value of {write} does not remain"
        meet = last & run.written[other] and other != write
        yield "" if meet else f"{other} writes another cell"
        late = run.now[other] >= run.now[write]
        yield "" if late else f"{other} runs before {write} in the new order as well"

    def _moved(
        self, run: Replay, source: Instance, other: Instance, target: Instance
    ) -> Iterator[str]:
        yield _not_used(run, source, target)
        cells = run.reads.get(source, set()) & run.writes.get(other, set())
        yield "" if cells else f"{other} does not write what {source} reads"
        between = run.then[source] <= run.then[other] < run.then[target]
        yield "" if between else f"{other} does not run between {source} and {target}"


def _used(run: Replay, write: Instance, read: Instance) -> set[Cell]:
    """The cells through which a value goes from one instance to the other."""
    common = run.writes.get(write, set()) & run.reads.get(read, set())
    return {c for c in common if run.value_of(c, read) == write}


def _not_used(run: Replay, write: Instance, read: Instance) -> str:
    common = run.writes.get(write, set()) & run.reads.get(read, set())
    if not common:
        return f"{read} does not read the cell that {write} writes"
    if not _used(run, write, read):
        cell = min(common)
        got = run.value_of(cell, read)
        whose = f"of {got}" if got is not None else "that was there before the program"
        return f"{read} gets the value {whose} from {cell_said(cell)}, not that of {write}"
    return ""


def _elsewhere(other: Instance, write: Instance, read: Instance) -> str:
    return f"{other} does not run between {write} and {read} in the new order"
