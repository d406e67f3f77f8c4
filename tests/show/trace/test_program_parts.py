"""The segments of a program's text, which is read part by part."""

import pytest

import polynb as pn
from polynb.scop.parsing import parse
from polynb.show.trace.program import program_lines, read_id, statement_id, write_id


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
