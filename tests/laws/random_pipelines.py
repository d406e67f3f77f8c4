"""Random pipelines of pictures: stages that read earlier ones at offsets, at half or twice their
size, with channels and borders."""

import random
from dataclasses import dataclass


@dataclass(frozen=True)
class Stage:
    """A picture whose rows and columns go from `first` to `2^level * N + last`."""

    name: str
    level: int
    first: int
    last: int

    def size(self) -> str:
        return f"[{2**self.level}*N + {self.last + 1}]"


def random_pipeline(seed: int) -> str:
    rng = random.Random(f"pipeline {seed}")
    pictures, channels = rng.choice([2, 2, 2, 3]), rng.random() < 0.3
    stages = [Stage("img", rng.choice([0, 1, 2]), 0, 10 if pictures == 2 else 7)]
    texts: list[str] = []
    read: set[str] = set()
    for k in range(rng.randint(2, 8)):
        made = None
        while made is None:
            made = _stage(rng, f"t{k}", stages, pictures)
        stage, reads, expression = made
        texts.append(_loops(rng, stage, expression, pictures, channels))
        read |= reads
        stages.append(stage)
    roles = {
        s.name: "input" if s.name == "img" else "temp" if s.name in read else "output"
        for s in stages
    }
    front = "[2]" * channels
    declared = (f"{roles[s.name]} float {s.name}{front}{s.size() * pictures};" for s in stages)
    return "\n".join(["param N; assume N >= 1;", *declared, *texts])


def _stage(
    rng: random.Random, name: str, stages: list[Stage], pictures: int
) -> tuple[Stage, set[str], str] | None:
    """A stage, what it reads, and its expression; None if nothing is left of it."""
    sources = rng.sample(stages[-3:], k=min(len(stages[-3:]), rng.choice([1, 1, 2])))
    level = sources[0].level + rng.choice([0, 0, 0, 0, 1, -1])
    if any(abs(s.level - level) > 1 for s in sources) or not 0 <= level <= 2:
        return None
    first, last = 0, 10**6
    terms = []
    for s in sources:
        for _ in range(rng.choice([1, 1, 2, 3])):
            offsets = [rng.choice([-1, 0, 0, 1]) for _ in range(pictures)]
            low, high = min(offsets), max(offsets)
            if s.level == level:
                first, last = max(first, s.first - low), min(last, s.last - high)
                subscripts = (f"{x} + {o}" for x, o in zip("xyz", offsets, strict=False))
            elif s.level > level:
                first = max(first, -((low - s.first) // 2))
                last = min(last, (s.last - high) // 2)
                subscripts = (f"2*{x} + {o}" for x, o in zip("xyz", offsets, strict=False))
            else:
                first = max(first, 2 * (s.first - low))
                last = min(last, 2 * (s.last - high) + 1)
                subscripts = (f"{x}/2 + {o}" for x, o in zip("xyz", offsets, strict=False))
            cell = "".join(f"[{x}]" for x in subscripts)
            terms.append(f"{rng.choice(['', '2 * ', '0.5f * '])}{s.name}CHANNEL{cell}")
    if first > 2**level + last:
        return None
    expression = " + ".join(terms)
    if rng.random() < 0.2:
        expression = f"max({terms[0]}, {terms[-1]})"
    elif rng.random() < 0.2:
        expression = f"{terms[0]} > 1 ? {expression} : {terms[-1]}"
    return Stage(name, level, first, last), {s.name for s in sources}, expression


def _loops(rng: random.Random, stage: Stage, expression: str, pictures: int, channels: bool) -> str:
    """The loops of a stage, sometimes with its first row set by a loop of its own."""
    iterators = "xyz"[:pictures]
    outer = ["for c = 0 to 1 do"] * channels
    bounds = {i: str(stage.first) for i in iterators}
    upper = f"{2**stage.level}*N + {stage.last}"
    target = stage.name + "[c]" * channels + "".join(f"[{i}]" for i in iterators)
    expression = expression.replace("CHANNEL", "[c]" * channels)
    border = rng.random() < 0.25
    heads = [f"for {i} = {bounds[i]} to {upper} do" for i in iterators]
    if not border:
        return _nest([*outer, *heads], f"{target} = {expression};")
    heads[0] = f"for x = {stage.first + 1} to {upper} do"
    inside = _nest([*outer, *heads], f"{target} = {expression};")
    edge = target.replace("[x]", f"[{stage.first}]", 1)
    first_row = _nest([*outer, *heads[1:]], f"{edge} = 1;")
    return "\n".join([first_row, inside] if rng.random() < 0.5 else [inside, first_row])


def _nest(heads: list[str], body: str) -> str:
    return " ".join([*heads, body, *["done"] * len(heads)])
