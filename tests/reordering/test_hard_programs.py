"""Programs without loops or instances, and programs that are too hard to schedule: reordering never
fails, and a step says what became of them."""

import time

import numpy as np
import pytest
from hard_programs import HARD

import polynb as pn
from polynb import gallery, isl
from polynb.dependences import live_ranges
from polynb.errors import PolynbError
from polynb.reordering import Constraint, cpu, reorder
from polynb.reordering.fallback import Fallback
from polynb.reordering.limit_steps import (
    NotScheduled,
    NotTiled,
    OrderKept,
    OrderRefused,
    OrderTaken,
    Unchanged,
)
from polynb.reordering.steps import ConstraintsCarried
from polynb.run import equivalent
from polynb.schedules.bands import all_bands
from polynb.scop import parse

from .conftest import bands

SMALL = {
    "one instance": "param n; o = a[3];",
    "one iteration": "param n; for i = 0 to 0 do o[i] = a[i]; done",
    "never": "param N; for i = 0 to 3 do if i > 5 then A[i] = 1; fi done",
    "two instances": "param n; o = a[3]; q = a[4];",
    "two in order": "param n; o = a[3]; q = o;",
    "two that never run": "param N; for i = 0 to 3 do if i > 5 then A[i] = 1; fi "
    "if i > 7 then B[i] = 2; fi done",
    "one that never runs": "param N; o = 1; for i = 0 to 3 do if i > 5 then A[i] = o; fi done",
}

DURBIN = """void durbin(int n, double r[n], double y[n]) {
    double z[2000], alpha, beta, sum;
    y[0] = -r[0]; beta = 1.0; alpha = -r[0];
    for (int k = 1; k < n; k++) {
      beta = (1 - alpha*alpha) * beta;
      sum = 0.0;
      for (int i = 0; i < k; i++) sum += r[k-i-1] * y[i];
      alpha = -(r[k] + sum) / beta;
      for (int i = 0; i < k; i++) z[i] = y[i] + alpha * y[k-i-1];
      for (int i = 0; i < k; i++) y[i] = z[i];
      y[k] = alpha;
    }
}"""
"""With an extent that is a number: isl's smallest value of one bound took more than a minute."""


def kinds(derivation):
    return [type(s) for s in derivation.steps]


@pytest.mark.parametrize("name", SMALL)
def test_programs_without_loops_or_instances(name, scheduler):
    scop = parse(SMALL[name])
    for options in ({}, {"tile": 4}, {"contract": True}):
        derivation = reorder(scop, scheduler=scheduler, **options)
        assert equivalent(derivation, **dict.fromkeys(scop.parameters, 4))
        assert (NotTiled in kinds(derivation)) == ("tile" in options)


def test_without_an_affine_schedule_statements_keep_their_order():
    derivation = reorder(parse(HARD, language="c"), tile=4)
    (why,) = [s for s in derivation.steps if isinstance(s, NotScheduled)]
    assert "no affine schedule for S0, S1" in str(why)
    (kept,) = [s for s in derivation.steps if isinstance(s, OrderKept)]
    assert kept.statements == ("S0", "S1")
    assert "S0" in derivation.why("S0")
    # The other nest is scheduled, and tiled, all the same.
    assert any(b.permutable and set(b.members) == {"S2"} for b in bands(derivation.result.schedule))
    assert equivalent(derivation, n=[0, 1, 5, 6])


def test_isl_without_a_schedule_keeps_the_order():
    derivation = reorder(parse(HARD, language="c"), scheduler="isl", tile=4)
    assert {NotScheduled, OrderKept} < set(kinds(derivation))
    assert equivalent(derivation, n=[0, 1, 5])


def test_a_bound_by_a_large_number_is_no_obstacle():
    derivation = reorder(parse(DURBIN, language="c"), tile=32)
    assert NotTiled in kinds(derivation)
    assert "loop k" in str(derivation.steps[-1])
    assert equivalent(derivation, n=[0, 1, 4])


def test_spent_programs_and_operations_are_steps():
    scop = gallery.load("lrr_listing1")
    by_isl = reorder(scop, max_programs=1)
    assert {NotScheduled, OrderTaken} < set(kinds(by_isl))
    assert "with 1 integer program" in by_isl.why("S1")
    assert equivalent(by_isl, n=[0, 1, 3])
    nothing = reorder(scop, max_operations=300)
    assert kinds(nothing) == [Unchanged]
    assert "operation budget" in str(nothing.steps[0])
    assert nothing.result is scop
    for operations in (1_000, 5_000, 20_000, 60_000):
        assert equivalent(reorder(scop, max_operations=operations, tile=2), n=[0, 1, 3])


def test_an_illegal_order_of_isls_gives_way(monkeypatch):
    """isl's order of S1 to S4, here the reverse, is refused by the proof, with a witness."""
    scop = gallery.load("lrr_listing1")

    def reverse(self, names, edges):
        (first, second) = scop.schedule.children
        return type(scop.schedule)((second, first))

    monkeypatch.setattr(Fallback, "_by_isl", reverse)
    derivation = reorder(scop, max_programs=1)
    (refused,) = [s for s in derivation.steps if isinstance(s, OrderRefused)]
    assert refused.conflict.witness.instances
    assert "stay in their own order" in str(refused)
    assert derivation.steps[-1].verdict
    assert equivalent(derivation, n=[0, 1, 3])


def test_constraints_that_the_text_does_not_respect_have_no_way_out():
    """Of one's own, on programs that they contradict: what the text does is no help."""
    scop = gallery.load("lrr_listing1")
    wanted = cpu(live_ranges(scop)).also(
        Constraint("validity", "S4", "S3", isl.read_map("[n] -> { S4[i,j] -> S3[i,j] }"))
    )
    with pytest.raises(PolynbError, match="no affine schedule"):
        reorder(scop, constraints=wanted)


def test_alternating_sweeps_are_scheduled():
    """As in PolyBench's adi: fourteen statements that depend on each other in a cycle were too much
    for the integer programs of a step of Feautrier's, too."""
    scop = parse(
        """void adi(int T, int n, double u[n][n], double v[n][n], double p[n][n], double q[n][n],
                    double a, double b, double c, double d, double e, double f) {
          for (int t = 1; t <= T; t++) {
            for (int i = 1; i < n-1; i++) {
              v[0][i] = 1.0; p[i][0] = 0.0; q[i][0] = v[0][i];
              for (int j = 1; j < n-1; j++) {
                p[i][j] = -c / (a*p[i][j-1] + b);
                q[i][j] = (-d*u[j][i-1] + u[j][i] - f*u[j][i+1] - a*q[i][j-1]) / (a*p[i][j-1] + b);
              }
              v[n-1][i] = 1.0;
              for (int j = n-2; j >= 1; j--) v[j][i] = p[i][j] * v[j+1][i] + q[i][j];
            }
            for (int i = 1; i < n-1; i++) {
              u[i][0] = 1.0; p[i][0] = 0.0; q[i][0] = u[i][0];
              for (int j = 1; j < n-1; j++) {
                p[i][j] = -f / (d*p[i][j-1] + e);
                q[i][j] = (-a*v[i-1][j] + v[i][j] - c*v[i+1][j] - d*q[i][j-1]) / (d*p[i][j-1] + e);
              }
              u[i][n-1] = 1.0;
              for (int j = n-2; j >= 1; j--) u[i][j] = p[i][j] * u[i][j+1] + q[i][j];
            }
          }
        }""",
        language="c",
    )
    derivation = reorder(scop, tile=32)
    assert ConstraintsCarried in kinds(derivation)
    assert NotTiled not in kinds(derivation)
    assert len(all_bands(derivation.result.schedule)) > 6


def test_integer_divisions_are_eliminated_before_the_multipliers():
    """Farkas's lemma on a relation of many pieces and divisions took isl minutes."""
    scop = parse(
        """void f(int n, double b[32], double o[64]) {
        for (int i1 = 1; i1 < n/2+1 && i1 < 14; i1 += 3)
          for (int j1 = 9; j1 >= i1; j1 -= 2) o[i1+j1] += b[i1+j1];
        for (int i2 = 2; i2 < n+2 && i2 < 14; i2++)
          for (int j2 = 2; j2 < i2+3 && j2 < 14; j2++) {
            o[i2+j2] += b[j2+1];
            if (!(j2 == n)) o[j2] += -0.0;
          }
        }""",
        "c",
    )
    begun = time.process_time()
    derivation = reorder(scop)
    assert time.process_time() - begun < 10
    assert not any(isinstance(s, NotScheduled) for s in derivation.steps)
    assert equivalent(derivation, n=[0, 3, 9])


def test_no_loop_runs_over_times_that_are_billions_apart():
    """A condition modulo 2^32 made a member `4294967303 i + k`: its loop had billions of turns."""
    scop = parse(
        """void f(long n, double t[7][n + 6], signed char o[n + 7]) {
        for (unsigned long i = 2; i < n + 2; i++) {
          for (unsigned k = 0; k < n + 6; k++)
            for (unsigned j = 0; j < 7; j++)
              if (i + k <= 7) t[j][k] = o[i] + 0.1f; else t[j][k] = k;
          for (long m = 2; m < n + 1; m++) o[i + 1] = 1.5 - n;
        }
        }""",
        "c",
    )
    text = str(reorder(scop, preset="none").result)
    assert not any(len(word) > 9 for line in text.splitlines() if "for " in line
                   for word in line.split() if word.isdigit())  # fmt: skip


def test_no_statement_waits_for_the_largest_size_that_a_type_holds():
    """`M` of 64 bits is below 2^63 - 4: that made a member `S1[i] -> i + 9223372036854775804`,
    whose values are integers, but none of C's, and the loop did nothing."""
    scop = parse(
        """void f(long n, unsigned long M, signed char A[M + 4], int B[M + 4]) {
        signed char t[M + 4];
        for (int i = 0; i < M + 4; i++) t[i] = A[i];
        for (int i = 2; i < n; i++) B[i] = B[i - 1] - t[B[i] & 3];
        }""",
        "c",
    )
    arrays = {"A": np.arange(7, dtype="int8"), "B": np.arange(7, dtype="int32")}
    expected = pn.compile(scop, threads=1)(arrays, n=6, M=3)["B"].tolist()
    found = pn.compile(reorder(scop), threads=1)(arrays, n=6, M=3)["B"].tolist()
    assert found == expected == [0, 1, -1, -4, -4, -5, 6]
