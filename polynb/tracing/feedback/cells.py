"""Whether an access is of one cell in all iterations of a loop."""

from __future__ import annotations

from itertools import combinations

from polynb import isl
from polynb.folding import TOP, Folded
from polynb.tracing.equations import affine_through
from polynb.tracing.feedback.overapproximation import JOINED, MOST_PIECES


@isl.guarded
def in_one_cell(addresses: Folded, q: int) -> bool:
    """Whether an access has one address in all iterations of the loops from q on, in each iteration
    of those around."""
    pieces = addresses.pieces
    if len(pieces) > MOST_PIECES or any(p.approximate for p in pieces):
        return False
    if any(x is TOP or x for p in pieces for x in p.labels[0].coefficients[q:]):
        return False
    if len(pieces) == 1:
        return True
    if addresses.is_affine:
        found = affine_through({v: p.labels[0](v) for p in pieces for v in p.vertices})
        if found is not None and not any(found[1 + q :]):
            return True
    depth = len(addresses.stream.dimensions) - q
    outer = [p.domain().project_out(isl.SET, q, depth) for p in pieces]
    if len(pieces) > JOINED:
        return False
    return all(a.intersect(b).is_empty() for a, b in combinations(outer, 2))
