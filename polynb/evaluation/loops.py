"""What loops a program has: its nests, what they have in common, its outermost bands."""

from __future__ import annotations

from polynb.codegen.scan import scan
from polynb.derivation import Derivation, as_scop
from polynb.scop import Scop
from polynb.scop.schedule import Band, Tree, subtrees
from polynb.source import tree as syntax

Body = tuple[syntax.Stmt, ...]


def nests(program: Scop | Derivation) -> int:
    """How many loop nests the generated code has, one after the other."""
    return _nests(scan(as_scop(program)).body)


def _nests(body: Body) -> int:
    found = 0
    for s in body:
        match s:
            case syntax.For():
                found += 1
            case syntax.If(then=then, otherwise=otherwise):
                found += _nests(then) + _nests(otherwise)
            case syntax.Assign():
                pass
    return found


def common_loops(program: Scop | Derivation) -> int:
    """How many loops of the generated code are around all statements at once."""
    body, found = scan(as_scop(program)).body, 0
    while len(body) == 1:
        match body[0]:
            case syntax.For(body=inner):
                body, found = inner, found + 1
            case syntax.If(then=inner, otherwise=()):
                body = inner
            case _:
                break
    return found


def outer_bands(program: Scop | Derivation) -> list[Band]:
    """The outermost bands of a program's schedule."""
    return _outer_bands(as_scop(program).schedule)


def _outer_bands(tree: Tree) -> list[Band]:
    if isinstance(tree, Band):
        return [tree]
    return [band for t in subtrees(tree) for band in _outer_bands(t)]


def tileable(program: Scop | Derivation) -> list[Band]:
    """Those of them of which two loops or more may be exchanged, and so tiled."""
    return [b for b in outer_bands(program) if b.permutable and b.depth > 1]


def permutable(program: Scop | Derivation) -> str:
    """How many loops of each outermost band may be exchanged, "2 + 1": one is none."""
    return " + ".join(str(b.depth if b.permutable else 1) for b in outer_bands(program))
