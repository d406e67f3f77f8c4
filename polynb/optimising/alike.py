"""Nests that are the same but for the names of their statements, arrays and parameters: what is
decided of one is decided of the others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Final

from polynb import isl
from polynb.dependences.model import Edge
from polynb.scop.model import Array, MemoryAccess, Scop, Statement
from polynb.scop.schedule import Band, Filter, Mark, Tree, subtrees, walk
from polynb.source.tree import Expr, own, rebuild

_WORD: Final = re.compile(r"[^\W\d]\w*")
_PARAMETERS: Final = re.compile(r"^\[[^]]*\] -> ")


def likeness(
    nest: Scop, edges: Iterable[Edge], known: Iterable[Mapping[str, object]], *trees: Tree
) -> str:
    """All that a model sees of a nest in the order of trees, its names by the order in which they
    come up: of two nests it is the same text only if one is the other under other names. `known`:
    what else is known of statements, or of parameters, by name."""
    said = "\n".join(chain(_said(nest), map(_edge, edges), *map(_tree, trees)))
    names = {*nest.by_name, *nest.arrays, *nest.parameters}
    used = [n for n in dict.fromkeys(_WORD.findall(said)) if n in names]
    facts = (f"{n} {[k.get(n) for k in (*known, nest.parameter_types)]}" for n in used)
    number = {n: f"${k}" for k, n in enumerate(used)}
    return _WORD.sub(lambda m: number.get(m[0], m[0]), "\n".join((said, *facts)))


def _said(nest: Scop) -> Iterator[str]:
    yield _text(nest.assumed)
    for s in nest.statements:
        yield from _statement(s)
    used = dict.fromkeys(a.array for s in nest.statements for a in (s.write, *s.reads))
    written = {s.write.array for s in nest.statements}
    for name in used:
        yield _array(nest.arrays[name], name in written)


def _statement(s: Statement) -> Iterator[str]:
    yield f"{s.name} {s.iterators} {_text(s.domain)} {_access(s.write)}"
    yield from map(_access, s.reads)
    for e in (s.write.node, s.expression, *([] if s.guard is None else [s.guard])):
        yield _expression(e)


def _access(a: MemoryAccess) -> str:
    return f"{_text(a.relation)} {a.must}"


def _expression(e: Expr) -> str:
    """Each node once, by number."""
    nodes: list[str] = []

    def number(node: Expr, parts: tuple[int, ...]) -> int:
        nodes.append(f"{type(node).__name__}{own(node)}{parts}")
        return len(nodes)

    rebuild(e, number)
    return "; ".join(nodes)


def _tree(tree: Tree) -> Iterator[str]:
    for node in walk(tree):
        yield f"{type(node).__name__} {len(subtrees(node))} {_node(node)}"


def _node(node: Tree) -> str:
    match node:
        case Band(members=m, permutable=p, loops=loops):
            return f"{_by_name(m)} {p} {loops}"
        case Filter(domains=d):
            return _by_name(d)
        case Mark(what=what):
            return str(what)
    return ""


def _by_name(parts: Mapping[str, isl.Map] | Mapping[str, isl.Set | None]) -> str:
    return "; ".join(f"{n} {_text(x)}" for n, x in parts.items())


def _array(a: Array, written: bool) -> str:
    """Where the content of an array comes from, and whether somebody wants it, only where that may
    change what is legal: of inputs of a nest it does not."""
    extents = [_text(e) for e in a.extents]
    content = f"{a.role} {a.live_in}" if written or a.role == "temp" else ""
    return f"{a.name} {a.type} {extents} {content} {a.sized} {_text(a.storage)}"


def _edge(e: Edge) -> str:
    return f"{e.kind} {e.array} {e.source} {e.target} {_text(e.relation)} {e.read} {e.exact}"


def _text(x: isl.Set | isl.Map | isl.PwAff | None) -> str:
    """Without all the parameters that there are."""
    return _PARAMETERS.sub("", str(x))
