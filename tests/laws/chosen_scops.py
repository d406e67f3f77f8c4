"""Random programs that fill tables, and read what data chooses of them, for the property tests.

A table is filled as a whole or almost (with holes, strides, backwards, twice, in pieces, under
conditions, in the loop of its reads), by expressions of its iterators; what fills it may be
overwritten, and its reads are anywhere. Subscripts that data decides are in bounds.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random

import numpy as np

from polynb.scop.model import Scop
from polynb.scop.sizes import extents_at

TYPES = ("double", "double", "float", "float", "int32", "uint8", "int16", "int64")
PLANES = 48  # of the inputs
BEYOND = 30  # how much further than N they go


@dataclass(frozen=True)
class Table:
    """A table with so many `planes` (0: N + 1), of rows if it has any: `order` says which subscript
    is which, "cx", "xc", "c", "cdx" (`second` planes in the other direction)."""

    name: str
    order: str
    planes: int
    second: int = 1

    def at(self, **subscripts: str) -> str:
        return self.name + "".join(f"[{subscripts[k]}]" for k in self.order)


def chosen_program(seed: int) -> str:
    """The text of a program; the same one for the same seed."""
    return _Writer(Random(seed)).program()


def content(scop: Scop, n: int, seed: int) -> dict[str, np.ndarray]:
    """What is in the arrays at first, for N = n: the same for the same seed, also of what a pass
    makes of the program."""
    made = {}
    for a in scop.arrays.values():
        if a.live_in or a.role in ("input", "inout"):
            numbers = np.random.default_rng([seed, *a.name.encode()])
            low, high = {"k": (-3, 12), "f": (-3, 11), "l": (0, 12), "u": (0, 12)}.get(
                a.name, (0, 9)
            )
            shape = extents_at(a, {"N": n})
            drawn = numbers.uniform if a.type.is_float else numbers.integers
            made[a.name] = np.asarray(drawn(low, high, shape)).astype(a.type.dtype)
    return made


class _Writer:
    def __init__(self, random: Random) -> None:
        self.random = random
        self.tables: list[Table] = []
        self.overwritten = random.random() < 0.25
        self.kinds = {n: random.choice(TYPES) for n in ("A", "V", "w")}
        self.declared: list[str] = []
        self.lines: list[str] = []
        self.lets = 0

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def program(self) -> str:
        for k in range(self.random.choice([1, 1, 1, 2, 2, 3])):
            self.table(f"t{k}")
            if self.overwritten and self.chance(0.5):
                self.overwrite()
            if self.chance(0.3):
                self.reads(f"b{k}")
        self.reads("o")
        if self.chance(0.15):
            self.overwrite()
        role = "inout" if self.overwritten else "input"
        a, v, w = (self.kinds[n] for n in "AVw")
        return "\n".join(
            [
                f"param N; assume N >= {self.random.choice([1, 2, 3])};",
                f"{role} {a} A[{PLANES}][N+{BEYOND}]; {role} {v} V[N+{BEYOND}]; input {w} w;",
                f"input int32 k[N+{BEYOND}], l[N+{BEYOND}]; input uint8 u[N+{BEYOND}];",
                f"input float f[N+{BEYOND}];",
                *self.declared,
                *self.lines,
            ]
        )

    # -- filling -----------------------------------------------------------------------

    def table(self, name: str) -> None:
        random = self.random
        order = random.choice(["cx", "cx", "cx", "xc", "c", "cdx", "cd", "cxd"])
        planes = random.randint(1, 8) if self.chance(0.85) else 0
        t = Table(name, order, planes, random.randint(1, 3) if "d" in order else 1)
        extents = {
            "c": str(planes + self.chance(0.06)) if planes else "N+1",
            "d": str(t.second),
            "x": "N+3",
        }
        role = "inout" if self.chance(0.1) else "output" if self.chance(0.05) else "temp"
        if role == "inout":
            self.tables.append(t)  # what it holds before may be read
        kind = random.choice(TYPES)
        self.declared.append(f"{role} {kind} {name}{''.join(f'[{extents[k]}]' for k in order)};")
        if self.chance(0.1):  # something was there before
            self.fill(t, "0", "whole")
        if self.chance(0.2):
            self.together(t)
        else:
            self.fill(t, None)
        if t not in self.tables:
            self.tables.append(t)
        if self.chance(0.12):
            x = random.choice(["N+2", "N+2", "0", "N"])
            one = f"{t.at(c='0', d='0', x=x)} = 7;"
            by_data = [f"if u[0] > 5 then {one} fi", f"{t.at(c='k[0] & 0', d='0', x=x)} = 7;"]
            self.lines.append(random.choice([one, *by_data]))

    def fill(self, t: Table, value: str | None, way: str | None = None) -> None:
        """The loops that fill a table."""
        inner = []
        if "x" in t.order:
            inner.append("for x = 0 to N+2 do")
        if "d" in t.order:
            inner.append(f"for d = 0 to {t.second - 1} do")
        self.random.shuffle(inner)
        if "x" in t.order and way is None and self.chance(0.08):
            self.skewed(t)
            return
        loop, cell, end = self.planes(t, way)
        first = self.chance(0.6)
        done = " done" * len(inner) + end if first else end + " done" * len(inner)
        loops = f"{loop} {' '.join(inner)}" if first else f"{' '.join(inner)} {loop}"
        self.lines += [loops, *self.stores(t, cell, value), done]

    def skewed(self, t: Table) -> None:
        """Each plane is filled from another row on."""
        second = f"for d = 0 to {t.second - 1} do" if "d" in t.order else ""
        (one,) = self.stores(t, "c", re.sub(r"\bx\b", "(x + 8)", self.value(t)), "x + c")
        self.lines.append(
            f"for c = 0 to {t.planes - 1 if t.planes else 'N'} do {second} for x = -c to N+2-c do"
        )
        self.lines += [one, "done done" + " done" * bool(second)]

    def planes(self, t: Table, way: str | None = None) -> tuple[str, str, str]:
        """A loop of c that fills all planes of a table (or not), and the plane; how it ends."""
        p, random = t.planes, self.random
        if not p:
            down = "N to 0 by -1" if self.chance(0.3) else "0 to N"
            return f"for c = {down} do", "c", " done"
        ways = ["whole"] * 5 + ["backwards", "turned", "shifted", "stepped", "tiled", "clamped"]
        ways += ["wrapped", "twice", "holes", "skipping", "diagonal"]
        match way or random.choice(ways):
            case "backwards":
                return f"for c = {p - 1} to 0 by -1 do", "c", " done"
            case "turned":
                return f"for c = 0 to {p - 1} do", f"{p - 1} - c", " done"
            case "shifted":
                by = random.randint(1, 4)
                return f"for c = {by} to {p - 1 + by} do", f"c - {by}", " done"
            case "stepped":
                by = random.choice([2, 3])
                return f"for c = 0 to {by * p - 1} by {by} do", f"floord(c, {by})", " done"
            case "tiled":
                by = random.choice([1, 2, 4])
                outer = f"for e = 0 to {(p - 1) // by} do for c = 0 to {by - 1} do"
                return f"{outer} if {by}*e + c <= {p - 1} then", f"{by}*e + c", " fi done done"
            case "clamped":
                loop = f"for c = 0 to {p - 1 + random.randint(1, 3)} do"
                return loop, f"min(c, {p - 1})", " done"
            case "wrapped":
                return f"for c = 0 to {2 * p - 1} do", f"mod(c, {p})", " done"
            case "twice":
                return f"for e = 0 to 1 do for c = 0 to {p - 1} do", "c", " done done"
            case "holes":
                return f"for c = 0 to {p - 2} do", "c", " done"
            case "skipping":
                return f"for c = 0 to {p - 1} by 2 do", "c", " done"
            case "diagonal" if "x" in t.order:
                return f"for c = 0 to {p - 1} do", "c", " done"
        return f"for c = 0 to {p - 1} do", "c", " done"

    def stores(self, t: Table, plane: str, value: str | None, x: str = "x") -> list[str]:
        """What fills a cell of a table; who does may depend on where it is."""
        cell = t.at(c=plane, d="d", x=x)
        one = f"{cell} = {value or self.value(t)};"
        if value is not None or self.chance(0.8):
            return [one]
        rows = ["x == 0", "x <= 1", "mod(x, 2) == 0", "x < N"] if "x" in t.order else []
        where = self.random.choice(rows * 3 + ["c == 0", "c < 3"])
        other = f"{cell} = {self.value(t)};"
        if self.chance(0.15):
            where = self.random.choice([where, "u[c] > 1"])
            return [f"if {where} then {one} fi"]
        return [f"if {where} then {one} else {other} fi"]

    def together(self, t: Table) -> None:
        """A table that is filled in the loop of its reads: it, or a row of it."""
        loop, plane, end = self.planes(t)
        if "d" in t.order:
            loop, end = f"{loop} for d = 0 to {t.second - 1} do", " done" + end
        before = self.chance(0.4)  # read is what the iteration before has written
        name = f"r{t.name}"
        self.declared.append(f"output double {name}[N+3];")
        stores = self.stores(t, plane, None)
        scalar = []
        if self.chance(0.4):  # what each iteration has another value of
            self.declared.append(f"temp {self.random.choice(TYPES)} s{name};")
            scalar.append(f"s{name} = {self.operand('x')} + V[x];")
            stores = [line.replace(";", f" + s{name};") for line in stores]
        fill = [*scalar, loop, *stores, end]
        row = "x - 1" if before and "x" in t.order else "x"
        read = f"{name}[x] = {self.read(t, row)} + {self.operand('x')};"
        body = [f"if x >= 1 then {read} fi", *fill] if before else [*fill, read]
        self.lines += ["for x = 0 to N+2 do", *body, "done"]
        if "x" not in t.order and self.chance(0.5):
            self.overwrite()

    def value(self, t: Table) -> str:
        """What a cell of a table is filled with, in terms of c, d, and perhaps x."""
        rows = "x" in t.order
        parts = [self.part(rows, "d" in t.order) for _ in range(self.random.choice([1, 2, 2, 3]))]
        if self.tables and self.chance(0.3):
            parts.append(self.earlier("x" if rows else "c"))
        text = parts[0]
        for p in parts[1:]:
            text += f" {self.random.choice('++-*')} {p}"
        if self.chance(0.1):
            return f"max({text}, {parts[0]})"
        if self.chance(0.1):
            return f"({parts[0]} > 2 ? {text} : {self.part(rows, False)})"
        return text

    def part(self, rows: bool, second: bool) -> str:
        x = "x" if rows else self.random.choice(["0", "N", "2"])
        options = [
            *(f"A[c][{x}]", f"A[c][{x}+1]", f"A[c+2][{x}]", f"A[2*c][{x}]", "V[c]", f"V[{x}+c]"),
            *(f"A[c][{x}]", f"V[{x}]", "c", "2*c+1", f"c * {x}", "w", "1.5f", "3", "(c / 7.0f)"),
            *(
                f"A[l[{x}]][{x}]",
                f"V[k[{x}]+c+3]",
                "float(c)",
                "(c % 3)",
                "(c / 2)",
                "uint8(200*c)",
            ),
            *("(c <= 2 ? 1 : w)", "(1 << c)", f"A[{x} <= 1 ? c : 0][1]", "k[c]", "V[u[c]]"),
        ]
        if second:
            options += ["d", "A[c][d]", "V[c+d]", "A[d][c]"] * 4
        return self.random.choice(options)

    def earlier(self, row: str) -> str:
        return self.read(self.random.choice(self.tables), f"min({row}, N+2)", "0")

    # -- reading -----------------------------------------------------------------------

    def reads(self, name: str) -> None:
        random = self.random
        two = self.chance(0.2)
        self.declared.append(f"output {random.choice(TYPES)} {name}[N+3]{'[3]' if two else ''};")
        self.lines.append("for i = 0 to N do" + (" for j = 0 to 2 do" if two else ""))
        rows = ["i", "i", "i+1", "i+2", "N - i"] + (["i + j", "j"] if two else [])
        tables = [random.choice(self.tables[-2:]) for _ in range(random.choice([1, 1, 2, 3]))]
        parts = [self.read(t, random.choice(rows)) for t in tables]
        let = ""
        if self.chance(0.2):
            let = f"let v = {parts[0]}; "
            parts[0] = "v * v" if self.chance(0.5) else "v"
        text = parts[0]
        for p in parts[1:]:
            text += f" {random.choice('++-*')} {p}"
        if self.chance(0.3):
            text += f" * {self.operand('i')}"
        if self.chance(0.1):
            text = f"(u[i] > 2 ? {text} : {self.operand('i')})"
        store = f"{let}{name}[i]{'[j]' if two else ''} = {text};"
        if self.chance(0.1):
            store = f"if {random.choice(['i >= 1', 'mod(i, 2) == 0', 'u[i] > 1'])} then {store} fi"
        self.lines.append(store)
        if self.overwritten and self.chance(0.4):
            self.lines.append(self.random.choice(["A[1][i] = 2;", "A[0][i+1] = 2;", "V[i] = 2;"]))
        self.lines.append("done" + (" done" if two else ""))

    def operand(self, i: str) -> str:
        return self.random.choice([f"A[1][{i}]", f"V[{i}]", "w", "0.5", "2", i, f"u[{i}]"])

    def read(self, t: Table, row: str, i: str | None = None) -> str:
        """A read of a table; mostly, of a plane that data decides."""
        at = row if i is None else i
        known = str(self.random.randrange(t.planes)) if t.planes else "N"
        c = self.plane(t.planes, at) if self.chance(0.9) else known
        if self.chance(0.04):  # the table says where
            itself = t.at(c=c, d="0", x=row)
            c = f"min(max(int32({itself}), 0), {t.planes - 1 if t.planes else 0})"
        d = self.plane(t.second, at) if self.chance(0.6) else str(self.random.randrange(t.second))
        return t.at(c=c, d=d, x=row)

    def plane(self, p: int, i: str) -> str:
        """A subscript from 0 to p - 1 that data decides."""
        if not p:
            return self.random.choice(
                [f"min(max(k[{i}], 0), N)", f"u[{i}] % (N+1)", f"N - min(int32(u[{i}]), N)"]
            )
        some = [
            f"min(max(int32(f[{i}]), 0), {p - 1})",
            f"min(max(k[{i}], 0), {p - 1})",
            f"min(int32(u[{i}]), {p - 1})",
            f"u[{i}] % {p}",
            f"l[{i}] % {p}",
            f"{p - 1} - u[{i}] % {p}",
            f"min(l[min(u[{i}], 8)], {p - 1})",
            f"(f[{i}] > 2 ? 0 : {p - 1})",
            f"int64(u[{i}]) % {p}",
            f"uint8(200 + u[{i}]) % {p}",
        ]
        if p in (2, 4, 8):
            some += [f"k[{i}] & {p - 1}", f"u[{i}] & {p - 1}"]
        if p >= 3:
            some += [f"2 * min(u[{i}] % {p}, {(p - 2) // 2}) + 1", f"1 + l[{i}] % {p - 1}"] * 2
        if p >= 4:
            some += [f"(u[{i}] > 3) + 2 * (f[{i}] > 1)"]
        return self.random.choice(some)

    # -- in between --------------------------------------------------------------------

    def overwrite(self) -> None:
        if self.overwritten:
            cells = ["A[1][0]", f"A[{PLANES - 1}][0]", "V[1]", f"V[N+{BEYOND - 1}]"]
            some = [f"{cell} = 5;" for cell in cells]
            some += [f"for i = 0 to N do {x} = 4; done" for x in ("A[2][i]", "V[k[i] & 3]")]
            self.lines.append(self.random.choice(some))
