"""What instrumentation works with: static instructions, origins of values, a function's state."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from pycparser import c_ast, c_generator

from polynb.errors import PolynbError, Span
from polynb.source.c.read.grammar import Places
from polynb.tracing.instrument.certain import Certain, Left
from polynb.tracing.instrument.names import TypedNames
from polynb.tracing.instrument.pointed import Pointed
from polynb.tracing.records import InstructionKind

LONGEST: Final = 60
"""Characters of a text that stands for an instruction."""


@dataclass(frozen=True, eq=False)
class SourceLoop:
    """A loop of the text, or a function's entries (`recursion`), which count as one. What its
    iterations assign is `written`, but the variable that its head counts; it `begins` with
    another."""

    name: str
    iterator: str
    function: str
    line: int
    parent: str | None
    recursion: bool = False
    written: frozenset[str] = frozenset()
    begins: str = ""


@dataclass(frozen=True, eq=False, kw_only=True)
class Placed:
    """What runs at a place of a `function`, in `loops`, as `under` its conditions, each within how
    many loops anew; `order` is its place among the others of its function.

    For what a run may leave out: whether it is in an `arm` of an operator; the registers that it
    `writes`, and those that it reads and the same iteration of a loop (by its place) need not have
    written (`unsure`)."""

    span: Span
    function: str
    loops: tuple[SourceLoop, ...]
    recorded: bool
    order: int
    under: frozenset[tuple[int, int]]
    arm: bool
    writes: frozenset[str] = frozenset()
    unsure: frozenset[tuple[str, int]] = frozenset()


@dataclass(frozen=True, eq=False, kw_only=True)
class StaticInstruction(Placed):
    """An access, an operation or a move of the text; its stream in a context is `pn_s + number`.
    A condition `leaves` some of its `loops` (by their places there), or `ends` the program. The
    first `placed` of its operands make its address. An access is in a variable (`base`), and has
    something in common with others of the same `cell` in an iteration. What an operation gives
    may be `cut` to what it is assigned to, or be memory that the library `gives`."""

    number: int
    kind: InstructionKind
    text: str
    outputs: tuple[str, ...]
    size: int
    statement: int
    state: str
    element: str
    cut: bool
    gives: bool
    leaves: frozenset[int] = frozenset()
    ends: bool = False
    placed: int
    base: str
    cell: tuple[object, ...]


@dataclass(frozen=True, eq=False, kw_only=True)
class CallPlace(Placed):
    """A call in the text; `callee` is None where a pointer says what is called, one of the
    functions that it may lead to (`leads`)."""

    callee: str | None
    leads: frozenset[str]


@dataclass(frozen=True)
class Origin:
    """Where a value came from: instruction `number` in this iteration, or what the C variable
    `ref` says."""

    number: int | None = None
    ref: str | None = None


@dataclass(frozen=True, eq=False)
class Value:
    """An expression's C text with its events. `operands` are what the value is made of,
    `computes` whether an operator made it, `source` the one operand it is, if it is just that."""

    text: str
    operands: tuple[Origin, ...] = ()
    computes: bool = False
    source: Origin | None = None

    def also(self, *others: Value) -> tuple[Origin, ...]:
        """The operands of this value and of others, each once."""
        return tuple(dict.fromkeys(o for v in (self, *others) for o in v.operands))


@dataclass(frozen=True)
class Deciding:
    """What decides on the statements inside: the condition `number` (None: it asks for nothing but
    the iterators' bounds) of an `if`, a `switch` or a loop, within `depth` loops."""

    kind: Literal["if", "switch", "loop"]
    number: int | None
    depth: int


@dataclass(eq=False)
class Body:
    """The function that is being rewritten: what was found in it so far.

    `addressed` are the variables whose address is taken, `counting` the loops that have one of them
    for themselves (both by `id`). `refs` are the C variables of its registers and temporaries;
    `conditional` counts what may leave an operand out around, `arms` the operators among that,
    `calls` says whether the statement has calls, `unnamed_memory` declares what its lists without
    names are in. `loops` are those around. `recorded` is False outside the text's `#pragma scop`,
    where there is one. `asked` are the conditions around, outermost first, `skips` those around the
    jumps before; `labels` says of each within how many loops it stands. `unnamed` is what came for
    `...`. Of each variable in a register, `registers` has the name and within how many loops it is
    made; what the function assigns is `written`. `certain` is what is known of them where the text
    is, `lefts` the loops and `switch`es around.
    """

    name: str
    addressed: frozenset[int]
    result: Any
    counting: frozenset[int] = frozenset()
    loops: tuple[SourceLoop, ...] = ()
    refs: list[str] = field(default_factory=list)
    resets: list[str] = field(default_factory=list)
    conditional: int = 0
    calls: bool = False
    arms: int = 0
    statement: int = 0
    recorded: bool = True
    unnamed_memory: list[str] = field(default_factory=list)
    owners: dict[int, str] = field(default_factory=dict)
    asked: list[Deciding] = field(default_factory=list)
    skips: list[Deciding] = field(default_factory=list)
    labels: dict[str, int] = field(default_factory=dict)
    unnamed: tuple[Origin, ...] = ()
    registers: dict[str, tuple[str, int]] = field(default_factory=dict)
    written: frozenset[str] = frozenset()
    certain: Certain = field(default_factory=Certain)
    lefts: list[Left] = field(default_factory=list)

    def unsure(self, ref: str | None) -> frozenset[tuple[str, int]]:
        """A register that is read here, with the loops around (by their places) whose iterations
        may not have written it before."""
        if ref not in self.registers:
            return frozenset()
        name, depth = self.registers[ref]
        since = max(depth, self.certain.depths.get(ref, 0))
        return frozenset((ref, q) for q in range(since, len(self.loops)) if self._changes(name, q))

    def _changes(self, name: str, q: int) -> bool:
        anew = any(name == x.begins for x in self.loops[q + 1 :])
        return name in self.loops[q].written and not anew

    def register(self, name: str) -> str:
        """A new one, of a variable that is made here."""
        ref = self.new_ref(name)
        self.registers[ref] = name, len(self.loops)
        return ref

    def under(self) -> frozenset[tuple[int, int]]:
        """The conditions that decide on what is written next, and within how many loops anew: that
        of a loop, once for each time that the loop begins."""
        every = ((a.number, a.depth - (a.kind == "loop")) for a in (*self.asked, *self.skips))
        return frozenset((n, depth) for n, depth in every if n is not None)

    def new_ref(self, hint: str) -> str:
        name = f"pn_r{len(self.refs)}_{hint}"
        self.refs.append(name)
        return name


@dataclass(eq=False)
class TracedText:
    """The text that is being rewritten, and all that was found in it. `calls` are numbered from 1
    (0 is a call by the library); `components[f]` is the number of f's group of functions that call
    each other, `recursive` has those whose entries count as a loop. `lent`: pointers to functions
    of the library may be called (`lent_pure`: such as only compute); `states`: what of the
    library's own state is used. `ending`: the functions in whose calls the program may end; None
    stands for those that pointers reach, of which `pointed` says where they lead. `counting` are
    the instructions that only count a loop, and within how many loops nobody else sees that."""

    names: TypedNames
    places: Places
    components: dict[str, int]
    recursive: frozenset[int]
    instructions: list[StaticInstruction] = field(default_factory=list)
    calls: list[CallPlace] = field(default_factory=list)
    counting: dict[int, int] = field(default_factory=dict)
    blocks: list[tuple[str, int, int, bool]] = field(default_factory=list)
    loops: list[SourceLoop] = field(default_factory=list)
    units: set[int] = field(default_factory=set)
    statements: int = 0
    ordered: int = 0
    lent: bool = False
    lent_pure: bool = False
    ending: frozenset[str | None] = frozenset()
    states: dict[str, None] = field(default_factory=dict)
    pointed: Pointed = field(default_factory=Pointed)
    printed: set[int] = field(default_factory=set)
    plain: c_generator.CGenerator = field(default_factory=c_generator.CGenerator)

    def next_order(self) -> int:
        """The place of an instruction or call among those of its function, as they run: a call
        comes after what its arguments compute."""
        self.ordered += 1
        return self.ordered

    def change(self, n: int, **fields: Any) -> None:
        """More is known of instruction n."""
        self.instructions[n] = replace(self.instructions[n], **fields)

    def text_of(self, node: Any) -> str:
        """A node as the person wrote it, on one line; long texts are cut."""
        written = " ".join(self.places.span(node).text.split())
        generated = " ".join(self.plain.visit(node).split())
        text = written if 0 < len(written) <= max(LONGEST, len(generated)) else generated
        text = text.rstrip(";")
        return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"

    def declaration(self, node: Any) -> str:
        """A declaration without its value's events; a record that several declare is defined by
        the first."""
        inner = node.type
        while not isinstance(inner, c_ast.Struct | c_ast.Union | c_ast.Enum):
            if not hasattr(inner, "type"):
                return str(self.plain.visit(node))
            inner = inner.type
        if id(inner) not in self.printed:
            self.printed.add(id(inner))
            return str(self.plain.visit(node))
        part = "values" if isinstance(inner, c_ast.Enum) else "decls"
        body = getattr(inner, part)
        setattr(inner, part, None)
        text = str(self.plain.visit(node))
        setattr(inner, part, body)
        return text

    def block(self, name: str, line: int, element: int, *, given: bool = False) -> int:
        """The number of a variable (or a call) whose memory is named; what is `given` only pointers
        lead to."""
        self.blocks.append((name, line, element, given))
        return len(self.blocks) - 1

    def refuse(self, message: str, node: Any, reason: str, hint: str) -> PolynbError:
        place = self.places.index(node)
        span = self.places.tokens[place].span if place is not None else self.places.span(node)
        return PolynbError(message, span=span, reason=reason, hint=hint)
