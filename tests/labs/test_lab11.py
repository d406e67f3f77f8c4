"""Lab 11 again: what propagation makes of a claim's program is walked through, cell by cell."""

import pytest

from polynb import labs, parse
from polynb.evaluation import readings

from .walker import walk

CLAIM = labs.exercise("lab11.claim", student="")


def changed(text, size):
    """The live-out cells that another program leaves, if overwritten reloads are read so."""
    wrong = readings.propagate_with(parse(text), overwritten=readings.or_for_all_in_piw).result
    before, after = (walk(t, {"N": size}).memory for t in (text, str(wrong)))
    cells = {c for c in before | after if c[0] != "tmp"}
    return {c for c in cells if before.get(c, ("was", c)) != after.get(c, ("was", c))}


@pytest.mark.parametrize("size", [0, 1, 3])
def test_a_claim_that_is_right_changes_b(size):
    for answer in CLAIM._right:
        assert {array for array, _ in changed(answer, size)} == {"B"}


@pytest.mark.parametrize("m", CLAIM.misconceptions[:5], ids=lambda m: m.name)
def test_a_claim_that_is_wrong_changes_nothing(m):
    assert not any(changed(m.answer, size) for size in range(4))


def test_half_of_the_project_is_not_fast_enough():
    """Each half of what is in the way is seen, and of the same results."""
    fast = labs.exercise("lab11.fast", student="")
    before, removed = (walk(t, {"N": 3}).memory for t in (fast.program, fast._right[1]))
    assert {c: v for c, v in before.items() if c[0] == "B"} == removed
