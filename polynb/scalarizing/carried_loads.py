"""Loads that the iteration before made redundant, passed on in scalars: partial redundancy
elimination. What is loaded was loaded or stored one iteration earlier, or, in the first, before the
loop: a phi node, which is a scalar with several writers.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass

from polynb import isl
from polynb.derivation import Step
from polynb.rewriting.substitution import rewrite
from polynb.scalarizing.cells import conflict, guard, where
from polynb.scalarizing.edits import AddedCopy, Edits
from polynb.scalarizing.steps import LoadCarried, NotScalarized
from polynb.scalarizing.uses import LoopSite, Use
from polynb.scop.model import Scop
from polynb.source import tree as syntax
from polynb.source.scoplang.printer import print_expression


@dataclass(frozen=True, eq=False)
class Accesses:
    """Reads of an innermost loop that name one cell, or one write. `cells` is
    `{ [iterators] -> A[x] }`; `first` and `last` are the positions of their statements."""

    uses: tuple[Use, ...]
    cells: isl.Map

    @property
    def text(self) -> str:
        return self.uses[0].cell

    @property
    def writes(self) -> bool:
        return self.uses[0].writes

    @property
    def first(self) -> int:
        return self.uses[0].order

    @property
    def last(self) -> int:
        return self.uses[-1].order

    @property
    def node(self) -> syntax.Access:
        found = self.uses[0].node
        assert found is not None
        return found


def carry_loads(site: LoopSite, arrays: Sequence[str], edits: Edits) -> Generator[Step, None, None]:
    """One innermost loop of assignments; what is done goes to `edits`."""
    if not all(isinstance(s, syntax.Assign) for s in site.loop.body):
        return
    program = edits.program
    shift = _iteration_before(program.scop, site)
    if shift is None:
        return
    for array in dict.fromkeys(u.access.array for u in site.uses if u.access.array in arrays):
        uses = [u for u in site.uses if u.access.array == array]
        groups = _groups([u for u in uses if not edits.taken(u.node)], shift)
        writes = [u for u in uses if u.writes]
        sources: dict[Accesses, Accesses] = {}
        for target in groups:
            if not target.writes:
                yield from _source(program.scop, site, target, groups, writes, shift, sources)
        yield from _passed_on(site, sources, edits)


def _iteration_before(scop: Scop, site: LoopSite) -> isl.Map | None:
    """`{ [iterators] -> [those of the iteration before] }`, None if there is never a second."""
    if not site.uses:
        return None
    domain = site.uses[0].statement.domain.intersect_params(scop.assumed).reset_tuple_id()
    same = isl.MultiAff.identity(domain.get_space().map_from_set())
    back = same.get_at(site.depth).add_constant_val(isl.Val(-site.loop.step))
    shift = same.set_at(site.depth, back).as_map()
    shift = shift.intersect_domain(domain).intersect_range(domain)
    return None if shift.is_empty() else shift


def _groups(uses: Iterable[Use], shift: isl.Map) -> list[Accesses]:
    """The reads by their text, and each write; of cells that change from iteration to iteration."""
    found: dict[tuple[str, int], list[Use]] = {}
    for u in uses:
        if u.node is not None and u.node.subscripts:
            found.setdefault((u.cell, u.order if u.writes else -1), []).append(u)
    groups = (
        Accesses(tuple(g), g[0].access.relation.reset_tuple_id(isl.IN)) for g in found.values()
    )
    return [
        g for g in groups if any(u.sure for u in g.uses) and not _carries(g, g, shift)
    ]  # fmt: skip


def _carries(source: Accesses, target: Accesses, shift: isl.Map) -> bool:
    """Whether the source accesses, in the iteration before, what the target does."""
    before = shift.apply_range(source.cells)
    return bool(before.is_equal(target.cells.intersect_domain(shift.domain())))


def _source(
    scop: Scop,
    site: LoopSite,
    target: Accesses,
    groups: Sequence[Accesses],
    writes: Sequence[Use],
    shift: isl.Map,
    sources: dict[Accesses, Accesses],
) -> Generator[Step, None, None]:
    """Where the value of a load comes from, into `sources`: the last store of the iteration before,
    else a load. Nothing may write the cell in between."""
    possible = [g for g in groups if g is not target and _carries(g, target, shift)]
    if not possible:
        return
    possible.sort(key=lambda g: (not g.writes, -g.last))
    depth = site.depth + 1
    # Reads of an instance come before its write: one by the last reader itself does no harm.
    blocker = conflict(scop, depth, target.uses, [w for w in writes if w.order < target.last])
    for source in possible if blocker is None else ():
        since = source.first + (1 if source.writes else 0)
        blocker = conflict(scop, depth, source.uses, [w for w in writes if w.order >= since])
        if blocker is None:
            sources[target] = source
            return
    assert blocker is not None
    name = blocker[0].statement.name
    reason = f"{name} writes {blocker[0].cell} between the iteration before and the load"
    yield NotScalarized(
        target.uses[0].access.array, target.text, site.loop.iterator, reason, blocker[1]
    )


def _passed_on(
    site: LoopSite, sources: dict[Accesses, Accesses], edits: Edits
) -> Generator[Step, None, None]:
    """A scalar for each load that is passed on, and one for each access that it comes from."""
    values: dict[Accesses, syntax.Access] = {}  # what holds a source's value until the end
    scalars: dict[Accesses, syntax.Access] = {}
    for target, source in sources.items():
        array = target.uses[0].access.array
        scalars[target] = edits.scalar(array)
        if source in sources or source in values:
            continue
        readers = [t for t, s in sources.items() if s is source]
        alone = source.writes and readers == [target] and target.last <= source.first
        if target in sources.values():  # what it loaded is itself passed on, at the end
            alone = False
        values[source] = scalars[target] if alone else edits.scalar(array)
        _kept(source, values[source], edits)
    for target, source in sorted(sources.items(), key=lambda x: -_length(x[0], sources)):
        scalar = scalars[target]
        edits.stand(scalar, target.uses)
        test = guard(site, where(site, target.uses), edits.program.scop)
        edits.before[id(site.loop)].append(edits.load(scalar, _at_first(site, target), test))
        value = values[source] if source in values else scalars[source]
        if value is not scalar:
            label = edits.program.names.unique(f"next_{scalar.array}")
            copy = syntax.Assign(scalar, value, label=label, span=target.node.span)
            edits.latch[id(site.loop)].append(AddedCopy(copy))
        array = target.uses[0].access.array
        condition = "" if test is None else print_expression(test)
        about = (array, target.text, scalar.array, site.loop.iterator, condition)
        yield LoadCarried(*about, source.text, source.writes)


def _length(target: Accesses, sources: dict[Accesses, Accesses]) -> int:
    """How many iterations ago the value came from memory: what is passed on is passed on before it
    is replaced."""
    length = 0
    while target in sources:
        target, length = sources[target], length + 1
    return length


def _kept(source: Accesses, scalar: syntax.Access, edits: Edits) -> None:
    """The value that a source loads or stores is kept in the scalar."""
    assign = source.uses[0].assign
    assert assign is not None
    if source.writes:
        edits.stores[id(assign)] = scalar, edits.store(scalar, assign.target)
    else:
        edits.ahead[id(assign)].append(edits.load(scalar, source.node))
    edits.stand(scalar, source.uses)


def _at_first(site: LoopSite, target: Accesses) -> syntax.Access:
    """The cell in the first iteration, before the loop."""
    iterators: dict[str, syntax.Expr] = {n: syntax.Iterator(n) for n in site.iterators}
    iterators[site.loop.iterator] = site.loop.lower
    found = rewrite(target.node, iterators)
    assert isinstance(found, syntax.Access)
    return found
