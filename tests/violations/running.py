"""What a program does, instance by instance: an independent account of values and orders.

It enumerates domains, accesses and times at given sizes, and knows nothing of dependences.
"""

from polynb import isl


class Run:
    """A program's instances in the order of a schedule, and which value each read gets."""

    def __init__(self, scop, values, times=None):
        """`times`: `{ S[i] -> [t] }` by name; those that the program has by default."""
        self.scop, self.values = scop, values
        self.at = {}  # instance -> time
        for s in scop.statements:
            when = s.schedule if times is None else times[s.name]
            for point, time in self._pairs(when.intersect_domain(s.domain), len(s.iterators)):
                self.at[(s.name, *point)] = time
        self.order = sorted(self.at, key=self.at.get)
        self.reads, self.writes = {}, {}
        for s in scop.statements:
            for k, r in enumerate(s.reads):
                for point, cell in self._pairs(r.relation, len(s.iterators)):
                    self.reads.setdefault((s.name, *point), []).append((k, (r.array, *cell)))
            for point, cell in self._pairs(s.write.relation, len(s.iterators)):
                self.writes[(s.name, *point)] = (s.write.array, *cell)
        self._run()

    def _pairs(self, relation, depth):
        points = isl.points(relation.wrap().flatten(), self.values)
        return [(p[:depth], p[depth:]) for p in points]

    def _run(self):
        holds = {}
        self.sources = {}  # (instance, number of the read) -> the instance whose value it gets
        for x in self.order:
            for k, cell in self.reads.get(x, ()):
                self.sources[x, k] = holds.get(cell)
            holds[self.writes[x]] = x
        out = {n for n, a in self.scop.arrays.items() if a.live_out}
        self.left = {cell: x for cell, x in holds.items() if cell[0] in out}

    def same_values(self, other):
        return self.sources == other.sources and self.left == other.left


def key(instance):
    return (instance.statement, *instance.point)


def is_true(conflict, scop, times):
    """Whether a conflict's witness shows what it says, in the old order and the new one."""
    w = conflict.witness
    old, new = Run(scop, w.parameters), Run(scop, w.parameters, times)
    x = {role: key(i) for role, i in w.instances.items()}
    if not all(i in old.at for i in x.values()):
        return False

    def read_from(write):
        return any(i == x["read"] and s == write for (i, _), s in old.sources.items())

    match conflict.kind:
        case "flow":
            return read_from(x["write"]) and not new.at[x["write"]] < new.at[x["read"]]
        case "live range":
            same = old.writes[x["other"]] == old.writes[x["write"]]
            between = new.at[x["write"]] <= new.at[x["other"]] <= new.at[x["read"]]
            return read_from(x["write"]) and same and between and x["other"] != x["write"]
        case "live-in":
            cells = [c for k, c in old.reads[x["read"]] if old.sources[x["read"], k] is None]
            return old.writes[x["other"]] in cells and new.at[x["other"]] <= new.at[x["read"]]
        case "live-out":
            cell = old.writes[x["write"]]
            last = old.left.get(cell) == x["write"]
            return (
                last
                and old.writes[x["other"]] == cell
                and (new.at[x["other"]] >= new.at[x["write"]])
            )
    return False


def runs_at_once(scop, band, k, values):
    """Whether two iterations of a loop, of one iteration of those around, touch one cell of which
    one writes: what keeps them from running at once. (Nothing is private here.)"""
    run = Run(scop, values)
    outer = {}
    for node, above in _places(scop.schedule):
        if node is band:
            for s in scop.statements:
                if s.name in band.members:
                    maps = [t.members[s.name] for t in above if hasattr(t, "members")]
                    own = band.members[s.name]
                    outer[s.name] = (maps, own)
    seen = {}
    for x in run.order:
        if x[0] not in outer:
            continue
        maps, own = outer[x[0]]
        at = tuple(v for m in maps for v in _value(m, x, values))
        mine = _value(own, x, values)
        prefix, iteration = (*at, *mine[:k]), mine[k]
        touched = [(c, False) for _, c in run.reads.get(x, ())] + [(run.writes[x], True)]
        for cell, writes in touched:
            for other, wrote in seen.get((prefix, cell), ()):
                if other != iteration and (writes or wrote):
                    return False
        for cell, writes in touched:
            seen.setdefault((prefix, cell), []).append((iteration, writes))
    return True


def _places(tree):
    from polynb.scop.tree_walk import paths

    return paths(tree)


def _value(m, x, values):
    point = isl.Set(f"{{ {x[0]}[{', '.join(map(str, x[1:]))}] }}")
    return isl.points(m.intersect_domain(point.align_params(m.get_space())).range(), values)[0]
