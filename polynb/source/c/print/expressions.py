"""Expressions as C99, with exactly their own arithmetic: no part is folded or reordered."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator as Iter
from dataclasses import dataclass, field

from polynb.source.c.print.helpers import Helpers
from polynb.source.c.print.mentions import names_in
from polynb.source.c.print.names import CNames
from polynb.source.functions import EXTREMA
from polynb.source.integer_places import INTEGER_ONLY, needs_integers, not_an_integer
from polynb.source.lower_bounds import LowerBounds
from polynb.source.mistakes import mistake
from polynb.source.normal_form import linear_form
from polynb.source.operators import COMPARISONS
from polynb.source.singles import shortest
from polynb.source.tree import (
    Access,
    Binary,
    Call,
    Cast,
    Define,
    Expr,
    Iterator,
    Let,
    Number,
    Parameter,
    Select,
    Unary,
    rebuild,
    walk,
)
from polynb.source.type_inference import Types
from polynb.source.types import FLOAT, INT32, INT64, ElementType, common_type, promote

PRECEDENCE = {
    op: level
    for level, ops in enumerate(
        ("||", "&&", "|", "^", "&", "== !=", "< <= > >=", "<< >>", "+ -", "* / %"), start=4
    )
    for op in ops.split()
}
_SELECT, _UNARY, _ATOM = 3, 14, 15
# The least precedence of an operand that goes without parentheses, where that is more than C
# asks for: compilers advise it.
_LEAST = {
    **dict.fromkeys(("||", "&&"), PRECEDENCE["=="]),
    **dict.fromkeys(COMPARISONS, PRECEDENCE["+"]),
    **dict.fromkeys(("|", "^", "&", "<<", ">>"), _UNARY),
}
_CHAINS = ("||", "&&", "|", "^", "&")

Text = tuple[str, int]  # and its precedence


@dataclass(frozen=True, eq=False)
class CExpressions:
    """How the expressions of a program are printed.

    `types` knows the element types, `bounds` what iterators and parameters are at least; `cells`
    are the scalars that are passed as arrays of one cell, `rows` what points to a row `A[x]`, or
    holds a cell `A[x][y]`.
    """

    names: CNames
    types: Types
    helpers: Helpers
    cells: frozenset[str] = frozenset()
    bounds: LowerBounds = field(default_factory=LowerBounds)
    lets: list[tuple[Let, str]] = field(default_factory=list)
    rows: dict[str, str] = field(default_factory=dict)

    def text(self, e: Expr) -> str:
        """An expression without Lets."""
        return rebuild(e, self._visit)[0]

    def asserted(self, conditions: Iterable[Expr]) -> Iter[str]:
        """Statements that end the program where one of these does not hold."""
        for condition in conditions:
            self.helpers.headers.add("assert.h")
            yield f"assert({self.text(condition)});"

    def with_lets(self, e: Expr) -> tuple[list[str], str]:
        """The declarations of the Lets of an expression, in order, and the expression itself."""
        text = self.text(e)
        declarations = [
            f"const {self.types.of(let.value).c_name} {self.names.of(let.name)} = {value};"
            for let, value in self.lets
        ]
        self.lets.clear()
        return declarations, text

    def plain(self, e: Expr) -> str:
        """An expression that has the names of its Lets."""
        return self.with_lets(e)[1]

    def _visit(self, e: Expr, parts: tuple[Text, ...]) -> Text:
        match e:
            case Number():
                return self._number(e)
            case Parameter(name=n) | Iterator(name=n):
                return self.names.of(n), _ATOM
            case Access():
                return self._access(e, parts)
            case Unary(op=op):
                self._check_integers(e, e.operand)
                inner = _at(parts[0], _UNARY)
                # Compilers take `!a == b` for a mistake: `(!a) == b` it is.
                level = PRECEDENCE["=="] if op == "!" else _UNARY
                return op + (f"({inner})" if inner[0] in "+-" else inner), level
            case Binary(op="floord" | "mod"):
                return self._floor(e, parts)
            case Binary():
                return self._binary(e, parts)
            case Call():
                return self._call(e, parts)
            case Select():
                return self._select(e, parts)
            case Cast(type=t, operand=x) if self._result(x) is t:
                return parts[0]
            case Cast(type=t):
                return f"({t.c_name}){_at(parts[0], _UNARY)}", _UNARY
            case Let(name=n):
                self.lets.append((e, parts[0][0]))
                return self.names.of(n), _ATOM

    # -- leaves ----------------------------------------------------------------------------

    def _number(self, e: Number) -> Text:
        if e.type.is_float:
            text = self._real(float(e.value), e.type)
        else:
            text = _integer(int(e.value), e.type)
        return text, _UNARY if text.startswith(("-", "(")) else _ATOM

    def _real(self, value: float, kind: ElementType) -> str:
        if math.isfinite(value):
            return f"{shortest(value)}f" if kind is FLOAT else repr(value)
        raise mistake("c.literal", None, value=value)

    def _access(self, e: Access, subscripts: tuple[Text, ...]) -> Text:
        name = self.names.of(e.array)
        if e.array in self.cells:
            return f"{name}[0]", _ATOM
        for subscript in e.subscripts:
            self._check_subscript(e, subscript)
        *rows, cell = [name, *(f"[{text}]" for text, _ in subscripts)]
        row = "".join(rows)
        text = self.rows.get(row, row) + cell
        return self.rows.get(text, text), _ATOM

    def row(self, e: Access) -> str:
        """The row that an access is in: all of its subscripts but the last one."""
        rows = (f"[{self.text(x)}]" for x in e.subscripts[:-1])
        return self.names.of(e.array) + "".join(rows)

    def _check_subscript(self, e: Access, subscript: Expr) -> None:
        kind = self.types.of(subscript)
        if kind.is_float:
            raise not_an_integer(e, subscript, kind)

    # -- operations ------------------------------------------------------------------------

    def _binary(self, e: Binary, parts: tuple[Text, ...]) -> Text:
        level = PRECEDENCE[e.op]
        self._check_integers(e, e.left, e.right)
        if e.op in COMPARISONS:
            kind = common_type(self.types.of(e.left), self.types.of(e.right))
            parts = self._same_sign(parts, (e.left, e.right), kind)
        least = _LEAST.get(e.op, level)
        chain = e.op in _CHAINS and isinstance(e.left, Binary) and e.left.op == e.op
        left = _at(parts[0], level if chain else least)
        return f"{left} {e.op} {_at(parts[1], max(least, level + 1))}", level

    def _floor(self, e: Binary, parts: tuple[Text, ...]) -> Text:
        """Floor division; of what is not negative, by something positive, it is C's own. An
        affine remainder is `a - d * floord(a, d)`, which programs that read C know."""
        self._check_integers(e, e.left, e.right)
        kind = self.types.of(e)
        natural = self.bounds.at_least(e.left, 0) and self.bounds.at_least(e.right, 1)
        if natural or not kind.is_signed:
            return _infix("/" if e.op == "floord" else "%", *parts)
        if e.op == "mod" and linear_form(e) is not None:
            quotient = _call(self.helpers.floor("floord", kind), parts)
            return _infix("-", parts[0], _infix("*", parts[1], quotient))
        return _call(self.helpers.floor(e.op, kind), parts)

    def _select(self, e: Select, parts: tuple[Text, ...]) -> Text:
        kind = self.types.of(e)
        then, otherwise = self._same_sign(parts[1:], (e.then, e.otherwise), kind)
        condition = _at(parts[0], PRECEDENCE["||"])
        return f"{condition} ? {then[0]} : {_at(otherwise, _SELECT)}", _SELECT

    def _same_sign(
        self, parts: tuple[Text, ...], nodes: tuple[Expr, ...], kind: ElementType
    ) -> tuple[Text, ...]:
        """C's conversion of a signed operand to unsigned, written where it happens."""
        if kind.is_float or kind.is_signed:
            return parts
        return tuple(
            (f"({kind.c_name}){_at(part, _UNARY)}", _UNARY)
            if promote(self.types.of(node)).is_signed and not isinstance(node, Number)
            else part
            for part, node in zip(parts, nodes, strict=True)
        )

    def _check_integers(self, e: Binary | Unary, *operands: Expr) -> None:
        if e.op in INTEGER_ONLY and any(self.types.of(x).is_float for x in operands):
            raise needs_integers(e)

    def _call(self, e: Call, parts: tuple[Text, ...]) -> Text:
        functions = self.types.functions
        if e.function in functions:
            kinds = tuple(self.types.of(a) for a in e.arguments)
            name = self.helpers.defined(functions[e.function], kinds, self._definition)
            own = tuple((self.names.of(p), _ATOM) for p in self.inherited(e.function))
            return _call(name, (*parts, *own))
        if e.function in EXTREMA:
            name = self.helpers.extremum(e.function, self._result(e))
            result = parts[0]
            for p in parts[1:]:
                result = _call(name, (result, p))
            return result
        return _call(self.helpers.math(e), parts)

    def _result(self, e: Expr) -> ElementType:
        """The type of an expression as it is printed: the least and the greatest of values of one
        type, which C would have in `int`, are such values."""
        if isinstance(e, Call) and e.function in EXTREMA:
            kinds = {self._result(a) for a in e.arguments}
            return kinds.pop() if len(kinds) == 1 else self.types.of(e)
        return self.types.of(e)

    # -- defined functions -----------------------------------------------------------------

    def inherited(self, function: str) -> list[str]:
        """The parameters that a defined function uses, itself or through others."""
        found: dict[str, None] = {}
        for e in walk(self.types.functions[function].body):
            if isinstance(e, Parameter):
                found[e.name] = None
            elif isinstance(e, Call) and e.function in self.types.functions:
                found.update(dict.fromkeys(self.inherited(e.function)))
        return list(found)

    def _definition(self, f: Define, kinds: tuple[ElementType, ...], name: str) -> str:
        types = self.types.inside(f, kinds)
        inside = CExpressions(self.names, types, self.helpers)
        lets, value = inside.with_lets(f.body)
        arguments = [
            f"{k.c_name} {self.names.of(a)}" for a, k in zip(f.arguments, kinds, strict=True)
        ]
        arguments += [f"{INT64.c_name} {self.names.of(p)}" for p in self.inherited(f.name)]
        body = "".join(f"  {line}\n" for line in (*lets, f"return {value};"))
        head = f"{types.of(f.body).c_name} {name}({', '.join(arguments) or 'void'})"
        return f"static inline {head} {{\n{body}}}\n"


def _at(text: Text, level: int) -> str:
    """The text, in parentheses if it binds less than that."""
    return text[0] if text[1] >= level else f"({text[0]})"


def _infix(op: str, left: Text, right: Text) -> Text:
    level = PRECEDENCE[op]
    return f"{_at(left, level)} {op} {_at(right, level + 1)}", level


def _call(name: str, parts: tuple[Text, ...]) -> Text:
    return f"{name}({', '.join(text for text, _ in parts)})", _ATOM


def _integer(value: int, kind: ElementType) -> str:
    """A literal of exactly that type (a plain one is an int if it fits, else an int64)."""
    plain = INT32 if abs(value) < 2**31 else INT64
    if (value == -(2**31) and kind is INT32) or value == -(2**63):
        return f"({value + 1} - 1)"
    if kind is plain:
        return str(value)
    if kind is INT64:
        return f"INT64_C({value})"
    unsigned = "u" if value >= 2**63 else ""  # no signed type holds it
    return f"({kind.c_name}){value}{unsigned}"


def print_expression(e: Expr, types: Types) -> str:
    """An expression without Lets as C99; names that C uses itself are changed."""
    names = CNames()
    names.add(names_in(e))
    return CExpressions(names, types, Helpers(names)).text(e)
