"""Which domains fold to how many polyhedra, and what becomes of labels on a diagonal."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest

from polynb import isl
from polynb.folding import BOTTOM, TOP, Folder, LabelFunction, Variant, fold
from polynb.folding.coefficients import Half, JoiningRules, joined, new_label

N = 10
SHAPES = {
    "triangle": (1, "{ [i, j] : 0 <= j <= i < 10 }"),
    "upper triangle": (1, "{ [i, j] : 0 <= i <= j < 10 }"),
    "trapezoid": (1, "{ [i, j] : 0 <= i < 6 and 0 <= j <= 4 + i }"),
    "widening both ways": (1, "{ [i, j] : 0 <= i < 6 and 10 - i <= j <= 12 + i }"),
    "skewed": (1, "{ [t, i] : 0 <= t < 8 and t <= i < t + 6 }"),
    "LU": (1, "{ [k, i, j] : 0 <= k < 9 and k < i < 9 and k < j < 9 }"),
    "Cholesky": (1, "{ [i, j, k] : 0 <= i < 9 and 0 <= j <= i and 0 <= k < j }"),
    "tetrahedron": (1, "{ [i, j, k] : 0 <= k <= j <= i < 9 }"),
    "skewed stencil": (1, "{ [t, i, j] : 0 <= t < 5 and t <= i < t + 4 and t <= j < t + 6 }"),
    "4D simplex": (1, "{ [i, j, k, l] : 0 <= l <= k <= j <= i < 6 }"),
    "diagonal": (1, "{ [i, i] : 0 <= i < 10 }"),
    "diagonal of a cube": (1, "{ [i, i, i] : 0 <= i < 10 }"),
    "anti-diagonal": (1, "{ [i, 9 - i] : 0 <= i < 10 }"),
    "diagonal plane": (1, "{ [i, i, k] : 0 <= i < 10 and 0 <= k < 4 }"),
    "one point": (1, "{ [3, 4, 5] }"),
    "a column is missing": (2, "{ [i, j] : 0 <= i, j < 10 and j != 5 }"),
    "a point is missing": (4, "{ [i, j] : 0 <= i, j < 10 and (i != 5 or j != 5) }"),
    "L": (2, "{ [i, j] : 0 <= i, j < 10 and (i < 5 or j < 5) }"),
    "every other row": (5, "{ [i, j] : 0 <= i, j < 10 and i mod 2 = 0 }"),
    "every other column": (5, "{ [i, j] : 0 <= i, j < 10 and j mod 2 = 0 }"),
    "steeper than 1": (1, "{ [i, j] : 0 <= i < 10 and 0 <= j <= 2i }"),
    "steep on both sides": (1, "{ [i, j] : 0 <= i < 10 and -4i <= j <= 4i }"),
    "steep, falling": (1, "{ [i, j] : 0 <= i < 10 and 2i <= j <= 60 - 3i }"),
    "steep, deeper": (1, "{ [k, i, j] : 0 <= k < 5 and 0 <= i <= 2k and 0 <= j <= 2i }"),
    "steeper than what is known": (10, "{ [i, j] : 0 <= i < 10 and 0 <= j <= 5i }"),
}


def points_of(text: str) -> np.ndarray:
    s = isl.Set(text)
    found: list[tuple[int, ...]] = []

    def take(p: isl.Point) -> None:
        dims = range(s.dim(isl.SET))
        found.append(tuple(p.get_coordinate_val(isl.SET, k).to_python() for k in dims))

    s.foreach_point(take)
    return np.array(sorted(found))


@pytest.mark.parametrize("name", SHAPES)
def test_shapes_fold_to_that_many_pieces(name: str) -> None:
    count, text = SHAPES[name]
    points = points_of(text)
    labels = points @ np.arange(3, 3 + points.shape[1]) + 11
    found = fold(points, labels, variant="F", kind="dependence")
    assert len(found.pieces) == count
    assert found.domain.is_equal(isl.Set(text))
    assert [p.domain().count_val().to_python() for p in found.pieces] == [
        p.points for p in found.pieces
    ]
    for point, label in zip(points.tolist(), labels, strict=True):
        at = f"{{ [{', '.join(map(str, point))}] -> [{label}] }}"
        assert isl.Map(at).is_subset(found.relation)


def test_slopes_of_two_are_several_pieces_in_the_paper() -> None:
    points = points_of(SHAPES["steeper than 1"][1])
    assert len(fold(points, variant=Variant(slope=1)).pieces) == 10


def pairs() -> Iterator[tuple[tuple[int, int, int], int]]:
    """Two diagonals side by side that go on as a full row: the coefficient that neither diagonal
    knows is known in the end."""
    for i, j, k in product(range(3), repeat=3):
        if j == k or i == 2:
            yield (i, j, k), 7 * i + 5 * j + 3 * k


def test_labels_on_diagonals_are_exact() -> None:
    points, labels = (np.array(x) for x in zip(*pairs(), strict=True))
    found = fold(points, labels, variant="F", kind="dependence")
    held = {}
    for piece in found.pieces:
        for p in points.tolist():
            at = isl.Set(f"{{ [{', '.join(map(str, p))}] }}")
            if at.is_subset(piece.domain()):
                held[tuple(p)] = piece.labels[0](p)
    assert held == {tuple(p): l for p, l in zip(points.tolist(), labels, strict=True)}


def test_a_diagonal_has_the_slope_of_its_inner_coordinate_in_the_outer_one() -> None:
    (piece,) = fold([(i, i) for i in range(5)], [3 * i + 4 * i for i in range(5)]).pieces
    assert piece.labels == (LabelFunction((7, 0), 0),)


def test_loops_that_skip_values_and_start_anywhere() -> None:
    points = [(i, j) for i in (-4, -3, 7, 8, 9) for j in (-2, -1, 5, 6)]
    found = fold(points, [i + 10 * j for i, j in points], variant="F", kind="dependence")
    assert [(p.anchor, p.points) for p in found.pieces] == [
        ((-4, -2), 4), ((-4, 5), 4), ((7, -2), 6), ((7, 5), 6),
    ]  # fmt: skip


def test_the_square_of_figure_5_is_one_polyhedron_at_any_time() -> None:
    folder = Folder(2, 1, widen=True)
    for j, k in product(range(3), repeat=2):
        assert folder.add((j, k), ((67, 71, 77)[k] + j,)) == 0
        assert folder.live == (1 if j == 0 else 2)
    (piece,) = folder.finish()
    assert piece.vertices == ((0, 0), (0, 2), (2, 0), (2, 2))
    assert piece.labels[0].text(["cj", "ck"]) == "1cj + ⊤ck + 67"


def test_a_twisted_side_is_no_elementary_polyhedron() -> None:
    """Figure 7: four corners of a side that lie on no plane."""
    lower = [(0, i, k) for i in range(2) for k in range(3)]
    flat = [(1, i, k) for i in range(2) for k in range(3)]
    twisted = [(1, i, k) for i in range(2) for k in range(3 + i)]
    assert len(fold(lower + flat).pieces) == 1
    assert len(fold(lower + twisted).pieces) == 2


def test_a_label_function_that_is_not_finished() -> None:
    """Figure 8, with the labels of Figure 5: unknown, known, then top."""
    points = [((0, k), new_label(label, 2)) for k, label in enumerate((67, 71, 77))]
    one, two, three = (Half((at,), label) for at, label in points)
    both = joined(one, two, 1, widen=True, rules=JoiningRules())
    assert both is not None
    assert (both.value, both.coefficients) == (67, (BOTTOM, 4))
    row = Half(((0, 0), (0, 1)), both)
    all_three = joined(row, three, 1, widen=True, rules=JoiningRules())
    assert all_three is not None
    assert (all_three.value, all_three.coefficients) == (67, (BOTTOM, TOP))
    assert joined(row, three, 1, widen=False, rules=JoiningRules()) is None
