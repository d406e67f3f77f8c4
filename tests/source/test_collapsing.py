"""Which nests of parallel loops share out their iterations together."""

import pytest

from polynb.source import tree as t
from polynb.source.collapsing import collapsed
from polynb.source.types import INT32


def number(k):
    return t.Number(k, INT32)


def nest(*kinds, uppers=None, body=()):
    """Loops a, b, c... of these kinds around each other and a sequential one."""
    names = "abcdef"[: len(kinds)]
    uppers = uppers or (t.Parameter("N"),) * len(kinds)
    inner = t.For("z", number(0), t.Parameter("N"), body)
    for name, kind, upper in reversed(list(zip(names, kinds, uppers, strict=True))):
        inner = t.For(name, number(0), upper, (inner,), kind=kind)
    return inner


@pytest.mark.parametrize(
    ("kinds", "together"),
    [
        (("collapsed", "parallel"), 2),
        (("parallel", "collapsed"), 2),
        (("collapsed", "collapsed", "parallel"), 3),
        (("parallel",), 0),
        (("collapsed",), 0),
        (("collapsed", "collapsed"), 0),
        (("collapsed", "sequential", "parallel"), 0),
        (("sequential", "collapsed", "parallel"), 0),
    ],
)
def test_kinds_that_belong_together(kinds, together):
    assert collapsed(nest(*kinds)) == together


def test_bounds_that_change_meanwhile():
    triangle = nest("collapsed", "parallel", uppers=(t.Parameter("N"), t.Iterator("a")))
    assert collapsed(triangle) == 0
    partly = nest(
        "parallel", "collapsed", "collapsed",
        uppers=(t.Parameter("N"), t.Parameter("N"), t.Iterator("b")),
    )  # fmt: skip
    assert collapsed(partly) == 2


def test_something_between():
    loop = nest("collapsed", "parallel")
    assert collapsed(t.For("y", number(0), number(2), (loop, loop), kind="collapsed")) == 0


def test_the_innermost_loop_is_left_to_vectors():
    inner = t.For("b", number(0), t.Parameter("N"), (), kind="parallel")
    assert collapsed(t.For("a", number(0), number(2), (inner,), kind="collapsed")) == 0
