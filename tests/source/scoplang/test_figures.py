"""The programs of the paper (CC'18), typed as it prints them."""

import time

import pytest

from polynb.errors import PolynbError
from polynb.source.scoplang.parser import parse_scop
from polynb.source.scoplang.printer import print_program, print_statements
from polynb.source.tree import Binary, For, If, Iterator, Number, Parameter, same, statements
from polynb.source.types import DOUBLE, INT32

FIGURE_1 = """\
param N; assume N >= 3; temp tmp, s;
for i = 0 to N do
  s = in[i] / 1.5; // S0
  if (i == 0)
    tmp[i] = (2 * in[i] + in[i+1]) / s; // S1
  else if (i == N)
    tmp[i] = (in[i-1] + 2 * in[i]) / s; // S2
  else
    tmp[i] = (in[i-1] + in[i] + in[i+1]) / s; // S3
  fi fi
done
for i = 1 to N-1 do
  out[i] = (tmp[i-1] + tmp[i] + tmp[i+1]); // S4
done
"""
FIGURES = {
    "1": FIGURE_1,
    "2": """\
param N;
out[1] = ( 2 * in[0] + in[1]) / (in[0]/1.5)
        + (in[0] + in[1] + in[2]) / (in[1]/1.5)
        + (in[1] + in[2] + in[3]) / (in[2]/1.5);
for i = 2 to N-2 do
  out[i] = (in[i-2]+in[i-1]+in[i])/(in[i-1]/1.5)
          + (in[i-1]+in[i]+in[i+1])/(in[i ]/1.5)
          + (in[i]+in[i+1]+in[i+2])/(in[i+1]/1.5);
done
out[N-1] = (in[N-3]+in[N-2]+in[N-1])/(in[N-2]/1.5)
          + (in[N-2]+in[N-1]+in[ N ]) / (in[N-1]/1.5)
          + (          in[N-1]+2*in[N]) / (in[N]/1.5);
""",
    "4a": """\
param N;
for i = 1 to 2*N do
  A[i] = (i+1)*i; // S
done
for j = 1 to N do
  B[j] = A[2*j] // T
    - A[2*j-1];
done
""",
    "4b": """\
param N;
for i = 1 to 2*N do
  A[i] = (i+1)*i; // S
done
for j = 1 to N do
  B[j] = (2*j+1)*2*j // T
    - 2*j*(2*j-1);
done
""",
    "5a": """\
param N;
for i = 0 to N do
  if (i/2)*2 == i then
    A[i] = f(i);
  fi
done
for j = 0 to N do
  B[j] = A[j]; // T
done
""",
    "7a": """\
param N;
tmp[0] = 1; tmp[1] = 1;
for i = 2 to N do
  tmp[i] = tmp[i-1]
    + tmp[i-2];
done
out = tmp[N];
""",
    "7b": """\
param N;
for i = 0 to N do
  tmp[i] = A[i];
done
for j = 0 to N do
  A[j] = 0; // S
  B[j] = tmp[j]; // T
done
""",
    "9a": """\
param i; s0 = A[i];
s1 = s0 + B[i];
A[i] = 0.5;
C[i] = s1;
""",
    "9b": """\
param i; t0 = A[i] + C[i];
t1 = B[i] + D[i];
Out[i] = t0 + t1;
""",
    "10a": """\
param N;
for i = 0 to N do
  tmp[i] = f(i);
done
for j = 1 to N-1 do
  Out[j] = tmp[j-1]
    + tmp[j] + tmp[j+1];
done
""",
    "10b": """\
param N;
t0 = f(0); t1 = f(1);
for j = 1 to N-1 do
  t2 = f(2);
  Out[j] = t0 + t1 + t2;
  t0 = t1;
  t1 = t2;
done
""",
}
LABELS = {
    "1": ["S0", "S1", "S2", "S3", "S4"],
    "4a": ["S", "T"],
    "4b": ["S", "T"],
    "5a": [None, "T"],
    "7a": [None] * 4,
    "7b": [None, "S", "T"],
}


@pytest.mark.parametrize("figure", FIGURES)
def test_a_figure_prints_and_parses_to_itself(figure):
    program = parse_scop(FIGURES[figure])
    again = parse_scop(print_program(program))
    assert same(program, again)


@pytest.mark.parametrize("figure", LABELS)
def test_labels_are_the_trailing_comments(figure):
    program = parse_scop(FIGURES[figure])
    assert [s.label for s in statements(program.body)] == LABELS[figure]


def test_figure_1_is_two_loops_around_its_five_statements():
    program = parse_scop(FIGURE_1)
    first, second = program.body
    assert program.parameters == ("N",)
    assert [(d.name, d.role, d.type, d.extents) for d in program.declarations] == [
        ("tmp", "temp", None, None),
        ("s", "temp", None, None),
    ]
    assert isinstance(first, For)
    assert isinstance(second, For)
    assert (first.iterator, first.step, first.kind) == ("i", 1, "sequential")
    assert same(first.lower, Number(0, INT32))
    assert same(first.upper, Parameter("N"))
    assert same(second.upper, Binary("-", Parameter("N"), Number(1, INT32)))
    s0, cases = first.body
    assert same(s0.value.right, Number(1.5, DOUBLE))
    assert isinstance(cases, If)
    assert same(cases.condition, Binary("==", Iterator("i"), Number(0, INT32)))
    (inner,) = cases.otherwise
    assert isinstance(inner, If)
    assert [s.label for s in inner.then] == ["S2"]
    assert [s.label for s in inner.otherwise] == ["S3"]


def test_figure_1_prints_as_the_paper_does():
    assert (
        print_program(parse_scop(FIGURE_1))
        == """\
param N;
assume N >= 3;
temp tmp, s;

for i = 0 to N do
  s = in[i] / 1.5; // S0
  if i == 0 then
    tmp[i] = (2*in[i] + in[i+1]) / s; // S1
  else if i == N then
    tmp[i] = (in[i-1] + 2*in[i]) / s; // S2
  else
    tmp[i] = (in[i-1] + in[i] + in[i+1]) / s; // S3
  fi fi
done
for i = 1 to N-1 do
  out[i] = tmp[i-1] + tmp[i] + tmp[i+1]; // S4
done"""
    )


def test_figure_2_prints_as_the_paper_does():
    text = print_statements(parse_scop(FIGURES["2"]).body[1:2])
    assert (
        text
        == """\
for i = 2 to N-2 do
  out[i] = (in[i-2] + in[i-1] + in[i]) / (in[i-1] / 1.5)
      + (in[i-1] + in[i] + in[i+1]) / (in[i] / 1.5)
      + (in[i] + in[i+1] + in[i+2]) / (in[i+1] / 1.5);
done"""
    )


def test_the_division_of_figure_5_is_floor_division():
    (loop, _) = parse_scop(FIGURES["5a"]).body
    half = Binary("floord", Iterator("i"), Number(2, INT32))
    even = Binary("==", Binary("*", half, Number(2, INT32)), Iterator("i"))
    assert same(loop.body[0].condition, even)


def test_the_dots_of_figure_9_are_no_expression():
    with pytest.raises(PolynbError, match=r"the character \. is not part"):
        parse_scop("A[0] = ...;")


def test_figure_1_parses_in_less_than_10_ms():
    parse_scop(FIGURE_1)

    def seconds():
        start = time.perf_counter()
        parse_scop(FIGURE_1)
        return time.perf_counter() - start

    assert min(seconds() for _ in range(20)) < 0.01
