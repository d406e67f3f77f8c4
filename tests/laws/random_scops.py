"""Random programs in the SCoP language, for the property tests.

Every iterator lies between 0 and N + M + 2 and every subscript is built so that it lies between
0 and 2 * (N + M) + 11, the extent that all arrays are declared with: the programs are in bounds
for all parameter values. The loop nests are phases that mostly read what earlier ones wrote, so
that there is something to propagate; conditions, strides, second writers, self-updates and
overwritten operands are mixed in to make some of it illegal or partial.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

TYPES = ("double", "double", "double", "float", "int32")


@dataclass(frozen=True)
class Loop:
    """An enclosing loop: its iterator, and the least value that it takes for sure."""

    iterator: str
    least: int


def random_program(seed: int) -> str:
    """The text of a program; the same one for the same seed."""
    return _Writer(Random(seed)).program()


class _Writer:
    def __init__(self, random: Random) -> None:
        self.random = random
        self.parameters = ["N", "M"] if random.random() < 0.6 else ["N"]
        self.size = " + ".join(self.parameters)
        self.lines: list[str] = []
        self.statements = 0
        self.iterators = 0
        self.dimensions: dict[str, int] = {}
        self.written: list[str] = []
        self.inputs = [self.declare(f"in{k}", 1, 2) for k in range(random.randint(1, 2))]
        self.temporaries = [self.declare(f"t{k}", 0, 2) for k in range(random.randint(1, 3))]
        self.outputs = [self.declare(f"out{k}", 1, 2) for k in range(random.randint(1, 2))]
        self.overwritten = random.random() < 0.15
        self.data_dependent = random.random() < 0.1

    def declare(self, name: str, low: int, high: int) -> str:
        self.dimensions[name] = self.random.randint(low, high)
        return name

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    # -- the program -------------------------------------------------------------------

    def program(self) -> str:
        head: list[str] = [f"param {', '.join(self.parameters)};"]
        for p in self.parameters if self.chance(0.85) else ():
            head.append(f"assume {p} >= {self.random.choice([0, 0, 1, 2])};")
        for role, names in (
            ("inout" if self.overwritten else "input", self.inputs),
            ("temp", self.temporaries),
            ("inout" if self.chance(0.2) else "output", self.outputs),
        ):
            head += [f"{role} {self.random.choice(TYPES)} {self.declared(n)};" for n in names]
        for name in self.temporaries:
            for _ in range(1 if self.chance(0.75) else 2):
                self.nest([], [name])
        for name in self.outputs:
            self.nest([], [name])
            if self.chance(0.2):
                self.nest([], [*self.temporaries, name])
        return "\n".join([*head, *self.lines]) + "\n"

    def declared(self, name: str) -> str:
        return name + f"[2*({self.size}) + 12]" * self.dimensions[name]

    def emit(self, text: str, loops: list[Loop]) -> None:
        self.lines.append("  " * len(loops) + text)

    # -- loops and conditions ----------------------------------------------------------

    def nest(self, loops: list[Loop], targets: list[str]) -> None:
        """A loop nest that writes the targets, or, rarely, just a statement."""
        wanted = max(self.dimensions[t] for t in targets)
        if not loops and self.chance(0.12):
            wanted = 0
        elif self.chance(0.15) and len(loops) + wanted < 3:
            wanted += 1
        self.loops(loops, max(wanted - len(loops), 0), targets)

    def loops(self, loops: list[Loop], deep: int, targets: list[str]) -> None:
        if not deep:
            self.body(loops, targets)
            return
        self.iterators += 1
        name = "ijklmn"[self.iterators % 6] if self.chance(0.7) else f"i{self.iterators}"
        if name in {loop.iterator for loop in loops}:
            name = f"i{self.iterators}"
        least = self.random.choice([0, 0, 0, 1, 2])
        low = str(least)
        if loops and self.chance(0.15):
            low, least = loops[-1].iterator, loops[-1].least
        high = self.random.choice(
            [*self.parameters, *self.parameters, "N+1", f"{self.size}", f"{self.parameters[-1]}+2"]
            + [loop.iterator for loop in loops]
        )
        step = f" by {self.random.choice([2, 2, 3])}" if self.chance(0.1) else ""
        if self.chance(0.1):
            low, high, step = high, low, step.replace("by ", "by -") or " by -1"
        self.emit(f"for {name} = {low} to {high}{step} do", loops)
        inner = [*loops, Loop(name, least)]
        self.loops(inner, deep - 1, targets)
        if deep == 1 and self.chance(0.15) and len(inner) < 3:
            self.loops(inner, 1, [self.random.choice(targets)])
        self.emit("done", loops)

    def body(self, loops: list[Loop], targets: list[str]) -> None:
        for target in targets if len(targets) == 1 else self.random.sample(targets, 2):
            if loops and self.chance(0.2):
                self.scalar_first(loops)
            if not loops or self.chance(0.7):
                self.assign(loops, target)
                continue
            self.emit(f"if {self.condition(loops)} then", loops)
            self.assign([*loops, loops[-1]], target)
            if self.chance(0.6):
                self.emit("else", loops)
                self.assign([*loops, loops[-1]], target)
            self.emit("fi", loops)

    def scalar_first(self, loops: list[Loop]) -> None:
        """A scalar that the next statements may share."""
        scalars = [t for t in self.temporaries if not self.dimensions[t]]
        if scalars:
            self.assign(loops, self.random.choice(scalars))

    def condition(self, loops: list[Loop]) -> str:
        if self.data_dependent and self.chance(0.5):
            return f"{self.access(self.random.choice(self.inputs), loops)} > 1"
        first = self.comparison(loops)
        if self.chance(0.2):
            return f"{first} {self.random.choice(['and', 'or'])} {self.comparison(loops)}"
        return first

    def comparison(self, loops: list[Loop]) -> str:
        i = self.random.choice(loops).iterator
        others = [loop.iterator for loop in loops if loop.iterator != i]
        j = self.random.choice([*others, *self.parameters])
        return self.random.choice(
            [
                f"{i} <= {self.random.choice(self.parameters)}",
                f"{i} == {self.random.randint(0, 2)}",
                f"{i} >= {self.random.randint(1, 3)}",
                f"{i} % 2 == {self.random.randint(0, 1)}",
                f"({i}/2)*2 == {i}",
                f"{i} < {j}",
                f"{i} + {j} <= {self.size}",
                f"{i} != {j}",
                f"{self.parameters[-1]} >= 2",
            ]
        )

    # -- statements --------------------------------------------------------------------

    def assign(self, loops: list[Loop], target: str) -> None:
        left = self.access(target, loops)
        update = self.chance(0.08)
        value = f"{left} + {self.read(loops)}" if update else self.expression(loops)
        label = f"S{self.statements}"
        self.statements += 1
        text = f"{left} = {value};"
        self.emit(f"{label}: {text}" if self.chance(0.5) else f"{text} // {label}", loops)
        self.written.append(target)
        if self.overwritten and loops and self.chance(0.15):
            self.statements += 1
            self.emit(f"{self.access(self.random.choice(self.inputs), loops)} = 0;", loops)

    def expression(self, loops: list[Loop]) -> str:
        parts = [self.operand(loops) for _ in range(self.random.choice([1, 1, 2, 2, 3]))]
        text = parts[0]
        for part in parts[1:]:
            text += f" {self.random.choice(['+', '-', '*', '+'])} {part}"
        wrapping = self.random.random()
        if wrapping < 0.1:
            return f"f({text})"
        if wrapping < 0.15:
            return f"({text}) / {self.random.choice(['1.5', '3', '2.5f'])}"
        if wrapping < 0.2:
            return f"{self.random.choice(['float', 'int32', 'double'])}({text})"
        if wrapping < 0.23:
            return f"max({text}, {self.read(loops)})"
        if wrapping < 0.26:
            return f"{self.read(loops)} > 0 ? {text} : {self.operand(loops)}"
        return text

    def operand(self, loops: list[Loop]) -> str:
        kind = self.random.random()
        if kind < 0.8:
            return self.read(loops)
        if kind < 0.9 and loops:
            i = self.random.choice(loops).iterator
            return self.random.choice([i, f"2*{i}", f"({i} + 1)", f"g({i}, 1)"])
        return self.random.choice(["2", "0.5", "3.0f", *self.parameters, "1"])

    def read(self, loops: list[Loop]) -> str:
        sources = self.inputs
        if self.written and self.chance(0.75):
            temporaries = [t for t in self.written if t in self.temporaries]
            sources = temporaries if temporaries and self.chance(0.85) else self.written
        return self.access(self.random.choice(sources), loops)

    def access(self, array: str, loops: list[Loop]) -> str:
        inner = sorted({loop.iterator: loop for loop in loops}.values(), key=loops.index)
        chosen = inner[-self.dimensions[array] :] if self.dimensions[array] else []
        if self.chance(0.1):
            self.random.shuffle(chosen)
        while len(chosen) < self.dimensions[array]:
            chosen.insert(0, self.random.choice(inner) if inner and self.chance(0.3) else None)
        return array + "".join(f"[{self.subscript(loop, inner)}]" for loop in chosen)

    def subscript(self, loop: Loop | None, loops: list[Loop]) -> str:
        """Between 0 and 2 * (N + M) + 11."""
        if loop is None:
            return self.random.choice(["0", "1", *self.parameters, f"{self.parameters[0]}+1"])
        i, kind = loop.iterator, self.random.random()
        if kind < 0.55:
            return i
        if kind < 0.85:
            shift = self.random.randint(-loop.least, 2)
            return f"{i}{shift:+d}" if shift else i
        other = self.random.choice(loops).iterator
        return self.random.choice(
            [
                f"2*{i} + {self.random.randint(0, 1)}",
                f"{self.size} + 2 - {i}",
                f"{i} + {other}",
                f"{i}/2",
                f"{i} % {self.random.choice([2, 3])}",
                self.random.choice(self.parameters),
                str(self.random.randint(0, 3)),
            ]
        )
