"""Reads what `pn.read_back` says, as a person would: the text of a formula, and nothing else.

The words are `sum over i = a..b of X` (as far as the parentheses around it), `old A[i]`, `x²`,
`whole part of (a / b)`, and C's operators, but for division, which is that of numbers; all else
about formulas is not known here.
"""

import math
import operator
import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

TOKEN = re.compile(
    r"\s*(old \w+|whole part of|(?:sum|product|smallest|largest) over|"
    r"\d+(?:\.(?!\.)\d*)?(?:e[-+]?\d+)?[fLU]*|"
    r"[A-Za-z_][\w']*|\.\.|[<>=!]=|&&|\|\||<<|>>|.)"
)
BINARY = (
    {"||": lambda a, b: int(bool(a or b))},
    {"&&": lambda a, b: int(bool(a and b))},
    {"|": operator.or_},
    {"^": operator.xor},
    {"&": operator.and_},
    {"==": lambda a, b: int(a == b), "!=": lambda a, b: int(a != b)},
    {"<": lambda a, b: int(a < b), "<=": lambda a, b: int(a <= b),
     ">": lambda a, b: int(a > b), ">=": lambda a, b: int(a >= b)},
    {"<<": operator.lshift, ">>": operator.rshift},
    {"+": operator.add, "-": operator.sub},
)  # fmt: skip
FOLDS = {"sum": sum, "product": math.prod, "smallest": min, "largest": max}


def divided(a: Any, b: Any) -> Any:
    if isinstance(a, int) and isinstance(b, int) and b:
        return Fraction(a, b)
    if b == 0:
        return math.nan if a == 0 or a != a else math.copysign(math.inf, a) * math.copysign(1.0, b)
    return a / b


class Reader:
    """One text, read with what names stand for: numbers, or arrays (lists of lists)."""

    def __init__(self, text: str, names: Mapping[str, Any]) -> None:
        self.tokens = [t for t in TOKEN.findall(text) if t.strip()]
        self.names = dict(names)
        self.at = 0

    def value(self) -> Any:
        found = self.choice()
        assert self.at == len(self.tokens), self.tokens[self.at :]
        return found

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, expected: str = "") -> str:
        found = self.peek()
        assert not expected or found == expected, (expected, self.tokens[self.at :])
        self.at += 1
        return found

    def choice(self) -> Any:
        condition = self.chain(0)
        if self.peek() != "?":
            return condition
        self.take()
        a = self.choice()
        self.take(":")
        b = self.choice()
        return a if condition else b

    def chain(self, level: int) -> Any:
        if level == len(BINARY):
            return self.factors()
        left = self.chain(level + 1)
        while self.peek() in BINARY[level]:
            left = BINARY[level][self.take()](left, self.chain(level + 1))
        return left

    def factors(self) -> Any:
        left = self.unary()
        while self.peek() in ("*", "/", "%"):
            op, right = self.take(), self.unary()
            if op == "%":
                left = left - right * math.trunc(divided(left, right))
            else:
                left = left * right if op == "*" else divided(left, right)
        return left

    def unary(self) -> Any:
        if self.peek() in ("-", "+", "!", "~"):
            op, x = self.take(), self.unary()
            return {"-": lambda: -x, "+": lambda: x, "!": lambda: int(not x), "~": lambda: ~x}[op]()
        found = self.primary()
        while self.peek() == "²":
            self.take()
            found = found * found
        return found

    def primary(self) -> Any:
        token = self.take()
        if token == "(":
            found = self.choice()
            self.take(")")
            return found
        if token[0].isdigit():
            plain = token.rstrip("fLU")
            return float(plain) if re.search(r"[.e]", plain) else int(plain)
        if token == "whole part of":
            return math.trunc(self.primary())
        if token.endswith(" over"):
            return self.fold(token.split()[0])
        if self.peek() == "(" and token not in self.names:
            return self.call(token)
        found = self.names[token]
        while self.peek() == "[":
            self.take()
            k = self.choice()
            self.take("]")
            assert k >= 0, (token, k)
            found = found[k]
        return found

    def call(self, name: str) -> Any:
        self.take("(")
        given = [self.choice()]
        while self.peek() == ",":
            self.take()
            given.append(self.choice())
        self.take(")")
        integer = re.fullmatch(r"(u?)int(\d+)", name)
        if integer:
            value, bits = int(given[0]), int(integer[2])
            least = 0 if integer[1] else -(1 << bits - 1)
            return (value - least) % (1 << bits) + least
        plain = {"min": min, "max": max, "fabs": abs, "abs": abs, "double": float, "float": float,
                 "floord": lambda a, b: a // b, "mod": lambda a, b: a % b}  # fmt: skip
        return plain[name](*given) if name in plain else getattr(math, name)(*given)

    def fold(self, word: str) -> Any:
        start, found, depth = self.at, [], 0
        for _ in self.ranges():
            found.append(self.choice())
        if not found:  # nothing is added: pass over what would be
            self.at = self.of(start)
            while self.at < len(self.tokens) and depth >= 0:
                depth += (self.peek() in "([") - (self.peek() in ")]")
                self.at += depth >= 0
            assert word in ("sum", "product"), "the smallest of nothing"
        return FOLDS[word](found)

    def of(self, start: int) -> int:
        return self.tokens.index("of", start) + 1

    def ranges(self) -> Iterator[None]:
        """Each way to go through the counters; the body is in front each time."""
        name = self.take()
        self.take("=")
        first = self.choice()
        self.take("..")
        last, step = self.choice(), 1
        if self.peek() == "by":
            self.take()
            step = self.choice()
        behind = self.at
        for k in range(first, last + 1, step):
            self.at = behind
            self.names[name] = k
            if self.take() == ",":
                yield from self.ranges()
            else:
                yield
        self.names.pop(name, None)


def read(text: str, names: Mapping[str, Any]) -> Any:
    return Reader(text, names).value()


def points(where: str, names: Mapping[str, Any]) -> Iterator[dict[str, int]]:
    """The iterators that `1 <= i <= N-2, 0 <= j, k <= i, if N >= M` has, one in another."""
    conditions = [
        c.strip()[3:] for c in re.split(r", (?=if )|^(?=if )", where) if c.startswith("if ")
    ]
    where = re.split(r",? ?(?=if )", where)[0]
    known = [dict[str, int]()]
    for first, counters, last, step in re.findall(
        r"([^<]+?) <= ([^<]+?) <= ([^<]+?)( by \d+)?(?:, (?=[^<]+<=)|$)", where
    ):
        for name in counters.split(", "):
            known = [{**k, name: v} for k in known for v in range(
                read(first, {**names, **k}), read(last, {**names, **k}) + 1,
                int(step[4:] or 1))]  # fmt: skip
    holds = all(read(c, names) for c in conditions)
    yield from known if holds else ()


def cells(formula: Any, names: Mapping[str, Any]) -> Iterator[tuple[tuple[int, ...], Any]]:
    """The cells that a formula is about, and the value that it says of each."""
    for point in points(formula.where, names):
        here = {**names, **point}
        for line in reversed(formula.given):  # what stands behind may be in what is in front
            name, _, value = line.partition(" = ")
            here[name] = read(value, here)
        index = re.findall(r"\[([^]]*(?:\[[^]]*\][^]]*)*)\]", formula.cells)
        yield tuple(read(x, here) for x in index), read(formula.value, here)
