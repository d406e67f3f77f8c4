"""A program walked through at one size, as its text stands: loops, conditions and assignments, with
values that are terms. No isl, and nothing of what checks answers."""

from dataclasses import dataclass, field

from polynb.source import tree as syntax
from polynb.source.parse import parse_program

ARITHMETIC = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a // b,
    "floord": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "mod": lambda a, b: a % b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "&&": lambda a, b: a and b,
    "||": lambda a, b: a or b,
}


@dataclass
class Event:
    """An instance, `("S", (0, 1))`, with the cells that it reads and the one that it writes."""

    instance: tuple
    reads: list
    write: tuple


@dataclass
class Walk:
    program: syntax.Program
    values: dict
    events: list = field(default_factory=list)
    memory: dict = field(default_factory=dict)
    names: dict = field(default_factory=dict)

    def run(self):
        for k, s in enumerate(syntax.statements(self.program.body)):
            self.names[id(s)] = s.label or f"S{k}"
        self.body(self.program.body, dict(self.values), ())
        return self

    def body(self, nodes, known, point):
        for node in nodes:
            match node:
                case syntax.For():
                    low, high = (self.whole(e, known) for e in (node.lower, node.upper))
                    end = high + 1 if node.step > 0 else high - 1
                    for i in range(low, end, node.step):
                        self.body(node.body, {**known, node.iterator: i}, (*point, i))
                case syntax.If():
                    taken = node.then if self.whole(node.condition, known) else node.otherwise
                    self.body(taken, known, point)
                case syntax.Assign():
                    self.assign(node, known, point)

    def assign(self, node, known, point):
        reads = []
        value = self.term(node.value, known, reads)
        cell = self.cell(node.target, known)
        self.memory[cell] = value
        self.events.append(Event((self.names[id(node)], point), reads, cell))

    def cell(self, access, known):
        return access.array, tuple(self.whole(e, known) for e in access.subscripts)

    def whole(self, e, known):
        match e:
            case syntax.Number():
                return e.value
            case syntax.Parameter() | syntax.Iterator():
                return known[e.name]
            case syntax.Unary(op="-"):
                return -self.whole(e.operand, known)
            case syntax.Unary(op="!"):
                return not self.whole(e.operand, known)
            case syntax.Binary():
                return ARITHMETIC[e.op](self.whole(e.left, known), self.whole(e.right, known))
            case syntax.Call(function="min"):
                return min(self.whole(a, known) for a in e.arguments)
            case syntax.Call(function="max"):
                return max(self.whole(a, known) for a in e.arguments)
        raise AssertionError(f"a subscript or a bound: {e}")

    def term(self, e, known, reads):
        match e:
            case syntax.Access():
                cell = self.cell(e, known)
                reads.append(cell)
                return self.memory.get(cell, ("was", cell))
            case syntax.Number():
                return ("number", e.value)
            case syntax.Parameter() | syntax.Iterator():
                return ("number", known[e.name])
            case syntax.Unary():
                return e.op, self.term(e.operand, known, reads)
            case syntax.Binary():
                return e.op, self.term(e.left, known, reads), self.term(e.right, known, reads)
            case syntax.Call():
                return e.function, *(self.term(a, known, reads) for a in e.arguments)
        raise AssertionError(f"a value: {e}")


def walk(text, values):
    return Walk(parse_program(text), dict(values)).run()


def value_got(events, reader, cell):
    """The instance whose value a read gets, None for what was there before."""
    holds = None
    for e in events:
        if e.instance == reader:
            return holds
        if e.write == cell:
            holds = e.instance
    raise AssertionError(f"{reader} does not run")


def reads_all(events):
    """Whose value each read gets, and whose remains in each cell."""
    holds, got = {}, {}
    for e in events:
        for cell in e.reads:
            got[e.instance, cell] = holds.get(cell)
        holds[e.write] = e.instance
    return got, holds
