"""Expressions as typed nodes with every conversion explicit, one object for each value.

A node is what an instance of its statement computes, whatever the instance. Whole numbers that are
known but for iterators and parameters are functions (op "whole", `what` is `{ S[i] -> [e] }`); a
condition on those alone picks one of two operands (op "pick", `what` is `{ S[i] : ... }`). Nothing
is reassociated, and literals keep their bits, so that nodes are only the same where C computes the
same bits; what IEEE 754 makes the same for every value has one form (sums and products, which
commute, keep theirs: see `comparing`). The rules for conversions are C's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import count
from typing import Any

from polynb import isl
from polynb.proofs import wholes
from polynb.run import floats
from polynb.run.arithmetic import WHOLE_ONLY, not_whole, signature
from polynb.scop.affine import selected
from polynb.source.operators import COMPARISONS, TRUTHS
from polynb.source.types import INT32, INT64, ElementType, common_type, lossless, promote

_NUMBERS = count()

What = Any
"""What a node is of, beside its operands: each `op` has another type."""


@dataclass(frozen=True, eq=False)
class Read:
    """One read of a statement: `cells` is `{ S[i] -> A[x] }`. `number`: as `Flow` counts.

    Data decides which cell it is in the dimensions `index`. Some are not among those of `cells`;
    over the others the statement, a peek of another one, iterates: `lift` is `{ T[j] -> S[j, x] }`,
    and `domain` `{ S[j, x] }`.
    """

    statement: str
    number: int
    array: str
    cells: isl.Map
    type: ElementType
    index: tuple[int, ...] = ()
    lift: isl.Map | None = None
    domain: isl.Set | None = None


@dataclass(frozen=True, eq=False, slots=True)
class ValueNode:
    """An operation on operands, in the instances of a statement (that of its `home`).

    Leaves: "whole" and "float" (a literal's bits), "undefined" (why), "read" (a `Read`: the value
    of a cell at the time of the instance), "initial" (a `Read`: what its cell held before the
    program). `number`: operands have smaller ones.
    """

    op: str
    type: ElementType
    operands: tuple[ValueNode, ...]
    what: What
    number: int
    home: Nodes

    @property
    def statement(self) -> str:
        return self.home.statement


class Nodes:
    """The nodes of one statement, whose instances are `{ S[i] }`."""

    def __init__(self, statement: str, domain: isl.Set) -> None:
        self.statement = statement
        self.domain = domain
        self.space = domain.get_space()
        self._known: dict[tuple[object, ...], ValueNode] = {}

    def make(
        self, op: str, type: ElementType, operands: tuple[ValueNode, ...] = (), what: What = None
    ) -> ValueNode:
        own = str(what) if isinstance(what, isl.PwAff | isl.Set) else what
        key = (op, type.name, own, *(x.number for x in operands))
        node = self._known.get(key)
        if node is None:
            node = self._known[key] = ValueNode(op, type, operands, what, next(_NUMBERS), self)
        return node

    # -- leaves ------------------------------------------------------------------------

    def whole(self, f: isl.PwAff, type: ElementType) -> ValueNode:
        return self.make("whole", type, (), f)

    def number(self, value: int | float, type: ElementType) -> ValueNode:
        if not type.is_float:
            return self.whole(wholes.number(int(value), self.space), type)
        value = floats.converted(value, type)
        if value.is_integer() and repr(value) != "-0.0" and abs(value) < 2**63:
            return self.make("convert", type, (self.number(int(value), INT64),))  # as of an int
        return self.make("float", type, (), value.hex())

    @staticmethod
    def literal(x: ValueNode) -> int | float | None:
        """A number, whole or not, that is known; as converted ones are if nothing is lost."""
        if x.op == "float":
            return float.fromhex(x.what)
        if x.op == "whole":
            return wholes.constant(x.what)
        inside = x.operands[0] if x.op == "convert" else x
        value = wholes.constant(inside.what) if inside.op == "whole" else None
        return None if value is None else floats.exactly(value, x.type)

    # -- cells -------------------------------------------------------------------------

    def load(self, read: Read, index: tuple[ValueNode, ...]) -> ValueNode:
        """What a read gives: a cell, or what data picks from a row of cells."""
        home = self if read.domain is None else Nodes(read.statement, read.domain)
        cell = home.make("read", read.type, (), read)
        return self.make("load", read.type, (cell, *self._places(index))) if index else cell

    def store(self, row: Read, index: tuple[ValueNode, ...], value: ValueNode) -> ValueNode:
        """A row of cells with another element."""
        cells = self.make("read", row.type, (), row)
        return self.make("store", row.type, (cells, *self._places(index), value))

    def _places(self, index: tuple[ValueNode, ...]) -> tuple[ValueNode, ...]:
        """Subscripts: of whatever type, they say the same place."""
        return tuple(self.convert(INT64, x) for x in index)

    # -- operations --------------------------------------------------------------------

    def convert(self, type: ElementType, x: ValueNode) -> ValueNode:
        if x.type is type:
            return x
        literal = self.literal(x) if type.is_float and x.type.is_float else None
        if literal is not None:
            return self.number(literal, type)
        if x.op == "whole":
            if type.is_float:
                return self.make("convert", type, (self.whole(x.what, INT64),))
            if wholes.fits(x.what, type, x.type, self.domain):
                return self.whole(x.what, type)
        if x.op == "select" and "select" not in (y.op for y in x.operands[1:]):
            which, a, b = x.operands
            return self.choose(which, self.convert(type, a), self.convert(type, b))
        if x.op == "convert" and lossless(x.operands[0].type, x.type, type):
            return self.convert(type, x.operands[0])
        return self.make("convert", type, (x,))

    def unary(self, op: str, x: ValueNode) -> ValueNode:
        if op == "!":
            return self._not(x)
        if op in WHOLE_ONLY and x.type.is_float:
            raise not_whole(op)
        x = self.convert(promote(x.type), x)
        if op == "+":
            return x
        if x.op == "whole":
            f = x.what.neg() if op == "-" else x.what.neg().add_constant_val(isl.Val(-1))
            if wholes.fits(f, x.type, INT64, self.domain):
                return self.whole(f, x.type)
        literal = self.literal(x)
        if literal is not None and x.type.is_float:
            return self.number(-literal, x.type)
        if x.op == op and not x.operands[1:] and (x.type.is_float or not x.type.is_signed):
            return x.operands[0]
        return self.make(op, x.type, (x,))

    def binary(self, op: str, a: ValueNode, b: ValueNode) -> ValueNode:
        if op in ("&&", "||"):
            return self._connected(op, a, b)
        if op in WHOLE_ONLY and (a.type.is_float or b.type.is_float):
            raise not_whole(op)
        shift = op in ("<<", ">>")
        type = promote(a.type) if shift else common_type(a.type, b.type)
        a = self.convert(type, a)
        b = self.convert(promote(b.type) if shift else type, b)
        gives = INT32 if op in COMPARISONS else type
        if a.op == b.op == "whole":
            f = wholes.computed(op, a.what, b.what, type)
            if f is not None and wholes.fits(f, gives, INT64, self.domain):
                return self.whole(f, gives)
        return self._operation(op, gives, a, b)

    def _operation(self, op: str, gives: ElementType, a: ValueNode, b: ValueNode) -> ValueNode:
        """An operation in the form that stands for all that are the same."""
        for x, other, left in ((a, b, True), (b, a, False)):
            if floats.leaves(op, self.literal(x), left):
                return other
        if op in floats.MIRRORED:
            op, a, b = floats.MIRRORED[op], b, a
        other_op = floats.opposite(op, a.type) if op in ("<=", "!=") else None
        if other_op is not None:
            return self._not(self._operation(other_op, gives, a, b))
        return self.make(op, gives, (a, b))

    def call(self, name: str, arguments: Sequence[ValueNode]) -> ValueNode:
        takes, gives = signature(name, [a.type for a in arguments])
        if takes is None:  # any function: whole numbers are passed as they are
            converted = [self.whole(a.what, INT64) if a.op == "whole" else a for a in arguments]
        else:
            converted = [self.convert(t, a) for t, a in zip(takes, arguments, strict=True)]
        known = [a.what for a in converted if a.op == "whole"]
        if name in _FOLDED and len(known) == len(arguments):
            f = _FOLDED[name](known)
            if wholes.fits(f, gives, INT64, self.domain):
                return self.whole(f, gives)
        return self.make("call", gives, tuple(converted), name)

    def select(self, condition: ValueNode, a: ValueNode, b: ValueNode) -> ValueNode:
        type = common_type(a.type, b.type)
        return self.choose(condition, self.convert(type, a), self.convert(type, b))

    def choose(self, condition: ValueNode, a: ValueNode, b: ValueNode) -> ValueNode:
        """One of two nodes of one type, which it keeps."""
        if a is b:
            return a
        if condition.op == "whole":
            return self.pick(_nonzero(condition), a, b)
        if condition.op == "pick":
            x, y = condition.operands
            return self.pick(condition.what, self.choose(x, a, b), self.choose(y, a, b))
        condition = self._truthy(condition)
        if condition.op == "!":
            return self.choose(condition.operands[0], b, a)
        a, b = _where(a, condition, 1), _where(b, condition, 2)
        return a if a is b else self.make("select", a.type, (condition, a, b))

    def pick(self, where: isl.Set, a: ValueNode, b: ValueNode) -> ValueNode:
        """One of two nodes of one type: the first in a part of the instances."""
        if a is b or self.domain.is_subset(where):
            return a
        if self.domain.is_disjoint(where):
            return b
        if a.op == b.op == "whole":
            return self.whole(selected(where, a.what, b.what), a.type)
        return self.make("pick", a.type, (a, b), where)

    # -- conditions --------------------------------------------------------------------

    def _truthy(self, x: ValueNode) -> ValueNode:
        """x as 0 or 1."""
        if x.op == "whole":
            return self.whole(wholes.truth(_nonzero(x)), INT32)
        if x.op == "pick":
            return self.pick(x.what, *map(self._truthy, x.operands))
        return x if x.op in TRUTHS else self.binary("!=", x, self.number(0, INT32))

    def _not(self, x: ValueNode) -> ValueNode:
        if x.op == "whole":
            return self.whole(wholes.truth(_nonzero(x).complement()), INT32)
        if x.op == "pick":
            return self.pick(x.what, *map(self._not, x.operands))
        x = self._truthy(x)
        return x.operands[0] if x.op == "!" else self.make("!", INT32, (x,))

    def _connected(self, op: str, a: ValueNode, b: ValueNode) -> ValueNode:
        """A conjunction or disjunction; its parts in order, each once. What is known decides where
        it can."""
        for known, other in ((a, b), (b, a)):
            if known.op == "whole":
                absorbing = self.number(op == "||", INT32)
                where = _nonzero(known)
                rest = self._truthy(other)
                either = (absorbing, rest) if op == "||" else (rest, absorbing)
                return self.pick(where, *either)
            if known.op == "pick":
                parts = [self._connected(op, x, other) for x in known.operands]
                return self.pick(known.what, *parts)
        unique: dict[int, ValueNode] = {}
        for x in map(self._truthy, (a, b)):
            unique |= {p.number: p for p in (x.operands if x.op == op else (x,))}
        parts_ = tuple(unique.values())
        return parts_[0] if len(parts_) == 1 else self.make(op, INT32, parts_)


def _where(x: ValueNode, condition: ValueNode, taken: int) -> ValueNode:
    """What a node is where a condition holds, or does not."""
    while x.op == "select" and x.operands[0] is condition:
        x = x.operands[taken]
    return x


def _nonzero(x: ValueNode) -> isl.Set:
    f: isl.PwAff = x.what
    return f.non_zero_set()


def _least(values: list[isl.PwAff]) -> isl.PwAff:
    return isl.coalesced(reduce(isl.PwAff.min, values))


def _largest(values: list[isl.PwAff]) -> isl.PwAff:
    return isl.coalesced(reduce(isl.PwAff.max, values))


def _magnitude(values: list[isl.PwAff]) -> isl.PwAff:
    return _largest([values[0], values[0].neg()])


_FOLDED: dict[str, Callable[[list[isl.PwAff]], isl.PwAff]] = {
    "min": _least,
    "max": _largest,
    "abs": _magnitude,
    "llabs": _magnitude,
}
