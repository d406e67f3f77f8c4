"""Witnesses, replayed: each kind of finding, at the witness's parameters, by enumeration."""

import re

from polynb import parse
from polynb.labs.tasks.formulas import FormulaTask
from polynb.labs.tasks.functions import FunctionTask
from polynb.labs.tasks.labels import BOTTOM, LabelTask, function_of
from polynb.labs.tasks.programs import ProgramTask
from polynb.labs.tasks.refusals import RefusalTask, claim
from polynb.labs.tasks.schedules import ScheduleTask
from polynb.labs.tasks.sets import SetTask
from polynb.labs.tasks.slices import SliceTask
from polynb.labs.tasks.storing import StorageTask
from polynb.labs.tasks.times import TimeTask

from .plain_sets import contains, images
from .walker import reads_all, value_got, walk


def instances(witness):
    return {role: (i.statement, tuple(i.point)) for role, i in witness.instances.items()}


def cell_of(text):
    name, *index = re.split(r"[\[\]]+", text.rstrip("]"))
    return name, tuple(int(x) for x in index if x)


def replay(task, answer, finding):
    """Asserts that a finding is true."""
    at = finding.witness
    if isinstance(task, SetTask):
        points = [*instances(at).values(), *([cell_of(at.cell)] if at.cell else [])]
        should = contains(task.reference, points, at.parameters)
        does = contains(answer, points, at.parameters)
        assert (should, does) == ((True, False) if "missing" in finding.text else (False, True))
    elif isinstance(task, ScheduleTask):
        replay_order(task, answer, finding)
    elif isinstance(task, ProgramTask | TimeTask):
        asked = task.chosen(parse(answer)) if isinstance(task, TimeTask) else task
        before = walk(asked.program, at.parameters)
        after = walk(answer, at.parameters)
        cell = cell_of(at.cell)
        assert before.memory.get(cell, ("was", cell)) != after.memory.get(cell, ("was", cell))
    elif isinstance(task, FunctionTask):
        values = at.parameters.values()
        assert answer(*values) != task.right(*values)
    elif isinstance(task, StorageTask):
        replay_storage(task, answer, at)
    elif isinstance(task, LabelTask):
        replay_labels(task, answer, finding)
    elif isinstance(task, FormulaTask):
        values = {name[2:]: bool(v) for name, v in at.parameters.items()}
        assert eval(answer, {}, values) != eval(task.reference, {}, values)
    elif isinstance(task, SliceTask):
        (point,) = instances(at).values()
        assert contains(answer, [point], {})
        assert any(not 0 <= x - low <= 1 for x, low in zip(point[1], task.first, strict=True))
    else:
        raise AssertionError(f"no replay of {task}")


def replay_labels(task, answer, finding):
    """Two neighbours between which the label does not grow as was said, or of which it was said
    that they are not known; or a first point that has another label."""
    name, _, _ = finding.text.rpartition(": ")
    (until,) = [k for n, k in task.moments.items() if n == name]
    labels = dict(task.entries[:until])
    coefficients, constant = function_of(answer[name] if name else answer, task.dimensions)
    points = [point for _, point in instances(finding.witness).values()]
    if len(points) == 1:
        assert points[0] == (0,) * len(task.dimensions)
        assert labels[points[0]] != constant
        return
    (d,) = [k for k, (x, y) in enumerate(zip(*points, strict=True)) if x != y]
    grown = labels[points[1]] - labels[points[0]]
    assert points[1][d] - points[0][d] == 1
    assert coefficients[d] == BOTTOM or coefficients[d] != grown


def replay_storage(task, answer, at):
    """The value that a read gets is overwritten in the memory that both cells live in."""
    if not at.instances:
        return
    events = walk(task.program, at.parameters).events
    by = {e.instance: e for e in events}
    place = {e.instance: k for k, e in enumerate(events)}

    def lives(cell):
        if cell[0] != task.array:
            return cell
        (there,) = images(answer, cell, at.parameters)
        return task.memory, there

    named = instances(at)
    other = named["other"]
    if "write" in named and "read" in named:
        write, read = named["write"], named["read"]
        assert value_got(events, read, by[write].write) == write
        assert lives(by[other].write) == lives(by[write].write)
        assert place[write] < place[other] <= place[read]
        assert other not in (write, read)
    elif "read" in named:
        read = named["read"]
        assert lives(by[other].write) in map(lives, by[read].reads)
        assert place[other] < place[read]
    else:
        write = named["write"]
        assert lives(by[other].write) == lives(by[write].write)
        assert place[other] > place[write]


def reordered(events, times, parameters):
    """The events in the order of times, each as late as its time; of one time, the old order."""
    timed = []
    for k, e in enumerate(events):
        (time,) = images(times, e.instance, parameters)
        timed.append((time, k, e))
    return [(time, e) for time, _, e in sorted(timed, key=lambda x: x[:2])]


def replay_order(task, answer, finding):
    """A conflict changes what is read or remains, in one order of those that the times allow; a
    pair that is not related is not."""
    at = finding.witness
    events = walk(task.program, at.parameters).events
    timed = reordered(events, answer, at.parameters)
    if not finding.text.startswith("illegal"):
        when = {e.instance: time for time, e in timed}
        first, second = (when[i] for i in instances(at).values())
        properties = {type(a).__name__: a for a in task.asked}
        assert any(
            {
                "InOrder": not first < second,
                "AtOneTime": first != second,
                "Apart": first == second,
                "SomeStays": all(a != b for a, b in zip(first, second, strict=True)),
                "NeverAgainst": any(a > b for a, b in zip(first, second, strict=True)),
            }[name]
            for name in properties
        )
        return
    named = set(instances(at).values())
    old = reads_all(events)
    for flip in (1, -1):  # of one time, either may come first
        order = sorted(
            enumerate(timed), key=lambda x: (x[1][0], flip * (x[1][1].instance in named) * x[0])
        )
        if reads_all([e for _, (_, e) in order]) != old:
            return
    raise AssertionError(f"nothing changes: {finding}")


def replay_claim(task: RefusalTask, answer):
    """Asserts that a witness that was accepted is one."""
    dims = {s.name: len(s.iterators) for s in task.scop.statements}
    given = claim(answer, task.roles, dims, task.scop.parameters)
    events = walk(task.program, given.values).events
    place = {e.instance: k for k, e in enumerate(events)}
    by = {e.instance: e for e in events}
    named = {r: (i.statement, tuple(i.point)) for r, i in given.instances.items()}
    if task.kind == "propagation":
        source, other, target = (named[r] for r in ("source", "other", "target"))
        assert by[other].write in by[source].reads
        assert by[source].write in by[target].reads
        assert place[source] <= place[other] < place[target]
        assert value_got(events, target, by[source].write) == source
        return
    times = place
    if task.schedule:
        times = {e.instance: t for t, e in reordered(events, task.schedule, given.values)}

    def lives(cell):
        moved = list(images(task.storage, cell, given.values)) if task.storage else []
        memory = re.findall(r"->\s*(\w+)\[", task.storage)
        return (memory[0], moved[0]) if moved else cell

    match task.kind or task.asked:
        case "flow":
            write, read = named["write"], named["read"]
            assert value_got(events, read, by[write].write) == write
            assert by[write].write in by[read].reads
            assert times[read] <= times[write]
        case "live range":
            write, read, other = (named[r] for r in ("write", "read", "other"))
            assert by[write].write in by[read].reads
            assert value_got(events, read, by[write].write) == write
            assert lives(by[other].write) == lives(by[write].write)
            assert other not in (write, read)
            assert times[write] <= times[other] <= times[read]
        case "live-in":
            read, other = named["read"], named["other"]
            cell = by[other].write
            assert cell in by[read].reads
            assert value_got(events, read, cell) is None
            assert times[other] <= times[read]
        case "live-out":
            write, other = named["write"], named["other"]
            cell = by[write].write
            assert other != write
            assert lives(by[other].write) == lives(cell)
            assert reads_all(events)[1][cell] == write
            assert times[other] >= times[write]
        case _:
            raise AssertionError(task.kind)
