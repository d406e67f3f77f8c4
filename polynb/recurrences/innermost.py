"""The loop that a statement's recurrences run along, and whether they may."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from polynb import isl
from polynb.dependences.memory import same_cell
from polynb.schedules.trip_counts import trip_count
from polynb.scop.model import MemoryAccess, Scop, Statement
from polynb.scop.schedule import Band, Leaf, Sequence, Tree
from polynb.scop.tree_walk import orders, orders_whole, paths
from polynb.scop.witness import Witness, pair_witness


@dataclass(frozen=True, eq=False)
class InnermostLoop:
    """The innermost loop around a statement S.

    `band` is its node in the schedule tree, `prefix` the number of entries of S's time before it;
    `iterator` takes the loop's values, advancing by `step`; `starts` are its first instances,
    `{ S[i] }`, one for each run of the loop. `trips`: its iterations, None if parameters decide.
    """

    band: Band
    prefix: int
    iterator: str
    step: int
    starts: isl.Set
    trips: int | None


@dataclass(frozen=True)
class Refusal:
    """Why there are no recurrences; `witness`: a write ("writer") before
    the read that it spoils ("reader"), where there is one."""

    reason: str
    witness: Witness | None = None


def innermost_loop(scop: Scop, s: Statement) -> InnermostLoop | Refusal:
    """The innermost loop of a statement, if one iterator runs through it without holes."""
    loop = _innermost(scop.schedule, s.name)
    if loop is None:
        return Refusal("it is in no loop of its own")
    band, prefix, outer = loop
    if band.kinds[-1] != "sequential":
        return Refusal(f"its innermost loop is to run as {band.kinds[-1]}")
    domain = s.domain.intersect_params(scop.assumed)
    member = band.members[s.name]
    k = member.dim(isl.OUT) - 1
    values = member.project_out(isl.OUT, 0, k)
    outer = [*outer, member.project_out(isl.OUT, k, 1)]
    which = _iterator(values, outer, domain)
    if which is None:
        return Refusal("its innermost loop does not follow one iterator")
    position, direction = which
    step = direction * _stride(domain, position)
    starts = isl.coalesced(domain.subtract(domain.apply(_further(domain, position, step))))
    if not _one_in_a_row(starts, position):
        return Refusal("its innermost loop has holes")
    above = isl.Map.from_domain(isl.Set.universe(domain.get_space()))
    for m in outer:
        above = above.flat_range_product(m)
    trips = trip_count([(values.intersect_domain(domain), above)])
    if trips is not None and trips < 3:
        return Refusal("its innermost loop has no third iteration")
    return InnermostLoop(band, prefix + k, s.iterators[position], step, starts, trips)


NOT_UP: Final = "its innermost loop does not count up by one"


def counts_up(s: Statement, innermost: InnermostLoop) -> bool:
    """Whether the innermost loop's values are those of the iterator, one after the other."""
    member = innermost.band.members[s.name]
    last = member.dim(isl.OUT) - 1
    position = s.iterators.index(innermost.iterator)
    same = bool(member.is_subset(member.equate(isl.IN, position, isl.OUT, last)))
    return innermost.step == 1 and same


def clobbered(
    scop: Scop,
    s: Statement,
    innermost: InnermostLoop,
    reads: Iterable[tuple[MemoryAccess, int | None]],
) -> Refusal | None:
    """Whether a run of the loop overwrites what an instance of S would get from an earlier one.

    `reads` are `{ S[i] -> A[x] }` with a distance: the cell is read for i by the instance so much
    further along the iterator (a negative number for a loop that counts up), or before the loop
    if there is none or the distance is None. Nothing may write the cell after that, and before i
    reads it itself.
    """
    position = s.iterators.index(innermost.iterator)
    for r, distance in reads:
        for w in scop.statements:
            if w.write.array != r.array:
                continue
            before = same_cell((w, w.write), (s, r), strict=True)
            before = before.intersect(_same_run(w.schedule, s.schedule, innermost.prefix))
            if distance is not None:
                earlier = w.schedule.lex_lt_map(s.schedule).intersect_range(s.domain)
                further = _further(s.domain, position, -distance)
                before = before.subtract(earlier.apply_range(further))
            witness = pair_witness(before.intersect_params(scop.assumed), "writer", "reader")
            if witness is not None:
                return Refusal(f"{w.name} writes {r.array} in the same loop", witness)
    return None


def _same_run(first: isl.Map, then: isl.Map, prefix: int) -> isl.Map:
    length = first.dim(isl.OUT)
    first, then = (m.project_out(isl.OUT, prefix, length - prefix) for m in (first, then))
    return first.apply_range(then.reverse())


# -- the loop -------------------------------------------------------------------------------


def _innermost(tree: Tree, name: str) -> tuple[Band, int, list[isl.Map]] | None:
    """The last band above a statement's leaf, the length of the time before it, and the members
    of the bands above; None if there is none, or if the statement is in several places."""
    leaves = [above for node, above in paths(tree)
              if isinstance(node, Leaf) and all(orders(t, name) for t in above)]  # fmt: skip
    if len(leaves) != 1 or not all(orders_whole(t, name) for t in leaves[0]):
        return None
    bands = [(k, t) for k, t in enumerate(leaves[0]) if isinstance(t, Band)]
    if not bands:
        return None
    *outer, (last, band) = bands
    before = sum(_entries(t) for t in leaves[0][:last])
    return band, before, [b.members[name] for _, b in outer]


def _entries(node: Tree) -> int:
    """How many entries a node adds to the times of what is below it."""
    match node:
        case Band():
            return node.depth
        case Sequence():
            return 1
    return 0


def _iterator(values: isl.Map, outer: list[isl.Map], domain: isl.Set) -> tuple[int, int] | None:
    """The iterator (its position) that alone changes along the loop, and in which direction."""
    for k in range(domain.dim(isl.SET)):
        further = _further(domain, k, 1)
        if all(_follows(m, further, 0) for m in outer):
            return next(((k, d) for d in (1, -1) if _follows(values, further, d)), None)
    return None


def _further(domain: isl.Set, k: int, distance: int) -> isl.Map:
    """`{ S[i] -> S[i'] }`, i' so much more in dimension k."""
    same = isl.MultiAff.identity(domain.get_space().map_from_set())
    moved: isl.Map = same.set_at(k, same.get_at(k).add_constant_val(isl.Val(distance))).as_map()
    return moved


def _follows(m: isl.Map, further: isl.Map, by: int) -> bool:
    """Whether all of m's values `{ S[i] -> [t] }` change by so much from i to i'."""
    change = m.reverse().apply_range(further).apply_range(m)
    if by:
        return bool(change.deltas().is_subset(isl.Set(f"{{ [{by}] }}")))
    return bool(change.is_subset(isl.Map.identity(change.get_space())))


def _stride(domain: isl.Set, k: int) -> int:
    return max(int(domain.get_stride(k).to_python()), 1)


def _one_in_a_row(starts: isl.Set, k: int) -> bool:
    """Whether no two of the instances differ in dimension k only."""
    flat = starts.reset_tuple_id()
    row = isl.Map.identity(flat.get_space().map_from_set()).project_out(isl.OUT, k, 1)
    row = row.intersect_domain(flat)
    pairs = row.apply_range(row.reverse())
    return bool(pairs.is_subset(isl.Map.identity(pairs.get_space())))
