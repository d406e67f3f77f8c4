"""What the flow dependences allow: parallel loops and permutable bands (TACO'19, section 6,
"Optim")."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

from polynb import isl
from polynb.tracing.feedback.loops import LoopKey, LoopNode
from polynb.tracing.feedback.overapproximation import FlowDependence


@dataclass(frozen=True)
class CarriedDependence:
    """A flow dependence that a loop carries: `example` is a pair of instances. Not `exact`: it was
    over-approximated, and the pair is only one that may be; perhaps the loop does not carry it,
    unless it is `sure`, as all that may be is carried. `state` is what of the library's it
    goes through; `unknown`, the call of which nothing is known that makes it be assumed."""

    source: str
    target: str
    example: str
    exact: bool
    state: str = ""
    unknown: str = ""
    sure: bool = True

    def __str__(self) -> str:
        pair = f"{self.source} -> {self.target}"
        pair = f"{self.state} ({pair})" if self.state else pair
        example = self.example if self.exact or not self.sure else f"perhaps {self.example}"
        return f"{'' if self.sure else 'perhaps '}{pair}, {example}"


def at_depth(relation: isl.Map, depth: int) -> isl.Map:
    """The pairs in the same iteration of the `depth` outermost loops."""
    for q in range(depth):
        relation = relation.equate(isl.IN, q, isl.OUT, q)
    return relation


def carried(pairs: isl.Map, depth: int) -> isl.Map:
    """Those that lead to a later iteration of the loop of that depth, in the same one of the loops
    around it."""
    return at_depth(pairs, depth).order_lt(isl.IN, depth, isl.OUT, depth)


def touching(a: isl.Map, b: isl.Map, sizes: tuple[int, int]) -> isl.Map:
    """The instances of two accesses, by their addresses and sizes, that touch a byte in common."""
    overlap = isl.read_map(f"{{ [a] -> [b] : a - {sizes[1]} < b < a + {sizes[0]} }}")
    return a.apply_range(overlap).apply_range(b.reverse())


@isl.guarded
def carried_by(node: LoopNode, flow: Sequence[FlowDependence]) -> tuple[CarriedDependence, ...]:
    """The dependences among what is in a loop that lead from one of its iterations to another, in
    the same iteration of the loops around it."""
    found, inside = [], {i.name: i for i in node.inside}
    for f in flow:
        if f.common <= node.depth:
            continue
        seen = None if f.crossed is None else f.crossed >> node.depth & 1
        source = inside[f.source]
        made = node.loop.name in source.fresh and (source.kind == "move" or not seen)
        if not f.exact and (made or seen == 0):
            continue
        pairs = carried(f.relation, node.depth)
        if not pairs.is_empty():
            i = inside[f.source]
            state = i.state if i.state and inside[f.target].state else ""
            unknown = f"{i.text} (line {i.line})" if i.kind == "call" and not f.exact else ""
            example = _example(pairs)
            sure = f.exact or seen == 1 or (not unknown and f.relation.is_subset(pairs))
            found.append(
                CarriedDependence(f.source, f.target, example, f.exact, state, unknown, sure)
            )
    return tuple(found)


def _example(pairs: isl.Map) -> str:
    first = pairs.wrap().lexmin().sample_point()
    n, m = pairs.dim(isl.IN), pairs.dim(isl.OUT)
    values = [first.get_coordinate_val(isl.SET, q).to_python() for q in range(n + m)]
    a, b = values[:n], values[n:]
    return f"from ({', '.join(map(str, a))}) to ({', '.join(map(str, b))})"


@isl.guarded
def permutable_bands(
    path: Sequence[LoopNode], flow: Sequence[FlowDependence], ends: Container[LoopKey] = ()
) -> tuple[tuple[int, int], ...]:
    """The maximal runs of loops of a path that may be interchanged (and so tiled): none of their
    distances is negative in a dependence within the innermost loop that no loop outside of the run
    carries. Each is (first, last), of numbers of the path.

    What stands outside of the innermost loop has to get loops of its own. So a loop that carries a
    dependence from it or to it ends a run. `flow` are the dependences inside of the outermost loop.
    Loops of `ends`, whose ends are decided on inside, stay where they are.
    """
    inner = {i.name for i in path[-1].instructions}
    within = [f for f in flow if f.source in inner and f.target in inner]
    apart = [_joins(node, flow, inner) for node in path]
    found, first = [], 0
    while first < len(path):
        open_ = [at_depth(f.relation, path[first].depth) for f in within]
        last = first
        while last < len(path) and not any(_negative(m, path[last].depth) for m in open_):
            if path[last].key in ends:
                break
            last += 1
            if apart[last - 1]:
                break
        last = max(last, first + 1)  # a loop alone runs in order
        found.append((first, last - 1))
        first = last
    return tuple(found)


def _joins(node: LoopNode, flow: Sequence[FlowDependence], inner: set[str]) -> bool:
    """Whether a loop carries a dependence that does not stay within the innermost loop."""
    inside = {i.name for i in node.inside}
    ends = [f for f in flow if {f.source, f.target} <= inside and not {f.source, f.target} <= inner]
    return bool(carried_by(node, ends))


def _negative(m: isl.Map, q: int) -> bool:
    return not m.order_gt(isl.IN, q, isl.OUT, q).is_empty()


@dataclass(frozen=True, eq=False)
class NewSchedule:
    """A permutable band of a schedule that was searched, for all statements of `instructions`.
    `members` are the new loops' values, `{ I4[cj, ck] -> [cj, cj + ck] }`, of one of them,
    `coincident` is how many of the loops are parallel."""

    width: int
    coincident: int
    members: str
    instructions: frozenset[str]
