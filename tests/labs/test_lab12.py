"""Lab 12 again: what propagation makes of a claim's program is walked through, cell by cell."""

import pytest

from polynb import isl, labs, parse
from polynb.evaluation import readings

from .walker import walk

CLAIM = labs.exercise("lab12.claim", student="")


def changed(text, size):
    """The live-out cells that another program leaves, if overwritten reloads are read so."""
    wrong = readings.propagate_with(parse(text), overwritten=readings.or_for_all_in_piw).result
    before, after = (walk(t, {"N": size}).memory for t in (text, str(wrong)))
    cells = {c for c in before | after if c[0] != "tmp"}
    return {c for c in cells if before.get(c, ("was", c)) != after.get(c, ("was", c))}


@pytest.mark.parametrize("size", [6, 9, 12])
@pytest.mark.parametrize("student", ["", "ada", "grace", "edsger"])
def test_a_claim_that_is_right_changes_just_these_cells_of_b(student, size):
    claim = labs.exercise("lab12.claim", student=student)
    wanted = isl.points(isl.read_set(claim._task.wrong), {"N": size})
    for answer in claim._right:
        assert changed(answer, size) == {("B", index) for index in wanted}


def test_the_errata_s_own_program_is_worth_little():
    """All its cells come out wrong."""
    (theirs,) = [m.answer for m in CLAIM.misconceptions if "erratum" in m.name]
    found = labs.check(CLAIM, theirs)
    assert found.points <= found.of / 20
    assert "comes out wrong, and is not to" in str(found)


@pytest.mark.parametrize("m", CLAIM.misconceptions[:5], ids=lambda m: m.name)
def test_a_claim_that_is_wrong_changes_nothing(m):
    assert not any(changed(m.answer, size) for size in range(4))


def test_half_of_the_project_is_not_fast_enough():
    """Each half of what is in the way is seen, and of the same results."""
    fast = labs.exercise("lab12.fast", student="")
    before, removed = (walk(t, {"N": 3}).memory for t in (fast.program, fast._right[1]))
    assert {c: v for c, v in before.items() if c[0] == "B"} == removed
