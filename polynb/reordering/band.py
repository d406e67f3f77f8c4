"""Algorithm 1: a schedule band, member by member, with conditional validity constraints
(IMPACT'16, section 3.2)."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from polynb import isl
from polynb.derivation import Step
from polynb.reordering.active import (
    AS_MEANT,
    Active,
    ReorderReadings,
    adjacent,
    apart,
    out_of_order,
)
from polynb.reordering.constraints import Constraint
from polynb.reordering.farkas import ConstraintRow, Dual, Unknown, duals
from polynb.reordering.integer_program import (
    Counter,
    OutsideSpan,
    ProgramLimit,
    Solution,
    VariableLayout,
    member_layout,
    solve,
)
from polynb.reordering.lexmin import Budget
from polynb.reordering.matrices import orthogonal
from polynb.reordering.sentences import pair
from polynb.reordering.steps import (
    BandBegun,
    BandBuilt,
    BandReset,
    CoincidenceDropped,
    MadeLocal,
    MemberFound,
    Violated,
)
from polynb.scop.schedule import Tree

Vector = tuple[int, ...]

OPERATIONS: Final = 50_000
"""Operations on rows of integer programs for one member, about a second; Listing 3 takes a
thousand."""
ALTOGETHER: Final = 400_000
"""The same for a whole schedule."""
COEFFICIENT: Final = 1_000_000
SHIFT: Final = 1_000_000_000
FARKAS: Final = 100_000, 4.0
"""isl operations, and seconds, for the conditions on coefficients that one constraint makes;
milliseconds do for all that is known. So many seconds that a busy machine finds the order that an
idle one finds."""


@dataclass(frozen=True, eq=False)
class StatementGroup:
    """Statements that are scheduled together: their spaces `{ S[i] }` by name, the parameters, and
    for each the rows of the iterators' coefficients found so far, in this band and those around."""

    spaces: Mapping[str, isl.Space]
    parameters: tuple[str, ...]
    rows: Mapping[str, tuple[Vector, ...]]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.spaces)

    @property
    def dims(self) -> dict[str, int]:
        return {n: s.dim(isl.SET) for n, s in self.spaces.items()}

    def left(self, name: str) -> int:
        """How many dimensions of a statement no member orders yet."""
        return len(self.regions_of(name))

    def regions_of(self, name: str) -> tuple[Vector, ...]:
        return orthogonal([r for r in self.rows[name] if any(r)], self.dims[name])

    @property
    def most(self) -> int:
        """How many members are still needed."""
        return max((self.left(n) for n in self.names), default=0)

    def regions(self) -> list[OutsideSpan]:
        forms = {n: self.regions_of(n) for n in self.names}
        return [OutsideSpan(n, f) for n, f in forms.items() if f]

    def with_member(self, solution: Solution) -> StatementGroup:
        dims = self.dims
        rows = {n: (*self.rows[n], solution.vector(n, dims[n])) for n in self.names}
        return replace(self, rows=rows)

    def functions(self, solution: Solution) -> dict[str, isl.Map]:
        """`{ S[i] -> [t] }` for each statement."""
        return {n: function(s, n, self.parameters, solution) for n, s in self.spaces.items()}

    def only(self, names: Sequence[str]) -> StatementGroup:
        return replace(
            self,
            spaces={n: self.spaces[n] for n in names},
            rows={n: self.rows[n] for n in names},
        )


def function(space: isl.Space, name: str, parameters: Sequence[str], solution: Solution) -> isl.Map:
    """`{ S[i] -> [c_i i + c_n n + c_0] }`"""
    space = space.align_params(isl.param_space(parameters))
    result = isl.Aff.zero_on_domain(isl.LocalSpace.from_space(space))
    for k in range(space.dim(isl.SET)):
        result = result.set_coefficient_val(
            isl.IN, k, isl.Val(solution.values[("x", name, str(k))])
        )
    for p in parameters:
        at = space.find_dim_by_name(isl.PARAM, p)
        result = result.set_coefficient_val(isl.PARAM, at, isl.Val(solution.values[("n", name, p)]))
    result = result.set_constant_val(isl.Val(solution.values[("0", name)]))
    return isl.Map.from_aff(result)


@dataclass(frozen=True, eq=False)
class BandMembers:
    """A band and the piece as it is below it: `members[S]` is `{ S[i] -> [t1, ..., tn] }`."""

    piece: StatementGroup
    members: Mapping[str, isl.Map]
    coincident: tuple[bool, ...]

    @property
    def full(self) -> bool:
        return self.piece.most == 0


Fallback = Callable[[Sequence[str], Sequence[Active]], Generator[Step, None, Tree | None]]
"""An order of statements that are too hard, given what is open between them; None if it has none.
"""


@dataclass
class SearchBudget:
    """What has been spent on a schedule, and what may still be spent on one member, and altogether:
    integer programs, members, groups of live ranges made local (also those that were not local by
    then), and bands reset, as in Table 1 of the paper. `fallback`: what becomes of statements that
    are too hard."""

    counter: Counter
    members: int = 0
    localized: int = 0
    non_local: int = 0
    resets: int = 0
    operations: int = OPERATIONS
    left: int = ALTOGETHER
    doing: str = "the constraints"
    fallback: Fallback | None = None
    readings: ReorderReadings = AS_MEANT
    duals: dict[int, tuple[Active, list[Dual] | isl.BudgetExhausted]] = field(
        default_factory=dict, repr=False
    )

    def begin(self, c: Constraint | Active) -> None:
        """This is looked at now."""
        self.doing = f"the {c}"

    def solve(
        self, layout: VariableLayout, rows: Iterable[ConstraintRow], regions: Sequence[OutsideSpan]
    ) -> Solution | None:
        """The best solution, if it is found in the operations that are left for it. Raises
        BudgetExhausted, and ProgramLimit where all are spent."""
        budget = Budget(min(self.operations, self.left))
        if self.left <= 0:
            raise ProgramLimit
        try:
            found = solve(layout, rows, regions, self.counter, budget)
            if found is not None and _skips(found):
                raise isl.BudgetExhausted(
                    "the member that was found has coefficients that no loop can run over"
                )
            return found
        finally:
            self.left -= budget.spent

    def dual(self, e: Active, parameters: tuple[str, ...]) -> list[Dual]:
        """The conditions on the coefficients of a constraint, found once (the constraint is kept,
        so that its identity is not another's). Raises BudgetExhausted where isl needs more
        than `FARKAS`."""
        if id(e) not in self.duals:
            self.begin(e)
            self.duals[id(e)] = e, _found(e, parameters)
        duals = self.duals[id(e)][1]
        if isinstance(duals, isl.BudgetExhausted):
            raise duals
        return duals


def _skips(found: Solution) -> bool:
    """Whether a member has coefficients above `COEFFICIENT`, as conditions modulo 2^32 make them:
    a loop over its values would run for hours, and do nothing most of the time. Or constants above
    `SHIFT`, as the largest value of a parameter's type makes them: the iterations of a statement
    that has to wait for a loop of `M` are put behind 2^63 others, and C's integers overflow."""
    most = {"x": COEFFICIENT, "n": COEFFICIENT, "0": SHIFT}
    return any(abs(v) > most[u[0]] for u, v in found.values.items() if u[0] in most)


def _found(e: Active, parameters: tuple[str, ...]) -> list[Dual] | isl.BudgetExhausted:
    try:
        with isl.budget(*FARKAS):
            return duals(e.relation, parameters)
    except isl.BudgetExhausted as error:
        return error


def construct_band(
    piece: StatementGroup, edges: Sequence[Active], effort: SearchBudget
) -> Generator[Step, None, BandMembers]:
    """Algorithm 1. The band is empty where not even one member exists."""
    conditions = [e for e in edges if e.kind == "condition"]
    conditioned = [e for e in edges if e.kind == "conditioned_validity"]
    local: list[Active] = []
    has_coincidence = any(e.kind == "coincidence" for e in edges)
    while True:  # line 2, and again after each reset (line 16)
        yield BandBegun(piece.names, piece.most, tuple(e.constraint for e in local))
        again = False
        now, members, coincident = piece, _no_members(piece), []  # type: ignore[var-annotated]
        coincidence = has_coincidence  # line 1
        while now.most:
            rows = tuple(_rows(edges, local, coincidence, now.parameters, effort))
            before = effort.counter.solved
            layout = member_layout(now.dims, now.parameters)
            effort.doing = f"member {len(coincident) + 1} of a band for {', '.join(piece.names)}"
            solution = effort.solve(layout, rows, now.regions())
            if solution is None:  # line 4
                if not coincidence:
                    break
                coincidence = False
                yield CoincidenceDropped(piece.names)
                continue
            member = now.functions(solution)  # line 10
            now = now.with_member(solution)
            members = {n: m.flat_range_product(member[n]) for n, m in members.items()}
            coincident.append(coincidence or not has_coincidence)
            effort.members += 1
            yield MemberFound(
                piece.names,
                len(coincident) - 1,
                member,
                coincidence,
                (solution.objective[0], solution.objective[1]),
                effort.counter.solved - before,
                rows,
                tuple(e.constraint for e in local),
            )
            nearby = yield from _turned_around(conditioned, conditions, member, effort)  # 11, 12
            for c in nearby:
                if c in local:
                    continue
                stretched = apart(c, members)  # line 13
                local.append(c)  # line 14
                effort.localized += 1
                is_local = stretched.is_empty()
                effort.non_local += not is_local
                again |= not is_local
                yield MadeLocal(c.constraint, None if is_local else pair(stretched))
            if again:  # lines 15 to 17
                effort.resets += 1
                yield BandReset(piece.names, len(coincident))
                break
        if not again:
            yield BandBuilt(piece.names, members, tuple(coincident), now.most == 0)
            return BandMembers(now, members, tuple(coincident))


def _no_members(piece: StatementGroup) -> dict[str, isl.Map]:
    """`{ S[i] -> [] }`"""
    return {n: isl.Map.from_domain(isl.Set.universe(s)) for n, s in piece.spaces.items()}


def _turned_around(
    conditioned: Iterable[Active],
    conditions: Sequence[Active],
    found: Mapping[str, isl.Map],
    effort: SearchBudget,
) -> Generator[Step, None, list[Active]]:
    """The live ranges next to the conditioned constraints that a new member violates."""
    nearby: list[Active] = []
    for e in conditioned:
        effort.begin(e)
        pairs = out_of_order(e, found)
        if pairs.is_empty():
            continue
        beside = adjacent(conditions, e.restricted(pairs).tagged)
        nearby += [c for c in beside if c not in nearby]
        yield Violated(e.constraint, pairs, pair(pairs), tuple(c.constraint for c in beside))
    return nearby


def _rows(
    edges: Sequence[Active],
    local: Sequence[Active],
    coincidence: bool,
    parameters: tuple[str, ...],
    effort: SearchBudget,
) -> Iterable[ConstraintRow]:
    """The rows of the integer program: validity, proximity, coincidence, and live ranges that must
    be local."""
    bound: dict[Unknown, int] = {("m",): 1, **{("m", p): 1 for p in parameters}}
    # Of a distance that cannot be negative the bound is one from above only.
    forward = {id(e.constraint.relation) for e in edges if e.kind == "validity"}
    for e in edges:
        must_be_local = e in local
        if e.kind in ("condition", "conditioned_validity") and not must_be_local:
            continue
        if e.kind == "coincidence" and not coincidence:
            continue
        because = (
            f"local {e.source} -> {e.target}, {e.constraint.why}"
            if must_be_local
            else str(e.constraint)
        )
        for d in effort.dual(e, parameters):
            if e.kind == "validity":
                yield from d.distance(1, {}, because)
            elif e.kind == "proximity":
                yield from d.distance(-1, bound, because)
                if id(e.constraint.relation) not in forward:
                    yield from d.distance(1, bound, because)
            else:
                yield from d.distance(1, {}, because)
                yield from d.distance(-1, {}, because)
