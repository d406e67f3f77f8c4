"""All that has to hold for two programs to be the same: a heap of obligations, until none is new.

What is asked of a pair of nodes is united before it is looked at, as readers come before writers.
A recurrence asks of itself, about earlier instances, again and again: so its obligations may be
assumed where they come up again (each step that looks through a read goes strictly back in time, in
one program at least), and are guessed as a whole (`widening`) after two rounds.
"""

from __future__ import annotations

import heapq
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field, replace
from typing import Final

from polynb import isl
from polynb.proofs.comparing import Comparison, Obligation, Unequal
from polynb.proofs.ranks import Ranks
from polynb.proofs.recording import Recorder
from polynb.proofs.widening import ROUNDS, Widening

Key = tuple[Hashable, Hashable]
EXACT_ROUNDS: Final = 2
MANY: Final = 6


class Endless(Exception):
    """No guess covers what a recurrence asks for."""


@dataclass(eq=False)
class Asked:
    """What has been asked of a pair of sides: all of it, and what was new in the last round."""

    relation: isl.Map
    last: isl.Map
    rounds: int = 1


@dataclass(eq=False)
class Proving:
    """An attempt to prove two programs equal, with one way of guessing. `simply`: what comes in
    many pieces is guessed, too.

    `guessed`: a relation was widened, so that a mismatch may be of pairs that nobody needs.
    `record`: told all that is done."""

    comparison: Comparison
    ranks: tuple[Ranks, Ranks]
    widen: Widening
    simply: bool = False
    guessed: bool = False
    record: Recorder | None = None
    steps: int = 0
    _asked: dict[Key, Asked] = field(default_factory=dict)
    _pending: dict[Key, list[Obligation]] = field(default_factory=dict)
    _heap: list[tuple[int, int, int, Key]] = field(default_factory=list)

    def run(self, roots: Iterable[Obligation]) -> None:
        """Raises Unequal or Endless if the roots do not hold, as far as can be seen."""
        for o in roots:
            self._add(o)
        while self._heap:
            *_, key = heapq.heappop(self._heap)
            new = self._new(key, self._pending.pop(key))
            if new is not None:
                self.steps += 1
                isl.check_time()
                for o in self._step(key, new):
                    self._add(o)

    def _step(self, key: Key, o: Obligation) -> Iterable[Obligation]:
        if self.record is None:
            return self.comparison.step(o)
        try:
            made = list(self.comparison.step(o))
        except Unequal as error:
            wrong = replace(o, relation=error.relation)
            self.record.unequal(wrong, self._asked[key].relation)
            raise
        self.record.compared(o, self._asked[key].relation, made)
        return made

    def _add(self, o: Obligation) -> None:
        key = o.first.key, o.second.key
        waiting = self._pending.setdefault(key, [])
        if not waiting:
            heapq.heappush(self._heap, (*self._place(o), len(self._asked), key))
        waiting.append(o)

    def _place(self, o: Obligation) -> tuple[int, int]:
        nodes = o.first.node, o.second.node
        statement = sum(r.place[n.statement] for r, n in zip(self.ranks, nodes, strict=True))
        return statement, -sum(n.number for n in nodes)

    def _new(self, key: Key, waiting: list[Obligation]) -> Obligation | None:
        """What of some obligations, of one pair of sides, has not been asked before; more of it, in
        a recurrence."""
        asked, o = self._asked.get(key), _united(waiting)
        if self.simply and o.through and o.relation.n_basic_map() > MANY:
            o = replace(o, relation=self._simple(o))
        if asked is None:
            self._asked[key] = Asked(o.relation, o.relation)
            return o
        if o.relation.is_subset(asked.relation):
            if self.record is not None:
                self.record.known(o, asked.relation, o.through and self._cyclic(o))
            return None
        new = isl.coalesced(o.relation.subtract(asked.relation))
        asked.rounds += 1
        if o.through and asked.rounds > EXACT_ROUNDS and self._cyclic(o):
            if asked.rounds > ROUNDS:
                raise Endless(o.first.node.statement)
            new = self._guess(asked, o, new)
            if self.record is not None:
                self.record.widened(o, isl.coalesced(asked.relation.union(new)))
        asked.relation = isl.coalesced(asked.relation.union(new))
        asked.last = new
        return replace(o, relation=new)

    def _cyclic(self, o: Obligation) -> bool:
        nodes = o.first.node, o.second.node
        return any(n.statement in r.cyclic for r, n in zip(self.ranks, nodes, strict=True))

    def _guess(self, asked: Asked, o: Obligation, new: isl.Map) -> isl.Map:
        guess = _within(o, self.widen(asked.relation, asked.last, new))
        guessed = isl.coalesced(guess.subtract(asked.relation))
        self.guessed = self.guessed or not guessed.is_subset(new)
        return guessed

    def _simple(self, o: Obligation) -> isl.Map:
        """A relation of many pieces, and more, as one."""
        guess = _within(o, o.relation.affine_hull().to_map())
        self.guessed = self.guessed or not guess.is_subset(o.relation)
        return guess


def _united(waiting: list[Obligation]) -> Obligation:
    """Obligations of one pair of sides as one."""
    first, *more = waiting
    through = any(o.through for o in waiting)
    relation = isl.united(o.relation for o in waiting)
    if more or through:  # else it is as it was of what it follows from
        relation = isl.coalesced(relation)
    return replace(first, relation=relation, through=through)


def _within(o: Obligation, guess: isl.Map) -> isl.Map:
    """A guess, as far as there are instances."""
    inside = guess.intersect_domain(o.first.node.home.domain)
    return inside.intersect_range(o.second.node.home.domain)
