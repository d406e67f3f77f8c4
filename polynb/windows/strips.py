"""What each strip of rows computes: all that it needs, also what its neighbours need as well."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from polynb import isl
from polynb.rewriting.expansion import expand
from polynb.scop.access import restricted
from polynb.scop.model import Scop
from polynb.scop.schedule import split
from polynb.windows.plan import Plan, row_time


def in_strips(scop: Scop, plans: Sequence[Plan]) -> Scop:
    """The program in which each strip of each plan computes what it needs."""
    copies = {n: m for plan in plans for n, m in _copies(scop, plan).items()}
    needed, tree = [], scop.schedule
    for s in scop.statements:
        strips = copies.get(s.name)
        if strips is not None and strips.is_empty():  # no strip needs anything of it
            tree = split(tree, s.name, ())
        else:
            needed.append(s if strips is None else restricted(s, isl.coalesced(strips.domain())))
    left = replace(scop, statements=tuple(needed), schedule=tree, program=None)
    return expand(left, isl.union_map(copies.values()))


def _copies(scop: Scop, plan: Plan) -> dict[str, isl.Map]:
    """`{ S[i] -> S[c, i] }`: the strips c that need S[i], or rows of it. (All of these rows, and a
    strip's all from the first to the last one: the exact sets have too many pieces.)"""
    size = plan.size
    copies, used = {}, []
    for n in plan.statements:
        s = scop.by_name[n]
        needed = plan.rows[s.write.array].needed
        strips = isl.read_map(f"{{ [t] -> [c] : {size}c - {needed} <= t < {size}c + {size} }}")
        copies[n] = row_time(s, plan).apply_range(strips)
        if s.write.array in plan.results:
            used.append(copies[n].range())
    some = isl.coalesced(isl.united(used))
    for n, m in copies.items():
        same = isl.Map.identity(m.domain().get_space().map_from_set()).reset_tuple_id(isl.OUT)
        m = m.intersect_range(some).flat_range_product(same)
        copies[n] = m.set_tuple_name(isl.OUT, n)
    return copies
