"""What programs compute and move, counted exactly: beside figures by hand, and enumeration."""

import re

import pytest

from polynb import PolynbError, gallery, isl, parse, propagate
from polynb.propagation import counting
from polynb.scop.storage import in_memory
from polynb.tuning.demands import Demand, demand

BLUR = """param N; assume N >= 2; temp float t; input float A; output float B;
for i = 0 to N do t[i] = (A[i] + A[i+1]) / 2; done
for i = 1 to N do B[i] = t[i-1] + 0.5f * t[i]; done"""


def test_a_blur_by_hand() -> None:
    found = demand(parse(BLUR), {"N": 100})
    assert found == Demand({"float": 2 * 101 + 2 * 100}, 4 * 102, 4 * 100, kept=4 * 101)


def test_temporaries_move_if_they_are_larger_than_the_caches() -> None:
    found = demand(parse(BLUR), {"N": 100})
    assert found.moved(4 * 101) == 4 * 102 + 4 * 100
    assert found.moved(4 * 101 - 1) == 4 * 102 + 4 * 100 + 2 * 4 * 101


def test_harris_by_hand() -> None:
    """Two gradients of 7, three products; three sums of 8, 3 + 1 + 3 for the corner."""
    rows, columns = 50, 31
    size = {"R": rows, "C": columns}
    naive = demand(gallery.load("harris"), size)
    inner = (rows - 2) * (columns - 2)
    assert naive.operations == {"float": 17 * rows * columns + 31 * inner}
    assert naive.read == 4 * (rows + 2) * (columns + 2)
    assert naive.written == 4 * inner
    assert naive.kept == 10 * 4 * (rows + 2) * (columns + 2)
    assert naive.exact


@pytest.mark.long
def test_propagation_computes_more_and_keeps_nothing() -> None:
    size = {"R": 50, "C": 31}
    naive = demand(gallery.load("harris"), size)
    propagated = demand(propagate(gallery.load("harris")).result, size)
    windows = demand(in_memory(propagate(gallery.load("harris"), windows=True).result), size)
    assert propagated.of(True) > windows.of(True) > naive.of(True)
    assert propagated.kept == 0 < windows.kept < naive.kept
    assert (propagated.written, windows.written) == (naive.written, naive.written)
    assert (propagated.read, windows.read) == (naive.read, naive.read)


@pytest.mark.parametrize(
    ("value", "operations"),
    [
        ("A[i] * A[i] + A[i] * A[i]", {"double": 2}),  # equal parts once
        ("-A[i] + (+A[i])", {"double": 2}),
        ("min(A[i], B[i], 1.0)", {"double": 2}),
        ("sqrt(A[i]) > 0 ? 1.0 : B[i]", {"double": 2}),
        ("2*i + N", {}),  # a place
        ("A[i] * (2*i + N)", {"double": 1}),
        ("K[i] % 3 + int32(A[i])", {"int32": 2}),
        ("square(A[i] + 1) + square(K[i])", {"double": 3, "int32": 1}),
        ("A[K[i] + 1]", {"int64": 1}),
    ],
)
def test_operations_of_a_statement(value: str, operations: dict[str, int]) -> None:
    kind = "int64" if "A[K" in value else "int32"
    text = f"""param N; input double A[N+1], B[N+1]; input {kind} K[N+1]; output double C;
    define square(x) = x * x; for i = 0 to N do C[i] = {value}; done"""
    assert demand(parse(text), {"N": 0}).operations == operations


def test_what_is_read_after_it_was_written_is_no_input() -> None:
    text = """param N; inout A[N+2]; for t = 0 to 9 do for i = 1 to N do
    A[i] = A[i-1] + A[i+1]; done done"""
    found = demand(parse(text), {"N": 100})
    assert found.read == 8 * 101  # A[0], and A[2] to A[N+1]; A[1] was written before it was read
    assert found.written == 8 * 100
    assert found.of(floating=True) == 10 * 100


def test_cells_are_counted_as_a_plain_enumeration_does() -> None:
    text = """param N; for i = 0 to N do for j = i to N by 3 do
    if i + j > 4 then B[2*i + j] = A[i][j] + A[j][i]; fi done done"""
    scop, size = parse(text), {"N": 13}
    found = demand(scop, size)
    (s,) = scop.statements
    read = {p for r in s.reads for p in isl.points(r.relation.range(), size)}
    assert found.read == 8 * len(read)
    assert found.written == 8 * len(isl.points(s.write.relation.range(), size))
    assert found.operations == {"double": len(isl.points(s.domain, size))}


def test_what_data_decides_counts_as_all_that_may_be() -> None:
    text = """param N; input A[50]; input int64 K[N]; for i = 0 to N-1 do
    if A[0] > 0 then B[i] = A[K[i]]; fi done"""
    found = demand(parse(text), {"N": 10})
    assert not found.exact
    assert found.read == 8 * 50 + 8 * 10
    assert found.operations == {"double": 10}


def test_lines_are_counted_a_part_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of LU, of whose three loops each depends on those around it."""
    monkeypatch.setattr(counting, "GRID", 50)
    n = 30
    updates = sum(j for i in range(n) for j in range(i)) + sum(i * (n - i) for i in range(n))
    divisions = n * (n - 1) // 2
    found = demand(gallery.load("lu"), {"n": n})
    assert found.operations == {"double": 2 * updates + divisions}
    assert found.written == 8 * (n * n - n)  # all but the first row


def test_instances_that_are_too_many_are_refused() -> None:
    text = """param N; for i = 0 to N do for j = 0 to i do for k = 0 to j do for l = 0 to k do
    B[i] = B[i] + j; done done done done"""
    with pytest.raises(PolynbError, match=re.escape("too many to be counted")) as refused:
        demand(parse(text), {"N": 4000})
    assert refused.value.hint == "smaller sizes"
