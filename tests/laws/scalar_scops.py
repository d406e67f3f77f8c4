"""Random programs whose values pass through scalars: for DeLICM.

In each of a few loop nests a scalar is set, updated in an inner loop, perhaps only in some of its
iterations, and stored to an array, inside the loop or after it; other statements read or write the
same arrays in between, copy scalars, or use several at once. A scalar may serve several nests.
All subscripts are in bounds for N >= 0: in arrays of N + 4 cells in each dimension.
"""

import re
from random import Random

EXTENT = "[N + 4]"


def scalar_program(seed: int) -> str:
    """The text of a program; the same one for the same seed."""
    random = Random(seed)
    scalars = [f"s{k}" for k in range(random.randint(1, 3))]
    writer = _Writer(random, scalars)
    body = [line for _ in range(random.randint(1, 2)) for line in writer.nest()]
    kept = scalars.pop() if random.random() < 0.08 else None
    used = set(re.findall(r"\w+", "\n".join(body)))
    temp = [s for s in scalars if s in used]
    if random.random() < 0.15 and "Y" in used:
        temp.append(f"Y{EXTENT}")
    declared = ["param N;", "assume N >= 0;", f"input A{EXTENT}, B{EXTENT};"]
    declared += [f"temp {', '.join(temp)};"] if temp else []
    declared += [f"inout {kept};"] if kept in used else []
    out = f"inout X{EXTENT};  inout Z{EXTENT}{EXTENT};"
    declared.append(out if any(t.startswith("Y") for t in temp) else f"{out}  output Y{EXTENT};")
    return "\n".join([*declared, *body]) + "\n"


class _Writer:
    def __init__(self, random: Random, scalars: list[str]) -> None:
        self.random = random
        self.scalars = scalars
        self.count = 0

    def chance(self, p: float) -> bool:
        return self.random.random() < p

    def nest(self) -> list[str]:
        """Set a scalar, update it, store it."""
        random = self.random
        mine = random.choice(self.scalars)
        outer = ["i"]
        lines = [self.head("i", random.choice(["0", "0", "1"]))]
        if self.chance(0.2):
            lines.append(self.head("k", "0"))
            outer.append("k")
        target = self.target(outer)
        if self.chance(0.9):
            lines.append(self.assign(mine, self.first(outer, target)))
        if self.chance(0.3):
            lines.append(self.other(outer, target))
        if self.chance(0.8):
            lines += [self.head("j", random.choice(["0", "0", "1", "i"]))]
            lines += self.updates(mine, [*outer, "j"], target)
            lines += ["done"]
        if self.chance(0.3):
            lines.append(self.other(outer, target))
        if self.chance(0.8):
            lines.append(self.assign(target, self.stored(mine, outer)))
        if self.chance(0.2):
            lines.append(self.other(outer, target))
        return lines + ["done"] * len(outer)

    def head(self, iterator: str, low: str) -> str:
        high = self.random.choice(["N - 1", "N - 1", "N", "3"] if iterator == "j" else ["N - 1"])
        return f"for {iterator} = {low} to {high} do"

    def target(self, loops: list[str]) -> str:
        if len(loops) == 2:
            return self.random.choice([f"Z[{loops[0]}][{loops[1]}]", f"Z[{loops[1]}][{loops[0]}]"])
        return self.random.choice(["X[i]", "X[i + 1]", "Y[i]", "X[N - i]", "Z[i][0]", "X[0]"])

    def first(self, loops: list[str], target: str) -> str:
        others = list(self.scalars)
        return self.random.choice(
            ["0", "1.5", f"A[{loops[-1]}]", target, f"{target} + 1", self.random.choice(others)]
        )

    def updates(self, mine: str, loops: list[str], target: str) -> list[str]:
        random = self.random
        found = []
        if self.chance(0.85):
            value = random.choice([f"A[{loops[0]}] * B[{loops[-1]}]", "4", f"B[{loops[-1]}]"])
            update = self.assign(mine, f"{mine} + {value}")
            if self.chance(0.2):
                update = f"if {loops[-1]} != 2 then {update} fi"
            elif self.chance(0.05):
                update = f"if B[{loops[-1]}] > 0 then {update} fi"
            found.append(update)
        if self.chance(0.35):
            found.append(self.assign(target, random.choice([mine, mine, f"{mine} + 1"])))
        if self.chance(0.25):
            found.append(self.other(loops, target))
        if self.chance(0.2):
            s = random.choice(self.scalars)
            found.append(self.assign(s, random.choice([mine, f"{s} + 29", f"B[{loops[-1]}]"])))
        return found or [self.other(loops, target)]

    def other(self, loops: list[str], target: str) -> str:
        """Something that may be in the way."""
        random = self.random
        place = random.choice(["X[i]", "Y[i]", target, f"Z[i][{loops[-1]}]", f"X[{loops[-1]}]"])
        value = random.choice(
            [target, f"A[{loops[-1]}]", random.choice(self.scalars), "X[i] + 1", "0"]
        )
        return self.assign(place, value)

    def stored(self, mine: str, loops: list[str]) -> str:
        return self.random.choice(
            [mine, mine, mine, f"{mine} + A[{loops[0]}]", f"{mine} + {self.scalars[0]}", f"-{mine}"]
        )

    def assign(self, target: str, value: str) -> str:
        self.count += 1
        return f"S{self.count}: {target} = {value};"
