"""Random C programs against gcc: what polynb makes of them, in many ways, computes the bits that
gcc's program of the text as it stands computes, with special values of floats too.

POLYNB_C_PROGRAMS is the number of programs (2 unless it is set; 300 make more than 2,000 variants),
POLYNB_C_FIRST the first seed. Each is parsed, propagated, reordered, and some of that printed and
parsed again (POLYNB_C_WAYS=remove_scalars: only
what has this in its name; POLYNB_C_WAYS=composed: all passes, in two orders, and most programs are
stencils, for which more of the passes apply). A difference is said with the seed, the variant, and
a program as small as is found.
"""

import os
import shutil
from pathlib import Path

import pytest
from c_stencils import stencil_program
from c_variants import WAYS, Outcome, check, sanitized, shrunk
from c_writer import random_c_program
from shares import COUNTS

PROGRAMS = int(os.environ.get("POLYNB_C_PROGRAMS", "2"))
FIRST = int(os.environ.get("POLYNB_C_FIRST", "4"))
BATCH = 2

counted = COUNTS["C programs"]

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")


def batch(first: int):
    return {seed: program(seed) for seed in range(first, first + BATCH)}


def program(seed: int):
    stencil = WAYS == "composed" and seed % 4
    return stencil_program(seed) if stencil else random_c_program(seed)


@pytest.mark.parametrize("first", range(FIRST, FIRST + PROGRAMS, BATCH))
@pytest.mark.long
def test_what_is_made_of_c_programs_computes_the_same_bits(first, tmp_path):
    programs = batch(first)
    outcome = Outcome()
    check(programs, tmp_path, outcome)
    counted["programs with scalars"] += outcome.scalars
    counted["variants"] += outcome.ran
    counted["refused"] += len(outcome.refused)
    assert not outcome.differences, explained(outcome.differences, programs, tmp_path)
    assert outcome.ran or len(outcome.refused) == len(programs), outcome.refused


def explained(differences, programs, folder: Path) -> str:
    """What differed, and for the first difference a small program."""
    first = differences[0]
    program = shrunk(first.seed, programs[first.seed], first.variant, folder / "shrunk")
    said = [*map(str, differences), "", f"{first.variant} of seed {first.seed}, made small:"]
    return "\n".join([*said, program.text()])


@pytest.mark.skipif(PROGRAMS > 100, reason="asked of the few")
def test_the_programs_are_well_defined(tmp_path):
    """By gcc's sanitizers: no overflow, nothing out of bounds."""
    assert sanitized(batch(FIRST), tmp_path) == []
