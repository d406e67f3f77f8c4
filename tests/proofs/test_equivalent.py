"""`pn.equivalent`: proved where it can be, else run; run where parameter values are given."""

from dataclasses import replace

import pytest
from programs import DIFFERENT, PRODUCER, SUM, UNKNOWN

import polynb as pn
from polynb.run import oracle
from polynb.scop.parsing import parse


@pytest.fixture
def runs(monkeypatch):
    """How often programs were run."""
    found = []
    run = oracle.equivalent

    def counted(*args, **kwargs):
        found.append(args)
        return run(*args, **kwargs)

    monkeypatch.setattr(oracle, "equivalent", counted)
    return found


def test_what_is_proved_does_not_run(runs):
    answer = pn.equivalent(pn.propagate(parse(PRODUCER)))
    assert answer
    assert str(answer) == "the same: proved for every N"
    assert (answer.checked, runs) == (0, [])


def test_without_parameters_it_is_proved_for_all_data():
    scop = parse("for i = 0 to 3 do A[i] = 2 * B[i]; done")
    assert str(pn.equivalent(scop, scop)) == "the same: proved for all data"


@pytest.mark.parametrize("given", [{"N": [2, 5]}, {"parameters": {"N": [2, 5]}}])
def test_where_values_are_given_they_are_run(runs, given):
    answer = pn.equivalent(parse(PRODUCER), parse(PRODUCER), **given)
    assert str(answer) == "the same: run for 2 parameter values"
    assert len(runs) == 1


def test_who_wants_it_run_says_so(runs):
    answer = pn.equivalent(parse(SUM), parse(SUM), prove=False)
    assert str(answer).startswith("the same: run for 6 parameter values")
    assert len(runs) == 1


def test_what_is_not_known_is_run():
    (before, after), _ = UNKNOWN["algebra"]
    answer = pn.equivalent(parse(before), parse(after))
    assert str(answer).startswith("the same: run for 6 parameter values")


@pytest.mark.parametrize("name", DIFFERENT)
def test_a_difference_is_the_smallest_one(name):
    before, after = map(parse, DIFFERENT[name])
    answer = pn.equivalent(before, after)
    assert not answer
    assert str(answer) == str(pn.equivalent(before, after, prove=False))


def test_a_difference_that_no_small_size_shows_is_found():
    before = "param N; assume N >= 0; for i = 0 to N do A[i] = B[i]; done"
    after = before.replace("A[i] = B[i];", "A[i] = B[i]; if i == 30 then A[i] = 1; fi")
    assert pn.equivalent(parse(before), parse(after), prove=False)
    answer = pn.equivalent(parse(before), parse(after))
    assert not answer
    assert "A[30] differs" in str(answer)
    assert (answer.checked, answer.skipped) == (1, 0)


def test_a_program_that_nothing_runs_is_refused():
    scop = parse(SUM)
    scop = replace(scop, context=scop.context.subtract(scop.context))
    with pytest.raises(pn.PolynbError, match="none of the parameter values"):
        pn.equivalent(scop, scop)
