"""Programs whose scalars (and one array) are used again and again: the papers' listings, image
kernels, a radar chain. Their labels, what is temporary, and the dependences the papers give."""

import re

import pytest
from cases import beside

import polynb as pn
from polynb import gallery, isl
from polynb.dependences import analyze
from polynb.run.oracle import equivalent

CASES = beside(__file__)

PROGRAMS = CASES["programs"]


@pytest.mark.parametrize("name", PROGRAMS)
def test_statements_and_temporaries(name):
    scop = gallery.load(name)
    statements, temporaries = PROGRAMS[name]
    assert [s.name for s in scop.statements] == statements.split()
    assert scop.temporaries == tuple(temporaries.split())


@pytest.mark.parametrize("name", PROGRAMS)
def test_printed_as_c_and_parsed_again_they_compute_the_same(name):
    scop = gallery.load(name)
    sizes = {p: [1, 3] for p in scop.parameters}
    assert equivalent(scop, pn.parse(scop.to_c(), "c"), parameters=sizes)


def test_programs_that_differ_in_their_temporaries_only_compute_the_same():
    load = gallery.load
    assert equivalent(load("lrr_listing1"), load("lrr_listing1_scalar"))
    hoisted, promoted, stored = (load(f"delicm_listing{k}") for k in (2, 3, 4))
    assert equivalent(load("delicm_listing1"), hoisted)
    assert equivalent(hoisted, promoted)
    some = {"N": [0, 1, 3], "K": [1, 2, 4]}
    assert equivalent(promoted, stored, parameters=some)
    assert not equivalent(promoted, stored, parameters={"N": [1], "K": [0]})  # W is not run


def test_only_what_surrounds_listing_1_makes_t_a_temporary():
    text = gallery.text("lrr_listing1")
    marked = re.search(r"#pragma scop\n(.*)#pragma endscop", text, re.S)[1]
    alone = pn.parse(marked, "c")
    assert alone.temporaries == ()
    assert union(analyze(alone).live_out).is_equal(union(live_out("lrr_listing1_live")))
    whole = pn.parse(re.sub("#pragma.*", "", text), "c")
    assert whole.temporaries == ("t",)


def live_out(name):
    return analyze(gallery.load(name)).live_out


def union(given):
    """Without what the programs assume of n."""
    return isl.read_union_map(str(given)).intersect_params(isl.read_set("[n] -> { : n >= 1 }"))


N = "0 <= i < n and 0 <= j < n"


def test_live_out_accesses_of_listing_1_with_and_without_a_kill():
    """Equation 9."""
    killed = isl.read_union_map(f"[n] -> {{ S4[i, j] -> C[j, i] : {N} }}")
    assert union(live_out("lrr_listing1")).is_equal(killed)
    last = isl.read_union_map(f"[n] -> {{ S3[i, j] -> t[i + j] : {N} and (j = 0 or i = n - 1) }}")
    assert union(live_out("lrr_listing1_live")).is_equal(killed.union(last))


def test_flow_of_listing_1():
    """Equation 5."""
    for name in ("lrr_listing1", "lrr_listing1_scalar", "lrr_listing1_live"):
        expected = isl.read_union_map(
            f"[n] -> {{ S1[i, j] -> S2[i, j] : {N}; S3[i, j] -> S4[i, j] : {N};"
            f" S2[i, j] -> S4[j, i] : {N} }}"
        )
        assert union(analyze(gallery.load(name)).raw).is_equal(expected)


FIG7 = {
    "domain": f"[n] -> {{ S1[i, j] : {N}; S2[i, j] : {N} }}",
    "flow": {
        "t": f"[n] -> {{ S1[i, j] -> S2[i, j] : {N} }}",
        "x1": f"[n] -> {{ S2[i, j] -> S2[i, j + 1] : {N} and j < n - 1 }}",
    },
    "anti": {
        "t": "[n] -> { S2[i, j] -> S1[i', j'] : 0 <= i, j, i', j' < n"
        " and (i < i' or i = i' and j < j') }",
        "x1": "[n] -> { S2[i, j] -> S2[i, j'] : 0 <= i < n and 0 <= j < j' < n }",
    },
}
FIG12 = {
    "domain": "{ S1[i, 0] : 0 <= i <= 1; S2[i, j] : 0 <= i <= 1 and 1 <= j <= 2;"
    " S3[i, 3] : 0 <= i <= 1 }",
    "flow": {
        "t": "{ S1[i, 0] -> S2[i, 1] : 0 <= i <= 1; S2[i, 1] -> S2[i, 2] : 0 <= i <= 1;"
        " S2[i, 2] -> S3[i, 3] : 0 <= i <= 1 }"
    },
    "anti": {
        "t": "{ S2[i, 1] -> S2[i, 2] : 0 <= i <= 1; S2[0, j] -> S2[1, j'] : 1 <= j, j' <= 2;"
        " S2[0, j] -> S1[1, 0] : 1 <= j <= 2; S3[0, 3] -> S2[1, j] : 1 <= j <= 2;"
        " S3[0, 3] -> S1[1, 0] }"
    },
}


@pytest.mark.parametrize(("name", "figure"), [("taco13_fig7", FIG7), ("taco13_fig12", FIG12)])
def test_dependences_of_the_taco_paper_are_those_that_isl_tests_its_scheduler_with(name, figure):
    scop = gallery.load(name)
    found = analyze(scop)
    assert scop.isl.domain.is_equal(isl.read_union_set(figure["domain"]))
    for kind, edges in (("flow", found.flow_edges), ("anti", found.memory("war"))):
        for array, expected in figure[kind].items():
            pairs = isl.union_map(e.relation for e in edges if e.array == array)
            apart = pairs.subtract(scop.isl.domain.identity())  # not within one instance
            assert apart.is_equal(isl.read_union_map(expected)), (kind, array)
        assert {e.array for e in edges} == set(figure[kind])
