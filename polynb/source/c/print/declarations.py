"""The arrays of a program as C declares them: arguments of functions, and variables in them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator as Iter
from dataclasses import dataclass

from polynb.source.c.print.expressions import CExpressions
from polynb.source.c.print.names import CNames
from polynb.source.tree import Declaration, Expr, Number
from polynb.source.types import DOUBLE


def is_local(d: Declaration) -> bool:
    return d.role == "temp"


def is_cell(d: Declaration) -> bool:
    """Whether a scalar is passed as an array of one cell, because it is written."""
    return not d.extents and d.role not in ("input", "temp")


@dataclass(frozen=True, eq=False)
class CDeclarations:
    """`read`: the arrays that the program reads. `for_kernel`: as in `CUnit`."""

    expressions: CExpressions
    names: CNames
    read: Collection[str]
    for_kernel: bool

    def argument(self, d: Declaration) -> str:
        kind, name = _c_type(d), self.names.of(d.name)
        const = "const " if self.for_kernel and d.role == "input" else ""
        if not d.extents and not is_cell(d):
            return f"{const}{kind} {name}"
        sizes = [self.expressions.text(x) for x in d.extents or ()] or ["1"]
        sizes[0] = "" if d.extents and _unknown(d.extents[0]) else sizes[0]
        if self.for_kernel:
            sizes[0] = f"restrict {sizes[0]}".rstrip()
        return f"{const}{kind} {name}" + "".join(f"[{x}]" for x in sizes)

    def local(self, local: Iterable[Declaration]) -> Iter[str]:
        for d in local:
            kind, name = _c_type(d), self.names.of(d.name)
            if not d.extents:
                # Compilers cannot always see that every read follows a write.
                yield f"{kind} {name}{' = 0' if self.for_kernel else ''};"
            else:
                sizes = "".join(f"[{self.expressions.text(x)}]" for x in d.extents)
                yield f"{kind} {name}{sizes};"
            if self.for_kernel and d.name not in self.read:
                yield f"(void){name};"

    def allocation(self, d: Declaration) -> Iter[str]:
        """Memory of its own for a local array."""
        kind, name = _c_type(d), self.names.of(d.name)
        sizes = [f"[{self.expressions.text(x)}]" for x in d.extents or ()]
        pointer = f"(*{name}){''.join(sizes[1:])}" if len(sizes) > 1 else f"*{name}"
        yield f"{kind} {pointer} = malloc(sizeof({kind}{''.join(sizes)}));"
        yield f"if ({name} == NULL)"
        yield "  abort();"

    def freed(self, d: Declaration) -> str:
        return f"free({self.names.of(d.name)});"


def _c_type(d: Declaration) -> str:
    return (d.type or DOUBLE).c_name


def _unknown(extent: Expr) -> bool:
    return isinstance(extent, Number) and extent.value == 0
