"""Sets, maps and functions with their parts merged where possible: the same way each time.

isl's own merging has two defects. It may fail ("original tableau does not correspond to original
basic map", isl_coalesce.c, where the parts differ in integer divisions): merging only makes a set
simpler, so what cannot be merged stays as it is. And how far it comes may depend on where memory
lies: of divisions that differ in their constants only, `floor(k/2)` and `floor((k + 1)/2)`, it asks
whether an equality defines one; and of a part that it has merged from others before, that is
answered by comparing addresses in two copies (`line >= bmap->eq`, isl_constraint.c). So parts with
such divisions are merged apart, and then given to it two at a time, as new ones.
"""

from __future__ import annotations

from functools import reduce
from typing import Any, TypeVar

from islpy import BasicSet, Error, Map, Set, UnionMap, UnionSet, Val, dim_type

from polynb.isl.retry import is_defect

R = TypeVar("R")


def coalesced(x: R) -> R:
    """A set, map, union or function with its parts merged where possible: as it is where isl fails
    by a defect of its own. (All of polynb merges by this, and islpy's classes stay as they are.)"""
    whole: Any = x
    if isinstance(x, UnionSet | UnionMap):
        return _in_a_union(whole)  # type: ignore[no-any-return]
    if isinstance(x, Set | Map) and len(groups := _groups(whole)) > 1:
        parts = _by_pairs(groups)  # none, where isl sees only now that they are empty
        found = _united(parts) if parts else type(whole).empty(whole.get_space())
        return found  # type: ignore[no-any-return]
    return _by_isl(x)


def _by_isl(x: R) -> R:
    merged: Any = x
    try:
        return merged.coalesce()  # type: ignore[no-any-return]
    except Exception as error:
        if not is_defect(error):
            raise
        return x


def _in_a_union(x: Any) -> Any:
    found = x.get_set_list() if isinstance(x, UnionSet) else x.get_map_list()
    each = [found.get_at(k) for k in range(len(found))]
    if all(len(_groups(one)) == 1 for one in each):
        return _by_isl(x)
    new = [coalesced(one) for one in each]
    unions = [m.to_union_set() if isinstance(m, Set) else m.to_union_map() for m in new]
    return reduce(lambda one, other: one.union(other), unions)


def _parts(x: Any) -> list[Any]:
    found = x.get_basic_set_list() if isinstance(x, Set) else x.get_basic_map_list()
    return [found.get_at(k) for k in range(len(found))]


def _united(parts: list[Any]) -> Any:
    """The set or map of some parts."""
    each = [b.to_set() if isinstance(b, BasicSet) else b.to_map() for b in parts]
    return reduce(lambda one, other: one.union(other), each)


def _groups(x: Any) -> list[list[Any]]:
    """The parts in groups: of those of one group, no divisions differ in their constants only. (Two
    parts are one group, for none has been merged before it is compared.)"""
    parts = _parts(x)
    if len(parts) < 3:
        return [parts]
    found: list[tuple[dict[str, list[str]], list[Any]]] = []
    for part in parts:
        own = _divisions(part)
        for constants, group in found:
            if all(constants.get(name, own[name]) == own[name] for name in own):
                constants.update(own)
                group.append(part)
                break
        else:
            found.append((own, [part]))
    return [group for _, group in found]


def _divisions(part: Any) -> dict[str, list[str]]:
    """The integer divisions of a part that are known, without their constants, and these."""
    found: dict[str, list[str]] = {}
    if part.dim(dim_type.div) == 0:
        return found
    basic = part if isinstance(part, BasicSet) else part.wrap()  # a map does not tell its own
    local = basic.get_local_space()
    for k in range(basic.dim(dim_type.div)):
        try:
            division = local.get_div(k)
        except Error as error:
            if "unknown" in str(error):
                continue
            raise
        constant = str(division.get_constant_val())
        found.setdefault(str(division.set_constant_val(Val(0))), []).append(constant)
    return found


def _by_pairs(groups: list[list[Any]]) -> list[Any]:
    """The parts, merged in their groups, and then each with those before it until no two can be."""
    done: list[tuple[Any, int | None]] = []
    for number, group in enumerate(groups):
        for part in _parts(_by_isl(_united(group))):
            new, of, k = part, number, 0  # type: Any, int | None, int
            while k < len(done):
                other, its = done[k]
                both = [other, new] if of is None or its != of else []
                if both and len(merged := _parts(_by_isl(_united(both)))) == 1:
                    del done[k]
                    (new,), of, k = merged, None, 0
                else:
                    k += 1
            done.append((new, of))
    return [part for part, _ in done]
