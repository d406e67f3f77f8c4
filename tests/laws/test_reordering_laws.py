"""Live-range reordering on random programs: whatever schedule comes out, the program must compute
the same, whichever way the loops of its permutable bands are ordered or tiled, and `check` must
call nothing legal that is not. POLYNB_LAWS is the number of programs (10 unless it is set)."""

import os
from itertools import permutations
from random import Random

import pytest
from random_scops import random_program
from reusing_scops import reusing_program
from shares import COUNTS

from polynb.errors import PolynbError
from polynb.isl import BudgetExhausted
from polynb.legality import check
from polynb.reordering import IslOptions, reorder
from polynb.run.oracle import equivalent
from polynb.schedules import interchange, tile
from polynb.schedules.bands import all_bands, with_schedule
from polynb.scop.parsing import parse
from polynb.scop.schedule import Band, transform

PROGRAMS = int(os.environ.get("POLYNB_LAWS", "10"))
OPTIONS = (
    {},
    {"preset": "gpu"},
    {"preset": "gpu", "privatize": False},
    {"preset": "none"},
    {"scheduler": "isl"},
    {"scheduler": "isl", "preset": "gpu"},
    {"scheduler": "isl", "options": IslOptions(whole_component=True)},
)

counted = COUNTS["reordering"]


def program(seed):
    """Mostly programs that reuse memory, and some of those that expression propagation is for."""
    return parse(random_program(seed) if seed % 5 == 4 else reusing_program(seed))


def values(scop):
    if "M" in scop.parameters:
        return {"N": [0, 1, 3], "M": [0, 2]}
    return {"N": [0, 1, 2, 4]}


def same(before, after, why):
    answer = equivalent(before, after, values(before))
    assert answer, f"{why}: {answer}\n{before}\n{after}"


@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_reordered_interchanged_and_tiled_programs_compute_the_same(seed):
    scop = program(seed)
    options = OPTIONS[seed % len(OPTIONS)] if seed % 2 else {}
    try:
        derivation = reorder(scop, **options)
    except BudgetExhausted:  # which says so, and changes nothing
        counted["given up"] += 1
        return
    except PolynbError as error:  # isl's scheduler is not always right, and then refused
        if options.get("scheduler") != "isl" or "illegal" not in error.message:
            raise
        counted["isl refused"] += 1
        return
    result = derivation.result
    counted["programs"] += 1
    counted["reordered"] += bool(derivation.steps[-1].verdict.ignored)
    same(scop, result, options)
    wide = [k for k, b in enumerate(all_bands(result.schedule)) if b.permutable and b.depth > 1]
    for k in wide:
        counted["wide bands"] += 1
        depth = all_bands(result.schedule)[k].depth
        for order in permutations(range(depth)):
            turned = interchange(result, order, band=k)
            assert check(scop, turned), f"{order} of band {k}\n{scop}\n{turned}"
            same(scop, turned, order)
    if wide:
        size = Random(seed).choice([2, 3])
        same(scop, tile(result, size, separate=seed % 3 == 0), f"tiles of {size}")


@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_what_check_calls_legal_computes_the_same(seed):
    """Any order: loops interchanged, reversed, shifted, statements in another order."""
    scop = program(seed)
    random = Random(seed)
    changed = with_schedule(scop, transform(scop.schedule, lambda t: disturbed(t, random)))
    verdict = check(scop, changed)
    answer = equivalent(scop, changed, values(scop))
    counted["changed"] += 1
    counted["called legal"] += bool(verdict)
    counted["caught"] += not verdict and not answer
    if verdict:
        assert answer, f"{verdict}\n{answer}\n{scop}\n{changed}"
    counted["called illegal in vain"] += not verdict and bool(answer)


def disturbed(tree, random):
    if not isinstance(tree, Band) or random.random() < 0.5:
        return tree
    name = random.choice(list(tree.members))
    m = tree.members[name]
    change = random.choice(["{ [t] -> [-t] }", "{ [t] -> [t + 1] }", "{ [t] -> [t - 1] }"])
    changed = m.apply_range(type(m)(change)) if tree.depth == 1 else m
    everywhere = random.random() < 0.5
    members = {
        n: (f.apply_range(type(m)(change)) if everywhere and tree.depth == 1 else f)
        for n, f in tree.members.items()
    } | {name: changed}
    return Band(members, tree.child, tree.permutable, tree.loops)
