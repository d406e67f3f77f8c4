"""Random loop nests in C, of the kinds for which there are faster orders: products and sums over
up to four loops, triangles, transposed arrays, stencils in place and between two arrays, time
loops, sweeps that pass values on, scalars and guards. Few operations and many orders, the other
way round than `c_writer`."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from c_programs import Array, Block, Counter, CProgram, Form, Line, Part
from c_values import DOUBLE, FLOAT, INT, UINT, CType

WIDTHS = {"n": Form(1, 0, 0), "m": Form(0, 1, 0)}
Read = str
"""An expression of the target's type; of `int`, within 999 of 0."""


def nest_program(seed: int) -> CProgram:
    """A program; the same one for the same seed."""
    return _Nests(Random(seed)).program()


@dataclass(frozen=True)
class Loop:
    head: str
    counter: Counter


class _Nests:
    def __init__(self, random: Random) -> None:
        self.random = random
        self.widths = ["n", "m"][: random.choice([1, 1, 2])]
        self.steps = random.random() < 0.35
        self.types = random.choice([[DOUBLE], [DOUBLE], [FLOAT], [DOUBLE, FLOAT], [INT], [UINT]])
        self.arrays = [self.array(k) for k in range(random.randint(2, 4))]
        self.locals: list[str] = []
        self.names = 0

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def fresh(self, kind: str) -> str:
        self.names += 1
        return f"{kind}{self.names}"

    def array(self, k: int) -> Array:
        t = self.random.choice(self.types)
        dims = self.random.choice([1, 2, 2, 2, 3])
        low, high = (-999, 999) if t is INT else (t.low, t.high)
        if t.is_float and self.chance(0.8):
            low, high = -100, 100
        return Array("abcd"[k], t, [Form(0, 0, 1)] * dims, False, low, high)

    def program(self) -> CProgram:
        parts = [self.nest() for _ in range(self.random.choice([1, 1, 2, 2, 3, 4]))]
        if self.steps:
            parts = [Block("for (int s = 0; s < steps; s++)", tuple(parts))]
        parameters = [("steps", INT)] * self.steps + [(p, INT) for p in self.widths]
        return CProgram(tuple(parameters), tuple(self.arrays), tuple(self.locals), tuple(parts))

    # -- loops -------------------------------------------------------------------------------

    def nest(self) -> Part:
        kind = self.random.choice(["stencil", "stencil", "sum", "sum", "sweep", "any", "any"])
        target = self.random.choice(self.arrays)
        depth = self.random.choice({"sum": [2, 3, 3, 4]}.get(kind, [1, 2, 2, 3]))
        if kind in ("stencil", "sweep"):
            depth = len(target.extents)
        loops: list[Loop] = []
        for _ in range(min(depth, 3 if self.steps else 4)):
            loops.append(self.loop(loops, plain=kind == "stencil"))
        return self.around(loops, kind, target)

    def around(self, loops: list[Loop], kind: str, target: Array) -> Part:
        counters = [x.counter for x in loops]
        outer = min(len(target.extents), len(loops) - 1)
        body = self.guarded(counters, self.body(kind, target, counters))
        whole: list[Part] = []
        for k in range(len(loops) - 1, -1, -1):
            body = (Block(loops[k].head, body),)
            if k == outer and k > 0 and self.chance(0.3):  # a statement beside the inner loop
                other = self.body("any", self.random.choice(self.arrays), counters[:k])
                body = (*other, *body) if self.chance(0.7) else (*body, *other)
            whole = list(body)
        (part,) = whole
        return part

    def loop(self, around: list[Loop], plain: bool) -> Loop:
        name, p = self.fresh("i"), self.random.choice(self.widths)
        low, short = self.random.choice([(0, 0), (0, 0), (1, 0), (1, 1), (2, 2)])
        low_text, last = str(low), p if not short else f"{p} - {short}"
        high = WIDTHS[p] + Form(0, 0, -short - 1)
        if around and not plain and self.chance(0.3):  # a triangle
            c = self.random.choice(around).counter
            kind = self.random.choice(["below", "to", "from", "above"])
            if kind in ("below", "to"):
                high = c.high + Form(0, 0, -(kind == "below"))
                last = c.name if kind == "below" else f"{c.name} + 1"
            else:
                low = c.low + (kind == "above")
                low_text = c.name if kind == "from" else f"{c.name} + 1"
        elif not plain and self.chance(0.08):
            last, high = "4", Form(0, 0, 3)
        up = self.random.choice(["++"] * 9 + [" += 2"])
        head = f"for (int {name} = {low_text}; {name} < {last}; {name}{up})"
        if self.chance(0.12):
            down = up.replace("+", "-")
            head = f"for (int {name} = {last} - 1; {name} >= {low_text}; {name}{down})"
        return Loop(head, Counter(name, INT, low, high))

    # -- statements ----------------------------------------------------------------------------

    def guarded(self, counters: list[Counter], body: tuple[Part, ...]) -> tuple[Part, ...]:
        if not self.chance(0.15):
            return body
        a, b = self.random.choice(counters), self.random.choice(counters)
        p = self.random.choice(self.widths)
        conditions = [f"{a.name} < {b.name} + 2", f"{a.name} % 2 == 0", f"{a.name} > 3"]
        conditions += [f"{a.name} + {b.name} < {p}", f"{a.name} != {b.name}"]
        x = self.random.choice(self.arrays)
        conditions.append(f"{self.cell(x, counters)} > 1")
        return (Block(f"if ({self.random.choice(conditions)})", body),)

    def body(self, kind: str, target: Array, counters: list[Counter]) -> tuple[Part, ...]:
        if kind == "stencil":
            return self.stencil(target, counters)
        if kind == "sum":
            return (self.sum(target, counters),)
        if kind == "sweep":
            return (self.sweep(target, counters),)
        if self.chance(0.25):
            return self.through_scalar(target, counters)
        found = [self.assigned(target, self.cell(target, counters), self.value(target, counters))]
        if self.chance(0.25):
            other = self.random.choice(self.arrays)
            text = self.cell(other, counters)
            found.append(self.assigned(other, text, self.value(other, counters)))
        return tuple(found)

    def stencil(self, target: Array, counters: list[Counter]) -> tuple[Part, ...]:
        """Of neighbours: in place, or of another array with as many dimensions."""
        sources = [a for a in self.readable(target.type) if len(a.extents) == len(target.extents)]
        source = self.random.choice([target, *sources])
        order = list(counters)
        if self.chance(0.15):
            self.random.shuffle(order)
        around = [[0] * len(order)]
        for k in range(len(order)):
            around += [[by * (k == j) for j in range(len(order))] for by in (-1, 1)]
        if self.chance(0.3):
            around.append([self.random.choice([-1, 0, 1]) for _ in order])
        used = self.random.sample(around, self.random.randint(2, len(around)))
        terms = [self.at(source, order, by) for by in used]
        text = " + ".join(terms)
        if target.type.is_float and self.chance(0.8):
            text = f"0.25 * ({text})" if target.type is DOUBLE else f"0.25f * ({text})"
        return (self.assigned(target, self.at(target, order, [0] * len(order)), text),)

    def sum(self, target: Array, counters: list[Counter]) -> Line:
        """`target[some of the loops] += product`."""
        chosen = sorted(
            self.random.sample(range(len(counters)), min(len(target.extents), len(counters)))
        )
        if self.chance(0.2):
            self.random.shuffle(chosen)
        cell = self.at(target, [counters[k] for k in chosen], [0] * len(chosen))
        values = [
            self.cell(self.random.choice(self.readable(target.type)), counters)
            for _ in range(self.random.choice([1, 2, 2]))
        ]
        return self.assigned(target, cell, f"{cell} + {' * '.join(values)}")

    def sweep(self, target: Array, counters: list[Counter]) -> Line:
        """A cell of cells before it: values go along some loops."""
        back = [-self.random.choice([0, 1, 1]) for _ in counters]
        ahead = [self.random.choice([0, 0, 1]) for _ in counters]
        reads = [self.at(target, counters, back)]
        if self.chance(0.5):
            reads.append(self.at(target, counters, ahead))
        other = self.random.choice(self.readable(target.type))
        reads.append(self.cell(other, counters))
        op = self.random.choice([" + ", " - "])
        return self.assigned(target, self.at(target, counters, [0] * len(counters)), op.join(reads))

    def through_scalar(self, target: Array, counters: list[Counter]) -> tuple[Part, ...]:
        s = self.fresh("x")
        self.locals.append(f"{target.type.name} {s}")
        first = Line(f"{s} = {self.reduced(target.type, self.value(target, counters))};", defines=s)
        cell = self.cell(target, counters)
        if not self.chance(0.4):
            return first, self.assigned(target, cell, f"{s} + {self.value(target, counters)}")
        loop = self.loop([], plain=False)
        term = self.value(target, [*counters, loop.counter])
        more = Line(f"{s} = {self.reduced(target.type, f'{s} + {term}')};")
        return first, Block(loop.head, (more,)), self.assigned(target, cell, s)

    def assigned(self, target: Array, cell: str, text: str) -> Line:
        return Line(f"{cell} = {self.reduced(target.type, text)};")

    def reduced(self, t: CType, text: str) -> str:
        return f"({text}) % 1000" if t is INT else text

    def readable(self, t: CType) -> list[Array]:
        return [a for a in self.arrays if t.is_float or a.type is t]

    def value(self, target: Array, counters: list[Counter]) -> Read:
        sources = self.readable(target.type)
        a, b = (self.cell(self.random.choice(sources), counters) for _ in "ab")
        kind = self.random.random()
        if kind < 0.25:
            return a
        if kind < 0.6:
            return f"{a} {self.random.choice(['+', '-', '*'])} {b}"
        if kind < 0.7:
            return f"({a} < {b} ? {a} : {b})"
        if kind < 0.8:
            c = self.random.choice(counters)
            return f"({c.name} < {self.random.choice(['2', *self.widths])} - 1 ? {a} : {b})"
        return self.random.choice(["0", "1", f"{a} + 1", self.random.choice(counters).name])

    # -- cells ---------------------------------------------------------------------------------

    def cell(self, a: Array, counters: list[Counter]) -> str:
        """Of the last loops in their order, or of any."""
        dims = len(a.extents)
        own = counters[-dims:]
        own = own + [self.random.choice(counters) for _ in range(dims - len(own))]
        if self.chance(0.35):
            own = [self.random.choice(counters) for _ in range(dims)]
        return self.at(a, own, [self.random.choice([0] * 7 + [-1, 1]) for _ in own])

    def at(self, a: Array, counters: list[Counter], by: list[int]) -> str:
        """Its cell at these counters, each moved by some, as far as that is not below 0."""
        text = a.name
        for k, c in enumerate(counters[: len(a.extents)]):
            move = max(by[k], -c.low)
            subscript, most = _moved(c.name, move), c.high + Form(0, 0, move)
            if self.chance(0.03):
                subscript, most = f"2 * {c.name}", c.high + c.high
            elif self.chance(0.03):
                other = self.random.choice(counters)
                subscript, most = f"{c.name} + {other.name}", c.high + other.high
            elif self.chance(0.03):
                subscript, most = f"{c.high} - {c.name}", c.high
            a.extents[k] = a.extents[k].join(most + Form(0, 0, 1))
            text += f"[{subscript}]"
        return text + "[0]" * (len(a.extents) - len(counters))


def _moved(name: str, by: int) -> str:
    return f"{name} {'+' if by > 0 else '-'} {abs(by)}" if by else name
