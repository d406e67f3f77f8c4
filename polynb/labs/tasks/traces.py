"""What a run shows of a program: which access is slow, whether one still is, and whether another
input says something else (TACO'19, sections 2.2 and 4.3)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Final

from polynb import isl
from polynb.arguments import shown
from polynb.errors import PolynbError
from polynb.labs.findings import Finding, Outcome, nothing
from polynb.labs.tasks.values import Value, ValuesTask
from polynb.scop import parse
from polynb.scop.model import Scop, Statement
from polynb.scop.witness import values_text
from polynb.tracing import trace
from polynb.tracing.feedback import Feedback, feedback
from polynb.tracing.feedback.strides import AccessStrides

SECONDS: Final = 5.0
"""What one run may take."""


@cache
def run(source: str, only: str | None = None, n: int | None = None) -> Feedback:
    """What is said of a C program's run."""
    if n is None:
        return feedback(trace(source, only=only, seconds=SECONDS))
    return feedback(trace(source, only=only, seconds=SECONDS, N=n))


def innermost(access: AccessStrides) -> tuple[str, int | None] | None:
    """The innermost loop that goes round, and the stride along it; None outside of loops."""
    moving = [k for k, many in enumerate(access.iterated) if many]
    if not moving:
        return None
    return access.instruction.loops[moving[-1]], access.strides[moving[-1]]


@dataclass(frozen=True)
class SlowTask:
    """The access with the largest stride along its innermost loop, in one run of a C program: its
    line, the stride in elements, and the loop (as C calls its iterator) along which it is 1."""

    program: str
    only: str
    iterators: tuple[str, ...]

    @property
    def form(self) -> str:
        loops = ", ".join(map(repr, self.iterators))
        return f'{{"line": ..., "stride": ..., "loop": ...}}, two numbers and one of {loops}'

    def judge(self, answer: object) -> Outcome:
        return ValuesTask(self.found(), self.iterators).judge(answer)

    def found(self) -> dict[str, Value]:
        """What the run shows."""
        said = run(self.program, self.only)
        steps = [
            (abs(at[1]), a)
            for nest in said.nests
            for a in nest.accesses
            if (at := innermost(a)) is not None and at[1] is not None
        ]
        stride, slow = max(steps, key=lambda x: x[0])
        loops = {x.loop.name: x.loop for nest in said.nests for x in nest.loops}
        (along,) = [
            loops[name].iterator
            for name, s in zip(slow.instruction.loops, slow.strides, strict=True)
            if s == 1
        ]
        return {"line": slow.instruction.line, "stride": stride, "loop": along}


@dataclass(frozen=True)
class StepsByOne:
    """No access moves by more than one element along its innermost loop: for every size, by its
    relation, and in a run of the program's C with N = `n`, which is folded."""

    n: int

    def failed(self, before: Scop, after: Scop) -> Finding | None:
        for nest in run(after.to_c(), None, self.n).nests:
            for access in nest.accesses:
                at = innermost(access)
                if at is not None and (at[1] is None or abs(at[1]) > 1):
                    how = "irregularly" if at[1] is None else f"by {at[1]} elements"
                    text = f"{access.instruction.text} moves {how} along {at[0]}"
                    return Finding(f"folded with N = {self.n}: {text}, the innermost loop")
        return _jump(parse(str(after)))


def _jump(program: Scop) -> Finding | None:
    """An access that moves further along its innermost loop, at some size."""
    for s in program.statements:
        for access in (s.write, *s.reads):
            for d in range(len(s.iterators)):
                cells = _along(s, d).apply_domain(access.relation).apply_range(access.relation)
                moves = cells.intersect_params(program.assumed).deltas()
                found = isl.witness(moves.subtract(_one_element(moves)))
                if found is not None:
                    by = ", ".join(map(str, found[1]))
                    said = f"{access.array} moves by [{by}] along {s.iterators[d]}"
                    return Finding(f"for {values_text(found[0])}: {said}, the innermost loop")
    return None


def _along(s: Statement, d: int) -> isl.Map:
    """`{ S[x] -> S[y] }` of instances with the next value of a loop, at the sizes at which it is
    the innermost one that goes round: the loops inside of it run once."""
    pairs = isl.Map.from_domain_and_range(s.domain, s.domain)
    for k in range(d):
        pairs = pairs.equate(isl.IN, k, isl.OUT, k)
    within = pairs.equate(isl.IN, d, isl.OUT, d)
    inside = within.intersect(isl.Map.lex_lt(s.domain.get_space())).params()
    return pairs.order_lt(isl.IN, d, isl.OUT, d).lexmin().intersect_params(inside.complement())


def _one_element(moves: isl.Set) -> isl.Set:
    """No move, or one by an element: in the last subscript."""
    last = moves.dim(isl.SET) - 1
    near = isl.Set.universe(moves.get_space())
    for k in range(last + 1):
        step = int(k == last)
        near = near.lower_bound_val(isl.SET, k, isl.Val(-step))
        near = near.upper_bound_val(isl.SET, k, isl.Val(step))
    return near


@dataclass(frozen=True)
class InputTask:
    """Numbers for an array of indices with which a loop carries a flow dependence that it did not
    carry in the run before, with the `numbers` in the program."""

    program: str
    numbers: str

    @property
    def length(self) -> int:
        return self.numbers.count(",") + 1

    @property
    def form(self) -> str:
        return f'{self.length} numbers from 0 to {self.length - 1}, as a text: "0, 1, 2, ..."'

    def judge(self, answer: object) -> Outcome:
        text = self.program.replace(self.numbers, ", ".join(map(str, self.read(answer))))
        (nest,) = run(text, "kernel").nests
        (loop, *_) = nest.loops
        if not loop.carried:
            said = "with these, no iteration uses what another one has written: try again"
            return nothing(said)
        source, target = map(int, re.findall(r"\d+", loop.carried[0].example)[:2])
        shows = f"iteration {target} uses what iteration {source} has written"
        return Outcome(Fraction(1), (), f"folded again: {shows}")

    def read(self, answer: object) -> list[int]:
        """The numbers of an answer, also of a list of them. Raises PolynbError for others, or for
        too few or many."""
        if not isinstance(answer, str) or not re.fullmatch(r"[\s\[{(]*\d+(\s*,\s*\d+)*[\s\]})]*",
                                                           answer):  # fmt: skip
            raise PolynbError(f"the answer must be numbers in a text, not {shown(answer)}",
                              hint="0, 1, 2, 3")  # fmt: skip
        found = [int(x) for x in re.findall(r"\d+", answer)]
        if len(found) != self.length:
            raise PolynbError(f"the answer has {len(found)} numbers, not {self.length}")
        large = [x for x in found if x >= self.length]
        if large:
            raise PolynbError(f"{large[0]} is outside of the array",
                              hint=f"from 0 to {self.length - 1}")  # fmt: skip
        return found
