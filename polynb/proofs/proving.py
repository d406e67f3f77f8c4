"""`pn.prove`: whether two programs compute the same, for all parameter values.

After Verdoolaege, Janssens and Bruynooghe, "Equivalence checking of static affine programs using
widening to handle recurrences" (TOPLAS 2012). No pass is involved: what programs compute is taken
from their models, their expressions and schedules, and so is the flow of values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from polynb import isl
from polynb.arguments import count, optional, seconds as positive
from polynb.derivation import Derivation
from polynb.errors import PolynbError
from polynb.proofs.accesses import Rows, Unsuitable, certain, rows
from polynb.proofs.answers import Proof
from polynb.proofs.comparing import Comparison, Obligation, Unequal
from polynb.proofs.definedness import defined
from polynb.proofs.obligations import Endless, Proving
from polynb.proofs.program import ProgramModel
from polynb.proofs.ranks import ranks
from polynb.proofs.recording import Recorder
from polynb.proofs.sides import side
from polynb.proofs.widening import STRATEGIES
from polynb.run.oracle import equivalent, programs
from polynb.run.outputs import compared, completed, incomparable
from polynb.run.verdicts import DIFFERENT, FORM, Difference, of_difference
from polynb.scop.model import Scop
from polynb.scop.storage import in_memory
from polynb.scop.witness import Witness, instance_text, values_text

SECONDS: Final = 30.0
LIMIT: Final = 20_000
"""The statement instances that are run to confirm a difference."""
LARGER: Final = (1, 4, 7)
"""How much larger parameters are tried, where a size shows no other bits."""


@isl.bounded("the proof that two programs are the same")
def prove(
    before: Scop | Derivation,
    after: Scop | Derivation | None = None,
    *,
    max_operations: int | None = None,
    seconds: float | None = SECONDS,
) -> Proof:
    """Whether two programs leave the same in every cell that either of them writes, but for those
    of temporaries, whatever the data, for all parameter values that the first one allows
    (`before.assumed`).

    A Derivation alone is compared with what it was derived from. What counts as the same is what
    does for `pn.equivalent`: the same bits, by C's operations in C's types; sums and products may
    be commuted, nothing is reassociated. Looked at are the models (that a program's text says the
    same, the tests of what reads it check), each in the order of its schedule, over the memory that
    its arrays live in. Whole numbers made of iterators and parameters are taken to fit 64 bits, and
    those of a C text the types that it computes them in: where they do not, it is not defined.
    Kills do not count: what is left in a live-out cell that is killed has to be the same, too.

    The answer is a `Proof`, in the words of all verdicts: "the same"; "the same where both are
    defined", where a program is not for all of these parameter values; "different", and computing
    both has shown numbers that are; "the same but for form", where it showed none; or "not known",
    where it takes algebra, where no guess covers a recurrence, or where the budget,
    `max_operations` of isl or `seconds`, is used up. Raises PolynbError for what are no programs.
    """
    first, second = programs(before, after, "prove")
    optional(count, "max_operations", max_operations)
    optional(positive, "seconds", seconds)
    found = attempted(first, second, max_operations=max_operations, seconds=seconds)
    return replace(found, programs=(first, second), budget=(max_operations, seconds))


def attempted(
    before: Scop,
    after: Scop,
    record: Recorder | None = None,
    *,
    max_operations: int | None = None,
    seconds: float | None = SECONDS,
) -> Proof:
    """The proof, or that it is not known because of a budget or of what is in the programs."""
    try:
        with isl.wrapped(), isl.budget(max_operations, seconds, doing="the proof"):
            return _proof(before, after, record)
    except isl.BudgetExhausted as error:
        return Proof(reason=error.message)
    except Unsuitable as error:
        return Proof(reason=str(error))


def _proof(before: Scop, after: Scop, record: Recorder | None) -> Proof:
    scops = in_memory(before), in_memory(after)
    reason = incomparable(*scops)
    if reason:
        return Proof(DIFFERENT, Difference(Witness({}, {}), reason=reason))
    both = defined(before, after)
    if record is not None:
        record.typed = both.typed
    data = rows(scops)
    outputs = _outputs(scops, both.where, data)
    scops = completed(*scops), completed(*reversed(scops))
    first = ProgramModel(scops[0], both.where, data, outputs)
    second = ProgramModel(scops[1], both.where, data, outputs, like=first)
    roots = list(_roots(first, second))
    comparison, places = Comparison(first, second), (ranks(first), ranks(second))
    for widen, simply in STRATEGIES:
        attempt = Proving(comparison, places, widen, simply, record=record)
        if record is not None:
            record.begun(widen.__name__.replace("_", " "))
        try:
            attempt.run(roots)
            return both.proved(before.parameters)
        except Endless as error:
            reason = f"no guess covers the recurrence of {error}"
        except Unequal as error:
            if simply and attempt.guessed:
                continue  # before it is worth running them
            found, reason, doubted = _refuted(before, after, error)
            if found is not None:
                return Proof(of_difference(found), found, reason)
            if not attempt.guessed:
                return Proof(reason=reason, doubted=doubted)
    return Proof(reason=reason)


def _outputs(scops: tuple[Scop, Scop], where: isl.Set, data: Rows) -> Mapping[str, isl.Set]:
    """The cells `{ A[x] }` that are compared: those that either program writes."""
    found = isl.united_by(
        (name, certain(s, s.write, s.domain.intersect_params(where), data).relation.range())
        for name in compared(*scops)
        for scop in scops
        for s in scop.statements
        if s.write.array == name
    )
    return {name: isl.coalesced(cells) for name, cells in found.items()}


def _roots(before: ProgramModel, after: ProgramModel) -> Iterator[Obligation]:
    for name in before.ends:
        first, second = (p.root(p.ends[name]) for p in (before, after))
        same = first.what.cells.apply_range(second.what.cells.reverse())
        yield Obligation(side(first), side(second), same)


def _refuted(
    before: Scop, after: Scop, error: Unequal
) -> tuple[Difference | None, str, Mapping[str, int] | None]:
    """The difference that running both programs shows, where they do not seem to be the same;
    where that is, in words; and the parameter values, if they could not be run there."""
    found = isl.witness_pair(error.relation)
    assert found is not None
    values, i, j = found
    values = {p: values.get(p, 0) for p in before.parameters}
    places = (error.first.node.statement, i), (error.second.node.statement, j)
    a, b = (instance_text(s, point, {}) for s, point in places)
    where = f"for {values_text(values)}: " if values else ""
    reason = f"{where}{a} before and {b} after are not seen to compute the same"
    try:
        run = equivalent(before, after, values, limit=LIMIT)
    except PolynbError as refused:
        return None, f"{reason} ({refused.message})", values
    if run.answer == FORM:  # at larger sizes, bits may differ, too
        return _larger(before, after, values) or run.difference, reason, None
    return run.difference, reason, None


def _larger(before: Scop, after: Scop, values: Mapping[str, int]) -> Difference | None:
    """A difference in numbers at parameter values that are somewhat larger."""
    for more in LARGER if values else ():
        try:
            run = equivalent(before, after, {p: v + more for p, v in values.items()}, limit=LIMIT)
        except PolynbError:
            break  # too many instances, or not allowed
        if run.answer == DIFFERENT:
            return run.difference
    return None
