"""Random programs that reuse scalars and small arrays: for live-range reordering.

A few loop nests follow each other. In the body of each, temporaries (scalars, or arrays whose cells
several iterations share) are written and read again, sometimes an iteration later, sometimes only
under a condition that data decides; inputs are read, outputs written and updated. All subscripts
are in bounds for N >= 0: of two iterators below N, or their sum, in arrays of 2 N + 2 cells.
"""

import re
from random import Random

ITERATORS = ("i", "j")
EXTENT = "[2*N + 2]"


def reusing_program(seed: int) -> str:
    """The text of a program; the same one for the same seed."""
    random = Random(seed)
    scalars = [f"s{k}" for k in range(random.randint(1, 2))]
    lines = [f"t{k}" for k in range(random.randint(0, 1))]
    temporaries = scalars + lines
    live = random.random() < 0.15  # one of them is needed afterwards
    kept = temporaries.pop() if live and len(temporaries) > 1 else None
    writer = _Writer(random, scalars, lines)
    body = [line for _ in range(random.randint(1, 3)) for line in writer.nest()]
    used = set(re.findall(r"\w+", "\n".join(body)))
    temp = [n + (EXTENT if n in lines else "") for n in temporaries if n in used]
    text = ["param N;", "assume N >= 0;", f"input A{EXTENT}{EXTENT}, B{EXTENT};"]
    if temp:
        text.append(f"temp {', '.join(temp)};")
    if kept is not None:
        text.append(f"inout {kept}{EXTENT if kept in lines else ''};")
    text.append(f"inout X{EXTENT}{EXTENT};  output Y{EXTENT};")
    return "\n".join([*text, *body]) + "\n"


class _Writer:
    def __init__(self, random: Random, scalars: list[str], lines: list[str]) -> None:
        self.random = random
        self.scalars = scalars
        self.lines = lines
        self.count = 0

    def nest(self) -> list[str]:
        deep = self.random.random() < 0.75
        loops = ["i", "j"] if deep else ["i"]
        if deep and self.random.random() < 0.2:  # a statement between the loops
            body = self.body(["i"], 1)
            inner = self.body(loops, 2)
            return [self.head("i"), *body, self.head("j"), *inner, "done", "done"]
        return [*map(self.head, loops), *self.body(loops, self.random.randint(2, 3)),
                *(["done"] * len(loops))]  # fmt: skip

    def head(self, iterator: str) -> str:
        low = self.random.choice(["0", "0", "0", "1"])
        if iterator == "j" and self.random.random() < 0.15:
            low = "i"
        return f"for {iterator} = {low} to N - 1 do"

    def body(self, loops: list[str], statements: int) -> list[str]:
        """Live ranges of one temporary, one after the other, and uses of what they hold."""
        found = []
        for _ in range(statements):
            if self.random.random() < 0.55:
                target = self.temporary(loops)
                value = self.random.choice([self.given(loops), f"{self.given(loops)} + 1"])
                if self.random.random() < 0.2:
                    value = f"{self.temporary(loops)} + {self.given(loops)}"
            else:
                target = self.result(loops)
                value = f"{self.temporary(loops)} + {self.given(loops)}"
                if self.random.random() < 0.3:
                    value = f"{target} + {value}"
            line = f"S{self.count}: {target} = {value};"
            if self.random.random() < 0.05:
                line = f"if B[{loops[-1]}] > 0 then {line} fi"
            found.append(line)
            self.count += 1
        return found

    def temporary(self, loops: list[str]) -> str:
        if self.lines and self.random.random() < 0.5:
            return f"{self.random.choice(self.lines)}[{self.place(loops)}]"
        return self.random.choice(self.scalars)

    def place(self, loops: list[str]) -> str:
        return self.random.choice([*loops, "+".join(loops), loops[-1], f"{loops[-1]} + 1"])

    def given(self, loops: list[str]) -> str:
        a, b = loops[0], loops[-1]
        return self.random.choice([f"A[{a}][{b}]", f"A[{b}][{a}]", f"B[{b}]", f"X[{a}][{b}]"])

    def result(self, loops: list[str]) -> str:
        a, b = loops[0], loops[-1]
        return self.random.choice([f"X[{a}][{b}]", f"X[{b}][{a}]", f"Y[{a}]", f"X[{a}][{b} + 1]"])
