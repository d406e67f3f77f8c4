"""Temporaries that each iteration can have for itself, so that the loops around run in parallel."""

from __future__ import annotations

from collections.abc import Iterable, Sequence as Seq
from dataclasses import replace
from typing import assert_never

from polynb import isl
from polynb.arguments import optional, several_names
from polynb.dependences.analysis import Dependences, analyze
from polynb.dependences.model import Edge
from polynb.derivation import Derivation, as_scop
from polynb.errors import PolynbError
from polynb.legality.private import ON_STACK, marked_private, most_bytes, runs
from polynb.schedules.bands import with_schedule
from polynb.schedules.tiled_dependences import untiled
from polynb.scop.model import Array, Scop
from polynb.scop.schedule import (
    Band,
    Filter,
    Leaf,
    Mark,
    Private,
    Sequence,
    Tree,
    at_one_time,
    subtrees,
    with_subtrees,
)
from polynb.scop.storage import in_memory
from polynb.scop.tree_walk import Above, rewrite
from polynb.scop.witness import pair_witness

_Places = tuple[Above, ...]
"""The nodes whose children get a mark: each behind those above it."""


@isl.bounded("privatising")
def privatize(program: Scop | Derivation, arrays: str | Seq[str] | None = None) -> Scop:
    """The program with marks that say which temporaries an iteration has for itself.

    A mark is put directly below the innermost band in one iteration of which all value-based flow
    through the temporary stays, `{ S[i] -> T[j] }` with `i` and `j` at the same values of the loops
    around; nests that share a temporary but no value of it get a mark each. The false dependences
    through it are then no obstacle to loops above the mark, of which each thread has a copy. (So
    of a tiled band all loops, over tiles and points, are above it.)

    `arrays`: names; by default all scalars that can be private, and arrays of which an iteration
    touches one cell only (kernels make scalars of those, see `contract`). Temporaries that have a
    mark keep it. Raises PolynbError, with the reason, for a name that cannot be made private;
    `privatizable` tells them all. (PPCG's and the paper's section 3.3: scalars are private to
    threads.)
    """
    scop = in_memory(as_scop(program))
    return privatized(scop, optional(several_names, "arrays", arrays), analyze(untiled(scop)))


def privatized(scop: Scop, names: Seq[str] | None, known: Dependences) -> Scop:
    """`privatize` where the flow of values is known, from this order or another legal one."""
    places: dict[str, _Places] = {}
    for name in dict.fromkeys(scop.temporaries if names is None else names):
        # By default only what becomes a scalar: a large copy need not be looked at.
        where = _examined(scop, name, known) if names is not None else _scalar(scop, name, known)
        if not isinstance(where, str):
            places[name] = where
        elif names is not None:
            raise PolynbError(
                f"{name} cannot be private to an iteration",
                reason=where,
                hint=_hint(scop, name),
            )
    marked = marked_private(scop.schedule)
    places = {name: where for name, where in places.items() if name not in marked}
    return with_schedule(scop, _marked(scop.schedule, places)) if places else scop


@isl.bounded("the search for private arrays")
def privatizable(program: Scop | Derivation) -> dict[str, str]:
    """For each temporary why it cannot be private to an iteration; "" if it can be."""
    scop = in_memory(as_scop(program))
    known = analyze(untiled(scop))
    verdicts = {name: _examined(scop, name, known) for name in scop.temporaries}
    return {name: why if isinstance(why, str) else "" for name, why in verdicts.items()}


def _hint(scop: Scop, name: str) -> str:
    can = [n for n, why in privatizable(scop).items() if not why]
    if name in scop.arrays and scop.arrays[name].live_out:
        return f"`temp {name};` if nothing needs it afterwards"
    return f"arrays={can}" if can else "a schedule that runs its writes and reads together"


# -- where ----------------------------------------------------------------------------------


def _examined(scop: Scop, name: str, known: Dependences) -> _Places | str:
    """The nodes below which an array is private, or why there are none."""
    located = _located(scop, name, known)
    if isinstance(located, str) or _one_cell(scop, name, located):
        return located
    large = _too_large(scop.arrays[name], scop)
    return located if large is None else large


def why_several(scop: Scop, name: str, known: Dependences) -> str | None:
    """Why a temporary cannot do with one cell for each iteration; None if it can. `known`: the
    dependences of the program without its tiles."""
    located = _scalar(scop, name, known)
    return located if isinstance(located, str) else None


def _scalar(scop: Scop, name: str, known: Dependences) -> _Places | str:
    """The nodes below which one iteration touches one cell of an array, or why there are none."""
    located = _located(scop, name, known)
    if isinstance(located, str) or _one_cell(scop, name, located):
        return located
    return f"one iteration touches several cells of {name}"


def _one_cell(scop: Scop, name: str, places: _Places) -> bool:
    """Whether one run of what is below each of these nodes touches one cell, `{ [t] -> A[x] }`
    being a function."""
    if not scop.arrays[name].extents:
        return True
    for place in places:
        cells: isl.Map | None = None
        for statement, when in runs(scop, place).items():
            s = scop.by_name[statement]
            when = when.intersect_domain(s.domain.intersect_params(scop.assumed))
            for a in s.accesses:
                if a.array == name:
                    touched = when.reverse().apply_range(a.relation)
                    cells = touched if cells is None else cells.union(touched)
        if cells is not None and not cells.is_single_valued():
            return False
    return True


def _located(scop: Scop, name: str, known: Dependences) -> _Places | str:
    """The nodes whose child is such a part."""
    array = scop.arrays.get(name)
    if array is None:
        return f"there is no array {name}, only {', '.join(scop.arrays)}"
    if array.role != "temp":
        return f"{name} is {array.role}: its content is used outside of the program"
    users = {s.name for s in scop.statements if any(a.array == name for a in s.accesses)}
    if name not in scop.temporaries:
        return f"nothing writes {name}"
    if array.live_in:
        return f"what {name} holds before the program is read"
    edges = [
        replace(e, relation=e.relation.intersect_params(scop.assumed))
        for e in known.flow(name).edges
    ]
    edges = [e for e in edges if not e.relation.is_empty()]
    return _places(scop.schedule, (), users, edges)


def _too_large(array: Array, scop: Scop) -> str | None:
    size = most_bytes(array, scop.assumed)
    if size is None:
        return (
            f"nothing bounds the size of {array.name}, of which each thread would have a copy "
            "on its stack; `assume` could"
        )
    if size > ON_STACK:
        return (
            f"{array.name} has up to {size:,} bytes, too many for a copy on each thread's stack "
            f"({ON_STACK:,} at most)"
        )
    return None


def _places(tree: Tree, above: Above, users: Iterable[str], edges: Seq[Edge]) -> _Places | str:
    """As deep as all flow between the users stays within one iteration of the loops above."""
    inside = (*above, tree)
    match tree:
        case Leaf():
            return (above,) if above else "there are no loops"
        case Mark(child=c):
            return _places(c, inside, users, edges)
        case Filter(domains=d, child=c):
            for name in users:
                if d.get(name) is not None:
                    return f"the schedule runs {name} in parts"
            return _places(c, inside, users, edges)
        case Sequence(children=children):
            return _in_sequence(children, inside, users, edges)
        case Band(members=m, child=c):
            for e in edges:
                other = e.relation.subtract(at_one_time(m, e.source, e.target))
                if not other.is_empty():
                    return _flows(e, other, "in another iteration")
            deeper = _places(c, inside, users, edges)
            return (inside,) if isinstance(deeper, str) else deeper
    assert_never(tree)


def _in_sequence(
    children: Seq[Filter], above: Above, users: Iterable[str], edges: Seq[Edge]
) -> _Places | str:
    levels: list[Above] = []
    for f in children:
        inside = {n for n in users if n in f.domains}
        if not inside:
            continue
        own = [e for e in edges if e.source in inside and e.target in inside]
        for e in edges:
            if (e.source in inside) != (e.target in inside):
                return _flows(e, e.relation, "in another part of the program")
        places = _places(f, above, inside, own)
        if isinstance(places, str):
            return places
        levels += places
    return tuple(levels)


def _flows(e: Edge, relation: isl.Map, where: str) -> str:
    witness = pair_witness(relation)
    assert witness is not None
    return witness.at_values(
        f"{witness['target']} reads {e.array} from {witness['source']}, {where}"
    )


# -- the marks ------------------------------------------------------------------------------


def _marked(tree: Tree, places: dict[str, _Places]) -> Tree:
    """The tree with a mark below each of these nodes."""
    names: dict[int, list[str]] = {}
    for name, found in places.items():
        for *_, node in found:
            names.setdefault(id(node), []).append(name)

    def marked(node: Tree) -> Tree | None:
        if id(node) not in names:
            return None
        (child,) = subtrees(node)
        own = Private(tuple(names[id(node)]))
        return with_subtrees(node, [Mark(own, rewrite(child, marked))])

    return rewrite(tree, marked)
