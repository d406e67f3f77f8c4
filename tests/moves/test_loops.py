"""Loops by their names: which are meant, and what is said of those that there are not."""

from dataclasses import replace

import pytest
from making import moves

from polynb import gallery, isl
from polynb.errors import PolynbError
from polynb.moves import Interchange, Peel, Tile, Unroll, UnrollAndJam
from polynb.moves.fuse import fused
from polynb.moves.loops import all_singled
from polynb.run.oracle import equivalent
from polynb.schedules import tile
from polynb.schedules.bands import with_schedule
from polynb.schedules.permuting import permutable_bands
from polynb.scop.parsing import parse
from polynb.scop.schedule import Band, Leaf, Loop, Mark, Private, walk

TWO = """param N; output A[N+1][N+1], B[N+1];
for i=0 to N do for j=0 to N do S: A[i][j] = i; done done
for i=0 to N do T: B[i] = i; done"""


def names(scop):
    return [x.name for x in moves.named_loops(scop)]


def test_the_names_of_the_iterators():
    assert names(gallery.load("gemm")) == ["i", "j", "k"]
    assert names(parse(TWO)) == ["i", "j", "i"]


def test_tiles_have_names_of_their_own():
    tiled = tile(permutable_bands(gallery.load("jacobi_2d")), 4, band=0)
    assert "tt" in names(tiled) or "ii" in names(tiled) or "t_tile" in names(tiled)
    scop = parse(TWO.replace("S: A[i][j]", "S: A[i][j]"))
    assert names(moves.tile(scop, ("S.i", "j"), 4)) == ["ii", "jj", "i", "j", "i"]


@pytest.mark.parametrize("few", ["N <= 50", "i <= 50"])
def test_what_are_tiles_of_all_that_there_is_have_their_names(few):
    scop = parse("param N; assume N <= 50; for i=0 to N do S: A[i] = i; done")
    more = few.replace("<=", ">")
    tiles = f"[N] -> {{ S[i] -> [4*floor(i/4), i] : {few}; S[i] -> [i, i] : {more} }}"
    band = Band({"S": isl.read_map(tiles)}, Leaf(), loops=(Loop(), Loop()))
    assert names(with_schedule(scop, band)) == ["ii", "i"]


def test_a_loop_over_what_one_around_it_takes_has_another_name():
    scop = parse("param N; for i=0 to N do S: A[i] = i; done")
    (band,) = (t for t in walk(scop.schedule) if isinstance(t, Band))
    assert names(with_schedule(scop, replace(band, child=replace(band)))) == ["i", "t0"]


def test_a_name_stays_with_its_loop():
    scop = moves.skew(parse(TWO), "j", "S.i")
    assert names(scop) == ["i", "j", "i"]
    assert names(moves.interchange(scop, "S.i", "j")) == ["j", "i", "i"]
    assert "for j = i to N+i do" in str(scop)


@pytest.mark.parametrize(
    ("move", "said", "hint"),
    [
        (lambda p: moves.reverse(p, "k"), "there is no loop 'k'", "`i` and `j`"),
        (lambda p: moves.reverse(p, "i"), "'i' is the name of 2 loops", "`S.i` or `T.i`"),
        (lambda p: moves.reverse(p, "T.j"), "there is no loop 'T.j' around T", "`i`"),
        (lambda p: moves.reverse(p, "X.j"), "there is no statement 'X'", "`S`, say"),
        (lambda p: moves.reverse(p, "i j"), "'i j' is no name of a loop", "`i`, `S.i` or `i:2`"),
        (lambda p: moves.reverse(p, "i:3"), "there is no loop 'i:3'", "`i` and `j`"),
        (lambda p: moves.interchange(p, "j", "T.i"), "'j' and 'T.i' are not in one nest", "fuse"),
        (lambda p: moves.interchange(p, "j", "j"), "'j' is there twice", "another loop"),
        (lambda p: moves.skew(p, "j", "T.i"), "are not in one nest", "fuse"),
        (lambda p: moves.shift(p, "T", (1, 1)), "'T' is in 1 loop, not 2", "`shift T by 1`"),
        (lambda p: moves.shift(p, "T", 1, along="j"), "there is no loop 'j' around T", "`i`"),
        (lambda p: moves.shift(p, "X", 1), "there is no statement 'X'", "`S`, say"),
        (lambda p: moves.tile(p, ("S.i", "j"), (4, 4, 4)), "3 sizes for 2 loops", "2 sizes"),
        (lambda p: Tile.of(by=4), "tile takes one loop or more", 'tile("i", "j", by=32)'),
        (lambda p: moves.tile(p, ("S.i", "j"), 1), "by must be at least 2", None),
        (lambda p: moves.distribute(p, "S.i"), "the loop 'i' has one part only", "several"),
        (lambda p: moves.distribute(p), "there is no loop with several parts", "another move"),
        (lambda p: moves.distribute(p, at="X"), "there is no statement 'X'", "`S`, say"),
        (lambda p: moves.unroll(p, "j"), "cannot be unrolled", "tile"),
        (lambda p: moves.unroll_and_jam(p, "j", 2), "'j' has no loop directly in it", "unroll j"),
        (lambda p: moves.peel(p, "j", first=99), "first must be at most 64", None),
        (lambda p: moves.fuse(p, "S", "S"), "in one loop already", "fuse S T"),
        (lambda p: moves.fuse(p, "S", "T", depth=2), "depth must be at most 1", None),
        (lambda p: moves.fuse(p, "S1", "T"), "there is no statement 'S1'", "`S`, say"),
        (lambda p: moves.fuse(p, "k", "T"), "there is no loop 'k'", "`i` and `j`"),
        (lambda p: moves.fuse(p, "j", "T.i"), "the loop 'j' follows no other loop", "fuse S T"),
        (lambda p: moves.expand(p, "q"), "there is no array 'q'", None),
        (lambda p: moves.expand(p, "A"), "'A' cannot be expanded", "`temp A;`"),
        (lambda p: moves.schedule(p, "{ S[i,j] -> [i,j] }"), "says nothing of T", "S, T"),
        (lambda p: moves.schedule(p, "{ S[i,j] -> [i]; T[i] -> [i] }"),
         r"gives S\(0, 0\) and S\(0, 1\) the same time", "one of the iterators"),
        (lambda p: moves.schedule(p, "{ S[i,j] -> [i,j]; T[i] -> [i,0] }"),
         r"gives S\(0, 0\) and T\(0\) the same time", "0 for S, 1 for T"),
        (lambda p: moves.schedule(p, "{ S[i,0] -> [i,0,0]; T[i] -> [i,0,1] }"),
         r"the schedule leaves out S\(0, 1\)", "every instance"),
    ],
)  # fmt: skip
def test_what_cannot_be_done(move, said, hint):
    with pytest.raises(PolynbError, match=said) as error:
        move(parse(TWO))
    assert hint is None or hint in error.value.hint


@pytest.mark.parametrize(("body", "runs"), [("", "S runs"), ("T: B[i] = 2;", "S and T run")])
def test_what_has_no_loop_to_be_jammed_says_what_runs_there(body, runs):
    scop = parse(f"param N; for i = 0 to N do S: A[i] = 1; {body} done")
    with pytest.raises(PolynbError, match="no loop directly in it") as error:
        moves.unroll_and_jam(scop, "i", 2)
    assert error.value.reason == f"{runs} there"


def test_tiles_of_loops_that_are_not_right_inside_one_another():
    gemm = gallery.load("gemm")
    with pytest.raises(PolynbError, match="'j' and 'k' make no tiles") as error:
        moves.tile(gemm, ("j", "k"), 4)
    assert error.value.reason == "scale is in 'j' beside 'k'"
    with pytest.raises(PolynbError, match="make no tiles") as error:
        moves.tile(moves.distribute(gemm, "i"), ("add.i", "k"), 4)
    assert error.value.reason == "the loop 'j' is between them"


def test_tiles_that_are_parts_of_tiles():
    tiled = moves.tile(gallery.load("gemm"), ("i", "j"), 8)
    with pytest.raises(PolynbError, match="'ii' cannot be cut into tiles of '12'") as error:
        moves.tile(tiled, ("ii",), 12)
    assert error.value.hint == "a multiple of 8: 32, say"


def test_skewing_by_a_loop_that_not_all_are_in():
    with pytest.raises(PolynbError, match="'j' cannot be skewed by 'k'") as error:
        moves.skew(gallery.load("gemm"), "j", "k")
    assert error.value.reason == "scale is not in 'k'"


def test_nests_with_something_between_them():
    text = TWO.replace("for i=0 to N do T", "for k=0 to N do R: C[k] = k; done for i=0 to N do T")
    with pytest.raises(PolynbError, match="'S' and 'T' are not side by side") as error:
        moves.fuse(parse(text), "S", "T")
    assert error.value.reason == "R is between them"
    assert error.value.hint == "`fuse S R` first"


@pytest.mark.parametrize("other", ["i", "j", "k"])
def test_a_loop_that_is_written_out_stays_where_it_is_short(other):
    scop = moves.unroll_and_jam(gallery.load("matmul_fig1"), "i", 4)
    if other != "j":  # `i` would be outside of `ii`
        with pytest.raises(PolynbError, match="'i' is written out, and would not be short") as e:
            moves.interchange(scop, "ii", other)
        assert e.value.hint == "this first, then `unroll i`"
    else:
        assert moves.interchange(scop, "ii", other).to_c()


def test_marks_between_loops_are_no_hindrance_to_fusion():
    scop = parse(TWO.replace("for i=0 to N do T", "for i=0 to N do for j=0 to N do T")
                 .replace("B[i] = i; done", "B[i] = j; done done"))  # fmt: skip
    parts = all_singled(scop).schedule.children
    x, y = (replace(f, child=Mark(Private(("t",)), f.child)) for f in parts)
    assert isinstance(fused(x, y, 1).child, Band)


def test_parts_of_a_statement_before_a_loop_stay_parts():
    text = "param N; assume N >= 5; output A[N+1][N+1];"
    scop = parse(f"{text} for i=0 to N do for j=0 to N do S: A[i][j] = f(i, j); done done")
    for move in (Peel("j"), Peel("j"), Interchange("i", "j")):
        scop = move.applied(scop)
    assert [x in str(scop) for x in ("A[i][0] =", "A[i][1] =", "A[i][2] =")] == [True, True, False]
    assert equivalent(scop, parse(str(scop)), N=[5, 6])


def test_the_first_iteration_is_that_of_all_statements():
    text = "param N; output A[N+1], B[N+1]; for i=0 to N do S: A[i] = f(i);"
    scop = parse(f"{text} if i >= 3 then T: B[i] = g(i); fi done")
    assert "A[0] = f(int64(0))" in str(Peel("i").applied(scop))


def test_what_is_written_out_already_says_so():
    scop = parse("output A[4][10]; for i=0 to 3 do for j=0 to 9 do S: A[i][j] = f(i, j); done done")
    with pytest.raises(PolynbError, match="the loop 'i' is written out already") as caught:
        UnrollAndJam("i", 2).applied(Unroll("i").applied(scop))
    assert caught.value.reason is None


def test_a_statement_says_which_loop_is_distributed():
    scop = parse(
        "param N; for i = 0 to N do S: A[i] = i; T: B[i] = i; done "
        "for j = 0 to N do U: C[j] = j; V: D[j] = j; done"
    )
    assert len(names(moves.distribute(scop, at="V"))) == 3
    assert names(moves.distribute(scop, at="V"))[0] == "i"
