"""What is offered at a place, and what a search tries."""

from __future__ import annotations

import pytest

from polynb.moves import Shift, Tile, named_loops
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


def test_only_loops_inside_one_another_are_nested():
    assert list(nested(loops(parse(APART)))) == [("S.i", "j")]


def test_no_tiles_of_tiles_are_tried():
    scop = parse(APART)
    assert [str(m) for m in Tile.proposed(loops(scop), 4)] == ["tile S.i j by 4"]
    tiled = Tile(("S.i", "j"), 2).applied(scop)
    assert not list(Tile.proposed(loops(tiled), 4))
