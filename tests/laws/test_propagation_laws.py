"""Expression propagation on random programs: whatever it does, it must be right, and it must do
something. POLYNB_LAWS is the number of programs (12 unless it is set)."""

import os
from dataclasses import replace

import pytest
from random_scops import random_program
from shares import COUNTS

from polynb.codegen.scan import scan
from polynb.propagation import CodeComplexity, propagate
from polynb.run.oracle import equivalent
from polynb.scop.parsing import parse

PROGRAMS = int(os.environ.get("POLYNB_LAWS", "12"))
# Random programs can need far more of isl than written ones; beyond this an array is just kept.
OPERATIONS = 1_000_000
OPTIONS = (
    {},
    {"partial": True},
    {"live_out": True},
    {"partial": True, "live_out": True},
)


def backwards(dependences, candidates):
    return candidates[-1]


# One of these for each program.
MORE_OPTIONS = (
    {"order": "first_write", "cache_lines": None},
    {"order": backwards, "live_out": True},
    {"cache_lines": 2},
    {"cache_lines": 4, "partial": True},
    {"heuristics": ()},
    {"heuristics": (CodeComplexity(pieces=2, operations=8),), "live_out": True},
    {"recurrences": True},
    {"recurrences": "strips", "live_out": True},
)

counted = COUNTS["propagation"]


def values(scop):
    """Small and different values: empty loops, one iteration, the general case."""
    return {"N": [0, 1, 4], "M": [0, 2, 3]} if len(scop.parameters) > 1 else {"N": [0, 1, 2, 5]}


def said(options):
    return str({k: getattr(v, "__name__", v) for k, v in options.items()})


def check(before, after, why, *texts):
    answer = equivalent(before, after, values(before))
    assert answer, "\n".join([why, str(answer), *map(str, texts)])


@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_propagation_keeps_what_a_program_computes(seed):
    text = random_program(seed)
    scop = parse(text, "scop")
    check(scop, replace(scop, program=None), "the model differs from the text", text)
    for k, options in enumerate((*OPTIONS, MORE_OPTIONS[seed % len(MORE_OPTIONS)])):
        result = propagate(scop, **options, max_operations=OPERATIONS).result
        check(scop, result, f"propagate(**{options})", text, result)
        if seed % len(OPTIONS) == k and scan(result).body:  # what never runs has no text
            again = parse(str(result), "scop")
            check(again, result, f"printing the result of propagate(**{options})", text, result)
        removed = set(scop.temporaries) - set(result.temporaries)
        counted[said(options)] += bool(removed)
    counted["programs"] += 1


@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_a_printed_program_parses_to_the_same_model(seed):
    scop = parse(random_program(seed), "scop")
    text = str(scop)
    again = parse(text, "scop")
    assert [s.name for s in again.statements] == [s.name for s in scop.statements], text
    assert again.context.is_equal(scop.context), text
    assert again.requires.is_equal(scop.requires), text
    for a, b in zip(scop.statements, again.statements, strict=True):
        assert a.domain.is_equal(b.domain), text
        assert a.schedule.is_equal(b.schedule), text
        assert a.write.relation.is_equal(b.write.relation), text
        assert len(a.reads) == len(b.reads), text
        for x, y in zip(a.reads, b.reads, strict=True):
            assert x.relation.is_equal(y.relation), text
    for name, array in scop.arrays.items():
        other = again.arrays[name]
        assert (other.role, other.type) == (array.role, array.type), text
