"""Temporary arrays that a schedule leaves one live cell of at a time become scalars."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence as Seq
from dataclasses import replace
from typing import TypeVar

from polynb import isl
from polynb.arguments import optional, several_names
from polynb.dependences.analysis import analyze
from polynb.derivation import Derivation, as_scop
from polynb.errors import PolynbError
from polynb.legality.private import marked_private, private_parts, runs_of
from polynb.schedules.privatizing import privatize, why_several
from polynb.schedules.tiled_dependences import untiled
from polynb.scop.access import with_accesses, with_relations
from polynb.scop.model import MemoryAccess, Scop, Statement
from polynb.scop.storage import in_memory

_T = TypeVar("_T")


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
    scop = in_memory(as_scop(program))
    names = optional(several_names, "arrays", arrays)
    given = scop.temporaries if names is None else names
    plain, chosen = untiled(scop), []
    known = analyze(plain)
    for name in dict.fromkeys(given):
        why = why_several(plain, name, known)
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
    with isl.wrapped():
        marked = (n for n in marked_private(scop.schedule) if scop.arrays[n].extents)
        arrays = [n for n in marked if _has_one_cell(scop, n)]
    if not arrays:
        return scop
    with isl.wrapped():
        plain = untiled(scop)
        known = analyze(plain)
        arrays = [n for n in arrays if why_several(plain, n, known) is None]
    for name in arrays:
        scop = _as_scalar(scop, name)
    return scop


def _has_one_cell(scop: Scop, name: str) -> bool:
    """Whether no instance touches several cells of an array, which is to be said before its flow is
    looked at."""
    for s in scop.statements:
        own = [a.relation for a in s.accesses if a.array == name]
        cells = [r.intersect_params(scop.assumed) for r in own]
        if len(cells) > 1 and not isl.united(cells).is_single_valued():
            return False
    return True


def without_runs(scop: Scop, before: Scop) -> Scop:
    """The program whose private arrays have no dimensions that tell the runs apart of what is below
    their marks, as c in `A[c, x]` below a loop over c: what kernels do. `before` is the same
    program before some of its loops became parallel.

    Claims that it computes the same as long as the runs follow each other, or each thread has
    arrays of its own: no value is handed from one run to another.
    """
    marked = [n for n in marked_private(before.schedule) if before.arrays[n].extents]
    private = private_parts(before, (e for n in marked for e in analyze(before).flow(n).edges))
    for name in marked:
        parts, several = private.get(name, ()), range(len(before.arrays[name].extents))
        same = [k for k in several if parts and all(_one(before, name, k, p) for p in parts)]
        scop = _without(scop, name, same) if same else scop
    return scop


def _one(scop: Scop, name: str, k: int, runs: Mapping[str, isl.Map]) -> bool:
    """Whether `{ [t] -> [x_k] }`, of the cells that each run touches, is a function."""
    touched = [*runs_of(name, scop, runs, k)]
    return not touched or bool(isl.united(touched).is_injective())


def _without(scop: Scop, name: str, dimensions: Collection[int]) -> Scop:
    """The program in which an array does not have some dimensions."""

    def left(things: Iterable[_T]) -> tuple[_T, ...]:
        return tuple(x for k, x in enumerate(things) if k not in dimensions)

    def moved(a: MemoryAccess) -> MemoryAccess:
        relation = a.relation.reset_tuple_id(isl.OUT)
        for k in sorted(dimensions, reverse=True):
            relation = relation.project_out(isl.OUT, k, 1)
        node = replace(a.node, subscripts=left(a.node.subscripts))
        return replace(a, relation=relation.set_tuple_name(isl.OUT, name), node=node)

    statements = []
    for s in scop.statements:
        own = [a for a in s.accesses if a.array == name]
        statements.append(with_accesses(s, {id(a): moved(a) for a in own}) if own else s)
    array = replace(scop.arrays[name], extents=left(scop.arrays[name].extents))
    arrays = {**scop.arrays, name: array}
    return replace(scop, arrays=arrays, statements=tuple(statements), program=None)


def _as_scalar(scop: Scop, name: str) -> Scop:
    array = replace(scop.arrays[name], extents=(), sized=False, why="contracted to a scalar")
    statements = tuple(_scalar(s, name, scop.assumed) for s in scop.statements)
    arrays = {**scop.arrays, name: array}
    return replace(scop, arrays=arrays, statements=statements, program=None)


def _scalar(s: Statement, name: str, assumed: isl.Set) -> Statement:
    """The statement with each of its accesses of an array as one of a scalar of that name."""
    accesses = {id(a): a.relation for a in s.accesses if a.array == name}
    if not accesses:
        return s
    space = s.domain.get_space()
    cell = space.map_from_domain_and_range(space.params().add_unnamed_tuple_ui(0))
    relation = isl.Map.universe(cell).set_tuple_name(isl.OUT, name)
    return with_relations(s, dict.fromkeys(accesses, relation), assumed)
