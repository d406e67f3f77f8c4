"""What each variable of a C text turns out to be, and its final name.

A parameter is an integer that is never written and read where values must be affine: in a
bound, a subscript, an extent, or a condition that does not depend on data.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator as Iter, Mapping
from dataclasses import dataclass, field, replace

from polynb.errors import Span
from polynb.source.c.meaning.conversions import Conversions
from polynb.source.c.meaning.forward import forward_indices
from polynb.source.c.meaning.live_out import KILL, Afterwards
from polynb.source.c.meaning.symbols import Symbol
from polynb.source.mistakes import mistake
from polynb.source.names import new_name
from polynb.source.operators import says_data
from polynb.source.tree import (
    Access,
    Assign,
    Binary,
    Declaration,
    Define,
    Expr,
    For,
    If,
    Iterator,
    Parameter,
    Select,
    Stmt,
    Unary,
    every,
    rebuild,
    walk,
    with_children,
)
from polynb.source.types import INT64, ElementType

Places = dict[str, Span | None]


@dataclass(eq=False)
class Uses:
    """Where the variables, by key, are used: the first place of each kind."""

    written: dict[str, list[Span | None]] = field(default_factory=dict)
    read: Places = field(default_factory=dict)
    affine: Places = field(default_factory=dict)  # subscripts and bounds
    bounds: Places = field(default_factory=dict)  # loop bounds and extents
    atoms: list[Expr] = field(default_factory=list)  # comparisons in conditions

    def block(self, body: tuple[Stmt, ...]) -> None:
        for s in every(body):
            match s:
                case Assign(target=target, value=value):
                    self.written.setdefault(target.array, []).append(target.span)
                    self.expression(value)
                    for e in target.subscripts:
                        self.expression(e)
                        _note(self.affine, e)
                case For(lower=lower, upper=upper):
                    self.bound(lower)
                    self.bound(upper)
                case If(condition=condition):
                    self.expression(condition)
                    self.atoms += _atoms(condition)

    def bound(self, e: Expr) -> None:
        self.expression(e)
        _note(self.affine, e)
        _note(self.bounds, e)

    def expression(self, e: Expr) -> None:
        _note(self.read, e)
        for node in walk(e):
            if isinstance(node, Access):
                for subscript in node.subscripts:
                    _note(self.affine, subscript)
            if isinstance(node, Select):
                self.atoms += _atoms(node.condition)


def _note(places: Places, e: Expr) -> None:
    for node in walk(e):
        if isinstance(node, Access):
            places.setdefault(node.array, node.span)


def _atoms(e: Expr) -> list[Expr]:
    match e:
        case Binary(op="&&" | "||", left=a, right=b):
            return _atoms(a) + _atoms(b)
        case Unary(op="!", operand=x):
            return _atoms(x)
    return [e]


@dataclass(frozen=True, eq=False)
class Resolved:
    """A program's parts, with final names. `types` are what C declares the parameters to be,
    `undeclared` the parameters that nothing declares, `unused` the arguments that nothing uses."""

    parameters: tuple[str, ...]
    types: tuple[ElementType, ...]
    declarations: tuple[Declaration, ...]
    body: tuple[Stmt, ...]
    undeclared: tuple[str, ...]
    unused: tuple[Declaration, ...]
    assumptions: tuple[Expr, ...] = ()


@dataclass(eq=False)
class Resolver:
    """Gives the variables of a body their roles and names. `after` is what happens to them after
    the region; `bare`: the text is no function, so that its top declarations are its arrays."""

    symbols: dict[str, Symbol]
    after: Afterwards
    bare: bool
    functions: Mapping[str, Define] = field(default_factory=dict)
    uses: Uses = field(default_factory=Uses)
    names: dict[str, str] = field(default_factory=dict)
    parameters: set[str] = field(default_factory=set)

    @property
    def conversions(self) -> Conversions:
        return Conversions(self.symbols, self.parameters, self.functions)

    def resolve(self, body: tuple[Stmt, ...], assumptions: tuple[Expr, ...] = ()) -> Resolved:
        """Raises PolynbError for bounds that change, and iterators used outside their loops."""
        self.uses.block(body)
        body = self._forwarded(body)
        for e in assumptions:
            self.uses.bound(e)
        for key in [k for k in self.symbols if k in self.uses.read or k in self.uses.written]:
            for extent in self.symbols[key].extents or ():
                self._check_extent(self.symbols[key], extent)
                self.uses.bound(extent)
        accessed = self.uses.read.keys() | self.uses.written.keys()
        used = [s for k, s in self.symbols.items() if k in accessed]
        affine = self.uses.affine.keys() | set().union(*self._affine_atoms())
        self.parameters = {s.key for s in used if s.key in affine and self._is_constant(s)}
        for symbol in used:
            self._check(symbol)
        self._name(used)
        sizes = [s for s in used if s.key in self.parameters]
        return Resolved(
            tuple(self.names[s.key] for s in sizes),
            tuple(INT64 if s.type is None else s.type.element for s in sizes),
            tuple(self._declaration(s) for s in used if s.key not in self.parameters),
            self._block(body, {}),
            tuple(self.names[s.key] for s in sizes if s.kind == "free"),
            tuple(
                Declaration(s.name, None, span=s.span)
                for s in self.symbols.values()
                if s.kind == "argument" and s not in used
            ),
            tuple(self._value(e, {}) for e in assumptions),
        )

    def _forwarded(self, body: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        """Without the locals that only name an index, unless somebody sees them afterwards."""
        affine = self.uses.affine.keys() | self._compared()
        shorter = forward_indices(body, self.symbols, affine, lambda s: self._role(s)[0] == "temp")
        if shorter is not body:
            self.uses = Uses()
            self.uses.block(shorter)
        return shorter

    def _compared(self) -> set[str]:
        """The variables of conditions."""
        nodes = (x for atom in self.uses.atoms for x in walk(atom))
        return {x.array for x in nodes if isinstance(x, Access)}

    # -- roles -------------------------------------------------------------------------

    def _is_constant(self, s: Symbol) -> bool:
        """Whether it is an integer that never changes."""
        unset = s.kind == "local" and not (self.bare and s.top)
        return not (s.rank or s.integer is False or unset or s.key in self.uses.written)

    def _affine_atoms(self) -> Iter[set[str]]:
        """The variables of each comparison that does not depend on data."""
        for atom in self.uses.atoms:
            nodes = list(walk(atom))
            keys = {x.array for x in nodes if isinstance(x, Access)}
            others = (x for x in nodes if not isinstance(x, Access) or x.subscripts)
            data = any(map(says_data, others)) or any(
                k in self.uses.written or self.symbols[k].integer is False for k in keys
            )
            if not data:
                yield keys

    def _role(self, s: Symbol) -> tuple[str | None, str]:
        """temp, and why, for what nobody can see afterwards; else None: to be inferred."""
        written = s.key in self.uses.written
        dead = self.after.dead.get(s.name)
        later = s.name in self.after.used or (s.rank and s.name in self.after.aliased)
        outermost = s.kind != "local" or s.top  # the names afterwards mean these
        if s.kind == "temporary":
            return "temp", "made by splitting a statement"
        if written and outermost and dead is not None:
            return "temp", dead
        match s.kind:
            case "local" if not s.top or not (self.bare or later):
                return "temp", "local, and not used after the loops"
            case "argument" if written and not s.rank and not later:
                return "temp", "an argument passed by value"
            case "outer" if written and not s.shared and not later:
                return "temp", "local, and not used after the loops"
        return None, ""

    def check_kills(self, targets: Iterable[tuple[Symbol, Span]]) -> None:
        """Raises PolynbError for a kill of what the region does not use."""
        for s, place in targets:
            if s.key not in self.uses.written and s.key not in self.uses.read:
                raise mistake("c.kill-unused", place, symbol=s, kill=KILL)

    def _check(self, s: Symbol) -> None:
        if s.iterates:
            place = [*self.uses.written.get(s.key, ()), self.uses.read.get(s.key)][0]
            raise mistake("c.iterator-outside", place, symbol=s)
        if s.key in self.uses.bounds and s.key in self.uses.written and not s.rank:
            later = [place for place in self.uses.written[s.key] if place is not s.span]
            raise mistake(
                "c.bound-changes",
                later[0] if later else s.span,
                symbol=s,
                change="change" if later else "depend on data",
            )

    def _check_extent(self, s: Symbol, extent: Expr) -> None:
        for node in walk(extent):
            if isinstance(node, Iterator) or (isinstance(node, Access) and node.subscripts):
                raise mistake("c.extent-unknown", node.span, symbol=s)

    # -- names -------------------------------------------------------------------------

    def _name(self, used: list[Symbol]) -> None:
        taken: set[str] = set()
        for s in used:
            self.names[s.key] = new_name(s.name, taken, f"{s.name}_", 1)
            taken.add(self.names[s.key])

    def _declaration(self, s: Symbol) -> Declaration:
        extents = None
        if s.extents is not None:
            extents = tuple(self._expression(e, {}) for e in s.extents)
        element = s.type.element if s.type is not None else None
        if s.type is not None and not s.type.dims:
            extents = ()
        role, why = self._role(s)
        return Declaration(self.names[s.key], role, element, extents, why, span=s.span)

    def _block(self, body: tuple[Stmt, ...], iterators: dict[str, str]) -> tuple[Stmt, ...]:
        return tuple(self._statement(s, iterators) for s in body)

    def _statement(self, s: Stmt, iterators: dict[str, str]) -> Stmt:
        match s:
            case Assign(target=target, value=value):
                new = self._value(target, iterators)
                assert isinstance(new, Access)
                narrow = self._narrow((target, value), iterators)
                return replace(s, target=new, value=self._value(value, iterators), narrow=narrow)
            case For(iterator=key, lower=lower, upper=upper, body=body):
                taken = {*self.names.values(), *iterators.values()}
                name = self.symbols[key].name
                inside = {**iterators, key: new_name(name, taken, f"{name}_", 1)}
                return replace(
                    s,
                    iterator=inside[key],
                    lower=self._value(lower, iterators),
                    upper=self._value(upper, iterators),
                    body=self._block(body, inside),
                    narrow=self._narrow((lower, *s.compared), iterators),
                    compared=(),
                    after=tuple((self._expression(e, inside), t) for e, t in s.after),
                )
            case If(condition=condition, then=a, otherwise=b):
                return replace(
                    s,
                    condition=self._value(condition, iterators),
                    then=self._block(a, iterators),
                    otherwise=self._block(b, iterators),
                    narrow=self._narrow((condition,), iterators),
                )

    def _value(self, e: Expr, iterators: dict[str, str]) -> Expr:
        """An expression with C's conversions and final names."""
        return self._expression(self.conversions.converted(e), iterators)

    def _narrow(
        self, expressions: Iterable[Expr], iterators: dict[str, str]
    ) -> tuple[tuple[Expr, ElementType], ...]:
        parts = (x for e in expressions for x in self.conversions.narrow(e))
        return tuple((self._expression(node, iterators), t) for node, t in parts)

    def _expression(self, e: Expr, iterators: dict[str, str]) -> Expr:
        def leaf(node: Expr, new: tuple[Expr, ...]) -> Expr:
            match node:
                case Iterator(name=key):
                    return replace(node, name=iterators[key])
                case Access(array=key) if key in self.parameters:
                    return Parameter(self.names[key], span=node.span)
                case Access(array=key):
                    return replace(node, array=self.names[key], subscripts=new)
            return with_children(node, new)

        return rebuild(e, leaf)
