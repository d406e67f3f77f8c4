"""The mutants of a file: of which function, what an expression becomes, and its code."""

from __future__ import annotations

import ast
import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType
from typing import Any, Final

from .changes import variants

FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
SAID: Final = ("hint", "reason")
"""Arguments that are sentences."""
SPEAKING: Final = ("__str__", "__repr__", "to_html", "to_svg")
"""Functions that say, and do not decide."""


@dataclass(frozen=True)
class Mutant:
    """In a function of a file, the `number`th expression `was` (of its equals there) `becomes`
    something else. `lines`: where it stands, `where`: its number and that of its change."""

    file: str
    function: str
    was: str
    becomes: str
    number: int
    lines: tuple[int, int]
    where: tuple[int, int]

    @property
    def key(self) -> str:
        """What it is called as long as nobody changes the function."""
        return key_of(self.file, self.function, self.was, self.becomes, self.number)

    def rank(self, seed: int) -> str:
        """Where it comes in the draw. A change elsewhere leaves that as it is."""
        return hashlib.sha256(f"{seed} {self.key}".encode()).hexdigest()


def key_of(file: str, function: str, was: str, becomes: str, number: int = 1) -> str:
    return f"{file} {function}: {was} -> {becomes} ({number})"


def drawn(root: Path, files: Iterable[Path], seed: int, most: int) -> list[Mutant]:
    """The first mutants of some files in the order of a seed."""
    found = [m for f in files for m in mutants(root, f)]
    return sorted(found, key=lambda m: m.rank(seed))[:most]


def mutants(root: Path, file: Path) -> Iterator[Mutant]:
    name, tree = str(file.relative_to(root)), ast.parse(file.read_text())
    for function, node in _functions(tree):
        seen: Counter[tuple[str, str]] = Counter()
        for at, (x, decides) in enumerate(_expressions(node)):
            was = ast.unparse(x)
            for way, other in enumerate(variants(x, decides)):
                becomes = ast.unparse(ast.fix_missing_locations(other))
                seen[was, becomes] += 1
                lines = x.lineno, x.end_lineno or x.lineno
                yield Mutant(name, function, was, becomes, seen[was, becomes], lines, (at, way))


def _functions(tree: ast.AST, inside: str = "") -> Iterator[tuple[str, Any]]:
    """Functions that are in no other one, by their qualified names."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef):
            yield from _functions(node, f"{inside}{node.name}.")
        elif isinstance(node, FUNCTIONS) and node.name not in SPEAKING:
            yield inside + node.name, node


def _expressions(function: Any) -> Iterator[tuple[ast.expr, bool]]:
    """The expressions in a function's body that compute, and whether each is a condition."""
    pending: list[tuple[ast.AST, bool]] = [(x, False) for x in reversed(function.body)]
    while pending:
        node, decides = pending.pop()
        if isinstance(node, ast.Raise | ast.Assert | ast.JoinedStr | ast.pattern):
            continue
        if isinstance(node, ast.expr):
            yield node, decides
        pending += [(x, _is_condition(x, node)) for x in reversed(list(_computing(node)))]


def _is_condition(x: ast.AST, of: ast.AST) -> bool:
    if isinstance(of, ast.comprehension):
        return x in of.ifs
    return isinstance(of, ast.If | ast.IfExp) and x is of.test


def _computing(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of a node that are neither types nor sentences."""
    match node:
        case ast.AnnAssign():
            yield from [] if node.value is None else [node.value]
        case ast.keyword() if node.arg in SAID:
            return
        case ast.Call(ast.Name("isinstance"), [x, *_]):
            yield x
        case ast.Call(ast.Name("cast"), [_, x]):
            yield x
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            yield from node.body
        case _:
            yield from ast.iter_child_nodes(node)


# -- their code --------------------------------------------------------------------------------


def code(root: Path, m: Mutant) -> CodeType:
    """The code of the function of a mutant."""
    path = root / m.file
    tree = ast.parse(path.read_text())
    function = dict(_functions(tree))[m.function]
    at, way = m.where
    node, decides = list(_expressions(function))[at]
    other = list(variants(node, decides))[way]
    ast.copy_location(other, node)
    _Exchange(node, other).visit(function)
    module = compile(ast.fix_missing_locations(tree), str(path), "exec")
    return next(c for c in _codes(module) if c.co_qualname == m.function)


class _Exchange(ast.NodeTransformer):
    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> Any:
        return self.new if node is self.old else self.generic_visit(node)


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _codes(inner)
