"""Planes of pictures side by side in memory, where data decides what each of them looks up.

A copy of a picture for each of eight intensities looks up, for a pixel, eight entries of a table,
each as far from the one before: with the copies in planes, which run in vectors of pixels, these
are loads of single entries. With `P[x][y][c]` for `P[c][x][y]`, c the innermost loop, and a table
that has the entries of all copies in a row, they are one load, and the place is worked out once.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Mapping, Sequence as Seq
from dataclasses import dataclass, replace
from typing import Final

from polynb import isl
from polynb.derivation import Step
from polynb.errors import PolynbError
from polynb.legality.checking import keeps_values
from polynb.optimising.apart import in_one_program, nests_apart
from polynb.optimising.lookups import lookups, with_tables
from polynb.optimising.picture_work import PLANES, picture_work
from polynb.optimising.steps import Interleaved, NoOrder
from polynb.rewriting.expansion import copied, copied_tree
from polynb.schedules.bands import with_schedule
from polynb.schedules.expanding import dimensions, expanded
from polynb.scop.access import nested, with_accesses
from polynb.scop.model import MemoryAccess, Scop
from polynb.scop.schedule import Band, Filter, Leaf, Sequence, Tree
from polynb.source.tree import Iterator

VECTOR: Final = 32
"""Bytes of the vectors in which the planes run: their cells are to fill them."""
WORTH: Final = 1.1
"""How many times as little there is to do, at least."""
OPERATIONS: Final = 20_000_000


def with_planes_interleaved(scop: Scop, sizes: Mapping[str, int]) -> Generator[Step, None, Scop]:
    """The program whose planes are side by side in memory, and in the innermost loop, where they
    look up what data decides, if there is less to do then."""
    try:
        with isl.budget(OPERATIONS):
            found = _interleaved(scop, sizes)
    except PolynbError as error:
        yield NoOrder("planes side by side", error.message)
        return scop
    if found is None:
        return scop
    new, step = found
    yield step
    return new


@dataclass(frozen=True, eq=False)
class _Planes:
    """A nest whose outermost loop is over planes; `places` says which iterator of each statement
    counts them."""

    nest: Scop
    places: Mapping[str, int]
    count: int

    @property
    def iterators(self) -> dict[str, str]:
        return {n: self.nest.by_name[n].iterators[k] for n, k in self.places.items()}

    @property
    def written(self) -> frozenset[str]:
        return frozenset(s.write.array for s in self.nest.statements)

    @property
    def used(self) -> frozenset[str]:
        return self.written | {r.array for s in self.nest.statements for r in s.reads}


@isl.guarded
def _interleaved(scop: Scop, sizes: Mapping[str, int]) -> tuple[Scop, Interleaved] | None:
    each = [_planes(nest) for nest in nests_apart(scop)]
    first = [bool(p and lookups(p.nest, p.iterators)) for p in each]
    counts = {p.count for p, f in zip(each, first, strict=True) if p and f}
    if len(counts) != 1:
        return None
    (count,) = counts
    each = [p if p and p.count == count else None for p in each]
    arrays = _arrays(each, first)
    each = [p if p and not arrays.isdisjoint(p.written) else None for p in each]
    moved = _dimensions(scop, each, arrays)
    if moved is None or any(count * scop.arrays[a].type.size % VECTOR for a in arrays):
        return None
    if any(nested(a for a in s.accesses if a.array in moved) for s in scop.statements):
        return None
    planar = _laid_out(_for_each_plane(scop, each, arrays - moved.keys()), moved)
    new = _innermost(planar, each)
    if new is None:
        return None
    planes = {n: new.by_name[n].iterators[-1] for p in each if p for n in p.places}
    new = with_tables(new, lookups(new, planes), count)
    if new is None:
        return None
    before, after = picture_work(scop, sizes), picture_work(new, sizes)
    if before is None or after is None or before.cost < WORTH * after.cost:
        return None
    tables = tuple(n for n in new.arrays if n not in scop.arrays)
    return new, Interleaved(
        tuple(n for n in scop.arrays if n in moved), count, tables, before, after
    )


def _planes(nest: Scop) -> _Planes | None:
    band = nest.schedule
    if not isinstance(band, Band) or band.depth > 1 or band.kinds != ("sequential",):
        return None
    if band.members.keys() != nest.by_name.keys():
        return None
    places = {n: _place(m) for n, m in band.members.items()}
    known = {n: k for n, k in places.items() if k is not None}
    if len(known) < len(places):
        return None
    times = isl.united(
        m.intersect_domain(nest.by_name[n].domain).range() for n, m in band.members.items()
    )
    low, high = times.dim_min_val(0), times.dim_max_val(0)
    if not (low.is_zero() and high.is_int()):
        return None
    count = high.to_python() + 1
    return _Planes(nest, known, count) if count <= PLANES else None


def _place(values: isl.Map) -> int | None:
    """Which iterator a loop `{ S[i] -> [t] }` takes the values of."""
    here = range(values.dim(isl.IN))
    return next((k for k in here if values.is_subset(values.equate(isl.IN, k, isl.OUT, 0))), None)


def _arrays(each: Seq[_Planes | None], first: Seq[bool]) -> frozenset[str]:
    """What the nests with look-ups write, and what other planes compute from it, or it from."""
    found = {a for p, f in zip(each, first, strict=True) if p and f for a in p.written}
    while True:
        more = found.union(*(p.written for p in each if p and not found.isdisjoint(p.used)))
        if more == found:
            return frozenset(found)
        found = more


def _dimensions(
    scop: Scop, each: Seq[_Planes | None], arrays: Collection[str]
) -> dict[str, int] | None:
    """Which dimension of each array is that of its planes, of those that have one; None where
    something else writes an array, or needs it afterwards, where writes differ, or where an array
    without one is not used by one nest alone."""
    planes = {n: i for p in each if p for n, i in p.iterators.items()}
    found: dict[str, set[int | None]] = {a: set() for a in arrays}
    for s in scop.statements:
        if s.write.array in found:
            found[s.write.array].add(_dimension(s.write, planes.get(s.name)))
            if s.name not in planes or scop.arrays[s.write.array].role != "temp":
                return None
    if any(len(dims) != 1 for dims in found.values()):
        return None
    known = {a: dim for a, (dim,) in found.items()}
    alone = [a for a, dim in known.items() if dim is None]
    nests = [p.used if p else frozenset[str]() for p in each]
    others = {r.array for s in scop.statements if s.name not in planes for r in s.reads}
    if any(a in others or sum(a in used for used in nests) > 1 for a in alone):
        return None
    return {a: dim for a, dim in known.items() if dim is not None}


def _dimension(a: MemoryAccess, plane: str | None) -> int | None:
    for k, x in enumerate(a.node.subscripts):
        if isinstance(x, Iterator) and x.name == plane:
            return k
    return None


def _for_each_plane(scop: Scop, each: Seq[_Planes | None], buffers: Collection[str]) -> Scop:
    """The program in which what a plane has for itself is there for each of them."""
    places = {n: k for p in each if p for n, k in p.places.items()}
    loops = {s.write.array: (places[s.name],) for s in scop.statements if s.write.array in buffers}
    return expanded(scop, {b: dimensions(scop, b, loop) for b, loop in loops.items()})


def _laid_out(scop: Scop, moved: Mapping[str, int]) -> Scop:
    """The program with a dimension of some arrays behind all others."""
    statements = []
    for s in scop.statements:
        own = (a for a in s.accesses if a.array in moved)
        others = {id(a): _with_last(a, moved[a.array]) for a in own}
        statements.append(with_accesses(s, others) if others else s)
    arrays = dict(scop.arrays)
    for name, dim in moved.items():
        extents = arrays[name].extents
        last = (*extents[:dim], *extents[dim + 1 :], extents[dim])
        arrays[name] = replace(arrays[name], extents=last)
    return replace(scop, statements=tuple(statements), arrays=arrays, program=None)


def _with_last(a: MemoryAccess, dim: int) -> MemoryAccess:
    subscripts = a.node.subscripts
    last = (*subscripts[:dim], *subscripts[dim + 1 :], subscripts[dim])
    relation = a.relation.apply_range(_to_the_end(a.array, len(subscripts), dim))
    return replace(a, relation=relation, node=replace(a.node, subscripts=last))


def _to_the_end(name: str, count: int, dim: int) -> isl.Map:
    """`{ A[.., x, ..] -> A[.., .., x] }`"""
    cells = [f"x{d}" for d in range(count)]
    last = [*cells[:dim], *cells[dim + 1 :], cells[dim]]
    return isl.read_map(f"{{ {name}[{', '.join(cells)}] -> {name}[{', '.join(last)}] }}")


def _innermost(scop: Scop, each: Seq[_Planes | None]) -> Scop | None:
    """The program with loops over planes around each statement alone, and their iterators behind
    all others; None where a value would be another one."""
    trees = []
    for nest, planes in zip(nests_apart(scop), each, strict=True):
        outermost = nest.schedule
        if planes is not None:
            assert isinstance(outermost, Band)
            new = _at_leaves(outermost.child, outermost, nest.by_name.keys())
            if not keeps_values(nest, with_schedule(nest, new)):
                return None
            trees.append(new)
        else:
            trees.append(outermost)
    places = {n: k for p in each if p for n, k in p.places.items()}
    return _last(in_one_program(scop, trees), places)


def _at_leaves(tree: Tree, band: Band, names: Collection[str]) -> Tree:
    match tree:
        case Leaf():
            members = {n: m for n, m in band.members.items() if n in names}
            return replace(band, members=members, child=tree)
        case Sequence(children=c):
            return Sequence(
                tuple(replace(f, child=_at_leaves(f.child, band, f.domains)) for f in c)
            )
        case Filter(domains=d):
            names = d.keys()
    return replace(tree, child=_at_leaves(tree.child, band, names))


def _last(scop: Scop, places: Mapping[str, int]) -> Scop:
    """The program with iterators behind all others of their statements: their loops are."""
    statements, tree = [], scop.schedule
    for s in scop.statements:
        k = places.get(s.name)
        if k is not None:
            order = _to_the_end(s.name, len(s.iterators), k)
            tree = copied_tree(tree, s.name, order)
            s = copied(s, order, (*s.iterators[:k], *s.iterators[k + 1 :], s.iterators[k]))
        statements.append(s)
    return with_schedule(replace(scop, statements=tuple(statements)), tree)
