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
from polynb.derivation import Derivation, Step, as_scop, derivation
from polynb.errors import PolynbError
from polynb.recurrences.innermost import Refusal
from polynb.recurrences.plan_shifted import Plan, plan
from polynb.recurrences.plan_tables import TablePlan, plan_tables
from polynb.recurrences.scalars import make
from polynb.recurrences.steps import Carried, NotCarried, Tabulated
from polynb.recurrences.strip_mine import Strips
from polynb.recurrences.strips import make_strips, unsuited
from polynb.recurrences.tables import make_tables
from polynb.recurrences.tree import Insertion, inserted
from polynb.rewriting.expansion import copied_tree
from polynb.rewriting.remainders import plain_remainders
from polynb.scop.arrays import any_live_in
from polynb.scop.fresh_names import Names, global_names
from polynb.scop.model import Array, Scop, Statement
from polynb.scop.schedule import times
from polynb.scop.storage import in_memory
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
    iterations at a time into small buffers: see `recurrences_strips`; and so those of copies that
    differ in more than a shift, but take few values: see `recurrences_tables` (a statement that
    gets those gets no others).

    Claims that the result computes the same values, bit for bit: copies of one subexpression at
    different offsets are the same computation on the same cells, in which the loop writes nothing
    in between (a statement where it does is left as it is; the step has a witness). Scalars and
    buffers are temporaries, marked as private to one run of the loop or strip, so that loops
    around it may run in parallel. `least`: the operations that a value must take. Raises
    PolynbError for an unknown form.
    """
    if form not in FORMS:
        raise PolynbError(f"there is no form={form!r}", hint=" or ".join(f'"{f}"' for f in FORMS))
    given, scop = scop, plain_remainders(in_memory(scop))
    types = Types({n: a.type for n, a in scop.arrays.items()}, scop.functions)
    builder = _Builder(scop, types, strip)
    for s in scop.statements:
        with isl.wrapped():
            made: Step | Refusal | None = builder.tables(s, least) if form == "strips" else None
            if not isinstance(made, Step):
                made = builder.shifted(s, least, form) or made
        if isinstance(made, Refusal):
            yield NotCarried(s.name, made.reason, made.witness)
        elif made is not None:
            yield made
    with isl.wrapped():
        result = builder.result()
    return given if result is scop else result


class _Builder:
    """Adds recurrences to a program, statement by statement."""

    def __init__(self, scop: Scop, types: Types, strip: int) -> None:
        self.scop, self.types, self.strip = scop, types, strip
        iterators = {i for s in scop.statements for i in s.iterators}
        self.names = Names(global_names(scop) | iterators)
        self.buffers: frozenset[str] = frozenset()  # of all strips so far
        self.labels = Names(s.name for s in scop.statements)
        self.tree, self.arrays = scop.schedule, dict(scop.arrays)
        self.becomes = {s.name: [s] for s in scop.statements}

    def shifted(self, s: Statement, least: int, form: str) -> Carried | Refusal | None:
        """The copies that differ by a shift in scalars, or in strips."""
        p = plan(self.scop, s, least, self.types)
        if isinstance(p, Plan) and form == "strips":
            p = unsuited(self.scop, p, self.types) or p
        if not isinstance(p, Plan):
            return p
        if form == "strips":
            strips = make_strips(p, self.names, self.labels, self.types, self.strip)
            self.in_strips(s, strips)
            held = tuple((a.name,) for a in strips.arrays)
            return Carried(s.name, p.row.iterator, held)
        made = make(p, self.names, self.labels, self.types, self.scop.assumed)
        first, before, after = (_names(part) for part in (made.first, made.before, made.after))
        new = Insertion(s.name, first, before, after, tuple(a.name for a in made.arrays))
        self.insert(new, made.statements, made.arrays)
        return Carried(s.name, p.row.iterator, made.scalars)

    def tables(self, s: Statement, least: int) -> Tabulated | Refusal | None:
        """The copies that differ in other ways in tables, unless those would have cells that
        nothing has written yet."""
        p = plan_tables(self.scop, s, least, self.types, self.strip)
        if not isinstance(p, TablePlan):
            return p
        made = make_tables(self.scop, p, self.names, self.labels, self.types)
        if isinstance(made, Refusal):
            return made
        before = self.tree, self.arrays, dict(self.becomes)
        self.in_strips(s, made)
        result = self.result()
        for array in {r.array for loop in made.filling for x in loop for r in x.reads}:
            a = result.arrays[array]
            if a.role != "input" and not a.live_in:
                context = self.scop.assumed
                if any_live_in(array, result.statements, context, private=True):
                    self.tree, self.arrays, self.becomes = before
                    return Refusal(f"a table would have cells of {array} that nothing wrote")
        return Tabulated(s.name, p.row.iterator, tuple(a.name for a in made.arrays))

    def in_strips(self, s: Statement, made: Strips) -> None:
        self.tree = copied_tree(self.tree, s.name, made.numbered)
        loops = tuple(_names(loop) for loop in made.filling)
        first = tuple(x for loop in made.filling for x in loop)
        buffers = tuple(a.name for a in made.arrays)
        strips = self.strip, loops, self.buffers
        new = Insertion(s.name, _names(first), (), (), buffers, strips, made.like, made.loops)
        self.buffers |= set(buffers)
        self.insert(new, (*first, made.own), made.arrays)

    def insert(
        self, new: Insertion, statements: Iterable[Statement], arrays: Iterable[Array]
    ) -> None:
        self.tree = inserted(self.tree, _names(self.scop.statements), new)
        self.arrays = self.arrays | {a.name: a for a in arrays}
        self.becomes[new.statement] = list(statements)

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
