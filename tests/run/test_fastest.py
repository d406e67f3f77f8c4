"""A choice by measurement."""

import shutil

import pytest

import polynb as pn
from polynb.recurrences import with_recurrences
from polynb.run.fastest import fastest, fastest_recurrences

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")

# A value that nothing vectorises without -ffast-math, computed three times or once.
EXPENSIVE = """
param N; temp tmp[N+1];
for i = 0 to N do tmp[i] = exp(sin(exp(cos(A[i])))); done
for j = 1 to N-1 do B[j] = tmp[j-1] + tmp[j] + tmp[j+1]; done
"""


def test_the_fastest_of_programs_that_do_more_or_less():
    more = pn.parse("param N; for i = 0 to N do B[i] = exp(sin(exp(A[i]))) * 0.0 + A[i]; done")
    less = pn.parse("param N; for i = 0 to N do B[i] = A[i] * 0.0 + A[i]; done")
    chosen = fastest({"more": more, "less": less}, threads=1, rounds=3, N=200_000)
    assert (chosen.label, chosen.program) == ("less", less)
    assert str(chosen).startswith("less is the fastest:")


def test_recurrences_of_what_is_expensive_are_worth_it():
    propagated = pn.propagate(pn.parse(EXPENSIVE), arrays="tmp").result
    chosen = fastest_recurrences(propagated, threads=1, rounds=5, N=200_000)
    assert set(chosen.timing.labels) == {"none", "scalars", "strips"}
    assert chosen.label != "none"
    assert chosen.timing.median("none") > 1.5 * chosen.timing.median(chosen.label)
    forms = (with_recurrences(propagated, form=f) for f in ("scalars", "strips"))
    assert str(chosen.program) in {str(f) for f in forms}


def test_without_recurrences_there_is_nothing_to_choose():
    plain = pn.parse("param N; for i = 0 to N do B[i] = 2 * A[i]; done")
    chosen = fastest_recurrences(plain, rounds=1, N=1000)
    assert chosen.timing.labels == ("none",)
    assert chosen.program is plain
