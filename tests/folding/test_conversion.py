"""Label functions to isl and back."""

from __future__ import annotations

import pytest

from polynb import PolynbError, isl
from polynb.folding import TOP, LabelFunction, fold, label_functions


def test_a_map_gives_back_its_label_functions() -> None:
    m = isl.Map("{ I[i, j, k] -> [2i - k + 12, 7, 3j] : 0 <= i, j < 5 and 0 <= k <= i }")
    assert label_functions(m) == (
        LabelFunction((2, 0, -1), 12),
        LabelFunction((0, 0, 0), 7),
        LabelFunction((0, 3, 0), 0),
    )


def test_what_a_piece_leaves_open_is_top() -> None:
    points = [(j, k) for j in range(4) for k in range(4)]
    labels = [(j + (k * 7) % 5, 2 * j - k) for j, k in points]
    (piece,) = fold(points, labels).pieces
    graph = piece.relation(["j", "k"], ["a", "b"], "I2")
    expected = "{ I2[j, k] -> [a, b = 2j - k] : 0 <= j, k < 4 }"
    assert graph.is_equal(isl.Map(expected))
    assert label_functions(graph) == (LabelFunction((TOP, TOP)), LabelFunction((2, -1)))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{ [i] -> [j] : i <= j <= i + 1 }", "several values at one point"),
        ("{ [i] -> [i] : i < 0; [i] -> [2i] : i >= 0 }", "has 2 pieces"),
        ("{ [i] -> [floor(i/2)] }", "not affine with integer coefficients"),
        ("[N] -> { [i] -> [i + N] }", "not affine with integer coefficients"),
    ],
)
def test_other_maps_are_refused(text: str, said: str) -> None:
    with pytest.raises(PolynbError) as error:
        label_functions(isl.Map(text))
    assert said in str(error.value)
