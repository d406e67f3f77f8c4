"""Orders of execution: legal, by `pn.check`, and with the property asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Any, Protocol

from polynb import isl
from polynb.labs.findings import Finding, Outcome, nothing
from polynb.labs.tasks.sizes import small, smallest
from polynb.legality import check
from polynb.legality.order import new_times
from polynb.scop import Scop, parse
from polynb.scop.schedule import member
from polynb.scop.witness import pair_witness
from polynb.words import counted

Times = Mapping[str, isl.Map]


class Relation(Protocol):
    """A property of an order: that each of some pairs of instances is related by it."""

    @property
    def pairs(self) -> str: ...

    @property
    def sentence(self) -> str: ...

    def related(self, first: isl.Map, second: isl.Map) -> isl.Map:
        """`{ S[i] -> T[j] }` of the times of S and T, `{ S[i] -> [t] }`."""


@dataclass(frozen=True)
class InOrder:
    """The first of each pair, `{ S[i] -> T[j] }`, is to run before the second."""

    pairs: str
    sentence: str = "{source} is to run before {target}"

    def related(self, first: isl.Map, second: isl.Map) -> isl.Map:
        return first.lex_lt_map(second)


@dataclass(frozen=True)
class AtOneTime:
    """Both of each pair, `{ S[i] -> T[j] }`, are to have the same time: they run in any order, or
    in parallel."""

    pairs: str
    sentence: str = "{source} and {target} are to have the same time"

    def related(self, first: isl.Map, second: isl.Map) -> isl.Map:
        return first.apply_range(second.reverse())


@dataclass(frozen=True)
class NeverAgainst:
    """No number of the time (or none of the first `numbers`) is to become smaller from the first
    to the second of each pair, `{ S[i] -> T[j] }`: then its loops can be exchanged, and tiled."""

    pairs: str
    numbers: int | None = None
    sentence: str = "from {source} to {target} a number of the time becomes smaller"

    def related(self, first: isl.Map, second: isl.Map) -> isl.Map:
        width = first.dim(isl.OUT)
        result = isl.Map.universe(first.lex_lt_map(second).get_space())
        for k in range(min(self.numbers or width, width)):
            one, other = (member(m, k) for m in (first, second))
            result = result.intersect(one.lex_le_map(other))
        return result


@dataclass(frozen=True)
class SomeStays:
    """A number of the time is to be the same for both of each pair, `{ S[i] -> T[j] }`."""

    pairs: str
    sentence: str = "from {source} to {target} no number of the time stays as it is"

    def related(self, first: isl.Map, second: isl.Map) -> isl.Map:
        both = ((member(first, k), member(second, k)) for k in range(first.dim(isl.OUT)))
        same = [one.apply_range(other.reverse()) for one, other in both]
        return reduce(isl.Map.union, same)


@dataclass(frozen=True)
class Apart:
    """Different instances, of the pairs `{ S[i] -> T[j] }`, have different times."""

    pairs: str
    sentence: str = "{source} and {target} have the same time"

    def related(self, first: isl.Map, second: isl.Map) -> isl.Map:
        equal = first.apply_range(second.reverse())
        every = isl.Map.universe(equal.get_space())
        if isl.tuple_name(first, isl.IN) == isl.tuple_name(second, isl.IN):
            equal = equal.subtract(isl.Map.identity(equal.get_space()))
        return every.subtract(equal)


@dataclass(frozen=True)
class Soon:
    """No instance of S runs between the one of `sources`, `{ T[i] -> S[j] }`, that T waits for and
    T, in whatever order the instances of S themselves run. `pairs`: all T and S."""

    pairs: str
    sources: str
    sentence: str = "{target} runs between what {source} waits for and {source}"

    def related(self, first: isl.Map, second: isl.Map) -> isl.Map:
        source = isl.read_map(self.sources)
        no_later = source.apply_range(second.lex_ge_map(second))
        return first.lex_lt_map(second).union(no_later)


@dataclass(frozen=True)
class ScheduleTask:
    """An order of a program, `{ S[i, j] -> [j, i] }`, that is legal and has the properties asked
    for. An illegal order is worth nothing; of a legal one, half of the points are for the pairs
    that are related as they should be and were not so in the program's own order."""

    program: str
    asked: tuple[Relation, ...]
    numbers: int | None = None
    """How many numbers a time has, where that is asked for."""

    @property
    def form(self) -> str:
        times = (f"{s.name}[{', '.join(s.iterators)}] -> [...]" for s in self.scop.statements)
        return f'times, as isl text: "{{ {"; ".join(times)} }}"'

    @property
    def scop(self) -> Scop:
        return parse(self.program)

    def judge(self, answer: Any) -> Outcome:
        scop = self.scop
        verdict = check(scop, answer)
        if not verdict:
            conflicts = tuple(Finding(f"illegal: {c}", c.witness) for c in verdict.conflicts[:2])
            return nothing(*conflicts)
        times = new_times(scop, answer)
        findings = [f for a in self.asked if (f := _unrelated(a, scop, times)) is not None]
        width = next(iter(times.values())).dim(isl.OUT)
        if self.numbers not in (None, width):
            findings.append(
                Finding(f"the times have {counted(width, 'number')}, not {self.numbers}")
            )
        share = min((_gained(a, scop, times) for a in self.asked), default=Fraction(1))
        return Outcome(share / 2 if findings else Fraction(1), tuple(findings), str(verdict))


def _unrelated(asked: Relation, scop: Scop, times: Times) -> Finding | None:
    """The smallest pair that is not related as it should be."""
    apart = [pairs.subtract(related) for pairs, related in _both(asked, scop, times)]
    values = smallest(apart)
    if values is None:
        return None
    there = [pair_witness(isl.fix_parameters(m, values)) for m in apart]
    least = min((w for w in there if w is not None), key=str)
    return Finding(least.at_values(asked.sentence.format(**least.instances)), least)


def _both(asked: Relation, scop: Scop, times: Times) -> list[tuple[isl.Map, isl.Map]]:
    """The pairs asked for, of instances that run, and those that are related."""
    found = []
    for pairs in isl.maps(isl.read_union_map(asked.pairs)):
        first, second = (isl.tuple_name(pairs, side) for side in (isl.IN, isl.OUT))
        running = pairs.intersect_params(scop.assumed)
        running = running.intersect_domain(scop.by_name[first].domain)
        running = running.intersect_range(scop.by_name[second].domain)
        found.append((running, asked.related(times[first], times[second])))
    return found


def _gained(asked: Relation, scop: Scop, times: Times) -> Fraction:
    """How much of what is asked for was done: nothing, if it is as it was."""
    was = _share(asked, scop, {s.name: s.schedule for s in scop.statements})
    now = _share(asked, scop, times)
    return max((now - was) / (1 - was), Fraction(0)) if was < 1 else now


def _share(asked: Relation, scop: Scop, times: Times) -> Fraction:
    """Of the pairs at some small sizes, how many are related as they should be."""
    both = _both(asked, scop, times)
    all_of_them = right = 0

    def some(at: Mapping[str, int]) -> bool:
        return any(isl.points(pairs.wrap().flatten(), at) for pairs, _ in both)

    for at in small(scop.parameters, scop.assumed, some):
        for pairs, related in both:
            every = isl.points(pairs.wrap().flatten(), at)
            all_of_them += len(every)
            right += len(isl.points(pairs.intersect(related).wrap().flatten(), at))
    return Fraction(right, all_of_them) if all_of_them else Fraction(1)
