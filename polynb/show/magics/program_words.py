"""What a word in the program of a cell can become: the program's own names, and its language's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from polynb.source.functions import MATH_FUNCTIONS
from polynb.source.names import BUILTINS, RESERVED
from polynb.source.parse import detect
from polynb.source.types import TYPES

C_TYPES: Final[tuple[str, ...]] = (
    "char",
    "double",
    "float",
    "int",
    "long",
    "short",
    "unsigned",
    "void",
)
C_KEYWORDS: Final[tuple[str, ...]] = ("const", "else", "for", "if", "restrict", "return", "static")

_COMMENT = re.compile(r"//[^\r\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_LABEL = re.compile(r"//[ \t]*([A-Za-z_]\w*)[ \t]*$", re.MULTILINE)
_DIRECTIVE = re.compile(r"^[ \t]*#.*$", re.MULTILINE)
_NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
_WORD = re.compile(r"(?<![\w.])[A-Za-z_]\w*\Z|(?<![\w.])\Z")


class Candidate(NamedTuple):
    """A word, and what it is, as JupyterLab's menu shows it."""

    text: str
    kind: str


def candidates(program: str, offset: int, language: str | None) -> tuple[str, list[Candidate]]:
    """The word that ends at an offset of a program, and what can stand in its place.

    The program may be unfinished: of its names, only what they look like is known. Where no word
    has begun, only these are offered; in comments, the labels of statements too.
    """
    found = _WORD.search(program[:offset])
    if found is None:
        return "", []
    word = found.group()
    others = program[: found.start()] + " " * len(word) + program[offset:]
    in_comment = any(m.start() < found.start() < m.end() for m in _COMMENT.finditer(others + "\n"))
    if in_comment and not word:
        return "", []
    language = language or detect(program)
    known = list(_own(others, language))
    if in_comment:
        known += [Candidate(label, "statement") for label in _LABEL.findall(others)]
    elif word:
        known += _of_language(language)
    fitting = {c.text: c for c in reversed(known) if c.text.startswith(word) and c.text != word}
    return word, list(reversed(fitting.values()))


def _own(program: str, language: str) -> Iterator[Candidate]:
    """The names of a program, in the order of the text."""
    code = _COMMENT.sub(" ", program)
    taken = RESERVED
    if language == "c":
        code, taken = _DIRECTIVE.sub("", code), frozenset({*C_TYPES, *C_KEYWORDS})
    for found in _NAME.finditer(code):
        name, after = found.group(), code[found.end() :].lstrip()[:1]
        if name not in taken and not (language == "scop" and after == ":" and _begins(code, found)):
            yield Candidate(name, "function" if after == "(" else "instance")


def _begins(code: str, found: re.Match[str]) -> bool:
    """Whether a statement can begin here, so that a name before a colon is its label."""
    before = code[: found.start()].rstrip()
    return re.search(r"(?:\A|;|\b(?:do|then|else|done|fi))\Z", before) is not None


def _of_language(language: str) -> Iterator[Candidate]:
    if language == "c":
        keywords, types, functions = C_KEYWORDS, C_TYPES, tuple(MATH_FUNCTIONS)
    else:
        types, functions = tuple(TYPES), (*BUILTINS, *MATH_FUNCTIONS)
        keywords = tuple(sorted(RESERVED.difference(types, BUILTINS)))
    yield from (Candidate(k, "keyword") for k in keywords)
    yield from (Candidate(t, "class") for t in types)
    yield from (Candidate(f, "function") for f in functions)
