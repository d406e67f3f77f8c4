"""The names that a magic's line can use: the arrays and parameters of the programs it is about; and
what a word in the program of a cell can become: the program's own names, and its language's."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from polynb.derivation import Derivation
from polynb.scop import Scop
from polynb.show.magics.programs import GALLERY
from polynb.source.functions import MATH_FUNCTIONS
from polynb.source.names import BUILTINS, RESERVED, as_names, is_name
from polynb.source.parse import detect
from polynb.source.types import TYPES


@dataclass(frozen=True)
class Vocabulary:
    """Names, in the order of the text. `temporaries` are what can be propagated; `inputs` what
    a kernel can be given."""

    written: tuple[str, ...] = ()
    temporaries: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    parameters: tuple[str, ...] = ()


def vocabulary(words: Iterable[str], body: str | None, namespace: Mapping[str, Any]) -> Vocabulary:
    """The names of the programs among the words of a line, or of the body of a cell.

    A program of the gallery is not parsed for this, and a cell may not be finished: of texts, only
    what they look like is known.
    """
    found = [] if body is None else [_of_text(body)]
    for word in words if body is None else ():
        if word.startswith(GALLERY):
            found += _of_gallery(word.removeprefix(GALLERY))
            continue
        value = namespace.get(word.partition(".")[0])
        value = value.result if isinstance(value, Derivation) else value
        if isinstance(value, Scop):
            found.append(_of_scop(value))
    return Vocabulary(
        *(
            tuple(dict.fromkeys(n for v in found for n in getattr(v, field)))
            for field in ("written", "temporaries", "inputs", "parameters")
        )
    )


def _of_scop(scop: Scop) -> Vocabulary:
    written = {s.write.array for s in scop.statements}
    return Vocabulary(
        tuple(n for n in scop.arrays if n in written),
        scop.temporaries,
        tuple(n for n, a in scop.arrays.items() if a.live_in),
        scop.parameters,
    )


def _of_gallery(name: str) -> list[Vocabulary]:
    from polynb import gallery
    from polynb.errors import PolynbError

    try:
        return [_of_text(gallery.text(name))]
    except PolynbError:
        return []


def _of_text(text: str) -> Vocabulary:
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)
    iterators = set(re.findall(r"\bfor\s*\(?\s*(?:int\s+)?(\w+)\s*=", text))
    targets = re.findall(r"\b([A-Za-z_]\w*)\s*(?:\[[^;=]*\]\s*)?[-+*/]?=(?!=)", text)
    written = dict.fromkeys(n for n in targets if is_name(n) and n not in iterators)
    declared = " ".join(re.findall(r"\btemp\b([^;]*);", text))
    temporaries = dict.fromkeys(re.findall(r"[A-Za-z_]\w*", re.sub(r"\[.*?\]", "", declared)))
    cells = dict.fromkeys(re.findall(r"\b([A-Za-z_]\w*)\s*\[", text))
    parameters = ",".join(re.findall(r"\bparam\b([^;]*);", text))
    return Vocabulary(
        tuple(written),
        tuple(n for n in temporaries if is_name(n)),
        tuple(n for n in cells if n not in written),
        as_names(parameters),
    )


# -- in the program of a cell ------------------------------------------------------------------

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
