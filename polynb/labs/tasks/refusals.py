"""Predict a refusal and name the witness: the student's instances are replayed, not compared."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Final

from polynb import isl
from polynb.arguments import shown
from polynb.errors import PolynbError, Source, Span
from polynb.labs.findings import Finding, Outcome, nothing
from polynb.labs.tasks.replaying import Cell, Replay, cell_said
from polynb.legality.order import new_times
from polynb.scop import Scop, parse
from polynb.scop.witness import Instance, Witness
from polynb.words import counted

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

    `kind` is what goes wrong, None if nothing does: then the answer is "legal". A witness that is
    none has a tenth of the points for each claim that holds before the first that does not.
    """

    program: str
    kind: str | None = None
    schedule: str = ""
    asked: str = "live range"
    """The kind whose roles the student is asked for, also where the answer is "legal"."""
    named: str = ""
    """What the task names itself of the witness, as an answer would: "other S(4), N = 9"."""
    storage: str = ""
    """`{ t[x] -> M[y] }`: the memory that arrays are to live in, if it is that that is refused."""

    @cached_property
    def scop(self) -> Scop:
        return parse(self.program)

    @property
    def _dims(self) -> dict[str, int]:
        return {s.name: len(s.iterators) for s in self.scop.statements}

    @property
    def roles(self) -> tuple[str, ...]:
        return ROLES[self.kind or self.asked]

    @property
    def form(self) -> str:
        name = self.scop.statements[0].name
        instances = ", ".join(f"{role} {name}(...)" for role in self.roles)
        sizes = "".join(f", {p} = ..." for p in self.scop.parameters)
        return f'"{LEGAL}", or the witness: "{instances}{sizes}"'

    def judge(self, answer: object) -> Outcome:
        if isinstance(answer, str) and answer.strip().lower().rstrip(".") == LEGAL:
            if self.kind is None:
                return Outcome(Fraction(1))
            return nothing("it is refused: there is a witness")
        scop = self.scop
        given = claim(answer, self.roles, self._dims, scop.parameters)
        at = Witness(given.values, given.instances)
        new = {} if self.kind == "propagation" else new_times(scop, self.schedule or scop)
        memory = isl.read_union_map(self.storage) if self.storage else None
        run = Replay(scop, given.values, new, memory)
        for held, wrong in enumerate(self._claims(run, given)):
            if wrong:
                share = Fraction(0) if self.kind is None else Fraction(held, 10)
                return Outcome(share, (Finding(at.for_values(wrong), at),))
        return Outcome(Fraction(1), (), f"replayed: {at}")

    def _claims(self, run: Replay, given: Claim) -> Iterator[str]:
        """For each claim in turn what is wrong with it, "" if it holds. The claims are made one
        after the other: a later one relies on those before."""
        every = given.instances
        absent = [str(i) for i in every.values() if i not in run.then]
        yield f"{absent[0]} does not run" if absent else self._not_named(given)
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

    def _not_named(self, given: Claim) -> str:
        wanted = parts(self.named, self.roles, self._dims, self.scop.parameters)
        for there, asked in ((given.instances, wanted.instances), (given.values, wanted.values)):
            for name, value in asked.items():
                if there[name] != value:
                    return f"{name} is to be {value}"
        return ""

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


# What a student writes to name instances: `write S(0, 1), read T(1), N = 2`.


_PART: Final = re.compile(
    r"\s*(?:(?P<name>[A-Za-z_]\w*)\s*=\s*(?P<value>[-−]?\d+)"
    r"|(?P<role>[A-Za-z_-]+)\s*:?\s+(?P<statement>[A-Za-z_]\w*)\s*"
    r"[\[(]\s*(?P<point>(?:[-−]?\d+(?:\s*,\s*|\s+|(?=[\])])))*)[\])])\s*(?:,|;|and\b|$)"
)
LONGEST: Final = 20
"""Characters of a number."""
NOTHING: Final = "this names no instance and no size"


@dataclass(frozen=True)
class Claim:
    """Instances by their roles, at parameter values."""

    instances: Mapping[str, Instance]
    values: Mapping[str, int]


def claim(
    answer: object, roles: Collection[str], dims: Mapping[str, int], parameters: Collection[str]
) -> Claim:
    """What a text names, with all roles and parameters. Raises PolynbError, at the place."""
    example = _example(roles, dims, parameters)
    if not isinstance(answer, str):
        raise PolynbError(f"the answer must be a text, not {shown(answer)}", hint=example)
    given = parts(answer, roles, dims, parameters)
    for what, there, wanted in (
        ("role", given.instances, roles),
        ("parameter", given.values, parameters),
    ):
        missing = [name for name in wanted if name not in there]
        if missing:
            raise PolynbError(f"the answer does not say the {what} {missing[0]}", hint=example)
    return given


def parts(
    answer: str, roles: Collection[str], dims: Mapping[str, int], parameters: Collection[str]
) -> Claim:
    """What a text names of roles and parameters. Raises PolynbError, at the place."""
    example = _example(roles, dims, parameters)
    source, at = Source(answer, "answer"), 0
    instances: dict[str, Instance] = {}
    values: dict[str, int] = {}
    while answer[at:].strip():
        part = _PART.match(answer, at)
        if part is None:
            rest = Span(source, at + len(answer[at:]) - len(answer[at:].lstrip()), len(answer))
            comma = any(_PART.match(answer, k) for k in range(at + 1, len(answer)))
            said = "a part is not as it should be, or has no comma" if comma else NOTHING
            raise PolynbError(said, span=rest, hint=example)
        if part["name"]:
            _known(part["name"], "parameter", parameters, Span(source, *part.span("name")))
            _once(part["name"], values, Span(source, *part.span("name")))
            values[part["name"]] = _number(part["value"], Span(source, *part.span("value")))
        else:
            role, instance = _instance(part, source, roles, dims)
            _once(role, instances, Span(source, *part.span("role")))
            instances[role] = instance
        at = part.end()
    return Claim(instances, values)


def _instance(
    part: re.Match[str], source: Source, roles: Collection[str], dims: Mapping[str, int]
) -> tuple[str, Instance]:
    _known(part["role"], "role", roles, Span(source, *part.span("role")))
    place = Span(source, *part.span("statement"))
    _known(part["statement"], "statement", dims, place)
    point = tuple(_number(x, place) for x in re.findall(r"[-−]?\d+", part["point"]))
    wanted = dims[part["statement"]]
    if len(point) != wanted:
        raise PolynbError(
            f"{part['statement']} stands in {counted(wanted, 'loop')}, "
            f"and this names {counted(len(point), 'value')}",
            span=place,
        )
    return part["role"], Instance(part["statement"], point)


def _number(text: str, span: Span) -> int:
    if len(text) > LONGEST:
        raise PolynbError("this number is very large", span=span, hint="a smaller example")
    return int(text.replace("−", "-"))


def _once(word: str, there: Collection[str], span: Span) -> None:
    if word in there:
        raise PolynbError(f"{word} stands here twice", span=span, hint="one witness")


def _known(word: str, what: str, known: Collection[str], span: Span) -> None:
    if word not in known:
        several = f"one of {', '.join(known)}" if known else "the program has none"
        raise PolynbError(f"there is no {what} {word}", span=span, hint=several)


def _example(roles: Collection[str], dims: Mapping[str, int], parameters: Collection[str]) -> str:
    name, number = next(iter(dims.items()))
    at = f"{name}({', '.join('0' * number)})"
    return ", ".join([*(f"{r} {at}" for r in roles), *(f"{p} = 3" for p in parameters)])
