"""When nobody needs what a cell has."""

from __future__ import annotations

from polynb import isl
from polynb.dependences.zones.products import reverse_domain
from polynb.dependences.zones.reaching import reaching_write
from polynb.dependences.zones.scatter import between_scatter


@isl.bounded("the computation of zones")
@isl.guarded
def array_unused(
    schedule: isl.UnionMap,
    writes: isl.UnionMap,
    reads: isl.UnionMap,
    read_in_same_instance: bool,
    incl_last_read: bool,
    incl_write: bool,
) -> isl.UnionMap:
    """`{ A[x] -> [t] }`, when a cell's content is not needed, of a schedule `{ S[i] -> [t] }`,
    writes that surely happen and all reads `{ S[i] -> A[x] }`.

    A cell is unused before each write of it, back to the last read of it that is not before the
    previous write; without such a read, back to the previous write, or for ever. So cells are
    needed after their last write, and those that are never written, always. The two ends are
    included as said. A read at the time of a write is of the value that is overwritten, unless
    `read_in_same_instance`: then it is of the new one.

    DeLICM, section 2, "unused locations".
    """
    overwrite = reaching_write(
        schedule, writes, True, read_in_same_instance, not read_in_same_instance
    )
    read_at = schedule.apply_domain(reads).wrap()
    read = _times_by_write(overwrite.intersect_domain(read_at))
    written = writes.reverse().range_map().apply_range(schedule)  # { [A[x] -> S[i]] -> [t] }
    after_reads = between_scatter(read.lexmax(), written, incl_last_read, incl_write)
    zone = _times_by_write(reaching_write(schedule, writes, True, incl_last_read, incl_write))
    not_read = zone.subtract_domain(read.domain())
    return after_reads.union(not_read).domain_factor_domain()


def _times_by_write(m: isl.UnionMap) -> isl.UnionMap:
    """`{ [A[x] -> [t]] -> S[i] }` as `{ [A[x] -> S[i]] -> [t] }`."""
    return reverse_domain(m).curry().reverse()
