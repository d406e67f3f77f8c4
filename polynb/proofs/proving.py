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
from polynb.proofs.obligations import Endless, Proving
from polynb.proofs.program import ProgramModel
from polynb.proofs.ranks import ranks
from polynb.proofs.recording import Recorder
from polynb.proofs.sides import side
from polynb.proofs.widening import STRATEGIES
from polynb.run.oracle import Difference, equivalent, programs
from polynb.scop.model import Scop
from polynb.scop.storage import in_memory
from polynb.scop.witness import instance_text, values_text

SECONDS: Final = 30.0
LIMIT: Final = 20_000
"""The statement instances that are run to confirm a difference."""


@isl.bounded("the proof that two programs are the same")
def prove(
    before: Scop | Derivation,
    after: Scop | Derivation | None = None,
    *,
    max_operations: int | None = None,
    seconds: float | None = SECONDS,
) -> Proof:
    """Whether two programs leave the same in every live-out cell of the first one, whatever the
    data, for all parameter values that the first one allows (`before.assumed`).

    A Derivation alone is compared with what it was derived from. What counts as the same is what
    does for `pn.equivalent`: C's operations, in C's types, in the same way; nothing is commuted or
    reassociated. Looked at are the models (that a program's text says the same, the tests of what
    reads it check), each in the order of its schedule, over the memory that its arrays live in;
    whole numbers made of iterators and parameters are taken to fit 64 bits. Kills do not count:
    what is left in a live-out cell that is killed has to be the same, too.

    The answer is "proved", "refuted" (and running both has confirmed it), or "unknown": where it
    takes algebra, where no guess covers a recurrence, or where the budget, `max_operations` of isl
    or `seconds`, is used up. Raises PolynbError for what are no programs.
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
        return Proof("unknown", reason=error.message)
    except Unsuitable as error:
        return Proof("unknown", reason=str(error))


def _proof(before: Scop, after: Scop, record: Recorder | None) -> Proof:
    scops = in_memory(before), in_memory(after)
    _check_comparable(before, *scops)
    data = rows(scops)
    outputs = _outputs(scops, before.assumed, data)
    first = ProgramModel(scops[0], before.assumed, data, outputs)
    second = ProgramModel(scops[1], before.assumed, data, outputs, like=first)
    roots = list(_roots(first, second))
    comparison, places = Comparison(first, second), (ranks(first), ranks(second))
    for widen, simply in STRATEGIES:
        attempt = Proving(comparison, places, widen, simply, record=record)
        if record is not None:
            record.begun(widen.__name__.replace("_", " "))
        try:
            attempt.run(roots)
            return Proof("proved", parameters=before.parameters)
        except Endless as error:
            reason = f"no guess covers the recurrence of {error}"
        except Unequal as error:
            if simply and attempt.guessed:
                continue  # before it is worth running them
            found, reason, doubted = _refuted(before, after, error)
            if found is not None:
                return Proof("refuted", found)
            if not attempt.guessed:
                return Proof("unknown", reason=reason, doubted=doubted)
    return Proof("unknown", reason=reason)


def _check_comparable(before: Scop, first: Scop, second: Scop) -> None:
    more = [p for p in second.parameters if p not in first.parameters]
    if more:
        raise Unsuitable(f"the program after has a parameter {more[0]} of its own")
    if not before.assumed.is_subset(second.assumed):
        raise Unsuitable("the program after is for fewer parameter values")
    for name, a in first.arrays.items():
        if a.live_out:
            b = second.arrays.get(name)
            if b is None or b.type is not a.type or b.dimensions != a.dimensions:
                raise Unsuitable(f"the program after has no array {name} of the same kind")


def _outputs(scops: tuple[Scop, Scop], assumed: isl.Set, data: Rows) -> Mapping[str, isl.Set]:
    """The cells `{ A[x] }` of live-out arrays that either program writes."""
    found: dict[str, isl.Set] = {}
    for name, a in scops[0].arrays.items():
        if not a.live_out:
            continue
        for scop in scops:
            for s in scop.statements:
                if s.write.array == name:
                    domain = s.domain.intersect_params(assumed)
                    cells = certain(s, s.write, domain, data).relation.range()
                    found[name] = found[name].union(cells) if name in found else cells
    return {name: cells.coalesce() for name, cells in found.items()}


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
    return run.difference, reason, None
