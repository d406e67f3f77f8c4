"""Propagating one array: whole or not at all (CC'18, section 4.4), or edge by edge."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from polynb.dependences import Dependences, Edge, analyze
from polynb.dependences.memory import live_out_writes
from polynb.derivation import Step
from polynb.propagation.reload import AS_MEANT, ReloadReadings, ReloadTest, reload_test
from polynb.propagation.steps import (
    ArrayKept,
    ReadReplaced,
    ReloadTested,
    StatementSplit,
    WriterRemoved,
)
from polynb.rewriting.pool import Pool
from polynb.rewriting.splitting import Replacement, pieces, replace_reads, with_statements
from polynb.scop.model import Scop, Statement

Work = Generator[Step, None, Dependences | None]


def propagate_whole(
    dependences: Dependences, pool: Pool, array: str, readings: ReloadReadings
) -> Work:
    """Replace every read of the array that has a source in the program.

    Returns the dependences of the new program, in which the array is still written, or None if
    the array must be kept: the last step says why, and nothing was changed. Flow through the
    array from a statement to another that writes it too is followed, sources first, as long as
    no statement feeds itself.
    """
    cycle = _cycle(_possible(dependences, array))
    if cycle:
        names = " -> ".join((*cycle, cycle[0]))
        yield ArrayKept(array, f"its values are made from its own earlier values ({names})")
        return None
    while edges := _possible(dependences, array):
        chosen = _next_writer(edges)
        ready = [e for e in edges if chosen is None or e.target == chosen]
        tests = [reload_test(dependences, edge, readings=readings) for edge in ready]
        failed = next((t for t in tests if not t.complete), None)
        without = None
        if failed is not None:
            without = yield from _with_its_writer(dependences, pool, failed.edge, readings)
        if failed is None or without is None:
            yield from map(ReloadTested, tests)
        if failed is None:
            dependences = yield from _replace_targets(dependences, pool, tests)
        elif without is not None:
            dependences = without
        else:
            yield ArrayKept(array, _why(failed), failed)
            return None
    return dependences


def _with_its_writer(
    dependences: Dependences, pool: Pool, edge: Edge, readings: ReloadReadings
) -> Work:
    """The extension for self-WAR dependences (section 3.2): the dependences of the program in
    which the source of an edge is propagated everywhere and, at once, removed.

    A source such as `A[i] = A[i] + 1` overwrites its own operand; but if its value is propagated
    to all reads, and is not live-out or overwritten later, its write goes and is in nobody's way.
    None if it is not so.
    """
    scop = dependences.scop
    source = scop.by_name[edge.source]
    if all(r.array != edge.array for r in source.reads) or _stays(scop, source):
        return None
    mine = [e for e in _possible(dependences, edge.array) if e.source == edge.source]
    gone = (edge.source,)
    tests = [reload_test(dependences, e, without=gone, readings=readings) for e in mine]
    if not all(t.complete for t in tests):
        return None
    yield from map(ReloadTested, tests)
    scop = (yield from _replace_targets(dependences, pool, tests)).scop
    yield WriterRemoved(source.name, edge.array)
    return analyze(with_statements(scop, source.name, ()), previous=dependences)


def _stays(scop: Scop, s: Statement) -> bool:
    """Whether some value that a statement writes is live-out."""
    return not live_out_writes(scop, s).intersect_params(scop.assumed).is_empty()


def _possible(dependences: Dependences, array: str) -> list[Edge]:
    """The flow through an array at parameter values that are allowed."""
    assumed = dependences.scop.assumed
    edges = dependences.flow(array).edges
    return [e for e in edges if not e.relation.intersect_params(assumed).is_empty()]


def propagate_edges(
    dependences: Dependences, pool: Pool, array: str, readings: ReloadReadings = AS_MEANT
) -> Work:
    """Replace whatever part of the reads of the array the reload test allows, each edge once.

    Values in memory are not changed by this, so all edges are judged and applied together.
    """
    tests = []
    for edge in dependences.flow(array).edges:
        test = reload_test(dependences, edge, readings=readings)
        yield ReloadTested(test)
        if not test.propagation.intersect_params(test.assumed).is_empty():
            tests.append(test)
    if not tests:
        return None
    return (yield from _replace_targets(dependences, pool, tests))


def _replace_targets(
    dependences: Dependences, pool: Pool, tests: Sequence[ReloadTest]
) -> Generator[Step, None, Dependences]:
    """Split the targets of some propagation dependences and replace their reads."""
    scop = dependences.scop
    by_name = scop.by_name
    for name in dict.fromkeys(t.edge.target for t in tests):
        target = by_name[name]
        mine = [
            Replacement(t.edge.read or 0, by_name[t.edge.source], t.propagation, t.chosen)
            for t in tests
            if t.edge.target == name
        ]
        parts = pieces(target, mine, scop.assumed)
        made, notes = replace_reads(scop, pool, target, parts)
        if len(made) > 1:
            yield StatementSplit(target, made)
        for piece, source, read, iterators in notes:
            array = target.reads[read].array
            yield ReadReplaced(source.name, piece, array, iterators, name, read)
        scop = with_statements(scop, name, made)
    return analyze(scop, previous=dependences)


def _next_writer(edges: Sequence[Edge]) -> str | None:
    """A statement that reads what statements that do not read the array wrote, and that others
    read in turn: it changes before they do. None if there is none."""
    fed = {e.target for e in edges}
    writers = {e.source for e in edges}
    for name in dict.fromkeys(e.target for e in edges):
        if name in writers and not any(e.source in fed for e in edges if e.target == name):
            return name
    return None


def _cycle(edges: Sequence[Edge]) -> tuple[str, ...]:
    """Statements that feed each other through one array, in order; () if there are none."""
    successors: dict[str, list[str]] = {}
    for e in edges:
        successors.setdefault(e.source, []).append(e.target)

    def search(path: tuple[str, ...]) -> tuple[str, ...]:
        for name in successors.get(path[-1], ()):
            if name in path:
                return path[path.index(name) :]
            if name not in done:
                cycle = search((*path, name))
                if cycle:
                    return cycle
        done.add(path[-1])
        return ()

    done: set[str] = set()
    for name in successors:
        cycle = search((name,)) if name not in done else ()
        if cycle:
            return cycle
    return ()


def _why(test: ReloadTest) -> str:
    edge = test.edge
    return test.obstacle or f"{edge.target} cannot evaluate {edge.source} itself: {test.witness}"
