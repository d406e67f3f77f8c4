"""What makes a schedule legal: verified by `check`, executed by the oracle, and no larger than it
must be."""

from dataclasses import replace

import pytest
from cases import beside

import polynb as pn
from polynb import isl
from polynb.errors import PolynbError
from polynb.legality import Verdict, check
from polynb.run.oracle import equivalent
from polynb.schedules.expanding import dimensions, expanded
from polynb.scop.access import inconsistency
from polynb.scop.schedule import Band, Sequence, transform, with_kinds
from polynb.violations import repairs, violated_ranges

from .pre import INTERCHANGED, distributed, k_outermost

CASES = beside(__file__)

SUMS = "param N; temp t; for i=0 to N do S: t = A[i]; R: B[i] = t; done"
SIZES = {"N": [0, 1, 2, 3]}


def verified(scop, repair):
    """Legal in its new order, beside the same program in the order of the text; and the same."""
    made = repair.apply()
    assert inconsistency(made) is None
    assert check(made, made)
    assert equivalent(scop, made, SIZES)
    assert pn.prove(scop, made)
    return made


@pytest.mark.parametrize(
    ("schedule", "by"),
    [
        (distributed(), {"phi_out_of_ssa": ("i", "j")}),
        (
            k_outermost(),
            dict.fromkeys(("phi_out_of_ssa", "close_phi", "result"), ("i", "j")),
        ),
    ],
    ids=["distributed", "k"],
)
def test_the_papers_example_is_expanded(schedule, by):
    scop = pn.gallery.load("matmul_pre")
    found = check(scop, schedule).repairs
    first = found[0]
    assert first.kind == "expand"
    assert {e.array: e.added.names for e in first.expansions} == by
    verified(scop, first)
    for e in first.expansions:
        for n in (1, 2, 10):
            assert e.before.at({"N": n}) <= e.cells.at({"N": n}) <= e.full.at({"N": n})
        assert e.cells.formula == "N * N"
    assert "phi_out_of_ssa by i and j" in str(first)


def test_of_two_loops_that_would_do_the_one_of_fewer_cells_is_chosen():
    scop = pn.parse(
        "param N; temp t; for i = 0 to 2*N by 2 do for j = floord(i,2) to floord(i,2) do "
        "S: t = A[j]; R: B[j] = t; done done"
    )
    found = repairs(scop, "{ S[i,j] -> [0,i,j]; R[i,j] -> [1,i,j] }")
    assert [e.added.names for r in found for e in r.expansions] == [("j",)]
    assert [r.cost for r in found if r.kind == "expand"] == [
        f"t: {e.cost}" for r in found for e in r.expansions
    ]


def test_what_is_said_of_other_arrays_holds_where_one_is_expanded():
    """What u holds in the end is nothing: it may be written in the other order."""
    scop = pn.parse(
        "param N; temp t; inout u; for i = 0 to N do S: t = A[i]; R: B[i] = t; done "
        "for i = 0 to N do U: u = A[i]; V: C[i] = u; done"
    )
    order = "{ S[i] -> [0, i, 0]; R[i] -> [1, i, 0]; U[i] -> [2, -i, 0]; V[i] -> [2, -i, 1] }"
    found = repairs(scop, order, kills="{ V[i] -> u[] }")
    assert [e.array for r in found for e in r.expansions] == ["t"]


@pytest.mark.long
def test_no_smaller_set_of_dimensions_would_do():
    """Each of the smaller ones leaves live ranges that overlap."""
    scop = pn.gallery.load("matmul_pre")
    for loops in ((0,), (1,), (2,), ()):
        for by_statement in (False, True):
            if loops or by_statement:
                added = dimensions(scop, "phi_out_of_ssa", loops, by_statement)
                less = expanded(scop, {"phi_out_of_ssa": added})
                assert equivalent(scop, less, SIZES)
                assert "phi_out_of_ssa" in violated_ranges(less, distributed()).arrays


def test_a_legal_schedule_needs_no_repair():
    scop = pn.gallery.load("matmul_pre")
    assert not check(scop, INTERCHANGED).repairs
    assert str(check(scop, INTERCHANGED).repairs) == "nothing to repair"


def test_two_writers_are_kept_apart_by_a_dimension_of_two_cells():
    """D, whose value nobody reads, comes within the live range of S."""
    scop = pn.parse("param N; temp t; for i=0 to N do S: t = A[i]; R: B[i] = t; D: t = 0; done")
    within = "{ S[i] -> [i,0]; D[i] -> [i,1]; R[i] -> [i,2] }"
    (e,) = check(scop, within).repairs[0].expansions
    assert e.added.names == ("statement",)
    assert (e.before.formula, e.cells.formula) == ("1", "2")
    verified(scop, check(scop, within).repairs[0])


def test_iterators_that_begin_below_zero():
    scop = pn.parse(
        "param N; assume N >= 0; temp t; for i = -N to N do S: t = A[i+N]; R: B[i+N] = t; done"
    )
    found = check(scop, "{ S[i] -> [0,i]; R[i] -> [1,i] }").repairs
    made = verified(scop, found[0])
    assert found[0].expansions[0].cells.at({"N": 3}) == 7
    assert "t[N+i]" in str(made).replace(" ", "") or "t[i+N]" in str(made).replace(" ", "")


@pytest.mark.parametrize(
    ("text", "schedule", "why"),
    CASES["what_cannot_be_expanded_is_said_with_a_witness"],
    ids=["output", "legal", "guard", "live-in"],
)
def test_what_cannot_be_expanded_is_said_with_a_witness(text, schedule, why):
    scop = pn.parse(text)
    found = check(scop, schedule).repairs
    assert not any(r.kind == "expand" for r in found)
    if why:
        (said,) = found.refused.values()
        import re

        assert re.search(why, said)
        assert "not " in str(found)
    for r in found:
        verified(scop, r)


def test_the_nearest_legal_schedule():
    scop = pn.parse("param N; inout A; for i=1 to N do S: A[i] = A[i-1] + 1; done")
    told = []
    found = repairs(scop, "{ S[i] -> [-i] }", progress=lambda k, most: told.append((k, most)))
    (repair,) = found
    assert (repair.kind, repair.decisions) == ("reorder", ("reverse i",))
    verified(scop, repair)
    assert told == [(1, 60)]
    assert repair.cost == "no memory"


def test_the_nearest_is_bounded():
    scop = pn.gallery.load("matmul_pre")
    told = []
    repairs(scop, k_outermost(), candidates=5, progress=lambda *n: told.append(n))
    assert told == [(k, 5) for k in range(1, 6)]


def test_two_decisions_away():
    scop = pn.parse(
        "param N; temp t; for i=0 to N do for j=0 to N do S: t = A[i][j]; R: B[i][j] = t; done done"
    )
    far = "{ S[i,j] -> [0,-i,j]; R[i,j] -> [1,i,j] }"
    found = [r for r in repairs(scop, far, distance=3, candidates=300) if r.kind == "reorder"]
    for r in found:
        assert 1 <= len(r.decisions) <= 3
        verified(scop, r)


def test_parallel_loops_get_private_copies():
    scop = pn.parse("param N; assume N >= 1; " + SUMS[9:])
    tree = transform(
        scop.schedule, lambda t: with_kinds(t, ["parallel"]) if hasattr(t, "loops") else t
    )
    found = repairs(scop, tree, parallel=True)
    kinds = [r.kind for r in found]
    assert kinds[:2] == ["privatize", "expand"]
    for r in found:
        made = r.apply()
        assert violated_ranges(made, made, parallel=True).legal
        assert equivalent(scop, made, SIZES)
    assert found[0].cost == "a copy of t for each thread"
    assert pn.transform(found[0].apply()).parallel("i").legal
    sequential = [r for r in found if r.kind == "reorder"]
    assert sequential[0].decisions == ("i sequential",)


def test_a_verdict_that_asked_nothing():
    with pytest.raises(PolynbError, match="does not know what was asked"):
        _ = Verdict(()).repairs


def test_a_spent_budget():
    with pytest.raises(isl.BudgetExhausted):
        repairs(pn.gallery.load("matmul_pre"), distributed(), max_operations=1000)


def test_a_read_that_never_happens_is_expanded_too():
    scop = pn.parse("""param N; temp t[N+1];
    for i=0 to N do S: t[i] = f(i); T: B[i] = t[i]; if i > N then U: C[i] = t[i]; fi done""")
    made = expanded(scop, {"t": dimensions(scop, "t", (0,))})
    assert made.arrays["t"].why.endswith("expanded by i")
    assert equivalent(scop, made, N=[0, 3])
    assert pn.prove(scop, made)


@pytest.mark.parametrize(
    "times",
    [
        "{ S[i] -> [0, 0]; R[i] -> [1, 0] }",
        "{ S[i] -> [0, i]; R[i] -> [1, 0] }",
        "[N] -> { S[i] -> [0, 0]; R[i] -> [1, N - i] }",
    ],
)
def test_what_a_schedule_leaves_open_gets_an_order(times):
    """A program says of every two instances which comes first, and is printed so."""
    scop = pn.parse(SUMS)
    found = check(scop, times).repairs
    assert found
    for r in found:
        made = verified(scop, r)
        assert isl.union_map(s.schedule for s in made.statements).is_injective()
        assert equivalent(scop, pn.parse(str(made)), SIZES)


def test_a_budget_that_private_copies_use_up_is_told(monkeypatch):
    def spent(*given):
        raise isl.BudgetExhausted("isl used up its 3 operations")

    monkeypatch.setattr("polynb.violations.repair.privatize", spent)
    scop = pn.parse("param N; assume N >= 1; " + SUMS[9:])
    tree = transform(
        scop.schedule, lambda t: with_kinds(t, ["parallel"]) if hasattr(t, "loops") else t
    )
    with pytest.raises(isl.BudgetExhausted):
        repairs(scop, tree, parallel=True)


def test_loops_that_run_in_parallel_do_so_in_the_repair_only_where_they_can():
    scop = pn.parse(
        "param N; assume N >= 1; temp t; for i = 0 to N-1 do S: t = A[i]; R: B[i] = t; done"
    )

    def turned(node):
        if isinstance(node, Band):
            return with_kinds(node, ["parallel"])
        return replace(node, children=node.children[::-1]) if isinstance(node, Sequence) else node

    found = check(scop, transform(scop.schedule, turned)).repairs
    assert found
    for made in (r.apply() for r in found):
        assert violated_ranges(made, made, parallel=True).legal
