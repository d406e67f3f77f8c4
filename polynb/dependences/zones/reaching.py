"""Which write a cell's content at a time is of, and which comes next."""

from __future__ import annotations

from polynb import isl
from polynb.dependences.zones.scatter import scatter_space


@isl.bounded("the computation of zones")
@isl.guarded
def reaching_write(
    schedule: isl.UnionMap,
    writes: isl.UnionMap,
    reverse: bool,
    incl_prev: bool,
    incl_next: bool,
) -> isl.UnionMap:
    """`{ [A[x] -> [t]] -> S[i] }`, the last write of each cell before each time, of a schedule
    `{ S[i] -> [t] }` and writes `{ S[i] -> A[x] }`; in reverse, the next one after it.

    A write's times run from itself to the next write of the cell (in reverse, from the previous
    one to itself). The ends are included as said, so that the zone ]write, next] is that with
    `incl_next` alone. Where two writes of a cell have one time, both reach.

    DeLICM, section 2, "reaching definition".
    """
    space = scatter_space(schedule)
    written = schedule.apply_domain(writes)  # { A[x] -> [w] }
    if reverse:
        order = isl.Map.lex_lt(space) if incl_prev else isl.Map.lex_le(space)
    else:
        order = isl.Map.lex_gt(space) if incl_next else isl.Map.lex_ge(space)
    to_pairs = order.range_map().reverse().to_union_map()  # { [w] -> [[t] -> [w]] }
    reachable = written.apply_range(to_pairs).uncurry()  # { [A[x] -> [t]] -> [w] }
    reaching = reachable.lexmin() if reverse else reachable.lexmax()
    own = written.range_map()  # { [A[x] -> [w]] -> [w] }
    if incl_prev and incl_next:
        reaching = reaching.union(own)
    elif not (incl_prev or incl_next):
        reaching = reaching.subtract(own)
    instances = reaching.apply_range(schedule.reverse())
    # Of what runs at a write's time, only that which writes the cell.
    return instances.curry().intersect_range_factor_range(writes.reverse()).uncurry()
