"""Which functions calls through pointers may lead to, whichever way a program takes.

A variable whose every mention calls it or assigns to it leads to what it is assigned, by name and
in any order; all else, a parameter or a member, may lead wherever the text takes an address.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pycparser import c_ast

from polynb.tracing.instrument.reading import walk
from polynb.tracing.library import TABLE


@dataclass(frozen=True, eq=False)
class Pointed:
    """`every` function whose address is taken, also of the library; the `variables` of the text,
    what those lead to that are `known`, and the `elements` of those that are lists, for good."""

    every: frozenset[str] = frozenset()
    variables: frozenset[str] = frozenset()
    known: Mapping[str, frozenset[str]] = field(default_factory=dict)
    elements: Mapping[tuple[str, str], frozenset[str]] = field(default_factory=dict)

    def by(self, callee: Any) -> frozenset[str]:
        """The functions that a call of an expression may lead to."""
        base = _base(callee)
        if base is not None and base.name in self.known:
            match callee:
                case c_ast.ArrayRef(name=c_ast.ID(name=name), subscript=c_ast.Constant(value=k)):
                    return self.elements.get((name, k), self.known[name])
            return self.known[base.name]
        found = _targets(callee, self.variables)
        return self.every if found is None else found

    def named(self, e: Any) -> frozenset[str] | None:
        """The functions that an expression names, and what it may be; None where it is more."""
        return _targets(e, self.variables)


def pointed_in(file: Any, functions: Iterable[str]) -> Pointed:
    """Those of a whole text."""
    nodes = list(walk(file))
    declared = [x for x in nodes if isinstance(x, c_ast.Decl) and x.name]
    variables = frozenset(x.name for x in declared if not isinstance(x.type, c_ast.FuncDecl))
    named = {x.name for x in declared if isinstance(x.type, c_ast.FuncDecl)}
    called = {id(x.name) for x in nodes if isinstance(x, c_ast.FuncCall)}
    mentioned = {x.name for x in nodes if isinstance(x, c_ast.ID) and id(x) not in called}
    every = mentioned & ({*functions} | ((TABLE.keys() | named) - variables))
    values: dict[str, set[str]] = {name: set() for name in variables - {*functions}}
    used, lent = set[int](), set[str]()
    for x in nodes:
        match x:
            case c_ast.ParamList(params=params):
                lent |= {p.name for p in params if isinstance(p, c_ast.Decl) and p.name}
            case c_ast.FuncCall(name=callee) if (base := _base(callee)) is not None:
                used.add(id(base))
    lists: dict[str, list[Any]] = {}
    for base, value in _assigned(nodes):
        found = _targets(value, variables)
        name = base if isinstance(base, str) else base.name
        lists.setdefault(name, []).append(value)
        used.add(id(base))
        if found is None:
            lent.add(name)
        else:
            values.setdefault(name, set()).update(found)
    lent |= {x.name for x in nodes if isinstance(x, c_ast.ID) and id(x) not in used}
    lent |= {x.name for x in declared if "extern" in x.storage}
    known = {n: frozenset(found) for n, found in values.items() if n not in lent}
    elements = {
        (name, str(k)): _targets(e, variables) or frozenset()
        for name, assigned in lists.items()
        if name in known and len(assigned) == 1 and isinstance(assigned[0], c_ast.InitList)
        if not any(isinstance(e, c_ast.NamedInitializer) for e in assigned[0].exprs)
        for k, e in enumerate(assigned[0].exprs)
    }
    return Pointed(frozenset(every), variables, known, elements)


def _assigned(nodes: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
    """The variables that are assigned, or begin with something, and what."""
    for x in nodes:
        match x:
            case c_ast.Decl(name=str(name), init=init) if init is not None:
                yield name, init
            case c_ast.Assignment(op="=", lvalue=place, rvalue=value):
                if (base := _base(place)) is not None:
                    yield base, value


def _base(e: Any) -> Any:
    """The variable that `f`, `*f`, `f[i]` are about."""
    match e:
        case c_ast.ID():
            return e
        case c_ast.ArrayRef(name=inner) | c_ast.UnaryOp(op="*", expr=inner):
            return _base(inner)
    return None


def _targets(e: Any, variables: frozenset[str]) -> frozenset[str] | None:
    """The functions that an expression may be; None where that is not known."""
    match e:
        case c_ast.ID(name=name):
            return None if name in variables else frozenset((name,))
        case c_ast.Constant():
            return frozenset()
        case c_ast.Cast(expr=inner) | c_ast.UnaryOp(op="&" | "*", expr=inner):
            return _targets(inner, variables)
        case c_ast.NamedInitializer(expr=inner) | c_ast.Assignment(op="=", rvalue=inner):
            return _targets(inner, variables)
        case c_ast.TernaryOp(iftrue=a, iffalse=b):
            parts = [a, b]
        case c_ast.InitList(exprs=parts):
            pass
        case _:
            return None
    found = [_targets(part, variables) for part in parts]
    sure = [f for f in found if f is not None]
    return frozenset().union(*sure) if len(sure) == len(found) else None
