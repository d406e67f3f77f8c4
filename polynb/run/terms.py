"""Symbolic values: typed, hash-consed terms, so that equal values are one object.

Whole numbers (of iterators, parameters and integer literals) and operations on literals are
computed; everything else builds a term, which is never reassociated. Two terms are the same object
only if C computes the same bits, whatever the data: what IEEE 754 makes the same, such as a sum and
the commuted one, is one term, and keeps the form in which it was made first. Conversions are terms,
because a store into a narrower type rounds; one that cannot change the value disappears.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from polynb.run import floats
from polynb.run.arithmetic import (
    COMPARE,
    WHOLE_ONLY,
    not_whole,
    signature,
    whole,
)
from polynb.source.operators import COMPARISONS, TRUTHS
from polynb.source.types import INT32, INT64, ElementType, common_type, lossless, promote, wrap

FOLDED: dict[str, Callable[..., int]] = {"min": min, "max": max, "abs": abs, "llabs": abs}

Arguments = tuple[Any, ...]
"""Terms, or what a leaf is of: see `Term`."""


@dataclass(frozen=True, eq=False, slots=True)
class Term:
    """An operation over terms. Leaves are numbers (`arguments` is the value), the content of a
    cell before the program starts (array and index), and undefined values (why).

    The state of a whole array is `initial`, or a `store` to a state; a `lookup` picks one of many
    terms by subscripts that depend on data (see `run/symbolic.py`).
    """

    op: str
    arguments: Arguments
    type: ElementType
    number: int  # in the order in which the terms of one `Terms` were made

    def __str__(self) -> str:
        return shown(self)


class Terms:
    """The algebra of terms; one object interns all the terms that are to be compared."""

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], Term] = {}

    def make(
        self,
        op: str,
        arguments: Arguments,
        type: ElementType,
        form: tuple[object, ...] | None = None,
    ) -> Term:
        """The term for a `form`: itself, unless what is the same has another one."""
        form = form or (op, *arguments)
        key = (type.name, *(a.number if isinstance(a, Term) else a for a in form))
        term = self._known.get(key)
        if term is None:
            term = self._known[key] = Term(op, arguments, type, len(self._known))
        return term

    # -- leaves ------------------------------------------------------------------------

    def number(self, value: int | float, type: ElementType) -> Term:
        """A literal of its type: 2 and 2.0 differ. Floating-point ones are keyed by their bits, of
        that type: `0.1f` is another number than `0.1`."""
        if type.is_float:
            return self.make("float", (floats.converted(value, type).hex(),), type)
        return self.make("number", (int(value),), type)

    def undefined(self, why: str, type: ElementType) -> Term:
        """What a division by zero or a read out of bounds gives; harmless where not selected."""
        return self.make("undefined", (why,), type)

    @staticmethod
    def integer(term: Term) -> int | None:
        """The value of a whole number, None for any other term."""
        return term.arguments[0] if term.op == "number" else None

    @staticmethod
    def truth(term: Term) -> bool | None:
        """Whether a condition holds, None if that depends on data."""
        return bool(term.arguments[0]) if term.op == "number" else None

    @staticmethod
    def literal(term: Term) -> int | float | None:
        """A number, whole or not, that is known."""
        if term.op == "float":
            return float.fromhex(term.arguments[0])
        if term.op == "convert" and term.arguments[0].op == "number":
            return floats.exactly(term.arguments[0].arguments[0], term.type)
        return term.arguments[0] if term.op == "number" else None

    # -- operations --------------------------------------------------------------------

    def convert(self, type: ElementType, term: Term) -> Term:
        if term.type is type:
            return term
        value = self.integer(term)
        if value is not None:
            if not type.is_float:
                return self.number(wrap(value, type), type)
            exact = floats.exactly(value, type)
            form = None if exact is None else ("float", exact.hex())
            return self.make("convert", (self.number(value, INT64),), type, form)
        literal = self.literal(term)
        if literal is not None and type.is_float:
            return self.number(floats.converted(literal, type), type)
        if term.op == "select" and "select" not in (x.op for x in term.arguments[1:]):
            which, a, b = term.arguments
            return self.choose(which, self.convert(type, a), self.convert(type, b))
        if term.op == "convert":
            first = term.arguments[0]
            if lossless(first.type, term.type, type):
                return self.convert(type, first)
        return self.make("convert", (term,), type)

    def unary(self, op: str, x: Term) -> Term:
        if op == "!":
            return self._not(x)
        if op in WHOLE_ONLY and x.type.is_float:
            raise not_whole(op)
        x = self.convert(promote(x.type), x)
        value = self.integer(x)
        if op == "+":
            return x
        if value is not None:
            return self.number(wrap(-value if op == "-" else ~value, x.type), x.type)
        literal = self.literal(x)  # floating
        if literal is not None:
            return self.number(-literal, x.type)
        if x.op == op and not x.arguments[1:] and (x.type.is_float or not x.type.is_signed):
            only: Term = x.arguments[0]
            return only
        return self.make(op, (x,), x.type)

    def binary(self, op: str, a: Term, b: Term) -> Term:
        if op in ("&&", "||"):
            return self._connected(op, a, b)
        if op in WHOLE_ONLY and (a.type.is_float or b.type.is_float):
            raise not_whole(op)
        shift = op in ("<<", ">>")
        type = promote(a.type) if shift else common_type(a.type, b.type)
        a = self.convert(type, a)
        b = self.convert(promote(b.type) if shift else type, b)
        left, right = self.integer(a), self.integer(b)
        if left is None or right is None:
            return self._operation(op, a, b, INT32 if op in COMPARISONS else type)
        if op in COMPARISONS:
            return self.number(COMPARE[op](left, right), INT32)
        value = whole(op, left, right, type)
        if value is None:
            return self.undefined(f"{left} {op} {right}", type)
        return self.number(value, type)

    def _operation(self, op: str, a: Term, b: Term, gives: ElementType) -> Term:
        """An operation on what is not known, or floating."""
        for x, other, left in ((a, b, True), (b, a, False)):
            if floats.leaves(op, self.literal(x), left) and self.literal(other) is None:
                return other  # (not of two literals: in tables all elements keep one form)
        form = (op, a, b)
        if op in floats.MIRRORED:
            form = (floats.MIRRORED[op], b, a)
        elif op in floats.COMMUTATIVE and a.number > b.number:
            form = (op, b, a)
        return self.make(op, (a, b), gives, form)

    def with_operands(self, term: Term, operands: Arguments) -> Term:
        """The same operation on other operands of the same types."""
        match term.op, operands:
            case "convert", (x,):
                return self.convert(term.type, x)
            case "select", (condition, a, b):
                return self.choose(condition, a, b)
            case _, (Term() as a, Term() as b) if term.op not in ("&&", "||", "load"):
                return self._operation(term.op, a, b, term.type)
        return self.make(term.op, operands, term.type)

    def call(self, name: str, arguments: Sequence[Term]) -> Term:
        """C's math functions and `min`, `max` with their conversions; any other function is a
        name applied to its arguments as they are."""
        takes, gives = signature(name, [a.type for a in arguments])
        if takes is not None:
            arguments = [self.convert(t, a) for t, a in zip(takes, arguments, strict=True)]
        values = [self.integer(a) for a in arguments]
        known = [v for v in values if v is not None]
        if name in FOLDED and len(known) == len(values):
            chosen = FOLDED[name](*known)
            return self.number(wrap(chosen, gives), gives)
        if takes is None:
            arguments = [a if v is None else self.number(v, INT64)
                         for a, v in zip(arguments, values, strict=True)]  # fmt: skip
        return self.make("call", (name, *arguments), gives)

    def select(self, condition: Term, a: Term, b: Term) -> Term:
        type = common_type(a.type, b.type)
        return self.choose(condition, self.convert(type, a), self.convert(type, b))

    def choose(self, condition: Term, a: Term, b: Term) -> Term:
        """`select` for two terms of one type, which it keeps."""
        known = self.truth(condition)
        if known is not None:
            return a if known else b
        condition = self._truthy(condition)
        which, turned = self._decided(condition)
        a, b = self._chosen(a, which, not turned), self._chosen(b, which, turned)
        if a is b:
            return a
        form = ("select", which, *((b, a) if turned else (a, b)))
        return self.make("select", (condition, a, b), a.type, form)

    def _decided(self, condition: Term) -> tuple[Term, bool]:
        """A condition, or the one that holds exactly where it does not: of both always the same
        one, and whether it is the other one."""
        if condition.op == "!":
            which, turned = self._decided(condition.arguments[0])
            return which, not turned
        if condition.op in ("<=", ">=", "!="):
            a, b = condition.arguments
            other = floats.opposite(condition.op, a.type)
            if other is not None:
                return self._operation(other, a, b, INT32), True
        return condition, False

    def _chosen(self, x: Term, which: Term, holds: bool) -> Term:
        """What a term is where it is known whether a condition holds."""
        while x.op == "select":
            other, turned = self._decided(x.arguments[0])
            if other is not which:
                break
            x = x.arguments[2 if holds == turned else 1]
        return x

    # -- conditions --------------------------------------------------------------------

    def _truthy(self, x: Term) -> Term:
        """x as 0 or 1; of a known number too."""
        known = self.truth(x)
        if known is not None:
            return self.number(known, INT32)
        return x if x.op in TRUTHS else self.binary("!=", x, self.number(0, INT32))

    def _not(self, x: Term) -> Term:
        known = self.truth(x)
        if known is not None:
            return self.number(not known, INT32)
        x = self._truthy(x)
        if x.op in floats.OPPOSITE:
            a, b = x.arguments
            other = floats.opposite(x.op, a.type)
            if other is not None:
                return self._operation(other, a, b, INT32)
        return x.arguments[0] if x.op == "!" else self.make("!", (x,), INT32)

    def _connected(self, op: str, a: Term, b: Term) -> Term:
        """Conjunctions and disjunctions as sets of their parts: the order of evaluation of what
        has no effects does not matter."""
        absorbing = op == "||"
        parts: dict[int, Term] = {}
        for x in (a, b):
            known = self.truth(x)
            if known is absorbing:
                return self.number(absorbing, INT32)
            if known is None:
                x = self._truthy(x)
                parts |= {p.number: p for p in (x.arguments if x.op == op else (x,))}
        if len(parts) < 2:
            return next(iter(parts.values()), self.number(not absorbing, INT32))
        return self.make(op, tuple(parts[k] for k in sorted(parts)), INT32)

    # -- arrays ------------------------------------------------------------------------

    def initial(self, array: str, index: tuple[int, ...], type: ElementType) -> Term:
        """What a cell holds before the program starts."""
        return self.make("initial", (array, *index), type)


# -- to read ---------------------------------------------------------------------------

DEPTH = 5
CELLS = 8


def shown(term: object, depth: int = DEPTH) -> str:
    """A term in C's notation, `...` for what lies deeper than `depth`, and in rows of more than
    CELLS cells."""
    if not isinstance(term, Term):
        return str(term)
    name, rest = term.op, term.arguments
    match name:
        case "number":
            return str(rest[0])
        case "float":
            return repr(float.fromhex(rest[0])) + ("f" if term.type.name == "float" else "")
        case "undefined":
            return f"undefined({rest[0]})"
        case "initial":
            return str(rest[0]) + "".join(f"[{k}]" for k in rest[1:])
    if depth == 0:
        return "..."
    parts = [shown(x, depth - 1) for x in rest]
    match name:
        case "convert" if rest[0].op == "number":
            return repr(float(rest[0].arguments[0])) + ("f" if term.type.name == "float" else "")
        case "convert":
            return f"{term.type}({parts[0]})"
        case "call":
            return f"{parts[0]}({', '.join(parts[1:])})"
        case "select":
            return f"({parts[0]} ? {parts[1]} : {parts[2]})"
        case "load":
            return parts[0] + "".join(f"[{x}]" for x in parts[1:])
        case "lookup":
            index, _, held = looked_up(term)
            cells = parts[-len(held) :]
            if len(cells) > CELLS:
                cells[CELLS - 2 : -1] = ["..."]
            return f"{{{', '.join(cells)}}}[{']['.join(parts[: len(index)])}]"
        case "store":
            return f"store({', '.join(parts)})"
    return f"{name}{parts[0]}" if len(parts) == 1 else f"({f' {name} '.join(parts)})"


def looked_up(term: Term) -> tuple[tuple[Term, ...], tuple[int, ...], tuple[Term, ...]]:
    """The subscripts of a lookup, the extents of its table, and what that holds, row by row."""
    rest = term.arguments
    n = next(k for k, x in enumerate(rest) if not isinstance(x, Term))
    return rest[:n], rest[n : 2 * n], rest[2 * n :]


def first_difference(a: Term, b: Term) -> tuple[Term, Term]:
    """The smallest pair of corresponding subterms below which everything else is the same."""
    while a.op == b.op and a.type is b.type and len(a.arguments) == len(b.arguments):
        pairs = [(x, y) for x, y in zip(a.arguments, b.arguments, strict=True) if x is not y]
        both = [(x, y) for x, y in pairs if isinstance(x, Term) and isinstance(y, Term)]
        if len(both) != 1 or any(x != y for x, y in pairs if not isinstance(x, Term)):
            break
        a, b = both[0]
    return a, b
