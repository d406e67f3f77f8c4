"""Any schedule as a tree: times become sequences, where they are constants, and loops."""

from __future__ import annotations

from collections.abc import Mapping

from polynb import isl
from polynb.derivation import Derivation, as_scop
from polynb.legality.carried import member
from polynb.legality.checking import New, new_times
from polynb.scop import Scop
from polynb.scop.schedule import Band, Filter, Leaf, Sequence, Tree
from polynb.scop.schedule_isl import from_isl


def as_tree(scop: Scop, schedule: New) -> Tree:
    """The tree of a schedule, as `pn.check` takes it: a loop for each dimension of times that is
    not the same constant for a statement's instances."""
    match schedule:
        case Scop() | Derivation():
            return as_scop(schedule).schedule
        case isl.Schedule():
            return from_isl(schedule)
        case isl.UnionMap() | str():
            return tree_of_times(new_times(scop, schedule))
    return schedule


def tree_of_times(times: Mapping[str, isl.Map], level: int = 0) -> Tree:
    """The tree of times `{ S[i] -> [t] }` of one length."""
    length = max((m.dim(isl.OUT) for m in times.values()), default=0)
    if level == length:
        return Leaf()
    fixed = {n: m.plain_get_val_if_fixed(isl.OUT, level) for n, m in times.items()}
    if not all(v.is_int() for v in fixed.values()):
        members = {n: member(m, level) for n, m in times.items()}
        return Band(members, tree_of_times(times, level + 1))
    places: dict[int, list[str]] = {}
    for name, v in fixed.items():
        places.setdefault(v.to_python(), []).append(name)
    if len(places) == 1:
        return tree_of_times(times, level + 1)
    parts = (({n: times[n] for n in names}) for _, names in sorted(places.items()))
    return Sequence(
        tuple(Filter(dict.fromkeys(part), tree_of_times(part, level + 1)) for part in parts)
    )
