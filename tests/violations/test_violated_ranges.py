"""`pn.violated_ranges`: what it answers and says, and what it is called with."""

import pytest

import polynb as pn
from polynb import isl
from polynb.errors import PolynbError
from polynb.schedules import privatize
from polynb.scop import Instance
from polynb.scop.schedule import Mark, transform

TEXT = "param N; temp t; for i=0 to N do S: t = A[i]; R: B[i] = t; done"


@pytest.fixture
def scop():
    return pn.parse(TEXT)


def test_the_printed_formula_relates_ranges_that_overlap(scop):
    """Here each with itself, and with no other one."""
    found = pn.violated_ranges(scop, "{ S[i] -> [i,0]; R[i] -> [i,1] }", "paper")
    itself = "[N] -> { t[] -> [[S[i] -> R[i]] -> [S[i] -> R[i]]] : 0 <= i <= N }"
    assert found.vio["t"].is_equal(isl.read_union_map(itself))


def test_a_pair_says_both_ranges_and_their_times(scop):
    found = pn.violated_ranges(scop, "{ S[i] -> [0,i]; R[i] -> [1,i] }")
    assert found
    assert found.arrays == ("t",)
    (pair,) = found.pairs
    assert pair.instances == {
        "write": Instance("S", (0,)),
        "read": Instance("R", (0,)),
        "other write": Instance("S", (1,)),
        "other read": Instance("R", (1,)),
    }
    assert pair.times == {
        "write": (0, 0), "read": (1, 0), "other write": (0, 1), "other read": (1, 1),
    }  # fmt: skip
    assert str(pair) == (
        "t holds what S(0) writes until R(0) reads it, and S(1), whose value R(1) reads, would "
        "overwrite it in between; N = 1"
    )
    assert str(pair.first) == "from S(0) to R(0)"
    assert str(found).endswith(str(pair))


def test_what_was_there_before_and_what_remains():
    scop = pn.parse("param N; inout A; for i=0 to N do S: B[i] = A[i]; T: A[i] = 1; done")
    (pair,) = pn.violated_ranges(scop, "{ S[i] -> [i,1]; T[i] -> [i,0] }").pairs
    assert str(pair) == (
        "A[0] holds what was there before the program until S(0) reads it, and T(0), whose value "
        "remains, would overwrite it before that; N = 0"
    )
    scop = pn.parse("param N; output A; for i=0 to N do S: A[0] = B[i]; done")
    (pair,) = pn.violated_ranges(scop, "{ S[i] -> [-i] }").pairs
    assert pair.kind == "live-out"
    assert "S(1) writes when the program has ended, and S(0), whose value nothing reads" in str(
        pair
    )


def test_where_data_decides_nothing_is_certain():
    scop = pn.parse(
        "param N; temp t; Z: t = 0; for i = 0 to N do if A[i] > 0 then S: t = A[i]; fi done\n"
        "R: B[0] = t;"
    )
    assert not pn.violated_ranges(scop, "{ Z[] -> [0,0]; S[i] -> [1,i]; R[] -> [2,0] }")
    found = pn.violated_ranges(scop, "{ Z[] -> [0,0]; S[i] -> [1,-i]; R[] -> [2,0] }")
    assert found
    assert all(not p.exact and "may overwrite" in str(p) for p in found.pairs)


@pytest.mark.parametrize(("read", "exact"), [("A[i] + C[K[i]]", True), ("A[K[i]]", False)])
def test_what_is_read_beside_makes_a_range_no_less_certain(read, exact):
    scop = pn.parse("param N; inout A[N+1]; input C[N+1]; input int32 K[N+1]; "
                    f"for i = 0 to N do S: B[i] = {read}; T: A[i] = 1; done")  # fmt: skip
    found = pn.violated_ranges(scop, "{ S[i] -> [i,1]; T[i] -> [i,0] }").pairs
    assert {p.exact for p in found if p.kind == "live-in"} == {exact}


def test_loops_of_a_tree_that_run_in_parallel():
    """A scalar that all iterations share forbids that; a private copy for each would not."""
    scop = privatize(pn.parse("param N; assume N >= 1;" + TEXT[8:]))
    parallel = pn.transform(scop).parallel("i").result
    assert pn.violated_ranges(scop, parallel, parallel=True).legal
    plain = pn.parse(TEXT)
    shared = transform(parallel.schedule, lambda t: t.child if isinstance(t, Mark) else t)
    assert pn.violated_ranges(plain, shared, parallel=True).arrays == ("t",)
    assert pn.violated_ranges(plain, shared).legal
    assert not pn.violated_ranges(plain, "{ S[i] -> [i,0]; R[i] -> [i,1] }", parallel=[1])
    assert pn.violated_ranges(plain, "{ S[i] -> [i,0]; R[i] -> [i,1] }", parallel=[1]).flow
    assert pn.violated_ranges(plain, "{ S[i] -> [i,0]; R[i] -> [i,1] }", parallel=[]).legal


def test_kills_end_what_would_be_read():
    text = "param N; inout t; for i=0 to N do S: t = A[i]; R: B[i] = t; done"
    late = "{ S[i] -> [-i,0]; R[i] -> [-i,1] }"
    assert pn.violated_ranges(pn.parse(text), late)
    assert not pn.violated_ranges(pn.parse(text), late, kills="{ R[i] -> t[] }")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("{ S[i] -> [i] }",), "says nothing of R"),
        (("{ S[i] -> [i]; R[i] -> [i] }", "printed"), "paper"),
        (("{ S[i] -> [i]; R[i] -> [i] }", "sound", 3), "parallel must be"),
        (("{ S[i] -> [i]; R[i] -> [i] }", "sound", [1]), "no level 1"),
        (("{ S[i] -> [i]; R[i] -> [i] }", "sound", [-1]), "parallel must be at least 0"),
    ],
)
def test_wrong_calls(scop, arguments, said):
    with pytest.raises(PolynbError, match=said):
        pn.violated_ranges(scop, *arguments)


def test_a_spent_budget(scop):
    with pytest.raises(PolynbError, match="operation budget"):
        pn.violated_ranges(scop, "{ S[i] -> [0,i]; R[i] -> [1,i] }", max_operations=20)


def test_a_range_up_to_a_read_that_data_decides_is_not_certain():
    scop = pn.parse(
        "param N; assume N >= 1; input int32 K[N]; temp t[N];\n"
        "for i = 0 to N-1 do S: t[i] = i; done for i = 0 to N-1 do R: B[i] = t[K[i]]; done\n"
        "for i = 0 to N-1 do Z: t[i] = 2; done for i = 0 to N-1 do U: C[i] = t[i]; done"
    )
    early = "{ S[i] -> [0,i]; Z[i] -> [1,i]; R[i] -> [2,i]; U[i] -> [3,i] }"
    (pair,) = pn.violated_ranges(scop, early).pairs
    assert not pair.exact
    assert "until R(0) reads it, and Z(0), whose value U(0) reads, may overwrite" in str(pair)
