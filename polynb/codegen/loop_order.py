"""Whether isl's loops run the instances of the statements in the order of the schedule."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, takewhile

from polynb import isl


@dataclass(frozen=True)
class IslLoop:
    """A loop of isl's syntax tree: its number there, and how many band members are above its
    own. (Members that have one value only need no loop.)"""

    number: int
    depth: int


@dataclass(frozen=True, eq=False)
class StatementCall:
    """One call of a statement in isl's syntax tree.

    `values`: `{ S[i] -> [c1, ..., ck] }`, what the k loops around it, the outermost first, are
    at each instance.
    """

    loops: tuple[IslLoop, ...]
    values: isl.Map

    @property
    def name(self) -> str:
        return isl.tuple_name(self.values, isl.IN)


def shifted(calls: Iterable[StatementCall], bands: Iterable[isl.Map]) -> list[StatementCall]:
    """The calls that run at other loop values than the bands of the schedule tree say.

    `bands`: `{ S[i] -> [t1, ..., tn] }` for each leaf of the tree that has instances of S.
    """
    own: dict[str, list[isl.Map]] = {}
    for m in bands:
        own.setdefault(isl.tuple_name(m, isl.IN), []).append(m)
    return [c for c in calls if not _as_scheduled(c, own[c.name])]


def _as_scheduled(call: StatementCall, bands: list[isl.Map]) -> bool:
    depths = {loop.depth for loop in call.loops}
    said = isl.union_map(_members(m, depths) for m in bands if max(depths, default=-1) < _length(m))
    return bool(call.values.to_union_map().is_subset(said))


def in_order(
    calls: Sequence[StatementCall], some: Iterable[StatementCall], times: Mapping[str, isl.Map]
) -> bool:
    """Whether `calls`, in textual order, run instances in the order of their `times`,
    `{ S[i] -> [t] }`, wherever one of `some` shares a loop with another call."""
    chosen = set(some)
    pairs = ((a, b) for a, b in combinations(calls, 2) if a in chosen or b in chosen)
    return all(_pair_in_order(a, b, times) for a, b in pairs)


def _pair_in_order(a: StatementCall, b: StatementCall, times: Mapping[str, isl.Map]) -> bool:
    both = zip(a.loops, b.loops, strict=False)
    shared = set(range(len(list(takewhile(lambda pair: pair[0] == pair[1], both)))))
    if not shared:
        return True  # isl keeps the parts of the program apart
    first, then = _members(a.values, shared), _members(b.values, shared)
    late, early = times[a.name], times[b.name]
    return bool(
        first.lex_le_map(then).intersect(late.lex_gt_map(early)).is_empty()
        and then.lex_lt_map(first).intersect(early.lex_gt_map(late)).is_empty()
    )


def _members(m: isl.Map, kept: set[int]) -> isl.Map:
    """`{ S[i] -> [t] }` with the dimensions of these numbers only."""
    for k in reversed(range(_length(m))):
        if k not in kept:
            m = m.project_out(isl.OUT, k, 1)
    return m


def _length(m: isl.Map) -> int:
    return int(m.dim(isl.OUT))
