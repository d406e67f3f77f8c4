"""What C's types are, as far as instrumentation asks: array or pointer, integer or float, bytes.

A type is a node of pycparser's without typedef names: IdentifierType, Struct, Union, Enum, PtrDecl,
ArrayDecl or FuncDecl; None where the text does not say (a library's variable).
"""

from __future__ import annotations

import re
from typing import Any, Final

from pycparser import c_ast

Type = Any

INT: Final = c_ast.IdentifierType(["int"])
LONG: Final = c_ast.IdentifierType(["long"])
FLOAT: Final = c_ast.IdentifierType(["float"])
DOUBLE: Final = c_ast.IdentifierType(["double"])
VOID: Final = c_ast.IdentifierType(["void"])
CHAR: Final = c_ast.IdentifierType(["char"])
STANDARD: Final = {
    **{f"{u}int{n}_t": n // 8 for u in ("", "u") for n in (8, 16, 32, 64)},
    **dict.fromkeys(("intptr_t", "uintptr_t", "intmax_t", "uintmax_t", "size_t"), 8),
    **dict.fromkeys(("ssize_t", "ptrdiff_t", "time_t", "clock_t", "off_t"), 8),
    **dict.fromkeys(("pid_t", "uid_t", "gid_t", "mode_t", "clockid_t", "sig_atomic_t"), 4),
}
"""Sizes of the integer types that standard headers name."""

OPAQUE: Final = (
    *("FILE", "time_t", "clock_t", "va_list", "div_t", "ldiv_t", "fpos_t", "wchar_t", "off_t"),
    *("pid_t", "uid_t", "gid_t", "mode_t", "clockid_t", "sig_atomic_t", "sigset_t", "siginfo_t"),
)
"""Types of standard headers that C's grammar must know beside those of `polynb.source`."""

_QUOTIENT: Final = [c_ast.Decl(n, [], [], [], [], LONG, None, None) for n in ("quot", "rem")]
RECORDS: Final = {f"{n}div_t": c_ast.Struct(None, _QUOTIENT) for n in ("", "l", "ll", "imax")}
"""Those of standard headers that are made of numbers."""

_DOUBLES: Final = re.compile(
    r"(a?(sin|cos|tan)h?|atan2|exp2?|expm1|log(2|10|1p)?|pow|sqrt|cbrt|hypot|fabs|fmod|floor|ceil"
    r"|round|trunc|rint|fmin|fmax|fdim|erfc?|tgamma|lgamma|copysign|remainder|ldexp|atof|strtod"
    r"|drand48|difftime|fma|nearbyint)(f?)"
)
_POINTERS: Final = re.compile(
    r"(m|c|re)alloc|aligned_alloc|alloca|f?open|str(chr|rchr|str|tok|dup)"
)


def pointer(to: Type) -> Type:
    return c_ast.PtrDecl([], to)


def result_of_library(name: str) -> Type:
    """What a library's function gives: a record, a double, a pointer, or an int."""
    if (record := RECORDS.get(f"{name}_t")) is not None:
        return record
    if found := _DOUBLES.fullmatch(name):
        return FLOAT if found[4] else DOUBLE
    return pointer(VOID) if _POINTERS.fullmatch(name) else INT


def is_array(t: Type) -> bool:
    return isinstance(t, c_ast.ArrayDecl)


def is_function(t: Type) -> bool:
    return isinstance(t, c_ast.FuncDecl)


def is_pointer(t: Type) -> bool:
    return isinstance(t, c_ast.PtrDecl)


def is_record(t: Type) -> bool:
    return isinstance(t, c_ast.Struct | c_ast.Union)


def is_void(t: Type) -> bool:
    return isinstance(t, c_ast.IdentifierType) and t.names == ["void"]


def is_float(t: Type) -> bool:
    if not isinstance(t, c_ast.IdentifierType):
        return False
    return bool({"float", "double", "_Complex"} & set(t.names))


def kind(t: Type) -> str:
    """What a number is: "float", "signed" or "unsigned"; "" for all else."""
    if is_float(t):
        return "float"
    if not isinstance(t, c_ast.IdentifierType) or is_void(t):
        return "unsigned" if is_pointer(t) else ""
    name = t.names[-1]
    known = name in STANDARD or {"int", "char", "long", "short", "signed", "unsigned"} & set(
        t.names
    )
    unsigned = "unsigned" in t.names or name in ("size_t", "uintptr_t") or name.startswith("uint")
    return ("unsigned" if unsigned else "signed") if known else ""


def is_scalar(t: Type) -> bool:
    """A number or a pointer: what may stay in a register."""
    return t is not None and not (is_array(t) or is_record(t) or is_function(t) or is_void(t))


def element(t: Type) -> Type:
    """What an array or a pointer has."""
    return t.type if is_array(t) or is_pointer(t) else None


def size(t: Type) -> int:
    """The bytes of a number or a pointer; 1 where it is not known."""
    match t:
        case c_ast.PtrDecl():
            return 8
        case c_ast.Enum():
            return 4
        case c_ast.ArrayDecl(type=inner):
            return size(inner)
        case c_ast.IdentifierType(names=names):
            if names[-1] in STANDARD:
                return STANDARD[names[-1]]
            if "char" in names or "_Bool" in names:
                return 1
            if "short" in names:
                return 2
            if "long" in names or "double" in names:
                return 8
            return 1 if names[-1] in OPAQUE or names == ["void"] else 4
    return 1


def has_size(t: Type) -> bool:
    """Whether `size` is what the compiler says; of a record, or a `long double`, only that does."""
    if isinstance(t, c_ast.IdentifierType):
        larger = "_Complex" in t.names or {"long", "double"} <= {*t.names}
        return not larger and (t.names[-1] in STANDARD or bool(kind(t)) or t.names == ["_Bool"])
    return isinstance(t, c_ast.PtrDecl | c_ast.Enum)


def arithmetic(a: Type, b: Type) -> Type:
    """The common type of two operands; a pointer stays one."""
    for t in (a, b):
        if is_pointer(t):
            return t
        if is_array(t):
            return pointer(t.type)
    if is_float(a) or is_float(b):
        return DOUBLE if "double" in _words(a) + _words(b) or not (a and b) else FLOAT
    return a if size(a) > max(size(b), 4) else b if size(b) > 4 else INT


def _words(t: Type) -> list[str]:
    if not isinstance(t, c_ast.IdentifierType):
        return []
    return list(t.names) if is_float(t) else []
