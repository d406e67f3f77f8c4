"""Which method of which class a function of isl is, by the names that islpy gives them.

`isl_union_set_intersect(set1, set2)` is `UnionSet.intersect(self, set2)`. What is left out here
islpy leaves out too, or Python has something else for it (files, printers, memory).
"""

from __future__ import annotations

import keyword
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from polynb.site.live.declarations import CValue, Prototype

NUMBERS: Final = {"int", "unsigned", "isl_size", "uint32_t", "size_t", "long", "unsigned long"}
UNSIGNED: Final = {"unsigned", "uint32_t", "size_t", "unsigned long"}
Names = Collection[str]
_ALONE: Final = {"free", "copy", "cow", "ref", "deref", "dump", "to_str", "sizeof"}
_NO_CLASSES: Final = {"printer", "args", "stream", "obj"}
_OF_THE_MACHINE: Final = {"alloc", "set_error", "reset_error", "set_full_error", "free"}


@dataclass(frozen=True)
class Method:
    """A function as a method. `kinds` says of each argument what Python gives for it: "object",
    "val", "number", "enum", "real", "text", "callback"; "user" and "out" are not asked for."""

    of: str
    name: str
    function: Prototype
    kinds: tuple[str, ...]
    result: str
    static: bool

    @property
    def key(self) -> str:
        """Its name among what the machine exports."""
        return self.function.name.removeprefix("isl_")

    @property
    def results(self) -> tuple[CValue, ...]:
        """What comes back through pointers."""
        pairs = zip(self.function.arguments, self.kinds, strict=True)
        return tuple(a for a, kind in pairs if kind == "out")


def class_name(kind: str) -> str:
    """`isl_pw_multi_aff` is `PwMultiAff`."""
    words = kind.removeprefix("isl_").split("_")
    name = "".join(w[:1].upper() + w[1:] for w in words)
    return "Context" if name == "Ctx" else name.replace("Qpoly", "QPoly")


def classes(functions: Sequence[Prototype]) -> list[str]:
    """The kinds of objects, without `isl_`: what can be freed and copied; and the context."""
    names = {f.name.removeprefix("isl_") for f in functions}
    freed = [n.removesuffix("_free") for n in sorted(names) if n.endswith("_free")]
    return ["ctx", *(c for c in freed if c not in _NO_CLASSES and f"{c}_copy" in names)]


def methods(
    functions: Sequence[Prototype], enums: Mapping[str, Mapping[str, int]]
) -> dict[str, list[Method]]:
    """The methods of each kind of object."""
    found: dict[str, list[Method]] = {c: [] for c in classes(functions)}
    for function in functions:
        method = _method(function, found.keys(), enums.keys())
        if method is not None:
            found[method.of].append(method)
    return {c: _without_doubles(m) for c, m in found.items()}


def _without_doubles(found: list[Method]) -> list[Method]:
    """`fix_si` is not there where `fix_val` is."""
    names = {m.name for m in found}
    return [
        m
        for m in found
        if not (m.name.endswith(("_si", "_ui")) and {m.name[:-3], f"{m.name[:-3]}_val"} & names)
    ]


def _method(function: Prototype, kinds: Names, enums: Names) -> Method | None:
    whole = function.name.removeprefix("isl_")
    of, name = _place(whole, kinds)
    if of is None or name in _ALONE or (of == "ctx" and name in _OF_THE_MACHINE | {"last_error"}):
        return None
    own = function.arguments[:1]
    static = not (own and own[0].type == f"isl_{of}" and own[0].stars == "*")
    asked = [
        _kind(a, k, function.arguments, kinds, enums) for k, a in enumerate(function.arguments)
    ]
    given = _result(function.result, name, kinds, enums)
    if None in asked or given is None:
        return None
    if not static:
        asked[0] = "object"
    name = f"{name}_" if keyword.iskeyword(name) else name.replace("2exp", "two_exp")
    return Method(of, name, function, tuple(map(str, asked)), given, static)


def _place(whole: str, kinds: Names) -> tuple[str | None, str]:
    """The class with the longest name that the function's begins with, and the rest."""
    if whole.startswith("options_"):
        return "ctx", whole.removeprefix("options_")
    begins = [c for c in kinds if whole.startswith(f"{c}_")]
    of = max(begins, key=len, default=None)
    return of, whole[len(of or "") + 1 :]


def _kind(
    a: CValue, place: int, around: Sequence[CValue], kinds: Names, enums: Names
) -> str | None:
    bare = a.type.removeprefix("isl_")
    if a.takes is not None:
        return "callback" if _callable(a, place, around, kinds) else None
    match a.stars:
        case "" if a.type in enums:
            return "enum"
        case "" if a.type in NUMBERS:
            return "number"
        case "" if a.type == "double":
            return "real"
        case "*" if a.type == "char":
            return "text"
        case "*" if a.type in ("int", "isl_bool") and a.name in ("exact", "tight"):
            return "out"
        case "*" if a.type == "void" and place and around[place - 1].takes is not None:
            return "user"
        case "*" if a.type == "isl_val" and place:
            return "val" if a.ownership else None
        case "*" if bare in kinds:
            return "object" if a.ownership in ("take", "keep") or bare == "ctx" else None
        case "**" if bare in kinds and a.ownership == "give":
            return "out"
    return None


def _callable(a: CValue, place: int, around: Sequence[CValue], kinds: Names) -> bool:
    """Whether Python can be called back: by objects alone, and for what is said of one."""
    *given, user = a.takes or (a,)
    objects = all(
        g.stars == "*" and g.type.removeprefix("isl_") in kinds and g.ownership for g in given
    )
    named = place + 1 < len(around) and around[place + 1].name == "user" == user.name
    back = not a.stars or (a.ownership == "give" and a.type.removeprefix("isl_") in kinds)
    return objects and named and back and len(given) <= 2


def _result(r: CValue, name: str, kinds: Names, enums: Names) -> str | None:
    bare = r.type.removeprefix("isl_")
    match r.stars:
        case "" if r.type in ("isl_bool", "isl_stat"):
            return bare
        case "" if r.type == "int" and name.startswith(("is_", "has_")):
            return "truth"
        case "" if r.type in enums:
            return "enum"
        case "" if r.type in NUMBERS:
            return "unsigned" if r.type in UNSIGNED else "number"
        case "" if r.type in ("double", "void"):
            return {"double": "number", "void": "nothing"}[r.type]
        case "*" if r.type == "char":
            return "text"
        case "*" if r.type == "void" and name == "get_user":
            return "user"
        case "*" if bare in kinds and (r.ownership == "give" or bare == "ctx"):
            return "object"
    return None
