"""What belongs to one iteration alone: only what the program shows."""

from dataclasses import replace

import pytest

import polynb as pn
from polynb.codegen.kernel import large_private
from polynb.legality.carried import loops_within
from polynb.legality.private import (
    private_by_cells,
    private_parts,
    touched_column,
)
from polynb.scop.schedule import Band, Mark, Private, transform

TEXT = "param N; {0} for i = 0 to N do S: t = A[i]; T: B[i] = t; done {1}"


def marked(text: str, *arrays: str) -> pn.Scop:
    scop = pn.parse(text)
    mark = lambda t: replace(t, child=Mark(Private(arrays), t.child)) if isinstance(t, Band) else t  # noqa: E731
    return replace(scop, schedule=transform(scop.schedule, mark))


def shown(scop: pn.Scop) -> frozenset[str]:
    return set(private_parts(scop, pn.analyze(scop).flow_edges))


def test_the_cells_that_are_touched_are_those_for_the_sizes_that_there_are() -> None:
    scop = pn.parse("param N; assume N == 3; for i = 0 to N do t[i][i+N] = 1; done")
    (s,) = scop.statements
    for k, first in enumerate((0, 3)):
        touched = touched_column(scop, s, s.write, k).range()
        cells = f"[N] -> {{ [x] : N = 3 and {first} <= x <= {first + 3} }}"
        assert touched.is_equal(pn.isl.read_set(cells))


def test_a_temporary_that_an_iteration_writes_first() -> None:
    assert shown(marked(TEXT.format("temp t;", ""), "t")) == {"t"}


@pytest.mark.parametrize(
    ("head", "tail"),
    [
        ("", ""),  # it remains
        ("temp t;", "U: C[0] = t;"),  # it is read behind the loop
    ],
)
def test_what_others_see_is_not(head: str, tail: str) -> None:
    assert not shown(marked(TEXT.format(head, tail), "t"))


def test_what_iterations_pass_on_is_not() -> None:
    text = "param N; temp t; t = 0; for i = 0 to N do S: t = t + A[i]; T: B[i] = t; done"
    assert not shown(marked(text, "t"))


def test_what_iterations_pass_on_below_the_mark_is_not() -> None:
    first = "if i == 0 then R: t[0] = 0; fi"
    text = f"param N; temp t[1]; for i = 0 to N do {first} S: t[0] = t[0] + A[i];"
    assert not shown(marked(f"{text} T: B[i] = t[0]; done", "t"))


def test_any_subscript_may_tell_the_runs_apart() -> None:
    text = "param N; temp t[1][N+1]; for i = 0 to N do S: t[0][i] = A[i]; T: B[i] = t[0][i]; done"
    assert private_by_cells(marked(text, "t")) == {"t"}


def test_a_mark_of_an_array_that_is_gone_says_nothing() -> None:
    assert not shown(marked(TEXT.format("", ""), "gone"))


def test_the_stack_holds_so_many_bytes_and_no_more() -> None:
    text = "temp t[32768], u[32769]; for i = 0 to 9 do "
    text += "t[0] = A[i]; u[0] = t[0]; B[i] = u[0]; done"
    assert large_private(marked(text, "t", "u")) == {"u"}


def test_the_stack_holds_a_megabyte_of_all_of_them() -> None:
    names = [f"t{k}" for k in range(6)]
    text = f"temp {', '.join(f'{n}[32768]' for n in names)}; for i = 0 to 9 do t0[0] = A[i]; "
    text += " ".join(f"t{k}[0] = t{k - 1}[0];" for k in range(1, 6)) + " B[i] = t5[0]; done"
    assert large_private(marked(text, *names)) == {"t4", "t5"}


def test_below_the_mark_private_arrays_count_again() -> None:
    """Each iteration of i has a copy, and all of j share it."""
    text = "param N; temp t; for i = 0 to N do for j = 0 to N do"
    scop = pn.parse(f"{text} S: t = A[i][j]; T: B[i][j] = t; done done")
    band = scop.schedule
    assert isinstance(band, Band)
    scop = replace(scop, schedule=replace(band, child=Mark(Private(("t",)), band.child)))
    loops = loops_within(scop, pn.analyze(scop).edges)
    assert [x.carried is not None for x in loops] == [False, True]
