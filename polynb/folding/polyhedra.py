"""Elementary polyhedra (TACO'19, section 5.2.1), and when two of them make one (Algorithm 2).

An axis is a coordinate of the iteration vectors, 0 the outermost: the paper's dimension d is the
axis D - d. A polyhedron has two faces, lower and upper, along each axis it has `grown` along, so
2^g vertices, of which some coincide (the point of a triangle). Bit j of a vertex's number says on
which face of axis `grown[j]` it lies; `grown` goes from the innermost axis outwards, so the first
half of the vertices is the lower face of the outermost one.

Along an axis it has not grown along it may be slanted all the same: a diagonal has grown along
the outer axis, and its inner coordinate follows. Every coordinate is bounded, on each face, by an
affine function of the coordinates outside of it, with integer coefficients.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import add

from polynb.folding.search import is_search_vector

Point = tuple[int, ...]
Vertices = tuple[Point, ...]
Axes = tuple[int, ...]


@dataclass(frozen=True)
class Bounds:
    """`low <= c[q] <= high` of one coordinate, each an affine function of the coordinates outside
    of it: (coefficients, constant). Both are the same where the coordinate follows the others."""

    low: tuple[Point, int]
    high: tuple[Point, int]


def spread(vertices: Vertices, grown: Axes, onto: Axes) -> Vertices:
    """The vertices numbered by more axes, which they have not grown along: each stands twice."""
    if grown == onto:
        return vertices
    bits = [1 << grown.index(axis) if axis in grown else 0 for axis in onto]
    return tuple(
        vertices[sum(bit for j, bit in enumerate(bits) if k >> j & 1)]
        for k in range(1 << len(onto))
    )


def directions(vertices: Vertices, axis: int) -> Vertices:
    """The slopes of the edges along the outermost grown axis, one step each (decision: unit
    slopes, where the paper's text also speaks of the whole edge)."""
    half = len(vertices) // 2
    height = vertices[half][axis] - vertices[0][axis]
    return tuple(
        tuple((b - a) // height for a, b in zip(low, high, strict=True))
        for low, high in zip(vertices[:half], vertices[half:], strict=True)
    )


def ahead(vertices: Vertices, steps: Vertices) -> Vertices:
    """Where the edges lead from the upper face, one step each: the vertices of the only slice that
    can extend the polyhedron."""
    return moved(vertices[len(vertices) // 2 :], steps)


def moved(vertices: Vertices, steps: Vertices) -> Vertices:
    return tuple([tuple(map(add, v, step)) for v, step in zip(vertices, steps, strict=True)])


def extended(
    vertices: Vertices,
    grown: Axes,
    other: Vertices,
    other_grown: Axes,
    axis: int,
    place: Vertices | None = None,
) -> Vertices | None:
    """The polyhedron with one more slice on its upper face; None if the slice is not where its
    edges lead. (`place` is where, if that is known.)"""
    below = grown[:-1]
    if other_grown != below and not set(other_grown) <= set(below):
        return None
    slice_ = spread(other, other_grown, below)
    if slice_ != (place or ahead(vertices, directions(vertices, axis))):
        return None
    return vertices[: len(slice_)] + slice_


def merged(
    vertices: Vertices, grown: Axes, other: Vertices, other_grown: Axes, axis: int, slope: int
) -> tuple[Vertices, Axes] | None:
    """Two slices side by side along an axis neither has grown along, as one polyhedron; None if
    they do not make one."""
    union = tuple(sorted({*grown, *other_grown}, reverse=True))
    lower, upper = spread(vertices, grown, union), spread(other, other_grown, union)
    edges = [
        tuple(b - a for a, b in zip(p, q, strict=True)) for p, q in zip(lower, upper, strict=True)
    ]
    if not all(is_search_vector(edge, axis, slope) for edge in edges):
        return None
    both, axes = lower + upper, (*union, axis)
    # A slice that is only moved keeps the slopes of its faces.
    if len(set(edges)) > 1 and not has_flat_sides(both, axes, axis):
        return None
    return both, axes


def has_flat_sides(vertices: Vertices, grown: Axes, axis: int) -> bool:
    """Whether every side face inside `axis` lies on one hyperplane (Figure 7 shows one that does
    not). The paper's normal vector is not defined for faces that are degenerate: what is tested is
    that a face's coordinate is an affine function of those outside of it."""
    return all(
        bound(face, axes, q) is not None
        for q in range(axis + 1, len(vertices[0]))
        for face, axes in faces(vertices, grown, q)
    )


def faces(vertices: Vertices, grown: Axes, axis: int) -> Iterator[tuple[Vertices, Axes]]:
    """The lower and the upper face along an axis, with the axes that number their vertices; the
    whole, once, along an axis that it has not grown along."""
    if axis not in grown:
        yield vertices, grown
        return
    bit = grown.index(axis)
    axes = grown[:bit] + grown[bit + 1 :]
    for side in (0, 1):
        yield tuple(v for k, v in enumerate(vertices) if k >> bit & 1 == side), axes


def bound(face: Vertices, axes: Axes, axis: int) -> tuple[Point, int] | None:
    """The affine function of the outer coordinates (coefficients, constant) that gives a face's
    coordinate at `axis`; None if there is none.

    From the inside outwards, an edge along each outer axis gives its coefficient: the edge moves
    that coordinate and some inside of it, whose coefficients are known by then. The slope vector
    of an edge has a 1 there, so they are integers.
    """
    found = [0] * axis
    for bit, outer in enumerate(axes):
        if outer >= axis:
            continue
        edge = _edge(face, bit, outer)
        rest = edge[axis] - sum(found[q] * edge[q] for q in range(outer + 1, axis))
        found[outer], remainder = divmod(rest, edge[outer])
        if remainder:
            return None
    constants = {v[axis] - sum(k * c for k, c in zip(found, v, strict=False)) for v in face}
    return (tuple(found), constants.pop()) if len(constants) == 1 else None


def _edge(face: Sequence[Point], bit: int, outer: int) -> list[int]:
    """An edge of some length along an axis."""
    edges = (
        [b - a for a, b in zip(v, face[k | 1 << bit], strict=True)]
        for k, v in enumerate(face)
        if not k >> bit & 1
    )
    return next(e for e in edges if e[outer])
