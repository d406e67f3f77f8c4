"""isl's loops run every instance in its turn, also where isl by itself would not."""

import sys
from dataclasses import replace
from itertools import permutations

import pytest

from polynb import isl
from polynb.codegen.isl_loops import loops
from polynb.codegen.scan import scan
from polynb.errors import PolynbError
from polynb.gallery import load
from polynb.run.oracle import equivalent
from polynb.scop.parsing import parse
from polynb.scop.schedule import Band, Filter, Loop, Sequence, transform

PARITY = """
param N, M; assume N >= 2; temp t;
for n = 0 to N do
  for i = 0 to M - 1 do
    if mod(i, 2) <= n then
      {}: t[i] = A[n][i];
    fi
    if n == 0 and mod(i, 2) == 1 then
      {}: t[i] = 2 * A[n][i];
    fi
    if mod(i, 2) + n >= 1 then
      {}: B[n][i] = t[i] + t[0];
    fi
  done
done
"""
EVEN_AND_ODD = """
param N;
for i = 0 to N do
  if mod(i, 2) == 0 then
    S0: B[i] = A[i];
  else
    S1: B[i] = 2 * A[i];
  fi
done
"""


def domains(scop):
    return {s.name: s.domain for s in scop.statements}


@pytest.mark.long
def test_a_shift_that_would_change_the_order_is_not_taken():
    """Whether isl wants to shift here depends on the statements' names."""
    merged = 0
    for names in permutations(["S0", "S1", "S2"]):
        scop = parse(PARITY.format(*names))
        found = loops(scop, domains(scop))
        merged += found.merged == names
        assert found.moved or not found.merged
        answer = equivalent(scop, parse(str(scop)), {"N": [2, 3], "M": [0, 1, 2, 5]})
        assert answer, str(answer)
    assert merged, "no order of names makes this isl shift: look for other domains that do"


def test_a_shift_that_keeps_the_order_is_taken():
    scop = parse(EVEN_AND_ODD)
    assert not loops(scop, domains(scop)).merged
    (loop,) = scan(scop).body
    assert loop.step == 2


def test_an_order_that_is_not_proven_in_its_budget_counts_as_wrong(monkeypatch):
    monkeypatch.setattr("polynb.codegen.isl_loops.ORDER_BUDGET", 1)
    scop = parse(EVEN_AND_ODD)
    assert loops(scop, domains(scop)).merged == ("S0", "S1")
    assert equivalent(scop, parse(str(replace(scop, program=None))))


def test_where_all_else_is_shifted_too_there_is_time_for_the_proof(monkeypatch):
    monkeypatch.setattr("polynb.codegen.isl_loops.ORDER_BUDGET", 1)
    monkeypatch.setattr("polynb.codegen.isl_loops.shifted", lambda calls, _: list(calls))
    scop = parse(EVEN_AND_ODD)
    assert not loops(scop, domains(scop)).merged
    assert equivalent(scop, parse(str(replace(scop, program=None))))
    refused = 0
    for names in permutations(["S0", "S1", "S2"]):
        scop = parse(PARITY.format(*names))
        try:
            loops(scop, domains(scop))
        except PolynbError:
            refused += 1
    assert refused


def test_where_all_else_is_shifted_too_what_is_in_the_wrong_order_is_refused(monkeypatch):
    monkeypatch.setattr("polynb.codegen.isl_loops.shifted", lambda calls, _: list(calls))
    monkeypatch.setattr("polynb.codegen.isl_loops.in_order", lambda *_: False)
    scop = parse(EVEN_AND_ODD)
    with pytest.raises(PolynbError, match="order"):
        loops(scop, domains(scop))


def test_statements_of_all_depths_are_pieces_of_one(monkeypatch):
    monkeypatch.setattr("polynb.codegen.isl_loops.ORDER_BUDGET", 1)
    scop = parse(EVEN_AND_ODD.replace("for i", "S2: B[N+1] = 3;\nfor i"))
    assert loops(scop, domains(scop)).merged == ("S2", "S0", "S1")
    assert equivalent(scop, parse(str(replace(scop, program=None))))
    inner = "for j = 0 to N do S3: C[i][j] = B[i]; done"
    scop = parse(f"{EVEN_AND_ODD} for i = N to 0 by -1 do S2: D[i] = B[i]; {inner} done")
    assert loops(scop, domains(scop)).merged == ("S0", "S1", "S2", "S3")
    assert equivalent(scop, parse(str(replace(scop, program=None))))


def test_pieces_of_one_pass_filters_that_let_nothing_through(monkeypatch):
    monkeypatch.setattr("polynb.codegen.isl_loops.ORDER_BUDGET", 1)
    scop = parse(EVEN_AND_ODD)
    none = {n: isl.Set.empty(d.get_space()) for n, d in domains(scop).items()}
    parts = (Filter(dict.fromkeys(none), scop.schedule), Filter(none, scop.schedule))
    new = replace(scop, schedule=Sequence(parts), program=None)
    assert loops(new, domains(new)).merged == ("S0", "S1")
    assert equivalent(scop, parse(str(new)))


def test_parallel_loops_stay_parallel_without_the_shift():
    scop = parse(PARITY.format("S1", "S0", "S2"))

    def parallel(node):
        return replace(node, loops=(Loop("parallel"),)) if isinstance(node, Band) else node

    (outer,) = scan(replace(scop, schedule=transform(scop.schedule, parallel))).body
    assert outer.kind == "parallel"


def test_loops_that_are_not_found_in_the_budget_are_refused(monkeypatch):
    monkeypatch.setattr("polynb.codegen.isl_loops.BUDGET", 100)
    with pytest.raises(PolynbError, match="not found within the budget"):
        scan(parse(EVEN_AND_ODD))


def test_a_budget_that_ends_in_isl_s_callback_frees_nothing_twice(monkeypatch, capfd):
    """islpy prints what a callback raises and keeps its frame, whose build isl frees as well: the
    process died where that frame was freed."""
    scop = load("fig7b")
    domains = {s.name: s.domain for s in scop.statements}
    schedules = isl.AstBuild.get_schedule

    def interrupted(build):
        schedules(build)
        raise KeyboardInterrupt

    monkeypatch.setattr(isl.AstBuild, "get_schedule", interrupted)
    monkeypatch.delattr(sys, "last_traceback", raising=False)
    with pytest.raises(KeyboardInterrupt):
        loops(scop, domains)
    assert not hasattr(sys, "last_traceback")
    assert "callback" not in capfd.readouterr().err.replace("call back", "callback")
