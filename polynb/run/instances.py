"""The statement instances of a model at parameter values, in the order of its schedule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from polynb import isl
from polynb.errors import PolynbError
from polynb.scop.model import MemoryAccess, Scop, Statement

LIMIT = 200_000
CHUNK = 6  # relations that are listed together

Point = tuple[int, ...]
Cells = Sequence[tuple[MemoryAccess, Point]]
Timed = tuple[Point, Statement, Point, Cells]


class Mismatch(Exception):
    """What a statement does is not what the model says that it does."""


def too_many(limit: int) -> PolynbError:
    return PolynbError(
        f"more than {limit} statement instances would run",
        hint="smaller parameter values (small ones find the same mistakes), or a larger `limit=`",
    )


def instances(scop: Scop, parameters: Mapping[str, int], limit: int = LIMIT) -> list[Timed]:
    """(time, statement, point, the cell of each exact access), in the order of the schedule.

    Pieces of one statement may share a time; they run in textual order. Raises PolynbError for
    more than `limit` instances, and Mismatch where a relation does not name one cell.
    """
    found: list[Timed] = []
    for s in scop.statements:
        _refuse_huge(s, parameters, limit)
        found += _instances(s, parameters)
        if len(found) > limit:
            raise too_many(limit)
    order = {s.name: k for k, s in enumerate(scop.statements)}
    return sorted(found, key=lambda x: (x[0], order[x[1].name]))


def exact_accesses(s: Statement) -> list[MemoryAccess]:
    """The must accesses, and those may accesses whose relation names one cell for each instance
    (a write under a data-dependent condition): those that can be checked point by point."""
    return [a for a in (*s.reads, s.write) if a.must or a.relation.is_single_valued()]


def _instances(s: Statement, parameters: Mapping[str, int]) -> list[Timed]:
    points = isl.points(s.domain, parameters)
    if not points:
        return []
    accesses = exact_accesses(s)
    images = _images(s, [s.schedule, *(a.relation for a in accesses)], parameters)
    if any(len(image) != len(points) for image in images.values()):
        raise Mismatch(f"{s.name} has instances without a time or an accessed cell")
    times = images[id(s.schedule)]
    return [(times[p], s, p, [(a, images[id(a.relation)][p]) for a in accesses]) for p in points]


def _images(
    s: Statement, relations: Sequence[isl.Map], parameters: Mapping[str, int]
) -> dict[int, dict[Point, Point]]:
    """For each relation, by identity: the image of every point of the domain. Relations that
    several accesses share are listed once, and several at a time."""
    domain = isl.Map.from_domain(isl.fix_parameters(s.domain, parameters))
    distinct = list({id(r): r for r in relations}.values())
    result: dict[int, dict[Point, Point]] = {}
    for start in range(0, len(distinct), CHUNK):
        part = distinct[start : start + CHUNK]
        joined = domain
        for relation in part:
            joined = joined.flat_range_product(isl.fix_parameters(relation, parameters))
        rows = isl.pairs(joined, parameters)
        if len({p for p, _ in rows}) != len(rows):
            raise Mismatch(f"the times or cells that the model gives to {s.name} are not unique")
        first = 0
        for relation in part:
            last = first + relation.dim(isl.OUT)
            result[id(relation)] = {p: row[first:last] for p, row in rows}
            first = last
    return result


def _refuse_huge(s: Statement, parameters: Mapping[str, int], limit: int) -> None:
    """Refuse a domain with too many points before they are listed; counting is quick, but not
    where the bounding box is enormous."""
    domain = isl.fix_parameters(s.domain, parameters)
    domain = domain.project_out(isl.PARAM, 0, domain.dim(isl.PARAM))
    if domain.is_empty() or not domain.is_bounded():
        return
    box = 1
    for k in range(domain.dim(isl.SET)):
        box *= domain.dim_max_val(k).sub(domain.dim_min_val(k)).to_python() + 1
    if box > limit and (box > 1000 * limit or domain.count_val().to_python() > limit):
        raise too_many(limit)
