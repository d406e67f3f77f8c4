"""What a run shows of a program that all passes changed, in a random order, is what the text of its
C says, instance for instance, and as much as the model of the result says before it is printed.

One program by default; POLYNB_C_PROGRAMS is their number, POLYNB_C_FIRST the first seed."""

from __future__ import annotations

import os
from collections import Counter
from random import Random

import pytest
from c_composed import composed
from knowing import comparable, compared, of_text
from random_scops import random_program
from reusing_scops import reusing_program
from scalar_scops import scalar_program

import polynb as pn

PROGRAMS = int(os.environ.get("POLYNB_C_PROGRAMS", "1"))
FIRST = int(os.environ.get("POLYNB_C_FIRST", "1"))
GENERATORS = (random_program, reusing_program, scalar_program)


def cells(known, arrays):
    """How often which cell of these is read and written: the same whatever loops are called."""
    return Counter((how, a, cell) for _, _, how, a, cell in known.accesses if a in arrays)


@pytest.mark.parametrize("seed", range(FIRST, FIRST + PROGRAMS))
def test_a_run_of_what_the_passes_made_is_what_its_model_says(seed):
    name, way = composed(Random(seed))
    made = way(pn.parse(GENERATORS[seed % 3](seed)))
    printed = comparable(made)
    if printed is None:
        pytest.skip("what it does depends on data, or it calls what is not there")
    sizes = {p: 4 - k for k, p in enumerate(printed.parameters)}
    known, differences = compared(printed, sizes)
    said = f"{name}\n{made.to_c()}"
    assert not differences, said
    own = of_text(made, {p: 4 - k for k, p in enumerate(printed.parameters)})
    shared = {a for a, x in made.arrays.items() if x.dimensions and a in printed.arrays}
    assert cells(known, shared) == cells(own, shared), said
    assert sum(map(len, known.domains.values())) == sum(map(len, own.domains.values())), said
    assert len(known.flow) == len(own.flow), said
