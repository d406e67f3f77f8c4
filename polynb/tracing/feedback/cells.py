"""Where an access goes in the iterations of a loop: whether that is known from them alone."""

from __future__ import annotations

from itertools import combinations

from polynb import isl
from polynb.folding import TOP, Folded
from polynb.tracing.equations import affine_through
from polynb.tracing.feedback.overapproximation import JOINED, MOST_PIECES


def in_one_cell(addresses: Folded, q: int) -> bool:
    """Whether an access has one address in all iterations of the loops from q on, in each iteration
    of those around."""
    moves = any(x is TOP or x for p in addresses.pieces for x in p.labels[0].coefficients[q:])
    return not moves and known_inside(addresses, q)


@isl.guarded
def known_inside(addresses: Folded, q: int) -> bool:
    """Whether, in each iteration of the loops around, one affine function gives the addresses of an
    access in the loops from q on. (Where they begin, may be anywhere: `row = at[k]`.)"""
    pieces = addresses.pieces
    if not pieces or len(pieces) > MOST_PIECES or any(p.approximate for p in pieces):
        return False
    if any(x is TOP for p in pieces for x in p.labels[0].coefficients[q:]):
        return False
    if len(pieces) == 1:
        return True
    if addresses.is_affine:
        points = {v: p.labels[0](v) for p in pieces for v in p.vertices}
        if affine_through(points) is not None:
            return True
    if len(pieces) > JOINED:
        return False
    inner = len(addresses.stream.dimensions) - q
    outer = [p.domain().project_out(isl.SET, q, inner) for p in pieces]
    return all(
        outer[a].intersect(outer[b]).is_empty() or _alike(addresses, a, b)
        for a, b in combinations(range(len(pieces)), 2)
    )


def _alike(addresses: Folded, a: int, b: int) -> bool:
    """Whether two pieces are of one function."""
    first, second = addresses.pieces[a], addresses.pieces[b]
    known = first.is_affine and second.is_affine
    points = {v: p.labels[0](v) for p in (first, second) for v in p.vertices} if known else {}
    return known and affine_through(points) is not None
