"""On random programs: what relations say and what nodes say is the same after every pass.
POLYNB_LAWS is the number of programs (12 unless it is set)."""

import os

import pytest
from random_scops import random_program

import polynb as pn
from polynb.recurrences.carry import carry_recurrences, with_recurrences
from polynb.rewriting.remainders import plain_remainders
from polynb.schedules import contract
from polynb.scop.access import inconsistency

PROGRAMS = int(os.environ.get("POLYNB_LAWS", "12"))


@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_one_access_is_one_truth(seed):
    scop = pn.parse(random_program(seed))
    propagated = pn.propagate(scop, partial=True).result
    made = (
        scop,
        propagated,
        plain_remainders(propagated),
        contract(propagated),
        with_recurrences(propagated),
        carry_recurrences(propagated, form="strips", strip=4).result,
        pn.reorder(scop).result,
    )
    for program in made:
        assert inconsistency(program) is None
