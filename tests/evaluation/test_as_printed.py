"""What papers print of a program, of ours."""

import pytest

import polynb as pn
from polynb.dependences import live_ranges
from polynb.errors import PolynbError
from polynb.evaluation.schedulers import (
    agrees,
    body,
    distances,
    effort,
    members,
    modulo_domains,
)


def test_a_body_has_no_declarations_and_no_labels():
    assert body(pn.parse("param N; temp t; for i = 0 to N do S: t = A[i]; T: B[i] = t; done")) == (
        "for i = 0 to N do\n  t = A[i];\n  B[i] = t;\ndone"
    )


def test_what_the_domains_say_is_left_out():
    scop = pn.gallery.load("lrr_listing1")
    flow = [e.relation for e in live_ranges(scop).flow]
    assert modulo_domains(scop, flow) == (
        "S1[i, j] -> S2[i' = i, j' = j]; S2[i, j] -> S4[i' = j, j' = i]; "
        "S3[i, j] -> S4[i' = i, j' = j]"
    )
    (write,) = (s.write.relation for s in scop.statements if s.name == "S1")
    assert modulo_domains(scop, [write]) == "S1[i, j] -> t[i + j]"


def test_the_effort_is_that_of_table_1():
    assert effort(pn.gallery.load("lrr_listing1")) == (2, 2, 0, 0)
    assert effort(pn.gallery.load("lrr_listing3")) == (3, 3, 0, 0)


def test_what_is_printed_without_domain_constraints_agrees():
    scop = pn.gallery.load("lrr_listing1")
    flow = [e.relation for e in live_ranges(scop).flow]
    text = "[n] -> {{ S1[i,j] -> S2[i,j]; S3[i,j] -> S4[i,j]; S2[i,j] -> S4[{}] }}"
    assert agrees(scop, flow, text.format("j,i"))
    assert not agrees(scop, flow, text.format("i,j"))
    assert not agrees(scop, flow[:2], text.format("j,i"))
    writes = [s.write.relation for s in scop.statements]
    assert agrees(scop, writes[:1], "[n] -> { S1[i,j] -> t[i+j] }")
    assert not agrees(scop, writes[:1], "[n] -> { S1[i,j] -> t[i+j]; S3[i,j] -> t[i+j] }")


def test_members_of_the_one_band():
    scop = pn.gallery.load("lrr_listing1")
    found = pn.reorder(scop).result
    assert members(found) == {"S1": "[j, i]", "S2": "[j, i]", "S3": "[i, j]", "S4": "[i, j]"}
    with pytest.raises(PolynbError, match="bands"):
        members(scop)


def test_distances_in_time():
    scop = pn.parse("param N; for i = 1 to N do S: A[i] = A[i-1]; done")
    assert distances(scop, "{ S[i] -> [i, 2*i] }", {"N": 5}) == {(1, 2)}
