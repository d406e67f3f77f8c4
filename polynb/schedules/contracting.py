"""Temporary arrays that a schedule leaves one live cell of at a time become scalars."""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import replace

from polynb import isl
from polynb.arguments import optional, several_names
from polynb.derivation import Derivation, as_scop
from polynb.errors import PolynbError
from polynb.legality.private import marked_private
from polynb.schedules.privatizing import privatize, why_several
from polynb.schedules.tiled_dependences import untiled
from polynb.scop.model import MemoryAccess, Scop, Statement
from polynb.source import tree as syntax


@isl.bounded("contracting")
def contract(program: Scop | Derivation, arrays: str | Seq[str] | None = None) -> Scop:
    """The program with temporary arrays as scalars, each private to an iteration.

    An array can be contracted where all value-based flow through it stays within one iteration of
    the loops around some place (as `privatize` finds it), and one iteration touches one cell of it
    only, `{ [t] -> A[x] }` being a function: which cell that is no longer matters then. `arrays`:
    names; all that can be, by default. Raises PolynbError, with the reason, for a name that cannot
    be contracted. (Contraction of live ranges that are local; section 1 of the paper tells why
    array expansion followed by contraction does not give this.)
    """
    scop = as_scop(program)
    names = optional(several_names, "arrays", arrays)
    given = scop.temporaries if names is None else names
    plain, chosen = untiled(scop), []
    for name in dict.fromkeys(given):
        why = why_several(plain, name)
        if why is None and scop.arrays[name].extents:
            chosen.append(name)
        elif why is not None and names is not None:
            raise PolynbError(f"{name} cannot be contracted to a scalar", reason=why)
    scalars = scop
    for name in chosen:
        scalars = _as_scalar(scalars, name)
    return privatize(scalars, chosen) if chosen else scop


def contract_marked(scop: Scop) -> Scop:
    """The program with those arrays as scalars that marks say are private and of which an iteration
    needs one cell: what kernels do."""
    arrays = [n for n in marked_private(scop.schedule) if scop.arrays[n].extents]
    if not arrays:
        return scop
    with isl.wrapped():
        plain = untiled(scop)
        arrays = [n for n in arrays if why_several(plain, n) is None]
    for name in arrays:
        scop = _as_scalar(scop, name)
    return scop


def _as_scalar(scop: Scop, name: str) -> Scop:
    array = replace(scop.arrays[name], extents=(), sized=False, why="contracted to a scalar")
    statements = tuple(_statement(s, name) for s in scop.statements)
    arrays = {**scop.arrays, name: array}
    return replace(scop, arrays=arrays, statements=statements, program=None)


def _statement(s: Statement, name: str) -> Statement:
    if not any(a.array == name for a in (*s.reads, s.write)):
        return s
    done: dict[int, syntax.Expr] = {}

    def rewritten(e: syntax.Expr) -> syntax.Expr:
        return syntax.rebuild(e, leaf, done)

    def leaf(e: syntax.Expr, parts: tuple[syntax.Expr, ...]) -> syntax.Expr:
        if isinstance(e, syntax.Access) and e.array == name:
            return replace(e, subscripts=())
        same = all(a is b for a, b in zip(parts, syntax.children(e), strict=True))
        return e if same else syntax.with_children(e, parts)

    def access(a: MemoryAccess) -> MemoryAccess:
        node = rewritten(a.node)
        assert isinstance(node, syntax.Access)
        if a.array != name:
            return replace(a, node=node)
        dims = a.relation.dim(isl.OUT)
        relation = a.relation.project_out(isl.OUT, 0, dims).set_tuple_name(isl.OUT, name)
        return replace(a, node=node, relation=relation)

    expression = rewritten(s.expression)
    guard = None if s.guard is None else rewritten(s.guard)
    reads = tuple(map(access, s.reads))
    return replace(s, expression=expression, guard=guard, reads=reads, write=access(s.write))
