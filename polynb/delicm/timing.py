"""When statements run, in as few dimensions as it takes: `{ S[i] -> [t] }`.

A schedule says the order of all statements of a program. Among the few that access one array, most
of its dimensions are the same constant, and are left out: what costs most in zones is their number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from polynb import isl
from polynb.scop.model import Statement
from polynb.scop.witness import Instance

Times = Mapping[str, isl.Map]
"""For each statement `{ S[i] -> [t] }` on its domain, in one space; distinct for all instances."""


def times(statements: Sequence[Statement], assumed: isl.Set) -> Times:
    """The times of some statements of a program, without the dimensions in which all are equal.
    (At least one is left.) Only parameter values that are `assumed` count."""
    maps = {
        s.name: s.schedule.intersect_domain(s.domain.intersect_params(assumed)) for s in statements
    }
    if not maps:
        return maps
    width = max(m.dim(isl.OUT) for m in maps.values())
    constant = [k for k in range(width) if _same(list(maps.values()), k)]
    for k in reversed(constant[:-1] if len(constant) == width else constant):
        maps = {name: m.project_out(isl.OUT, k, 1) for name, m in maps.items()}
    return maps


def _same(maps: Sequence[isl.Map], k: int) -> bool:
    values = [m.plain_get_val_if_fixed(isl.OUT, k) for m in maps]
    return all(v.is_int() and v.eq(values[0]) for v in values)


def last(times_of: isl.Map) -> isl.Map:
    """`{ D[i] -> [t] }`: the last of several times of each instance. (By its definition: isl's own
    search for maxima fails on some relations.)"""
    space = times_of.get_space().range()
    return isl.coalesced(times_of.subtract(times_of.apply_range(isl.Map.lex_gt(space))))


def next_instance(at: isl.Map, runs: isl.Map) -> isl.Map:
    """`{ D[i] -> W[j] }`: the first instance of W that runs at a time of `at`, `{ D[i] -> [t] }`,
    or later. `runs` is `{ W[j] -> [t] }`."""
    reached = at.lex_le_map(runs)
    reached = reached.intersect_domain(at.domain()).intersect_range(runs.domain())
    later = runs.lex_lt_map(runs).intersect_domain(runs.domain()).intersect_range(runs.domain())
    return isl.coalesced(reached.subtract(reached.apply_range(later)))


def lifetime(begin: isl.Map, end: isl.Map) -> isl.Map:
    """`{ D[i] -> [t] }`, the zone ]begin, end] of each instance, of times `{ D[i] -> [t] }`."""
    space = begin.get_space().range()
    after = begin.apply_range(isl.Map.lex_lt(space))
    return isl.coalesced(after.intersect(end.apply_range(isl.Map.lex_ge(space))))


def first_at(at: Times, values: Mapping[str, int], time: tuple[int, ...]) -> Instance | None:
    """The first instance that runs at a time or later, at parameter values; None if none does."""
    found = [(t, name, i) for name, m in at.items() for i, t in isl.pairs(m, values) if t >= time]
    return Instance(*min(found)[1:]) if found else None
