"""Dependences modulo domain constraints, and their pairs counted."""

from itertools import product

import polynb as pn
from polynb import isl
from polynb.dependences import live_ranges
from polynb.evaluation.relations import modulo_domains, relations, through_temporaries
from polynb.words import wrapped


def test_what_the_domains_say_is_left_out_and_nothing_else():
    for name in ("lrr_listing1", "lrr_listing1_live", "delicm_listing3"):
        scop = pn.gallery.load(name)
        ranges = live_ranges(scop)
        for edge in (*ranges.flow, *ranges.false, *ranges.order, *ranges.forced):
            printed = modulo_domains(scop, edge)
            source, target = (scop.by_name[s].domain for s in (edge.source, edge.target))
            inside = printed.intersect_domain(source).intersect_range(target)
            assert inside.intersect_params(scop.assumed).is_equal(edge.relation)


def test_equations_5_and_10_as_they_are_printed():
    scop = pn.gallery.load("lrr_listing1")
    ranges = live_ranges(scop)
    flow = relations(scop, ranges.flow)
    assert {row[0] for row in flow.rows} == {"flow"}
    printed = isl.read_union_map(
        "[n] -> { S1[i, j] -> S2[i, j]; S3[i, j] -> S4[i, j]; S2[i, j] -> S4[j, i] }"
    )
    assert isl.union_map(modulo_domains(scop, e) for e in ranges.flow).is_equal(printed)
    printed = isl.read_union_map(
        "[n] -> { S2[i, j] -> S1[k, l] : i + j = k + l and k > i; S2[i, j] -> S3[k, l] : i + j = "
        "k + l; S4[i, j] -> S3[k, l] : i + j = k + l and k > i }"
    )
    assert isl.union_map(modulo_domains(scop, e) for e in ranges.order).is_equal(printed)


def test_pairs_through_a_scalar_are_counted():
    program = pn.parse("param N;  temp c;  for i = 0 to N-1 do c = A[i]; B[i] = c; done")
    (row,) = through_temporaries({"chain": program}, {"N": 4}).rows
    runs = list(product(range(4), ("write", "read")))  # in the order of time
    true = sum(i == j for (i, a), (j, b) in product(runs, runs) if (a, b) == ("write", "read"))
    anti = sum(j == i + 1 for (i, a), (j, b) in product(runs, runs) if (a, b) == ("read", "write"))
    output = sum(j == i + 1 for (i, a), (j, b) in product(runs, runs) if a == b == "write")
    assert row == ("chain", true, anti + output) == ("chain", 4, 6)
    alone = pn.parse("param N;  temp c;  for i = 0 to N-1 do A[i] = A[i] + 1; done")
    assert through_temporaries({"none": alone}, {"N": 4}).rows == (("none", 0, 0),)


def test_long_lines_are_broken_between_words():
    text = "a short line\n\n- " + "word " * 40 + "\n    " + "deep " * 40
    lines = wrapped(text, 50).splitlines()
    assert max(map(len, lines)) <= 50
    assert lines[:3] == ["a short line", "", "- " + " ".join(["word"] * 9)]
    assert {line[:4] for line in lines[-4:]} == {"    "}
    assert " ".join(" ".join(lines).split()) == " ".join(text.split())
    assert wrapped("x" * 60, 50) == "x" * 60
