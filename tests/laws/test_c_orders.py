"""Random loop nests against gcc: what `pn.optimise` makes of them for small and for large sizes,
and every order that it looks at, compute the bits that gcc's program of the text computes, some of
them on two threads.

POLYNB_C_NESTS is the number of programs (1 unless it is set),
POLYNB_C_FIRST the first seed. A difference is said with the seed, the variant, and a program as
small as is found.
"""

import os
import shutil

import pytest
from c_nests import nest_program
from c_variants import Outcome, Plan, check, sanitized, shrunk
from c_ways import every_order
from shares import COUNTS

PROGRAMS = int(os.environ.get("POLYNB_C_NESTS", "1"))
FIRST = int(os.environ.get("POLYNB_C_FIRST", "4"))
BATCH = min(2, PROGRAMS)
SIZES = [
    {"n": n, "m": m, "steps": steps}
    for n, m, steps in ((0, 0, 1), (1, 3, 2), (2, 1, 1), (5, 7, 3), (13, 5, 2), (33, 13, 5))
]
PLAN = Plan(every_order, [*SIZES, {"n": 65, "m": 33, "steps": 2}])

counted = COUNTS["C orders"]

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")


def batch(first: int):
    return {seed: nest_program(seed) for seed in range(first, first + BATCH)}


@pytest.mark.long
@pytest.mark.parametrize("first", range(FIRST, FIRST + PROGRAMS, BATCH))
def test_every_order_computes_the_same_bits(first, tmp_path):
    programs, outcome = batch(first), Outcome()
    check(programs, tmp_path, outcome, plan=PLAN)
    counted["programs"] += BATCH
    counted["variants"] += outcome.ran
    counted["refused"] += len(outcome.refused)
    if outcome.differences:
        seed, name = outcome.differences[0].seed, outcome.differences[0].variant
        small = shrunk(seed, programs[seed], name, tmp_path / "shrunk", plan=PLAN)
        said = "\n".join(map(str, outcome.differences))
        pytest.fail(f"{said}\n\n{name} of seed {seed}, made small:\n{small.text()}")
    assert outcome.ran


@pytest.mark.skipif(PROGRAMS > 100, reason="asked of the few")
def test_the_programs_are_well_defined(tmp_path):
    assert sanitized(batch(FIRST), tmp_path, PLAN) == []
