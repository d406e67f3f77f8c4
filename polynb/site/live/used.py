"""What of islpy polynb uses: the rest is not made.

A method is kept if any file of polynb, or of its tests, names an attribute so, and a class if one
that is imported from islpy leads to it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from pathlib import Path

from polynb.site.live.generated import UPCASTS
from polynb.site.live.methods import Method, class_name

ROOT = Path(__file__).parents[2]


def kept(kinds: Mapping[str, list[Method]]) -> dict[str, list[Method]]:
    """The classes and methods that polynb may use. (Options have names that are put together.)"""
    files = (p for folder in (ROOT, ROOT.parent / "tests") for p in sorted(folder.rglob("*.py")))
    trees = [ast.parse(p.read_text(encoding="utf-8")) for p in files]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    names = {n.attr for n in nodes if isinstance(n, ast.Attribute)} | _ALWAYS
    imported = {
        a.name
        for n in nodes
        if isinstance(n, ast.ImportFrom) and n.module == "islpy"
        for a in n.names
    }
    named = {k: [m for m in own if k == "ctx" or m.name in names] for k, own in kinds.items()}
    reached = _reached(named, [k for k in kinds if k == "ctx" or class_name(k) in imported])
    return {k: [m for m in own if _kinds(m) <= reached] for k, own in named.items() if k in reached}


_ALWAYS = {
    *("read_from_str", "get_hash", "get_ctx", "size", "to_set", "to_map", "is_equal"),
    *(f"from_{other}" for others in UPCASTS.values() for other in others),
}
"""What `base.py` and the module's own converting call by other names."""


def _reached(named: Mapping[str, Iterable[Method]], first: list[str]) -> set[str]:
    found, left = set(first), list(first)
    while left:
        for method in named[left.pop()]:
            new = (_given(method) & named.keys()) - found
            found |= new
            left += new
    return found


def _given(method: Method) -> set[str]:
    """The kinds of objects that a method gives."""
    values = (method.function.result, *method.results)
    given = {v.type.removeprefix("isl_") for v in values if v.stars}
    heard = (v for a in method.function.arguments for v in a.takes or ())
    return given | {v.type.removeprefix("isl_") for v in heard if v.type != "void"}


def _kinds(method: Method) -> set[str]:
    """All kinds of objects that it gives or takes."""
    pairs = zip(method.function.arguments, method.kinds, strict=True)
    return (_given(method) - {"char", "void"}) | {
        a.type.removeprefix("isl_") for a, kind in pairs if kind in ("object", "val")
    }
