"""What is said to compilers of loops in vectors."""

from __future__ import annotations

from collections.abc import Iterator as Iter

from polynb.source.c.print.together import in_order_together
from polynb.source.look_ups import looks_up
from polynb.source.tree import Assign, For
from polynb.source.type_inference import Types


def in_vectors(s: For, clauses: str, types: Types | None) -> Iter[str]:
    """The pragma of a loop in vectors; `types` of a kernel, of which gcc makes no vectors where
    each statement looks up bytes: it would gather them one by one, and has more of them on their
    way in iterations that it writes out (camera pipe 1.05)."""
    if not in_order_together(s):
        return
    alone = types is not None and all(
        isinstance(x, Assign) and looks_up(x.value, types.arrays) for x in s.body
    )
    if alone:
        yield "#if defined(__GNUC__) && !defined(__clang__)"
        yield "#pragma GCC unroll 8"
    # Compilers that only know vectors (-fopenmp-simd) do not define _OPENMP.
    yield f"#{'el' * alone}if defined(_OPENMP) || defined(OPENMP_SIMD)"
    yield f"#pragma omp simd{clauses}"
    yield "#endif"
