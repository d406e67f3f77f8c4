"""Variables whose address is taken, and the loops that have one for themselves all the same.

`scanf("%d", &i)` needs `i` in memory. But in `for (i = 0; i < n; i++)` elsewhere nobody reaches it
by its address: there it is a counter like others, and lies in memory again after the loop.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pycparser import c_ast

from polynb.tracing.instrument.reading import LOOPS, walk
from polynb.tracing.library import library_call

SCOPES: Final = (c_ast.Compound, c_ast.For, c_ast.Struct, c_ast.Union, c_ast.FuncDecl)
GIVING_BACK: Final = ("frexp", "frexpf", "modf", "modff", "time")
"""Functions of the library, beside those that scan, that write where they are told, and keep no
address."""


@dataclass(frozen=True, eq=False)
class NameUse:
    """A name in an expression: what declares it (None: nothing in its function), and what is
    around, outermost first."""

    name: Any
    declared: Any
    around: tuple[Any, ...]

    @property
    def lends(self) -> bool:
        """Whether its address is taken."""
        return isinstance(self.around[-1], c_ast.UnaryOp) and self.around[-1].op == "&"

    @property
    def begins(self) -> Any:
        """The `for` that begins by giving it a value, and that no jump leaves; or None."""
        first, loop = self.around[-1], self.around[-2] if len(self.around) > 1 else None
        sets = isinstance(first, c_ast.Assignment) and first.op == "=" and first.lvalue is self.name
        if not sets or not isinstance(loop, c_ast.For) or loop.init is not first:
            return None
        return None if any(isinstance(x, c_ast.Goto) for x in walk(loop)) else loop


def uses(function: Any) -> list[NameUse]:
    """Those of a function's variables and of others, in the order of the text."""
    return list(_uses(function.body, (), [{p.name: p for p in _parameters(function)}]))


def _parameters(function: Any) -> list[Any]:
    args = function.decl.type.args
    return [p for p in args.params if isinstance(p, c_ast.Decl)] if args is not None else []


def _uses(node: Any, around: tuple[Any, ...], scopes: list[dict[str, Any]]) -> Iterator[NameUse]:
    if isinstance(node, c_ast.ID):
        declared = next((s[node.name] for s in reversed(scopes) if node.name in s), None)
        yield NameUse(node, declared, around)
        return
    if isinstance(node, c_ast.Decl | c_ast.Typedef) and node.name:
        scopes[-1][node.name] = node
    inner = [*scopes, {}] if isinstance(node, SCOPES) else scopes
    for _, child in node.children():
        if not (isinstance(node, c_ast.StructRef) and child is node.field):
            yield from _uses(child, (*around, node), inner)


def addressed(found: Sequence[NameUse]) -> frozenset[int]:
    """The declarations (by their `id`) of variables whose address is taken."""
    return frozenset(id(u.declared) for u in found if u.declared is not None and u.lends)


def own_counters(found: Sequence[NameUse], functions: Mapping[str, Any]) -> frozenset[int]:
    """The loops (by their `id`) that begin by setting a variable whose address is taken, and in
    which nobody reaches it by that: it is only taken later, or for calls that do not keep it. (What
    is static may have been taken in an earlier call.)"""
    lent: dict[int, list[int]] = {}
    for k, u in enumerate(found):
        if u.lends and u.declared is not None and not u.declared.storage:
            lent.setdefault(id(u.declared), []).append(k)

    def away(k: int, at: int) -> bool:
        v, u = found[k], found[at]
        later = k > at and not any(x in u.around for x in v.around if isinstance(x, LOOPS))
        return u.begins not in v.around and (later or _for_a_call(v, functions))

    return frozenset(
        id(u.begins)
        for at, u in enumerate(found)
        if id(u.declared) in lent and u.begins is not None
        if all(away(k, at) for k in lent[id(u.declared)])
    )


def _for_a_call(u: NameUse, functions: Mapping[str, Any]) -> bool:
    """Whether an address is given to a function that has it during the call alone."""
    around = [x for x in u.around if not isinstance(x, c_ast.Cast)]
    if len(around) < 3 or not isinstance(around[-3], c_ast.FuncCall):
        return False
    callee, given = around[-3].name, around[-2]
    if given is not around[-3].args or not isinstance(callee, c_ast.ID):
        return False
    if callee.name not in functions:
        known = library_call(callee.name)
        return callee.name in GIVING_BACK or (known is not None and known.scanned is not None)
    parameters = _parameters(functions[callee.name])
    k = next(k for k, e in enumerate(given.exprs) if any(x is u.name for x in walk(e)))
    return k < len(parameters) and _only_follows(functions[callee.name], parameters[k])


def _only_follows(function: Any, parameter: Any) -> bool:
    """Whether a function only reads and writes what a parameter leads to."""
    return all(
        isinstance(u.around[-1], c_ast.UnaryOp)
        and u.around[-1].op == "*"
        and not (isinstance(u.around[-2], c_ast.UnaryOp) and u.around[-2].op == "&")
        for u in uses(function)
        if u.declared is parameter
    )
