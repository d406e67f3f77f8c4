"""Planes of pictures that are computed from the same pictures: a row of all of them, and then the
next row, so that what they read in common comes from memory once, and not for each plane."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from dataclasses import replace
from math import prod

from polynb import isl
from polynb.derivation import Step
from polynb.errors import PolynbError
from polynb.legality.checking import keeps_values
from polynb.optimising.apart import in_one_program, nests_apart
from polynb.optimising.picture_work import CACHED, PLANES
from polynb.optimising.steps import NoOrder, PlanesTogether
from polynb.schedules.bands import loop_names, permuted, with_schedule
from polynb.scop.model import Scop
from polynb.scop.schedule import Band
from polynb.scop.sizes import extents_at
from polynb.words import listed

OPERATIONS, SECONDS = 5_000_000, 10.0
"""For a nest."""


def with_planes_together(scop: Scop, sizes: Mapping[str, int]) -> Generator[Step, None, Scop]:
    """The program in which nests over planes, and then over rows, have rows outermost, where their
    planes read the same large pictures."""
    trees = []
    for nest in nests_apart(scop):
        trees.append(nest.schedule)
        try:
            with isl.budget(OPERATIONS, SECONDS):
                found = _rows_first(nest, sizes)
        except PolynbError as error:
            yield NoOrder(f"rows of {listed(nest.by_name)} first", error.message)
            continue
        if found is not None:
            new, step = found
            yield step
            trees[-1] = new.schedule
    return in_one_program(scop, trees)


@isl.guarded
def _rows_first(nest: Scop, sizes: Mapping[str, int]) -> tuple[Scop, PlanesTogether] | None:
    band = _two_loops(nest)
    if band is None or set(band.kinds) != {"sequential"}:
        return None
    planes = _length(nest, band)
    if planes is None or not 1 < planes <= PLANES:
        return None
    shared = {a: n for a, n in _large(nest, sizes) if _is_shared(nest, band, a)}
    if not shared:
        return None
    new = with_schedule(nest, permuted(band, (1, 0, *range(2, band.depth))))
    if not keeps_values(nest, new):
        return None
    plane, row, *_ = loop_names(nest, band)
    saved = (planes - 1) * sum(shared.values())
    return new, PlanesTogether(tuple(nest.by_name), plane, row, tuple(shared), saved)


def _two_loops(nest: Scop) -> Band | None:
    """The outermost band of all statements, with two loops at least, if need be of two bands."""
    tree = nest.schedule
    if not isinstance(tree, Band) or tree.depth > 1:
        return tree if isinstance(tree, Band) else None
    inner = tree.child
    if not isinstance(inner, Band) or tree.members.keys() != inner.members.keys():
        return None
    members = {n: m.flat_range_product(inner.members[n]) for n, m in tree.members.items()}
    loops = (*tree.loops, *inner.loops)
    return replace(inner, members=members, permutable=False, loops=loops)


def _length(nest: Scop, band: Band) -> int | None:
    """How many iterations the outermost loop has, None if parameters decide."""
    first = band.values(0).items()
    times = isl.united(m.intersect_domain(nest.by_name[n].domain).range() for n, m in first)
    low, high = times.dim_min_val(0), times.dim_max_val(0)
    return high.sub(low).to_python() + 1 if low.is_int() and high.is_int() else None


def _large(nest: Scop, sizes: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    """What is only read, and is more than a cache holds, with its bytes."""
    written = {s.write.array for s in nest.statements}
    for name in sorted({r.array for s in nest.statements for r in s.reads} - written):
        a = nest.arrays[name]
        size = a.type.size * prod(n or 1 for n in extents_at(a, sizes))
        if size > CACHED:
            yield name, size


def _is_shared(nest: Scop, band: Band, array: str) -> bool:
    """Whether each iteration of the outermost loop reads the same cells of an array, as far as data
    does not decide, and each of the next loop others."""
    reads = [(s, r) for s in nest.statements for r in s.reads if r.array == array]
    if not all(r.must for _, r in reads):
        return False

    def same_in_all(k: int) -> bool:
        times = band.values(k)
        cells = isl.united(times[s.name].reverse().apply_range(r.relation) for s, r in reads)
        return bool(cells.is_equal(isl.Map.from_domain_and_range(cells.domain(), cells.range())))

    return same_in_all(0) and not same_in_all(1)
