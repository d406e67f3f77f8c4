"""The steps of folding: Figure 5, and steps that always lead to the result."""

from __future__ import annotations

import pickle
from itertools import product

import numpy as np
import pytest

from polynb.folding import BOTTOM, TOP, FoldingError, Stream, Variant, fold_stepwise, steps

I2 = Stream("I2", "instruction", ("cj", "ck"), ("address",))
SQUARE = np.array(list(product(range(3), repeat=2)))
LABELS = np.array([[(67, 71, 77)[k] + j] for j, k in SQUARE.tolist()])


def test_figure_5() -> None:
    """Only the steps that the figure shows: what is created and absorbed, and the coefficients."""
    _, told = fold_stepwise(SQUARE, LABELS, I2, Variant())
    kinds = (steps.Created, steps.Absorbed, steps.Determined)
    shown = [
        (s.was, s.now) if isinstance(s, steps.Determined) else str(s)
        for s in told
        if isinstance(s, kinds)
    ]
    assert shown == [
        "P1 is created from the point (0, 0)",
        "P2 is created from the point (0, 1)",
        "P1 absorbs P2 along dimension 1, by a merge",
        (BOTTOM, 4),
        "P3 is created from the point (0, 2)",
        "P1 absorbs P3 along dimension 1, by extension",
        (4, TOP),
        "P4 is created from the point (1, 0)",
        "P5 is created from the point (1, 1)",
        "P4 absorbs P5 along dimension 1, by a merge",
        (BOTTOM, 4),
        "P6 is created from the point (1, 2)",
        "P4 absorbs P6 along dimension 1, by extension",
        (4, TOP),
        "P1 absorbs P4 along dimension 2, by a merge",
        (BOTTOM, 1),
        "P7 is created from the point (2, 0)",
        "P8 is created from the point (2, 1)",
        "P7 absorbs P8 along dimension 1, by a merge",
        (BOTTOM, 4),
        "P9 is created from the point (2, 2)",
        "P7 absorbs P9 along dimension 1, by extension",
        (4, TOP),
        "P1 absorbs P7 along dimension 2, by extension",
    ]
    assert str(told[-1]) == "P1 is retired: it is a piece of the result"
    assert pickle.loads(pickle.dumps(told))[0].point == (0, 0)


@pytest.mark.parametrize("give_up", [None, 2])
def test_steps_lead_to_the_result(give_up: int | None) -> None:
    """Replayed, they give the pieces, and how many live at most."""
    r = np.random.default_rng(5)
    points = np.argwhere(r.random((9, 9)) < 0.7)
    labels = r.integers(0, 2, (len(points), 1))
    found, told = fold_stepwise(points, labels, I2, Variant(widen=True, give_up=give_up))
    live: dict[int, tuple] = {}
    retired, most = [], 0
    for step in told:
        match step:
            case steps.Created():
                live[step.serial] = ((step.point,), step.labels)
            case steps.Absorbed():
                del live[step.other]
                live[step.serial] = (step.vertices, step.labels)
            case steps.Retired():
                retired.append(live.pop(step.serial))
            case steps.GivenUp():
                assert (step.live, step.allowed) == (len(live), give_up)
                live.clear()
            case _:
                assert step.serial in live
        if not isinstance(step, steps.Created):  # which may be absorbed at once
            most = max(most, len(live))
    exact = [p for p in found.pieces if not p.approximate]
    assert sorted(v for v, _ in retired) == sorted(p.vertices for p in exact)
    functions = {v[0]: tuple(f.function(v[0]) for f in fs) for v, fs in retired}
    assert functions == {p.anchor: p.labels for p in exact}
    assert found.gave_up == (give_up is not None)
    assert most <= found.most_live


def test_a_refused_entry_has_the_steps_before_it() -> None:
    with pytest.raises(FoldingError, match="comes too late") as error:
        fold_stepwise(SQUARE[::-1].copy(), LABELS, I2, Variant())
    assert str(error.value.steps[0]) == "P1 is created from the point (2, 2)"
