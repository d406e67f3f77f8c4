"""C's declarations -> element types (of an LP64 machine) and array dimensions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace

from pycparser import c_ast

from polynb.errors import Span
from polynb.source.c.read.grammar import Places
from polynb.source.mistakes import mistake
from polynb.source.types import (
    DOUBLE,
    FLOAT,
    INT8,
    INT16,
    INT32,
    INT64,
    TYPES,
    UINT8,
    UINT16,
    UINT32,
    UINT64,
    ElementType,
)

SIGNED = {"char": INT8, "short": INT16, "int": INT32, "long": INT64}
UNSIGNED = {"char": UINT8, "short": UINT16, "int": UINT32, "long": UINT64}
STANDARD = {
    **{f"{t.name}_t": t for t in TYPES.values() if not t.is_float},
    **dict.fromkeys(("intptr_t", "intmax_t", "ssize_t", "ptrdiff_t"), INT64),
    **dict.fromkeys(("uintptr_t", "uintmax_t", "size_t"), UINT64),
}


@dataclass(frozen=True, eq=False)
class CType:
    """What a declaration says: cells of `element`, in `dims` (pycparser's expressions, None for
    one that is left open, as the first of `double A[]` or `double *A` is)."""

    element: ElementType
    dims: tuple[c_ast.Node | None, ...] = ()
    pointer: bool = False
    const: bool = False
    boolean: bool = False
    static: bool = False

    @property
    def integer(self) -> bool:
        return not self.element.is_float


@dataclass(frozen=True, eq=False)
class TypeReader:
    """Reads pycparser's types; `typedef(name)` is what the text itself calls a type."""

    places: Places
    typedef: Callable[[str], CType | None]

    def read(self, node: c_ast.Decl | c_ast.Typedef | c_ast.Typename) -> CType:
        """The type of a Decl, Typedef or Typename. Raises PolynbError for what is no (array of)
        numbers."""
        name = self.places.token(node)
        dims: list[c_ast.Node | None] = []
        pointer = False
        inner = node.type
        while isinstance(inner, c_ast.PtrDecl | c_ast.ArrayDecl):
            if isinstance(inner, c_ast.PtrDecl):
                if dims or pointer:
                    raise mistake("c.pointer-pointer", name)
                pointer = True
                dims.append(None)
            else:
                dims.append(inner.dim)
            inner = inner.type
        if any(d is None for d in dims[1:]):
            raise mistake("c.extent-open", name)
        if isinstance(inner, c_ast.FuncDecl):
            raise mistake("c.function-argument", name)
        base = self._base(inner, name)
        if base.dims and pointer:
            raise mistake("c.pointer-pointer", name)
        quals = {*(inner.quals or ()), *(getattr(node, "quals", None) or ())}
        if "volatile" in quals or "_Atomic" in quals:
            raise mistake("c.volatile", name)
        return replace(
            base,
            dims=(*dims, *base.dims),
            pointer=pointer or base.pointer,
            const="const" in quals or base.const,
            static="static" in (getattr(node, "storage", None) or ()),
        )

    def _base(self, node: c_ast.TypeDecl, name: Span) -> CType:
        kind = node.type
        if not isinstance(kind, c_ast.IdentifierType):
            known = {c_ast.Struct: "a struct", c_ast.Union: "a union", c_ast.Enum: "an enum"}
            place = self.places.token(kind) if kind.coord else name
            raise mistake("c.element-type", place, what=known.get(type(kind), "this"))
        if len(kind.names) == 1 and (named := self.typedef(kind.names[0])) is not None:
            return named
        element = _element_of(kind.names)
        if element is None:
            meant = "double" if "long" in kind.names or "_Complex" in kind.names else ""
            place = self.places.token(kind) if kind.coord else name
            raise mistake("c.type-unsupported", place, text=" ".join(kind.names), meant=meant)
        return CType(element, boolean=kind.names == ["_Bool"])


def _element_of(names: list[str]) -> ElementType | None:
    """The element type of C's specifiers, in any order; None for any other type.

    >>> _element_of(["long", "unsigned", "int"]).name
    'uint64'
    """
    if len(names) == 1 and names[0] in STANDARD:
        return STANDARD[names[0]]
    words = Counter(names)
    simple = {"float": FLOAT, "double": DOUBLE, "_Bool": UINT8}
    if len(names) == 1 and names[0] in simple:
        return simple[names[0]]
    signs = [w for w in ("signed", "unsigned") if words.pop(w, 0)]
    if len(signs) > 1 or (words["long"] > 2):
        return None
    core = {w for w, n in words.items() if n}
    if len(core) > 1:
        core -= {"int"}
    table = UNSIGNED if signs == ["unsigned"] else SIGNED
    return table.get(core.pop() if core else "int") if len(core) < 2 else None
