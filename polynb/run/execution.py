"""A plain machine for programs: it runs a syntax tree, or a model in the order of its schedule.

What a value is, is left to an `Algebra` (symbolic terms, or NumPy scalars), and what a store
does to a `Storage`. The original of a transformation runs from its syntax tree, loops and
conditions interpreted as they stand; a result runs from domains, schedule and expressions. No
pass is involved: isl only lists points.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic

from polynb import isl
from polynb.errors import PolynbError
from polynb.run.instances import LIMIT, Cells, Mismatch, Point, instances, too_many
from polynb.run.plans import Algebra, Planner, StatementPlan, Storage, V
from polynb.scop.model import Scop, Statement
from polynb.scop.witness import Instance, cell_text
from polynb.source import tree as syntax

__all__ = ["LIMIT", "Execution", "Mismatch", "Point"]


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
        self._count = 0

    def run(self, parameters: Mapping[str, int]) -> int:
        """Run the program at parameter values; the number of statement instances that ran.

        Raises PolynbError for more than `limit` of them, and Mismatch.
        """
        self._count = 0
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
            raise too_many(self.limit)

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
        guard = () if s.guard is None else (s.guard,)
        plan = self._plan(s, s.expression, *s.write.node.subscripts, *guard)
        values = plan.run({**parameters, **dict(zip(s.iterators, point, strict=True))})
        roots = [values[k] for k in plan.roots]
        index = tuple(roots[1 : 1 + len(s.write.node.subscripts)])
        self._check(s, plan, values, index, point, cells)
        condition = roots[-1] if guard else None
        known = True if condition is None else self.algebra.truth(condition)
        if known is not False:
            self.memory.store(s.write.array, index, roots[0], None if known else condition)

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
