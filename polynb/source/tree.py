"""The syntax tree of a SCoP: what the parsers build, codegen rebuilds and the printers print.

Nodes are frozen and compare by identity, so that an expression can be a DAG: a subexpression
used twice is one node with two parents. `same` compares by structure. Spans are optional,
because a tree may come from text, from isl sets or from a trace.

Division comes in two kinds (paper CC'18, Figure 3, against C): `floord` and `mod` are the floor
division and its remainder of affine places; `/` and `%` are C's, on values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator as Iter
from dataclasses import dataclass, field, fields
from operator import is_
from typing import Any, Final, Literal, TypeVar

from polynb.errors import Source, Span
from polynb.source.types import ElementType

T = TypeVar("T")


@dataclass(frozen=True, eq=False, kw_only=True)
class Node:
    """What a program consists of; `span` is where it was written, if it was."""

    span: Span | None = field(default=None, repr=False)


# -- expressions -----------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Number(Node):
    """A literal. `type` is C's: int32 (int64 if it does not fit), double, or float for `1f`."""

    value: int | float
    type: ElementType


@dataclass(frozen=True, eq=False)
class Parameter(Node):
    """A parameter (int64): unknown but constant."""

    name: str


@dataclass(frozen=True, eq=False)
class Iterator(Node):
    """The induction variable of an enclosing loop (int64); the paper's iv."""

    name: str


@dataclass(frozen=True, eq=False)
class Access(Node):
    """The paper's acc: a scalar (no subscripts) or an array cell, read or written."""

    array: str
    subscripts: tuple[Expr, ...] = ()


@dataclass(frozen=True, eq=False)
class Unary(Node):
    """`op` is one of - + ! ~."""

    op: str
    operand: Expr


@dataclass(frozen=True, eq=False)
class Binary(Node):
    """`op` is C's: + - * / % < <= > >= == != && || & | ^ << >>, or floord, mod (see above)."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, eq=False)
class Call(Node):
    """A pure function: C's math functions, `min`/`max` (a < b ? a : b), a `define`d or an
    uninterpreted one."""

    function: str
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, eq=False)
class Select(Node):
    """C's `condition ? then : otherwise`."""

    condition: Expr
    then: Expr
    otherwise: Expr


@dataclass(frozen=True, eq=False)
class Cast(Node):
    """A conversion to an element type: `uint8(x)` in the SCoP language, `(uint8_t)x` in C."""

    type: ElementType
    operand: Expr


@dataclass(frozen=True, eq=False)
class Let(Node):
    """A shared subexpression: the value, and the name it is printed under. Every use is the
    same node, so it is evaluated (and printed) once per statement instance."""

    name: str
    value: Expr


Expr = Number | Parameter | Iterator | Access | Unary | Binary | Call | Select | Cast | Let


_LEAVES: Final = (Number, Parameter, Iterator)
_CHILDREN: dict[type, Callable[[Any], tuple[Expr, ...]]] = {
    **dict.fromkeys(_LEAVES, lambda e: ()),
    Access: lambda e: e.subscripts,
    Unary: lambda e: (e.operand,),
    Cast: lambda e: (e.operand,),
    Let: lambda e: (e.value,),
    Binary: lambda e: (e.left, e.right),
    Call: lambda e: e.arguments,
    Select: lambda e: (e.condition, e.then, e.otherwise),
}


def children(e: Expr) -> tuple[Expr, ...]:
    """The direct subexpressions, left to right."""
    return _CHILDREN[type(e)](e)  # a table: walks spend most of their time here


def with_children(e: Expr, new: tuple[Expr, ...]) -> Expr:
    """The same node over other subexpressions; the node itself if they are the same objects."""
    if all(map(is_, children(e), new)):
        return e
    match e:
        case Access(array=a):
            return Access(a, new, span=e.span)
        case Binary(op=op):
            return Binary(op, *new, span=e.span)
        case Unary(op=op):
            return Unary(op, *new, span=e.span)
        case Call(function=f):
            return Call(f, new, span=e.span)
        case Select():
            return Select(*new, span=e.span)
        case Cast(type=t):
            return Cast(t, *new, span=e.span)
        case Let(name=n):
            return Let(n, *new, span=e.span)
        case Number() | Parameter() | Iterator():
            return e


def own(e: Expr) -> tuple[object, ...]:
    """What a node says besides its subexpressions: with their identities, a key for it."""
    match e:
        case Number(value=v, type=t):
            return repr(v), t  # repr: 0.0 is not -0.0
        case (
            Parameter(name=n) | Iterator(name=n) | Access(array=n) | Call(function=n) | Let(name=n)
        ):
            return (n,)
        case Unary(op=op) | Binary(op=op):
            return (op,)
        case Cast(type=t):
            return (t,)
        case Select():
            return ()


def walk(*roots: Expr) -> Iter[Expr]:
    """Every node of the DAG once, parents before children, left to right."""
    seen, stack = set[int](), [*reversed(roots)]
    while stack:
        node = stack.pop()
        if id(node) not in seen:
            seen.add(id(node))
            yield node
            stack.extend(reversed(children(node)))


def iterators(*roots: Expr) -> frozenset[str]:
    """The iterators that expressions mention."""
    return frozenset(x.name for x in walk(*roots) if isinstance(x, Iterator))


def accesses(*roots: Expr) -> Iter[Access]:
    """The accesses in expressions, those in subscripts too."""
    return (x for x in walk(*roots) if isinstance(x, Access))


def arrays(*roots: Expr) -> set[str]:
    """The arrays that expressions mention."""
    return {a.array for a in accesses(*roots)}


def rebuild(
    e: Expr, leaf: Callable[[Expr, tuple[T, ...]], T], done: dict[int, T] | None = None
) -> T:
    """Fold a DAG bottom up: `leaf(node, results of its children)` once per node, so that
    rebuilt expressions keep their sharing. `done` has results of nodes by identity, and is added
    to: who keeps it, and the nodes alive, folds what has been folded before no second time."""
    done = {} if done is None else done
    stack = [e]
    while stack:
        node = stack.pop()
        if id(node) in done:
            continue
        inside = _CHILDREN[type(node)](node)
        for k, c in enumerate(inside):
            if id(c) not in done:
                if type(c) not in _LEAVES:
                    stack += (node, *reversed(inside[k:]))
                    break
                done[id(c)] = leaf(c, ())  # at once: half of all nodes are such
        else:
            done[id(node)] = leaf(node, tuple([done[id(c)] for c in inside]))
    return done[id(e)]


def same(a: object, b: object) -> bool:
    """Whether two trees (or tuples of trees) are equal up to spans and sharing."""
    return _same(a, b, {})


APART: Final = ("span", "source", "narrow", "compared", "after")
"""What nodes say besides what they are."""


def _same(a: object, b: object, equal: dict[tuple[int, int], bool]) -> bool:
    if a is b:
        return True
    if isinstance(a, Node) and isinstance(b, Node):
        key = id(a), id(b)
        if key not in equal:
            names = [f.name for f in fields(a) if f.name not in APART]
            equal[key] = type(a) is type(b) and all(
                _same(getattr(a, n), getattr(b, n), equal) for n in names
            )
        return equal[key]
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(_same(x, y, equal) for x, y in zip(a, b, strict=True))
    return type(a) is type(b) and bool(a == b)


# -- statements ------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, kw_only=True)
class StatementNode(Node):
    """`narrow`: the parts of its own expressions (of a loop, its bounds) that the text computes in
    a type which holds less than the tree's, where too large a value has no meaning, or too small a
    one."""

    narrow: tuple[tuple[Expr, ElementType], ...] = field(default=(), repr=False)


@dataclass(frozen=True, eq=False)
class Assign(StatementNode):
    """`target = value;` with the label it was given, or None."""

    target: Access
    value: Expr
    label: str | None = None


ForKind = Literal["sequential", "parallel", "collapsed", "vector"]


@dataclass(frozen=True, eq=False)
class For(StatementNode):
    """A loop from `lower` to `upper`, both inclusive, by `step` (never 0).

    `lower` is always the first value and `upper` the bound in the direction of running: with a
    negative step the loop counts down, from `lower`, while the iterator is at least `upper`.

    `kind` is how the iterations may run: "sequential", "parallel" (OpenMP threads), "collapsed"
    (shared out with those of a parallel loop right around or inside, if `collapsing.collapsed`;
    else sequential) or "vector". `counter`: the type of the iterator, where C compares it with what
    may be larger. `compared`: what a C text compares at first, until types are resolved. `after`:
    what it computes after each turn, and types that may not hold it. Each thread of a parallel loop
    has `private` temporaries of its own. `worth`: when waking threads is worth it; None: always.
    `apart`: kernels have it in a function of its own.
    """

    iterator: str
    lower: Expr
    upper: Expr
    body: tuple[Stmt, ...]
    step: int = 1
    kind: ForKind = "sequential"
    private: tuple[str, ...] = ()
    worth: Expr | None = None
    apart: bool = False
    counter: ElementType | None = None
    compared: tuple[Expr, ...] = field(default=(), repr=False)
    after: tuple[tuple[Expr, ElementType], ...] = field(default=(), repr=False)


@dataclass(frozen=True, eq=False)
class If(StatementNode):
    """A case distinction of statements; an expression has `Select`."""

    condition: Expr
    then: tuple[Stmt, ...]
    otherwise: tuple[Stmt, ...] = ()


Stmt = Assign | For | If


# -- programs --------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Declaration(Node):
    """An array or scalar. `role` (input, output, inout, temp), `type` and `extents` are None where
    they are to be inferred. `why`: what the role follows from, where nothing says it in words."""

    name: str
    role: str | None = None
    type: ElementType | None = None
    extents: tuple[Expr, ...] | None = None
    why: str = ""


@dataclass(frozen=True, eq=False)
class Define(Node):
    """`define f(x) = x*x + 1;`: a pure function; its arguments appear as scalar accesses."""

    name: str
    arguments: tuple[str, ...]
    body: Expr


@dataclass(frozen=True, eq=False)
class Program(Node):
    """A whole SCoP as written. `assumptions` are affine conditions on the parameters. Of C:
    `parameter_types` are what it declares them to be (none: int64), `undeclared` those that nothing
    declares (bare loops), `unused` arguments; `returned` is made of what the body leaves."""

    parameters: tuple[str, ...]
    declarations: tuple[Declaration, ...]
    body: tuple[Stmt, ...]
    assumptions: tuple[Expr, ...] = ()
    functions: tuple[Define, ...] = ()
    name: str = "kernel"
    language: str = "scop"
    parameter_types: tuple[ElementType, ...] = ()
    undeclared: tuple[str, ...] = ()
    unused: tuple[Declaration, ...] = ()
    returned: str = ""
    source: Source | None = field(default=None, repr=False)


def every(body: tuple[Stmt, ...]) -> Iter[Stmt]:
    """All statements, each before those inside of it, in textual order."""
    for s in body:
        yield s
        match s:
            case For(body=inner):
                yield from every(inner)
            case If(then=a, otherwise=b):
                yield from (*every(a), *every(b))


def statements(body: tuple[Stmt, ...]) -> Iter[Assign]:
    """The assignments in textual order."""
    return (s for s in every(body) if isinstance(s, Assign))


def expressions(s: Stmt) -> tuple[Expr, ...]:
    """A statement's own expressions."""
    match s:
        case Assign():
            return s.target, s.value
        case For():
            return s.lower, s.upper, *(() if s.worth is None else (s.worth,))
        case If():
            return (s.condition,)


def accessed(body: tuple[Stmt, ...]) -> set[str]:
    """The arrays and scalars that statements and conditions read or write."""
    own = (e for s in every(body) if not isinstance(s, For) for e in expressions(s))
    return arrays(*own)
