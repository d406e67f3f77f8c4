"""The functions in the C files of a folder."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pycparser import c_ast

from polynb.errors import PolynbError, Source
from polynb.source.c.read.grammar import parse_grammar
from polynb.source.c.read.tokens import preprocess

INCLUDE: Final = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"][^\n]*$', re.MULTILINE)


@dataclass(frozen=True)
class CFunction:
    """A function of a C file (whose headers are in `text`); None where its functions cannot be
    told, or it has none: a bare loop nest."""

    file: str
    text: str
    function: str | None


def places(folder: Path, include: Sequence[Path] = ()) -> Iterator[CFunction]:
    """All functions with `#pragma scop` of the C files below a folder; of a file without any, all
    functions. Headers are looked for beside the file and in the folders of `include`; what is in
    neither is left to the preprocessor, which knows the standard ones."""
    for path in sorted(folder.rglob("*.c")):
        name = path.relative_to(folder).as_posix()
        text = with_headers(path, include)
        try:
            grammar = parse_grammar(Source(text, name), preprocess(Source(text, name)))
        except (PolynbError, RecursionError):
            yield CFunction(name, text, None)  # reading it again will say why
            continue
        functions = [e for e in grammar.file.ext if isinstance(e, c_ast.FuncDef)]
        marked = [f for f in functions if _has_pragma(f.body)]
        chosen = [f.decl.name for f in marked or functions]
        for function in [None] if grammar.bare else chosen:
            yield CFunction(name, text, function)


def with_headers(path: Path, include: Sequence[Path], known: frozenset[Path] = frozenset()) -> str:
    """A file's text with the headers that are found in place of their `#include`s."""

    def content(found: re.Match[str]) -> str:
        for directory in (path.parent, *include):
            header = (directory / found[1]).resolve()
            if header.is_file():
                again = header in known
                return "" if again else with_headers(header, include, known | {header})
        return found[0]

    return INCLUDE.sub(content, path.read_text(encoding="utf-8", errors="replace"))


def _has_pragma(node: Any) -> bool:
    if isinstance(node, c_ast.Pragma):
        return True
    return any(_has_pragma(child) for _, child in node.children())
