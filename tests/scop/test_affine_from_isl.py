"""isl's affine functions and conditions as readable expressions."""

import islpy
import pytest
from hypothesis import given, strategies as st

from polynb import isl
from polynb.errors import PolynbError
from polynb.scop.affine import AffineFrame, affine, condition
from polynb.scop.affine_from_isl import (
    OWN,
    condition as condition_from,
    conditions,
    expression,
    from_ast_expr,
)
from polynb.source import tree as t
from polynb.source.scoplang.printer import print_affine
from polynb.source.types import INT64

EXAMPLES = [
    ("[N] -> { S[i, j] -> [i - 1] }", None, "i-1"),
    ("[N] -> { S[i, j] -> [2j + 1] }", None, "2*j+1"),
    ("[N] -> { S[i, j] -> [N - i] }", None, "N-i"),
    ("[N] -> { S[i, j] -> [i + N + j] }", None, "i+j+N"),
    ("[N] -> { S[i, j] -> [-i - 7] }", None, "-i-7"),
    ("[N] -> { S[i, j] -> [7] }", None, "7"),
    ("[N] -> { S[i, j] -> [floor(j/2)] }", None, "floord(j,2)"),
    ("[N] -> { S[i, j] -> [floor((i + j)/3) + 1] }", None, "floord(i+j,3)+1"),
    ("[N] -> { S[i, j] -> [i mod 2] }", None, "mod(i,2)"),
    ("[N] -> { S[i, j] -> [N - 3 * (i mod 2)] }", None, "N-3*mod(i,2)"),
    ("[N] -> { S[i, j] -> [i] : i <= j; S[i, j] -> [j] : i > j }", None, "min(i,j)"),
    ("[N] -> { S[i, j] -> [i] : i >= j; S[i, j] -> [j] : i < j }", None, "max(i,j)"),
    ("[N] -> { S[i, j] -> [i] : i <= 5; S[i, j] -> [j] : i > 5 }", None, "i <= 5 ? i : j"),
    ("[N] -> { S[i, j] -> [i] : i <= 50; S[i, j] -> [50] : i > 50 }", "i <= 50", "i"),
    ("[N] -> { S[i, j] -> [i] }", "i = 3", "3"),
    ("[N] -> { S[i, j] -> [i] }", "i = j + 1 and j = N", "N+1"),
    ("[N] -> { S[i, j] -> [floor(i/2)] }", "exists k : i = 2k", "floord(i,2)"),
]


show = print_affine


@pytest.mark.parametrize(("function", "where", "text"), EXAMPLES)
def test_examples(function, where, text):
    domain = None if where is None else islpy.Set(f"[N] -> {{ S[i, j] : {where} }}")
    e = expression(islpy.PwAff(function), ("i", "j"), domain)
    assert show(e) == text


def test_names_are_those_asked_for_even_if_a_dimension_is_called_otherwise():
    function = islpy.Aff("[N] -> { [a, b] -> [a + 2b + N] }")
    assert show(expression(function, ("x", "y"))) == "x+2*y+N"
    pieces = islpy.PwAff("[N] -> { [y, b] -> [y] : y < b; [y, b] -> [b] : y >= b }")
    assert show(expression(pieces, ("x", "y"))) == "min(x,y)"


def test_functions_of_parameters_alone():
    assert show(expression(islpy.PwAff("[N] -> { [(N + 1)] }"), ())) == "N+1"
    assert show(expression(islpy.PwAff("[N] -> { [] -> [(N + 1)] }"), ())) == "N+1"
    two = islpy.PwAff("[N, M] -> { [(N)] : N >= M; [(M)] : N < M }")
    assert show(expression(two, ())) == "max(N,M)"
    assert show(expression(two, (), islpy.Set("[N, M] -> { : N > M }"))) == "N"


def test_constants_are_int64_as_iterators_are():
    e = expression(islpy.PwAff("{ S[i] -> [4] }"), ("i",))
    assert isinstance(e, t.Number)
    assert e.type is INT64


@pytest.mark.parametrize(
    ("where", "texts"),
    [
        ("[N] -> { : N >= 3 }", ["N >= 3"]),
        ("[N] -> { : }", []),
        ("[N] -> { : 1 = 0 }", ["0"]),
        ("[N, M] -> { : N > M and M >= 2 }", ["M >= 2", "N > M"]),
        ("[N] -> { : N mod 4 = 1 }", ["mod(N,4) == 1"]),
    ],
)
def test_conditions_on_parameters(where, texts):
    found = [show(c) for c in conditions(islpy.Set(where))]
    assert found == texts


def test_conditions_are_given_what_is_known():
    known = islpy.Set("[N] -> { : N >= 3 }")
    assert conditions(islpy.Set("[N] -> { : N >= 2 }"), known) == ()
    where = islpy.Set("[N] -> { [i] : i < N and N >= 1 }")
    assert show(condition_from(where, ("i",), known)) == "i < N"


# -- there and back -------------------------------------------------------------------------

SPACE = islpy.Space.create_from_names(islpy.DEFAULT_CONTEXT, set=["i", "j"], params=["N"])
FRAME = AffineFrame(SPACE)


def affine_expressions():
    leaf = st.one_of(
        st.integers(-5, 5).map(lambda v: t.Number(v, INT64)),
        st.sampled_from([t.Iterator("i"), t.Iterator("j"), t.Parameter("N")]),
    )

    def grow(inner):
        constant = st.integers(1, 4).map(lambda v: t.Number(v, INT64))
        return st.one_of(
            st.builds(t.Binary, st.sampled_from(["+", "-"]), inner, inner),
            st.builds(t.Binary, st.just("*"), constant, inner),
            st.builds(t.Binary, st.sampled_from(["floord", "mod"]), inner, constant),
            st.builds(
                lambda f, a, b: t.Call(f, (a, b)), st.sampled_from(["min", "max"]), inner, inner
            ),
        )

    return st.recursive(leaf, grow, max_leaves=6)


@given(affine_expressions())
def test_functions_come_back_equal(e):
    function = affine(e, FRAME)
    back = affine(expression(function, ("i", "j")), FRAME)
    assert back.is_equal(function)


@given(affine_expressions(), affine_expressions(), st.sampled_from(["<", "<=", "==", "!=", ">"]))
def test_conditions_come_back_equal(a, b, op):
    where = condition(t.Binary(op, a, b), FRAME)
    assert condition(condition_from(where, ("i", "j")), FRAME).is_equal(where)


@given(affine_expressions(), st.integers(-3, 3))
def test_functions_come_back_equal_on_their_domain(e, bound):
    function = affine(e, FRAME)
    domain = condition(t.Binary("<=", t.Iterator("i"), t.Number(bound, INT64)), FRAME)
    back = affine(expression(function, ("i", "j"), domain), FRAME)
    assert back.intersect_domain(domain).is_equal(function.intersect_domain(domain))


def test_a_name_of_ours_that_is_nowhere_is_no_parameter() -> None:
    """As in the bounds of loops that isl lets begin where their own iterators say."""
    build = isl.ast_build(isl.read_set("{ : }"))
    name = f"{OWN}4"
    own = build.expr_from_set(isl.Set("[p] -> { : p >= 3 }").set_dim_name(isl.PARAM, 0, name))
    assert from_ast_expr(own, {name: t.Iterator("i")})
    with pytest.raises(PolynbError, match="no code for this order"):
        from_ast_expr(own, {})
