"""Affine expressions in a readable normal form: `i - 1`, `2*j + 1`, `N - i`.

Pure Python and linear, because rewriting (paper CC'18, Algorithm 1) does it all the time.
"""

from __future__ import annotations

from dataclasses import dataclass

from polynb.source.tree import (
    Binary,
    Expr,
    Iterator,
    Number,
    Parameter,
    Unary,
    children,
    rebuild,
    with_children,
)
from polynb.source.types import INT32, INT64, ElementType

Key = tuple[object, ...]


@dataclass(frozen=True, eq=False)
class Linear:
    """`sum of coefficient * atom + constant`; atoms are iterators, parameters and floor
    divisions, keyed by structure. `wide`: its C type is int64, whatever is left of it."""

    terms: dict[Key, tuple[int, Expr]]
    constant: int
    wide: bool

    def plus(self, other: Linear, factor: int = 1) -> Linear:
        terms = dict(self.terms)
        for key, (c, atom) in other.terms.items():
            total = terms[key][0] + factor * c if key in terms else factor * c
            if total:
                terms[key] = total, atom
            else:
                del terms[key]
        constant = self.constant + factor * other.constant
        return _with_remainders(Linear(terms, constant, self.wide or other.wide))

    def times(self, factor: int, wide: bool = False) -> Linear:
        terms = {k: (factor * c, atom) for k, (c, atom) in self.terms.items()} if factor else {}
        return Linear(terms, factor * self.constant, self.wide or wide)


def normal_form(e: Expr) -> Expr:
    """The expression with all its maximal affine parts normalised, everything else untouched.

    Affine are iterators, parameters and integer literals under `+`, `-`, `*` by a constant,
    `floord` and `mod` by a positive constant. No other arithmetic is folded or reordered, so
    that values stay bit for bit the same. Nodes that do not change keep their identity.
    """
    return rebuild(e, _visit)[0]


def linear_form(e: Expr) -> Linear | None:
    """The linear form of an affine expression, None for any other."""
    return rebuild(e, linear_of)


def affine_parts(e: Expr) -> set[int]:
    """The identities of the nodes of a DAG that are affine expressions."""
    found: set[int] = set()

    def visit(node: Expr, parts: tuple[Linear | None, ...]) -> Linear | None:
        linear = linear_of(node, parts)
        if linear is not None:
            found.add(id(node))
        return linear

    rebuild(e, visit)
    return found


def _visit(e: Expr, parts: tuple[tuple[Expr, Linear | None], ...]) -> tuple[Expr, Linear | None]:
    linear = linear_of(e, tuple([x for _, x in parts]))
    if linear is None:
        return with_children(e, tuple([x for x, _ in parts])), None
    return normalised(e, linear), linear


def normalised(e: Expr, linear: Linear | None) -> Expr:
    """The expression as its linear form, if it has one, is written; itself if it is already."""
    if linear is None or not children(e):
        return e
    new = expression_of(linear)
    return e if same_form(e, new) else new


def linear_of(e: Expr, parts: tuple[Linear | None, ...]) -> Linear | None:
    """The linear form of an expression by those of its children."""
    if None in parts:
        return None
    match e, parts:
        case Number(value=int(v), type=t), _ if t in (INT32, INT64):
            return Linear({}, v, t is INT64)
        case Iterator(name=n), _:
            return Linear({("i", n): (1, e)}, 0, True)
        case Parameter(name=n), _:
            return Linear({("p", n): (1, e)}, 0, True)
        case Unary(op="-"), (Linear() as a,):
            return a.times(-1)
        case Unary(op="+"), (Linear() as a,):
            return a
        case Binary(op="+"), (Linear() as a, Linear() as b):
            return a.plus(b)
        case Binary(op="-"), (Linear() as a, Linear() as b):
            return a.plus(b, -1)
        case Binary(op="*"), (Linear() as a, Linear() as b):
            if not b.terms:
                return a.times(b.constant, b.wide)
            return None if a.terms else b.times(a.constant, a.wide)
        case Binary(op="floord" | "mod" as op), (Linear() as a, Linear() as b):
            return _divided(op, a, b) if not b.terms and b.constant > 0 else None
    return None


def _divided(op: str, a: Linear, b: Linear) -> Linear:
    """`floord(a, d)` or `mod(a, d)`: a new atom, unless d divides all coefficients of a."""
    d, wide = b.constant, a.wide or b.wide
    if all(c % d == 0 for c, _ in a.terms.values()):
        if op == "mod":
            return Linear({}, a.constant % d, wide)
        terms = {k: (c // d, atom) for k, (c, atom) in a.terms.items()}
        return Linear(terms, a.constant // d, wide)
    atom = Binary(op, expression_of(a), Number(d, _literal_type(d)))
    key = (op, frozenset((k, c) for k, (c, _) in a.terms.items()), a.constant, d)
    return Linear({key: (1, atom)}, 0, wide)


def _with_remainders(linear: Linear) -> Linear:
    """`a - d*floord(a, d)` is `mod(a, d)`: used where all terms of a vanish with it."""
    for key, (k, atom) in linear.terms.items():
        if key[0] != "floord" or not isinstance(atom, Binary):
            continue
        inner, d = linear_form(atom.left), key[3]
        if inner is None or not isinstance(d, int) or k % d:
            continue
        c = -k // d
        if any(linear.terms.get(t, (0,))[0] != c * x for t, (x, _) in inner.terms.items()):
            continue
        rest = {t: v for t, v in linear.terms.items() if t != key and t not in inner.terms}
        remainder = Linear({("mod", *key[1:]): (c, Binary("mod", atom.left, atom.right))}, 0, True)
        others = Linear(rest, linear.constant - c * inner.constant, linear.wide)
        return others.plus(remainder)
    return linear


# -- back to expressions ----------------------------------------------------------------


def expression_of(linear: Linear) -> Expr:
    """Positive terms first, then negative ones, the constant last (first if nothing else is
    positive); terms stay in the order in which they were first written."""
    terms = list(linear.terms.values())
    positive = [t for t in terms if t[0] > 0]
    negative = [t for t in terms if t[0] < 0]
    constant = linear.constant
    if not terms and constant == -(2**31) and not linear.wide:  # as C's headers write it
        return Binary("-", _literal(constant + 1, INT32), Number(1, INT32))
    if not terms:
        return _literal(constant, INT64 if linear.wide else _literal_type(constant))
    result: Expr | None = None
    for c, atom in positive:
        term = _term(c, atom)
        result = term if result is None else Binary("+", result, term)
    if result is None and constant > 0:
        result, constant = _literal(constant, _literal_type(constant)), 0
    for c, atom in negative:
        if result is None:
            result = Unary("-", atom) if c == -1 else _term(c, atom)
        else:
            result = Binary("-", result, _term(-c, atom))
    assert result is not None
    if constant:
        size = abs(constant)
        result = Binary("+" if constant > 0 else "-", result, Number(size, _literal_type(size)))
    return result


def _term(c: int, atom: Expr) -> Expr:
    return atom if c == 1 else Binary("*", _literal(c, _literal_type(c)), atom)


def _literal(value: int, kind: ElementType) -> Expr:
    """A literal as the languages have them: never negative, a minus before it instead."""
    number = Number(abs(value), kind)
    return number if value >= 0 else Unary("-", number)


def _literal_type(value: int) -> ElementType:
    return INT32 if abs(value) < 2**31 else INT64


def same_form(a: Expr, b: Expr) -> bool:
    """Whether two affine expressions are written the same way."""
    match a, b:
        case Number(), Number():
            return a.value == b.value and a.type is b.type
        case Iterator(), Iterator():
            return a.name == b.name
        case Parameter(), Parameter():
            return a.name == b.name
        case Unary(), Unary():
            return a.op == b.op and same_form(a.operand, b.operand)
        case Binary(), Binary():
            return a.op == b.op and same_form(a.left, b.left) and same_form(a.right, b.right)
    return False


def conjuncts(e: Expr) -> list[Expr]:
    """The parts of a conjunction, left to right."""
    match e:
        case Binary(op="&&", left=a, right=b):
            return conjuncts(a) + conjuncts(b)
    return [e]
