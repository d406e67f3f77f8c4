"""Lab 12 again: what propagation makes of a claim's program is walked through, cell by cell, and
so are the five kernels."""

from types import SimpleNamespace

import pytest

from polynb import isl, labs, parse
from polynb.evaluation import readings
from polynb.labs.tasks import times
from polynb.labs.tasks.programs import same

from . import plainly
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


# -- one of five kernels -------------------------------------------------------------------------

STUDENTS = ("", *(f"student {k}" for k in range(60)))
KERNELS = [labs.exercise("lab12.kernel", student=s) for s in STUDENTS]


def programs(kernel):
    """The texts of the five, as the exercise shows them."""
    return kernel.program.strip().split("\n\n")


@pytest.mark.parametrize("kernel", KERNELS[:6], ids=STUDENTS[:6])
@pytest.mark.long
def test_of_each_kernel_one_right_answer_leaves_the_same_and_is_proved(kernel):
    found = []
    for answer in kernel._right:
        asked = kernel._task.chosen(parse(answer))
        found.append(asked.program)
        for size in range(5):
            assert plainly.left(answer, {"N": size}) == plainly.left(asked.program, {"N": size})
        shown, different = same(parse(asked.program), parse(answer))
        assert different is None
        assert "proved for every N" in shown
    assert sorted(found) == sorted(programs(kernel))


@pytest.mark.parametrize("k", range(5))
def test_each_kernel_has_twenty_variants_of_its_own(k):
    assert len({programs(kernel)[k] for kernel in KERNELS}) >= 20


@pytest.mark.long
def test_no_two_kernels_have_an_array_in_common():
    for kernel in KERNELS:
        names = [name for text in programs(kernel) for name in parse(text).arrays]
        assert len(set(names)) == len(names)


@pytest.mark.parametrize("k", range(5))
@pytest.mark.long
def test_a_kernel_is_judged_as_it_is_written(k, monkeypatch):
    """By the interval alone, of both measurements, at its own bound and size."""
    text = programs(KERNELS[0])[k]
    asked = KERNELS[0]._task.chosen(parse(text))
    at, above = asked.least, asked.least + 0.01
    for lowest in ([at], [above, at], [above, above]):
        measured = []

        def measure(programs, sizes, *, threads, seconds, lowest=lowest, measured=measured):
            here = lowest[len(measured)]
            measured.append(({n: str(p) for n, p in programs.items()}, sizes, threads))
            return SimpleNamespace(
                comparison=lambda name: "timed", interval=lambda name: (here, 99)
            )

        monkeypatch.setattr(times, "measure", measure)
        assert bool(labs.check(KERNELS[0], text)) is (lowest == [above, above])
        both = dict.fromkeys(("reference", "answer"), str(parse(text)))
        assert measured == [(both, dict(asked.sizes), 1)] * len(lowest)


def test_a_program_of_other_arrays_is_of_no_kernel():
    found = labs.check(KERNELS[0], "param N; for i = 0 to N do unheard[i] = 0; done")
    assert (found.points, str(found.findings[0])) == (0, "it has an array of none of the kernels")


def test_what_an_answer_does_to_another_kernel_counts():
    (product, *_), project = KERNELS[0]._right, parse(programs(KERNELS[0])[1])
    (cells, *_) = [name for name, a in project.arrays.items() if a.role == "inout"]
    found = labs.check(KERNELS[0], f"{product}\nfor i = 0 to N-1 do {cells}[i] = 0; done")
    assert found.points == 0
    assert "not the same results: for N = 1: " in str(found)
