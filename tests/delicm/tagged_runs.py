"""Programs executed in plain Python on tags instead of numbers: who computed what, carried along.

The order is that of the schedule, instance by instance; where the model says "may", a coin
decides. Nothing of `polynb.delicm` is used, nor any relation between instances.
"""

from collections import defaultdict
from dataclasses import dataclass
from random import Random
from typing import Any

from polynb import isl
from polynb.scop import Statement
from polynb.source.tree import Access, Cast, Number, Unary


@dataclass(frozen=True)
class Executed:
    """An instance, the tags that it read and wrote (None: it may not have), and memory before."""

    statement: Statement
    point: tuple[int, ...]
    reads: tuple[Any, ...]
    wrote: Any
    memory: dict[str, dict[tuple[int, ...], Any]]

    def content(self, array, cell):
        return self.memory.get(array, {}).get(cell, ("Init", array, cell))


def tagged_run(scop, sizes, seed=0):
    """All instances of a program, executed."""
    random = Random(seed)
    memory = defaultdict(dict)
    found = []
    for s, point, relations in _instances(scop, sizes):
        before = {name: dict(cells) for name, cells in memory.items()}
        now = Executed(s, point, (), None, before)
        *reads, written = [m.get(point, []) for m in relations]
        tags = [
            now.content(r.array, cells[0] if r.must else random.choice(cells))
            for r, cells in zip(s.reads, reads, strict=True)
        ]
        sure = s.guard is None and s.write.must
        tag = _tag(scop, s, point, tags)
        found.append(Executed(s, point, tuple(tags), tag if sure else None, before))
        if sure:
            (cell,) = written
            memory[s.write.array][cell] = tag
        elif random.random() < 0.5:
            memory[s.write.array][random.choice(written)] = ("Maybe", s.name, point)
    return found


def _tag(scop, s, point, tags):
    to = scop.arrays[s.write.array].type
    e = s.expression
    while isinstance(e, Cast) and e.type == to:  # storing does the same
        e = e.operand
    match e:
        case Access(array=a) if scop.arrays[a].type == to:
            return next(t for r, t in zip(s.reads, tags, strict=True) if r.node is e)
        case Number(value=v, type=t):
            return "Const", repr(v), t.is_float, t.size * t.is_float, str(to)
        case Unary(op="-", operand=Number(value=v, type=t)):
            return "Const", repr(-v), t.is_float, t.size * t.is_float, str(to)
    return "Val", s.name, point


def _instances(scop, sizes):
    """(statement, point, its relations at these sizes as dictionaries), in order."""
    found = []
    for k, s in enumerate(scop.statements):
        relations = [_table(a.relation, sizes) for a in s.accesses]
        when = _table(s.schedule.intersect_domain(s.domain), sizes)
        for point in isl.points(s.domain, sizes):
            found.append((when[point], k, point, s, relations))
    found.sort(key=lambda x: x[:3])
    return [(s, point, relations) for _, _, point, s, relations in found]


def _table(relation, sizes):
    table = defaultdict(list)
    for source, target in isl.pairs(relation, sizes):
        table[source].append(target)
    return table
