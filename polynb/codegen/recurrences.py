"""Higher-order recurrences: values that iterations pass on in scalars (CC'18, section 5.4).

After propagation a statement may compute `f(j-1) + f(j) + f(j+1)` in each iteration of its
innermost loop; two of the three values were there an iteration earlier. So the newest is computed,
and scalars hold the others (paper, Figure 10; its `t2 = f(2)` must be `f(j+1)`):

    t0 = f(0); t1 = f(1);
    for j = 1 to N-1 do
      t2 = f(j+1);
      Out[j] = t0 + t1 + t2;
      t0 = t1; t1 = t2;
    done
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import Final

from polynb import isl
from polynb.codegen.names import Names, global_names
from polynb.codegen.recurrences_place import Refusal
from polynb.codegen.recurrences_plan import Plan, plan
from polynb.codegen.recurrences_statements import make
from polynb.codegen.recurrences_steps import Carried, NotCarried
from polynb.codegen.recurrences_tree import Insertion, inserted
from polynb.derivation import Derivation, Step, as_scop, derivation
from polynb.scop.model import Scop, Statement
from polynb.scop.schedule import times
from polynb.source.type_inference import Types

LEAST: Final = 2
"""Operations: what takes less is computed again."""


def with_recurrences(program: Scop | Derivation, *, least: int = LEAST) -> Scop:
    """The program with recurrences wherever they are legal; see `carry_recurrences`."""
    return carry_recurrences(as_scop(program), least=least).result


@derivation
def carry_recurrences(scop: Scop, *, least: int = LEAST) -> Generator[Step, None, Scop]:
    """Keep in scalars what the next iterations of the innermost loop would compute again (CC'18,
    section 5.4), to any order, and recurrences on recurrences.

    Claims that the result computes the same values, bit for bit: copies of one subexpression at
    different offsets are the same computation on the same cells, in which the loop writes nothing
    in between (a statement where it does is left as it is; the step has a witness). The scalars
    are temporaries, marked as private to one run of the loop, so that loops around it may still
    run in parallel; the loop itself no longer can. `least`: the operations that a value must take.
    """
    plans = []
    types = Types({n: a.type for n, a in scop.arrays.items()}, scop.functions)
    for s in scop.statements:
        with isl.wrapped():
            found = plan(scop, s, least, types)
        if isinstance(found, Refusal):
            yield NotCarried(s.name, found.reason, found.witness)
        elif found is not None:
            plans.append(found)
    if not plans:
        return scop
    with isl.wrapped():
        result, steps = _applied(scop, plans, types)
    yield from steps
    return result


def _applied(scop: Scop, plans: list[Plan], types: Types) -> tuple[Scop, list[Step]]:
    """The program with all these recurrences, and a step for each statement that has some."""
    names, labels = Names(global_names(scop)), Names(s.name for s in scop.statements)
    listed = tuple(s.name for s in scop.statements)
    tree, arrays, steps = scop.schedule, dict(scop.arrays), list[Step]()
    becomes: dict[str, tuple[Statement, ...]] = {s.name: (s,) for s in scop.statements}
    for p in plans:
        made = make(p, names, labels, types, scop.assumed)
        first, before, after = (
            tuple(x.name for x in part) for part in (made.first, made.before, made.after)
        )
        private = tuple(a.name for a in made.arrays)
        new = Insertion(p.statement.name, first, before, after, private)
        tree = inserted(tree, listed, new)
        arrays |= {a.name: a for a in made.arrays}
        becomes[p.statement.name] = made.statements
        steps.append(Carried(p.statement.name, p.row.iterator, made.scalars))
    statements = [x for s in scop.statements for x in becomes[s.name]]
    when = times(tree, {s.name: s.domain for s in statements})
    timed = tuple(replace(s, schedule=when[s.name]) for s in statements)
    result = replace(scop, arrays=arrays, statements=timed, schedule=tree, program=None)
    return result, steps
