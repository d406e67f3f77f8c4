"""Loops that may be interchanged as they are: bands of single loops joined."""

from __future__ import annotations

from dataclasses import replace

from polynb import isl
from polynb.dependences import analyze
from polynb.derivation import Derivation, as_scop
from polynb.legality.carried import LoopContext, at_root, below, member, one_iteration
from polynb.schedules.bands import several_permutable, with_schedule
from polynb.scop.model import Scop
from polynb.scop.schedule import Band, Loop, Tree
from polynb.scop.tree_walk import rewrite_within


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
            loops.append(({n: member(m, k) for n, m in tree.members.items()}, loop))
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
