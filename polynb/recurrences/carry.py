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

from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from polynb import isl
from polynb.derivation import Derivation, Sentence, Step, as_scop, derivation
from polynb.errors import PolynbError
from polynb.recurrences.innermost import Refusal
from polynb.recurrences.plan_shifted import ShiftedPlan, plan_shifted
from polynb.recurrences.plan_tables import TablePlan, plan_tables
from polynb.recurrences.scalars import make_scalars
from polynb.recurrences.strip_mine import Strips
from polynb.recurrences.strips import make_strips, unsuited
from polynb.recurrences.tables import make_tables
from polynb.recurrences.tree import Insertion, StripLoops, inserted
from polynb.rewriting.expansion import copied_tree
from polynb.rewriting.remainders import plain_remainders
from polynb.schedules.bands import with_schedule
from polynb.scop.arrays import any_live_in
from polynb.scop.fresh_names import Names, global_names
from polynb.scop.model import Array, Scop, Statement
from polynb.scop.schedule import Tree
from polynb.scop.storage import in_memory
from polynb.scop.witness import Witness
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


@derivation(paper="CC'18")
def carry_recurrences(
    scop: Scop, *, form: str = "scalars", least: int = LEAST, strip: int = STRIP
) -> Generator[Step, None, Scop]:
    """Keep what the next iterations of the innermost loop would compute again (CC'18, section
    5.4), to any order, and recurrences on recurrences.

    `form`: "scalars" is the paper's: each iteration gets values from the one before, which keeps
    the loop from running in vectors or in parallel. "strips" computes the values of `strip`
    iterations at a time into small buffers: see `strips.py`; and so those of copies that differ
    in more than a shift, but take few values: see `tables.py` (a statement that gets those gets no
    others).

    Claims that the result computes the same values, bit for bit: copies of one subexpression at
    different offsets are the same computation on the same cells, in which the loop writes nothing
    in between (a statement where it does is left as it is; the step has a witness). Scalars and
    buffers are temporaries, marked as private to one run of the loop or strip, so that loops
    around it may run in parallel. `least`: the operations that a value must take. Raises
    PolynbError for an unknown form.
    """
    if form not in FORMS:
        raise PolynbError(f"there is no form={form!r}", hint=" or ".join(f'"{f}"' for f in FORMS))
    plain = plain_remainders(in_memory(scop))
    maker = _Maker(plain, form, least, strip)
    draft = Draft(plain.schedule, plain.arrays, {s.name: (s,) for s in plain.statements})
    for s in plain.statements:
        with isl.wrapped():
            recurrences = maker.recurrences(s, draft)
        match recurrences:
            case Refusal(reason, witness):
                yield NotCarried(s.name, reason, witness)
            case (draft, step):
                yield step
    with isl.wrapped():
        return scop if draft.tree is plain.schedule else draft.of(plain)


@dataclass(frozen=True, eq=False)
class Draft:
    """What a program becomes: the tree, the arrays, the statements that each of its own becomes,
    and which arrays are `buffers` of strips."""

    tree: Tree
    arrays: Mapping[str, Array]
    becomes: Mapping[str, tuple[Statement, ...]]
    buffers: frozenset[str] = frozenset()

    def of(self, scop: Scop) -> Scop:
        """The program `scop` so far."""
        statements = tuple(x for s in scop.statements for x in self.becomes[s.name])
        return with_schedule(replace(scop, arrays=self.arrays, statements=statements), self.tree)

    def inserted(
        self, new: Insertion, statements: Iterable[Statement], arrays: Iterable[Array]
    ) -> Draft:
        """With new statements and arrays around one statement."""
        return replace(
            self,
            tree=inserted(self.tree, tuple(self.becomes), new),
            arrays={**self.arrays, **{a.name: a for a in arrays}},
            becomes={**self.becomes, new.statement: tuple(statements)},
        )


Found = tuple[Draft, Step]
"""The program with one statement's recurrences, and what is said of them."""


class _Maker:
    """Finds the recurrences of a program's statements. Of what it makes it keeps only the names
    that it has given away."""

    def __init__(self, scop: Scop, form: str, least: int, strip: int) -> None:
        self.scop, self.form, self.least, self.strip = scop, form, least, strip
        self.types = Types({n: a.type for n, a in scop.arrays.items()}, scop.functions)
        iterators = {i for s in scop.statements for i in s.iterators}
        self.names = Names(global_names(scop) | iterators)
        self.labels = Names(s.name for s in scop.statements)

    def recurrences(self, s: Statement, draft: Draft) -> Found | Refusal | None:
        """What a statement gets, why it gets nothing, or None if nothing repeats."""
        if self.form == "scalars":
            return self.in_scalars(s, draft)
        tables = self.in_tables(s, draft)
        if isinstance(tables, tuple):
            return tables
        return self.in_strips(s, draft) or tables

    def in_scalars(self, s: Statement, draft: Draft) -> Found | Refusal | None:
        """The copies that differ by a shift in scalars."""
        p = plan_shifted(self.scop, s, self.least, self.types)
        if not isinstance(p, ShiftedPlan):
            return p
        made = make_scalars(p, self.names, self.labels, self.types, self.scop.assumed)
        new = Insertion(
            s.name,
            _names(made.first),
            _names(made.before),
            _names(made.after),
            private=tuple(a.name for a in made.arrays),
        )
        after = draft.inserted(new, made.statements, made.arrays)
        return after, Carried(s.name, p.innermost.iterator, made.scalars)

    def in_strips(self, s: Statement, draft: Draft) -> Found | Refusal | None:
        """The copies that differ by a shift in strips."""
        p = plan_shifted(self.scop, s, self.least, self.types)
        if not isinstance(p, ShiftedPlan):
            return p
        refused = unsuited(self.scop, p, self.types)
        if refused is not None:
            return refused
        made = make_strips(p, self.names, self.labels, self.types, self.strip)
        held = tuple((a.name,) for a in made.arrays)
        return self.cut(s, draft, made), Carried(s.name, p.innermost.iterator, held)

    def in_tables(self, s: Statement, draft: Draft) -> Found | Refusal | None:
        """The copies that differ in other ways in tables, unless those would have cells that
        nothing has written yet."""
        p = plan_tables(self.scop, s, self.least, self.types, self.strip)
        if not isinstance(p, TablePlan):
            return p
        made = make_tables(self.scop, p, self.names, self.labels, self.types)
        if isinstance(made, Refusal):
            return made
        after = self.cut(s, draft, made)
        result = after.of(self.scop)
        for array in {r.array for loop in made.filling for x in loop for r in x.reads}:
            a = result.arrays[array]
            if a.role == "input" or a.live_in:
                continue
            if any_live_in(array, result.statements, self.scop.assumed, private=True):
                return Refusal(f"a table would have cells of {array} that nothing wrote")
        tables = tuple(a.name for a in made.arrays)
        return after, Tabulated(s.name, p.innermost.iterator, tables)

    def cut(self, s: Statement, draft: Draft, made: Strips) -> Draft:
        """The innermost loop of a statement in strips."""
        loops = tuple(_names(loop) for loop in made.filling)
        first = tuple(x for loop in made.filling for x in loop)
        new = Insertion(
            s.name,
            _names(first),
            before=(),
            after=(),
            private=tuple(a.name for a in made.arrays),
            strips=StripLoops(self.strip, loops, draft.buffers),
            like=made.like,
            loops=made.loops,
        )
        draft = replace(
            draft,
            tree=copied_tree(draft.tree, s.name, made.numbered),
            buffers=draft.buffers | {*new.private},
        )
        return draft.inserted(new, (*first, made.own), made.arrays)


def _names(statements: Iterable[Statement]) -> tuple[str, ...]:
    return tuple(s.name for s in statements)


# What is decided about recurrences, in sentences.


@dataclass(frozen=True, eq=False)
class Carried(Step):
    """A statement's repeated computations are kept in scalars (CC'18, section 5.4).

    `scalars` has for each computation the scalars that hold its values, the newest last, or the
    one buffer that holds those of a strip; `iterator` is the loop along which they are used.
    """

    statement: str
    iterator: str
    scalars: tuple[tuple[str, ...], ...]

    @property
    def about(self) -> tuple[str, ...]:
        return (self.statement, *(name for group in self.scalars for name in group))

    @property
    def sentence(self) -> Sentence:
        count = len(self.scalars)
        order = max(len(group) for group in self.scalars) - 1
        said = ("; " if order else ", ").join(", ".join(group) for group in self.scalars)
        text = "{statement} computes {what} once per iteration of {iterator} and "
        text += "passes {them} on in scalars ({said}; order {order})."
        if not order:
            text = "{statement} computes {what} once per iteration of {iterator}, a strip at a "
            text += "time in {said}."
        return text, {
            "statement": self.statement,
            "what": "a repeated part" if count == 1 else f"{count} repeated parts",
            "them": "it" if count == 1 else "them",
            "iterator": self.iterator,
            "said": said,
            "order": order,
        }


@dataclass(frozen=True, eq=False)
class Tabulated(Step):
    """What a statement computes again and again at few different subscripts is kept in tables, for
    a strip of the loop along `iterator` at a time."""

    statement: str
    iterator: str
    tables: tuple[str, ...]

    @property
    def about(self) -> tuple[str, ...]:
        return (self.statement, *self.tables)

    @property
    def sentence(self) -> Sentence:
        text = (
            "{statement} looks up {what} in {tables}, filled for a strip of {iterator} at a time."
        )
        return text, {
            "statement": self.statement,
            "what": "a repeated part" if len(self.tables) == 1 else "repeated parts",
            "tables": ", ".join(self.tables),
            "iterator": self.iterator,
        }


@dataclass(frozen=True, eq=False)
class NotCarried(Step):
    """A statement whose computations repeat keeps them all; `witness`, where there is one, proves
    the reason: a write ("writer") before the read ("reader") that it spoils."""

    statement: str
    reason: str
    witness: Witness | None = None

    @property
    def about(self) -> tuple[str, ...]:
        return (self.statement,)

    @property
    def sentence(self) -> Sentence:
        text = "{statement} has no recurrences: {reason}{witness}."
        said = {"statement": self.statement, "reason": self.reason, "witness": ""}
        if (w := self.witness) is not None:
            proof = f"{w['writer']} before {w['reader']} reads it"
            said["witness"] = f" ({w.at_values(proof)})"
        return text, said
