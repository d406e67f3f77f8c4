"""Tiles of registers: iterations of loops around the innermost one run together in it, where they
share what it loads, or are chains of their own (unroll-and-jam of several loops; Carr, Kennedy:
"Improving the ratio of memory operations to floating-point operations in loops", TOPLAS'94)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import combinations
from typing import Final

from polynb import isl
from polynb.codegen.affine_bounds import Affine
from polynb.legality.carried import arriving, at_root
from polynb.optimising.nests import (
    ADDITION,
    CountedAccess,
    CountedLoop,
    CountedStatement,
    Part,
    work,
)
from polynb.schedules.bands import (
    all_bands,
    mapped,
    replaced,
    several_permutable,
    with_schedule,
)
from polynb.scop.model import Scop
from polynb.scop.schedule import Band, Filter, Sequence, walk
from polynb.scop.tree_walk import paths

TOGETHER: Final = 4
"""Iterations of a loop that run together."""
COPIES: Final = 16
"""Statements of an innermost loop, at most: about as many values as there are registers."""
LOOPS: Final = 2
LONG: Final = 4 * TOGETHER
"""Iterations of a loop of which those that are in no whole block do not count."""


def innermost_bands(scop: Scop) -> Iterator[tuple[int, Band, int]]:
    """The permutable bands in which there are no others: number, band, and how many loops are
    around it."""
    above = {id(node): nodes for node, nodes in paths(scop.schedule)}
    for number, band in enumerate(all_bands(scop.schedule)):
        if several_permutable(band) and not any(isinstance(t, Band) for t in walk(band.child)):
            around = sum(b.depth for b in above[id(band)] if isinstance(b, Band))
            yield number, band, around


def blocks(band: Band) -> Iterator[tuple[int, ...]]:
    """The loops of a band, by number, of which iterations may run together in the last one."""
    for count in range(1, LOOPS + 1):
        if TOGETHER**count * len(band.members) <= COPIES:
            yield from combinations(range(band.depth - 1), count)


@isl.guarded
def in_registers(scop: Scop, number: int, block: Collection[int]) -> Scop | None:
    """The program with whole blocks of iterations of loops of a band together, and before what is
    in none; None where there are no such blocks."""
    band = all_bands(scop.schedule)[number]
    here = arriving(scop.schedule, band, at_root(scop, ()))
    full = {n: _in_blocks(here.outer[n], band.members[n], d, block)
            for n, d in here.domains.items()}  # fmt: skip
    if any(f.is_empty() for f in full.values()):
        return None
    left: dict[str, isl.Set | None] = {n: d.subtract(full[n]) for n, d in here.domains.items()}
    left |= {n: None for n in band.members if n not in left}  # of which nothing runs here
    starts = [f"{TOGETHER}*floor(t{k}/{TOGETHER})" if k in block else f"t{k}"
              for k in range(band.depth)]  # fmt: skip
    widths = [TOGETHER if k in block else 1 for k in range(band.depth)]
    points = mapped(band, [f"t{k}" for k in block])
    points = replace(points, loops=tuple(replace(band.loops[k], kind="unroll") for k in block))
    blocks = mapped(band, starts)
    loops = zip(band.loops, widths, strict=True)
    blocks = replace(blocks, loops=tuple(replace(x, width=w) for x, w in loops), child=points)
    parts = [Filter(dict(full), blocks)]
    if any(x is None or not x.is_empty() for x in left.values()):
        parts.append(Filter(left, band))
    return with_schedule(scop, replaced(scop.schedule, [(band, Sequence(tuple(parts)))]))


def _in_blocks(outer: isl.Map, band: isl.Map, domain: isl.Set, block: Collection[int]) -> isl.Set:
    """Of `domain` `{ S[i] }` what is in blocks all of whose iterations run: of those that only the
    loops of a block tell apart, `outer` `{ S[i] -> [o] }` and `band` `{ S[i] -> [t] }` given."""
    times = outer.flat_range_product(band).intersect_domain(domain)
    first = times.dim(isl.OUT) - band.dim(isl.OUT)
    names = [f"t{k}" for k in range(times.dim(isl.OUT))]
    changed = {first + k for k in block}
    others = [f"p{k}" if k in changed else n for k, n in enumerate(names)]
    same = " and ".join(f"floor(t{k}/{TOGETHER}) = floor(p{k}/{TOGETHER})" for k in changed)
    together = isl.Map(f"{{ [{', '.join(names)}] -> [{', '.join(others)}] : {same} }}")
    run = times.range()
    missing = run.apply(together).subtract(run)
    whole = run.subtract(missing.apply(together))
    return isl.coalesced(times.intersect_range(whole).domain())


def together(part: Part, depths: Collection[int], members: Collection[str]) -> Part | None:
    """What is to be expected of that: the loops of these statements in which iterations of those at
    these depths run together; None where these are too short to leave out what is in no block, and
    where integers are summed up: compilers do several of these at once as they are."""
    if isinstance(part, CountedStatement) or not work([part]).keys() & members:
        return part
    if part.innermost and not part.free and any(_sums_integers(x) for x in part.body):
        return None
    body = [together(p, depths, members) for p in part.body]
    inside = tuple(p for p in body if p is not None)
    if len(inside) < len(body) or (part.depth in depths and part.trips < LONG):
        return None
    if part.depth not in depths:
        return replace(part, body=inside)
    copies = tuple(x for p in inside for x in _copies(p, part.iterator))
    return replace(part, trips=part.trips / TOGETHER, body=copies)


def _sums_integers(x: Part) -> bool:
    return isinstance(x, CountedStatement) and x.latency < ADDITION


def _copies(part: Part, iterator: str) -> tuple[Part, ...]:
    """Of each statement one for each of the iterations that run together."""
    if isinstance(part, CountedLoop):
        return (replace(part, body=tuple(x for p in part.body for x in _copies(p, iterator))),)
    return tuple(
        replace(part, references=tuple(_later(r, iterator, n) for r in part.references))
        for n in range(TOGETHER)
    )


def _later(r: CountedAccess, iterator: str, by: int) -> CountedAccess:
    """An access by the number of blocks, `by` iterations after the first of its block."""
    name = ("i", iterator)
    new = Affine(((name, TOGETHER),), by)

    def changed(form: Affine) -> Affine:
        c = dict(form.terms).get(name)
        if c is None:
            return form
        return form.plus(Affine(((name, 1),), 0), -c).plus(new, c)

    return replace(r, forms=tuple(f and changed(f) for f in r.forms))
