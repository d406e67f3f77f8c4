"""What isl's own tests expect of conditional validity constraints, of our builder and of isl."""

import pytest

from polynb import isl
from polynb.dependences import live_ranges
from polynb.errors import PolynbError
from polynb.reordering import NoSchedule, build, from_isl, isl_schedule
from polynb.reordering.constraints import cpu
from polynb.reordering.steps import BandReset
from polynb.scop.parsing import parse
from polynb.scop.schedule import times

from .conftest import bands

SQUARE = "[n] -> { S1[i,j] : 0 <= i,j < n; S2[i,j] : 0 <= i,j < n }"
FLOW = "S1[i,j] -> S2[i,j] : 0 <= i,j < n"
SUM = "S2[i,j] -> S2[i,j+1] : 0 <= i < n and 0 <= j < n - 1"


def tagged(text, tag):
    """The relations of a text with one tag at both sides."""
    source, rest = text.split(" -> ", 1)
    target, _, where = rest.partition(" : ")
    return f"[{source} -> {tag}[]] -> [{target} -> {tag}[]] : {where}"


REUSE = (
    "S2[i,j] -> S1[i,k] : 0 <= i < n and 0 <= j < k < n",
    "S2[i,j] -> S1[h,k] : 0 <= i < h < n and 0 <= j,k < n",
    "S2[i,j] -> S2[i,k] : 0 <= i,j,k < n and j < k",
)

# What is shared by two accesses must not become one constraint.
SHARED = {
    "domain": "{ S[i] : 0 <= i < 100; T[i] : 0 <= i < 100 }",
    "flow": "{ S[i] -> S[i+1] : 0 <= i < 99 }",
    "condition": "{ [S[i] -> B[]] -> [S[i+1] -> B[]] : 0 <= i < 99 }",
    "conditioned": "{ [S[i] -> A[]] -> [T[k] -> A[]] : 0 <= i,k < 100 and i != k;"
    " [T[i] -> A[]] -> [S[k] -> A[]] : 0 <= i,k < 100 and i != k;"
    " [S[i] -> A[]] -> [S[i+1] -> A[]] : 0 <= i < 99 }",
}
FIGURE_7 = {
    "domain": SQUARE,
    "flow": f"[n] -> {{ {FLOW}; {SUM} }}",
    "condition": f"[n] -> {{ {tagged(FLOW, 't')}; {tagged(SUM, 'x')} }}",
    "conditioned": "[n] -> { "
    + "; ".join(tagged(r, tag) for r, tag in zip(REUSE, "ttx", strict=True))
    + " }",
}
FIGURE_7_UNTAGGED = FIGURE_7 | {
    "condition": f"[n] -> {{ {FLOW}; {SUM} }}",
    "conditioned": f"[n] -> {{ {'; '.join(REUSE)} }}",
}
CHAIN = ("S1[i,0] -> S2[i,1]", "S2[i,1] -> S2[i,2]", "S2[i,2] -> S3[i,3]")
LATER = (
    "S2[i,1] -> S2[i,2] : 0 <= i <= 1",
    "S2[0,j] -> S2[1,k] : 1 <= j,k <= 2",
    "S2[0,j] -> S1[1,0] : 1 <= j <= 2",
    "S3[0,3] -> S2[1,j] : 1 <= j <= 2",
    "S3[0,3] -> S1[1,0] : ",
)
FIGURE_12 = {
    "domain": "{ S1[i,0] : 0 <= i <= 1; S2[i,j] : 0 <= i <= 1 and 1 <= j <= 2;"
    " S3[i,3] : 0 <= i <= 1 }",
    "flow": "{ " + "; ".join(f"{c} : 0 <= i <= 1" for c in CHAIN) + " }",
    "condition": "{ " + "; ".join(tagged(f"{c} : 0 <= i <= 1", "t") for c in CHAIN) + " }",
    "conditioned": "{ " + "; ".join(tagged(c, "t") for c in LATER).replace(" : }", " }") + " }",
}


def given(case):
    return from_isl(
        case["domain"],
        validity=case["flow"],
        proximity=case["flow"],
        condition=case["condition"],
        conditioned_validity=case["conditioned"],
    )


def ours(constraints):
    steps, building = [], build(constraints)
    while True:
        try:
            steps.append(next(building))
        except StopIteration as stop:
            return stop.value, steps


def dates(constraints, tree):
    return times(tree, dict(zip(constraints.names(), constraints.domain, strict=True)))


@pytest.mark.parametrize("scheduler", ["polynb", "isl"])
@pytest.mark.parametrize(
    ("case", "members"),
    [(SHARED, 1), (FIGURE_7, 2), (FIGURE_7_UNTAGGED, 1), (FIGURE_12, 1)],
    ids=["shared", "figure 7", "figure 7 untagged", "figure 12"],
)
def test_members_of_the_outer_band(case, members, scheduler):
    constraints = given(case)
    tree = ours(constraints)[0] if scheduler == "polynb" else isl_schedule(constraints)
    assert bands(tree)[0].depth == members


@pytest.mark.parametrize("case", [FIGURE_7_UNTAGGED, FIGURE_12])
def test_some_need_a_reset(case):
    assert any(isinstance(s, BandReset) for s in ours(given(case))[1])


def test_a_condition_that_an_outer_band_stretches_counts_further_in():
    """isl's special case 1: C[2,1] runs before D[2,0], although the live ranges next to that are
    seen no more where the two are told apart."""
    inside = "0 <= i < k < n"
    constraints = from_isl(
        f"[n] -> {{ A[k] : 1 <= k < n; B[k,i] : {inside}; C[k,i] : {inside}; D[k,i] : {inside} }}",
        validity="[n] -> { D[k,i] -> C[1+k,k-i] : 1 <= i < k <= n - 2;"
        " D[k,i] -> C[1+k,i] : 1 <= i < k <= n - 2;"
        " D[k,0] -> C[1+k,k] : 1 <= k <= n - 2; D[k,0] -> C[1+k,0] : 1 <= k <= n - 2 }",
        proximity=f"[n] -> {{ C[k,i] -> D[k,i] : {inside} }}",
        condition="[n] -> { [D[k,i] -> a[]] -> [C[1+k,k-i] -> b[]] : 1 <= i < k <= n - 2;"
        " [B[k,i] -> c[]] -> [B[k,1+i] -> c[]] : 0 <= i <= k - 2 and k < n }",
        conditioned_validity=f"[n] -> {{ [B[k,i] -> e[]] -> [D[k,i] -> a[]] : {inside};"
        f" [C[k,i] -> b[]] -> [D[l,k-1-i] -> a[]] : {inside} and k < l < n and l >= k - i;"
        f" [C[k,i] -> b[]] -> [D[k,k-1-i] -> a[]] : {inside};"
        f" [B[k,i] -> c[]] -> [A[l] -> d[]] : {inside} and 1 <= l < n and l > k }}",
    )
    tree, _ = ours(constraints)
    when = dates(constraints, tree)

    def date(text):
        point = isl.read_set(f"{{ {text} }}")
        f = isl.fix_parameters(when[isl.tuple_name(point, isl.SET)], {"n": 5})
        return isl.points(f.intersect_domain(point).range(), {"n": 5})

    assert date("C[2,1]") < date("D[2,0]")


def test_a_dimension_of_one_value_is_no_dimension():
    """isl's special case 2."""
    constraints = from_isl(
        "{ A[0,i] : 0 <= i <= 10; B[1,i] : 0 <= i <= 10 }",
        condition="{ B[1,i] -> A[0,i+1] }",
        conditioned_validity="{ A[0,i] -> B[1,i-1] }",
    )
    tree, _ = ours(constraints)
    when = dates(constraints, tree)
    wrong = when["A"].lex_ge_map(when["B"]).intersect(isl.read_map("{ A[0,i] -> B[1,i-1] }"))
    assert (
        wrong.intersect_domain(constraints.domain[0])
        .intersect_range(constraints.domain[1])
        .is_empty()
    )


def test_a_full_band_need_not_order_everything():
    """isl's `strongly_satisfying`: what the band leaves at one point is ordered inside."""
    inside = "0 <= i <= 1"
    needs = (
        f"{{ B[i,j] -> B[i,j+1] : {inside} and 0 <= j <= 10; B[0,11] -> A[1];"
        f" A[i] -> B[i,0] : {inside} }}"
    )
    constraints = from_isl(
        f"{{ B[i,j] : {inside} and 0 <= j <= 11; A[i] : {inside} }}",
        validity=needs,
        proximity=needs,
    )
    tree, _ = ours(constraints)
    when = dates(constraints, tree)
    for c in constraints.of("validity"):
        assert when[c.source].lex_ge_map(when[c.target]).intersect(c.relation).is_empty()


# -- bad input -------------------------------------------------------------------------------

LINE = "{ S[i] : 0 <= i < 10; T[i] : 0 <= i < 10 }"


@pytest.mark.parametrize(
    ("constraints", "said"),
    [
        ({"validity": "{ S[i] -> U[i] }"}, "validity constraint S -> U is about .* statement U"),
        ({"validity": "{ S[i,j] -> T[i] }"}, "validity constraint S -> T has 2 dimensions for S"),
        ({"condition": "{ [S[i] -> a[]] -> T[i] }"}, "tags on one side only, in the condition"),
        (
            {"condition": "{ S[i] -> T[i] }",
             "conditioned_validity": "{ [T[i] -> a[]] -> [S[j] -> a[]] : i < j }"},
            "condition constraint S -> T has no tags",
        ),
        ({"validity": "{ [S[i] -> a[]] -> [T[i] -> a[]] }"}, "tags make no sense in the validity"),
        ({"validity": "{ S[i] -> S[j] : i <= j }"}, "validity constraint S -> S asks"),
    ],
)  # fmt: skip
def test_constraints_that_do_not_fit_are_named(constraints, said):
    with pytest.raises(PolynbError, match=said):
        from_isl(LINE, **constraints)


def test_contradictory_constraints_are_named():
    constraints = from_isl(LINE, validity="{ S[i] -> T[i]; T[i] -> S[i] }")
    with pytest.raises(NoSchedule) as caught:
        ours(constraints)
    assert "validity S -> T" in caught.value.reason
    assert "validity T -> S" in caught.value.reason


def test_an_unknown_kind_and_a_preset_that_there_is_not():
    constraints = from_isl(LINE)
    with pytest.raises(PolynbError, match="no kind of constraint 'flow'"):
        constraints.of("flow")


def test_what_no_parameters_ask_for_is_no_contradiction():
    asked = "[N] -> { S[i] -> S[i] : N < 0 }"
    domain = "[N] -> { S[i] : 0 <= i <= 9 }"
    assert from_isl(domain, validity=asked, context="[N] -> { : N >= 0 }")
    with pytest.raises(PolynbError, match="run after themselves"):
        from_isl(domain, validity=asked)


def test_only_what_is_forced_is_called_so():
    scop = parse(
        "param N; inout A[N+1]; for i = 0 to N-1 do S: A[i] = A[i+1]; T: B[i] = A[i]; done"
    )
    found = cpu(live_ranges(scop)).of("validity")
    assert {c.why.startswith("forced, ") for c in found} == {True, False}
