"""What is offered at a place, and what a search tries."""

from __future__ import annotations

import pytest

from polynb.moves import (
    Fuse,
    Interchange,
    Parallel,
    Peel,
    Shift,
    Skew,
    Tile,
    UnrollAndJam,
    Vectorize,
    named_loops,
)
from polynb.moves.loops import nested, unique_name
from polynb.moves.move import Spot
from polynb.scop.parsing import parse

BESIDE = """param N; input A[N+1]; output B[N+1], C[N+1][N+1];
for i = 0 to N do S: B[i] = f(A[i]); for j = 0 to N do T: C[i][j] = A[j]; done done"""
APART = """param N; output A[N+1][N+1], B[N+1];
for i = 0 to N do for j = 0 to N do S: A[i][j] = i; done done
for i = 0 to N do T: B[i] = i; done"""


def loops(scop):
    every = named_loops(scop)
    return {unique_name(x, every): x for x in every}


def lines(move, name):
    scop = parse(BESIDE)
    known = loops(scop)
    return list(move.offered(Spot(scop, name, known.get(name), known)))


@pytest.mark.parametrize(
    ("name", "tiles", "shifts"),
    [
        ("i", [("i j", "tile i j by #")], [("S", "shift S.i by #"), ("T", "shift T.i by #")]),
        ("j", [], [("T", "shift T.j by #")]),
        ("S", [], [("along i", "shift S.i by #")]),
        ("T", [], [("along j", "shift T.j by #"), ("along i", "shift T.i by #")]),
    ],
)
def test_what_is_offered_at_loops_and_statements(name, tiles, shifts):
    assert lines(Tile, name) == tiles
    assert lines(Shift, name) == shifts


def test_only_loops_are_offered_to_change_places():
    for name, other in (("i", "j"), ("j", "i")):
        assert lines(Interchange, name) == [(f"with {other}", f"interchange {name} {other}")]
    assert not lines(Interchange, "T")


def test_of_a_program_with_a_parallel_loop_no_other_one_is_tried():
    scop = parse(APART)
    assert [str(m) for m in Parallel.proposed(loops(scop), 4)] == [
        "parallel S.i", "parallel j", "parallel T.i",
    ]  # fmt: skip
    assert not list(Parallel.proposed(loops(Parallel("T.i").applied(scop)), 4))


def test_only_loops_inside_one_another_are_nested():
    assert list(nested(loops(parse(APART)))) == [("S.i", "j")]


def test_no_tiles_of_tiles_are_tried():
    scop = parse(APART)
    assert [str(m) for m in Tile.proposed(loops(scop), 4)] == ["tile S.i j by 4"]
    tiled = Tile(("S.i", "j"), 2).applied(scop)
    assert not list(Tile.proposed(loops(tiled), 4))


def test_vectors_are_tried_of_innermost_loops_and_jams_of_others():
    known = loops(parse(APART))
    assert [str(m) for m in Vectorize.proposed(known, 4)] == ["vectorize j", "vectorize T.i"]
    assert [str(m) for m in UnrollAndJam.proposed(known, 4)] == ["unroll-and-jam S.i by 4"]


def test_what_comes_after_a_loop_is_as_deep():
    scop = parse(APART)
    known = loops(scop)
    spots = {n: Spot(scop, n, known[n], known) for n in known}
    assert {n: spot.after() for n, spot in spots.items()} == {"S.i": ["T.i"], "j": [], "T.i": []}


def test_loops_are_offered_to_be_skewed_and_statements_are_not():
    assert lines(Skew, "i") == [("by j", "skew i by #*j")]
    assert lines(Skew, "j") == [("by i", "skew j by #*i")]
    assert not lines(Skew, "T")


def test_kinds_are_offered_of_loops_and_not_of_statements():
    assert lines(Vectorize, "j")
    assert not lines(Vectorize, "T")


def test_the_temporaries_of_a_place_are_those_used_there():
    loop = "for i = 0 to N do S: s = A[i]; T: B[i] = s; done"
    scop = parse(f"param N; temp s, t; {loop} U: t = A[0]; V: C = t;")
    known = loops(scop)
    assert Spot(scop, "i", known["i"], known).temporaries() == ["s"]


def test_three_loops_that_come_later_are_offered():
    text = "param N; output A[N+1], B[N+1], C[N+1], D[N+1], E[N+1];"
    text += "".join(f"for {x.lower()} = 0 to N do {x}[{x.lower()}] = 1; done " for x in "ABCDE")
    scop = parse(text)
    known = loops(scop)
    offered = [line for _, line in Fuse.offered(Spot(scop, "a", known["a"], known))]
    assert [x for x in offered if x.startswith("fuse a")] == ["fuse a b", "fuse a c", "fuse a d"]


def test_iterations_are_peeled_off_loops():
    assert lines(Peel, "i")
    assert not lines(Peel, "S")
