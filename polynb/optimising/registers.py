"""Tiles of registers: iterations of loops around the innermost one run together in it, where they
share what it loads, or are chains of their own (unroll-and-jam of several loops; Carr, Kennedy:
"Improving the ratio of memory operations to floating-point operations in loops", TOPLAS'94)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence as Seq
from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from typing import Final

from polynb import isl
from polynb.codegen.affine_bounds import Affine, Rational
from polynb.legality.carried import LoopContext, arriving, at_root, below
from polynb.optimising.counted import CountedAccess, CountedLoop, CountedStatement, Part, work
from polynb.optimising.nests import ADDITION
from polynb.schedules.bands import (
    all_bands,
    mapped,
    replaced,
    several_permutable,
    with_schedule,
)
from polynb.scop.model import Scop
from polynb.scop.schedule import Band, Filter, Leaf, Sequence, Tree, subtrees, with_subtrees
from polynb.scop.tree_walk import paths, walk_within

TOGETHER: Final = 4
"""Iterations of a loop that run together."""
COPIES: Final = 16
"""Statements of an innermost loop, at most: about as many values as there are registers."""
LOOPS: Final = 2
LONG: Final = 4 * TOGETHER
"""Iterations of a loop of which those that are in no whole block do not count."""


def bands_of_blocks(scop: Scop) -> Iterator[tuple[int, Band, int]]:
    """The bands of whose loops iterations may run together: permutable ones in which there are no
    others, and all in which there are only such that there are none in. Number, band, and how many
    loops are around it."""
    above = {id(node): nodes for node, nodes in paths(scop.schedule)}
    for number, band in enumerate(all_bands(scop.schedule)):
        inside = all_bands(band.child)
        if any(all_bands(b.child) for b in inside) if inside else not several_permutable(band):
            continue
        yield number, band, sum(b.depth for b in above[id(band)] if isinstance(b, Band))


def blocks(band: Band) -> Iterator[tuple[int, ...]]:
    """The loops of a band, by number, of which iterations may run together in the innermost ones,
    those of the first one outermost: all loops but an innermost one, in all orders."""
    loops = range(band.depth if all_bands(band.child) else band.depth - 1)
    for count in range(1, LOOPS + 1):
        if TOGETHER**count * len(band.members) <= COPIES:
            yield from permutations(loops, count)


@isl.guarded
def in_registers(scop: Scop, number: int, block: Seq[int]) -> Scop | None:
    """The program with whole blocks of iterations of loops of a band together, in the order of the
    block, and before what is in none; None where there are no such blocks."""
    band = all_bands(scop.schedule)[number]
    here = arriving(scop.schedule, band, at_root(scop, ()))
    left = _in_no_block(band, here, block)
    full = {n: d.subtract(left[n]) for n, d in here.domains.items()}
    if any(f.is_empty() for f in full.values()):
        return None
    starts = [f"{TOGETHER}*floor(t{k}/{TOGETHER})" if k in block else f"t{k}"
              for k in range(band.depth)]  # fmt: skip
    widths = [TOGETHER if k in block else 1 for k in range(band.depth)]
    points = mapped(band, [f"t{k}" for k in block])
    points = replace(points, loops=tuple(replace(band.loops[k], kind="unroll") for k in block))
    loops = zip(band.loops, widths, strict=True)
    blocks = replace(
        mapped(band, starts),
        loops=tuple(replace(x, width=w) for x, w in loops),
        child=_innermost(band.child, points),
    )
    parts = [Filter(dict(full), blocks)]
    if any(not x.is_empty() for x in left.values()):
        # nothing runs here of those that are not in `left`
        parts.append(Filter(dict.fromkeys(band.members) | left, band))
    return with_schedule(scop, replaced(scop.schedule, [(band, Sequence(tuple(parts)))]))


def _innermost(tree: Tree, points: Band) -> Tree:
    """A tree with a band in each of its innermost loops, and around what is in none."""
    if isinstance(tree, Filter):
        here = {n: m for n, m in points.members.items() if n in tree.domains}
        return replace(tree, child=_innermost(tree.child, replace(points, members=here)))
    if not all_bands(tree):
        return replace(points, child=tree)
    return with_subtrees(tree, [_innermost(x, points) for x in subtrees(tree)])


def _in_no_block(band: Band, here: LoopContext, block: Collection[int]) -> dict[str, isl.Set]:
    """Of what arrives at a band, `{ S[i] }`, what is in blocks of which some iterations do not run,
    or not all that others run in loops inside."""
    left = {n: isl.Set.empty(d.get_space()) for n, d in here.domains.items()}
    for node, inside in walk_within(band, here, below):
        if isinstance(node, Leaf):
            for n, domain in inside.domains.items():
                outer = here.outer[n].flat_range_product(band.members[n])
                run = inside.outer[n].intersect_domain(domain).range()
                changed = {here.depth + k for k in block}
                missing = run.apply(_same_block(run.dim(isl.SET), changed)).subtract(run)
                loops = outer.dim(isl.OUT)
                missing = missing.project_out(isl.SET, loops, missing.dim(isl.SET) - loops)
                none = missing.apply(_same_block(loops, changed))
                left[n] = left[n].union(outer.intersect_range(none).domain())
    return {n: isl.coalesced(x.intersect(here.domains[n])) for n, x in left.items()}


def _same_block(loops: int, changed: Collection[int]) -> isl.Map:
    """`{ [t] -> [p] }` of so many loops, in one block of those that are `changed`."""
    given = [f"t{k}" for k in range(loops)]
    others = [f"p{k}" if k in changed else n for k, n in enumerate(given)]
    same = " and ".join(f"floor(t{k}/{TOGETHER}) = floor(p{k}/{TOGETHER})" for k in changed)
    return isl.Map(f"{{ [{', '.join(given)}] -> [{', '.join(others)}] : {same} }}")


def together(part: Part, depths: Seq[int], members: Collection[str]) -> Part | None:
    """What is to be expected of that: the loops of these statements in which iterations of those at
    these depths run together, of the first one outermost; None where these are too short to leave
    out what is in no block, where short loops that compilers unroll make too many statements of it,
    where integers are summed up: compilers do several of these at once as they are, and where cells
    of a row that are not beside each other are updated: compilers store one after the other of a
    vector, and a vector that is loaded from there waits until all are in the cache."""
    for depth in reversed(depths):
        new = _together(part, depth, members)
        if new is None:
            return None
        part = new
    return part


def _together(part: Part, depth: int, members: Collection[str]) -> Part | None:
    if isinstance(part, CountedStatement) or not work([part]).keys() & members:
        return part
    if part.innermost and not part.free and any(_sums_integers(x) for x in part.body):
        return None
    if part.innermost and any(_updates_apart(x, part.iterator) for x in part.body):
        return None
    body = [_together(p, depth, members) for p in part.body]
    inside = tuple(p for p in body if p is not None)
    if len(inside) < len(body) or (part.depth == depth and part.trips < LONG):
        return None
    if part.depth != depth:
        return replace(part, body=inside)
    copies = _copies(inside, part.iterator, {part.iterator: 1})
    if _in_one_loop(copies) > COPIES:
        return None
    first = part.first.times(Fraction(1, TOGETHER))
    return replace(part, trips=part.trips / TOGETHER, first=first, body=copies)


def _in_one_loop(parts: Seq[Part]) -> int:
    """Statements of an innermost loop, at most."""
    own = sum(isinstance(p, CountedStatement) for p in parts)
    return max(own, *(_in_one_loop(p.body) for p in parts if isinstance(p, CountedLoop)), 0)


def _updates_apart(x: Part, iterator: str) -> bool:
    if isinstance(x, CountedLoop) or x.asked:  # what is asked for is in no vector
        return False
    target, *reads = x.references
    cells = target.stride(iterator)
    return cells is not None and abs(cells) > 1 and target.array in {r.array for r in reads}


def _sums_integers(x: Part) -> bool:
    return isinstance(x, CountedStatement) and x.latency < ADDITION


def _copies(body: Seq[Part], iterator: str, later: Mapping[str, Rational]) -> tuple[Part, ...]:
    """The statements of each of the iterations that run together, one iteration after the other.
    `later`: how many iterations of each loop it is from one of them to the next. A loop inside
    begins where the first of them has it begin: what it would begin at later, is earlier in it."""
    if len(body) > 1 and any(isinstance(p, CountedLoop) for p in body):
        return tuple(x for p in body for x in _copies((p,), iterator, later))
    if isinstance(body[0], CountedLoop):
        loop = body[0]
        inside = {**later, loop.iterator: -_change(loop.first, later)}
        first = _by_blocks(loop.first, iterator)
        return (replace(loop, first=first, body=_copies(loop.body, iterator, inside)),)
    each = [
        (p, [_later(r, iterator, later) for r in p.references])
        for p in body
        if isinstance(p, CountedStatement)
    ]
    return tuple(
        replace(p, references=tuple(r[n] for r in references))
        for n in range(TOGETHER)
        for p, references in each
    )


def _later(r: CountedAccess, iterator: str, later: Mapping[str, Rational]) -> list[CountedAccess]:
    """An access by the number of blocks, in each iteration of its block."""
    blocks = [f and _by_blocks(f, iterator) for f in r.forms]
    steps = [_change(f, later) if f else 0 for f in r.forms]
    return [
        replace(r, forms=tuple(b and (b.plus(Affine((), n * s)) if n * s else b)
                               for b, s in zip(blocks, steps, strict=True)))
        for n in range(TOGETHER)
    ]  # fmt: skip


def _change(form: Affine, later: Mapping[str, Rational]) -> Rational:
    return sum(c * later.get(name, 0) for (_, name), c in form.terms)


def _by_blocks(form: Affine, iterator: str) -> Affine:
    name = ("i", iterator)
    own = form.coefficients.get(name)
    return form.plus(Affine(((name, own),), 0), TOGETHER - 1) if own else form
