"""What the flow dependences allow: parallel loops, permutable bands, and bands of another schedule
(TACO'19, section 6, "Optim")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from polynb import isl
from polynb.errors import PolynbError
from polynb.reordering import Constraint, ScheduleConstraints, isl_schedule
from polynb.scop.schedule import Band, Tree, walk
from polynb.tracing.feedback.loops import LoopNode
from polynb.tracing.feedback.overapproximation import FlowDependence, tuple_name

SECONDS = 5.0
"""What the search for another schedule of one nest may take."""


@dataclass(frozen=True)
class CarriedDependence:
    """A flow dependence that a loop carries: `example` is a pair of instances. Not `exact`: it was
    over-approximated, and perhaps the loop does not carry it."""

    source: str
    target: str
    example: str
    exact: bool

    def __str__(self) -> str:
        return f"{'' if self.exact else 'perhaps '}{self.source} -> {self.target}, {self.example}"


def at_depth(relation: isl.Map, depth: int) -> isl.Map:
    """The pairs in the same iteration of the `depth` outermost loops."""
    for q in range(depth):
        relation = relation.equate(isl.IN, q, isl.OUT, q)
    return relation


@isl.guarded
def carried_by(node: LoopNode, flow: Sequence[FlowDependence]) -> tuple[CarriedDependence, ...]:
    """The dependences among what is in a loop that lead from one of its iterations to another, in
    the same iteration of the loops around it."""
    found = []
    for f in flow:
        if f.common <= node.depth:
            continue
        pairs = at_depth(f.relation, node.depth)
        pairs = pairs.order_lt(isl.IN, node.depth, isl.OUT, node.depth)
        if not pairs.is_empty():
            found.append(CarriedDependence(f.source, f.target, _example(pairs), f.exact))
    return tuple(found)


def _example(pairs: isl.Map) -> str:
    first = pairs.wrap().lexmin().sample_point()
    n, m = pairs.dim(isl.IN), pairs.dim(isl.OUT)
    values = [first.get_coordinate_val(isl.SET, q).to_python() for q in range(n + m)]
    a, b = values[:n], values[n:]
    return f"from ({', '.join(map(str, a))}) to ({', '.join(map(str, b))})"


@isl.guarded
def permutable_bands(
    path: Sequence[LoopNode], flow: Sequence[FlowDependence]
) -> tuple[tuple[int, int], ...]:
    """The maximal runs of loops of a path that may be interchanged (and so tiled): none of their
    distances is negative in a dependence that no loop outside of the run carries. Each is (first,
    last), of numbers of the path. `flow` are the dependences inside of the innermost loop."""
    found, first = [], 0
    while first < len(path):
        open_ = [at_depth(f.relation, path[first].depth) for f in flow]
        last = first
        while last < len(path) and not any(_negative(m, path[last].depth) for m in open_):
            last += 1
        last = max(last, first + 1)  # a loop alone runs in order
        found.append((first, last - 1))
        first = last
    return tuple(found)


def _negative(m: isl.Map, q: int) -> bool:
    return not m.order_gt(isl.IN, q, isl.OUT, q).is_empty()


@dataclass(frozen=True, eq=False)
class NewSchedule:
    """The widest permutable band of a schedule that was searched: `members` are the new loops'
    values of an instruction, `{ I4[cj, ck] -> [cj, cj + ck] }`, `coincident` how many of the
    members are parallel."""

    width: int
    coincident: int
    members: str


def searched_band(
    names: Sequence[str], known: Mapping[str, isl.Set], flow: Sequence[FlowDependence]
) -> NewSchedule | None:
    """The widest band that isl's scheduler finds for these instructions, which may skew and shift
    (Pluto's criterion); None where it finds none in its time."""
    relations = [Constraint("validity", *_ends(f), f.relation) for f in flow]
    relations += [Constraint("proximity", *_ends(f), f.relation) for f in flow]
    relations += [Constraint("coincidence", *_ends(f), f.relation) for f in flow]
    context = isl.read_set("{ : }")
    constraints = ScheduleConstraints(tuple(known[n] for n in names), tuple(relations), context)
    try:
        with isl.budget(seconds=SECONDS, doing="the search for another schedule"):
            tree = isl_schedule(constraints)
    except (PolynbError, isl.BudgetExhausted):
        return None
    return max(_bands(tree), key=lambda b: (b.width, b.coincident), default=None)


def _ends(f: FlowDependence) -> tuple[str, str]:
    return tuple_name(f.source), tuple_name(f.target)


def _bands(tree: Tree) -> list[NewSchedule]:
    found = []
    for node in walk(tree):
        if isinstance(node, Band) and (node.permutable or node.depth == 1):
            some = str(next(iter(node.members.values())))
            found.append(NewSchedule(node.depth, sum(node.coincident), some))
    return found
