"""Tiled bands: the paper's Listing 2, full tiles on their own, how the loops run, refusals."""

import pickle
import re

import numpy as np
import pytest

import polynb as pn
from polynb import gallery, isl
from polynb.codegen.scan import scan
from polynb.errors import PolynbError
from polynb.legality.private import marked_private
from polynb.run.oracle import equivalent
from polynb.schedules import interchange, permutable_bands, privatize, tile
from polynb.scop.parsing import parse
from polynb.scop.schedule import Band, FullTiles, Mark, walk
from polynb.scop.schedule_isl import from_isl, to_isl
from polynb.source.scoplang.printer import print_program
from polynb.source.tree import For

LISTING2 = """
for (c0=0; c0<n; c0+=32)
for (c1=0; c1<n; c1+=32)
for (c2=0; c2<=min(31,n-c0-1); c2+=1)
for (c3=0; c3<=min(31,n-c1-1); c3+=1) {
    t[c0+c1+c2+c3]=A[c1+c3][c0+c2];
    C[c1+c3][c0+c2]=t[c0+c1+c2+c3];
    t[c0+c1+c2+c3]=B[c0+c2][c1+c3];
    C[c1+c3][c0+c2]+=t[c0+c1+c2+c3];
}
"""

TRIANGLE = """param N; assume N >= 0; inout double A[N+1][N+1];
for i = 0 to N do for j = 0 to i do A[i][j] = A[i][j] * 2.0; done done
"""


def loops(body):
    """The loops of a nest, outermost first."""
    found = []
    while len(body) == 1 and isinstance(body[0], For):
        found.append(body[0])
        body = body[0].body
    return found, body


def test_listing_2(programs):
    """The loops of the paper's Listing 2, and the order of its accesses."""
    scop = programs.listing1()
    tiled = tile(scop, 32, shift=True)
    lines = [line.strip() for line in str(tiled).splitlines()]
    renamed = {"jj": "c0", "ii": "c1", "t0": "c2", "t1": "c3"}
    found = [re.sub(r"\b(jj|ii|t0|t1)\b", lambda m: renamed[m[0]], x) for x in lines]
    ours = [x for x in found if x.startswith("for")]
    assert ours == [
        "for c0 = 0 to n-1 by 32 do",
        "for c1 = 0 to n-1 by 32 do",
        "for c2 = 0 to min(31,n-c0-1) do",
        "for c3 = 0 to min(31,n-c1-1) do",
    ]
    paper = re.findall(r"for \((c\d)=0; \1<=?(.*); \1\+=(\d+)\)", LISTING2)
    assert [(f"c{k}", upper, step) for k, (_, upper, step) in enumerate(paper)] == [
        ("c0", "n", "32"),
        ("c1", "n", "32"),
        ("c2", "min(31,n-c0-1)", "1"),
        ("c3", "min(31,n-c1-1)", "1"),
    ]
    accesses = [cells(x) for x in found if "=" in x and x.endswith(tuple("1234"))]
    theirs = [cells(x.replace("C[c1+c3][c0+c2]+=", "C[c1+c3][c0+c2]=C[c1+c3][c0+c2]+"))
              for x in LISTING2.splitlines() if x.startswith("    ")]  # fmt: skip
    assert accesses == theirs
    assert equivalent(parse(str(scop)), tiled, n=[1, 2, 33, 40])


def cells(line):
    """The accesses of a line, left to right, the terms of each subscript sorted."""
    found = re.findall(r"([tABC])((?:\[[^]]*\])+)", line)
    return [
        (a, [sorted(x.replace(" ", "").split("+")) for x in re.findall(r"\[([^]]*)\]", s)])
        for a, s in found
    ]


def test_bands_of_a_tiled_band(programs):
    scop = programs.gemm()
    tiled = tile(scop, (4, 5, 6))
    tiles, points = (t for t in walk(tiled.schedule) if isinstance(t, Band))
    (before,) = (t for t in walk(scop.schedule) if isinstance(t, Band))
    assert tiles.permutable
    assert points.permutable
    assert tiles.coincident == points.coincident == (True, True, False)
    expected = isl.Map("{ add[i, j, k] -> [4*floor(i/4), 5*floor(j/5), 6*floor(k/6)] }")
    assert tiles.members["add"].is_equal(expected)
    assert points.members["add"].is_equal(before.members["add"])
    shifted = tile(scop, (4, 5, 6), shift=True).schedule.child
    assert shifted.members["add"].is_equal(isl.Map("{ add[i,j,k] -> [i mod 4, j mod 5, k mod 6] }"))


@pytest.mark.parametrize(
    ("sizes", "separate", "shift"),
    [
        (1, False, False),
        (2, False, True),
        (3, True, False),
        (7, True, True),
        (50, False, True),
        ((1, 3, 4), False, False),
        ((1, 3, 4), True, True),
        ((5, 1, 2), True, False),
    ],
)
@pytest.mark.long
def test_an_imperfect_nest_computes_the_same(programs, sizes, separate, shift):
    scop = programs.gemm()
    tiled = tile(scop, sizes, separate=separate, shift=shift)
    values = {"ni": [1, 7], "nj": [3], "nk": [0, 5]}
    assert equivalent(gallery.load("gemm"), tiled, values)
    assert equivalent(scop, parse(str(tiled)), {**values, "nj": [3, 8]})
    scanned = parse(print_program(scan(tiled, vectors=True)))
    assert equivalent(scop, scanned, values)


def test_tile_loops_are_named_after_the_loops_over_their_points(programs):
    found, _ = loops(scan(tile(programs.listing1(), 8)).body)
    assert [x.iterator for x in found] == ["jj", "ii", "j", "i"]
    twice = tile(tile(programs.listing1(), 8), 64)
    found, _ = loops(scan(twice).body)
    assert [x.iterator for x in found] == ["jj", "ii", "jjj", "iii", "j", "i"]
    assert [x.step for x in found] == [64, 64, 8, 8, 1, 1]


def test_names_that_something_else_has_are_left_to_it():
    text = """param N, ii; output double A[N+1], row_tile[N+1];
    for i = 0 to N do A[i] = 0; done
    for row = 0 to N do row_tile[row] = 0; done
    """
    scop = tile(tile(parse(text), 4, band=0), 4, band=2)
    assert [x.iterator for x in scan(scop).body] == ["iii", "row_tile2"]


def test_a_loop_that_counts_down_is_tiled_from_above():
    text = "param N; output double A[N+1]; for i = N to 0 by -1 do A[i] = i; done"
    scop = tile(parse(text), 4, band=0)
    found, _ = loops(scan(scop).body)
    assert [(x.iterator, x.step) for x in found] == [("ii", -4), ("i", -1)]
    assert equivalent(parse(text), parse(str(scop)), N=[0, 3, 4, 9])


def test_tiles_of_one_point_are_its_loops(programs):
    found, _ = loops(scan(tile(programs.listing1(), 1)).body)
    assert [(x.iterator, x.step) for x in found] == [("j", 1), ("i", 1)]


# -- full tiles -------------------------------------------------------------------------------


def flat(scop):
    """A program's text on one line."""
    return " ".join(str(scop).split())


def test_full_tiles_have_loops_without_minima():
    scop = tile(permutable_bands(parse(TRIANGLE)), 8, separate=True)
    assert "for i = ii to ii+7 do for j = jj to jj+7 do" in flat(scop)
    assert marked_private(scop.schedule) == ()
    assert "for i = ii to ii+7" not in flat(tile(permutable_bands(parse(TRIANGLE)), 8))
    assert equivalent(parse(TRIANGLE), parse(str(scop)), N=[0, 6, 7, 8, 16, 25])


def test_full_tiles_of_shifted_loops_and_of_several_statements(programs):
    scop = tile(programs.gemm(), (4, 8, 16), separate=True, shift=True)
    assert "for t0 = 0 to 3 do for t1 = 0 to 7 do if kk == 0" in flat(scop)
    assert "for t2 = 0 to 15 do" in flat(scop)
    assert "for t0 = 0 to 3" not in flat(tile(programs.gemm(), (4, 8, 16), shift=True))


def test_strided_points_fill_a_tile():
    text = "param N; output double A[N+1][N+1];"
    text += "for i = 0 to N by 2 do for j = 0 to N do A[i][j] = 1; done done"
    scop = tile(permutable_bands(parse(text)), (8, 4), separate=True)
    assert "for i = ii to ii+7 by 2 do for j = jj to jj+3 do" in flat(scop)
    assert equivalent(parse(text), parse(str(scop)), N=[0, 3, 7, 8, 15, 22])


def test_strided_points_fill_a_strip():
    text = "param N; output double A[N+1]; for i = 0 to N by 2 do A[i] = 1; done"
    scop = tile(parse(text), 8, band=0, separate=True)
    assert "for i = ii to ii+7 by 2 do" in flat(scop)  # no minimum, though ii+6 is the last
    assert equivalent(parse(text), parse(str(scop)), N=[0, 3, 6, 7, 8, 15, 22])


def test_the_wish_for_full_tiles_survives_isl_and_pickling():
    scop = tile(permutable_bands(parse(TRIANGLE)), 8, separate=True)
    assert any(isinstance(t, Mark) for t in walk(scop.schedule))
    domains = {s.name: s.domain for s in scop.statements}
    again = from_isl(to_isl(scop.schedule, domains))
    assert again.what == scop.schedule.what == FullTiles((8, 8))
    assert "isolate" in str(to_isl(again, domains))
    assert str(pickle.loads(pickle.dumps(scop))) == str(scop)
    assert "isolate" not in str(to_isl(again.child, domains))


def test_full_tiles_inside_of_other_loops(programs):
    """isl's option then also has the loops around."""
    text = """param T, N; assume N >= 1; inout double A[N+1][N+1];
    for t = 0 to T do for i = t to N do for j = 0 to N do A[i][j] = A[i][j] + t; done done done"""
    members = ["{ S0[t, i, j] -> [i, j] }"]
    tree = programs.band(
        ["{ S0[t, i, j] -> [t] }"], programs.band(members, coincident=(True, True))
    )
    scop = tile(programs.with_schedule(parse(text), tree), (4, 8), separate=True)
    assert "for i = ii to ii+3 do for j = jj to jj+7 do" in flat(scop)
    assert equivalent(parse(text), parse(str(scop)), T=[0, 3, 9], N=[1, 8, 13])


# -- how the loops run ------------------------------------------------------------------------


def test_parallel_loops_are_over_tiles_if_they_are_coincident(programs):
    tree = programs.band(
        ["{ S[i, j, k] -> [i, j, k] }"],
        coincident=(True, False, True),
        kinds=("parallel", "parallel", "vector"),
    )
    scop = parse(
        """param N; output double A[N][N][N];
        for i = 0 to N-1 do for j = 0 to N-1 do for k = 0 to N-1 do
          A[i][j][k] = 0; // S
        done done done"""
    )
    tiles, points = (
        t for t in walk(tile(programs.with_schedule(scop, tree), 4).schedule) if isinstance(t, Band)
    )
    assert tiles.kinds == ("parallel", "sequential", "sequential")
    assert points.kinds == ("sequential", "parallel", "vector")


def test_loops_over_tiles_know_how_wide_they_are(programs):
    scop = tile(programs.gemm(), (4, 8, 16))
    twice = tile(scop, (8, 16, 32), band=0)
    found = [[x.width for x in t.loops] for t in walk(twice.schedule) if isinstance(t, Band)]
    assert found == [[8, 16, 32], [4, 8, 16], [1, 1, 1]]
    swapped = interchange(scop, (2, 0, 1), band=0).schedule
    assert [x.width for x in swapped.loops] == [16, 4, 8]


@pytest.mark.usefixtures("openmp")
def test_the_outermost_tile_loop_is_chosen_to_run_in_parallel(programs):
    tiled = tile(privatize(programs.listing1_scalar()), 8)
    chosen = [x for x in pn.compile(tiled, threads=2).loops if x.parallel]
    assert [(x.name, x.depth) for x in chosen] == [("jj", 0)]


@pytest.mark.usefixtures("openmp")
def test_tiles_are_counted():
    text = "param N; output double A[64], B[64]; for i = 0 to 63 do A[i] = 1; B[i] = 2; done"
    (outer, *_) = pn.compile(tile(parse(text), 16, band=0), threads=2).loops
    assert (outer.name, outer.trips) == ("ii", 4)


# -- kernels ----------------------------------------------------------------------------------


def same_bits(before, after, data, sizes, **options):
    first = pn.compile(before, threads=1)(data, **sizes)
    second = pn.compile(after, **options)(data, **sizes)
    return all(np.array_equal(first[name], second[name]) for name in first)


@pytest.mark.parametrize("options", [{}, {"shift": True}, {"separate": True}])
@pytest.mark.parametrize("order", ["i, j, k", "i, k, j"])
@pytest.mark.long
def test_a_tiled_matrix_product_has_the_same_bits(programs, order, options):
    sizes = {"ni": 37, "nj": 50, "nk": 41}
    random = np.random.default_rng(0)
    data = {
        "alpha": 1.5,
        "beta": 0.7,
        "A": random.random((37, 41)),
        "B": random.random((41, 50)),
        "C": random.random((37, 50)),
    }
    tiled = tile(programs.gemm(order), (8, 16, 5), **options)
    assert same_bits(gallery.load("gemm"), tiled, data, sizes, threads=2)


@pytest.mark.parametrize("options", [{}, {"shift": True}, {"separate": True}])
def test_a_tiled_triangular_product_has_the_same_bits(options):
    random = np.random.default_rng(1)
    data = {"alpha": 1.1, "A": random.random((45, 45)), "B": random.random((45, 29))}
    scop = gallery.load("trmm")
    tiled = tile(permutable_bands(scop), 8, **options)
    assert [len(t.coincident) for t in walk(tiled.schedule) if isinstance(t, Band)][:2] == [2, 2]
    assert same_bits(scop, tiled, data, {"m": 45, "n": 29}, threads=2)


# -- refusals ---------------------------------------------------------------------------------


def test_without_permutable_bands_nothing_is_tiled():
    with pytest.raises(PolynbError, match="no band has two or more permutable loops") as error:
        tile(parse(TRIANGLE))
    assert "band 0 (loop i of S0)" in error.value.reason
    assert "permutable_bands" in error.value.hint


def test_a_band_that_is_not_permutable_is_refused(programs):
    tree = programs.band(["{ S0[i, j] -> [i, j] }"], permutable=False)
    scop = programs.with_schedule(parse(TRIANGLE), tree)
    with pytest.raises(PolynbError, match=r"band 0 \(loops i, j of S0\) cannot be tiled") as error:
        tile(scop, band=0)
    assert "permutable" in error.value.reason
    assert "permutable_bands" in error.value.hint


@pytest.mark.parametrize("sizes", [0, -3, True, "8", 2.5, (4, 0)])
def test_sizes_are_whole_numbers_of_at_least_1(programs, sizes):
    with pytest.raises(PolynbError, match="at least 1, not"):
        tile(programs.listing1(), sizes)


@pytest.mark.parametrize("size", [4, 32, 48])
def test_tiles_of_tiles_hold_several_whole_ones_as_the_move_says(programs, size):
    tiled = tile(programs.listing1(), 32)
    with pytest.raises(PolynbError, match=f"cut into tiles of '{size}'") as library:
        tile(tiled, size)
    moved = pn.transform(programs.listing1(), "interchange j i")  # any move: names its loops
    with pytest.raises(PolynbError, match=f"cut into tiles of '{size}'") as move:
        moved.tile("i", "j", by=32).tile("ii", "jj", by=size)
    assert (library.value.reason, library.value.hint) == (move.value.reason, move.value.hint)
    assert library.value.reason == "it steps from tile to tile by 32"
    assert [x.width for x in tile(tiled, 4, band=1).schedule.child.loops] == [4, 4]


@pytest.mark.parametrize("sizes", [(), (4,), (4, 4, 4)])
def test_there_is_a_size_for_each_loop(programs, sizes):
    with pytest.raises(PolynbError, match=r"has 2 loops, not") as error:
        tile(programs.listing1(), sizes)
    assert "2 sizes, for the loops j, i" in error.value.hint


@pytest.mark.parametrize("number", [-1, 1, True, "0"])
def test_a_band_has_a_number(programs, number):
    with pytest.raises(PolynbError, match="there is no band") as error:
        tile(programs.listing1(), band=number)
    assert "band 0 (loops j, i of S1, S2, S3, S4)" in error.value.reason


@pytest.mark.long
def test_bands_whose_full_tiles_stand_alone_stay_as_they_are(programs):
    scop = tile(programs.listing1(), 8, separate=True)
    for number in (0, 1):
        with pytest.raises(PolynbError, match="cannot be tiled any more"):
            tile(scop, 4, band=number)
        with pytest.raises(PolynbError, match="cannot be interchanged any more"):
            interchange(scop, (1, 0), band=number)
    inner = tile(tile(programs.listing1(), 16), 4, band=1, separate=True)
    assert equivalent(programs.listing1(), parse(str(inner)), n=[1, 15, 16, 21])
