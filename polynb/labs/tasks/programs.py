"""Programs: the same as another one, by `pn.prove` or by running both, and as asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import prod
from typing import Final, Protocol

from polynb.derivation import Derivation, as_scop
from polynb.errors import PolynbError
from polynb.labs.findings import Finding, Outcome, nothing
from polynb.labs.tasks.sizes import small, smallest
from polynb.proofs import prove
from polynb.run.oracle import Equivalence, equivalent
from polynb.run.verdicts import DEFINED, FORM
from polynb.scop import Scop, parse
from polynb.scop.sizes import extents_at
from polynb.scop.witness import Witness, values_text
from polynb.source import tree as syntax
from polynb.words import counted, listed

SECONDS: Final = 8.0
"""What a proof may take, before both programs are run."""
LIMIT: Final = 20_000
"""Statement instances that are run then."""
LARGER: Final = (13, 21, 34)
"""Sizes that are run besides small ones, where nothing is proved."""


class Ask(Protocol):
    """A property that a program is to have."""

    def failed(self, before: Scop, after: Scop) -> Finding | None:
        """What keeps a program from having it, compared with the one it was made of."""


@dataclass(frozen=True)
class Gone:
    """No array but those of the program before, and these are gone."""

    arrays: tuple[str, ...]

    def failed(self, before: Scop, after: Scop) -> Finding | None:
        kept = [a for a in self.arrays if a in after.arrays]
        if kept:
            return Finding(f"{listed(kept)} {'is' if len(kept) == 1 else 'are'} still there")
        new = [a for a in after.arrays if a not in before.arrays]
        if new:
            return Finding(f"{listed(new)} took its place: the program is to do without any")
        return None


@dataclass(frozen=True)
class OneNest:
    """All statements in one loop nest, of this many loops: others inside of it are more nests."""

    loops: int = 1

    def failed(self, before: Scop, after: Scop) -> Finding | None:
        body = parse(str(after)).program
        assert body is not None
        nests = sum(isinstance(node, syntax.For) for node in body.body)
        outside = len(body.body) - nests
        if nests != 1 or outside:
            more = f", and {counted(outside, 'statement')} outside of them" if outside else ""
            return Finding(f"there are {counted(nests, 'loop nest')}{more}; it is to be one")
        has = sum(isinstance(node, syntax.For) for node in syntax.every(body.body))
        if has <= self.loops:
            return None
        return Finding(f"the nest has {counted(has, 'loop')}; {self.loops} would do")


@dataclass(frozen=True)
class FewCells:
    """No more memory besides the arrays that the program is about than a model answer has."""

    model: str

    def failed(self, before: Scop, after: Scop) -> Finding | None:
        best = parse(self.model)
        for at in small(before.parameters, before.assumed):
            most, has = memory(before, best, at), memory(before, after, at)
            if has is None or (most is not None and has > most):
                many = "an unlimited number of cells" if has is None else counted(has, "cell")
                enough = counted(most or 0, "cell")
                where = values_text(at)
                said = f"{many} of memory besides the arrays that are given; {enough} would do"
                return Finding(f"for {where}: {said}" if where else said)
        return None


def memory(before: Scop, program: Scop, at: Mapping[str, int]) -> int | None:
    """The cells of the arrays that are not the business of the program before: its temporaries,
    and what is new. None if nothing bounds them."""
    found = 0
    for name, array in program.arrays.items():
        known = before.arrays.get(name)
        if known is not None and known.role != "temp":
            continue
        extents = extents_at(array, at)
        if any(e is None for e in extents):
            return None
        found += prod(e for e in extents if e is not None)
    return found


@dataclass(frozen=True)
class ProgramTask:
    """A program that leaves the same as this one in every cell that either writes, for every size,
    and has the properties asked for. One that does not is worth nothing; of one that does, half of
    the points are for the properties. `about`: the arrays in which it is to leave the same, if it
    is not all."""

    program: str
    asked: tuple[Ask, ...] = ()
    about: tuple[str, ...] = ()

    @property
    def form(self) -> str:
        return "a program: its text, or what %%scop or a pass made"

    def judge(self, answer: object) -> Outcome:
        before, after = parse(self.program), as_program(answer)
        shown, different = same(_about(before, self.about), after)
        if different is not None:
            return nothing(different)
        findings = tuple(f for a in self.asked if (f := a.failed(before, after)) is not None)
        if not findings:
            return Outcome(Fraction(1), (), shown)
        return Outcome(self._gained(before, after) / 2, findings, shown)

    def _gained(self, before: Scop, after: Scop) -> Fraction:
        """Of the properties that the program did not have before, how many it has now."""
        wanted = [a for a in self.asked if a.failed(before, before) is not None]
        held = [a for a in wanted if a.failed(before, after) is None]
        return Fraction(len(held), max(len(wanted), 1))


def _about(before: Scop, arrays: tuple[str, ...]) -> Scop:
    """The program, with what is left in other arrays of no use to anybody."""
    if not arrays:
        return before
    own = {n: a if n in arrays else replace(a, role="temp") for n, a in before.arrays.items()}
    return replace(before, arrays=own)


def as_program(answer: object) -> Scop:
    """A text or an object of polynb as a program. Raises PolynbError."""
    if isinstance(answer, str):
        return parse(answer, name="answer")
    if not isinstance(answer, Scop | Derivation):
        raise PolynbError(
            f"the answer must be a program, not {type(answer).__name__}",
            hint='its text, """param N; ...""", or the variable that %%scop made',
        )
    return as_scop(answer)


def same(before: Scop, after: Scop) -> tuple[str, Finding | None]:
    """How it was shown that two programs are the same; or the first difference. Raises PolynbError
    for a program with parameters of its own."""
    missing = _missing_size(before, after)
    if missing is not None:
        return "", missing
    before = replace(before, context=before.context.intersect(after.assumed))
    after = _kept(before, after)
    proof = prove(before, after, seconds=SECONDS)
    if proof:
        return f"the same results: {proof.scope}", None
    if proof.doubted is not None:  # nobody has seen it run there
        return "", Finding(f"not shown to have the same results: {proof.reason}")
    if proof.answer == DEFINED:
        return "", Finding(f"not the same results for every size: {proof.scope}")
    run = equivalent(before, after, limit=LIMIT)  # finds smaller differences
    found = [d for d in (run.difference, proof.difference) if d is not None]
    if not any(d.certain for d in found):
        run = _larger(before, after, run)
        found += [run.difference] if run.difference is not None else []
    for different in found:
        if different.certain:
            return "", Finding(f"not the same results: {different}", different.witness)
    if found:
        return "", Finding(f"not shown to have the same results, only {FORM}: {found[0]}")
    return f"the same results, {run.explanation.removeprefix(': ')}", None


def _kept(before: Scop, after: Scop) -> Scop:
    """The answer, in which an array that the program before has and leaves to others is no
    temporary: to call it one would allow to destroy it."""
    own = {
        n: replace(a, role="inout")
        for n, a in after.arrays.items()
        if a.role == "temp" and n in before.arrays and before.arrays[n].role != "temp"
    }
    return replace(after, arrays={**after.arrays, **own}) if own else after


def _missing_size(before: Scop, after: Scop) -> Finding | None:
    """A size, not negative, at which something is to be done, and that the program excludes."""
    own = [p for p in after.parameters if p not in before.parameters]
    if own:
        known = f"only {listed(before.parameters)}" if before.parameters else "numbers"
        raise PolynbError(f"{own[0]} is no parameter of this exercise", hint=known)
    running = [s.domain.params() for s in before.statements]
    values = smallest(part.intersect(before.assumed).subtract(after.assumed) for part in running)
    if values is None or min(values.values(), default=0) < 0:
        return None
    return Finding(f"the program is not for {values_text(values)}", Witness(values, {}))


def _larger(before: Scop, after: Scop, run: Equivalence) -> Equivalence:
    """Both run at larger sizes, too, where that is not too much."""
    for size in LARGER if before.parameters else ():
        try:
            more = equivalent(before, after, dict.fromkeys(before.parameters, size), limit=LIMIT)
        except PolynbError:
            continue
        run = replace(more, checked=run.checked + more.checked, skipped=run.skipped)
        if not run:
            break
    return run
