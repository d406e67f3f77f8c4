"""`pn.reorder`: presets, options, constraints of one's own, what it says and what it refuses."""

import os
import pickle

import pytest
from hard_programs import FORGOTTEN

from polynb import gallery, isl
from polynb.dependences import live_ranges
from polynb.errors import PolynbError
from polynb.legality import check
from polynb.legality.order import new_times
from polynb.reordering import Constraint, IslOptions, SearchBudget, build, cpu, reorder
from polynb.reordering.algorithm import budgeted
from polynb.reordering.integer_program import Counter
from polynb.reordering.limit_steps import OrderKept, Repaired
from polynb.reordering.steps import (
    BandBuilt,
    BandReset,
    ConstraintsCarried,
    Enforced,
    MadeLocal,
    MemberFound,
    TooHard,
)
from polynb.run import equivalent
from polynb.schedules import interchange
from polynb.schedules.bands import all_bands
from polynb.scop import parse

from .conftest import bands, sizes

# (Pipelines of many statements are executed symbolically elsewhere, and take long.)
MANY = ("sat", "camera_pipe", "pyramid_blending", "interpolate", "local_laplacian")
PROGRAMS = [n for n in gallery.names() if n not in MANY
            and ("benchmark" not in gallery.entry(n).source or n == "stap")]  # fmt: skip
LARGE = os.environ.get("POLYNB_LARGE")
LONG = ("stap", "pencil_convolution", "pencil_gaussian", "pencil_resize")
ASKED = PROGRAMS if LARGE else [n for n in PROGRAMS if n not in LONG][::2]
CHOSEN = [(n, "polynb") for n in ASKED] + [(n, "isl") for n in (ASKED if LARGE else ASKED[::3])]


@pytest.mark.long
@pytest.mark.parametrize(("name", "scheduler"), CHOSEN)
def test_gallery_programs_compute_the_same(name, scheduler):
    """Reordered, in every order of the loops of wide bands, and tiled: of each second program by
    our scheduler, and of each sixth by isl's (by both of all, LONG ones among them, with
    POLYNB_LARGE)."""
    scop = gallery.load(name)
    result = reorder(scop, scheduler=scheduler).result
    assert equivalent(scop, result)
    for k, band in enumerate(all_bands(result.schedule)):
        if band.permutable and band.depth > 1:
            turned = interchange(result, tuple(reversed(range(band.depth))), band=k)
            assert check(scop, turned)
            assert equivalent(scop, turned)
    if name != "stap" and any(b.depth > 1 for b in bands(result.schedule)):
        assert equivalent(scop, reorder(scop, scheduler=scheduler, tile=3).result)


@pytest.mark.long
def test_both_schedulers_find_the_same_bands():
    """With isl scheduling whole components, as ours does first; which member of a band is which may
    differ."""
    options = IslOptions(whole_component=True)
    for name in ("lrr_listing1", "lrr_listing1_live", "lrr_listing3", "gemm", "trmm", "lu", "gemm",
                 "jacobi_1d", "jacobi_2d", "seidel_2d", "cholesky", "taco13_fig7"):  # fmt: skip
        scop = gallery.load(name)
        mine = reorder(scop).result.schedule
        theirs = reorder(scop, scheduler="isl", options=options).result.schedule
        assert [(n, sum(c)) for n, c in sizes(mine)] == [(n, sum(c)) for n, c in sizes(theirs)], (
            name
        )


def test_presets_differ(listing1):
    fused = reorder(listing1)
    literal = reorder(listing1, preset="gpu")
    serial = reorder(gallery.load("lrr_listing1_scalar"), preset="none")
    assert sizes(fused.result.schedule) == [(2, (True, True))]
    assert sizes(literal.result.schedule) == [(2, (True, False))]
    assert not any(b.permutable for b in bands(serial.result.schedule))


def test_privatized_scalars_are_no_obstacle_to_coincidence():
    scop = gallery.load("lrr_listing1_scalar")
    private = reorder(scop, preset="gpu").result
    shared = reorder(scop, preset="gpu", privatize=False).result
    assert sizes(private.schedule) == [(2, (True, True))]
    assert sizes(shared.schedule)[0][1] != (True, True)
    assert "parallel" in _loops(private)
    assert "parallel" not in _loops(shared)


def _loops(scop):
    from polynb.dependences import analyze
    from polynb.schedules.parallel import choose_loops

    marked = choose_loops(scop, analyze(scop), choice="outermost")[0]
    return [loop for b in all_bands(marked.schedule) for loop in b.kinds]


def test_a_reset_is_told(scheduler):
    steps = reorder(gallery.load("taco13_fig12")).steps
    assert any(isinstance(s, BandReset) for s in steps)
    (apart,) = {
        s.apart["source"].statement for s in steps if isinstance(s, MadeLocal) and s.apart
    } - {"S2"}
    assert apart == "S1"


def test_live_ranges_from_one_group_of_statements_to_another_stay_in_force():
    """S1 must not come between S2 and what reads S2's value in a later loop, in no order of the
    loops of the first group. (A random program found this.)"""
    scop = parse(
        """param N;  assume N >= 1;  temp t;
        for j = 1 to N do
          t = 2 - A[j]; // S0
          for k = 2 to N do if j != N then t = A[k]; /* S1 */ fi done
        done
        t = t + A[0]; // S2
        for i = 2 to N do B[i] = f(t); /* S3 */ done"""
        .replace("/* S1 */", "// S1\n").replace("/* S3 */", "// S3\n")
    )  # fmt: skip
    derivation = reorder(scop)
    assert any(isinstance(s, Enforced) for s in derivation.steps)
    for k, band in enumerate(all_bands(derivation.result.schedule)):
        if band.permutable and band.depth == 2:
            assert check(scop, interchange(derivation, (1, 0), band=k))


def test_isl_forgets_them_and_is_repaired():
    """isl 0.27 splits S0 off and lets other writes come between it and what reads its value."""
    scop = parse(FORGOTTEN)
    options = IslOptions(whole_component=True)
    repaired = reorder(scop, scheduler="isl", options=options)
    said = [s for s in repaired.steps if isinstance(s, Repaired)]
    assert said
    assert "would overwrite s between" in str(said[0])
    assert all(c.why.endswith("through s") for s in said for c in s.added)
    assert repaired.steps[-1].verdict
    assert all_bands(repaired.result.schedule) != all_bands(scop.schedule)
    assert not any(isinstance(s, OrderKept) for s in repaired.steps)
    assert equivalent(repaired)
    assert equivalent(scop, reorder(scop).result)


def test_a_cycle_is_carried_in_part():
    """Aligned by cells of t, S1 and S2 depend on each other; i carries all but the pairs of one i.
    (A random program found this.)"""
    scop = parse(
        """param N;  assume N >= 0;  temp t[2*N + 2];  output Y[2*N + 2];
        for i = 0 to N-1 do
          for j = 0 to N-1 do
            Y[i] = t[j+1] + B[j]; // S1
            t[i] = A[i][j]; // S2
          done
        done"""
    )
    derivation = reorder(scop)
    assert any(isinstance(s, ConstraintsCarried) for s in derivation.steps)
    assert equivalent(derivation)


# -- constraints of one's own ----------------------------------------------------------------


def test_constraints_that_leave_something_out_are_caught(listing1):
    """Without the validity of the flow through C, S4 may run before S2."""
    wanted = cpu(live_ranges(listing1)).without("validity", "proximity", "condition")
    swapped = wanted.also(
        Constraint("validity", "S4", "S2", isl.read_map("[n] -> { S4[i,j] -> S2[j,i] }"))
    )
    with pytest.raises(PolynbError, match="illegal") as caught:
        reorder(listing1, constraints=swapped)
    assert "leave out" in caught.value.reason


@pytest.mark.parametrize("how", [{"interchange": [1, 0]}, {"tile": 2}])
def test_what_is_interchanged_or_tiled_is_proven_once_more(how):
    """The order found respects a flow dependence that the constraints leave out; its tiles not."""
    scop = parse("""param N; assume N >= 1; inout A[N+1][N+1];
    for i = 1 to N do for j = 0 to N-1 do A[i][j] = A[i-1][j+1] + 1; done done""")
    kinds = ("validity", "proximity", "condition", "conditioned_validity")
    wanted = cpu(live_ranges(scop)).without(*kinds)
    assert check(scop, reorder(scop, constraints=wanted).result)
    with pytest.raises(PolynbError, match="interchanged or tiled, the schedule found is illegal"):
        reorder(scop, constraints=wanted, **how)


def test_what_isl_says_is_permutable_is_proven_where_it_is_tiled():
    """isl forgets that live ranges go on behind a band, whose loops it takes for permutable."""
    scop = parse("""param N, M; assume N >= 0 and M >= 0; temp A;
    for i = 0 to N do for j = 0 to M do A[i+j] = in[i][j]; done done
    for k = 0 to N+M do out[k] = A[k]; done""")
    options = IslOptions(serialize_sccs=True)
    assert check(scop, reorder(scop, scheduler="isl", options=options).result)
    with pytest.raises(PolynbError, match=r"illegal.*would overwrite A between") as caught:
        reorder(scop, scheduler="isl", options=options, tile=2)
    assert "permutable" in caught.value.reason
    assert check(scop, reorder(scop, tile=2).result)


def test_tags_are_of_conditions(listing1):
    plain = isl.read_map("[n] -> { S2[i,j] -> S3[i,j] }")
    tagged = isl.read_map("[n] -> { [S2[i,j] -> a[]] -> [S3[i,j] -> b[]] }")
    mine = [Constraint(k, "S2", "S3", plain, tagged) for k in ("validity", "condition")]
    wanted = cpu(live_ranges(listing1)).without("validity", "condition").also(*mine)
    assert wanted.union("validity").is_equal(plain.to_union_map())
    assert wanted.union("condition").is_equal(tagged.to_union_map())


def test_constraints_for_another_program(listing1, listing3):
    with pytest.raises(PolynbError, match=r"leave out statement S5|other instances of S1"):
        reorder(listing3, constraints=cpu(live_ranges(listing1)))


def test_more_constraints(listing1):
    """The second nest after the first, though nothing needs it: no fusion."""
    after = isl.read_map("[n] -> { S2[i,j] -> S3[k,l] : 0 <= i,j,k,l < n }")
    wanted = cpu(live_ranges(listing1)).also(Constraint("validity", "S2", "S3", after, None, "me"))
    derivation = reorder(listing1, constraints=wanted)
    when = new_times(listing1, derivation.result)
    assert when["S2"].lex_ge_map(when["S3"]).intersect(after).is_empty()
    assert equivalent(derivation)


# -- refusals --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"preset": "fpga"}, "no preset 'fpga'"),
        ({"scheduler": "pluto"}, "no scheduler 'pluto'"),
        ({"options": IslOptions()}, "`options` are isl's"),
        ({"privatize": ["C"]}, "C cannot be private"),
        ({"tile": 0}, "tile must be at least 1, not 0"),
    ],
)
def test_what_cannot_be_is_said(listing1, options, said):
    with pytest.raises(PolynbError, match=said):
        reorder(listing1, **options)


def test_a_spent_budget_changes_nothing_and_says_so(listing1):
    derivation = reorder(listing1, max_operations=300)
    assert derivation.result is listing1
    assert "reorder used up its operation budget" in str(derivation.steps[-1])
    assert "used up" in derivation._repr_mimebundle_()["text/html"]


def test_a_spent_budget_names_what_it_was_spent_on(listing3):
    constraints = cpu(live_ranges(listing3))
    said = set()
    for operations in (100, 1_000, 3_000):
        effort = SearchBudget(Counter(1000))
        with pytest.raises(PolynbError, match="used up its operation budget at") as caught:
            list(budgeted(build(constraints, effort=effort), operations, effort))
        said.add(caught.value.message.split(" at ")[1])
    assert any(m.startswith("the validity S2 -> ") for m in said)
    assert any(m.startswith("the condition S4 -> ") for m in said)


def test_a_member_that_takes_too_long_splits_the_statements(listing3):
    derivation = reorder(listing3)
    assert not any(isinstance(s, TooHard) for s in derivation.steps)
    effort = SearchBudget(Counter(1000), operations=800)
    steps = list(build(cpu(live_ranges(listing3)), effort=effort))
    assert any(isinstance(s, TooHard) for s in steps)


def test_steps_pickle_and_speak(listing1):
    derivation = reorder(listing1)
    steps = pickle.loads(pickle.dumps(derivation.steps))
    assert [str(s) for s in steps] == [str(s) for s in derivation.steps]
    members = [s for s in steps if isinstance(s, MemberFound)]
    assert [m.number for m in members] == [0, 1]
    assert all(r.because for m in members for r in m.rows)
    assert "S1" in derivation.why("S1")
    assert isinstance(steps[-2], BandBuilt) or steps[-1].verdict
