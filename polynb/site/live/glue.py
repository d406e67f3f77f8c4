"""The C between isl and its host: for each method a function that is called with numbers.

It copies what isl takes (so that the caller keeps its own), forgets the last error as islpy does,
and owns texts: those given are freed, those that come back are the host's to free.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from importlib.resources import files

from polynb.site.live.declarations import CValue
from polynb.site.live.methods import Method


def glue(
    headers: Sequence[str], kinds: Mapping[str, Sequence[Method]], printed: Container[str]
) -> str:
    """The text of the C file. `printed` are the kinds of objects that isl prints."""
    fixed = files("polynb.site.live").joinpath("glue.c").read_text(encoding="utf-8")
    lines = [*(f"#include <isl/{h}.h>" for h in headers), fixed]
    for kind, own in kinds.items():
        lines += [_owned(kind)] if kind != "ctx" else []
        lines += [_printed(kind)] if kind in printed else []
        lines += map(_function, own)
    return "\n".join(lines) + "\n"


def _owned(kind: str) -> str:
    return (
        f"EXPORT({kind}_free) void g_{kind}_free(isl_{kind} *x) {{ isl_{kind}_free(x); }}\n"
        f"EXPORT({kind}_copy) isl_{kind} *g_{kind}_copy(isl_{kind} *x) "
        f"{{ return isl_{kind}_copy(x); }}"
    )


def _printed(kind: str) -> str:
    """The text of an object, by isl's printer, as islpy does it."""
    return (
        f"EXPORT({kind}_text) char *g_{kind}_text(isl_{kind} *x) {{\n"
        "\tisl_ctx_reset_error(context);\n"
        f"\tisl_printer *p = isl_printer_print_{kind}(isl_printer_to_str(context), x);\n"
        "\tchar *text = isl_printer_get_str(p);\n"
        "\tisl_printer_free(p);\n\treturn text;\n}"
    )


def _function(method: Method) -> str:
    pairs = list(zip(method.function.arguments, method.kinds, strict=True))
    taken = [f"{_c_type(a)} a{k}" for k, (a, kind) in enumerate(pairs) if kind in _PASSED]
    places = {k: n for n, k in enumerate(k for k, (_, kind) in enumerate(pairs) if kind == "out")}
    given = ", ".join(_given(k, a, kind, places) for k, (a, kind) in enumerate(pairs))
    frees = "".join(f" free(a{k});" for k, (_, kind) in enumerate(pairs) if kind == "text")
    call = f"{method.function.name}({given})"
    result, back = _c_type(method.function.result), "r"
    if method.result == "text" and method.function.result.ownership != "give":
        result, back = "char *", "r ? strdup(r) : NULL"
        call = f"(char *){call}"
    body = (
        f"{call};{frees}"
        if method.result == "nothing"
        else (f"{result} r = {call};{frees} return {back};")
    )
    begins = "isl_ctx_reset_error(context); " if method.of != "ctx" else ""
    return (
        f"EXPORT({method.key}) {result} g_{method.key}({', '.join(taken) or 'void'}) "
        f"{{ {begins}{body} }}"
    )


_PASSED = ("object", "val", "number", "enum", "real", "text", "user")


def _c_type(value: CValue) -> str:
    if value.type.startswith("isl_") and not value.stars:
        return "int"
    return f"{value.type} {value.stars}".strip()


def _given(k: int, a: CValue, kind: str, places: dict[int, int]) -> str:
    match kind:
        case "object" | "val" if a.ownership == "take":
            return f"{a.type}_copy(a{k})"
        case "callback":
            several = len(a.takes or ()) - 1
            return f"(void *)call{several}"
        case "out":
            return f"(void *)&out[{places[k]}]"
        case "text" if a.ownership == "keep":
            return f"strdup(a{k})"
    return f"a{k}"
