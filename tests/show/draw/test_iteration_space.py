"""Scenes: every dependence is an arrow between the right dots."""

import pytest

from polynb import isl
from polynb.dependences import analyze
from polynb.scop import parse
from polynb.show.draw.iteration_space import ARROWS, iteration_space
from polynb.show.draw.scene_svg import scene_svg


def scene_of(scop, **parameters):
    return iteration_space(scop, analyze(scop).edges, parameters or None)


def test_one_dot_for_each_instance_and_one_arrow_for_each_pair(blur):
    scene = scene_of(blur, N=5)
    assert len(scene.dots) == 6 + 4
    expected = sum(len(isl.pairs(e.relation, {"N": 5})) for e in analyze(blur).edges)
    assert len(scene.arrows) == expected == 8
    assert scene.kinds == ("raw",)
    assert scene.notes == ("Drawn for N = 5.",)


def test_arrows_start_and_end_at_the_rim_of_their_dots(blur):
    scene = scene_of(blur, N=5)
    for a in scene.arrows:
        for end in (a.start, a.end):
            nearest = min((end.x - d.x) ** 2 + (end.y - d.y) ** 2 for d in scene.dots)
            assert 4**2 <= nearest <= 7**2


def test_an_instance_that_overwrites_what_it_reads_has_a_loop():
    scop = parse("param N; assume N >= 1; for i = 0 to N do A[i] = A[i] + 1; done")
    assert [a.loop for a in scene_of(scop, N=2).arrows] == [True] * 3


def test_deep_spaces_are_drawn_over_two_dimensions_that_move(matrix):
    scene = scene_of(matrix, N=2)
    assert "add has 3 dimensions: drawn over i and k." in scene.notes


def test_many_arrows_are_those_of_one_instance():
    scop = parse(
        "param N; temp t; for i = 0 to 20 do for j = 0 to 20 do t[i][j] = A[i][j]; done done\n"
        "for i = 1 to 19 do for j = 1 to 19 do\n"
        "B[i][j] = t[i-1][j] + t[i+1][j] + t[i][j-1] + t[i][j+1]; done done"
    )
    scene = scene_of(scop)
    assert 0 < len(scene.arrows) <= ARROWS
    assert any("one instance of each dependence" in n for n in scene.notes)
    assert scene.alt.endswith(" ".join(scene.notes))


def test_large_spaces_are_cut_and_it_is_said():
    scop = parse("param N; for i = 0 to 1000000 do A[i] = 1; done")
    scene = scene_of(scop)
    assert len(scene.dots) < 100
    assert "Only a corner of S0 is drawn." in scene.notes


@pytest.mark.parametrize("name", ["blur", "matrix"])
def test_the_same_program_gives_the_same_bytes(texts, name):
    first, again = (scene_svg(scene_of(parse(texts[name]))) for _ in range(2))
    assert first == again


def test_a_program_of_scalars_is_drawn():
    scene = scene_of(parse("param N; s = A[0]; t = s + 1;"))
    assert len(scene.dots) == 2
    assert len(scene.arrows) == 1
