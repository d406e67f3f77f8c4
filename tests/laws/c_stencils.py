"""Random programs in C as textbooks have them: rectangles, triangles, stencils and sums over two or
three loops. In those of `c_writer` hardly ever can a band be tiled, or an array contracted."""

from random import Random

from c_programs import INDEX, Array, Block, Counter, CProgram, Form, Part
from c_values import DOUBLE, FLOAT, INT, LONG, SHORT, CType
from c_writer import Here, _plus, _Writer

TYPES = [DOUBLE, DOUBLE, DOUBLE, FLOAT, INT, LONG, SHORT]


def stencil_program(seed: int) -> CProgram:
    """A program; the same one for the same seed."""
    return _Stencils(Random(seed)).program()


class _Stencils(_Writer):
    def __init__(self, random: Random) -> None:
        super().__init__(random)
        self.parameters = {"n": INT, **({"m": INT} if len(self.parameters) == 2 else {})}

    def argument(self, name: str, t: CType | None, dims: int | None) -> Array:
        return super().argument(
            name, t or self.random.choice(TYPES), dims or self.random.choice([1, 2, 2, 2])
        )

    def local(self, name: str) -> Array:
        t, dims = self.random.choice(TYPES), self.random.choice([1, 2, 2])
        other = Form(0, 1, INDEX) if "m" in self.parameters else Form(1, 0, INDEX)
        low, high = (-999, 999) if t.signed and not t.is_float else (t.low, t.high)
        found = Array(name, t, [Form(1, 0, INDEX), other][:dims], True, low, high)
        self.locals.append(found.declared())
        return found

    def body(self, here: Here, target: Array) -> list[Part]:
        kind = self.random.random()
        if kind < 0.2 and len(here.loops) < 3:
            return self.reduction(here, target)
        if kind < 0.35:
            return self.through_scalar(here, target, self.cell(here, target))
        if kind < 0.45:
            found = (self.statement(here, target),)
            return [Block(f"if ({self.affine_condition(here)})", found)]
        return [self.statement(here, target) for _ in range(self.random.choice([1, 1, 2]))]

    def loop(self, here: Here) -> tuple[str, Counter]:
        name, low = self.fresh("i"), self.random.choice([0, 0, 0, 1])
        p = self.random.choice(list(self.parameters))
        shift = self.random.choice([0, 0, 1, 2])
        high, text = Form(p == "n", p == "m", shift), _plus(p, shift)
        if here.loops and self.chance(0.15):
            high, text = here.loops[-1].high + Form(0, 0, 1), _plus(here.loops[-1].name, 1)
        head = f"for (int {name} = {low}; {name} < {text}; {name}++)"
        if self.chance(0.1):
            head = f"for (int {name} = {text} - 1; {name} >= {low}; {name}--)"
        return head, Counter(name, INT, low, high + Form(0, 0, -1))

    def index_of(self, here: Here, k: int) -> tuple[str, Form]:
        if not here.loops or self.chance(0.03):
            c = self.random.randint(0, INDEX - 1)
            return str(c), Form(0, 0, c)
        c = here.loops[min(k, len(here.loops) - 1)]
        if self.chance(0.1):
            c = self.random.choice(here.loops)
        by = self.random.choice([0, 0, 0, 1, 2, -c.low])
        return _plus(c.name, by) if by >= 0 else f"{c.name} - {-by}", c.high + Form(0, 0, by)
