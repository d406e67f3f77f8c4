"""Maximal propagation solves satisfiability (section 3.4), and stays right on other programs."""

import random
from itertools import product

import pytest

import polynb as pn
from polynb import gallery, isl
from polynb.propagation.cnf import read_formula
from polynb.propagation.sat import Eliminated, Unfinished, encode, propagate_maximally, solve
from polynb.run.oracle import equivalent


def satisfying(formula):
    """By plain enumeration."""
    names = formula.variables
    found = [dict(zip(names, v, strict=True)) for v in product((False, True), repeat=len(names))]
    return [a for a in found if formula.holds(a)]


def sample(clauses, count, seed):
    """Formulas over three variables; their clauses have one to three different variables."""
    draw = random.Random(seed)
    for _ in range(count):
        yield [
            [draw.choice((1, -1)) * v for v in draw.sample((1, 2, 3), draw.choice((1, 2, 2, 3)))]
            for _ in range(clauses)
        ]


SAMPLE = [f for n in range(1, 5) for f in sample(n, 7, seed=n)]
UNSATISFIABLE = [
    "x and not x",
    "(x or y) and (x or not y) and (not x or y) and (not x or not y)",
    "(x or y or z) and not x and not y and not z",
    [[1, 2], [], [3]],
]


@pytest.mark.parametrize("clauses", SAMPLE, ids=str)
def test_unsat_is_eliminated_exactly_for_the_satisfying_assignments(clauses):
    answer = solve(clauses)
    assert list(answer.assignments) == satisfying(answer.formula)


def test_the_sample_has_both_kinds():
    counts = {len(satisfying(read_formula(f))) for f in SAMPLE}
    assert 0 in counts
    assert len(counts) > 3


@pytest.mark.parametrize("given", UNSATISFIABLE, ids=str)
def test_an_unsatisfiable_formula_keeps_unsat_everywhere(given):
    answer = solve(given)
    assert answer.satisfiable is False
    assert answer.where.is_empty()
    assert "UNSAT" in answer.derivation.result.arrays
    assert answer.derivation.why("UNSAT") == "UNSAT is eliminated for no parameter values."


def test_a_tautology_needs_no_unsat_at_all():
    answer = solve("(x or not x) and (y or x or not y)")
    assert len(answer.assignments) == 4
    assert not answer.where.is_equal(answer.derivation.before.assumed)  # a false witness is no use
    assert solve([]).where.is_equal(solve([]).derivation.before.assumed)
    assert "UNSAT" not in solve([]).derivation.result.arrays


def test_the_witnesses_are_true_literals():
    """(A, wit) is found if and only if each clause's witness is true under A."""
    answer = solve("(x or not y) and (y or z)")
    clauses, names = answer.formula.clauses, answer.formula.variables
    for values in product((0, 1), repeat=3):
        for wit in product((1, 2), repeat=2):
            a = dict(zip(names, values, strict=True))
            chosen = [c[w - 1] for c, w in zip(clauses, wit, strict=True)]
            at = {f"A_{v}": x for v, x in a.items()} | {
                f"wit_{k + 1}": w for k, w in enumerate(wit)
            }
            found = not isl.fix_parameters(answer.where, at).is_empty()
            assert found == all(a[l.variable] == l.positive for l in chosen)


def test_ordinary_propagation_agrees_at_each_assignment():
    """The pass of section 4, at one assignment and its witnesses at a time: UNSAT goes or not."""
    text = "(x or y) and (not x or not y)"
    found = solve(text).where
    for x, y, one, two in product((0, 1), (0, 1), (1, 2), (1, 2)):
        at = {"A_x": x, "A_y": y, "wit_1": one, "wit_2": two}
        assume = " and ".join(f"{k} == {v}" for k, v in at.items())
        scop = pn.parse(encode(text), assume=assume)
        result = pn.propagate(scop, live_out=True, partial=True, order="first_write").result
        assert ("UNSAT" not in result.arrays) == (not isl.fix_parameters(found, at).is_empty())


def test_the_result_computes_the_same():
    derivation = solve("(x or not y) and (y or z)").derivation
    values = {p: [0, 1] if p[0] == "A" else [1, 2] for p in derivation.before.parameters}
    assert equivalent(derivation, parameters=values)
    pieces = [s for s in derivation.result.statements if s.write.array == "out"]
    assert {any(r.array == "UNSAT" for r in s.reads) for s in pieces} == {True, False}


@pytest.mark.parametrize("name", ["fig1", "fig4", "fig5", "fig7a", "fig7b", "fig9a", "fig9b"])
def test_other_programs_keep_what_they_compute(name):
    scop = gallery.load(name)
    derivation = propagate_maximally(scop)
    assert equivalent(derivation)
    recorded = {s.array for s in derivation.steps if isinstance(s, Eliminated)}
    assert recorded == set(scop.temporaries)


def test_it_goes_as_far_as_it_can():
    """Figure 7b: tmp is overwritten for all N >= 0. One more read, before, is replaced anyway."""
    text = """param N; temp t;
    for i = 0 to N do t[i] = A[i]; done
    for i = 0 to N do B[i] = t[i]; done
    for i = 5 to N do A[i] = 0; C[i] = t[i]; done"""
    derivation = propagate_maximally(pn.parse(text))
    (step,) = (s for s in derivation.steps if isinstance(s, Eliminated))
    assert step.where.is_equal(isl.read_set("[N] -> { : N <= 4 }").params())
    left = {s.origin: {r.array for r in s.reads} for s in derivation.result.statements}
    assert left["S1"] == {"A"}
    assert left["S3"] == {"t"}
    assert equivalent(derivation)


def test_used_up_operations_are_said_and_nothing_is_claimed():
    answer = solve("(x or not y) and (y or z)", max_operations=20)
    assert answer.satisfiable is answer.assignments is answer.where is None
    assert isinstance(answer.derivation.steps[-1], Unfinished)
    assert "used up its 20 operations" in str(answer)
    assert equivalent(answer.derivation, parameters={"A_x": [0, 1], "wit_1": [1, 2]})


def test_an_answer_prints_its_assignments():
    assert str(solve("(x or y) and not x")).splitlines() == [
        "UNSAT is eliminated for 1 of 4 assignments:",
        "x y",
        "0 1",
    ]
    assert str(solve("x and not x")) == "UNSAT is eliminated for 0 of 2 assignments."
