"""isl's loops for a schedule tree, checked to run every instance in its turn.

Where several statements share a loop, isl (0.27) may shift some of them by a constant, so that a
strided loop needs no conditions. Nearly always that is right, but for some domains, in which
pieces of one statement alternate by parity, the shifted statements run in a wrong order. So every
shift is checked. If it is wrong, the loops are generated again with all statements as pieces of
one, for which isl has nothing to shift.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace

from polynb import isl
from polynb.codegen.isl_nodes import called, loop_depth, loop_name, number, numbered, parts
from polynb.codegen.loop_order import IslLoop, StatementCall, in_order, shifted
from polynb.codegen.run_by_run import run_by_run
from polynb.codegen.whole_runs import torn
from polynb.errors import PolynbError
from polynb.scop.affine_from_isl import OWN, enum_name
from polynb.scop.model import Scop
from polynb.scop.schedule import Band, Filter, Leaf, Sequence, Tree, subtrees, transform
from polynb.scop.schedule_isl import to_isl
from polynb.scop.tree_walk import passing, rewrite_within

BUDGET = 25_000_000
"""isl operations of one attempt: a few seconds; local Laplacian, the largest pipeline, needs half
of them. Not many more: for some domains isl calls itself without end, and between 100 and 200
million operations later that has used up the stack of the process (8 MB), which ends it."""

ORDER_BUDGET = 4_000_000
"""isl operations to find that what isl shifted runs in order; where that is not found, it counts
as wrong. (A program of 29 statements took minutes.)"""

_ALL = OWN
"""The statement that all are pieces of."""


@dataclass(frozen=True, eq=False)
class Loops:
    """isl's syntax tree; `call` reads one of its calls as a statement and its iterators' values.

    `merged`: the statements that isl sees as pieces `[k, i]` of one; () if it sees each as it is.
    `moved`: it shifted some of them. `torn`: parts of what is below private marks are in other
    loops than the rest; one after the other, these loops are right.
    """

    root: isl.AstNode
    merged: tuple[str, ...] = ()
    moved: bool = False
    torn: bool = False

    def call(self, e: isl.AstExpr) -> tuple[str, list[isl.AstExpr]]:
        arguments = [e.op_get_arg(k) for k in range(1, e.op_get_n_arg())]
        if not self.merged:
            return called(e), arguments
        if enum_name(arguments[0].get_type()) != "int":
            raise _wrong_order()
        return self.merged[arguments[0].int_get_val().to_python()], arguments[1:]


@isl.guarded
def loops(scop: Scop, domains: Mapping[str, isl.Set], *, separate: bool = False) -> Loops:
    """The loops that run `domains`, `{ S[i] }` by name, in the order of the scop's schedule.

    `separate`: the innermost ones without conditions inside, if they are found in BUDGET.
    Raises PolynbError if isl's loops do not have that order, or are not found.
    """
    attempts: list[tuple[Callable[[isl.Set], isl.Set], bool]] = [(_same, False), (_disjoint, False)]
    if separate:
        attempts.insert(0, (_same, True))
    for form, apart in attempts:
        with suppress(isl.BudgetExhausted), isl.budget(BUDGET):
            return _loops(scop, {n: form(d) for n, d in domains.items()}, apart)
    isl.check_time()  # or it is the time that is up
    raise PolynbError(
        "the loops of this program were not found within the budget of isl operations",
        reason="some statements fall into pieces with complicated borders",
        hint="keep an array that splits them: propagate without partial, or with keep=",
    )


def _same(domain: isl.Set) -> isl.Set:
    return domain


def _disjoint(domain: isl.Set) -> isl.Set:
    """Pieces that overlap are what isl may never come to an end with."""
    return isl.coalesced(domain.make_disjoint())


def _loops(scop: Scop, domains: Mapping[str, isl.Set], separate: bool) -> Loops:
    schedule = to_isl(scop.schedule, domains, separate=separate)
    found = _generate(scop, schedule)
    right = _in_order(scop, found, ORDER_BUDGET)
    if right:
        return Loops(found.root, moved=bool(found.moved), torn=found.torn)
    return _of_one(scop, domains, otherwise=found if right is None else None)


def _in_order(scop: Scop, found: _Generated, operations: int) -> bool | None:
    """Whether what isl shifted runs in order; None if that is not found out in so many isl
    operations."""
    with suppress(isl.BudgetExhausted), isl.budget(operations):
        return in_order(found.calls, found.moved, {s.name: s.schedule for s in scop.statements})
    return None


def _of_one(scop: Scop, domains: Mapping[str, isl.Set], otherwise: _Generated | None) -> Loops:
    """The loops of all statements as pieces of one. If isl shifts those, too: what it generated
    `otherwise`, if that is in order; there is time to find out, then."""
    names = tuple(domains)
    pieces = _pieces(domains)
    tree = _merged(_one_by_one(scop.schedule, names), pieces)
    schedule = to_isl(tree, {name: domains[name].apply(pieces[name]) for name in names})
    found = _generate(scop, schedule)
    if found.moved:
        if otherwise is not None and _in_order(scop, otherwise, BUDGET):
            return Loops(otherwise.root, moved=True, torn=otherwise.torn)
        raise _wrong_order()
    return Loops(found.root, names, moved=True, torn=found.torn)


# -- what isl generated -------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Generated:
    """isl's syntax tree, its calls in textual order, those of them that are shifted, and whether
    runs of what is below private marks are torn."""

    root: isl.AstNode
    calls: list[StatementCall]
    moved: list[StatementCall]
    torn: bool


def _generate(scop: Scop, schedule: isl.Schedule) -> _Generated:
    root, values = _nodes(scop, schedule)
    still = torn(root, values, schedule)
    if still:
        root, values = _nodes(scop, run_by_run(schedule, still[0]))
        still = torn(root, values, schedule)
    calls = [StatementCall(around, values[k]) for around, k in _noted(root, (), [])]
    if any(len(c.loops) != c.values.dim(isl.OUT) for c in calls):
        raise _wrong_order()  # isl's loops are not what we take them for
    moved = shifted(calls, _band_times(schedule.get_root()))
    return _Generated(root, calls, moved, bool(still))


def _nodes(scop: Scop, schedule: isl.Schedule) -> tuple[isl.AstNode, list[isl.Map]]:
    """isl's syntax tree, with numbers at its calls, and `{ S[i] -> [t] }` of each of them, what
    the loops around it are."""
    values: list[isl.Map] = []
    failures: list[BaseException] = []

    def note(node: isl.AstNode, build: isl.AstBuild) -> isl.AstNode:
        try:
            (of,) = isl.maps(build.get_schedule())
            values.append(of.flatten_range().reset_tuple_id(isl.OUT))
            return numbered(node, len(values) - 1)
        except BaseException as error:
            # islpy would print it, and keep it with this frame: `build` would be freed twice.
            failures.append(error.with_traceback(None))
            return node

    iterators = [loop_name(k) for k in range(_depth(scop.schedule))]
    build, callback = isl.ast_build(scop.assumed, iterators).set_at_each_domain(note)
    with isl.uninterrupted():  # else an error might come before `try`
        root = build.node_from_schedule(schedule)
    del callback  # islpy frees `note` with it
    if failures:
        raise failures[0]
    return root, values


Around = tuple[IslLoop, ...]


def _noted(node: isl.AstNode, around: Around, seen: list[IslLoop]) -> Iterator[tuple[Around, int]]:
    """The loops around each call, and the number it was noted with; `seen` collects loops."""
    if enum_name(node.get_type()) == "user":
        yield around, number(node)
    if enum_name(node.get_type()) == "for_":
        seen.append(IslLoop(len(seen), loop_depth(node)))
        around = (*around, seen[-1])
    for part in parts(node):
        yield from _noted(part, around, seen)


def _band_times(node: isl.ScheduleNode) -> Iterator[isl.Map]:
    """`{ S[i] -> [t] }` of all bands above a leaf, for each leaf."""
    if node.n_children() == 0:
        times = node.get_prefix_schedule_union_map().intersect_domain(node.get_domain())
        yield from isl.maps(times)
    for k in range(node.n_children()):
        yield from _band_times(node.child(k))


def _depth(tree: Tree) -> int:
    own = tree.depth if isinstance(tree, Band) else 0
    return own + max((_depth(t) for t in subtrees(tree)), default=0)


def _wrong_order() -> PolynbError:
    return PolynbError(
        "isl's loops for this schedule would run statements in another order",
        hint="nothing is printed that computes something else; fewer pieces help: propagate "
        "without partial, or fewer arrays",
    )


# -- all statements as pieces of one ------------------------------------------------------


def _one_by_one(tree: Tree, names: tuple[str, ...]) -> Tree:
    """The tree with statements that have no order put in the order of `names`."""

    def ordered(node: Tree, here: tuple[str, ...]) -> Tree | None:
        if not isinstance(node, Leaf) or len(here) < 2:
            return None
        return Sequence(tuple(Filter({n: None}, node) for n in here))

    return rewrite_within(tree, names, passing, ordered)


def _pieces(domains: Mapping[str, isl.Set]) -> dict[str, isl.Map]:
    """`{ S[i] -> [k, i, 0, ..., 0] }` for the k-th statement, all of one length."""
    length = max(d.dim(isl.SET) for d in domains.values())
    pieces = {}
    for k, (name, d) in enumerate(domains.items()):
        own = d.dim(isl.SET)
        m = isl.Map.identity(d.get_space().map_from_set()).reset_tuple_id(isl.OUT)
        m = m.insert_dims(isl.OUT, 0, 1).fix_val(isl.OUT, 0, isl.Val(k))
        m = m.add_dims(isl.OUT, length - own)
        for p in range(own, length):
            m = m.fix_val(isl.OUT, p + 1, isl.Val(0))
        pieces[name] = m.set_tuple_name(isl.OUT, _ALL)
    return pieces


def _merged(tree: Tree, pieces: Mapping[str, isl.Map]) -> Tree:
    """The tree over the pieces instead of the statements, still kept by the statements' names."""

    def change(node: Tree) -> Tree:
        match node:
            case Band(members=m):
                members = {n: m[n].apply_domain(piece) for n, piece in pieces.items() if n in m}
                return replace(node, members=members)
            case Filter(domains=d):
                own = {n: s for n, s in d.items() if n in pieces}
                left = {n: None if s is None else s.apply(pieces[n]) for n, s in own.items()}
                return replace(node, domains=left)
        return node

    return transform(tree, change)
