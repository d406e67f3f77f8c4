"""Writes that change nothing, and writes for nobody."""

import numpy as np

import polynb as pn
from polynb import isl
from polynb.delicm.simplification_steps import (
    ArrayGone,
    DeadWrites,
    NotSimplified,
    RedundantWrites,
    StatementEmpty,
)
from polynb.run.oracle import equivalent


def simplified(text):
    """The derivation, checked, and the domains of what is left."""
    d = pn.simplify(pn.parse(text))
    answer = equivalent(d)
    assert answer, answer
    assert not any(isinstance(s, NotSimplified) for s in d.steps), d.steps
    return d, {s.name: s.domain for s in d.result.statements}


def kinds(d):
    return [type(s) for s in d.steps]


def test_listing_6_loses_its_scalar():
    d = pn.simplify(
        pn.forward_operands(
            pn.parse("""param N, K; temp a;
            for i = 0 to N-1 do
              T: C[i] = 0; T2: a = A[i];
              for k = 0 to K-1 do S: C[i] = C[i] + a * B[k]; done
            done""")
        )
    )
    assert [s.name for s in d.result.statements] == ["T", "S"]
    assert "a" not in d.result.arrays
    assert kinds(d) == [DeadWrites, ArrayGone]
    assert d.why("a").endswith("Nothing uses a any more: it is gone.")


def test_a_cell_is_copied_to_itself():
    d, left = simplified("param N; for i = 0 to N do C[i] = C[i]; done")
    assert not left
    assert kinds(d) == [RedundantWrites]
    (c,) = pn.compile(d.result)(C=np.arange(4.0), N=3).values()
    assert c.tolist() == [0, 1, 2, 3]


def test_a_cell_is_copied_to_itself_through_others():
    d, left = simplified("""param N; temp x; temp t[N+1];
    for i = 0 to N do x = C[i]; t[i] = x; done
    for i = 0 to N do S: C[i] = t[i]; done""")
    assert not left
    assert d.result.statements == ()


def test_not_if_it_changed_in_between():
    _, left = simplified("""param N; temp x;
    for i = 0 to N do x = C[i]; C[i] = 2*x; S: C[i] = x; done""")
    assert "S" in left


def test_redundant_in_some_instances():
    _, left = simplified("""param N; assume N >= 3; output C[N+1];
    for i = 0 to N do C[i] = 0; done
    for i = 0 to N do for j = 0 to 1 do S: C[i] = 0; B[i][j] = C[i]; C[i] = j; done done""")
    assert isl.points(left["S"], {"N": 3}) == [(i, 1) for i in range(4)]


def test_minus_zero_is_another_constant():
    _, left = simplified("""param N; output C[N+1], D[N+1];
    for i = 0 to N do S: C[i] = 0.0; T: D[i] = C[i]; U: C[i] = -0.0; V: D[i] = 1; done""")
    assert "U" in left


def test_overwritten_before_it_is_read():
    _, left = simplified("""param N; assume N >= 1; output C[N+1];
    for i = 0 to N do S: C[i] = f(i); done
    for i = 1 to N do T: C[i] = g(i); done""")
    assert isl.points(left["S"], {"N": 3}) == [(0,)]


def test_statements_that_only_feed_each_other_are_swept():
    d, left = simplified("""param N; temp c, e;
    c = 0; e = 1;
    for i = 0 to N do c = c + e; e = e + c; S: B[i] = A[i]; done""")
    assert list(left) == ["S"]
    assert {"c", "e"} & set(d.result.arrays) == set()


def test_a_statement_that_never_runs():
    d, left = simplified("""param N; assume N >= 3;
    for i = 0 to N do S: B[i] = A[i]; if N == 2 then T: B[i] = 1; fi done""")
    assert list(left) == ["S"]
    assert kinds(d) == [StatementEmpty]


def test_what_data_decides_stays():
    _, left = simplified("""param N; input P[N+1]; inout C[N+1]; temp x;
    for i = 0 to N do x = C[i]; if P[i] > 0 then W: C[i] = 2; fi D[i] = C[i];
    S: C[i] = x; done""")
    assert len(left) == 4


def test_scalars_in_array_cells():
    """Mapped to the cell that it is stored to in the end, the last copy is one to itself."""
    from polynb.schedules import with_storage

    scop = pn.parse("""param N, K; temp c[N]; inout C[N]; input A[N], B[K];
    for i = 0 to N-1 do
      T: c[i] = 0;
      for k = 0 to K-1 do S: c[i] = c[i] + A[i]*B[k]; done
      U: C[i] = c[i];
    done""")
    d = pn.simplify(with_storage(scop, "c", "{ c[i] -> C[i] }"))
    assert [s.name for s in d.result.statements] == ["T", "S"]
    assert list(d.result.arrays) == ["C", "A", "B"]
    assert equivalent(scop, d.result)


def test_a_used_up_budget_is_a_step_and_changes_nothing():
    scop = pn.parse("param N; temp t; for i = 0 to N do t = A[i]; C[i] = C[i]; done")
    d = pn.simplify(scop, max_operations=1)
    assert d.result is scop
    assert kinds(d) == [NotSimplified] * len(d.steps)
    assert len(d.steps) >= 2


def test_nothing_to_do():
    scop = pn.parse("param N; for i = 0 to N do B[i] = A[i] + 1; done")
    d = pn.simplify(scop)
    assert d.result is scop
    assert d.steps == ()


def test_a_condition_is_not_worth_a_write():
    """Where the loop inside is empty, the scalar has its zero from before."""
    scop = pn.parse("""param N, K; temp s;
for i = 0 to N-1 do
  s = 0; // T
  for k = 0 to K-1 do
    s = s + A[k]; // S
  done
  C[i] = s + C[i]; // U
done""")
    assert pn.simplify(scop).result is scop
