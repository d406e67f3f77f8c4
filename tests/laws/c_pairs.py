"""Pairs of C programs: a random one, and what a mutation makes of it, as texts.

The mutations are of this generator alone: what should not matter (operands exchanged, `x * 1.0`, a
selection for branches, a hoisted value, a loop turned around, a wider type) and what should (a
constant, a subscript, an operator, a bound, a lost or additional write), so that verdicts of all
kinds are asked for. Constants are large enough for `int` to overflow at sizes that can be run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from random import Random

ARRAYS = {"A": "double", "B": "double", "F": "float", "K": "int", "L": "long"}
COMPARED = ("<", "<=", ">", ">=", "==", "!=")
MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
FACTORS = (2, 3, 7, 100000, 1000000, 30000000)


@dataclass(frozen=True)
class E:
    """An expression: an operation on parts; `text` of what has none."""

    op: str
    parts: tuple[E, ...] = ()
    text: str = ""

    def __str__(self) -> str:
        a = [str(p) for p in self.parts]
        match self.op:
            case "leaf":
                return self.text
            case "cell":
                return f"{self.text}[{a[0]}]"
            case "neg":
                return f"(-{a[0]})"
            case "cast":
                return f"(({self.text}){a[0]})"
            case "call":
                return f"{self.text}({a[0]})"
            case "?:":
                return f"({a[0]} ? {a[1]} : {a[2]})"
        return f"({a[0]} {self.op} {a[1]})"


def leaf(text: str | int | float) -> E:
    return E("leaf", text=str(text))


@dataclass(frozen=True)
class Set:
    """`target = value;`, or under a condition, with another value otherwise."""

    target: E
    value: E
    condition: E | None = None
    otherwise: E | None = None

    def lines(self) -> Iterator[str]:
        write = f"{self.target} = {self.value};"
        if self.condition is None:
            yield write
            return
        other = "" if self.otherwise is None else f" else {self.target} = {self.otherwise};"
        yield f"if ({self.condition}) {write}{other}"


@dataclass(frozen=True)
class Loop:
    """`for (kind i = low; i < n - high; i++)`, or the other way round."""

    body: tuple[Set, ...]
    kind: str = "int"
    low: int = 0
    high: int = 0
    down: bool = False

    def lines(self) -> Iterator[str]:
        last = f"n - {self.high}" if self.high > 0 else f"n + {-self.high}" if self.high else "n"
        if self.down:
            yield f"for ({self.kind} i = {last} - 1; i >= {self.low}; i--) {{"
        else:
            yield f"for ({self.kind} i = {self.low}; i < {last}; i++) {{"
        for s in self.body:
            yield from (f"  {line}" for line in s.lines())
        yield "}"


@dataclass(frozen=True)
class Program:
    parts: tuple[Loop | Set, ...]
    kind: str = "int"
    local: tuple[str, E] | None = None
    guard: str = ""

    def text(self, name: str) -> str:
        given = ", ".join([f"{self.kind} n", *(f"{t} {a}[n]" for a, t in ARRAYS.items())])
        lines = [self.guard] if self.guard else []
        if self.local is not None:
            lines.append(f"{self.local[0]} c = {self.local[1]};")
        lines += [line for part in self.parts for line in part.lines()]
        return "\n".join([f"void {name}({given}) {{", *(f"  {x}" for x in lines), "}"]) + "\n"


# -- programs --------------------------------------------------------------------------


@dataclass
class Writer:
    random: Random
    constants: set[int] = field(default_factory=set)

    def program(self) -> Program:
        kind = self.random.choice(["int", "int", "int", "long"])
        loops = tuple(self.loop() for _ in range(self.random.choice([1, 1, 2])))
        return Program(loops, kind)

    def loop(self) -> Loop:
        low, high = self.random.choice([(0, 0), (0, 0), (1, 0), (0, 1), (1, 1)])
        count = self.random.choice([1, 1, 2])
        kind = self.random.choice(["int", "int", "long"])
        return Loop(tuple(self.set(low, high) for _ in range(count)), kind, low, high)

    def set(self, low: int, high: int) -> Set:
        array = self.random.choice("BBBBFKL")
        target = E("cell", (self.index(low, high),), array)
        value = self.value(array, low, high)
        if self.random.random() < 0.7:
            return Set(target, value)
        other = self.value(array, low, high) if self.random.random() < 0.6 else None
        return Set(target, value, self.condition(low, high), other)

    def index(self, low: int, high: int) -> E:
        i = leaf("i")
        choices = [i, i, i, i, E("-", (leaf("n - 1"), i)), leaf(0)]
        choices += [E("-", (i, leaf(1)))] if low else []
        choices += [E("+", (i, leaf(1)))] if high else []
        return self.random.choice(choices)

    def value(self, array: str, low: int, high: int) -> E:
        if array in "KL":
            return self.whole(low, high)
        return self.floating(low, high, 2)

    def whole(self, low: int, high: int) -> E:
        c = self.random.choice(FACTORS)
        scaled = E("*", (leaf("i"), leaf(c)))
        small = E("cell", (self.index(low, high),), self.random.choice("KL"))
        masked = E("&", (small, leaf(255)))
        other = self.random.choice([scaled, masked, leaf("i"), leaf("n"), leaf(3)])
        first = self.random.choice([scaled, masked, E("-", (leaf("n"), leaf("i")))])
        return E(self.random.choice("+-+"), (first, other))

    def floating(self, low: int, high: int, depth: int) -> E:
        random = self.random
        if depth == 0 or random.random() < 0.2:
            cell = E("cell", (self.index(low, high),), random.choice("AABF"))
            number = leaf(random.choice(["0.5", "2.0", "3.5", "1.0f", "0.1", "2", "-1.5"]))
            return random.choice([cell, cell, cell, number])
        kind = random.random()
        if kind < 0.12:
            return E("cast", (self.whole(low, high),), random.choice(["double", "float"]))
        if kind < 0.2:
            return self.whole(low, high)
        if kind < 0.28:
            pair = [self.floating(low, high, 0) for _ in "ab"]
            return E("?:", (self.condition(low, high), *pair))
        if kind < 0.33:
            return E(
                "call", (self.floating(low, high, depth - 1),), random.choice(["sqrt", "fabs"])
            )
        pair = [self.floating(low, high, depth - 1) for _ in "ab"]
        return E(random.choice("++**-/"), tuple(pair))

    def condition(self, low: int, high: int) -> E:
        op = self.random.choice(COMPARED)
        if self.random.random() < 0.3:
            return E(op, (self.whole(low, high), leaf(self.random.choice([0, 3, 2000000000]))))
        return E(op, (self.floating(low, high, 0), self.floating(low, high, 0)))


# -- mutations -------------------------------------------------------------------------

Change = Callable[[E, Random], E | None]


def _changed(e: E, change: Change, random: Random) -> Iterator[E]:
    """The expressions with one part changed."""
    made = change(e, random)
    if made is not None:
        yield made
    for k, part in enumerate(e.parts):
        for new in _changed(part, change, random):
            yield replace(e, parts=(*e.parts[:k], new, *e.parts[k + 1 :]))


def _commuted(e: E, random: Random) -> E | None:
    return replace(e, parts=e.parts[::-1]) if e.op in ("+", "*", "==", "!=") else None


def _mirrored(e: E, random: Random) -> E | None:
    return E(MIRRORED[e.op], e.parts[::-1]) if e.op in MIRRORED else None


def _reassociated(e: E, random: Random) -> E | None:
    if e.op not in ("+", "*") or e.parts[0].op != e.op:
        return None
    (a, b), c = e.parts[0].parts, e.parts[1]
    return E(e.op, (a, E(e.op, (b, c))))


def _nothing(e: E, random: Random) -> E | None:
    if e.op not in ("cell", "call") or e.text in "KL":
        return None
    return random.choice(
        [E("*", (e, leaf("1.0"))), E("neg", (E("neg", (e,)),)), E("/", (e, leaf(1)))]
    )


def _typed(e: E, random: Random) -> E | None:
    if e.op == "leaf" and e.text.isdigit():
        return leaf(random.choice([f"{e.text}.0", f"{e.text}L"]))
    if e.op in ("*", "+", "-") or e.text in ("i", "n"):
        return E("cast", (e,), random.choice(["long", "double", "float", "int"]))
    return None


def _constant(e: E, random: Random) -> E | None:
    if e.op != "leaf" or not e.text[:1].isdigit():
        return None
    return leaf(f"{e.text} + 1") if e.text.isdigit() else leaf(f"{e.text} + 0.25")


def _operator(e: E, random: Random) -> E | None:
    others = {"+": "-", "-": "+", "*": "+", "/": "*", "<": "<=", "<=": "<", ">": ">=", ">=": ">"}
    return replace(e, op=others[e.op]) if e.op in others else None


def _subscript(e: E, random: Random) -> E | None:
    return replace(e, parts=(leaf(random.choice(["0", "i", "n - 1"])),)) if e.op == "cell" else None


def _array(e: E, random: Random) -> E | None:
    return replace(e, text=random.choice("AFK")) if e.op == "cell" and e.text in "ABF" else None


EXPRESSIONS: dict[str, Change] = {
    "commuted": _commuted, "mirrored": _mirrored, "reassociated": _reassociated,
    "nothing": _nothing, "typed": _typed, "constant": _constant, "operator": _operator,
    "subscript": _subscript, "array": _array,
}  # fmt: skip


def mutations(p: Program, random: Random) -> Iterator[tuple[str, Program]]:
    """The kind of each mutation, and the program that it makes."""
    for k, part in enumerate(p.parts):
        for kind, new in _of_part(part, random):
            yield kind, replace(p, parts=(*p.parts[:k], *new, *p.parts[k + 1 :]))
        if isinstance(part, Loop):
            yield from _hoisted(p, k, part)
    if len(p.parts) > 1:
        yield "order", replace(p, parts=p.parts[::-1])
    yield "width", replace(p, kind="long" if p.kind == "int" else "int")
    yield "guard", replace(p, guard="if (n < 1) return;")
    clear = Set(E("cell", (leaf("i"),), "A"), leaf("0"))
    yield "cleared", replace(p, parts=(*p.parts, Loop((clear,))))


def _hoisted(p: Program, k: int, loop: Loop) -> Iterator[tuple[str, Program]]:
    if p.local is not None:
        return
    for j, s in enumerate(loop.body):
        for e in _inside(s.value):
            if e.op in ("+", "*", "call") and "i" not in str(e).replace("sqrt", ""):
                made = _exchanged(s.value, e, leaf("c"))
                body = (*loop.body[:j], replace(s, value=made), *loop.body[j + 1 :])
                parts = (*p.parts[:k], replace(loop, body=body), *p.parts[k + 1 :])
                yield "hoisted", replace(p, parts=parts, local=("double", e))


def _inside(e: E) -> Iterator[E]:
    yield e
    for part in e.parts:
        yield from _inside(part)


def _exchanged(e: E, old: E, new: E) -> E:
    return new if e is old else replace(e, parts=tuple(_exchanged(x, old, new) for x in e.parts))


def _of_part(part: Loop | Set, random: Random) -> Iterator[tuple[str, tuple[Loop | Set, ...]]]:
    if isinstance(part, Set):
        yield from ((kind, (s,)) for kind, s in _of_set(part, random))
        return
    yield "turned", (replace(part, down=not part.down),)
    yield "bound", (replace(part, low=part.low + 1),)
    yield "bound", (replace(part, high=part.high + 1),)
    yield "counter", (replace(part, kind="long" if part.kind == "int" else "int"),)
    if len(part.body) > 1:
        yield "split", tuple(replace(part, body=(s,)) for s in part.body)
        yield "swapped", (replace(part, body=part.body[::-1]),)
        yield "lost", (replace(part, body=part.body[1:]),)
    yield "twice", (replace(part, body=(*part.body, part.body[-1])),)
    for k, s in enumerate(part.body):
        for kind, new in _of_set(s, random):
            yield kind, (replace(part, body=(*part.body[:k], new, *part.body[k + 1 :])),)


def _of_set(s: Set, random: Random) -> Iterator[tuple[str, Set]]:
    for kind, change in EXPRESSIONS.items():
        for new in _changed(s.value, change, random):
            yield kind, replace(s, value=new)
        for new in _changed(s.condition, change, random) if s.condition is not None else ():
            yield kind, replace(s, condition=new)
    for new in _changed(s.target, _subscript, random):
        yield "subscript", replace(s, target=new)
    if s.condition is not None:
        chosen = E("?:", (s.condition, s.value, s.otherwise or s.target))
        yield "selected", Set(s.target, chosen)
        if s.otherwise is not None:
            negated = E("leaf", text=f"!{s.condition}")
            yield "negated", Set(s.target, s.otherwise, negated, s.value)


def pair(seed: int) -> tuple[str, str, str, list[int]]:
    """The kinds of the mutations, both texts (functions f and g), and sizes that say something."""
    random = Random(seed)
    first = second = Writer(random).program()
    kinds = []
    for _ in range(random.choice([1, 1, 2])):
        found: dict[str, list[Program]] = {}
        for kind, made in mutations(second, random):
            found.setdefault(kind, []).append(made)
        kind = random.choice(sorted(found))
        kinds.append(kind)
        second = random.choice(found[kind])
    texts = first.text("f"), second.text("g")
    large = {2**31 // c + d for c in FACTORS[3:] for d in (1, 2) if str(c) in "".join(texts)}
    return " and ".join(kinds), *texts, sorted({0, 1, 2, 3, 5, 17, 200, *large})
