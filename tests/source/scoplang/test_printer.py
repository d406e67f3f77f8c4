"""How programs look in the SCoP language."""

from dataclasses import replace

import pytest
from cases import beside

import polynb as pn
from polynb import isl
from polynb.errors import PolynbError
from polynb.source.scoplang.parser import parse_scop
from polynb.source.scoplang.printer import (
    WIDTH,
    print_affine,
    print_expression,
    print_program,
    print_statements,
)
from polynb.source.scoplang.text import Texts
from polynb.source.tree import (
    Access,
    Assign,
    Binary,
    Call,
    Declaration,
    Define,
    For,
    If,
    Iterator,
    Let,
    Number,
    Parameter,
    Program,
    Unary,
    same,
    statements,
    walk,
)
from polynb.source.types import (
    DOUBLE,
    FLOAT,
    INT8,
    INT32,
    INT64,
    UINT32,
    UINT64,
)

CASES = beside(__file__)

I, N = Iterator("i"), Parameter("N")


def number(value):
    return Number(value, INT32)


def value(text):
    program = parse_scop(f"param N; for i = 0 to N do x = {text}; done")
    return program.body[0].body[0].value


@pytest.mark.parametrize(
    ("text", "printed"),
    CASES["expressions_have_few_parentheses"],
)
def test_expressions_have_few_parentheses(text, printed):
    assert print_expression(value(text)) == printed
    assert same(value(printed), value(text))


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (Number(3, INT32), "3"),
        (Number(3, INT64), "3L"),
        (Number(2**40, INT64), "1099511627776"),
        (Number(3, UINT32), "3U"),
        (Number(3, UINT64), "3UL"),
        (Number(3, INT8), "int8(3)"),
        (Number(-3, INT32), "-3"),
        (Number(0.1, DOUBLE), "0.1"),
        (Number(1, DOUBLE), "1.0"),
        (Number(1e-7, FLOAT), "1e-07f"),
    ],
)
def test_numbers_keep_their_types(number, text):
    assert print_expression(number) == text


def test_integers_have_no_type_in_affine_places():
    wide = Binary("+", I, Number(1, INT64))
    assert print_expression(Access("A", (wide,))) == "A[i+1]"
    assert print_expression(wide) == "i + 1L"
    assert print_affine(wide) == "i+1"
    data = Binary("+", Access("B", (I,)), Number(1, INT64))
    assert print_expression(Access("A", (data,))) == "A[B[i]+1L]"


@pytest.mark.parametrize(("value", "name"), [("nan", "NaN"), ("inf", "infinity")])
def test_there_is_no_literal_for_what_is_no_finite_number(value, name):
    with pytest.raises(PolynbError, match=name):
        print_expression(Number(float(value), DOUBLE))


@pytest.mark.parametrize("op", ["/", "%"])
def test_the_truncating_division_of_c_is_written_with_floor_divisions(op):
    text = print_affine(Binary(op, Binary("-", I, N), number(4)))
    name = "floord" if op == "/" else "mod"
    assert text == f"i-N >= 0 ? {name}(i-N,4) : -{name}(-(i-N),4)"
    rounds_up = "mod(i,N) != 0 && (i < 0) != (N < 0)"
    found = print_affine(Binary(op, I, N))
    assert found == (
        f"floord(i,N)+({rounds_up})" if op == "/" else f"mod(i,N)-({rounds_up} ? N : 0)"
    )
    negative = print_affine(Binary(op, Binary("-", I, N), Unary("-", number(4))))
    assert negative == (f"-({text})" if op == "/" else text)


def test_loops_say_their_step_and_kind():
    body = (Assign(Access("A", (I,)), number(1), "S"),)
    outer = For("i", number(0), Binary("-", N, number(1)), body, kind="parallel")
    down = For("i", N, number(0), body[:0], step=-2, kind="vector")
    text = print_statements((outer, down), 1)
    assert (
        text
        == """\
  for i = 0 to N-1 do // parallel
    A[i] = 1; // S
  done
  for i = N to 0 by -2 do // vector
  done"""
    )
    parsed = parse_scop(f"param N;\n{text}").body
    assert [loop.kind for loop in parsed] == ["sequential", "sequential"]
    assert [s.label for s in statements(parsed)] == ["S"]


def test_else_if_closes_with_as_many_fi_as_there_are_if():
    text = """\
if a > 0 then
  x = 1;
else if a < 0 then
  x = 2;
else if a == 0 then
else
  if b then
  fi
  x = 3;
fi fi fi"""
    assert print_statements(parse_scop(text).body) == text


def test_declarations_of_one_kind_share_a_line():
    text = """\
param N, M;
assume N >= 2 && M < N;
assume N != 7;
input double A[N+1][M], w;
output B;
temp s, t[N];
temp float u;
int64 k;
define f(x, y) = x * x + y;

B = f(s, 1);"""
    assert print_program(parse_scop(text)) == text


def test_declarations_that_say_nothing_are_left_out():
    declared = (Declaration("A"), Declaration("B", extents=(N,)))
    program = Program(("N",), declared, (Assign(Access("A"), Access("B", (number(0),))),))
    assert print_program(program) == "param N;\ndouble B[N];\n\nA = B[0];"


def test_lets_are_written_once_in_the_order_of_use():
    square = Let("e", Binary("*", Access("A", (I,)), Access("A", (I,))))
    twice = Let("d", Binary("+", square, square))
    s = Assign(Access("B", (twice,)), Binary("-", twice, square), "S")
    assert (
        print_statements((s,))
        == """\
let e = A[i] * A[i];
let d = e + e;
B[d] = d - e; // S"""
    )


def test_lets_are_renamed_where_another_thing_has_their_name():
    one, two, three = (Let("A", number(1)), Let("A", number(2)), Let("to", number(3)))
    value = Binary("+", Binary("+", one, two), Binary("*", three, Access("A2", (number(0),))))
    program = Program((), (), (Assign(Access("A", (number(0),)), value),))
    text = print_program(program)
    assert (
        text
        == """\
let A3 = 1;
let A4 = 2;
let to2 = 3;
A[0] = A3 + A4 + to2 * A2[0];"""
    )
    assert len([x for x in walk(parse_scop(text).body[0].value) if isinstance(x, Let)]) == 3


def test_a_let_in_a_bound_or_a_condition_is_written_out():
    let = Let("e", Binary("+", N, number(1)))
    loop = For("i", number(0), let, (If(Binary("<", I, let), ()),))
    assert print_statements((loop,)) == "for i = 0 to N+1 do\n  if i < N+1 then\n  fi\ndone"


def test_names_that_the_language_reserves_are_changed():
    body = For(
        "to",
        number(0),
        Parameter("done"),
        (Assign(Access("input", (Iterator("to"),)), Call("fi", (Access("fi_"),)), "temp"),),
    )
    declared = (Declaration("input", "output", FLOAT),)
    functions = (Define("let", ("by",), Access("by")),)
    text = print_program(Program(("done",), declared, (body,), functions=functions))
    assert (
        text
        == """\
param done_;
output float input_;
define let_(by_) = by_;

for to_ = 0 to done_ do
  input_[to_] = fi_2(fi_); // temp_
done"""
    )
    parse_scop(text)


def test_long_assignments_are_broken_before_their_operators():
    terms = " + ".join(f"a_long_array[{k}]" for k in range(12))
    text = f"x = ({terms}) / 12 > y ? ({terms}) * ({terms}) - {terms} : {terms}; // S"
    printed = print_statements(parse_scop(text).body)
    lines = printed.split("\n")
    assert len(lines) > 5
    assert all(len(line) <= WIDTH for line in lines)
    assert all(line.startswith("    ") for line in lines[1:])
    assert lines[-1].endswith("; // S")
    assert same(parse_scop(printed).body, parse_scop(text).body)


def test_signs_stay_where_long_lines_are_broken():
    long = " + ".join(f"a_long_array[{k}]" for k in range(12))
    text = f"x = -a - (-({long})) - (b - ({long})) * -c;"
    assert same(parse_scop(print_statements(parse_scop(text).body)).body, parse_scop(text).body)


def test_a_deep_expression_prints():
    e = Access("a")
    for _ in range(5000):
        e = Unary("-", Binary("+", e, number(1)))
    assert print_expression(e).startswith("-(-(")


@pytest.mark.long
def test_every_node_of_a_large_expression_is_visited_once(monkeypatch):
    """However deep it is broken, and however often its Lets are used."""
    visited = []  # identities: the text of such a node, in a failure, would never end
    visit = Texts._visit

    def counted(self, e, parts, place):
        visited.append(id(e))
        return visit(self, e, parts, place)

    monkeypatch.setattr(Texts, "_visit", counted)
    values = [Access("a_long_name", (I,)), Access("another_name", (I,))]
    for k in range(40):
        a, b = values[-2:]
        sum_ = Binary("+", Binary("*", b, Binary("-", a, b)), Call("f", (a, Unary("-", b))))
        values.append(Let(f"e{k}", sum_) if k % 4 > 1 else sum_)
    s = Assign(Access("x", (I,)), values[-1])
    text = print_statements((s,))
    assert len(text.split("\n")) > 100
    nodes = len(list(walk(Call("", (s.value, s.target)))))
    assert len(visited) <= nodes
    lets = [x.name for x in walk(parse_scop(text).body[0].value) if isinstance(x, Let)]
    assert len(lets) == 20


def test_an_assumption_of_hundreds_of_comparisons_is_parsed_again():
    pieces = (f"(P = {7 * k} and {k} <= M <= {3 * k + 5})" for k in range(70))
    allowed = isl.read_set(f"[N, M, P] -> {{ : {' or '.join(pieces)} }}")
    scop = pn.parse("param N, M, P; for i = 0 to N do A[i] = B[i]; done", "scop")
    text = str(replace(scop, requires=allowed, program=None))
    again = pn.parse(text, "scop")
    assert again.context.is_equal(allowed)
    assert str(again) == text
