"""The module `islpy` for where there is none: classes and enumerations as Python's text."""

from __future__ import annotations

import keyword
from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Final

from polynb.site.live.declarations import CValue
from polynb.site.live.methods import Method, class_name

BASES: Final = {
    **{"val": "Numeral", "id": "Identifier", "aff": "Pieces", "pw_aff": "Pieces"},
    **{"space": "Spacious"},
    **{"set": "Disjuncts", "map": "Disjuncts", "basic_set": "BasicOnes", "basic_map": "BasicOnes"},
}
UPCASTS: Final[Mapping[str, Sequence[str]]] = {
    "pw_aff": ("aff",),
    "union_pw_aff": ("aff", "pw_aff"),
    "local_space": ("space",),
    "pw_multi_aff": ("multi_aff",),
    "union_pw_multi_aff": ("multi_aff", "pw_multi_aff"),
    "set": ("basic_set",),
    "union_set": ("basic_set", "set"),
    "map": ("basic_map",),
    "union_map": ("basic_map", "map"),
}
"""What islpy converts by itself where it is given as an argument."""

_BEGIN: Final = """import sys

from polynb.site.live.base import (
    KINDS, CallbackLifetimeHandle, Enumeration, Error, NeverEqual, Object, OneContext, as_object,
    callback, failure, machine, made, number, said, text, truth, value,
)
from polynb.site.live.likes import BasicOnes, Disjuncts, Identifier, Numeral, Pieces, Spacious"""
_END: Final = "DEFAULT_CONTEXT = Context()\n_isl = sys.modules[__name__]\n"
_SPECIAL: Final = {"size": "__len__", "get_hash": "__hash__"}
_PROPERTIES: Final = ("get_space", "get_user", "get_name")


def module(
    kinds: Mapping[str, Sequence[Method]],
    printed: Container[str],
    enums: Mapping[str, Mapping[str, int]],
) -> str:
    """The text of the module."""
    parts = [_BEGIN, *(_enumeration(n, e) for n, e in enums.items() if n != "isl_bool")]
    parts += [_loaded(kinds, printed)]
    parts += [_class(k, own, k in printed) for k, own in kinds.items()]
    parts += [_upcasts(kinds), f"KINDS |= dict({_pairs(kinds)})\n{_END}"]
    return "\n\n".join(parts)


def _pairs(kinds: Mapping[str, Sequence[Method]]) -> str:
    return ", ".join(f"{k}={class_name(k)}" for k in kinds)


def _loaded(kinds: Mapping[str, Sequence[Method]], printed: Container[str]) -> str:
    """Every function of the machine's is a global, which is quicker than an attribute."""
    names = [m.key for own in kinds.values() for m in own]
    names += [f"{k}_{what}" for k in kinds if k != "ctx" for what in ("free", "copy")]
    names += [f"{k}_text" for k in kinds if k in printed]
    listed = " ".join(names)
    loop = 'for _name in _NAMES.split():\n    globals()[f"_{_name}"] = getattr(machine, _name)'
    return f'_NAMES = """{listed}"""\n{loop}'


def _enumeration(name: str, members: Mapping[str, int]) -> str:
    ends = zip(min(members), max(members), strict=False)
    same = "".join(a for a, _ in takewhile(lambda pair: pair[0] == pair[1], ends))
    common = same[: same.rfind("_") + 1]
    lines = (f"    {_plain(m.removeprefix(common))} = {value}" for m, value in members.items())
    return f"class {name.removeprefix('isl_')}(Enumeration):\n" + "\n".join(lines)


def _class(kind: str, own: Sequence[Method], printed: bool) -> str:
    names = {m.name for m in own}
    usual = "OneContext" if kind == "ctx" else "Object" if "is_equal" in names else "NeverEqual"
    name, base = class_name(kind), BASES.get(kind, usual)
    lines = [f"class {name}({base}):", f'    _base_name = "{kind}"']
    if kind != "ctx":
        lines += [f"    _free = staticmethod(_{kind}_free)"]
    if printed:
        lines += [f"    _print = staticmethod(_{kind}_text)"]
    if "read_from_str" in names:
        lines += [f"    _read = staticmethod(_{kind}_read_from_str)"]
    for method in own:
        lines += ["", *(f"    {line}" for line in _method(method))]
    if "is_equal" in names and "get_hash" not in names:
        lines += [f"    __hash__ = {base}.__hash__"]
    return "\n".join(lines)


def _method(method: Method) -> Iterator[str]:
    name = _SPECIAL.get(method.name, method.name) if len(method.kinds) == 1 else method.name
    asked, passed, checks, after = [], [], [], ""
    for k, (a, kind) in enumerate(zip(method.function.arguments, method.kinds, strict=True)):
        own = "self" if k == 0 and not method.static else _plain(a.name) or f"a{k}"
        if kind not in ("user", "out"):
            asked.append(own)
        checks += _checked(own, a, kind, method.key)
        match kind:
            case "object" | "val":
                passed.append(f"{own}._p")
            case "user":
                passed.append(f"_{asked[-1]}.number")
                if method.of in ("ast_build", "ast_print_options"):
                    after = f", _{asked[-1]}"
            case "callback" | "out":
                pass
            case _:
                passed.append(own)
    if method.static:
        yield "@staticmethod"
    yield f"def {name}({', '.join(asked)}):"
    yield from (f"    {line}" for line in checks)
    call = f"_{method.key}({', '.join(passed)})"
    yield from (f"    {line}" for line in _returned(method, call, after))
    if method.name in _PROPERTIES and len(method.kinds) == 1:
        yield f"{method.name[4:]} = property({method.name})"


def _checked(own: str, a: CValue, kind: str, key: str) -> list[str]:
    match kind:
        case "object":
            of = class_name(a.type)
            return [f'if {own}.__class__ is not {of}: {own} = as_object({of}, {own}, "{key}")']
        case "val":
            return [f'if {own}.__class__ is not Val: {own} = value({own}, "{own}")']
        case "number" if a.type == "unsigned long":  # the limit of operations
            return [f"{own} = min({own}, 0xFFFFFFFF)"]
        case "number" | "enum":
            return [f"{own} = number({own})"]
        case "text":
            return [f"{own} = text({own})"]
        case "callback":
            *given, _ = a.takes or ()
            kinds = "".join(f"({class_name(g.type)}, {g.ownership == 'take'}), " for g in given)
            back = "object" if a.stars else "answer"
            return [f'_{own} = callback({own}, ({kinds}), "{back}")']
    return []


def _returned(method: Method, call: str, after: str) -> Iterator[str]:
    of, more = (
        method.function.result.type,
        "".join(f", {_given(k, v)}" for k, v in enumerate(method.results)),
    )
    more += after
    answer = {
        "bool": f'truth({call}, "{method.key}")',
        "truth": f"{call} > 0",
        "enum": f"{of.removeprefix('isl_')}({call})",
        "number": call,
        "unsigned": f"{call} & 0xFFFFFFFF",
        "text": f"said({call})",
        "user": f"Identifier._user({call})",
        "object": f'made({class_name(of)}, {call}, "{method.key}")',
    }
    if of == "isl_ctx" and method.result == "object":
        yield "return DEFAULT_CONTEXT"
    elif method.result in ("stat", "nothing"):
        yield f"answer = {call}"
        if method.result == "stat":
            yield f'if answer < 0: raise failure("{method.key}")'
        if more:
            yield f"return {more.removeprefix(', ')}"
    elif more:
        yield f"answer = {answer[method.result]}"
        yield f"return answer{more}"
    else:
        yield f"return {answer[method.result]}"


def _given(place: int, v: CValue) -> str:
    """What comes back through a pointer."""
    number = f"machine.given({place})"
    if v.stars == "*":
        return f"{number} > 0" if v.type == "isl_bool" else number
    return f'made({class_name(v.type)}, {number}, "{v.name}")'


def _upcasts(kinds: Mapping[str, Sequence[Method]]) -> str:
    lines = []
    for kind, others in UPCASTS.items():
        if kind not in kinds:
            continue
        names = {m.name for m in kinds[kind]}
        pairs = (
            f"{class_name(o)}: _{kind}_from_{o}"
            for o in others
            if f"from_{o}" in names and o in kinds
        )
        lines.append(f"{class_name(kind)}._upcasts = {{{', '.join(pairs)}}}")
        for other in others:
            if f"to_{kind}" not in {m.name for m in kinds[other]}:
                lines.append(f"{class_name(other)}.to_{kind} = lambda x: {class_name(kind)}(x)")
    return "\n".join(lines)


def _plain(name: str) -> str:
    return f"{name}_" if keyword.iskeyword(name) else name
