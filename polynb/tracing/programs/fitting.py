"""Whether what a whole program's run left fits together: the program may have overwritten all that
was counted beside it, so that no number is taken on trust."""

from __future__ import annotations

from polynb.folding.engine.checked import NoPieces, checked_pieces
from polynb.tracing.programs.finding import Shape
from polynb.tracing.programs.protocol import CallContext, FoldWords, Streams, overwritten


def require_fit(found: Streams, shape: Shape) -> None:
    """Raises PolynbError where a number names no context, loop or access, or shapes differ."""
    bases: list[int] = []
    for k, c in enumerate(found.contexts):
        bases.append(_base(c, k, bases, found, shape))
    depths = []
    for a in found.accesses:
        _require(0 <= a.context < len(bases) and a.at >= 0 and a.size >= 0)
        _require(a.dims == bases[a.context] + _depth(a.loop, shape))
        _require(a.rejected >= 0 and a.entries >= 0)
        depths.append(a.dims)
        for fold in a.folds:
            _fold(fold, a.dims, 2 if a.local and not a.write else 1)
    for d in found.dependences:
        _require(0 < d.consumer <= len(depths) and 0 < d.producer <= len(depths))
        for fold in d.folds:
            _fold(fold, depths[d.consumer - 1], depths[d.producer - 1])
    _require(all(at >= 0 and size >= 0 for at, _, size, _ in found.allocated))


def _base(c: CallContext, k: int, bases: list[int], found: Streams, shape: Shape) -> int:
    """How many dimensions come before a context's own loops."""
    _require(-1 <= c.caller < k and min(c.site, c.function) >= 0 and c.component >= -1)
    if c.caller < 0:
        base = 0
    else:
        base = bases[c.caller] + _depth(c.loop, shape) + c.external + (c.component >= 0)
    _require(c.base == base)
    return base


def _depth(loop: int, shape: Shape) -> int:
    _require(-1 <= loop < len(shape.loops))
    found = 0
    while loop >= 0:
        loop, found = shape.loops[loop].parent, found + 1
    return found


def _fold(fold: FoldWords | None, dims: int, outputs: int) -> None:
    for part in fold.pieces if fold is not None else ():
        try:
            checked_pieces(part.tolist(), dims, outputs)
        except NoPieces:
            raise overwritten() from None


def _require(held: bool) -> None:
    if not held:
        raise overwritten()
