"""Whether what an induction variable hands on to later iterations is one affine function of the
iterators, from the first iteration on.

`o[i] = first; first = 0;` hands on a constant. But what the first iteration reads is another one:
no closed form of the iterators holds for all of them, and the loop is parallel only once its first
iteration is peeled off. So such a flow stays. Where the start is a value that was not seen (`k =
row[i]`), a counter that goes on from it alone is one, whatever it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from polynb import isl
from polynb.folding import Folded, FoldedPiece
from polynb.tracing.equations import Affine, affine_through
from polynb.tracing.feedback.accumulating import variable_of
from polynb.tracing.feedback.known import InductionVariable
from polynb.tracing.feedback.loops import common_loops
from polynb.tracing.feedback.overapproximation import MOST_PIECES
from polynb.tracing.model import Folding, Pair
from polynb.tracing.records import Instruction

Point = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Closed:
    """Asks it of the flows of a program whose induction variables are `known`."""

    folding: Folding
    known: Mapping[str, InductionVariable]

    def wrapped(self) -> dict[Pair, bool]:
        """The flows out of known variables into later iterations that are not; each with whether
        they are one function but for the first iteration."""
        return {
            pair: self._later(pair)
            for pair in self._every
            if pair[0] in self.known and pair[0] != pair[1] and self._leaps(pair)
            if not (self._same_everywhere(pair) or self._steps(pair) or self._whole(pair))
        } | {pair: False for pair in self._every if self._leaves(pair)}

    def _leaves(self, pair: Pair) -> bool:
        """Whether a flow leads to another iteration of loops within which alone one end of it is
        known."""
        known = (v.within - 1 for n in pair if (v := self.known.get(n)) is not None)
        depth = min(max(known, default=0), self._common(pair))
        return depth > 0 and any(True for p in self._every[pair].pieces for _ in leaping(p, depth))

    @cached_property
    def _every(self) -> Mapping[Pair, Folded]:
        return {**self.folding.dependences, **self.folding.control}

    @cached_property
    def _into(self) -> Mapping[str, list[Pair]]:
        found: dict[str, list[Pair]] = {}
        for pair in self._every:
            found.setdefault(pair[1], []).append(pair)
        return found

    def _leaps(self, pair: Pair) -> bool:
        """Whether a value is seen that goes to another iteration of a loop around both."""
        if self.folding.instructions[pair[0]].counts:
            return False  # its values were not seen, but its text was read
        depth = self._common(pair)
        return any(True for p in self._every[pair].pieces for _ in leaping(p, depth))

    def _common(self, pair: Pair) -> int:
        return common_loops(self.folding, self._of(pair[0]), self._of(pair[1]))

    def _of(self, name: str) -> Instruction:
        return self.folding.instructions.get(name) or self.folding.conditions[name]

    def _same_everywhere(self, pair: Pair) -> bool:
        """Whether the consumer's own values are one function: it knows them without the others."""
        return pair[1] in self.known and self._function(pair[1]) is not None

    def _steps(self, pair: Pair) -> bool:
        """Whether it is a counter that the consumer reads: it goes on from its own value, and what
        begins it is outside of the loops that the flow leaps over, and begins the consumer's. (What
        else that reads may be made in the same iteration: `f(i)`, whose parameter changes.)"""
        source = pair[0]
        if (source, source) not in self._every:
            return False
        first = self._loop(pair)
        own = {a for a, _ in self._beside((source, source))}
        read = {a for a, _ in self._beside(pair)}
        outside = all(self._common((a, source)) <= first for a in own)
        begun = read == own or (not read and self._covers([pair]))
        if not begun and self._from_before(pair):
            beside = [*self._beside(pair)]
            others = {p[0] for p in beside if not self._stays_in(p, first)}
            begun = others <= own and self._covers([pair, *beside])
        whole = self._as_it_does(pair) or self._one([pair]) or self._from_before(pair)
        return outside and begun and whole

    def _stays_in(self, pair: Pair, q: int) -> bool:
        """Whether a flow leads to no other iteration of the q outer loops, nor of the next one."""
        pieces = self._every[pair].pieces
        return self._common(pair) > q and not any(True for p in pieces for _ in leaping(p, q + 1))

    def _as_it_does(self, pair: Pair) -> bool:
        """Whether it takes what the producer goes on from, in the same iterations."""
        own, read = ([(p.vertices, p.labels) for p in self._every[x].pieces]
                     for x in ((pair[0], pair[0]), pair))  # fmt: skip
        return own == read

    def _from_before(self, pair: Pair) -> bool:
        """Whether it leads from each iteration of the producer's loop to the next one."""
        last, flow = len(self._of(pair[0]).loops) - 1, self._every[pair]
        return last < self._common(pair) and all(
            piece.is_affine
            and all(v[q] - piece.labels[q](v) == (q == last) for q in range(last + 1))
            for piece in flow.pieces
            for v in piece.vertices
        )

    def _beside(self, pair: Pair) -> Iterator[Pair]:
        """The other flows into the same operand."""
        operand = self._operand(pair)
        for other in self._into[pair[1]]:
            if other != pair and operand & self._operand(other):
                yield other

    def _operand(self, pair: Pair) -> frozenset[object]:
        """What tells it from the consumer's others: of foldings without numbers, a name."""
        source = self.folding.instructions[pair[0]]
        return self.folding.operands.get(pair) or frozenset({variable_of(source) or pair[0]})

    def _whole(self, pair: Pair) -> bool:
        """Whether all that the operand reads is seen, and one function: also of what was written
        inside alone, so that it says what the first iteration should have read."""
        q, (inside, outside) = self._loop(pair), self._sides(pair)
        several = len({v[q] for p in inside for v in self._read(p)}) > 1
        pairs = [*inside, *outside]
        return several and self._one(pairs) and self._covers(pairs)

    def _later(self, pair: Pair) -> bool:
        """Whether it is in all iterations but the first one of the loop it leaps over."""
        q, (inside, outside) = self._loop(pair), self._sides(pair)
        return self._one(inside) and not any(v[q] for p in outside for v in self._read(p))

    def _sides(self, pair: Pair) -> tuple[list[Pair], list[Pair]]:
        """The flows into its operand out of the loop that it leaps over, and from outside."""
        q = self._loop(pair)
        pairs = [pair, *self._beside(pair)]
        inside = [p for p in pairs if self._common(p) > q]
        return inside, [p for p in pairs if p not in inside]

    def _loop(self, pair: Pair) -> int:
        """The outermost loop that a flow leaps over."""
        depth = self._common(pair)
        return min(q for p in self._every[pair].pieces for q in leaping(p, depth))

    def _read(self, pair: Pair) -> Iterator[Point]:
        return (v for p in self._every[pair].pieces for v in p.vertices)

    def _one(self, pairs: Iterable[Pair]) -> bool:
        """Whether the values that flows hand over are known, and one function."""
        points: dict[Point, Fraction] = {}
        for pair in pairs:
            flow, function = self._every[pair], self._function(pair[0])
            if function is None or len(flow.pieces) > MOST_PIECES:
                return False
            for piece in flow.pieces:
                if not piece.is_affine:
                    return False
                for v in piece.vertices:
                    at = value_at(function, [label(v) for label in piece.labels])
                    if points.setdefault(v, at) != at:
                        return False
        return affine_through(points) is not None

    def _function(self, name: str) -> Affine | None:
        """The one function that gives all values of an instruction."""
        if name not in self._functions:
            self._functions[name] = self._found(name)
        return self._functions[name]

    @cached_property
    def _functions(self) -> dict[str, Affine | None]:
        return {}

    def _found(self, name: str) -> Affine | None:
        i, folded = self._of(name), self.folding.executed.get(name)
        if folded is None or i.outputs != ("value",) or len(folded.pieces) > MOST_PIECES:
            return None
        if not folded.is_affine:
            return None
        return affine_through({v: p.labels[0](v) for p in folded.pieces for v in p.vertices})

    @isl.guarded
    def _covers(self, pairs: Iterable[Pair]) -> bool:
        """Whether every instance of the consumer takes something of these flows."""
        pairs = [*pairs]
        name = pairs[0][1]
        ran = self.folding.executed.get(name) or self.folding.tested[name]
        if len(ran.pieces) > MOST_PIECES:
            return False
        left = bare(ran.domain)
        for pair in pairs:
            if len(self._every[pair].pieces) > MOST_PIECES:
                return False
            left = left.subtract(bare(self._every[pair].domain))
        return bool(left.is_empty())


def leaping(piece: FoldedPiece, depth: int) -> Iterator[int]:
    """The loops, of so many around both, in whose iterations consumer and producer differ."""
    for q, label in enumerate(piece.labels[:depth]):
        known = label.is_affine and not piece.approximate
        if not known or any(label(v) != v[q] for v in piece.vertices):
            yield q


def value_at(function: Affine, point: Iterable[int]) -> Fraction:
    return function[0] + sum(k * x for k, x in zip(function[1:], point, strict=True))


def bare(domain: isl.Set) -> isl.Set:
    """The same vectors, of no name."""
    return domain.reset_tuple_id() if domain.has_tuple_id() else domain
