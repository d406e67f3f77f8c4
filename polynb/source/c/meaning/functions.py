"""Functions that a C text defines and calls: pure ones become `define`s."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Protocol

from pycparser import c_ast

from polynb.errors import Span
from polynb.source.c.meaning.idioms import EXTREMA, boolean, fresh
from polynb.source.c.meaning.symbols import Scopes, Symbol
from polynb.source.c.meaning.types import CType, TypeReader
from polynb.source.c.read.grammar import Places
from polynb.source.functions import argument_names
from polynb.source.mistakes import mistake
from polynb.source.tree import Access, Call, Cast, Define, Expr, rebuild, with_children
from polynb.source.types import ElementType, promote


class ExpressionReader(Protocol):
    """What reads a function's expressions (`values.Values`, which knows the functions)."""

    names: Scopes
    places: Places

    @property
    def types(self) -> TypeReader: ...

    def type_of(self, e: Expr) -> ElementType: ...

    def pure(self, node: c_ast.Node, where: str) -> Expr: ...


@dataclass(eq=False)
class Functions:
    """The functions of a text, by name; `defines` are those that are called, callees first."""

    given: dict[str, c_ast.FuncDef]
    defines: dict[str, Define] = field(default_factory=dict)
    reading: list[str] = field(default_factory=list)

    def use(self, name: str, place: Span, arguments: int, values: ExpressionReader) -> None:
        """A call. A function that the text does not define is pure and uninterpreted. Raises
        PolynbError for one that is more than a formula, and for a wrong number of arguments."""
        if name in self.reading:
            raise mistake("c.function-recursive", place, name=name)
        if name in self.given and name not in self.defines:
            self.reading.append(name)
            self.defines[name] = self._define(name, place, values)
            self.reading.remove(name)
        own = self.defines.get(name)
        expected = argument_names(name) if own is None else own.arguments
        if expected is not None and len(expected) != arguments:
            raise mistake(
                "c.function-arguments",
                place,
                name=name,
                count=len(expected),
                given=arguments,
                names=", ".join(expected),
            )

    def extremum(
        self, name: str, arguments: tuple[Expr, ...], values: ExpressionReader, span: Span
    ) -> Expr:
        """A call of a function called min or max: one that the text defines converts its
        arguments and its result, and is refused if it is something else."""
        meaning = EXTREMA[name]
        if name not in self.given:
            return Call(meaning, arguments, span=span)
        place = values.places.token(self.given[name].decl)
        own = self._define(name, place, values)
        body = own.body
        assert isinstance(body, Cast)
        match body.operand:
            case Call(
                function=f,
                arguments=(
                    Cast(type=a, operand=Access(array=first)),
                    Cast(type=b, operand=Access(array=second)),
                ),
            ) if f == meaning and first != second:
                given = dict(zip(own.arguments, arguments, strict=True))
                parts = tuple(
                    x if promote(values.type_of(x)) is t else Cast(t, x, span=x.span)
                    for x, t in ((given[first], a), (given[second], b))
                )
                return Cast(body.type, Call(meaning, parts, span=span), span=span)
        raise mistake(
            "c.extremum-other", place, name=name, which="smaller" if meaning == "min" else "larger"
        )

    def inlined(self, name: str, arguments: tuple[Expr, ...]) -> Expr:
        """What a function computes of arguments, where an affine formula may be one."""
        own = self.defines[name]
        given = dict(zip(own.arguments, arguments, strict=True))

        def leaf(node: Expr, new: tuple[Expr, ...]) -> Expr:
            if isinstance(node, Access) and not node.subscripts and node.array in given:
                return fresh(given[node.array])
            return with_children(replace(node), new)

        return rebuild(own.body, leaf)

    def _define(self, name: str, place: Span, values: ExpressionReader) -> Define:
        function = self.given[name]
        returned = formula(function)
        if returned is None:
            raise mistake("c.function-no-formula", place, name=name)
        names, scopes = values.names, values.names.scopes
        names.scopes, active = [*scopes[:2], {}], names.active  # it sees what is global
        names.active = []
        try:
            types = self._arguments(function, values)
            value = values.pure(returned, f"the function {name}")
        finally:
            names.scopes, names.active = scopes, active
        result = values.types.read(function.decl.type)
        keys = {f"{a}#{name}": (a, t) for a, t in types.items()}

        def leaf(node: Expr, new: tuple[Expr, ...]) -> Expr:
            match node:
                case Access(array=key) if key in keys:
                    plain = Access(keys[key][0], (), span=node.span)
                    return _converted(plain, keys[key][1])
                case Access(array=key):
                    raise mistake(
                        "c.function-reads", node.span, name=name, read=names.symbols[key].name
                    )
            return with_children(node, new)

        body = _converted(rebuild(value, leaf), result)
        return Define(name, tuple(types), body, span=values.places.token(function.decl))

    def _arguments(self, function: c_ast.FuncDef, values: ExpressionReader) -> dict[str, CType]:
        found: dict[str, CType] = {}
        arguments = function.decl.type.args
        for p in arguments.params if arguments else ():
            if not isinstance(p, c_ast.Decl):
                continue
            type_ = values.types.read(p)
            span = values.places.token(p)
            if type_.dims:
                raise mistake("c.function-array", span, name=p.name)
            key = f"{p.name}#{function.decl.name}"
            symbol = Symbol(p.name, key, "argument", type_, span, rank=0)
            values.names.symbols[key] = symbol
            values.names.scopes[-1][p.name] = symbol
            found[p.name] = type_
        return found


def _converted(e: Expr, type_: CType) -> Cast:
    """An argument or a result in its type."""
    return Cast(type_.element, boolean(e) if type_.boolean else e, span=e.span)


def formula(function: c_ast.FuncDef) -> c_ast.Node | None:
    """The expression of a function that only returns one; None for any other."""
    items = function.body.block_items or []
    match items:
        case [c_ast.Return(expr=e)] if e is not None:
            return e
    return None
