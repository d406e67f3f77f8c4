"""Names of the SCoP language: what is one, what is reserved, how to make a new one."""

from __future__ import annotations

import re
from collections.abc import Collection

from polynb.source.types import TYPES

ROLES = ("input", "output", "inout", "temp")
BUILTINS = ("min", "max", "floord", "mod")
_WORDS = "param assume define let for to by do done if then else fi and or not"
RESERVED = frozenset({*_WORDS.split(" "), *ROLES, *BUILTINS, *TYPES})

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def is_name(text: str) -> bool:
    """Whether a program may call something of its own that."""
    return _NAME.fullmatch(text) is not None and text not in RESERVED


def legal(name: str, taken: Collection[str]) -> str:
    """The name itself if the language allows it, else a similar one that is not taken."""
    if is_name(name):
        return name
    plain = re.sub(r"[^A-Za-z0-9_]", "_", name)
    return unused(plain if _NAME.match(plain) and plain not in RESERVED else f"{plain}_", taken)


def unused(name: str, taken: Collection[str]) -> str:
    """The name, or the name with the smallest number behind it that makes it legal and new."""
    stem = name if _NAME.match(name) else f"_{name}"
    return new_name(stem, {*taken, *RESERVED}, stem)


def new_name(name: str, taken: Collection[str], stem: str, start: int = 2) -> str:
    """The name if it is not taken, else the stem with the smallest number from `start` on that
    makes it new."""
    k = start
    while name in taken:
        name = f"{stem}{k}"
        k += 1
    return name
