"""A plain machine for programs: it runs a syntax tree, or a model in the order of its schedule.

What a value is, is left to an `Algebra` (symbolic terms, or NumPy scalars), and what a store
does to a `Storage`. The original of a transformation runs from its syntax tree, loops and
conditions interpreted as they stand; a result runs from domains, schedule and expressions. No
pass is involved: isl only lists points.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Generic

from polynb import isl
from polynb.errors import PolynbError
from polynb.run.plans import Algebra, Planner, StatementPlan, Storage, V
from polynb.scop.model import MemoryAccess, Scop, Statement, roots
from polynb.scop.witness import Instance, cell_text
from polynb.source import tree as syntax

LIMIT = 200_000
CHUNK = 6  # relations that are listed together

Point = tuple[int, ...]
Cells = Sequence[tuple[MemoryAccess, Point]]
Timed = tuple[Point, Statement, Point, Cells]


class Mismatch(Exception):
    """What a statement does is not what the model says that it does."""


IDLE: Final = 4
"""How many iterations there may be for each instance: a condition can fail in most of them."""


def _too_many(limit: int, what: str = "statement instances") -> PolynbError:
    """The error for a run that would not end soon: executing is for small sizes."""
    return PolynbError(
        f"more than {limit} {what} would run",
        hint="smaller parameter values (small ones find the same mistakes), or a larger `limit=`",
    )


class Execution(Generic[V]):
    """Runs one Scop, any number of times. `from_tree`: as its text says, else by its model."""

    def __init__(
        self,
        scop: Scop,
        algebra: Algebra[V],
        memory: Storage[V],
        *,
        from_tree: bool = True,
        limit: int = LIMIT,
    ) -> None:
        self.scop = scop
        self.algebra = algebra
        self.memory = memory
        self.limit = limit
        self.program = scop.program if from_tree else None
        functions = scop.functions if self.program is None else self.program.functions
        self.planner = Planner(functions, algebra, memory)
        self._plans: dict[int, StatementPlan[V]] = {}
        self._count = self._iterations = 0

    def run(self, parameters: Mapping[str, int]) -> int:
        """Run the program at parameter values; the number of statement instances that ran.

        Raises PolynbError for more than `limit` of them, or IDLE times as many iterations, and
        Mismatch.
        """
        self._count = self._iterations = 0
        if self.program is not None:
            self._body(self.program.body, dict(parameters), None)
        else:
            for _, statement, point, cells in instances(self.scop, parameters, self.limit):
                self._instance(statement, point, cells, parameters)
        return self._count

    def _plan(self, owner: syntax.Node | Statement, *roots: syntax.Expr) -> StatementPlan[V]:
        plan = self._plans.get(id(owner))
        if plan is None:
            plan = self._plans[id(owner)] = self.planner.plan(*roots)
        return plan

    def _counted(self) -> None:
        self._count += 1
        if self._count % 256 == 0:
            isl.check_time()
        if self._count > self.limit:
            raise _too_many(self.limit)

    # -- from the syntax tree ----------------------------------------------------------

    def _body(
        self, body: tuple[syntax.Stmt, ...], environment: dict[str, int], guard: V | None
    ) -> None:
        for s in body:
            match s:
                case syntax.Assign():
                    self._assign(s, environment, guard)
                case syntax.If():
                    self._if(s, environment, guard)
                case syntax.For(step=step):
                    first = self._whole(s.lower, environment)
                    last = self._whole(s.upper, environment)
                    for i in range(first, last + (1 if step > 0 else -1), step):
                        self._iterations += 1
                        if self._iterations > IDLE * self.limit:
                            raise _too_many(IDLE * self.limit, "iterations")
                        self._body(s.body, {**environment, s.iterator: i}, guard)

    def _whole(self, bound: syntax.Expr, environment: Mapping[str, int]) -> int:
        plan = self._plan(bound, bound)
        value = self.algebra.integer(plan.run(environment)[plan.roots[0]])
        if value is None:
            raise PolynbError("a loop's bound depends on data", span=bound.span)
        return value

    def _if(self, s: syntax.If, environment: dict[str, int], guard: V | None) -> None:
        plan = self._plan(s, s.condition)
        condition = plan.run(environment)[plan.roots[0]]
        known = self.algebra.truth(condition)
        if known is not None:
            self._body(s.then if known else s.otherwise, environment, guard)
            return
        self._body(s.then, environment, self._and(guard, condition))
        negated = self.algebra.unary("!", condition)
        self._body(s.otherwise, environment, self._and(guard, negated))

    def _and(self, guard: V | None, condition: V) -> V:
        return condition if guard is None else self.algebra.binary("&&", guard, condition)

    def _assign(self, s: syntax.Assign, environment: Mapping[str, int], guard: V | None) -> None:
        self._counted()
        plan = self._plan(s, s.value, *s.target.subscripts)
        values = plan.run(environment)
        value, *index = [values[k] for k in plan.roots]
        self.memory.store(s.target.array, tuple(index), value, guard)

    # -- from the model ----------------------------------------------------------------

    def _instance(
        self, s: Statement, point: Point, cells: Cells, parameters: Mapping[str, int]
    ) -> None:
        self._counted()
        plan = self._plan(s, *roots(s))
        values = plan.run({**parameters, **dict(zip(s.iterators, point, strict=True))})
        value, *others = [values[k] for k in plan.roots]
        index = tuple(others[: len(s.write.node.subscripts)])
        self._check(s, plan, values, index, point, cells)
        condition = None if s.guard is None else others[-1]
        known = True if condition is None else self.algebra.truth(condition)
        if known is not False:
            self.memory.store(s.write.array, index, value, None if known else condition)

    def _check(
        self,
        s: Statement,
        plan: StatementPlan[V],
        values: list[V],
        written: tuple[V, ...],
        point: Point,
        cells: Cells,
    ) -> None:
        """Whether the accesses touch the cells that the model's relations name."""
        for access, cell in cells:
            if access is s.write:
                index = written
            elif id(access.node) in plan.index:
                index = tuple(values[k] for k in plan.index[id(access.node)])
            else:
                raise Mismatch(f"{s.name} has no such read of {access.array} as its model lists")
            touched = tuple(self.algebra.integer(v) for v in index)
            if touched != cell or access.node.array != access.array:
                seen = cell_text(access.node.array, ("?" if k is None else k for k in touched))
                raise Mismatch(
                    f"the model's access relation does not match: {Instance(s.name, point)} "
                    f"touches {seen}, not {cell_text(access.array, cell)}"
                )


# -- the instances of a model -----------------------------------------------------------------


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
            raise _too_many(limit)
    order = {s.name: k for k, s in enumerate(scop.statements)}
    return sorted(found, key=lambda x: (x[0], order[x[1].name]))


def _exact_accesses(s: Statement) -> list[MemoryAccess]:
    """The must accesses, and those may accesses whose relation names one cell for each instance
    (a write under a data-dependent condition): those that can be checked point by point."""
    return [a for a in s.accesses if a.must or a.relation.is_single_valued()]


def _instances(s: Statement, parameters: Mapping[str, int]) -> list[Timed]:
    points = isl.points(s.domain, parameters)
    if not points:
        return []
    accesses = _exact_accesses(s)
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
        raise _too_many(limit)
