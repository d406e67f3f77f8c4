"""Whether what a whole program's run left fits together."""

from __future__ import annotations

from polynb.tracing.launching.words import require
from polynb.tracing.programs.finding import Shape
from polynb.tracing.programs.protocol import CallContext, Streams


def require_fit(found: Streams, shape: Shape) -> None:
    """Raises Broken where a number names no context, loop or access, or shapes differ."""
    bases: list[int] = []
    for k, c in enumerate(found.contexts):
        bases.append(_base(c, k, bases, found, shape))
    for a in found.accesses:
        require(0 <= a.context < len(bases) and a.at >= 0 and a.size >= 0)
        require(a.dims == bases[a.context] + _depth(a.loop, shape))
        require(a.rejected >= 0 and a.entries >= 0)
    told = [a.folds for a in found.accesses] + [d.folds for d in found.dependences]
    for fold in (f for folds in told for f in folds if f is not None):
        _ = fold.pieces
    require(all(at >= 0 and size >= 0 for at, _, size, _ in found.allocated))


def _base(c: CallContext, k: int, bases: list[int], found: Streams, shape: Shape) -> int:
    """How many dimensions come before a context's own loops."""
    require(-1 <= c.caller < k and min(c.site, c.function) >= 0 and c.component >= -1)
    if c.caller < 0:
        base = 0
    else:
        base = bases[c.caller] + _depth(c.loop, shape) + c.external + (c.component >= 0)
    require(c.base == base)
    return base


def _depth(loop: int, shape: Shape) -> int:
    require(-1 <= loop < len(shape.loops))
    found = 0
    while loop >= 0:
        loop, found = shape.loops[loop].parent, found + 1
    return found
