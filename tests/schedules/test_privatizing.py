"""Temporaries that each iteration has for itself."""

import re

import numpy as np
import pytest

import polynb as pn
from polynb.dependences import analyze
from polynb.errors import PolynbError
from polynb.legality.private import private_parts
from polynb.run.oracle import equivalent
from polynb.schedules import permutable_bands, privatizable, privatize, tile
from polynb.schedules.bands import with_schedule
from polynb.scop.parsing import parse
from polynb.scop.schedule import Private

TWO_NESTS = """param N; assume N >= 1; input double A[N][N]; output double B[N][N], C[N];
temp double t, u, s;
for i = 0 to N-1 do
  for j = 0 to N-1 do
    t = A[i][j];                 // S0
    B[i][j] = t * t;             // S1
  done
  u = 0.0;                       // S2
  for k = 0 to N-1 do
    u = u + A[i][k];             // S3
  done
  C[i] = u;                      // S4
done
s = 1.0;                         // S5
for i = 0 to N-1 do
  t = C[i] * s;                  // S6
  C[i] = t + 1.0;                // S7
done
"""


def test_marks_are_as_deep_as_the_flow_allows(programs):
    scop = privatize(parse(TWO_NESTS))
    assert (
        programs.outline(scop)
        == """\
sequence
 S0,S1,S2,S3,S4
  band sequential
   private@u
    sequence
     S0,S1
      band sequential
       private@t
        sequence
         S0
          leaf
         S1
          leaf
     S2
      leaf
     S3
      band sequential
       leaf
     S4
      leaf
 S5
  leaf
 S6,S7
  band sequential
   private@t
    sequence
     S6
      leaf
     S7
      leaf""".splitlines()
    )
    assert equivalent(parse(TWO_NESTS), scop, N=[1, 4])


def test_reasons():
    found = privatizable(parse(TWO_NESTS))
    assert found["t"] == found["u"] == ""
    assert found["s"] == "S6(0) reads s from S5(), in another part of the program, N = 1"


def parts(kernel):
    """The functions that threads run, each with copies of its own."""
    return re.findall(r"static void part\w*\(.*?\n}", kernel.source, re.DOTALL)


@pytest.mark.usefixtures("openmp")
def test_loops_run_in_parallel_with_copies():
    scop = parse(TWO_NESTS)
    assert not any(x.parallel for x in pn.compile(scop, threads=2).loops if x.depth == 0)
    k = pn.compile(privatize(scop), threads=2)
    assert [x.name for x in k.loops if x.parallel] == ["i", "i"]
    first, second = parts(k)
    assert {"double t = 0;", "double u = 0;"} <= {*map(str.strip, (first + second).splitlines())}
    a = np.random.default_rng(0).random((57, 57))
    first, second = pn.compile(scop, threads=1)(A=a, N=57), k(A=a, N=57)
    assert all(np.array_equal(first[n], second[n]) for n in first)


@pytest.mark.usefixtures("openmp")
def test_below_the_points_of_tiles(programs):
    scop = tile(permutable_bands(privatize(programs.listing1_scalar())), 4)
    again = privatize(tile(programs.listing1_scalar(), 4))
    assert programs.outline(scop) == programs.outline(again)
    assert programs.outline(scop)[:3] == [
        "band sequential sequential",
        " band sequential sequential",
        "  private@t",
    ]
    k = pn.compile(scop, threads=2)
    assert [x.parallel for x in k.loops] == [True]
    random = np.random.default_rng(3)
    data = {"A": random.random((21, 21)), "B": random.random((21, 21))}
    original = pn.compile(parse(str(programs.listing1_scalar())), threads=1)
    assert np.array_equal(original(data, n=21).C, k(data, n=21).C)


@pytest.mark.usefixtures("openmp")
def test_a_loop_inside_may_run_in_parallel_if_the_one_around_may_not():
    text = """param N; assume N >= 1; inout double A[N+1][N+1]; temp double u;
    for i = 1 to N do
      u = A[i-1][0];
      for j = 0 to N do A[i][j] = A[i-1][j] * u; done
    done"""
    k = pn.compile(privatize(parse(text)), threads=2)
    assert [(x.name, x.parallel) for x in k.loops] == [("i", False), ("j", True)]
    a = np.random.default_rng(4).random((301, 301))
    assert np.array_equal(k(A=a, N=300).A, pn.compile(parse(text), threads=1)(A=a, N=300).A)


ROW = """param N; assume N >= 1; {assumed} input double A[N][N]; output double B[N][N];
temp double row[N];
for i = 0 to N-1 do
  for j = 0 to N-1 do row[j] = A[i][j] * 2.0; done
  for j = 0 to N-1 do B[i][j] = row[N-1-j]; done
done
"""


@pytest.mark.usefixtures("openmp")
def test_arrays_are_private_if_asked_for_and_small():
    small = parse(ROW.format(assumed="assume N <= 1000;"))
    assert privatize(small) is small
    scop = privatize(small, "row")
    k = pn.compile(scop, threads=2)
    assert [(x.name, x.parallel) for x in k.loops] == [("i", True)]
    assert all(" row[" in part.split("for (")[0] for part in parts(k))
    a = np.random.default_rng(5).random((99, 99))
    assert np.array_equal(k(A=a, N=99).B, pn.compile(small, threads=1)(A=a, N=99).B)


@pytest.mark.parametrize(
    ("assumed", "why"),
    [("", "nothing bounds the size of row"), ("assume N <= 100000;", "up to 800,000 bytes")],
)
def test_large_arrays_are_not(assumed, why):
    scop = parse(ROW.format(assumed=assumed))
    assert why in privatizable(scop)["row"]
    with pytest.raises(PolynbError, match="row cannot be private to an iteration") as error:
        privatize(scop, ["row"])
    assert why in error.value.reason


REFUSED = """param N; assume N >= 2; input double A[N]; output double B[N]; temp double t, x, z;
for i = 0 to N-1 do
  B[i] = t + A[i] + z;
  t = A[i];
  x = x + A[i];
done
"""


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("t", "what t holds before the program is read"),
        ("A", "A is input"),
        ("B", "B is output"),
        ("z", "nothing writes z"),
        ("q", "there is no array q"),
    ],
)
def test_names_that_cannot_be_private(name, why):
    with pytest.raises(PolynbError, match="cannot be private to an iteration") as error:
        privatize(parse(REFUSED), name)
    assert why in error.value.reason
    assert error.value.hint


def test_a_value_from_the_iteration_before_is_everybodys():
    text = REFUSED.replace("for i", "t = 0.0; for i")
    assert "from S0(), in another" in privatizable(parse(text))["t"]
    inner = text.replace("t = 0.0; for i", "for j = 0 to N-1 do t = 0.0; for i") + "done"
    outer = privatize(parse(inner), "t")
    k = pn.compile(outer, threads=2)  # B is written in each j
    assert not any("double t" in part for part in parts(k))
    assert outer.schedule.child.what == Private(("t",))


def test_marks_are_put_once():
    scop = privatize(parse(TWO_NESTS))
    assert privatize(scop) is scop
    assert privatize(scop, ["t"]) is scop


def test_a_value_of_an_iteration_that_others_read_is_not_private():
    text = """param N; assume N >= 2; input double A[N]; output double B[N]; temp double t;
    for i = 0 to N-1 do
      if i == 0 then t = A[i]; fi
      B[i] = t;
    done"""
    scop = parse(text)
    assert privatizable(scop)["t"] == "S1(1) reads t from S0(0), in another iteration, N = 2"
    assert privatize(scop) is scop


def test_a_mark_says_nothing_if_something_else_uses_the_array():
    scop = privatize(parse(TWO_NESTS))
    first, *others = scop.schedule.children
    bare = parse(TWO_NESTS).schedule.children[-1]
    tree = type(scop.schedule)((first, *others[:-1], bare))
    flow = list(analyze(scop).flow_edges)
    assert private_parts(scop, flow).keys() == {"t", "u"}
    assert private_parts(with_schedule(scop, tree), flow).keys() == {"u"}
