"""Loops that may be interchanged as they are: bands of single loops joined."""

from __future__ import annotations

from dataclasses import dataclass, replace

from polynb import isl
from polynb.dependences import analyze
from polynb.derivation import Derivation, as_scop
from polynb.schedules.bands import with_schedule
from polynb.schedules.carried import Here, at_root, filtered, member, one_iteration, unhidden
from polynb.schedules.loops import private_to
from polynb.scop.model import Scop
from polynb.scop.schedule import Band, Filter, Leaf, Mark, Sequence, Tree


@isl.guarded
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
    return with_schedule(scop, _visit(scop.schedule, here))


def _visit(tree: Tree, here: Here) -> Tree:
    match tree:
        case Leaf():
            return tree
        case Mark(child=c):
            return replace(tree, child=_visit(c, unhidden(here, private_to(tree))))
        case Sequence(children=c):
            return Sequence(tuple(replace(f, child=_visit(f.child, filtered(f, here))) for f in c))
        case Filter(child=c):
            return replace(tree, child=_visit(c, filtered(tree, here)))
        case Band(permutable=True, depth=depth) if depth > 1:
            members = {n: tree.members[n] for n in here.domains}
            return replace(tree, child=_visit(tree.child, one_iteration(here, members, depth)))
        case Band():
            return _joined(tree, here)


@dataclass(frozen=True, eq=False)
class _Loop:
    members: dict[str, isl.Map]
    kind: str


def _joined(band: Band, here: Here) -> Tree:
    """A nest of loops as permutable bands, each as large as the one before it leaves."""
    loops, rest = _nest(band)
    joined: list[_Loop] = []
    coincident: list[bool] = []
    for loop in loops:
        signs = [_distances(loop.members, p.relation, p.source, p.target)
                 for p in here.left if not p.hidden]  # fmt: skip
        if joined and any(negative for negative, _ in signs):
            break
        joined.append(loop)
        coincident.append(all(not negative and not positive for negative, positive in signs))
    members = {n: joined[0].members[n] for n in band.members}
    for loop in joined[1:]:
        members = {n: m.flat_range_product(loop.members[n]) for n, m in members.items()}
    inside = one_iteration(here, {n: members[n] for n in here.domains}, len(joined))
    tree = rest
    for loop in reversed(loops[len(joined) :]):
        tree = Band(loop.members, tree, loops=(loop.kind,))
    kinds = tuple(loop.kind for loop in joined)
    return Band(members, _visit(tree, inside), True, tuple(coincident), kinds)


def _nest(tree: Tree) -> tuple[list[_Loop], Tree]:
    """The loops of bands directly inside one another, and what is inside of them."""
    loops: list[_Loop] = []
    while isinstance(tree, Band) and not (loops and tree.permutable and tree.depth > 1):
        for k, kind in enumerate(tree.loops):
            loops.append(_Loop({n: member(m, k) for n, m in tree.members.items()}, kind))
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
