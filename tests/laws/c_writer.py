"""The generator of random programs in C, for comparison with gcc.

Another one than `random_scops`, on purpose: it writes C, with all of its arithmetic types,
iterators and parameters of several types that are used as values, casts, guards (affine ones and
such that data decides), strides, loops that count down, triangular and shifted bounds, subscripts
that data decides, local arrays, scalars and reductions. What it writes is well defined: values are
kept in range (`c_values`), locals are filled before they are read, and every subscript is known to
lie between 0 and an affine form of the parameters, which becomes the extent.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import inf
from random import Random

from c_programs import INDEX, LARGEST, Array, Block, Counter, CProgram, Form, Line, Part
from c_values import (
    DOUBLE,
    FLOAT,
    INT,
    LONG,
    SHORT,
    TYPES,
    UCHAR,
    UINT,
    ULONG,
    CType,
    Value,
    arithmetic,
    as_integer,
    bitwise,
    cast,
    chosen,
    converted,
    negated,
    number,
    promoted,
    quotient,
    real,
    reduced,
    shifted,
)

LIMITS = (255, 65535, 2147483647, -2147483647, 2147483648, 4294967295)
"""What fits a type, and does not fit another one."""


def random_c_program(seed: int) -> CProgram:
    """A program; the same one for the same seed."""
    return _Writer(Random(seed)).program()


@dataclass
class Here:
    """Where something is written: the loops around it, the locals that can be read."""

    loops: tuple[Counter, ...] = ()
    ready: set[str] = field(default_factory=set)
    scalars: dict[str, Value] = field(default_factory=dict)

    def inside(self, *loops: Counter) -> Here:
        return Here((*self.loops, *loops), set(self.ready), dict(self.scalars))


class _Writer:
    def __init__(self, random: Random) -> None:
        self.random = random
        self.names = 0
        self.statements = 0
        types = [INT, INT, INT, LONG, SHORT, UINT]
        self.parameters = {"n": random.choice(types)}
        if random.random() < 0.5:
            self.parameters["m"] = random.choice(types)
        self.arrays: dict[str, Array] = {}
        self.locals: list[str] = []
        self.index = self.argument("at", random.choice([INT, INT, UCHAR, LONG, UINT]), 1)
        self.index.low, self.index.high = 0, INDEX - 1
        self.inputs = [self.argument(f"a{k}", None, None) for k in range(random.randint(1, 3))]
        self.outputs = [self.argument(f"o{k}", None, None) for k in range(random.randint(1, 2))]
        for a in self.outputs:
            a.low, a.high = a.type.low, a.type.high
        self.temporaries = [self.local(f"t{k}") for k in range(random.randint(1, 2))]

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def fresh(self, kind: str) -> str:
        self.names += 1
        return f"{kind}{self.names}"

    def argument(self, name: str, t: CType | None, dims: int | None) -> Array:
        t = t or self.random.choice([*TYPES, FLOAT, DOUBLE, DOUBLE, INT, UINT])
        dims = dims or self.random.choice([1, 1, 1, 2, 2, 3])
        low, high = t.low, t.high
        if t.is_float and self.chance(0.6):
            low, high = -100, 100
        elif t.bits >= 32 and not t.is_float and t.signed and self.chance(0.5):
            low, high = -9, 9
        found = Array(name, t, [Form(0, 0, INDEX)] * dims, False, low, high)
        self.arrays[name] = found
        return found

    def local(self, name: str) -> Array:
        t = self.random.choice([*TYPES, DOUBLE, DOUBLE, FLOAT, INT])
        dims = self.random.choice([1, 1, 1, 2])
        extents = [
            self.random.choice([Form(1, 0, 6), Form(1, 0, 6), Form(0, 0, 7)]) for _ in " " * dims
        ]
        if "m" in self.parameters and self.chance(0.4):
            extents[-1] = self.random.choice([Form(0, 1, 6), Form(1, 1, 8)])
        low, high = t.low, t.high
        if t.signed and not t.is_float and t.bits > 8 and self.chance(0.6):
            low, high = -999, 999
        found = Array(name, t, extents, True, low, high)
        self.locals.append(found.declared())
        return found

    # -- the program ---------------------------------------------------------------------

    def program(self) -> CProgram:
        here = Here()
        parts: list[Part] = []
        for t in self.temporaries:
            parts += self.outer(here, t) if self.chance(0.25) else self.fill(here, t)
            if self.chance(0.4):
                parts += self.nest(here)
        for o in self.outputs:
            parts += self.nest(here, o)
        if self.chance(0.4):
            parts += self.nest(here)
        arrays = tuple(self.arrays.values())
        return CProgram(tuple(self.parameters.items()), arrays, tuple(self.locals), tuple(parts))

    def outer(self, here: Here, t: Array) -> list[Part]:
        """A loop in which a local is filled, and used, again and again."""
        head, counter = self.loop(here)
        inside = here.inside(counter)
        body = self.fill(inside, t)
        body += self.nest(inside, self.random.choice(self.outputs))
        return [Block(head, tuple(body))]

    def fill(self, here: Here, t: Array) -> list[Part]:
        """Loops that write every cell of a local."""
        inside, heads, subscripts = here, [], []
        for e in t.extents:
            name, kind = self.fresh("k"), self.random.choice([INT, INT, LONG, UINT, SHORT])
            counter = Counter(name, kind, 0, e + Form(0, 0, -1))
            up = f"for ({kind.name} {name} = 0; {name} < {e}; {name}++)"
            down = f"for ({kind.name} {name} = {counter.high}; {name} >= 0; {name}--)"
            turned = self.chance(0.15) and kind.signed
            heads.append(down if turned else up)
            inside = inside.inside(counter)
            subscripts.append(f"[{name}]")
        if len(heads) > 1 and self.chance(0.2):
            heads.reverse()
        cell = t.name + "".join(subscripts)
        body: list[Part] = [self.assigned(inside, t, cell)]
        if self.chance(0.25):
            other = self.assigned(inside, t, cell)
            body = [Block(f"if ({self.condition(inside)})", tuple(body), (other,))]
        elif self.chance(0.2):
            body += self.through_scalar(inside, t, cell)
        for head in reversed(heads):
            body = [Block(head, tuple(body))]
        here.ready.add(t.name)
        return [replace(body[0], defines=t.name)] if isinstance(body[0], Block) else body

    def nest(self, here: Here, target: Array | None = None) -> list[Part]:
        """Loops around statements that write an argument, or a local that is filled already."""
        ready = [t for t in self.temporaries if t.name in here.ready]
        target = target or self.random.choice([*self.outputs, *ready])
        wanted = min(max(len(target.extents), 1), 3) - len(here.loops)
        if len(here.loops) < 3 and (wanted <= 0 or self.chance(0.15)):
            wanted = max(wanted, 0) + 1
        inside, heads = here, []
        for _ in range(max(min(wanted, 3 - len(here.loops)), 0)):
            head, counter = self.loop(inside)
            heads.append(head)
            inside = inside.inside(counter)
        body = self.body(inside, target)
        for head in reversed(heads):
            body = [Block(head, tuple(body))]
        return body

    def body(self, here: Here, target: Array) -> list[Part]:
        kind = self.random.random()
        if kind < 0.2 and len(here.loops) < 3:
            return self.reduction(here, target)
        if kind < 0.4:
            return self.through_scalar(here, target, self.cell(here, target))
        found: list[Part] = [self.statement(here, target)]
        if self.chance(0.3):
            found.append(self.statement(here, self.random.choice([target, *self.outputs])))
        if self.chance(0.35):
            other = (self.statement(here, target),) if self.chance(0.5) else ()
            return [Block(f"if ({self.condition(here)})", tuple(found), other)]
        return found

    def reduction(self, here: Here, target: Array) -> list[Part]:
        t = self.random.choice([DOUBLE, FLOAT, LONG, UINT, INT, UCHAR])
        s = self.fresh("s")
        self.locals.append(f"{t.name} {s}")
        head, counter = self.loop(here)
        inside = here.inside(counter)
        term = self.expression(inside, 1)
        if t.is_float or not t.signed:
            term = term if t.is_float else self.integer(term)
            step = f"{s} {self.random.choice(['+=', '+=', '-=', '*='])} {term.text};"
        else:  # a signed sum could overflow
            step = f"{s} = ({s} + {reduced(self.integer(term)).text}) % 1000;"
        wide = Value(s, t, t.low, t.high) if t.is_float or not t.signed else Value(s, t, -999, 999)
        here.scalars[s] = wide
        start = self.random.choice(["0", "1"])
        if "-=" in step:  # 0.0 - x of an integer x that is 0 is -0.0 in gcc 12's kernels
            start = "1"
        first = Line(f"{s} = {start};", defines=s)
        last = self.assigned(here, target, self.cell(here, target), wide)
        return [first, Block(head, (Line(step),)), last]

    def through_scalar(self, here: Here, target: Array, cell: str) -> list[Part]:
        """A scalar gets a value, which statements after it use."""
        t, s = self.random.choice([*TYPES, DOUBLE, INT]), self.fresh("s")
        inside = here.inside()
        value = self.stored(self.expression(here, 2), t, t.low, t.high)
        if self.chance(0.5):
            first = Line(f"{t.name} {s} = {value.text};", defines=s)
        else:
            self.locals.append(f"{t.name} {s}")
            first = Line(f"{s} = {value.text};", defines=s)
        inside.scalars[s] = Value(s, t, *((t.low, t.high) if t.is_float else self.ends(value, t)))
        used = self.use(inside, inside.scalars[s])
        return [first, self.assigned(inside, target, cell, used)]

    def ends(self, v: Value, t: CType) -> tuple[float, float]:
        found = converted(v, t)
        return found.low, found.high

    # -- loops and conditions --------------------------------------------------------------

    def loop(self, here: Here) -> tuple[str, Counter]:
        """A loop's head, and what its iterator can be."""
        t = self.random.choice([INT, INT, INT, INT, LONG, UINT, SHORT, ULONG])
        name = self.fresh("i")
        low = self.random.choice([0, 0, 0, 1, 2, 3, -2]) if t.signed else self.random.randint(0, 2)
        low_text = str(low)
        shift = self.random.choice([0, 0, 0, 1, 2])
        p = self.random.choice(list(self.parameters))
        high = Form(p == "n", p == "m", shift)
        high_text = _plus(p, shift)
        unsigned = not self.parameters[p].signed  # what counts down from 0u - 1 takes long
        kind = self.random.random()
        if here.loops and kind < 0.3:  # triangular
            outer = self.random.choice(here.loops)
            if kind < 0.15 or outer.low < 0:
                shift = max(shift, -outer.low)
                high, high_text = outer.high + Form(0, 0, shift), _plus(outer.name, shift)
            else:
                low, low_text = outer.low, outer.name
            unsigned = unsigned or not outer.type.signed
        elif kind < 0.4:
            high, high_text = Form(0, 0, shift + 4), str(shift + 4)
        elif kind < 0.48 and len(self.parameters) == 2:
            high, high_text = Form(1, 0, 0), self.random.choice(["(n < m ? n : m)", "(n + m) / 2"])
            high = Form(1, 1, 0)
        elif kind < 0.55:
            high, high_text = Form(1, 0, 0), "n / 2"
        # iterator < high, so at most high - 1
        most = high + Form(0, 0, -1)
        step = self.random.choice(["", "", "", "", "2", "3"])
        if t.signed and self.chance(0.2):
            down = f"{name} -= {step}" if step else f"{name}--"
            head = f"for ({t.name} {name} = {high_text} - 1; {name} >= {low_text}; {down})"
            if unsigned or UINT in self.parameters.values():
                head = f"for ({t.name} {name} = {high.c + 3}; {name} >= {low}; {down})"
                most = Form(0, 0, high.c + 3)
            return head, Counter(name, t, low, most)
        up = f"{name} += {step}" if step else f"{name}++"
        last = f"{name} < {high_text}"
        if self.chance(0.2):
            last, most = f"{name} <= {high_text}", high
        elif self.chance(0.1):
            last += f" && {name} < {self.random.randint(3, 6)}"
        return f"for ({t.name} {name} = {low_text}; {last}; {up})", Counter(name, t, low, most)

    def condition(self, here: Here) -> str:
        if self.chance(0.45):
            return self.comparison(here, self.expression(here, 1), self.expression(here, 1))
        first = self.affine_condition(here)
        if self.chance(0.25):
            other = self.affine_condition(here)
            return f"{first} {self.random.choice(['&&', '||'])} {other}"
        return f"!({first})" if self.chance(0.1) else first

    def comparison(self, here: Here, a: Value, b: Value) -> str:
        return f"{a.text} {self.random.choice(['<', '<=', '>', '>=', '==', '!='])} {b.text}"

    def affine_condition(self, here: Here) -> str:
        counts = [c.name for c in here.loops] + list(self.parameters)
        a, b = self.random.choice(counts[: len(here.loops)] or counts), self.random.choice(counts)
        c, k = self.random.randint(0, 4), self.random.choice([2, 3])
        return self.random.choice(
            [
                f"{a} < {b}",
                f"{a} == {c}",
                f"{a} != {c}",
                f"{a} >= {c}",
                f"{a} + {b} <= {c + 5}",
                f"{a} % {k} == {c % k}",
                f"{a} % {k} != 1",
                f"({a} + {b}) % 2 == 0",
                f"{a} / 2 < {c}",
                f"{a} - {c} < {b}",
                f"2 * {a} > {b} + {c}",
                f"{a} > {c} - {b}",
                f"{a} < {c}u",
            ]
        )

    # -- statements ------------------------------------------------------------------------

    def statement(self, here: Here, target: Array) -> Part:
        cell = self.cell(here, target)
        if self.chance(0.2):
            return self.updated(here, target, cell)
        return self.assigned(here, target, cell)

    def updated(self, here: Here, target: Array, cell: str) -> Part:
        """`cell op= value`, where that cannot overflow."""
        value = self.expression(here, 1)
        if target.type.is_float:
            return Line(f"{cell} {self.random.choice(['+=', '-=', '*='])} {value.text};")
        value = self.integer(value)
        if promoted(target.type).signed:
            return Line(f"{cell} {self.random.choice(['^=', '&=', '|='])} {reduced(value).text};"
                        if target.low == target.type.low
                        else f"{cell} = ({cell} + {reduced(value).text}) % 1000;")  # fmt: skip
        op = self.random.choice(["+=", "-=", "*=", "^=", "|="])
        return Line(f"{cell} {op} {value.text if value.type.rank <= 4 else reduced(value).text};")

    def assigned(self, here: Here, target: Array, cell: str, value: Value | None = None) -> Part:
        value = value or self.expression(here, 2)
        value = self.stored(value, target.type, target.low, target.high)
        text = value.text
        if text.startswith("(") and _closes(text) and self.chance(0.8):
            text = text[1:-1]
        self.statements += 1
        return Line(f"{cell} = {text};")

    def stored(self, v: Value, t: CType, low: float, high: float) -> Value:
        """A value that may be stored in a cell of this type and range."""
        if t.is_float:
            return v
        if v.type.is_float:
            v = as_integer(v, t)
            if (low, high) != (t.low, t.high) and not v.within(low, high):
                v = reduced(cast(v, LONG))
            return v
        found = converted(v, t)
        return v if found.within(low, high) else reduced(v)

    def cell(self, here: Here, a: Array) -> str:
        return a.name + "".join(f"[{self.subscript(here, a, k)}]" for k in range(len(a.extents)))

    def subscript(self, here: Here, a: Array, k: int) -> str:
        """Between 0 and the extent of a local, or what an argument's extent becomes."""
        for _ in range(6):
            text, most = self.index_of(here, k)
            if not a.local:
                a.extents[k] = a.extents[k].join(most + Form(0, 0, 1))
                return text
            if (most + Form(0, 0, 1)).at_most(a.extents[k]):
                return text
        return str(self.random.randint(0, INDEX - 1))

    def index_of(self, here: Here, k: int) -> tuple[str, Form]:
        if not here.loops or self.chance(0.06):
            c = self.random.randint(0, INDEX - 1)
            return str(c), Form(0, 0, c)
        loops = here.loops
        c = loops[min(k, len(loops) - 1)] if self.chance(0.8) else self.random.choice(loops)
        up, kind = max(-c.low, 0), self.random.random()
        shifted_by = _plus(c.name, up)
        base = c.high + Form(0, 0, up)
        if kind < 0.45:
            return shifted_by, base
        if kind < 0.7:
            by = self.random.randint(-c.low, 3)
            text = f"{c.name} {'+' if by > 0 else '-'} {abs(by)}" if by else c.name
            return text, c.high + Form(0, 0, by)
        if kind < 0.76:
            return (
                f"{c.high} - {c.name}" if c.low >= 0 else shifted_by,
                c.high if c.low >= 0 else base,
            )
        if kind < 0.8:
            odd = self.random.choice([0, 1])
            return _plus(f"2 * ({shifted_by})", odd), base + base + Form(0, 0, odd)
        if kind < 0.84:
            return f"({shifted_by}) / 2", base
        if kind < 0.86:
            return f"({shifted_by}) % 3", Form(0, 0, 2)
        if kind < 0.87:
            return f"(unsigned char) ({c.name} - 1) % {INDEX}", Form(0, 0, INDEX - 1)
        if kind < 0.88:
            return f"({c.name} < {self.random.choice(loops).name})", Form(0, 0, 1)
        other = self.random.choice(loops)
        if kind < 0.92 and other.low + c.low >= 0:
            return f"{c.name} + {other.name}", c.high + other.high
        inner = self.cell_of_index(here)
        return (inner, Form(0, 0, INDEX - 1)) if self.chance(0.7) else (
            f"{inner} + {shifted_by}", base + Form(0, 0, INDEX - 1))  # fmt: skip

    def cell_of_index(self, here: Here) -> str:
        c = self.random.choice(here.loops)
        up = self.random.randint(max(-c.low, 0), 3)
        most = c.high + Form(0, 0, up)
        self.index.extents[0] = self.index.extents[0].join(most + Form(0, 0, 1))
        return f"at[{_plus(c.name, up)}]"

    # -- expressions -----------------------------------------------------------------------

    def integer(self, v: Value) -> Value:
        return cast(v, self.random.choice([INT, LONG])) if v.type.is_float else v

    def operand(self, here: Here) -> Value:
        kind = self.random.random()
        if kind < 0.62:
            return self.read(here)
        if kind < 0.72 and here.scalars:
            return self.random.choice(list(here.scalars.values()))
        if kind < 0.9:
            counts = [c.value for c in here.loops]
            counts += [Value(p, t, 0, LARGEST) for p, t in self.parameters.items()]
            return self.random.choice(counts)
        if kind < 0.95:
            return number(
                self.random.choice([0, 1, 2, 3, 7, 100, *LIMITS]),
                self.random.choice(["", "", "u", "L", "UL"]),
            )
        return real(self.random.choice(["0.5", "2.0f", "1.5", "0.1f", "3.0"]))

    def read(self, here: Here) -> Value:
        ready = [t for t in self.temporaries if t.name in here.ready]
        sources = ready if ready and self.chance(0.6) else [*self.inputs, *self.outputs]
        a = self.random.choice(sources)
        return Value(self.cell(here, a), a.type, a.low, a.high)

    def expression(self, here: Here, depth: int) -> Value:
        if depth == 0 or self.chance(0.15):
            return self.operand(here)
        return self.use(here, self.expression(here, depth - 1))

    def use(self, here: Here, a: Value) -> Value:
        """A value made of another one."""
        kind, random = self.random.random(), self.random
        if kind < 0.45:
            return arithmetic(random.choice(["+", "-", "+", "*"]), a, self.operand(here))
        if kind < 0.55:
            return cast(a, random.choice(TYPES))
        if kind < 0.65:
            return self.divided(here, a)
        if kind < 0.75:
            other = self.operand(here)
            if self.chance(0.5):  # a minimum, or a maximum
                return chosen(f"{a.text} {random.choice('<>')} {other.text}", a, other)
            return chosen(self.condition(here), a, other)
        if kind < 0.82:
            return bitwise(random.choice("&|^"), self.integer(a), self.integer(self.operand(here)))
        if kind < 0.87:
            return shifted(random, self.integer(a))
        if kind < 0.92:
            return negated(a)
        if kind < 0.96:
            return Value(f"({self.comparison(here, a, self.operand(here))})", INT, 0, 1)
        call = random.choice(["fabs", "sqrt", "floor", "ceil"])
        return Value(f"{call}({a.text})", DOUBLE, -inf, inf)

    def divided(self, here: Here, a: Value) -> Value:
        if a.type.is_float:
            return Value(f"({a.text} / {self.operand(here).text})", *self.of_quotient(a))
        if self.chance(0.1):
            by = self.random.choice([real("2.0f"), real("2.0")])
            return Value(f"({a.text} / {by.text})", by.type, -inf, inf)
        op = self.random.choice("/%")
        if self.chance(0.25):
            other = reduced(self.integer(self.operand(here)))
            by = Value(f"({other.text} | 1)", promoted(other.type), other.type.low, other.type.high)
            wide = promoted(other.type)
            return quotient(op, a, replace(by, low=wide.low, high=wide.high))
        return quotient(op, a, number(self.random.choice([2, 3, 5, -2, -3]), self.random.choice(
            ["", "", "L"])) if self.chance(0.8) else number(3, "u"))  # fmt: skip

    def of_quotient(self, a: Value) -> tuple[CType, float, float]:
        return DOUBLE, -inf, inf


def _plus(name: str, shift: int) -> str:
    return f"{name} + {shift}" if shift else name


def _closes(text: str) -> bool:
    """Whether the first bracket is closed by the last."""
    depth = 0
    for k, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        if depth == 0:
            return k == len(text) - 1
    return False
