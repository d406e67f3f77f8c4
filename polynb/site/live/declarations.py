"""What isl's headers declare: functions, and who owns what they are given.

A C compiler has expanded the headers' macros (`compiling.py`); isl's own words for ownership,
`__isl_take`, `__isl_keep` and `__isl_give`, stand in what is left.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from polynb.errors import PolynbError

OWNERSHIP: Final = ("take", "keep", "give", "null")
_PASSED_OVER: Final = re.compile(
    r"__attribute__\s*\(\(.*?\)\)|__isl_(export|overload|constructor|subclass\(\w+\))"
    r"|\b(struct|enum|extern)\b(?=\s+\w+\s*[\w*])"
)
_FUNCTION: Final = re.compile(r"^([\w\s]+?[\s*]+)(isl_\w+)\s*\((.*)\)$", re.DOTALL)
_CALLBACK: Final = re.compile(r"^([\w\s]+?[\s*]+)\(\s*\*\s*(\w+)\s*\)\s*\((.*)\)$", re.DOTALL)
_VALUE: Final = re.compile(r"^([\w\s]+?)([\s*]+)(\w*)$")
_ENUM: Final = re.compile(r"enum\s+(isl_\w+)\s*\{([^}]*)\}|typedef\s+enum\s*\{([^}]*)\}\s*(\w+)")


@dataclass(frozen=True)
class CValue:
    """An argument or a result: `__isl_take isl_set *set`. `stars` is "*" for a pointer; a callback
    has its own arguments, and `type` and `stars` of what it returns."""

    name: str
    type: str
    stars: str
    ownership: str | None = None
    takes: tuple[CValue, ...] | None = None


@dataclass(frozen=True)
class Prototype:
    """A function of isl."""

    name: str
    result: CValue
    arguments: tuple[CValue, ...]


def declarations(text: str) -> list[Prototype]:
    """The functions that the text of the headers declares, each once, in their order."""
    found = {d.name: d for d in map(_declared, _statements(text)) if d is not None}
    return list(found.values())


def enumerations(text: str) -> dict[str, dict[str, int]]:
    """The members of each `enum`, with their values."""
    found = {}
    for name, body, nameless, typedef in _ENUM.findall(text):
        found[name or typedef] = _members(body or nameless)
    return found


def _members(body: str) -> dict[str, int]:
    values: dict[str, int] = {}
    following = 0
    for member in filter(None, map(str.strip, body.split(","))):
        name, _, value = map(str.strip, member.partition("="))
        if value:
            following = values[value] if value in values else int(value, 0)
        values[name] = following
        following += 1
    return values


def _statements(text: str) -> Iterator[str]:
    """What stands between semicolons, but for the bodies of structures and functions."""
    while text != (text := re.sub(r"\{[^{}]*\}", ";", text)):
        pass
    return (" ".join(_PASSED_OVER.sub(" ", s).split()) for s in text.split(";"))


def _declared(statement: str) -> Prototype | None:
    matched = _FUNCTION.match(statement)
    if matched is None or statement.startswith("typedef"):
        return None
    result, name, arguments = matched.groups()
    inside = arguments.strip()
    values = () if inside == "void" else tuple(map(_value, _separated(inside)))
    return Prototype(name, _value(result), values)


def _separated(arguments: str) -> Iterator[str]:
    """At commas that are in no parentheses."""
    depth, begun = 0, 0
    for k, c in enumerate(arguments):
        depth += (c == "(") - (c == ")")
        if c == "," and not depth:
            yield arguments[begun:k].strip()
            begun = k + 1
    yield arguments[begun:].strip()


def _value(text: str) -> CValue:
    callback = _CALLBACK.match(text)
    if callback is not None:
        result, name, arguments = callback.groups()
        made = _value(result)
        takes = tuple(map(_value, _separated(arguments)))
        return CValue(name, made.type, made.stars, made.ownership, takes)
    words = text.replace("*", " * ").split()
    owned = [w.removeprefix("__isl_") for w in words if w.removeprefix("__isl_") in OWNERSHIP]
    rest = " ".join(w for w in words if w not in ("const", *(f"__isl_{o}" for o in owned)))
    matched = _VALUE.match(f"{rest} " if "*" not in rest and " " not in rest else rest)
    if matched is None:
        raise PolynbError(f"a declaration of isl's is not understood: {text}")
    kind, stars, name = matched.groups()
    if kind == "unsigned" and name in ("int", "long"):
        kind, name = f"unsigned {name}", ""
    return CValue(name, kind.strip(), "".join(stars.split()), owned[0] if owned else None)
