"""Random programs in random orders: `check`, and the sound Vio with the flow, say legal where every
execution that is enumerated reads and leaves the same values, and only there. POLYNB_LAWS is the
number of pairs (24 unless it is set)."""

import os
from random import Random

import pytest
from deep_scops import deep_program
from enumeration import TOO_MANY, by_levels, by_time, difference
from flows import assert_same_flow
from random_orders import random_kills, random_order, random_parallel, tree_order
from random_scops import random_program
from reusing_scops import reusing_program
from shares import COUNTS

from polynb import isl
from polynb.isl import BudgetExhausted
from polynb.legality import check
from polynb.legality.checking import keeps_values
from polynb.proofs import prove
from polynb.run.oracle import equivalent
from polynb.schedules.bands import with_schedule
from polynb.scop.access import inconsistency
from polynb.scop.parsing import parse
from polynb.violations import intervals, repairs, violated_ranges

PAIRS = int(os.environ.get("POLYNB_LAWS", "24"))
SIZES = (0, 1, 2, 3)
LARGEST = 9
counted = COUNTS["violations"]


def program(seed):
    kinds = (deep_program, reusing_program, deep_program, reusing_program, random_program)
    return parse(kinds[seed % 5](seed))


def sizes(scop, found):
    """(parameter values, whether a witness says that something is wrong at them)"""
    witnesses = [p.parameters for p in found.pairs if p.exact]
    told = [dict(w) for w in [*witnesses, *(w.parameters for w in found.flow)]]
    told = [w for w in told if all(v <= LARGEST for v in w.values())]
    told = sorted(told, key=lambda w: sum(w.values()))[:3]
    usual = [dict.fromkeys(scop.parameters, n) for n in SIZES]
    allowed = [v for v in usual if not isl.fix_parameters(scop.assumed, v).is_empty()]
    return [(v, v in told) for v in [*allowed, *(w for w in told if w not in allowed)]]


def judged(scop, found, kills, before):
    """Whether enumeration finds something wrong: None if data decides too much for it. Where a
    witness says so, it does."""
    answers = []
    for values, told in sizes(scop, found):
        answer = difference(scop, values, found.order.times, kills, before)
        answers.append(answer)
        if told and scop_is_affine(scop):
            assert answer, f"{values}: nothing is wrong\n{found}\n{found.flow}\n{scop}"
    return None if TOO_MANY in answers else any(answers)


def scop_is_affine(scop):
    return all(s.affine for s in scop.statements)


def compare(scop, found, kills, before, about):
    """The law; `about` is for the person who reads a failure."""
    answer = judged(scop, found, kills, before)
    counted["pairs"] += 1
    if answer is None:
        counted["undecided"] += 1
        return
    counted["legal" if found.legal else "illegal"] += 1
    if found.legal or scop_is_affine(scop):
        assert found.legal == (not answer), f"{found}\n{found.flow}\n{answer}\n{about}"
    elif not answer:
        counted["refused in vain"] += 1  # what data may decide, it does not decide so here


@pytest.mark.parametrize("seed", range(PAIRS))
def test_check_and_vio_agree_with_enumeration(seed):
    scop, random = program(seed), Random(seed)
    schedule, kills = random_order(scop, random), random_kills(scop, random)
    found = violated_ranges(scop, schedule, kills=kills)
    about = f"{scop}\n{schedule}\nkills {kills}"
    assert bool(check(scop, schedule, kills=kills)) == found.legal, f"{found}\n{about}"
    counted["of live ranges"] += not found.legal and not found.flow
    counted["with kills"] += kills is not None
    counted["three deep"] += any(len(s.iterators) > 2 for s in scop.statements)
    counted["where data decides"] += not scop_is_affine(scop)
    compare(scop, found, kills, by_time, about)


@pytest.mark.long
def test_a_short_answer_is_that_of_check():
    """`keeps_values`, of orders that are legal, of some although they turn false dependences
    around, of some that change the flow, and of some that lose a value only."""
    seen = set()
    for seed in range(2 * PAIRS):
        scop, random = program(seed), Random(seed)
        new = with_schedule(scop, tree_order(scop, random))
        verdict = check(scop, new)
        assert keeps_values(scop, new) == bool(verdict), f"{verdict}\n{scop}\n{new.schedule}"
        kinds = {c.kind for c in verdict.conflicts}
        seen.add((bool(verdict.ignored), bool(kinds), "flow" in kinds))
    assert seen == {(False, False, False), (True, False, False), (False, True, True),
                    (False, True, False)}  # fmt: skip


@pytest.mark.parametrize("seed", range(PAIRS // 3))
def test_parallel_loops_agree_with_enumeration(seed):
    scop, random = program(seed), Random(seed)
    tree = random_parallel(scop.schedule, random)
    found = violated_ranges(scop, tree, parallel=True)
    counted["parallel"] += 1
    before = by_levels(found.order.parallel)
    compare(scop, found, None, before, f"{scop}\n{tree}")


@pytest.mark.parametrize("seed", range(PAIRS // 3))
def test_repairs_are_legal_and_compute_the_same(seed):
    """An expansion is legal in the schedule that was not, never larger than the full one, and, as
    every repair is, proved."""
    scop, random = program(seed), Random(seed)
    try:
        found = repairs(scop, random_order(scop, random), candidates=12, distance=1)
    except BudgetExhausted:
        counted["repair given up"] += 1
        return
    counted["to repair"] += 1
    values = {p: [0, 1, 3] for p in scop.parameters}
    for r in found:
        made = r.apply()
        assert inconsistency(made) is None
        assert check(made, made), f"{r}\n{scop}\n{made}"
        answer = equivalent(scop, made, values)
        assert answer, f"{r}\n{answer}\n{scop}\n{made}"
        counted[f"repairs: {r.kind}"] += 1
        proof = prove(scop, made, seconds=10)
        in_time = "used up" not in proof.reason
        assert proof or not in_time, f"{r}\n{proof}\n{scop}\n{made}"
        counted["repairs"] += 1
        counted["repairs: proved"] += bool(proof)
        for e in r.expansions:
            for n in (1, 5):
                cells = [c.at(dict.fromkeys(scop.parameters, n)) for c in (e.cells, e.full)]
                assert cells[0] <= cells[1], f"{r}\n{scop}"
    counted["repairs: refused"] += bool(found.refused)


@pytest.mark.parametrize("seed", range(PAIRS // 3))
def test_the_printed_formula_differs_in_the_documented_ways_only(seed):
    """Where every instance has a time of its own, and of the ranges from writes to what was the
    last read: the same pairs (the printed one without those of a range with itself)."""
    scop, random = program(seed), Random(seed)
    tree = random_order(scop, random)
    if not scop_is_affine(scop):
        return
    sound, printed = violated_ranges(scop, tree), violated_ranges(scop, tree, "paper", True)
    if sound.flow:
        return
    counted["paper: orders"] += 1
    for array, known in intervals(scop).items():
        last = isl.union_set(x.relation.wrap() for x in known)
        ours = pairs_of(sound, array)
        ours = ours.union(ours.reverse()).intersect_domain(last).intersect_range(last)
        theirs = pairs_of(printed, array)
        assumed = scop.assumed
        counted["paper: pairs of ranges"] += not theirs.is_empty()
        same = ours.intersect_params(assumed).is_equal(theirs.intersect_params(assumed))
        assert same, f"{array}\n{ours}\n{theirs}\n{scop}\n{tree}"


def pairs_of(found, array):
    """`{ [W[i] -> R[j]] -> [X[k] -> T[l]] }` of an array, whatever the cell."""
    vio = found.vio.get(array)
    return isl.union_map(()) if vio is None else vio.range().unwrap()


@pytest.mark.parametrize("seed", range(PAIRS // 3))
def test_the_papers_dataflow_is_the_same(seed):
    scop, random = program(seed), Random(seed)
    assert_same_flow(scop, random_kills(scop, random))
