"""C's unsigned arithmetic in affine places: right, or refused with a reason."""

import pytest

import polynb as pn
from polynb import isl
from polynb.errors import PolynbError
from polynb.run.oracle import equivalent


def parsed(head, body="A[i] = 1;", declared="int n, double A[100]"):
    return pn.parse(f"void f({declared}) {{ for ({head}) {body} }}", "c")


@pytest.mark.parametrize(
    ("head", "declared", "needed"),
    [
        ("size_t i = 0; i < n; i++", "int n, double A[n]", "n >= 0"),
        ("unsigned i = 0; i + 1 < n; i++", "unsigned n, double A[n + 1]", ""),
        ("unsigned i = 0; i < n - 1; i++", "unsigned n, double A[n + 1]", "n >= 1"),
        ("int i = n - 1; i >= 0; i--", "unsigned n, double A[n + 1]", "n <= 2147483648"),
        ("int j = m; j < n; j++", "unsigned n, int m, double A[n + 1]", "m >= 0"),
        ("int i = 3; i < (m < n ? m : n); i++", "unsigned n, long m, double A[n + 1]", ""),
    ],
)
def test_parameter_values_for_which_bounds_wrap_around_are_not_allowed(head, declared, needed):
    scop = parsed(head, f"A[{head.split()[1]}] = 1;", declared)
    ranges = {"unsigned n": "0 <= n", "int n": "-2147483648 <= n"}
    ranges |= {"int m": "-5 <= m <= 5", "long m": "-5 <= m <= 5"}
    given = [d.strip() for d in declared.split(",")[:-1]]
    names = ", ".join(d.split()[-1] for d in given)
    typed = isl.read_set(f"[{names}] -> {{ : {' and '.join(ranges[d] for d in given)} }}")
    wanted = isl.read_set(f"[{names}] -> {{ : {needed} }}") if needed else typed
    assert scop.requires.intersect(typed).is_equal(wanted.intersect(typed))


@pytest.mark.parametrize(
    ("head", "message"),
    [
        ("int i = -3; i < m; i++", "wraps around"),
        ("unsigned i = m; i > 0; i -= 2", "steps over 0"),
        ("unsigned i = m; i >= 0; i--", "always holds"),
        ("int i = n; i >= 0u; i--", "always holds"),
        ("char i = 0; i < 300; i++", "never ends"),
        ("int i = 1; i < 3000000000L; i += 2", "never ends"),
    ],
)
def test_bounds_that_always_wrap_around_are_refused_where_they_stand(head, message):
    with pytest.raises(PolynbError, match=message) as caught:
        parsed(head, declared="int n, unsigned m, double A[100]")
    assert caught.value.span is not None
    assert caught.value.hint


def test_conditions_that_wrap_around_are_left_to_the_program():
    """`i - 3 < 2u` holds for 3 and 4 alone: for less than 3, the difference is huge."""
    scop = parsed("int i = 0; i < n; i++", "if (i - 3 < 2u) A[i] = 1;")
    assert scop.statements[0].guard is not None
    tame = parsed("int i = 3; i < n; i++", "if (i - 3 < 2u) A[i] = 1;")
    assert tame.statements[0].guard is None
    assert tame.statements[0].domain.is_equal(isl.read_set("[n] -> { S0[i] : 3 <= i < n, 5 }"))


@pytest.mark.parametrize("language", ["scop", "c"])
@pytest.mark.parametrize("text", ["A[i/0]", "A[i%0]", "A[(i+n)/(2-2)]", "A[i % -0]"])
def test_a_division_by_zero_is_refused_where_it_stands(text, language):
    body = f"{text} = 1;"
    loops = {
        "scop": f"param n; for i = 0 to n do {body} done",
        "c": f"void f(int n, double A[n]) {{ for (int i = 0; i < n; i++) {body} }}",
    }
    with pytest.raises(PolynbError, match="divides by zero") as caught:
        pn.parse(loops[language], language)
    assert caught.value.span is not None


def test_integer_values_divided_by_zero_are_refused_if_they_are_surely_computed():
    with pytest.raises(PolynbError, match="divides an integer by zero") as caught:
        parsed("int i = 0; i < n; i++", "A[i] = i % 0;")
    assert caught.value.span.text == "i % 0"
    parsed("int i = 0; i < n; i++", "A[i] = n > 100 ? i / 0 : 1;")
    parsed("int i = 0; i < n; i++", "A[i] = A[i] / 0;")  # an infinity


@pytest.mark.parametrize("text", ["i/-2+n", "i % -3 + 3", "i/-3*2 + 2*n", "(i-n)/-2"])
def test_negative_divisors(text):
    scop = pn.parse(f"param n; for i = 0 to n do A[{text}] = A[{text}] + i; done", "scop")
    cells = isl.pairs(scop.statements[0].write.relation, {"n": 7})
    expected = [((i,), (eval(text.replace("/", "//"), {"i": i, "n": 7}),)) for i in range(8)]
    assert sorted(cells) == expected
    assert equivalent(scop, pn.parse(str(scop), "scop"), n=[0, 1, 7])


def test_a_statement_that_never_runs_may_divide():
    body = "if (i % 3 == 2) A[i/2] = 1;"
    scop = parsed("int i = 0; i < n; i += 3", body)
    assert scop.statements[0].domain.is_empty()
    assert "A[" not in scop.to_c().split("{")[1]
    assert pn.compile(scop) is not None
