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

from collections.abc import Generator, Iterable
from dataclasses import replace
from typing import Final

from polynb import isl
from polynb.codegen.names import Names, global_names
from polynb.codegen.recurrences_plan import Plan, plan
from polynb.codegen.recurrences_statements import make
from polynb.codegen.recurrences_steps import Carried, NotCarried
from polynb.codegen.recurrences_strips import make_strips, unsuited
from polynb.codegen.recurrences_tree import Insertion, inserted, numbered
from polynb.codegen.remainders import plain_remainders
from polynb.derivation import Derivation, Step, as_scop, derivation
from polynb.errors import PolynbError
from polynb.scop.model import Scop, Statement
from polynb.scop.schedule import times
from polynb.source.type_inference import Types

LEAST: Final = 2
"""Operations: what takes less is computed again."""
STRIP: Final = 256
"""Iterations whose values are in a buffer at a time: a few kilobytes for each value."""
FORMS: Final = ("scalars", "strips")


def with_recurrences(
    program: Scop | Derivation, *, form: str = "scalars", least: int = LEAST
) -> Scop:
    """The program with recurrences wherever they are legal; see `carry_recurrences`."""
    return carry_recurrences(as_scop(program), form=form, least=least).result


@derivation
def carry_recurrences(
    scop: Scop, *, form: str = "scalars", least: int = LEAST, strip: int = STRIP
) -> Generator[Step, None, Scop]:
    """Keep what the next iterations of the innermost loop would compute again (CC'18, section
    5.4), to any order, and recurrences on recurrences.

    `form`: "scalars" is the paper's: each iteration gets values from the one before, which keeps
    the loop from running in vectors or in parallel. "strips" computes the values of `strip`
    iterations at a time into small buffers: see `recurrences_strips`.

    Claims that the result computes the same values, bit for bit: copies of one subexpression at
    different offsets are the same computation on the same cells, in which the loop writes nothing
    in between (a statement where it does is left as it is; the step has a witness). Scalars and
    buffers are temporaries, marked as private to one run of the loop or strip, so that loops
    around it may run in parallel. `least`: the operations that a value must take. Raises
    PolynbError for an unknown form.
    """
    if form not in FORMS:
        raise PolynbError(f"there is no form={form!r}", hint=" or ".join(f'"{f}"' for f in FORMS))
    given, scop = scop, plain_remainders(scop)
    types = Types({n: a.type for n, a in scop.arrays.items()}, scop.functions)
    builder = _Builder(scop, types, strip if form == "strips" else None)
    for s in scop.statements:
        with isl.wrapped():
            found = plan(scop, s, least, types)
            if isinstance(found, Plan) and builder.strip is not None:
                found = unsuited(scop, found, types) or found
            if isinstance(found, Plan):
                yield builder.add(found)
            elif found is not None:
                yield NotCarried(s.name, found.reason, found.witness)
    with isl.wrapped():
        result = builder.result()
    return given if result is scop else result


class _Builder:
    """Adds recurrences to a program, statement by statement."""

    def __init__(self, scop: Scop, types: Types, strip: int | None) -> None:
        self.scop, self.types, self.strip = scop, types, strip
        self.names = Names(global_names(scop))
        self.labels = Names(s.name for s in scop.statements)
        self.tree, self.arrays = scop.schedule, dict(scop.arrays)
        self.becomes = {s.name: [s] for s in scop.statements}

    def add(self, p: Plan) -> Carried:
        name = p.statement.name
        if self.strip is None:
            made = make(p, self.names, self.labels, self.types, self.scop.assumed)
            parts = [_names(part) for part in (made.first, made.before, made.after)]
            new = Insertion(name, parts[0], parts[1], parts[2], tuple(a.name for a in made.arrays))
            held, statements, arrays = made.scalars, made.statements, made.arrays
        else:
            strips = make_strips(p, self.names, self.labels, self.types, self.strip)
            self.tree = numbered(self.tree, name, strips.numbered)
            buffers = tuple(a.name for a in strips.arrays)
            loops = tuple(_names(loop) for loop in strips.filling)
            filling = tuple(s for loop in strips.filling for s in loop)
            new = Insertion(name, _names(filling), (), (), buffers, (self.strip, loops))
            statements, arrays = (*filling, strips.own), strips.arrays
            held = tuple((b,) for b in buffers)
        self.tree = inserted(self.tree, _names(self.scop.statements), new)
        self.arrays |= {a.name: a for a in arrays}
        self.becomes[name] = list(statements)
        return Carried(name, p.row.iterator, held)

    def result(self) -> Scop:
        if self.tree is self.scop.schedule:
            return self.scop
        statements = [x for s in self.scop.statements for x in self.becomes[s.name]]
        when = times(self.tree, {s.name: s.domain for s in statements})
        timed = tuple(replace(s, schedule=when[s.name]) for s in statements)
        return replace(
            self.scop, arrays=self.arrays, statements=timed, schedule=self.tree, program=None
        )


def _names(statements: Iterable[Statement]) -> tuple[str, ...]:
    return tuple(s.name for s in statements)
