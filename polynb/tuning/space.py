"""The space of short transformation sequences: which moves a program allows, and which are legal.

Steps 3 to 5 of the paper's Figure 8 (GRAPHITE, 2010): a transformation is proposed, and its verdict
alone says whether it is looked at any further. Sequences are made longer one move at a time, from
those that are legal; two that lead to the same program count once. (Which are made longer, and
when, is for others to say: `enumerate_space` takes them all, `best_first.py` what was fast.)

Passes come before moves, and are not run until what they lead to is timed, or made longer.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from polynb import isl
from polynb.codegen import to_c
from polynb.errors import PolynbError
from polynb.legality.private import marked_private
from polynb.moves import MOVES, Move, named_loops
from polynb.moves.loops import unique_name
from polynb.moves.script import PASSES
from polynb.scop.model import Scop
from polynb.tuning.passes import otherwise, proposed
from polynb.violations.judging import Original
from polynb.violations.moving import State, moved
from polynb.violations.transforming import Transformation, transform

AS_IT_IS: Final = "as it is"
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class MoveSequence:
    """Moves one after the other, a line each. Not `legal`: `why` is the first reason against the
    last one. `same`: the program that a shorter or earlier sequence leads to."""

    script: str
    move: str
    legal: bool
    why: str = ""
    same: bool = False

    @property
    def title(self) -> str:
        """The moves on one line."""
        return self.script.replace("\n", "; ") or AS_IT_IS


@dataclass(frozen=True)
class SearchSpace:
    """The sequences that were looked at, in this order, beginning with the program as it is; and
    whether they are all there are (`complete`)."""

    sequences: tuple[MoveSequence, ...]
    complete: bool

    @property
    def legal(self) -> tuple[MoveSequence, ...]:
        """Those that lead to different programs, all of them legal."""
        return tuple(s for s in self.sequences if s.legal and not s.same)

    @property
    def refused(self) -> tuple[MoveSequence, ...]:
        """Those whose last move is illegal."""
        return tuple(s for s in self.sequences if not s.legal)

    @property
    def same(self) -> int:
        """How many led to a program that was known."""
        return sum(s.same for s in self.sequences)


def enumerate_space(
    scop: Scop,
    names: Iterable[str],
    *,
    depth: int,
    by: int,
    most: int,
    seconds: float,
    report: Progress,
) -> SearchSpace:
    """All sequences of up to `depth` of these moves, shortest first, until `most` of them were
    looked at or `seconds` have passed."""
    space = OpenSpace(scop, names, by=by, most=most, report=report)
    layer, seen = [""], {""}
    try:
        with isl.budget(seconds=seconds):
            for _ in range(depth):
                longer = [s.script for script in layer for s in space.longer(script)]
                layer = [s for s in dict.fromkeys(longer) if s not in seen]
                seen.update(layer)
    except isl.BudgetExhausted:
        space.complete = False
    return space.found()


class OpenSpace:
    """Sequences of moves, made longer one by one: those that were looked at so far."""

    def __init__(
        self,
        scop: Scop,
        names: Iterable[str],
        *,
        by: int,
        most: int,
        report: Progress,
        passes: Iterable[str] = (),
        sizes: Mapping[str, int] | None = None,
        transformed: Callable[[str], Transformation] | None = None,
    ) -> None:
        self.names, self.by, self.most, self.report = tuple(names), by, most, report
        self.scop, self.passes, self.sizes = scop, tuple(passes), sizes or {}
        self.transformed = transformed or partial(transform, scop)
        start = MoveSequence("", "", True)
        self.sequences = [start]
        self.complete = True
        self._states = {"": State(Original(scop), scop)}
        self._known = {_identity(scop): start}

    def found(self) -> SearchSpace:
        return SearchSpace(tuple(self.sequences), self.complete)

    def longer(self, script: str) -> Iterator[MoveSequence]:
        """The legal sequences one move longer than this one: of those that lead to the same
        program the first that was found, whether it is longer than this one or not."""
        yield from self._with_passes(script)
        state = self._state(script)
        if marked_private(state.program.schedule):  # strips: their loops were chosen with them
            return
        for move in possible_moves(state.program, self.names, self.by):
            try:
                there, verdict = moved(state, move)
                key = _identity(there.program) if verdict else None
            except isl.BudgetExhausted:
                raise
            except PolynbError:  # the move does not apply here
                continue
            if self._full():
                return
            whole, why = f"{script}\n{move}".lstrip(), "" if verdict else verdict.obstacles[0]
            sequence = MoveSequence(whole, move.name, bool(verdict), why, key in self._known)
            self._looked_at(sequence)
            if verdict:
                first = self._known.setdefault(key, sequence)
                self._states.setdefault(first.script, there)
                yield first

    def _with_passes(self, script: str) -> Iterator[MoveSequence]:
        """A pass instead of the last one, or one more, where there are only passes."""
        *before, last = lines = script.splitlines() or [""]
        if any(line and line.split()[0] not in PASSES for line in lines):
            return
        used = {line.split()[0] for line in lines if line}
        scop = self.scop if not script else self._state(script).program
        others = [n for n in self.passes if n not in used]
        longer = [[*before, last, line] for line in proposed(scop, others, self.sizes)]
        gone = [a for a in self.scop.temporaries if a not in scop.arrays]
        instead = [[*before, line] for line in otherwise(self.scop, last, gone)]
        for new in instead + longer:
            if self._full():
                return
            whole = "\n".join(filter(None, new))
            self._looked_at(sequence := MoveSequence(whole, new[-1].split()[0], True))
            yield sequence

    def _state(self, script: str) -> State:
        """Where a sequence leads to; that of passes is found when it is asked for."""
        if script not in self._states:
            self._states[script] = self.transformed(script).states[-1]
        return self._states[script]

    def _looked_at(self, sequence: MoveSequence) -> None:
        self.sequences.append(sequence)
        self.report("looking for legal sequences", len(self.sequences), self.most + 1)

    def _full(self) -> bool:
        full = len(self.sequences) > self.most
        self.complete &= not full
        return full


def _identity(scop: Scop) -> Hashable:
    """Equal for programs that run the same loops in the same way."""
    return to_c(scop), tuple((x.loop.kind, x.loop.width) for x in named_loops(scop))


# -- the moves that a program allows -----------------------------------------------------------


def possible_moves(scop: Scop, names: Iterable[str], by: int) -> Iterator[Move]:
    """Moves of these names that may be made with the loops there are, legal or not."""
    loops = named_loops(scop)
    known = {unique_name(x, loops): x for x in loops}
    for name in names:
        yield from SEARCHED[name].proposed(known, by)


SEARCHED: Final = {
    name: MOVES[name]
    for name in (
        *("interchange", "tile", "unroll-and-jam", "fuse", "distribute", "skew", "reverse"),
        *("parallel", "vectorize"),
    )
}
"""The moves that a search can propose by itself, in the order in which it does."""
