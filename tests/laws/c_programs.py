"""A C program as the generator writes it (`c_writer`): what it is called with, its loops, guards
and lines, and the programs that have one of those less."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import inf

import numpy as np
from c_values import CType, Value

INDEX = 5
"""Arrays of subscripts hold numbers below this."""
LARGEST = 9
"""Parameters are tried up to this value, and values are in range up to it."""
SPECIAL = (
    *(0.0, -0.0, np.inf, -np.inf, np.nan, 5e-324, -1e-310, 1e-40, 1.5e308, -3e38),
    *(-0.5, 0.5, 1.0, 0.1, -7.25, 16777217.0, 2147483647.5),
)
TAME = (0.0, -0.0, -0.5, 0.5, -1.0, 1.5, 99.5, -99.75)


@dataclass(frozen=True)
class Form:
    """`n * N + m * M + c`, with n and m not negative."""

    n: int
    m: int
    c: int

    def __add__(self, other: Form) -> Form:
        return Form(self.n + other.n, self.m + other.m, self.c + other.c)

    def at_most(self, other: Form) -> bool:
        return self.n <= other.n and self.m <= other.m and self.c <= other.c

    def join(self, other: Form) -> Form:
        return Form(max(self.n, other.n), max(self.m, other.m), max(self.c, other.c))

    def at(self, n: int, m: int) -> int:
        return self.n * n + self.m * m + self.c

    def __str__(self) -> str:
        parts = [f"{k} * {p}" if k > 1 else p for k, p in ((self.n, "n"), (self.m, "m")) if k]
        if self.c > 0 or not parts:
            return " + ".join([*parts, str(self.c)])
        return " + ".join(parts) + (f" - {-self.c}" if self.c else "")


@dataclass
class Array:
    """`local` arrays have their extents from the start, those of arguments grow with their use.
    `low` and `high`: what its cells hold."""

    name: str
    type: CType
    extents: list[Form]
    local: bool
    low: float
    high: float

    def declared(self) -> str:
        return f"{self.type.name} {self.name}" + "".join(f"[{e}]" for e in self.extents)


@dataclass(frozen=True)
class Counter:
    """An iterator: its least value, and a form that it never exceeds."""

    name: str
    type: CType
    low: int
    high: Form

    @property
    def value(self) -> Value:
        return Value(self.name, self.type, self.low, self.high.at(LARGEST, LARGEST))


# -- the parts of a program ----------------------------------------------------------------


@dataclass(frozen=True)
class Line:
    text: str
    defines: str | None = None


@dataclass(frozen=True)
class Block:
    """A loop, or a guard (with what runs otherwise). `defines`: the local array that it fills."""

    head: str
    body: tuple[Part, ...]
    otherwise: tuple[Part, ...] = ()
    defines: str | None = None


Part = Line | Block


@dataclass(frozen=True)
class CProgram:
    """A C function `f` and what it is called with: its parameters' types, its arrays in order."""

    parameters: tuple[tuple[str, CType], ...]
    arrays: tuple[Array, ...]
    locals: tuple[str, ...]
    parts: tuple[Part, ...]

    def text(self, name: str = "f") -> str:
        body = list(_lines(self.parts, 1))
        used = set(re.findall(r"\w+", " ".join(body)))
        given = [f"{t.name} {p}" for p, t in self.parameters]
        given += [a.declared() for a in self.arrays]
        kept = [d for d in self.locals if re.findall(r"\w+", d.partition("[")[0])[-1] in used]
        own = [f"  {d};" for d in kept]
        return "\n".join([f"void {name}({', '.join(given)}) {{", *own, *body, "}"]) + "\n"

    def memory(self, n: int, m: int, seed: int) -> dict[str, np.ndarray]:
        """What the arrays hold before a call: any values of their ranges, and special ones."""
        generator = np.random.default_rng(seed)
        return {a.name: _drawn(generator, a, [e.at(n, m) for e in a.extents]) for a in self.arrays}


def _drawn(generator: np.random.Generator, a: Array, shape: list[int]) -> np.ndarray:
    if a.type.is_float:
        special = SPECIAL if a.high == inf else TAME
        drawn = generator.uniform(-100, 100, shape)
        drawn = np.where(generator.random(shape) < 0.4, generator.choice(special, shape), drawn)
        with np.errstate(over="ignore"):
            return np.ascontiguousarray(drawn.astype(a.type.dtype))
    low, high = int(a.low), int(a.high)
    drawn = generator.integers(low, high, shape, dtype=a.type.dtype, endpoint=True)
    ends = np.array([low, high, min(high, 1), min(high, 3), max(high - 5, low)], a.type.dtype)
    small = generator.integers(max(low, -3), min(high, 9), shape).astype(a.type.dtype)
    drawn = np.where(generator.random(shape) < 0.3, small, drawn)
    if high > INDEX:
        drawn = np.where(generator.random(shape) < 0.2, generator.choice(ends, shape), drawn)
    return np.ascontiguousarray(drawn)


def _lines(parts: tuple[Part, ...], depth: int) -> Iterator[str]:
    pad = "  " * depth
    for p in parts:
        if isinstance(p, Line):
            yield pad + p.text
            continue
        yield f"{pad}{p.head} {{"
        yield from _lines(p.body, depth + 1)
        if p.otherwise:
            yield f"{pad}}} else {{"
            yield from _lines(p.otherwise, depth + 1)
        yield pad + "}"


def smaller(program: CProgram) -> Iterator[CProgram]:
    """The programs with one part less, as far as no local is read that nothing fills."""
    for parts, gone in _without(program.parts):
        candidate = replace(program, parts=parts)
        words = set(re.findall(r"\w+", "\n".join(_lines(parts, 0))))
        if not any(name in words for name in gone):
            yield candidate


def _without(parts: tuple[Part, ...]) -> Iterator[tuple[tuple[Part, ...], set[str]]]:
    for k, p in enumerate(parts):
        before, after = parts[:k], parts[k + 1 :]
        yield (*before, *after), _defined(p)
        if isinstance(p, Block) and p.defines is None:  # what fills a local stays whole
            for body, gone in _without(p.body):
                if body:
                    yield (*before, replace(p, body=body), *after), gone
            for otherwise, gone in _without(p.otherwise):
                yield (*before, replace(p, otherwise=otherwise), *after), gone


def _defined(p: Part) -> set[str]:
    found = {p.defines} if p.defines else set()
    if isinstance(p, Block):
        found |= {name for q in (*p.body, *p.otherwise) for name in _defined(q)}
    return found
