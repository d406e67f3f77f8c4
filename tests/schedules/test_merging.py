"""All writes to one array in one loop nest (CC'18, section 5.3)."""

import pickle

import pytest

import polynb as pn
from polynb.dependences import analyze
from polynb.legality.violation import violation
from polynb.run.oracle import equivalent
from polynb.schedules.merging import Merged, NotMerged, merge_writes
from polynb.scop.schedule import Band, Sequence

TWO = """
param N; assume N >= 1; input double B[N+2];
for i = 0 to N do A[2*i] = B[i] * 2.0; done
{between}
for i = 0 to N do A[2*i+1] = {value}; done
"""


def merged(value="B[i] + B[i+1]", between=""):
    return merge_writes(pn.parse(TWO.format(value=value, between=between)))


def test_two_nests_that_write_one_array_become_one():
    d = merged()
    assert isinstance(d.result.schedule, Band)
    assert str(d.result).count("for i") == 1
    assert equivalent(d)
    assert str(d.steps[0]) == "Writes to A are in one loop nest: S0, S1 share a loop."


def test_what_stands_between_runs_before_or_after():
    for between in ("for i = 0 to N do C[i] = A[2*i]; done", "for i = 0 to N do C[i] = B[i]; done"):
        d = merged(between=between)
        assert [type(s) for s in d.steps] == [Merged]
        assert equivalent(d)
    d = merged(value="C[i]", between="for i = 0 to N do C[i] = B[i]; done")
    assert [type(s) for s in d.steps] == [Merged]
    assert isinstance(d.result.schedule, Sequence)
    assert list(d.result.schedule.children[0].domains) == ["S1"]  # C comes first then
    assert equivalent(d)


def test_a_dependence_in_the_way_is_refused_with_a_witness():
    d = merged(value="C[i]", between="for i = 0 to N do C[i] = A[2*N - 2*i]; done")
    assert d.result is d.before
    (step,) = d.steps
    assert isinstance(step, NotMerged)
    (turned,) = [step.violation]
    instances = {s.name: s for s in d.before.statements}
    w = turned.witness
    assert w.statements == (turned.edge.source, turned.edge.target)
    for i in w.instances.values():
        fixed = pn.isl.fix_parameters(instances[i.statement].domain, w.parameters)
        assert i.point in pn.isl.points(fixed)
    assert turned.edge.source in str(step)
    assert "through" in str(pickle.loads(pickle.dumps(str(step))))


def test_the_same_iteration_must_be_reached_in_order():
    # A later iteration of the second nest writes what an earlier one of the first one read.
    d = merged(value="A[2*N - 2*i]")
    assert d.result is d.before
    assert isinstance(d.steps[0], NotMerged)
    # The other way round it is fine: the cell was written in an iteration before.
    assert isinstance(merged(value="A[2*i]").steps[0], Merged)


def test_as_many_loops_as_are_legal():
    d = merge_writes(
        pn.parse("""
        param N; input double B[N+1][N+1];
        for i = 0 to N do for j = 0 to N do A[2*i][j] = B[i][j]; done done
        for i = 0 to N do for j = 0 to N do A[2*i+1][j] = A[2*i][N-j]; done done
        """)
    )
    assert d.steps[0].loops == 1
    assert equivalent(d)


def test_three_nests_of_which_two_can_be_merged():
    text = TWO.format(value="B[i]", between="") + (
        "for i = 0 to N do C[i] = A[N - i]; done for i = 0 to N do A[i] = C[N - i]; done"
    )
    d = merge_writes(pn.parse(text))
    assert [type(s) for s in d.steps] == [Merged, NotMerged]
    assert equivalent(d)


@pytest.mark.parametrize("name", ["fig1", "harris", "unsharp_mask"])
def test_pieces_of_propagation_are_in_one_nest_already(name):
    propagated = pn.propagate(pn.gallery.load(name)).result
    assert merge_writes(propagated).result is propagated


def test_a_schedule_that_turns_a_dependence_is_noticed():
    scop = pn.parse("param N; for i = 1 to N do A[i] = A[i-1] + 1.0; done")
    edges = analyze(scop).edges
    (s,) = scop.statements
    assert violation(edges, {s.name: s.schedule}, scop.assumed) is None
    backwards = s.schedule.neg()
    found = violation(edges, {s.name: backwards}, scop.assumed)
    assert str(found.witness) == "S0(1) and S0(2), N = 2"
