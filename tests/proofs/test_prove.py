"""What `prove` proves, refutes, and leaves open."""

from __future__ import annotations

import pytest
from programs import DIFFERENT, PRODUCER, SAME, SUM, UNKNOWN

from polynb import isl
from polynb.errors import PolynbError
from polynb.proofs import prove
from polynb.propagation import propagate
from polynb.run.oracle import equivalent
from polynb.scop.parsing import parse


@pytest.mark.parametrize("name", SAME)
def test_what_is_the_same_is_proved(name):
    before, after = map(parse, SAME[name])
    assert str(prove(before, after)) == "proved for every N"
    assert equivalent(before, after)  # the oracle says so too


@pytest.mark.parametrize("name", SAME)
def test_and_the_other_way_round(name):
    after, before = map(parse, SAME[name])
    assert prove(before, after)


@pytest.mark.parametrize("name", DIFFERENT)
def test_what_is_different_is_refuted_where_it_differs(name):
    before, after = map(parse, DIFFERENT[name])
    proof = prove(before, after)
    assert not proof
    assert proof.answer == "refuted"
    assert proof.difference.before is not proof.difference.after
    values = proof.difference.witness.parameters
    assert str(equivalent(before, after, values).difference) == str(proof.difference)


@pytest.mark.parametrize("name", UNKNOWN)
def test_what_is_not_known_says_why(name):
    (before, after), reason = UNKNOWN[name]
    proof = prove(parse(before), parse(after))
    assert proof.answer == "unknown"
    assert not proof
    assert reason in str(proof)


def test_a_derivation_is_compared_with_what_it_was_derived_from():
    assert prove(propagate(parse(PRODUCER)))


def test_a_budget_that_is_used_up_is_an_answer():
    proof = prove(parse(SUM), parse(SUM), max_operations=20)
    assert proof.answer == "unknown"
    assert "used up" in str(proof)
    assert prove(parse(SUM), parse(SUM), seconds=1e-6).answer == "unknown"


def test_a_budget_around_it_is_no_answer():
    with pytest.raises(isl.BudgetExhausted), isl.budget(20):
        prove(parse(SUM), parse(SUM))


def test_one_program_alone_is_refused():
    with pytest.raises(PolynbError, match="nothing to compare"):
        prove(parse(SUM))
