"""A cell for each value: what is left of a temporary's dependences is the flow."""

import pytest
from making import moves

from polynb import gallery, isl
from polynb.dependences import analyze
from polynb.errors import PolynbError
from polynb.run.oracle import equivalent
from polynb.scop.access import inconsistency
from polynb.scop.model import Scop
from polynb.scop.parsing import parse

SEVERAL = """param N; assume N >= 1; temp t; output B[N+1], C[N+1];
t = 0.5; // Z
for i = 0 to N do
  R: B[i] = t * 2;
  for j = 1 to i do S: t = f(i, j); done
  Q: C[i] = t;
done
"""


def flow(scop, array):
    return {(e.source, e.target): e.relation for e in analyze(scop).flow(array).edges}


@pytest.mark.parametrize(
    "scop",
    [gallery.load("lrr_listing1"), gallery.load("lrr_listing1_scalar"), parse(SEVERAL)],
    ids=("array", "scalar", "several sources"),
)
def test_each_read_gets_the_value_that_it_got(scop):
    result = moves.expand(scop, "t")
    before, after = flow(scop, "t"), flow(result, "t")
    assert before.keys() == after.keys()
    assert all(after[k].is_equal(before[k]) for k in before)
    assert equivalent(scop, result)
    assert equivalent(scop, parse(str(result)))
    assert inconsistency(result) is None
    # No cell is written twice.
    writes = isl.union_map(s.write.relation for s in result.statements if s.write.array == "t")
    assert writes.is_injective()


def test_a_scalar_has_its_loops_as_subscripts():
    scop = parse("param N; temp t; for i=2 to N do t = f(i); B[i] = t; done")
    result = moves.expand(scop, "t")
    assert "t[i] = f(i)" in str(result)
    assert result.arrays["t"].why == "expanded"


def test_a_read_that_never_happens():
    scop = parse("""param N; temp t[N+1];
    for i=0 to N do S: t[i] = f(i); T: B[i] = t[i]; if i > N then U: C[i] = t[i]; fi done""")
    result = moves.expand(scop, "t")
    assert equivalent(scop, result, N=[0, 3])


def test_negative_iterators():
    scop = parse("param N; temp t; for i=-2 to N do S: t = f(i); T: B[i+2] = t; done")
    result = moves.expand(scop, "t")
    assert "t[i+2] = f(i)" in str(result)
    scop = parse("param N; assume N >= 0; temp t; for i=-N to N do t = f(i); B[i+N] = t; done")
    result = moves.expand(scop, "t")
    assert equivalent(scop, result)
    assert result.arrays["t"].extents[0].is_equal(isl.PwAff("[N] -> { [2N+1] }"))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "param N; temp t; for i=0 to N do B[i] = t; t = A[i]; done",
            "(0) reads what t held before",
        ),
        ("param N; temp t; for i=0 to N do if A[i] > 0 then t = 1; fi B[i] = t; done", "t"),
        ("param N; temp t[9]; for i=0 to N do t[c[i]] = 1; B[i] = t[c[i]]; done", "data decides"),
        ("param N; temp t; for i=0 to N do B[i] = A[i]; done", "nothing writes t"),
    ],
)
def test_what_cannot_be_expanded(text, why):
    with pytest.raises(PolynbError, match="'t' cannot be expanded") as error:
        moves.expand(parse(text, "scop"), "t")
    assert why in error.value.reason


def test_iterators_without_a_least_value():
    scop = Scop.from_isl(
        "{ S[i] : i <= 9; T[i] : i <= 9 }",
        "{ S[i] -> [i, 0]; T[i] -> [i, 1] }",
        "{ S[i] -> A[0]; T[i] -> t[] }",
        "{ S[i] -> t[]; T[i] -> B[0] }",
        temp="t",
    )
    with pytest.raises(PolynbError, match="'t' cannot be expanded") as error:
        moves.expand(scop, "t")
    assert "from below" in error.value.reason
