"""Loops that may be interchanged: bands of single loops joined, and put in another order."""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import replace

from polynb import isl
from polynb.arguments import objects
from polynb.dependences import analyze
from polynb.derivation import Derivation, as_scop
from polynb.errors import PolynbError
from polynb.legality.carried import LoopContext, at_root, below, one_iteration
from polynb.schedules.bands import (
    MORE_BANDS,
    band_label,
    check_nesting,
    check_not_separated,
    check_permutable,
    chosen,
    loop_label,
    loop_names,
    permuted,
    replaced,
    several_permutable,
    with_schedule,
)
from polynb.scop.model import Scop
from polynb.scop.schedule import Band, Loop, Tree, walk
from polynb.scop.tree_walk import rewrite_within


@isl.bounded("interchange")
def interchange(program: Scop | Derivation, order: Seq[int], *, band: int | None = None) -> Scop:
    """The program with the loops of a permutable band in another order.

    `{ S[i] -> [t0, ..., tn-1] }` becomes `{ S[i] -> [t(order[0]), ..., t(order[n-1])] }`: the new
    outermost loop is the one that was number `order[0]`. `band`: the band's number, counted from
    the root of the schedule tree as it is walked, parents first; the first permutable one of two
    or more loops by default. Loops keep whether they are coincident, and how they run.

    Claims that the result computes the same if the band that is said to be permutable is. Raises
    PolynbError if it is not, if `order` is no permutation of its loops, and for a parallel or
    vector loop that is not coincident (it may carry a dependence elsewhere in the band) or that
    would be inside a vector loop.
    """
    scop = as_scop(program)
    permutable = tuple(filter(several_permutable, walk(scop.schedule)))
    (b, *_) = chosen(scop, band, permutable, "no band has two or more permutable loops", MORE_BANDS)
    check_permutable(scop, b, "interchanged")
    check_not_separated(scop, b, "interchanged")
    order = _checked(scop, b, order)
    for k, loop in enumerate(b.loops):
        around = {*order[: order.index(k)]}
        moved = not loop.coincident and not around >= {*range(k)}
        if moved and loop.kind in ("parallel", "collapsed", "vector"):
            raise PolynbError(
                f"{loop_label(scop, b, k)} runs as {loop.kind} where it is",
                reason="elsewhere in the band it may carry a dependence",
                hint="interchange first, and say how it runs afterwards",
            )
    tree = replaced(scop.schedule, [(b, permuted(b, order))])
    check_nesting(tree)
    return with_schedule(scop, tree)


def _checked(scop: Scop, band: Band, order: Seq[int]) -> tuple[int, ...]:
    given = objects("order", order, object, "integers", "order=[1, 0], say")
    whole = all(isinstance(k, int) and not isinstance(k, bool) for k in given)
    if not whole or sorted(given) != list(range(band.depth)):
        loops = ", ".join(f"{k} ({name})" for k, name in enumerate(loop_names(scop, band)))
        raise PolynbError(
            f"{list(given)} is no order of the loops of {band_label(scop, band)}",
            reason=f"they are {loops}, and each must be there once",
            hint=f"order={list(reversed(range(band.depth)))}, say",
        )
    return given


@isl.bounded("the search for bands")
def permutable_bands(program: Scop | Derivation) -> Scop:
    """The program with loops that are directly inside one another joined into permutable bands,
    as many as the dependences allow; the order of execution stays the same.

    A band is permutable if no dependence that the loops around it leave has a negative distance
    in one of its loops; a loop in which all these distances are 0 is coincident. Value-based
    dependences are enough: the distance of a memory-based one is a sum of theirs. Those through
    temporaries that a mark says are private (see `privatize`) do not count above the mark. Bands
    of several loops that are permutable stay as they are.
    """
    scop = as_scop(program)
    with isl.wrapped():
        here = at_root(scop, analyze(scop).edges)
    return with_schedule(scop, rewrite_within(scop.schedule, here, below, _joined))


_Single = tuple[dict[str, isl.Map], Loop]
"""One loop: its values at each statement, and how it runs."""


def _joined(band: Tree, here: LoopContext) -> Tree | None:
    """A nest of loops as permutable bands, each as large as the one before it leaves."""
    if not isinstance(band, Band) or several_permutable(band):
        return None
    loops, rest = _nest(band)
    joined: list[_Single] = []
    for values, loop in loops:
        signs = [_distances(values, p.relation, p.source, p.target)
                 for p in here.left if not p.hidden]  # fmt: skip
        if joined and any(negative for negative, _ in signs):
            break
        coincident = all(not negative and not positive for negative, positive in signs)
        joined.append((values, replace(loop, coincident=coincident)))
    members = {n: joined[0][0][n] for n in band.members}
    for values, _ in joined[1:]:
        members = {n: m.flat_range_product(values[n]) for n, m in members.items()}
    inside = one_iteration(here, {n: members[n] for n in here.domains}, len(joined))
    tree = rest
    for values, loop in reversed(loops[len(joined) :]):
        tree = Band(values, tree, loops=(replace(loop, coincident=False),))
    child = rewrite_within(tree, inside, below, _joined)
    return Band(members, child, True, tuple(loop for _, loop in joined))


def _nest(tree: Tree) -> tuple[list[_Single], Tree]:
    """The loops of bands directly inside one another, and what is inside of them."""
    loops: list[_Single] = []
    while isinstance(tree, Band) and not (loops and several_permutable(tree)):
        for k, loop in enumerate(tree.loops):
            loops.append((tree.values(k), loop))
        tree = tree.child
    return loops, tree


def _distances(
    members: dict[str, isl.Map], relation: isl.Map, source: str, target: str
) -> tuple[bool, bool]:
    """Whether some distance `{ S[i] -> T[j] }` has in a loop is below 0, and whether one is
    above."""
    distance = relation.apply_domain(members[source]).apply_range(members[target]).deltas()
    return _some(distance, "<"), _some(distance, ">")


def _some(distances: isl.Set, sign: str) -> bool:
    return not distances.intersect(isl.Set(f"{{ [d] : d {sign} 0 }}")).is_empty()
