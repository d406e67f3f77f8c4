"""Operand tree forwarding, then simplify, on random programs with scalars: whatever they do, it
must be right, on symbolic values and in compiled C, bit for bit; and they must do something.
POLYNB_LAWS is the number of programs (16 unless it is set)."""

import os
import re

import pytest
from random_scops import random_program
from reusing_scops import reusing_program
from shares import COUNTS

import polynb as pn
from polynb.codegen.scan import scan
from polynb.delicm.forwarding_steps import Forwarded
from polynb.run.oracle import equivalent
from polynb.scop.access import inconsistency

PROGRAMS = int(os.environ.get("POLYNB_LAWS", "16"))
FIRST = int(os.environ.get("POLYNB_LAWS_FIRST", "0"))
EXECUTED = 4  # every so many programs are compiled
counted = COUNTS["forwarding"]


DEFINITIONS = {"f": "define f(x) = x * 1.25 - 1;", "g": "define g(x, y) = 3*x + y;"}


def with_definitions(text):
    """A program whose functions can be compiled."""
    head, rest = text.split(";", 1)
    used = sorted(set(re.findall(r"\b([fg])\(", rest)))
    return f"{head}; {' '.join(DEFINITIONS[f] for f in used)}{rest}"


def small(scop):
    return dict.fromkeys(scop.parameters, (0, 1, 2, 4) if len(scop.parameters) == 1 else (0, 2, 3))


@pytest.mark.parametrize("seed", range(FIRST, FIRST + PROGRAMS))
def test_forwarding_and_simplifying_keep_what_a_program_computes(seed):
    text = with_definitions(random_program(seed)) if seed % 3 == 0 else reusing_program(seed)
    scop = pn.parse(text, "scop")
    forwarded = pn.forward_operands(scop, prefer=("reload", "copy")[seed % 2])
    simple = pn.simplify(forwarded)
    alone = pn.simplify(scop)
    for d in (forwarded, simple, alone):
        said = "\n".join(map(str, (text, *d.steps, d.result if d.result.statements else "")))
        assert inconsistency(d.result) is None, said
        assert "its analysis failed" not in said
        answer = equivalent(scop, d.result, small(scop))
        assert answer, f"{d.name}: {answer}\n{said}"
    if scan(simple.result).body:
        again = pn.parse(str(simple.result), "scop")
        assert equivalent(simple.result, again, small(scop))
        if seed % EXECUTED == 0:
            run_both(scop, simple.result)
    counted["programs"] += 1
    counted["forwarded"] += any(isinstance(s, Forwarded) for s in forwarded.steps)
    counted["simplified"] += simple.result is not forwarded.result


def run_both(scop, result):
    """The same bits in every live-out array: `measure` compares them first."""
    pn.measure([scop, result], dict.fromkeys(scop.parameters, 7), rounds=1)
    counted["compiled"] += 1
