"""`pn.prove`: whether two programs compute the same, for all parameter values.

After Verdoolaege, Janssens and Bruynooghe, "Equivalence checking of static affine programs using
widening to handle recurrences" (TOPLAS 2012). No pass is involved: what programs compute is taken
from their models, their expressions and schedules, and so is the flow of values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
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
from polynb.run.arguments import condition_text
from polynb.run.oracle import equivalent, programs
from polynb.run.outputs import compared, completed, incomparable
from polynb.run.verdicts import DEFINED, DIFFERENT, FORM, SAME, Difference, of_difference
from polynb.scop.arrays import cells, out_of_bounds
from polynb.scop.model import MemoryAccess, Scop
from polynb.scop.narrow import endless, fits, in_types
from polynb.scop.storage import in_memory
from polynb.scop.witness import Witness, cell_text, instance_text, values_text
from polynb.source.limits import limits
from polynb.source.scoplang.printer import print_expression
from polynb.source.type_inference import Types
from polynb.words import listed

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
    proof = attempted(first, second, max_operations=max_operations, seconds=seconds)
    return replace(proof, programs=(first, second), budget=(max_operations, seconds))


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
            difference, reason, doubted = _refuted(before, after, error)
            if difference is not None:
                return Proof(of_difference(difference), difference, reason)
            if not attempt.guessed:
                return Proof(reason=reason, doubted=doubted)
    return Proof(reason=reason)


def _outputs(scops: tuple[Scop, Scop], where: isl.Set, data: Rows) -> Mapping[str, isl.Set]:
    """The cells `{ A[x] }` that are compared: those that either program writes."""
    outputs = isl.united_by(
        (name, certain(s, s.write, s.domain.intersect_params(where), data).relation.range())
        for name in compared(*scops)
        for scop in scops
        for s in scop.statements
        if s.write.array == name
    )
    return {name: isl.coalesced(cells) for name, cells in outputs.items()}


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
    pair = isl.witness_pair(error.relation)
    assert pair is not None
    values, i, j = pair
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


# For which parameter values two programs are defined: what they assume, what keeps them inside
# their arrays, and that C's types hold what a text computes in them.


ABOVE: Final = re.compile(r"\b([A-Za-z_]\w*) > (-?\d+)\b")
"""`n > 0`, which people write `n >= 1`."""


@dataclass(frozen=True, eq=False)
class Both:
    """Where both are defined, `{ : where }`, of the values that are `possible`; and why not
    everywhere. `one_sided`: one of them is defined for other values than the other. `typed`: the
    values of the types of the parameters, which go without saying."""

    where: isl.Set
    possible: isl.Set
    why: tuple[str, ...]
    one_sided: bool
    typed: isl.Set

    def proved(self, parameters: tuple[str, ...]) -> Proof:
        condition = self._condition(parameters)
        answer = DEFINED if condition else SAME
        return Proof(answer, parameters=parameters, condition=condition, one_sided=self.one_sided)

    def _condition(self, parameters: tuple[str, ...]) -> str:
        """`n >= 1 (elsewhere the program after ...)`; "" where there is none."""
        if not self.why:
            return ""
        everywhere = self.possible.is_subset(self.where)
        where = "" if everywhere else condition_text(isl.coalesced(self.where.gist(self.possible)))
        where = ABOVE.sub(lambda m: f"{m[1]} >= {int(m[2]) + 1}", where)
        return " ".join(filter(None, (where, f"({'; '.join(self.why)})")))


def defined(before: Scop, after: Scop) -> Both:
    """Raises Unsuitable where there are no parameter values for which both are."""
    more = [p for p in after.parameters if p not in before.parameters]
    if more:
        raise Unsuitable(f"the program after has a parameter {more[0]} of its own")
    typed = in_types(before.parameters, before.parameter_types)
    same = {p: t for p, t in after.parameter_types.items() if p in before.parameter_types}
    given = before.assumed.intersect(typed)
    also = after.assumed.intersect(in_types(after.parameters, same))
    allows, also = given.subtract(endless(before, given)), also.subtract(endless(after, also))
    if allows.is_empty() and not given.is_empty():
        raise Unsuitable("a loop of the program before never ends")
    first, second = fits(before, allows), fits(after, also)
    own, others = allows.subtract(first.too_large), also.subtract(second.too_large)
    where = own.intersect(others)
    if where.is_empty() and not allows.is_empty():
        raise Unsuitable("the program after is for other parameter values")
    parts = dict.fromkeys(x for f in (first, second) for x in (*f.parts, *f.besides))
    narrow = [f"{listed(parts)} ha{'s' if len(parts) == 1 else 've'} to fit"] if parts else []
    selected = dict(_selected(before, after))
    fewer = [
        *_excluded("before", before, also.intersect(typed).subtract(allows)),
        *_excluded("after", after, allows.subtract(also)),
        *(f"{x} has to be a cell in both" for x in selected),
    ]
    one_sided = not own.is_subset(others) or not {*second.besides} <= {*first.besides}
    one_sided |= not all(selected.values())
    if after.parameter_types or after.narrow:  # else it is computed in 64 bits: nothing is lost
        one_sided |= not others.intersect(allows).is_subset(own)
        one_sided |= {*second.besides} != {*first.besides}
    possible = allows.union(also.intersect(typed))
    return Both(where, possible, (*fewer, *narrow), one_sided, typed)


def _selected(before: Scop, after: Scop) -> Iterator[tuple[str, bool]]:
    """Accesses of which data decides whether they are in an array that has other extents in the
    other program, and whether all that is in it before is after."""
    for name in before.arrays.keys() & after.arrays.keys():
        one, other = before.arrays[name], after.arrays[name]
        if not (one.sized and other.sized) or cells(one).is_equal(cells(other)):
            continue
        each = ((p, s) for p in (before, after) for s in p.statements)
        accesses = ((p, a) for p, s in each for a in (s.write, *s.reads) if a.array == name)
        chosen = (a for p, a in accesses if not a.must and _may_be_outside(p, a))
        fits_in = cells(one).is_subset(cells(other))
        yield from ((print_expression(a.node), fits_in) for a in islice(chosen, 1))


def _may_be_outside(scop: Scop, a: MemoryAccess) -> bool:
    """Whether data decides where an access is, and nothing shows that this is in the array."""
    reached = a.relation.range()
    open_ = [k for k in range(reached.dim(isl.SET)) if not a.relation.involves_dims(isl.OUT, k, 1)]
    types = Types({n: x.type for n, x in scop.arrays.items()}, scop.functions)
    for k in open_:
        known = limits(a.node.subscripts[k], types).known
        if known is not None:
            reached = reached.lower_bound_val(isl.SET, k, isl.Val(known[0]))
            reached = reached.upper_bound_val(isl.SET, k, isl.Val(known[1]))
    there = cells(scop.arrays[a.array])
    return bool(open_) and not reached.intersect_params(scop.assumed).is_subset(there)


def _excluded(which: str, scop: Scop, values: isl.Set) -> Iterator[str]:
    """Why one of the programs is not for some parameter values that the other one allows: what it
    assumes, or the first that it would access there out of bounds."""
    if values.is_empty():
        return
    required = values.intersect(scop.context)
    outside = "" if required.is_empty() else _out_of_bounds(which, scop, required)
    if not outside or not values.is_subset(scop.context):
        yield f"the program {which} is for no others"
    if outside:
        yield outside


def _out_of_bounds(which: str, scop: Scop, values: isl.Set) -> str:
    for s in scop.statements:
        for a in s.accesses:
            there = cells(replace(scop.arrays[a.array], sized=True))
            wrong = out_of_bounds(a, there).intersect_params(values)
            pair = isl.witness_pair(a.relation.intersect_domain(wrong))
            if pair is not None:
                point, _, index = pair
                verb = "writes" if a is s.write else "reads"
                cell = f"{cell_text(a.array, index)}, out of bounds"
                at = f", for {values_text(point)}" if point else ""
                return f"elsewhere the program {which} {verb} {cell}{at}"
    return ""
