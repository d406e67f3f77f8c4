"""Tables 3 and 4 of TACO'19, from synthetic streams as in Tables 1 and 2 (n2 = 16, n1 = 42)."""

from __future__ import annotations

import numpy as np
import pytest

from polynb.folding import Folded, fold
from polynb.folding.model import NAMED

N2, N1 = 16, 42
CJ, CK = (axis.ravel() for axis in np.indices((N2, N1 + 1)))
INSTANCES = np.column_stack([CJ, CK])
# Rows of malloc lie anywhere: conn[k] begins at 67, 71, and so on up to 243, with irregular gaps.
GAPS = [4, 6, *([3, 5, 4, 2] * 10)][: N1 - 1]
ROWS = np.array([67, *(67 + np.cumsum(GAPS)), 243])
LABELS = {
    "I1": 12 + CK,
    "I2": ROWS[CK] + CJ,
    "I3": 407 + CK,
    "I4": None,
    "I5": 1 + CK,
}
RECTANGLE = "0 ≤ cj ≤ 15, 0 ≤ ck ≤ 42"
TABLE_3 = {
    "I1": (RECTANGLE, "0cj + 1ck + 12"),
    "I2": (RECTANGLE, "1cj + ⊤ck + 67"),
    "I3": (RECTANGLE, "0cj + 1ck + 407"),
    "I4": (RECTANGLE, "N/A"),
    "I5": (RECTANGLE, "0cj + 1ck + 1"),
    "I6": ("0 ≤ cj ≤ 15", "1cj + 2"),
}
SAME = (RECTANGLE, "cj' = cj + 0ck, ck' = 0cj + ck")
TABLE_4 = {
    "I1 -> I2": SAME,
    "I2 -> I4": SAME,
    "I4 -> I4": ("0 ≤ cj ≤ 15, 1 ≤ ck ≤ 42", "cj' = cj + 0ck, ck' = 0cj + ck - 1"),
}


def only_row(found: Folded) -> tuple[str, str]:
    ((_, polyhedron, function, points),) = found.rows()
    assert points == found.entries
    return polyhedron, function


@pytest.mark.parametrize("variant", NAMED)
@pytest.mark.parametrize("name", TABLE_3)
def test_table_3(name: str, variant: str) -> None:
    if name == "I6":
        points, labels, names = np.arange(N2).reshape(-1, 1), np.arange(N2) + 2, "cj"
    else:
        points, labels, names = INSTANCES, LABELS[name], "cj, ck"
    found = fold(points, labels, variant=variant, names=names, identifier=name)
    assert only_row(found) == TABLE_3[name]
    assert found.most_live == (2 if names == "cj, ck" else 1)
    assert found.is_affine == (name != "I2")
    assert found.affine == (name != "I2")


@pytest.mark.parametrize("variant", NAMED)
@pytest.mark.parametrize("name", TABLE_4)
def test_table_4(name: str, variant: str) -> None:
    points, labels = INSTANCES, INSTANCES
    if name == "I4 -> I4":
        points = INSTANCES[CK > 0]
        labels = points - [0, 1]
    found = fold(
        points, labels, variant=variant, names="cj, ck", kind="dependence", identifier=name
    )
    assert only_row(found) == TABLE_4[name]
    assert found.affine == 1.0


def test_the_table_is_printed_as_in_the_paper() -> None:
    found = fold(INSTANCES, LABELS["I2"], names="cj, ck", outputs="address", identifier="I2")
    assert str(found) == (
        "Id  Polyhedron (cj, ck)       Label function f(cj, ck)  Points\n"
        "I2  0 ≤ cj ≤ 15, 0 ≤ ck ≤ 42  1cj + ⊤ck + 67               688"
    )
    shown = found._repr_mimebundle_()
    assert shown["text/plain"] == f"{found}\nnext: _.relation"
    assert "1cj + ⊤ck + 67" in shown["text/html"]


def test_rows_that_agree_in_their_first_point_only_claim_nothing() -> None:
    """What the paper's algorithm, which compares anchors, would call 1j + ⊤k."""
    points = np.array([(j, k) for j in range(6) for k in range(6)])
    labels = [j + (k * 17 + (j + 1) * k * k) % 23 if k else j for j, k in points.tolist()]
    (piece,) = fold(points, labels).pieces
    assert str(piece.labels[0]) == "⊤c1 + ⊤c2"


def test_a_producer_may_lie_deeper_than_its_consumer() -> None:
    """`l2[j] = squash(sum)` takes `sum` from the last iteration of the inner loop."""
    points = np.arange(N2).reshape(-1, 1)
    labels = np.column_stack([points, np.full(N2, N1)])
    found = fold(points, labels, names="cj", outputs="cj', ck'", kind="dependence", variant="F")
    assert only_row(found) == ("0 ≤ cj ≤ 15", "cj' = cj, ck' = 0cj + 42")
