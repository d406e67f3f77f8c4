"""The SCoP language: what each construct becomes."""

import pytest
from cases import beside

from polynb.errors import PolynbError, Source
from polynb.source.scoplang.parser import parse_assumption, parse_scop
from polynb.source.tree import (
    Access,
    Assign,
    Binary,
    Call,
    Cast,
    For,
    If,
    Iterator,
    Let,
    Number,
    Parameter,
    Select,
    Unary,
    same,
    statements,
    walk,
)
from polynb.source.types import DOUBLE, FLOAT, INT32, INT64, UINT8, UINT32, UINT64

CASES = beside(__file__)

I, N = Iterator("i"), Parameter("N")


def number(value):
    return Number(value, INT32)


def value(text):
    """An expression, where N is a parameter and i an iterator."""
    program = parse_scop(f"param N; for i = 0 to N do x = {text}; done")
    return program.body[0].body[0].value


def subscript(text):
    return value(f"A[{text}]").subscripts[0]


def labels(text):
    return [s.label for s in statements(parse_scop(text).body)]


# -- expressions -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "grouped"),
    CASES["precedence_is_that_of_c"],
)
def test_precedence_is_that_of_c(text, grouped):
    assert same(value(text), value(grouped))
    assert not same(value("a"), value(grouped))


@pytest.mark.parametrize(
    ("text", "number", "kind"),
    [
        ("0", 0, INT32),
        ("2147483647", 2**31 - 1, INT32),
        ("2147483648", 2**31, INT64),
        ("0xff", 255, INT32),
        ("0xFFFFFFFF", 2**32 - 1, INT64),
        ("3L", 3, INT64),
        ("3U", 3, UINT32),
        ("4294967296u", 2**32, UINT64),
        ("3uL", 3, UINT64),
        ("1.5", 1.5, DOUBLE),
        (".5", 0.5, DOUBLE),
        ("2.", 2.0, DOUBLE),
        ("1e3", 1000.0, DOUBLE),
        ("1.5e-3f", float.fromhex("0x1.89374cp-10"), FLOAT),
        ("1f", 1.0, FLOAT),
    ],
)
def test_literals(text, number, kind):
    e = value(text)
    assert same(e, Number(number, kind))
    assert type(e.value) is type(number)


def test_calls_casts_and_builtins():
    x = Access("x")
    assert same(value("sqrt(x)"), Call("sqrt", (x,)))
    assert same(value("f()"), Call("f", ()))
    assert same(value("uint8(x)"), Cast(UINT8, x))
    assert same(value("min(x, 1)"), Call("min", (x, number(1))))
    assert same(value("max(x, 1, i)"), Call("max", (x, number(1), I)))
    assert same(value("floord(i, 2)"), Binary("floord", I, number(2)))
    assert same(value("mod(i, 2)"), Binary("mod", I, number(2)))


def test_names_are_iterators_parameters_or_cells():
    e = value("i + N * in[i][N] - out")
    cell = Access("in", (I, N))
    assert same(e, Binary("-", Binary("+", I, Binary("*", N, cell)), Access("out")))


def test_divisions_of_values_are_those_of_c():
    assert same(value("i / 2"), Binary("/", I, number(2)))
    assert same(value("i % 2"), Binary("%", I, number(2)))
    assert value("f(i / 2)").arguments[0].op == "/"


@pytest.mark.parametrize(
    ("text", "ops"),
    [
        ("i/2", ["floord"]),
        ("i%2", ["mod"]),
        ("(i+N)/2*2", ["*", "floord", "+"]),
        ("min(i/2, N%4)", ["floord", "mod"]),
        ("i/2 == 0 ? i/2 : 3", ["==", "floord", "floord"]),
        ("B[i/2]", ["floord"]),
        ("B[i/2]/2", ["/", "floord"]),
        ("(i/2)*B[i]", ["*", "floord"]),
        ("i/2 + B[i]%3", ["+", "floord", "%"]),
        ("f(i)/2", ["/"]),
        ("f(i/2)", ["floord"]),
        ("max(i, B[i])/2", ["/"]),
        ("i/2.0", ["/"]),
        ("double(i)/2", ["/"]),
        ("int64(i)/2", ["floord"]),
    ],
)
def test_divisions_in_subscripts_are_floor_divisions_unless_of_data(text, ops):
    found = [x.op for x in walk(subscript(text)) if isinstance(x, Binary)]
    assert found == ops


def test_divisions_in_bounds_conditions_assumptions_and_extents():
    program = parse_scop(
        "param N; assume N % 2 == 0; temp A[N / 2];"
        "for i = N / 2 to N % 3 do if i % 2 == 1 then A[i] = i / 2; fi done"
    )
    (loop,) = program.body
    assert program.assumptions[0].left.op == "mod"
    assert program.declarations[0].extents[0].op == "floord"
    assert (loop.lower.op, loop.upper.op) == ("floord", "mod")
    assert loop.body[0].condition.left.op == "mod"
    assert loop.body[0].then[0].value.op == "/"


# -- statements and declarations ---------------------------------------------------------


def test_loops():
    down, up = parse_scop(
        "param N; for i = N to 0 by -1 do A[i] = 0; done for i = 0 to N by 2 do done"
    ).body
    assert isinstance(down, For)
    assert (down.step, up.step) == (-1, 2)
    assert same(down.lower, N)
    assert same(down.upper, number(0))
    assert up.body == ()


def test_conditionals_with_and_without_then():
    one, two, three = parse_scop(
        "if x > 0 then y = 1; fi if (x > 0) y = 1; else fi if x > 0 then else if x < 0 y = 1; fi fi"
    ).body
    assert same(one, two)
    assert isinstance(three, If)
    assert three.then == ()
    assert isinstance(three.otherwise[0], If)


def test_declarations():
    program = parse_scop(
        "param N, M; input float A[N+1][M], w; output B; inout C[4]; temp int64 s; param K;"
        "uint8 picture[N]; x = K;"
    )
    assert program.parameters == ("N", "M", "K")
    found = [(d.name, d.role, str(d.type)) for d in program.declarations]
    assert found == [
        ("A", "input", "float"),
        ("w", "input", "float"),
        ("B", "output", "None"),
        ("C", "inout", "None"),
        ("s", "temp", "int64"),
        ("picture", None, "uint8"),
    ]
    a, w, *_ = program.declarations
    assert same(a.extents, (Binary("+", N, number(1)), Parameter("M")))
    assert w.extents is None
    assert a.span.text == "A[N+1][M]"


def test_assumptions_are_conditions_on_parameters():
    program = parse_scop("param N, M; assume N >= 2 and M < N, M > 0; assume N != 7; A[0] = 1;")
    assert len(program.assumptions) == 3
    assert program.assumptions[0].op == "&&"


def test_assumptions_from_outside():
    found = parse_assumption("N >= 2 && N/2 == 3; M < N", ["N", "M"])
    assert len(found) == 2
    assert same(found[1], Binary("<", Parameter("M"), Parameter("N")))
    assert found[0].right.left.op == "floord"
    with pytest.raises(PolynbError, match="assume, line 1, column 6: K has no meaning"):
        parse_assumption("N >= K", ["N", "M"])
    with pytest.raises(PolynbError, match="an expression is missing"):
        parse_assumption("N >= ", ["N"])
    with pytest.raises(PolynbError, match="no condition"):
        parse_assumption("  // nothing", ["N"])


def test_definitions_know_their_arguments_parameters_and_earlier_ones():
    program = parse_scop(
        "param N; define g() = N; define f(x, y) = x*x / sqrt(y) + g(); A[0] = f(1, g());"
    )
    g, f = program.functions
    assert (f.name, f.arguments) == ("f", ("x", "y"))
    assert same(g.body, N)
    assert [x.array for x in walk(f.body) if isinstance(x, Access)] == ["x", "x", "y"]


def test_lets_are_shared_and_end_with_their_assignment():
    program = parse_scop(
        "let e = A[0] * A[0]; let d = e + 1; S: B[0] = d * e - d; let e = 2; B[1] = e;"
    )
    first, second = program.body
    lets = {id(x): x.name for x in walk(first.value) if isinstance(x, Let)}
    assert sorted(lets.values()) == ["d", "e"]
    assert first.value.left.left is first.value.right
    assert first.value.left.right is first.value.right.value.left
    assert (first.label, first.span.text) == ("S", "S: B[0] = d * e - d;")
    assert same(second.value, Let("e", number(2)))


def test_an_unused_let_is_nothing():
    (s,) = parse_scop("let e = A[0]; B[0] = 1;").body
    assert same(s, Assign(Access("B", (number(0),)), number(1)))


# -- labels ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("S: x = 1;", ["S"]),
        ("x = 1; // S", ["S"]),
        ("x = 1; //S", ["S"]),
        ("S: x = 1; // S", ["S"]),
        ("x = // S\n  1;", ["S"]),
        ("x = 1 +\n  2; // S", ["S"]),
        ("x = 1;\n// S", [None]),
        ("// S\nx = 1;", [None]),
        ("x = 1; // the first one", [None]),
        ("x = 1; /* S */", [None]),
        ("x = 1; // S.", [None]),
        ("x = 1; // temp", [None]),
        ("x = 1; y = 2; // T", [None, "T"]),
        ("S: x = 1; y = 2; // T", ["S", "T"]),
        ("x = 1; y = // T\n2;", [None, "T"]),
        ("x = 1; if x > 0 then // S\ny = 2; fi // T", ["S", "T"]),
        ("for i = 0 to 9 do // parallel\n  x = i; // S\ndone // loop", ["S"]),
        ("for i = 0 to 9 do x = i; done // S", [None]),
        ("for i = 0\n to 9 do // S\n x = i; done", [None]),
        ("let e = x; // square\ny = e; // S", ["S"]),
        ("x = 1; // S\r\ny = 2; // T\r\n", ["S", "T"]),
        ("x = 1; // S\ry = 2; // T", ["S", "T"]),
    ],
)
def test_labels(text, expected):
    assert labels(text) == expected


# -- spans -------------------------------------------------------------------------------


def test_spans_of_expressions_are_their_text():
    e = value("(a + B[ i+1 ]) * f( (c) ) - (d ? -e : 2.5)")
    assert [x.span.text for x in walk(e)] == [
        "(a + B[ i+1 ]) * f( (c) ) - (d ? -e : 2.5)",
        "(a + B[ i+1 ]) * f( (c) )",
        "a + B[ i+1 ]",
        "a",
        "B[ i+1 ]",
        "i+1",
        "i",
        "1",
        "f( (c) )",
        "c",
        "d ? -e : 2.5",
        "d",
        "-e",
        "e",
        "2.5",
    ]
    assert isinstance(e.right, Select)
    assert isinstance(e.right.then, Unary)


def test_spans_of_statements_are_whole():
    text = "\tfor i = 0 to 9 do /* 漢字 */ if i > 2 S : A[i] = i ; fi done // end\r\n"
    program = parse_scop(Source(text, "cell"))
    (loop,) = program.body
    (test,) = loop.body
    (s,) = test.then
    assert program.span.text == text
    assert loop.span.text == text.strip()[: -len(" // end")]
    assert test.span.text == "if i > 2 S : A[i] = i ; fi"
    assert s.span.text == "S : A[i] = i ;"
    assert (s.target.span.text, s.target.span.column) == ("A[i]", text.index("A[i]") + 1)


def test_names_that_only_look_like_keywords():
    program = parse_scop("param forN, in2; format = done1 + mint(toX) + int8x; // fi2")
    assert program.body[0].label == "fi2"


def test_conditions_of_both_kinds_of_words_are_the_same():
    assert same(value("a and not b or c"), value("a && !b || c"))


def test_a_long_sum_needs_no_depth():
    assert sum(1 for _ in walk(value(" + ".join(["a"] * 3000)))) == 5999
