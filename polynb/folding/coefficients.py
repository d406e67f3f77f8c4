"""Label functions while their polyhedra grow: Figure 8 and Algorithm 4, with widening.

Decisions where the paper is open or in error:
- A function keeps the label of its polyhedron's anchor. The paper's remaining value is that label
  without the known terms; a coefficient that becomes ⊤ so gives its share back to the constant.
- Two functions that do not know a coefficient fix it to 0 if their anchors differ in that
  coordinate: on a diagonal, Algorithm 4 goes on with ⊥ and takes a value later that is wrong.
- Line 23 of Algorithm 4 would reject every merge whose new coefficient is not 0: it is a test of
  extensions only.
- What is claimed beside a ⊤ holds at every point and not only at anchors: see `residuals`. So it
  need not become ⊤, too, just because the anchors differ in a ⊤ coordinate, as in a triangle.
- A coefficient has 64 bits; one that would need more counts as one that does not fit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from polynb.folding.labels import BOTTOM, TOP, LabelFunction, Sign
from polynb.folding.polyhedra import Point, Vertices
from polynb.folding.residuals import POINT, Residuals, agreement

Coefficient = int | Sign


class Label(NamedTuple):
    """The label function of an intermediate polyhedron: the label of its anchor, and coefficients,
    outermost axis first. ⊥ means that all points have the anchor's coordinate there. `residuals`
    are those along the ⊤ axes, None if they are not known any more."""

    value: int
    coefficients: tuple[Coefficient, ...]
    residuals: Residuals | None = POINT

    def function(self, anchor: Point) -> LabelFunction:
        """The result: what is still ⊥ never influenced the label (section 5.1.2)."""
        found = tuple(0 if k is BOTTOM else k for k in self.coefficients)
        known = sum(k * c for k, c in zip(found, anchor, strict=True) if not isinstance(k, Sign))
        return LabelFunction(found, self.value - known)


class Half(NamedTuple):
    """One of two that become one: its vertices and its label function."""

    vertices: Vertices
    label: Label

    @property
    def anchor(self) -> Point:
        return self.vertices[0]


def new_label(value: int, dims: int) -> Label:
    """The function of a single point: nothing is known yet."""
    return Label(value, (BOTTOM,) * dims)


def joined(
    absorber: Half, absorbed: Half, axis: int, widen: bool, rules: JoiningRules
) -> Label | None:
    """The function of both together, joined along an axis; None if there is none and nothing may
    be widened."""
    inside = rules.inside(absorber, absorbed, axis, widen)
    if inside is None:
        return None
    moves = [b - a for a, b in zip(absorber.anchor, absorbed.anchor, strict=True)]
    rest = absorbed.label.value - absorber.label.value
    rest -= sum([k * moves[q] for q, k in inside.items() if not isinstance(k, Sign)])
    tops = [q for q, k in inside.items() if k is TOP]
    value, outside = absorber.label.value, absorber.label.coefficients[:axis]
    known = absorber.label.coefficients[axis]
    if not tops:
        along = rules.along(known, rest, moves[axis])
        if along is not TOP:
            return Label(value, (*outside, along, *inside.values()))
        if not widen:
            return None
    elif known is not TOP:
        one, other = (_residuals(half, tops, axis) for half in (absorber, absorbed))
        both = None if one is None or other is None else rules.agreement(one, other, axis)
        if both is not None:
            along = rules.along(known, rest - both[0], moves[axis])
            if along is not TOP:
                return Label(value, (*outside, along, *inside.values()), both[1])
    one, other = (_residuals(half, [axis, *tops], axis) for half in (absorber, absorbed))
    together = None if one is None or other is None else one.joined(other, rest)
    return Label(value, (*outside, TOP, *inside.values()), together)


def _coefficients_inside(
    absorber: Half, absorbed: Half, axis: int, widen: bool
) -> dict[int, Coefficient] | None:
    """The coefficients of the axes inside of one, by axis; None if they differ."""
    found: dict[int, Coefficient] = {}
    for q in range(axis + 1, len(absorber.anchor)):
        one, other = absorber.label.coefficients[q], absorbed.label.coefficients[q]
        if TOP in (one, other):
            found[q] = TOP
        elif one is BOTTOM and other is BOTTOM:
            found[q] = BOTTOM if absorber.anchor[q] == absorbed.anchor[q] else 0
        elif one is BOTTOM or other is BOTTOM:
            found[q] = other if one is BOTTOM else one
        elif one == other:
            found[q] = one
        elif widen:
            found[q] = TOP
        else:
            return None
    return found


def _coefficient_along(known: Coefficient, rest: int, steps: int) -> Coefficient:
    """The coefficient of the axis they are joined along, if its terms are to make up `rest`; ⊤
    if no number does."""
    if known is BOTTOM:  # a merge: slices side by side, one step apart
        return rest if fits(rest) else TOP
    if known is TOP or known * steps != rest:
        return TOP
    return known


def fits(coefficient: int) -> bool:
    """Whether it has 64 bits."""
    return -(2**63) <= coefficient < 2**63


def _residuals(side: Half, tops: Sequence[int], axis: int) -> Residuals | None:
    """The residuals along these axes, of which some may not be ⊤ yet in the function itself; None
    if they are not known, or not of all slices, unless they are to be compared along that axis."""
    found, coefficients = side.label.residuals, side.label.coefficients
    new = {q: k for q in tops if (k := coefficients[q]) is not TOP}
    if found is None or (found.partial is not None and (new or found.partial != axis)):
        return None
    if not new:
        return found
    have = [q for q, k in enumerate(coefficients) if k is TOP]
    for q, k in new.items():
        if k is BOTTOM:
            at = side.anchor[q]
            found = found.along(q, at, at, 0, at)
        elif not have or _is_box(side.vertices, (*have, q)):
            coordinates = [v[q] for v in side.vertices]
            found = found.along(q, min(coordinates), max(coordinates), k, side.anchor[q])
        else:
            return None
        have.append(q)
    return found


def _is_box(vertices: Vertices, axes: Sequence[int]) -> bool:
    """Whether the projection onto these axes surely is a product of ranges: there is a vertex at
    every corner of their ranges, and the polyhedron is convex."""
    ranges = [sorted({v[q] for v in vertices}) for q in axes]
    corners = {tuple(v[q] for q in axes) for v in vertices}
    size = 1
    for r in ranges:
        size *= len({r[0], r[-1]})
    ends = {c for c in corners if all(x in (r[0], r[-1]) for x, r in zip(c, ranges, strict=True))}
    return len(ends) == size


@dataclass(frozen=True)
class JoiningRules:
    """What `joined` goes by: the coefficients inside of an axis, that along it, and, beside a ⊤,
    what two residuals have in common."""

    inside: Callable[[Half, Half, int, bool], dict[int, Coefficient] | None] = _coefficients_inside
    along: Callable[[Coefficient, int, int], Coefficient] = _coefficient_along
    agreement: Callable[[Residuals, Residuals, int], tuple[int, Residuals] | None] = agreement
