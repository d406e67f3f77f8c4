"""Expressions under propagation: what is equal is one node, and a copy costs what is new in it."""

from dataclasses import fields
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

import polynb as pn
from polynb.propagation.steps import Judged
from polynb.rewriting.pool import Pool
from polynb.rewriting.substitution import rewrite
from polynb.source import tree as t
from polynb.source.tree import same, walk
from polynb.source.types import INT32

I, J = t.Iterator("i"), t.Iterator("j")


@pytest.fixture
def pool() -> Pool:
    return Pool(pn.parse("param N; for i = 0 to N do B[i] = A[i]; done"))


def number(value: int) -> t.Number:
    return t.Number(value, INT32)


def plus(e: t.Expr, value: int) -> t.Expr:
    return t.Binary("+", e, number(value)) if value >= 0 else t.Binary("-", e, number(-value))


def stencil(of: t.Expr, pool: Pool) -> t.Expr:
    """f(of at i - 1, of, of at i + 1), in the pool."""
    around = (pool.rewritten(of, {"i": plus(I, d)}) for d in (-1, 0, 1))
    return pool.unique(t.Call("f", tuple(around)))


@pytest.mark.parametrize("stages", [10, 20, 40])
def test_stages_of_a_stencil_cost_quadratically_many_nodes_in_all(pool: Pool, stages: int) -> None:
    e: t.Expr = t.Access("A", (I,))
    for _ in range(stages):
        e = stencil(e, pool)
    cells = [x for x in t.walk(e) if isinstance(x, t.Access)]
    assert len(cells) == 2 * stages + 1
    calls = [x for x in t.walk(e) if isinstance(x, t.Call)]
    assert len(calls) == stages**2  # 1 + 3 + 5 + ...
    assert len(pool) <= len(list(walk(e))) + 2 * stages**2 + 20 * stages


def test_what_is_new_in_a_shifted_copy_is_all_that_is_visited(
    pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []
    with_ = Pool._with
    monkeypatch.setattr(Pool, "_with", lambda *a: (made.append(1), with_(*a))[1])
    counts = []
    e: t.Expr = t.Access("A", (I,))
    for _ in range(40):
        made.clear()
        e = stencil(e, pool)
        counts.append(len(made))
    assert counts[39] <= 2.2 * counts[19]  # linear in the stage, where the size is quadratic
    copied = pool.rewritten(e, {"i": plus(I, 3)})
    made.clear()
    assert pool.rewritten(copied, {"i": plus(I, -3)}) is e
    assert len(made) <= 1


AFFINE = st.recursive(
    st.sampled_from([I, J, t.Parameter("N"), number(1), number(2)]),
    lambda e: st.one_of(
        st.builds(t.Binary, st.sampled_from(["+", "-"]), e, e),
        st.builds(lambda x, c: t.Binary("*", number(c), x), e, st.integers(1, 4)),
        st.builds(
            lambda op, x, d: t.Binary(op, x, number(d)),
            st.sampled_from(["floord", "mod"]),
            e,
            st.integers(2, 3),
        ),
    ),
    max_leaves=4,
)
VALUES = st.recursive(
    st.one_of(AFFINE, st.builds(lambda x: t.Access("A", (x,)), AFFINE)),
    lambda e: st.one_of(
        st.builds(t.Binary, st.sampled_from(["+", "*", "/"]), e, e),
        st.builds(lambda x: t.Call("f", (x, x)), e),
    ),
    max_leaves=6,
)


@given(VALUES, st.lists(st.dictionaries(st.sampled_from("ij"), st.integers(-2, 2)), max_size=3))
def test_shifted_again_and_again_it_is_what_it_would_be_without_a_memory(
    e: t.Expr, shifts: list[dict[str, int]]
) -> None:
    pool = Pool(pn.parse("A[0] = 1;"))
    found, expected = e, e
    for shift in shifts:
        values = {"i": plus(I, shift.get("i", 0)), "j": plus(J, shift.get("j", 0))}
        found = pool.rewritten(found, values)
        expected = rewrite(expected, values)
        assert same(found, pool.unique(expected))
        assert same(found, expected)


@given(VALUES, st.sampled_from([t.Binary("*", number(2), I), J, t.Binary("floord", I, number(2))]))
def test_any_other_substitution_is_the_rewriting_of_algorithm_1(e: t.Expr, value: t.Expr) -> None:
    pool = Pool(pn.parse("A[0] = 1;"))
    assert same(pool.rewritten(e, {"i": value, "j": J}), rewrite(e, {"i": value, "j": J}))


def test_equal_expressions_are_one_node(pool: Pool) -> None:
    a = t.Call("f", (t.Access("A", (plus(I, 1),)), t.Access("A", (plus(I, 1),))))
    b = t.Call("f", (t.Access("A", (plus(I, 1),)), t.Access("A", (plus(I, 1),))))
    one = pool.unique(a)
    assert isinstance(one, t.Call)
    assert one.arguments[0] is one.arguments[1]
    assert pool.unique(b) is one
    assert pool.unique(t.Call("f", (t.Number(0.0, INT32),))) is not pool.unique(
        t.Call("f", (t.Number(-0.0, INT32),))
    )


def stages(count: int) -> str:
    """3-point stencils of temporaries, each of the one before."""
    names = ["A", *(f"t{k}" for k in range(1, count)), "B"]
    loops = [
        f"for i = {k} to N - {k} do {b}[i] = f({a}[i-1], {a}[i], {a}[i+1]); done"
        for k, (a, b) in enumerate(pairwise(names), 1)
    ]
    head = f"param N; assume N >= {2 * count}; temp {', '.join(names[1:-1])};"
    return "\n".join([head, *loops])


def test_all_arrays_of_a_pass_share_its_pool() -> None:
    (result,) = pn.propagate(pn.parse(stages(12)), cache_lines=None).result.statements
    calls = [x for x in t.walk(result.expression) if isinstance(x, t.Call)]
    assert len(calls) == 12**2  # 1 + 3 + 5 + ...; 3**11 if copies shared nothing


def test_nothing_but_its_fields_stands_in_a_node() -> None:
    derivation = pn.propagate(pn.parse(stages(3)), cache_lines=None)
    nodes = [x for p in derivation.stages for s in p.statements for x in t.walk(s.expression)]
    assert nodes
    assert all(vars(x).keys() == {f.name for f in fields(x)} for x in nodes)


def test_what_took_over_an_expression_that_another_statement_has_is_a_target_all_the_same() -> None:
    scop = pn.parse(
        "param N; temp t[N+1], u[N+1];"
        " for i = 0 to N do t[i] = A[i] + 1.0; u[i] = A[i] + 1.0; done"
        " for i = 0 to N do B[i] = t[i]; C[i] = u[i]; done"
    )
    derivation = pn.propagate(scop)
    reasons = [s.verdict.reason for s in derivation.steps if isinstance(s, Judged)]
    needed = [r for r in reasons if "needs more than" in r]
    assert len(needed) == 2
    assert all("than 2 cache lines" in r for r in needed)
