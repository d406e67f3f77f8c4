"""Cache lines per iteration (CC'18, section 4.2, Figure 8)."""

import pytest

import polynb as pn
from polynb.propagation import CacheLines, propagate
from polynb.propagation.heuristics import lines

CASES = [
    ("A[i], A[i+3], A[i-4]", 1),
    ("A[i], A[i+4]", 2),
    ("A[i], A[i-5]", 2),
    ("A[i+4], A[i]", 1),
    ("A[i-2], A[i-1], A[i], A[i+1], A[i+2]", 2),
    ("A[i], A[i-2], A[i-1], A[i+1], A[i+2]", 1),
    ("A[i][j], A[i+1][j]", 2),
    ("A[i][j], B[i][j]", 2),
    ("A[2*i], A[2*i+1]", 1),
    ("A[i], s, A[7]", 1),
]


def program(accesses):
    """One whose reads are these, and whose write is free."""
    text = f"""param N; assume N >= 20;
    for i = 5 to N do for j = 5 to N do o[0] = {accesses.replace(",", " +")}; done done"""
    return pn.parse(text)


def count(scop, first, line=64):
    """The lines of its only statement, the reads with these indices first."""
    (s,) = scop.statements
    return lines(s, {id(s.reads[k].node) for k in first}, line, scop.arrays)


@pytest.mark.parametrize(("accesses", "expected"), CASES)
def test_lines_of_eight_elements(accesses, expected):
    scop = program(accesses)
    assert len(count(scop, range(len(scop.statements[0].reads)))) == expected


def test_a_longer_line_holds_more():
    scop = program("A[i], A[i+7]")
    assert [len(count(scop, [0, 1], n)) for n in (64, 128)] == [2, 1]


def test_a_line_holds_more_elements_of_a_smaller_type():
    text = "param N; input {} A; output {} o; for i = 0 to N do o[0] = A[i] + A[i+7]; done"
    found = [len(count(pn.parse(text.replace("{}", t)), [0, 1])) for t in ("double", "float")]
    assert found == [2, 1]


def test_the_write_comes_after_the_old_reads_and_before_the_new_ones():
    scop = pn.parse("param N; for i = 0 to N do o[i] = A[i] + B[i]; done")
    assert [line.text for line in count(scop, [1])] == ["B[i]", "o[i]", "A[i]"]


def test_each_access_that_depends_on_data_is_a_line():
    counted = count(pn.parse("param N; for i = 0 to N do o[i] = A[B[i]] + A[B[i] + 1]; done"), [])
    assert sorted(line.access.array for line in counted) == ["A", "A", "B", "o"]


BLUR = """param N; temp bx;
for y = 0 to N+2 do for x = 1 to N+1 do
  bx[y][x] = in[y][x-1] + in[y][x] + in[y][x+1];
done done
for y = 1 to N+1 do for x = 1 to N+1 do
  out[y][x] = bx[y-1][x] + bx[y][x] + bx[y+1][x];
done done"""


@pytest.mark.parametrize(("limit", "removed"), [(4, True), (3, False), (None, True)])
def test_a_blur_needs_four_lines(limit, removed):
    d = propagate(pn.parse(BLUR), cache_lines=limit)
    assert ("bx" not in d.result.arrays) == removed
    if not removed:
        assert d.result is d.before
        assert "S1 would need 4 cache lines per iteration" in d.why("bx")
        assert "in[y][x-1]" in d.why("bx")


def test_figure_10_needs_one_line():
    scop = pn.gallery.load("fig10")
    assert propagate(scop, heuristics=[CacheLines(1)]).result.temporaries == ()
    assert propagate(scop, heuristics=[CacheLines(0)]).result.temporaries == ("tmp",)


def test_figure_9b_one_of_two_if_four_lines_are_allowed():
    scop = pn.gallery.load("fig9b")
    (left,) = propagate(scop, cache_lines=4).result.temporaries
    assert left == "t1"
    d = propagate(scop, cache_lines=4)
    assert "5 cache lines" in d.why("t1")
    assert propagate(scop, cache_lines=5).result.temporaries == ()
    (left,) = propagate(scop, cache_lines=4, order="t1, t0").result.temporaries
    assert left == "t0"
