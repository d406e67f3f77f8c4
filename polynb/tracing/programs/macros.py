"""The words of a text, with what its macros stand for.

A program is not preprocessed here: both ways of an `#if` are read, and a macro that has two
meanings without an `#undef` between stays as it is. What comes out of a macro stands where its name
does, as a compiler's debug information says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

Word = tuple[str, int, int]
"""Its text, line and column (of bytes, from 1)."""
TOKEN: Final = re.compile(
    r"""//[^\n]*|/\*.*?\*/|^[ \t]*\#(?:\\\n|/\*.*?\*/|[^\n])*|\d(?:[\w.]|'\w)*"""
    r"""|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'"""
    r"|\n|[A-Za-z_]\w*|->|&&|\|\||<<=|>>=|\+\+|--|\#\#|[-+*/%&|^<>=!]=|[^\s\w]",
    re.DOTALL | re.MULTILINE,
)
COMMENTS: Final = ("//", "/*")
DEFINED: Final = re.compile(r"\s*#\s*define\s+(\w+)(?:\(([^)]*)\))?(.*)", re.DOTALL)
UNDEFINED: Final = re.compile(r"\s*#\s*undef\s+(\w+)")
TYPED: Final = re.compile(r"int|float|double|long|short|char|bool|unsigned|signed|size_t|\w+_t")
LONGEST: Final = 20_000
"""Words that one name may stand for; what stands for more stays as it is."""


@dataclass(frozen=True)
class Macro:
    """Its parameters (None: it is not called), and its words."""

    parameters: tuple[str, ...] | None
    words: tuple[str, ...]


def words(text: str) -> Iterator[tuple[Word, int]]:
    """Those of a text, in order, each with the number of the name in the text that it comes of."""
    known, own, number = dict(_definitions(text)), dict[str, Macro](), 0
    part: list[Word] = []
    for word in _read(text):
        if not word[0].lstrip().startswith("#"):
            part.append(word)
            continue
        if (undone := UNDEFINED.match(word[0])) is not None:
            changed, macro = undone[1], None
            own.pop(changed, None)
        elif (defined := _definition(word[0])) is not None:
            changed, macro = defined
            macro = macro if own.setdefault(changed, macro) == macro else None
        else:
            continue
        for found, origin in _expanded(part, known):
            yield found, number + origin
        number, part = number + len(part), []
        known.pop(changed, None)
        known.update({} if macro is None else {changed: macro})
    for found, origin in _expanded(part, known):
        yield found, number + origin


def _read(text: str) -> Iterator[Word]:
    """The words as they are written, and directives."""
    line = 1
    for match in TOKEN.finditer(text):
        token = match[0]
        if token[:2] not in COMMENTS and token != "\n":
            start = text.rfind("\n", 0, match.start()) + 1
            yield token, line, len(text[start : match.start()].encode()) + 1
        line += token.count("\n")


def _definitions(text: str) -> Iterator[tuple[str, Macro]]:
    """Of the whole text: what headers define stands behind it."""
    directives = (w[0] for w in _read(text) if w[0].lstrip().startswith("#"))
    return (found for d in directives if (found := _definition(d)) is not None)


def _definition(directive: str) -> tuple[str, Macro] | None:
    match = DEFINED.fullmatch(directive)
    if match is None:
        return None
    name, given, body = match.groups()
    found = TOKEN.findall(body.replace("\\\n", " "))
    kept = tuple(t for t in found if t[:2] not in COMMENTS and t != "\n")
    listed = None if given is None else tuple(p.strip() for p in given.split(",") if p.strip())
    return name, Macro(listed, kept)


def _expanded(
    given: Sequence[Word], macros: Mapping[str, Macro], hidden: frozenset[str] = frozenset()
) -> list[tuple[Word, int]]:
    """The words with what macros stand for, each with which of the given ones it comes of."""
    found, k = list[tuple[Word, int]](), 0
    while k < len(given):
        name, line, column = given[k]
        macro = macros.get(name) if name not in hidden else None
        arguments, end = list[list[Word]](), k + 1
        if macro is not None and macro.parameters is not None:
            called = k + 1 < len(given) and given[k + 1][0] == "("
            arguments, end = _arguments(given, k + 1) if called else ([], 0)
        if macro is None or not end:
            found.append((given[k], k))
            k += 1
            continue
        whole = [[w[0] for w, _ in _expanded(a, macros, hidden)] for a in arguments]
        plain = [(t, line, column) for t in _filled(macro, whole)]
        inner = _expanded(plain, macros, hidden | {name}) if len(plain) < LONGEST else []
        found += [(w, k) for w, _ in inner]
        k = end
    return found


def _arguments(given: Sequence[Word], k: int) -> tuple[list[list[Word]], int]:
    """What stands between the bracket here and the one that closes it, and what comes after that;
    0 where none does."""
    found, depth = list[list[Word]]([[]]), 0
    for j in range(k, len(given)):
        text = given[j][0]
        depth += (text in "([{") - (text in ")]}")
        if not depth:
            return found, j + 1
        if text == "," and depth == 1:
            found.append([])
        elif j > k:
            found[-1].append(given[j])
    return found, 0


def _filled(macro: Macro, arguments: Sequence[Sequence[str]]) -> list[str]:
    """A macro's words with what it is given."""
    names = macro.parameters or ()
    values = dict(zip(names, arguments, strict=False))
    if names and names[-1].endswith("..."):
        rest = [t for a in arguments[len(names) - 1 :] for t in (*a, ",")][:-1]
        values[names[-1].removesuffix("...").strip() or "__VA_ARGS__"] = rest
    found, before = list[str](), ""
    for text in macro.words:
        new = ['""'] if before == "#" else [*values.get(text, (text,))]
        if before == "##" and found and new:
            found[-1] += new.pop(0)
        found += new if text not in ("#", "##") else []
        if text == ")" and _is_bare(found, before, values):
            found[-3:] = found[-2:-1]
        before = text
    return found


def _is_bare(found: Sequence[str], before: str, values: Mapping[str, Sequence[str]]) -> bool:
    """Whether a parameter that is a variable, in brackets of its own, ends here: `(s) += 1`."""
    name = found[-2] if len(found) > 2 and found[-3] == "(" and before in values else ""
    called = len(found) > 3 and (found[-4].isidentifier() or found[-4] in (")", "]"))
    return name.isidentifier() and not called and not TYPED.fullmatch(name)
