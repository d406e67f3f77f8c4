"""Answers that are wrong beyond doubt, found without the checkers: programs are walked through, and
isl's notation is evaluated by Python's arithmetic, at a few sizes."""

import contextlib
import re
from itertools import product

from polynb import isl
from polynb.errors import PolynbError
from polynb.labs.tasks.formulas import FormulaTask
from polynb.labs.tasks.functions import FunctionTask
from polynb.labs.tasks.labelling import StreamTask
from polynb.labs.tasks.labels import LabelTask
from polynb.labs.tasks.own_programs import ReadingTask, ResetTask
from polynb.labs.tasks.programs import ProgramTask
from polynb.labs.tasks.refusals import RefusalTask
from polynb.labs.tasks.removing import RemovalTask
from polynb.labs.tasks.schedules import ScheduleTask
from polynb.labs.tasks.sets import SetTask
from polynb.labs.tasks.slices import SliceTask
from polynb.labs.tasks.storing import StorageTask
from polynb.labs.tasks.times import TimeTask
from polynb.labs.tasks.traces import InputTask
from polynb.source.parse import parse_program

from .plain_sets import contains, holds, images, parts, value_of
from .replays import reordered, replay_claim
from .walker import reads_all, value_got, walk


def wrong(mine, other):
    """Whether the first right answer of a classmate's exercise is seen to be none to mine."""
    task, theirs, answer = mine._task, other._task, other._right[0]
    match task:
        case SetTask():
            return any(_differ(task.reference, answer, at) for at in sizes(task.reference))
        case ScheduleTask():
            return any(_disordered(task, answer, at) for at in sizes(task.program))
        case RefusalTask():
            return not (parts_of(task.named) <= parts_of(answer) and _replays(task, answer))
        case ProgramTask() | TimeTask():
            about = getattr(task, "about", ())
            chosen = [k["program"] for k in getattr(task, "kernels", ())] or [task.program]
            return all(
                any(left(p, at, about) != left(answer, at, about) for at in sizes(p))
                for p in chosen
            )
        case StorageTask():
            return any(_lost(task, answer, at) for at in sizes(task.program))
        case FunctionTask():
            return any(answer(n) != task.right(n) for n in range(1, 9))
        case LabelTask():
            return task.entries[0] != theirs.entries[0]
        case StreamTask():
            return answer.split(",")[0] != mine._right[0].split(",")[0]  # the first label
        case SliceTask():
            return task.first != theirs.first  # a corner of the square
        case FormulaTask():
            return any(eval(task.reference, {}, v) != eval(answer, {}, v) for v in assignments())
        case RemovalTask():
            return max(lines_needed(task.program, answer)) > task.cache_lines
        case InputTask():
            return task.length != theirs.length
        case ResetTask():
            shape = ("statements", "depth", "dimensions")
            return any(getattr(task, a) != getattr(theirs, a) for a in shape)
        case ReadingTask():
            return _differ(task.wrong, theirs.wrong, {"N": 9})
    return mine._right[0] != answer  # values by name


def assignments():
    """Of the variables of a formula."""
    return [dict(zip("xyz", v, strict=True)) for v in product((False, True), repeat=3)]


def lines_needed(program, order):
    """The cache lines of an iteration after each temporary of an order: of a program whose accesses
    are all to the same cell of different arrays."""
    operands = {
        t: re.findall(r"(\w+)\[i\]", e) for t, e in re.findall(r"(\w+)\[i\] = (.*);", program)
    }
    touched = {"Out", *operands["Out"]}
    for name in order.split(", "):
        touched = (touched - {name}) | set(operands[name])
        yield len(touched)


def sizes(text):
    """Small ones, at which there is something to do."""
    least = max([3, *map(int, re.findall(r"N >= (\d+)", text))])
    return [{"T": 3, "N": 12 if "T, N" in text else least + k} for k in (0, 3)]


def _differ(one, other, at):
    """Whether a point of either is not in the other one."""
    return any(
        contains(one, named, at) != contains(other, named, at)
        for text in (one, other)
        for named in _points(text, at)
    )


def _points(text, at):
    """Those of a set or relation, not far from 0, with the names of their tuples."""
    relation = "->" in text.partition("{")[2]
    whole = isl.maps(isl.UnionMap(text)) if relation else isl.sets(isl.UnionSet(text))
    for piece in whole:
        ends = (isl.IN, isl.OUT) if relation else (isl.SET,)
        flat = piece.wrap().flatten() if relation else piece
        for k in range(flat.dim(isl.SET)):
            flat = flat.lower_bound_val(isl.SET, k, isl.Val(-9))
            flat = flat.upper_bound_val(isl.SET, k, isl.Val(40))
        cut = piece.dim(ends[0])
        names = [isl.tuple_name(piece, end) for end in ends]
        for point in isl.points(flat, at):
            yield [*zip(names, (point[:cut], point[cut:]), strict=False)]


def _kept(program):
    """The arrays whose values are needed when it has ended."""
    temporary = {d.name for d in parse_program(program).declarations if d.role == "temp"}
    return lambda cell: cell[0] not in temporary


def left(program, at, about=()):
    """What a program leaves, in some arrays or in all."""
    kept = _kept(program)
    memory = walk(program, at).memory
    return {c: value for c, value in memory.items() if kept(c) and (not about or c[0] in about)}


def _disordered(task, answer, at):
    """Whether a value goes elsewhere, or what is asked for does not hold."""
    events = walk(task.program, at).events
    kept = _kept(task.program)
    try:
        timed = reordered(events, answer, at)
    except ValueError:
        return True  # an instance has no time
    got, final = reads_all(events)
    for flip in (1, -1):  # of one time, either may come first
        order = sorted(enumerate(timed), key=lambda x: (x[1][0], flip * x[0]))
        now, then = reads_all([e for _, (_, e) in order])
        if now != got or any(then[c] != final[c] for c in final if kept(c)):
            return True
    when = {e.instance: time for time, e in timed}
    if task.numbers is not None and {len(t) for t in when.values()} != {task.numbers}:
        return True
    return any(
        not _holds(asked, when, a, b, at)
        for asked in task.asked
        for a, b in _pairs(asked.pairs, when, at)
    )


def _pairs(text, instances, at):
    """The pairs of a relation, of instances that run: those of formulas at once, else all tried."""
    for tuples, condition in parts(text):
        (_, dims), (name, formulas) = tuples
        for a in (i for i in instances if i[0] == tuples[0][0] and len(i[1]) == len(dims)):
            known = {**at, **dict(zip(dims, a[1], strict=True))}
            try:
                b = name, tuple(value_of(f, known) for f in formulas)
                found = [b] if b in instances and holds(condition, known) else []
            except NameError:
                ends = " -> ".join(f"{n}[{', '.join(d)}]" for n, d in tuples)
                part = f"{{ {ends} : {condition} }}"
                found = [b for b in instances if contains(part, [a, b], at)]
            yield from ((a, b) for b in found)


def _holds(asked, when, a, b, at):
    one, other = when[a], when[b]
    match type(asked).__name__:
        case "InOrder":
            return one < other
        case "AtOneTime":
            return one == other
        case "SomeStays":
            return any(x == y for x, y in zip(one, other, strict=True))
        case "NeverAgainst":
            width = asked.numbers or len(one)
            return all(x <= y for x, y in zip(one[:width], other[:width], strict=True))
        case "Apart":
            return a == b or one != other
    (source,) = images(asked.sources, a, at)  # soon
    return not when[b[0], source] < other < one


def parts_of(text):
    """What a witness says, in one form: {("other", "S(4)"), ("N", "12")}."""
    instances = re.findall(r"(\w+):? (\w+)[\[(]([^\])]*)[\])]", text)
    said = {(role, f"{name}({point.replace(' ', '')})") for role, name, point in instances}
    return said | set(re.findall(r"(\w+) = (-?\d+)", text))


def _replays(task, answer):
    with contextlib.suppress(AssertionError, KeyError, PolynbError):
        replay_claim(task, answer)
        return True
    return False


def _lost(task, answer, at):
    """Whether a read gets another value where an array lives in another one, or one is left."""
    events = walk(task.program, at).events
    memory, places = {}, {}
    for e in events:
        for cell in (*e.reads, e.write):
            moved = [*images(answer, cell, at)]
            if cell[0] == task.array and len(moved) != 1:
                return True
            places[cell] = (task.memory, moved[0]) if cell[0] == task.array else cell
        for cell in e.reads:
            if memory.get(places[cell]) != value_got(events, e.instance, cell):
                return True
        memory[places[e.write]] = e.instance
    kept = _kept(task.program)
    own = {c: who for c, who in reads_all(events)[1].items() if kept(c)}
    now = {c: who for c, who in memory.items() if kept(c)}
    return own != now
