"""The scalars of LICM and PRE: the paper's listings from one another, and what is refused."""

import os
import pickle
import re
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from cases import beside
from numpy.testing import assert_array_equal
from references import reference

import polynb as pn
from polynb import gallery
from polynb.run.oracle import equivalent
from polynb.scalarizing.steps import (
    LoadCarried,
    LoadHoisted,
    NotScalarized,
    PartlyPromoted,
    RegisterPromoted,
)
from polynb.scop.build import build

CASES = beside(__file__)

TESTS = Path(__file__).parents[1]
sys.path.insert(0, str(TESTS / "laws"))
from random_scops import random_program  # noqa: E402
from reusing_scops import reusing_program  # noqa: E402

PROGRAMS = int(os.environ.get("POLYNB_LAWS", "4"))
KINDS = ("licm", "pre")


def plain(scop):
    """The text without labels."""
    return re.sub(r" // \w+$", "", str(scop), flags=re.M)


def scalar_dependences(scop):
    return sum(not scop.arrays[e.array].dimensions for e in pn.analyze(scop).edges)


# -- the listings --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("listing", "kind", "arrays", "assume"),
    [
        (2, "licm", "A", None),
        (2, "pre", "A", None),
        (3, "licm", "C", None),
        (4, "pre", "C", "K >= 1"),
    ],
)
def test_listing_1_becomes_the_other_listings(listing, kind, arrays, assume):
    """(Without K >= 1, Listing 4 is another program: it does not store where there is no k.)"""
    first, other = (gallery.load(f"delicm_listing{k}", assume=assume) for k in (1, listing))
    d = pn.scalarize(first, kind, arrays=arrays)
    assert plain(d.result) == plain(other)
    assert equivalent(d)


def test_where_the_loop_may_not_run_the_definition_of_listing_4_still_stores():
    d = pn.scalarize(gallery.load("delicm_listing1"), "pre", arrays="C")
    assert [s.write.array for s in d.result.statements] == ["c", "C", "c", "C"]
    assert equivalent(d)
    assert str(d.steps[0]) == (
        "C[i] is read from c in the loop over k, which T writes, and stored each time."
    )


def test_both_at_once_and_again():
    d = pn.scalarize(gallery.load("delicm_listing1"), "licm")
    assert [type(s) for s in d.steps] == [RegisterPromoted, LoadHoisted]
    again = pn.scalarize(d)
    assert again.result is d.result
    assert not again.steps
    assert d.why("c") == (
        "C[i] is kept in c during the loop over k, which T writes, and stored after it."
    )
    assert [str(s) for s in pickle.loads(pickle.dumps(d.steps))] == [str(s) for s in d.steps]


# -- the classic kernels -------------------------------------------------------------------

CLASSIC = [n for n in gallery.names() if gallery.entry(n).source == "classic kernel"]
# (hoisted, promoted) of "licm"; (hoisted, promoted, carried) of "pre", as their loops have them.
INTRODUCED = CASES["introduced"]


@pytest.mark.parametrize(
    ("name", "kind"),
    [  # one kind of each among the quick tests
        pytest.param(name, kind, marks=[pytest.mark.long] * ((n + k) % len(KINDS) > 0))
        for n, name in enumerate(CLASSIC)
        for k, kind in enumerate(KINDS)
    ],
)
def test_a_classic_kernel_computes_the_same_bits_with_scalars(name, kind):
    scop = gallery.load(name)
    d = pn.scalarize(scop, kind)
    found = Counter(type(s) for s in d.steps)
    counts = (found[LoadHoisted], found[RegisterPromoted] + found[PartlyPromoted])
    if kind == "pre":
        counts = (*counts, found[LoadCarried])
    assert counts == INTRODUCED[name][KINDS.index(kind)]
    more = scalar_dependences(d.result) - scalar_dependences(scop)
    assert (more > 0) == (sum(counts) > 0)
    sizes = {p: [0, 1, 4] if k < 2 else [0, 3] for k, p in enumerate(scop.parameters)}
    assert equivalent(d, parameters=sizes)
    kernel = reference(name)
    compiled = [(s, pn.compile(s)) for s in (scop, d.result)]
    for values in (kernel["SIZES"], dict.fromkeys(kernel["SIZES"], 1)):
        arguments = kernel["inputs"](np.random.default_rng(1), **values)
        before, after = (
            run({k: v for k, v in arguments.items() if s.arrays[k].live_in}, **values)
            for s, run in compiled
        )
        for array, value in before.items():
            assert_array_equal(value.view(np.uint8), after[array].view(np.uint8))


def test_a_stencil_passes_its_loads_on():
    """A phi: written before the loop and in each iteration, read once."""
    result = pn.scalarize(gallery.load("jacobi_1d", assume="n >= 3"), "pre").result
    first = result.by_name["there"]
    assert [r.array for r in first.reads] == ["a", "a_2", "a_3"]
    for array, writers in (("a", 2), ("a_2", 2), ("a_3", 1)):
        assert sum(s.write.array == array for s in result.statements) == writers
    assert sum(r.array == "a" for s in result.statements for r in s.reads) == 1


# -- single loops --------------------------------------------------------------------------


def scalarized(text, kind="licm", **options):
    d = pn.scalarize(pn.parse(text), kind, **options)
    assert equivalent(d)
    return d


def test_a_stored_value_is_passed_on():
    d = scalarized("param N; for i = 1 to N do S: A[i] = A[i-1] + B[i]; done", "pre")
    assert "a = a + B[i]; // S" in str(d.result)
    assert "a = A[0]; // load_a" in str(d.result)
    (step,) = d.steps
    assert (step.source, step.stored) == ("A[i]", True)


def test_a_loop_that_counts_down_begins_at_its_first_value():
    text = "param N; for i = N to 1 by -1 do S: A[i] = A[i+1] + B[i]; done"
    assert "a = A[N+1]; // load_a" in str(scalarized(text, "pre").result)


def test_strides_that_do_not_meet_pass_nothing_on():
    assert not scalarized("param N; for i = 1 to N by 2 do A[i] = A[i-1] + 1; done", "pre").steps
    (step,) = scalarized("param N; for i = 2 to N by 2 do A[i] = A[i-2] + 1; done", "pre").steps
    assert isinstance(step, LoadCarried)


def test_a_store_in_between_keeps_a_load():
    text = "param N; for i = 1 to N do S: B[i] = A[i+1]; T: A[i+1] = B[i-1]; U: C[i] = A[i]; done"
    d = scalarized(text, "pre")
    assert d.why("A") == (
        "A[i] is what the iteration of i before stored as A[i+1]: it is passed on in a where "
        "N >= 1."
    )
    text = "param N; for i = 1 to N do S: B[i] = A[i+1]; T: A[i] = 0; U: C[i] = A[i]; done"
    (kept,) = scalarized(text, "pre").steps
    assert "T writes A[i] between the iteration before and the load" in str(kept)
    assert kept.witness["other"].statement == "T"


def test_a_loop_that_may_not_run_is_guarded():
    """Nothing says how long A is: without an iteration, A[0] may not be there."""
    text = "param N, M; for i = 0 to N do for k = 1 to M do S: C[i] = C[i] + A[i] * B[k]; done done"
    for kind in KINDS:
        d = scalarized(text, kind)
        assert {s.condition for s in d.steps} == {"M >= 1"}
        assert "if M >= 1 then" in str(d.result)


def test_a_cell_that_only_some_iterations_come_to():
    text = """param N, M; for i = 0 to N do for k = 0 to M do
        if k >= i then S: C[i] = C[i] + B[k]; fi done done"""
    (step,) = scalarized(text, arrays="C").steps
    assert step.condition == "i <= M"


def test_another_access_that_may_be_to_the_cell_is_a_refusal_with_a_witness():
    text = "param N; for i = 0 to N do for k = 0 to N do S: A[i] = A[i] + A[k]; done done"
    (step,) = scalarized(text).steps
    assert isinstance(step, NotScalarized)
    assert str(step) == (
        "A[i] stays in memory in the loop over k: S reads A[k], which may be the same cell "
        "(S(0, 0) and S(0, 0), N = 0)."
    )
    apart = text.replace("for k = 0 to N", "for k = N + 1 to 2 * N + 1")
    (step,) = scalarized(apart).steps
    assert isinstance(step, RegisterPromoted)
    (step,) = scalarized(text, "pre").steps  # the stores stay: A[k] may be A[i]
    assert isinstance(step, PartlyPromoted)


def test_what_is_loaded_and_passed_on_is_not_the_scalar_of_the_store():
    """A[i-1] is stored one iteration before, and loaded, as A[i-2], one after."""
    scop = pn.parse("param N; inout A[N+1]; for i = 2 to N do A[i] = A[i-1] + 2.0 * A[i-2]; done")
    d = pn.scalarize(scop, "pre")
    assert sorted(s.cell for s in d.steps if isinstance(s, LoadCarried)) == ["A[i-1]", "A[i-2]"]
    assert equivalent(d, N=range(8))


def test_what_the_statement_that_loads_overwrites_is_not_passed_on():
    """For i = 3 the cell that is stored is A[i]."""
    scop = pn.parse(
        "param N; inout A[2*N+4]; for i = 2 to N do A[2*i-3] = A[i] + 2.0 * A[i-1]; done"
    )
    d = pn.scalarize(scop, "pre")
    assert not any(isinstance(s, LoadCarried) for s in d.steps)
    assert equivalent(d, N=range(8))


def test_what_data_decide_stays():
    text = "param N; for k = 0 to N do if B[k] > 0 then S: A[0] = A[0] + B[k]; fi done"
    for kind in KINDS:
        (step,) = scalarized(text, kind).steps
        assert isinstance(step, NotScalarized)
        assert "data decide" in str(step)
    assert not scalarized(
        "param N; for k = 0 to N do A[C[0]] = A[C[0]] + 1; done", arrays="A"
    ).steps


def test_a_cell_written_first_is_not_loaded():
    text = "param N; for i = 0 to N do for k = 0 to N do S: A[i] = B[k]; T: C[k] = A[i]; done done"
    (step,) = scalarized(text, arrays="A").steps
    assert not step.loaded
    text = "param N; for i = 0 to N do for k = 0 to N do T: C[k] = A[i]; S: A[i] = B[k]; done done"
    (step,) = scalarized(text, arrays="A").steps
    assert step.loaded


def test_loops_that_run_in_parallel_have_no_common_scalars():
    program = gallery.load("delicm_listing1").program
    (loop,) = program.body
    scop = build(replace(program, body=(replace(loop, kind="parallel"),)))
    d = pn.scalarize(scop)
    assert d.result is scop
    assert str(d.steps[0]) == (
        "C[i] stays in memory in the loop over i: the iterations of i may run at once."
    )


def test_types_are_those_of_the_cells():
    text = "param N; inout float A[1]; for k = 0 to N do S: A[0] = A[0] / 3.0 + 1; done"
    for kind in KINDS:
        d = scalarized(text, kind)
        assert str(d.result.arrays["a"].type) == "float"
        given = {"A": np.full(1, 0.1, np.float32)}
        before, after = (pn.compile(s)(given, N=9)["A"] for s in (d.before, d.result))
        assert_array_equal(before.view(np.uint8), after.view(np.uint8))


def test_copies_keep_every_bit():
    d = scalarized("param N; inout C[1]; for k = 1 to N do S: C[0] = C[0] * B[k]; done")
    for value in (-0.0, np.nan, -np.inf):
        for n in (0, 2):
            given = {"C": np.full(1, value), "B": np.ones(n + 1)}
            before, after = (pn.compile(s)(given, N=n)["C"] for s in (d.before, d.result))
            assert_array_equal(before.view(np.uint8), after.view(np.uint8))


def test_a_program_that_a_pass_made():
    scop = pn.propagate(gallery.load("fig4"), live_out=True).result
    assert scop.program is None
    for kind in KINDS:
        assert equivalent(pn.scalarize(scop, kind))
    listing = pn.reorder(gallery.load("delicm_listing1"))
    assert listing.result.program is None
    d = pn.scalarize(listing)
    assert {type(s) for s in d.steps} == {LoadHoisted, RegisterPromoted}
    assert equivalent(gallery.load("delicm_listing1"), d)


def test_wrong_arguments():
    scop = gallery.load("gemm")
    with pytest.raises(pn.PolynbError, match="kind"):
        pn.scalarize(scop, "gvn")
    with pytest.raises(pn.PolynbError, match="Z"):
        pn.scalarize(scop, arrays="Z")
    assert pn.scalarize(scop, arrays="A").result is scop


def test_of_a_program_without_statements_nothing_changes():
    nobody = pn.simplify(pn.parse("param N;  temp t;  for i = 0 to N do t[i] = 1; done")).result
    assert nobody.statements == ()
    for kind in KINDS:
        d = pn.scalarize(nobody, kind)
        assert d.result is nobody
        assert d.steps == ()


# -- random programs -----------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(PROGRAMS))
@pytest.mark.parametrize("generator", [random_program, reusing_program])
def test_random_programs_compute_the_same(generator, seed):
    scop = pn.parse(generator(seed), "scop")
    values = {"N": [0, 1, 2, 5]}
    if len(scop.parameters) > 1:
        values = {"N": [0, 1, 4], "M": [0, 2, 3]}
    for kind in KINDS:
        d = pn.scalarize(scop, kind)
        answer = equivalent(d, parameters=values)
        assert answer, f"{kind}\n{answer}\n{scop}\n{d.result}"
