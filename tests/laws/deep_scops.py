"""Random programs three loops deep, with values that live in scalars and small arrays from an
outer loop to an inner one, and back: for orders of execution. In bounds for N >= 0."""

from random import Random


def deep_program(seed: int) -> str:
    """The text of a program; the same one for the same seed."""
    random = Random(seed)
    lines = ["param N;", "assume N >= 0;", "input A[N+1][N+1], B[N+1];"]
    temporaries = ["s", *random.sample(["t[N+1]", "u"], random.randint(0, 2))]
    live = random.random() < 0.15
    lines.append(f"{'inout' if live else 'temp'} {', '.join(temporaries)};")
    lines.append("inout X[N+1][N+1];  output Y[N+1];")
    writer = _Writer(random, [name.partition("[")[0] for name in temporaries])
    return "\n".join([*lines, *writer.nest(["i", "j", "k"][: random.choice([2, 3, 3])])]) + "\n"


class _Writer:
    def __init__(self, random: Random, temporaries: list[str]) -> None:
        self.random = random
        self.temporaries = temporaries
        self.count = 0

    def nest(self, loops: list[str], outer: tuple[str, ...] = ()) -> list[str]:
        """A loop around the others, perhaps with statements before and after them."""
        inside = (*outer, loops[0])
        last = f"{inside[-2]}" if outer and self.random.random() < 0.2 else "N - 1"
        found = [f"for {loops[0]} = 0 to {last} do"]
        if len(loops) == 1:
            found += [self.statement(inside) for _ in range(self.random.randint(2, 3))]
        else:
            if self.random.random() < 0.6:
                found.append(self.statement(inside, first=True))
            found += self.nest(loops[1:], inside)
            if self.random.random() < 0.6:
                found.append(self.statement(inside))
        return [*found, "done"]

    def statement(self, loops: tuple[str, ...], first: bool = False) -> str:
        chance, number = self.random.random(), self.count
        self.count += 1
        given = self.random.choice([f"A[{loops[0]}][{loops[-1]}]", f"B[{loops[-1]}]", "0"])
        if first or chance < 0.45:
            target = self.temporary(loops)
            value = given if self.random.random() < 0.6 else f"{target} + {given}"
        else:
            target = self.random.choice([f"X[{loops[0]}][{loops[-1]}]", f"Y[{loops[-1]}]"])
            value = f"{self.temporary(loops)} + {given}"
            if self.random.random() < 0.2:
                value = f"{target} + {value}"
        line = f"S{number}: {target} = {value};"
        if self.random.random() < 0.1:
            line = f"if {loops[0]} >= {self.random.choice([1, loops[-1]])} then {line} fi"
        elif self.random.random() < 0.06:
            line = f"if B[{loops[-1]}] > 0 then {line} fi"
        return line

    def temporary(self, loops: tuple[str, ...]) -> str:
        name = self.random.choice(self.temporaries)
        return f"t[{self.random.choice(loops)}]" if name == "t" else name
