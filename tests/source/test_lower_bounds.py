"""Lower bounds are never above a value."""

from hypothesis import given, strategies as st

from polynb.source import tree as t
from polynb.source.lower_bounds import LowerBounds
from polynb.source.types import INT32

i, j, n = t.Iterator("i"), t.Iterator("j"), t.Parameter("N")


def number(v):
    return t.Number(v, INT32)


def b(op, left, right):
    return t.Binary(op, left, right)


def test_what_assumptions_say_of_parameters():
    bounds = LowerBounds.of_parameters([b(">=", n, number(3)), b(">", n, number(1)), b("<", n, n)])
    assert bounds.least(n) == 3
    assert bounds.at_least(b("-", n, number(3)), 0)
    assert not bounds.at_least(b("-", n, number(4)), 0)
    assert bounds.least(t.Parameter("M")) is None


def test_what_loops_say_of_their_iterators():
    bounds = LowerBounds()
    up = t.For("i", number(2), n, ())
    down = t.For("j", n, i, (), step=-2)
    bounds.enter(up)
    bounds.enter(down)
    assert (bounds.least(i), bounds.least(j)) == (2, 2)
    bounds.leave(down)
    assert bounds.least(j) is None
    bounds.enter(t.For("i", n, number(0), ()))
    assert bounds.least(i) is None


def test_what_conditions_say_holds_under_them():
    bounds = LowerBounds({"i": 1})
    both = b("&&", b(">", i, number(2)), b(">=", j, b("+", i, number(4))))
    with bounds.where(both):
        assert (bounds.least(i), bounds.least(j)) == (3, 7)
    assert (bounds.least(i), bounds.least(j)) == (1, None)
    for either in (b("||", b(">", i, number(2)), b(">", j, number(2))), b("<", i, number(9))):
        with bounds.where(either):
            assert (bounds.least(i), bounds.least(j)) == (1, None)


def expressions():
    which = st.sampled_from(["min", "max"])
    leaf = st.one_of(st.integers(-4, 4).map(number), st.sampled_from([i, j, n]))

    def grow(inner):
        constant = st.integers(1, 4).map(number)
        return st.one_of(
            st.builds(b, st.sampled_from(["+", "-", "*"]), inner, inner),
            st.builds(b, st.just("*"), constant, inner),
            st.builds(b, st.sampled_from(["floord", "mod"]), inner, constant),
            st.builds(lambda f, x, y: t.Call(f, (x, y)), which, inner, inner),
        )

    return st.recursive(leaf, grow, max_leaves=8)


def value(e, env):
    match e:
        case t.Number(value=v):
            return v
        case t.Iterator(name=x) | t.Parameter(name=x):
            return env[x]
        case t.Call(function=f, arguments=(x, y)):
            return (min if f == "min" else max)(value(x, env), value(y, env))
        case t.Binary(op=op, left=x, right=y):
            u, v = value(x, env), value(y, env)
            return {
                "+": u + v,
                "-": u - v,
                "*": u * v,
                "floord": u // v if v else 0,
                "mod": u % v if v else 0,
            }[op]
    raise AssertionError(e)


@given(expressions(), st.integers(0, 5), st.integers(0, 5))
def test_no_value_lies_below(e, di, dn):
    bounds = LowerBounds({"i": -2, "N": 1})
    least = bounds.least(e)
    for dj in (-7, 0, 9):
        assert least is None or least <= value(e, {"i": -2 + di, "j": dj, "N": 1 + dn})
