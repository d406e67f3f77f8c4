"""Where a program's text accesses memory, loop by loop, beside the relations of these accesses.

What a compiler does to a loop (a load before it, a store after it) is an edit of the text; whether
it may is a question to the relations. Here is what leads from one to the other: the program with a
label on each statement, each access node with its `{ S[i] -> A[x] }`, and each loop with the
statements in it and the values of the iterators around it.
"""

from __future__ import annotations

from collections.abc import Iterator as Iter
from dataclasses import dataclass, replace

from polynb import isl
from polynb.scop.build import build
from polynb.scop.fresh_names import Names
from polynb.scop.model import MemoryAccess, Scop, Statement
from polynb.source import tree as syntax
from polynb.source.operators import evaluated
from polynb.source.scoplang.printer import print_expression
from polynb.source.types import INT32


@dataclass(frozen=True, eq=False)
class Use:
    """One access. `assign` is its statement in the text; `node` is where a scalar can stand
    instead, None where none can: in a subscript, in a condition, where data decides the cell.
    `sure`: it is made in every instance of its statement. `order` is that of the text."""

    statement: Statement
    access: MemoryAccess
    assign: syntax.Assign | None
    node: syntax.Access | None
    writes: bool
    sure: bool
    order: int

    @property
    def cell(self) -> str:
        """`A[i][j]`, as the text has it."""
        return print_expression(self.access.node if self.node is None else self.node)


@dataclass(frozen=True, eq=False)
class LoopSite:
    """A loop: the loops `outer` around it, the statements `block` that it is one of, and
    `place`, `{ [outer iterators] : ... }`, where it is come to. `uses` are those inside."""

    loop: syntax.For
    outer: tuple[syntax.For, ...]
    block: tuple[syntax.Stmt, ...]
    place: isl.Set
    uses: tuple[Use, ...]

    @property
    def depth(self) -> int:
        return len(self.outer)

    @property
    def iterators(self) -> tuple[str, ...]:
        return tuple(loop.iterator for loop in self.outer)

    @property
    def statements(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(u.statement.name for u in self.uses))


@dataclass(frozen=True, eq=False)
class ProgramUses:
    """A program with labels, its model, its uses in the order of the text, and its loops, outer
    ones before those inside them. `names` has everything that has a name."""

    program: syntax.Program
    scop: Scop
    uses: tuple[Use, ...]
    loops: tuple[LoopSite, ...]
    names: Names

    def of(self, assign: syntax.Assign) -> tuple[Use, ...]:
        return tuple(u for u in self.uses if u.assign is assign)


def program_uses(scop: Scop, program: syntax.Program) -> ProgramUses:
    """The uses and the loops of a Scop with its text."""
    names = _names(scop, program)
    program = replace(program, body=_labelled(program.body, iter(_labels(scop, program, names))))
    probe = names.unique("probe")
    probes: dict[int, str] = {}
    model = build(replace(program, body=_probed(program.body, probe, names, probes)))
    position = {s.name: k for k, s in enumerate(model.statements)}
    texts = {s.label: s for s in syntax.statements(program.body)}
    uses = tuple(u for s in model.statements if s.write.array != probe
                 for u in _uses(s, texts.get(s.name), position[s.name]))  # fmt: skip

    def site(
        loop: syntax.For, outer: tuple[syntax.For, ...], block: tuple[syntax.Stmt, ...]
    ) -> LoopSite:
        start = model.statements[position[probes[id(loop)]]]
        end = position[f"{probes[id(loop)]}_end"]
        inside = tuple(u for u in uses if position[start.name] < u.order < end)
        return LoopSite(loop, outer, block, start.domain.reset_tuple_id(), inside)

    loops = tuple(site(*found) for found in _loops(program.body, ()))
    return ProgramUses(program, model, uses, loops, names)


def _names(scop: Scop, program: syntax.Program) -> Names:
    taken = {*program.parameters, *scop.arrays, *syntax.accessed(program.body)}
    taken |= {d.name for d in program.declarations} | {s.name for s in scop.statements}
    taken |= {n for f in program.functions for n in (f.name, *f.arguments)}
    taken |= {loop.iterator for loop, _, _ in _loops(program.body, ())}
    roots = [e for s in syntax.statements(program.body) for e in (s.target, s.value)]
    roots += [f.body for f in program.functions]
    taken |= {x.function for e in roots for x in syntax.walk(e) if isinstance(x, syntax.Call)}
    taken |= {x.name for e in roots for x in syntax.walk(e) if isinstance(x, syntax.Let)}
    return Names(taken)


# -- the text -----------------------------------------------------------------------------


def _labels(scop: Scop, program: syntax.Program, names: Names) -> list[str]:
    """A label for each assignment: its own, or the name that the Scop has for it."""
    assigns = list(syntax.statements(program.body))
    if len(assigns) == len(scop.statements):
        return [s.name for s in scop.statements]
    return [s.label or names.fresh("S") for s in assigns]  # a condition has a statement of its own


def _labelled(body: tuple[syntax.Stmt, ...], labels: Iter[str]) -> tuple[syntax.Stmt, ...]:
    done: list[syntax.Stmt] = []
    for s in body:
        match s:
            case syntax.Assign():
                done.append(replace(s, label=next(labels)))
            case syntax.For():
                done.append(replace(s, body=_labelled(s.body, labels)))
            case syntax.If():
                then = _labelled(s.then, labels)
                done.append(replace(s, then=then, otherwise=_labelled(s.otherwise, labels)))
    return tuple(done)


def _probed(
    body: tuple[syntax.Stmt, ...], probe: str, names: Names, found: dict[int, str]
) -> tuple[syntax.Stmt, ...]:
    """The text with a statement before and one after each loop, whose domains and positions are
    those of the loop; `found` gets their names."""
    done: list[syntax.Stmt] = []
    for s in body:
        match s:
            case syntax.For():
                name = names.fresh(f"{probe}_at_")
                found[id(s)] = name
                inside = replace(s, body=_probed(s.body, probe, names, found))
                node, zero = syntax.Access(probe), syntax.Number(0, INT32)
                before, after = (
                    syntax.Assign(node, zero, label=n, span=s.span) for n in (name, f"{name}_end")
                )
                done += [before, inside, after]
            case syntax.If():
                then = _probed(s.then, probe, names, found)
                otherwise = _probed(s.otherwise, probe, names, found)
                done.append(replace(s, then=then, otherwise=otherwise))
            case _:
                done.append(s)
    return tuple(done)


def _loops(
    body: tuple[syntax.Stmt, ...], outer: tuple[syntax.For, ...]
) -> Iter[tuple[syntax.For, tuple[syntax.For, ...], tuple[syntax.Stmt, ...]]]:
    """Each loop with those around it and the statements that it is one of."""
    for s in body:
        match s:
            case syntax.For():
                yield s, outer, body
                yield from _loops(s.body, (*outer, s))
            case syntax.If():
                yield from _loops(s.then, outer)
                yield from _loops(s.otherwise, outer)


# -- the accesses -------------------------------------------------------------------------


def _uses(s: Statement, assign: syntax.Assign | None, order: int) -> Iter[Use]:
    """The reads, then the write. `s.reads` has those of the value first, in the order of `walk`;
    the model's nodes may be others than the text's (C's divisions)."""
    nodes: list[syntax.Access] = []
    sure: set[int] = set()
    if assign is not None:
        nodes = [x for x in syntax.walk(assign.value) if isinstance(x, syntax.Access)]
        sure = evaluated(assign.value) if s.guard is None else sure
    subscripts = {id(x) for n in nodes for e in n.subscripts for x in syntax.walk(e)}
    for k, r in enumerate(s.reads):
        node = nodes[k] if k < len(nodes) else None
        always = node is not None and r.must and id(node) in sure
        if node is not None and (id(node) in subscripts or not r.must):
            node = None
        yield Use(s, r, assign, node, False, always, order)
    always = s.guard is None and s.write.must
    known = s.write.relation.is_single_valued() and assign is not None
    node = assign.target if known and assign is not None else None
    if any(isinstance(x, syntax.Access) for e in (node.subscripts if node else ())
           for x in syntax.walk(e)):  # fmt: skip
        node = None
    yield Use(s, s.write, assign, node, True, always, order)
