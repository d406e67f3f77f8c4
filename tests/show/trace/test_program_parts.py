"""The segments of a program's text, which is read part by part."""

from dataclasses import replace

import pytest

import polynb as pn
from polynb.codegen import isl_loops
from polynb.codegen.nests import Nests
from polynb.scop.parsing import parse
from polynb.show.trace.format import read_id, statement_id, write_id
from polynb.show.trace.program import VersionLines, program_lines


@pytest.mark.parametrize("name", ["fig1", "sat", "lrr_listing3", "delicm_listing6", "covariance"])
def test_each_part_has_the_places_that_it_has_in_the_whole(name):
    scop = pn.gallery.load(name)
    for program in (scop, pn.propagate(scop).result, pn.reorder(scop, tile=8).result):
        lines = program_lines(program)
        text = "\n".join("".join(s[0] for s in line) for line in lines)
        assert text == str(program).strip("\n")
        whole = [
            (key, text[span.start : span.end])
            for s in parse(text, "scop").statements
            for key, span in [
                (statement_id(s.name), s.span),
                (write_id(s.name), s.write.span),
                *((read_id(s.name, k), r.span) for k, r in enumerate(s.reads)),
            ]
            if s.name in program.by_name
        ]
        assert whole
        for key, part in whole:
            marked = "\n".join(
                "".join(s[0] for s in line if len(s) > 1 and key in s[1].split()) for line in lines
            )
            assert "".join(part.split()) in "".join(marked.split())  # S may be printed twice


CHAIN = "param N; assume N >= 4; input t0[N]; temp t1[N], t2[N], t3[N]; output t4[N];" + "".join(
    f"for i = 0 to N - 1 do t{k}[i] = t{k - 1}[i] * 2.0; done\n" for k in range(1, 5)
)
GUARDED = """
    param N, M; temp t[N];
    for i = 0 to N - 1 do t[i] = A[i]; done
    if M >= 3 then for i = 0 to N - 1 do B[i] = t[i]; done fi
    for i = 0 to 2 * N by 2 do C[i] = t[0]; D[i] = C[i]; done
"""
# What stands in the one nest is called otherwise because of the other one.
SQUARES = (
    "param N; input t0[N]; temp t1[N], t2[N], t3[N], t4[N], t5[N], t6[N]; output t7[N], e0[N];"
    "for i = 0 to N - 1 do e0[i] = 1; done\n"
) + "".join(
    f"for i = 0 to N - 1 do t{k}[i] = t{k - 1}[i] * t{k - 1}[i] + 1; done\n" for k in range(1, 8)
)


@pytest.mark.parametrize(
    "text", [CHAIN, GUARDED, SQUARES, "fig1", "fig5", "delicm_listing6", "covariance"]
)
@pytest.mark.long
def test_versions_of_a_program_have_the_lines_that_each_has_alone(text):
    scop = pn.parse(text) if ";" in text else pn.gallery.load(text)
    versions = VersionLines()
    for d in (pn.propagate(scop), pn.reorder(scop), pn.reorder(scop, tile=8), pn.scalarize(scop)):
        for program in (*d.stages, d.before, d.result):
            assert versions.lines(program) == program_lines(program)


def test_names_that_were_made_up_are_those_of_each_version():
    """A nest stays, and what had the name that its parts would have is gone."""
    whole = pn.propagate(pn.parse(SQUARES)).result
    nest = whole.schedule.children[-1]  # t7's
    left = replace(
        whole,
        statements=tuple(whole.by_name[name] for name in nest.domains),
        arrays={name: a for name, a in whole.arrays.items() if name != "e0"},
        schedule=replace(whole.schedule, children=(nest,)),
        program=None,
    )
    versions = VersionLines()
    for program in (whole, left):
        assert versions.lines(program) == program_lines(program)


def test_parts_of_one_statement_are_no_nests():
    text = "param N; assume N >= 2; for i = 0 to N do B[i] = A[i]; done "
    text += "for k = 0 to N do C[k] = B[k]; done"
    peeled = pn.transform(pn.parse(text), "peel first 1 of i").result
    assert Nests().scan(peeled) is None
    assert VersionLines().lines(peeled) == program_lines(peeled)


def test_what_stays_of_a_program_is_not_generated_again(monkeypatch):
    asked = []
    generate = isl_loops._generate
    monkeypatch.setattr(isl_loops, "_generate", lambda *x: (asked.append(1), generate(*x))[1])
    counts = []
    for n in (8, 16):
        loops = "".join(
            f"for i = 0 to N - 1 do t{k}[i] = t{k - 1}[i] * 2.0; done\n" for k in range(1, n + 1)
        )
        temporaries = ", ".join(f"t{k}" for k in range(1, n))
        d = pn.propagate(pn.parse(f"param N; assume N >= 4; temp {temporaries};{loops}"))
        asked.clear()
        d.to_html()
        counts.append(len(asked))
    assert counts[1] <= 2.2 * counts[0]  # a nest in each of n steps


def test_iterators_that_are_called_as_functions_are_renamed_in_the_whole():
    text = """#include <math.h>
    void f(int n, double A[n], double B[n], double C[n]) {{
      for (int exp = 0; exp < n; exp++) B[exp] = A[exp];
      for (int i = 0; i < n; i++) C[i] = {};
    }}"""
    plain, called = (pn.parse(text.format(value)) for value in ("B[i]", "exp(B[i])"))
    assert Nests().scan(plain) is not None
    assert Nests().scan(called) is None


def test_a_nest_under_a_condition_is_scanned_with_the_others():
    """isl puts one condition around several nests."""
    assert Nests().scan(pn.propagate(pn.parse(GUARDED)).result) is None
    assert Nests().scan(pn.propagate(pn.parse(CHAIN), keep="t2").result) is not None
