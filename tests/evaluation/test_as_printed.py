"""What papers print of a program, of ours."""

import polynb as pn
from polynb.dependences import live_ranges
from polynb.evaluation.as_printed import body, effort, modulo_domains


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
