"""What `prove` proves, refutes, and leaves open."""

from __future__ import annotations

import pytest
from programs import DIFFERENT, PRODUCER, SAME, SUM, UNKNOWN

from polynb import isl
from polynb.errors import PolynbError
from polynb.legality import check
from polynb.proofs import prove
from polynb.propagation import propagate
from polynb.run.oracle import equivalent
from polynb.schedules.bands import with_schedule
from polynb.scop.model import Scop
from polynb.scop.parsing import parse
from polynb.violations.trees import as_tree


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


TOGETHER = "param N; assume N >= 1; for i = 0 to N-1 do S: A[i] = 2 * B[i]; done"


def at_times(text: str, times: str) -> Scop:
    """A program whose instances of one time have no order."""
    scop = parse(text)
    return with_schedule(scop, as_tree(scop, times))


def test_instances_without_an_order_that_share_no_cell():
    assert prove(parse(TOGETHER), at_times(TOGETHER, "{ S[i] -> [0] }"))
    in_place = TOGETHER.replace("B[i]", "A[i]")
    assert prove(parse(in_place), at_times(in_place, "{ S[i] -> [0] }"))


@pytest.mark.parametrize(
    ("text", "times"),
    [
        (TOGETHER.replace("A[i]", "A[0]"), "{ S[i] -> [0] }"),
        (TOGETHER.replace("B[i]", "A[i+1]"), "{ S[i] -> [0] }"),
        (TOGETHER.replace("B[i]", "A[x[i]]"), "{ S[i] -> [0] }"),
        (TOGETHER.replace("A[i]", "A[x[i]]"), "{ S[i] -> [0] }"),
        (
            TOGETHER.replace("S:", "T: C[i] = A[x[i]]; S:").replace(
                "param", "input int32 x; param"
            ),
            "{ S[i] -> [i]; T[i] -> [i] }",
        ),
    ],
    ids=["one writes", "reads another's", "reads any", "writes any", "another reads any"],
)
def test_instances_without_an_order_that_may_share_a_cell(text, times):
    proof = prove(parse(text), at_times(text, times))
    assert proof.answer == "unknown"
    assert "comes first is not said" in str(proof)


def test_what_kills_allow_is_proved_only_where_nothing_is_left_of_it():
    """An order that kills make legal leaves another content in a killed cell: to be compared if it
    is live-out, and no matter if it is not."""
    text = "param N; output A; output B; for i = 1 to N do S: A = f(i); done T: B = 2;"
    kills = "{ T[] -> A[] }"
    for program, answer in ((text, "refuted"), (text.replace("output A", "temp A"), "proved")):
        scop = parse(program)
        made = with_schedule(scop, as_tree(scop, "{ S[i] -> [0, -i]; T[] -> [1, 0] }"))
        assert check(scop, made, kills=kills)
        assert prove(scop, made).answer == answer
