"""For which parameter values two programs are defined: what they assume, what keeps them inside
their arrays, and that C's types hold what a text computes in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from polynb import isl
from polynb.proofs.accesses import Unsuitable
from polynb.proofs.answers import Proof
from polynb.run.arguments import condition_text
from polynb.run.verdicts import DEFINED, SAME
from polynb.scop.arrays import cells, out_of_bounds
from polynb.scop.model import Scop
from polynb.scop.narrow import fits, in_types
from polynb.scop.witness import cell_text, values_text
from polynb.words import listed

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
    allows = before.assumed.intersect(typed)
    also = after.assumed.intersect(in_types(after.parameters, same))
    first, second = fits(before, allows), fits(after, also)
    own, others = allows.subtract(first.too_large), also.subtract(second.too_large)
    where = own.intersect(others)
    if where.is_empty() and not allows.is_empty():
        raise Unsuitable("the program after is for other parameter values")
    parts = dict.fromkeys(x for f in (first, second) for x in (*f.parts, *f.besides))
    narrow = [f"{listed(parts)} ha{'s' if len(parts) == 1 else 've'} to fit"] if parts else []
    fewer = [
        *_excluded("before", before, also.intersect(typed).subtract(allows)),
        *_excluded("after", after, allows.subtract(also)),
    ]
    one_sided = not own.is_subset(others) or not {*second.besides} <= {*first.besides}
    if after.parameter_types or after.narrow:  # else it is computed in 64 bits: nothing is lost
        one_sided |= not others.intersect(allows).is_subset(own)
        one_sided |= {*second.besides} != {*first.besides}
    possible = allows.union(also.intersect(typed))
    return Both(where, possible, (*fewer, *narrow), one_sided, typed)


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
        for a in (*s.reads, s.write):
            there = cells(replace(scop.arrays[a.array], sized=True))
            wrong = out_of_bounds(a, there).intersect_params(values)
            found = isl.witness_pair(a.relation.intersect_domain(wrong))
            if found is not None:
                point, _, index = found
                verb = "writes" if a is s.write else "reads"
                cell = f"{cell_text(a.array, index)}, out of bounds"
                at = f", for {values_text(point)}" if point else ""
                return f"elsewhere the program {which} {verb} {cell}{at}"
    return ""
