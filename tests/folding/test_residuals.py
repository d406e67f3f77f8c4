"""What is claimed beside a ⊤ holds, also where somebody knows how residuals are hashed."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from polynb.folding import TOP, Variant, fold

MEETING = [
    *(0, 0, -1, -1, -3, -2, -1, -1, 1, 0, 1, 0, 3, 0, 1, 1, -2),
    *(0, 1, -1, 0, 1, 2, -2, -1, 1, -1, 0, -1, 1, 0, 0, 0, 0),
]
"""What two rows may differ by, and have the same hash if weights are splitmix64's of coordinates,
with no seed: a short vector of a lattice."""


@pytest.mark.parametrize("engine", ["python", "c"])
def test_rows_that_differ_where_weights_would_cancel_are_told_apart(engine) -> None:
    points = np.argwhere(np.ones((2, len(MEETING)), bool))
    row = np.arange(len(MEETING)) ** 2 % 23
    labels = np.concatenate([row, row + 100 + np.array(MEETING)])
    (piece,) = fold(points, labels, variant=Variant(widen=True), engine=engine).pieces
    assert piece.labels[0].coefficients == (TOP, TOP)
    labels = np.concatenate([row, row + 100])
    (piece,) = fold(points, labels, variant=Variant(widen=True), engine=engine).pieces
    assert piece.labels[0].coefficients == (100, TOP)


def test_weights_are_others_in_each_process() -> None:
    text = "from polynb.folding.residuals import weights; print(weights(0, 0, 3))"
    run = [sys.executable, "-c", text]
    said = {subprocess.run(run, capture_output=True, text=True, check=True).stdout for _ in "ab"}
    assert len(said) == 2
