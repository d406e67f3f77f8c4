"""Live ranges that collide, as arrows in the iteration space: between the right dots, in the
colours of the time line, numbered in the order that a schedule runs them."""

import re
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

import polynb as pn
from polynb import isl
from polynb.legality.order import new_times
from polynb.show.displays.verdict import conflicts_html
from polynb.show.draw.collision import collisions
from polynb.show.draw.collision_space import RIM, collision_scene
from polynb.show.draw.kinds import RANGES
from polynb.show.draw.timeline import COLOURS
from polynb.show.draw.verdict_pictures import conflict_pictures
from tests.show.draw.test_collisions import collisions as covered

SVG = "{http://www.w3.org/2000/svg}"
GALLERY = {
    "matmul_pre": lambda s: pn.transform(s).interchange("j", "k"),
    "matmul_fig1": lambda s: pn.transform(s).reverse("k"),
    "seidel_2d": lambda s: pn.transform(s).interchange("t", "i"),
    "floyd_warshall": lambda s: pn.transform(s).interchange("k", "i"),
    "gemm_accumulator": lambda s: pn.transform(s).distribute("j"),
}
TEXTS = {
    "one": ("param N; temp t; for i=0 to N do S: t = A[i]; R: B[i] = t; done",
            "{ S[i] -> [0,i]; R[i] -> [1,i] }"),
    "two": ("param N; temp t; for i=0 to N do for j=0 to N do S: t = A[i][j]; R: B[i][j] = t;"
            "done done", "{ S[i,j] -> [i,0,j]; R[i,j] -> [i,1,j] }"),
    "three": ("param N; assume N >= 3; temp t; for i=0 to N do for j=0 to N do for k=0 to N do"
              " S: t = A[i][j][k]; R: B[i][j][k] = t; done done done",
              "{ S[i,j,k] -> [i,-j,0,-k]; R[i,j,k] -> [i,-j,1,-k] }"),
    "none": ("temp t; S: t = A[0]; R: B[0] = t; S2: t = A[1]; R2: B[1] = t;",
             "{ S[] -> [0]; R[] -> [2]; S2[] -> [1]; R2[] -> [3] }"),
    "large": ("param N; assume N >= 500; temp t; for i=0 to N do S: t = A[i]; done "
              "for j=0 to N do R: B[j] = t; done", "{ S[i] -> [0,-i]; R[i] -> [1,i] }"),
    "live-in": ("param N; inout A; for i=0 to N do S: B[i] = A[i]; T: A[i] = 1; done",
                "{ S[i] -> [i,1]; T[i] -> [i,0] }"),
    "live-out": ("param N; output A; for i=0 to N do S: A[0] = B[i]; done", "{ S[i] -> [-i] }"),
    "dead": ("param N; temp t; for i=0 to N do S: t = A[i]; R: B[i] = t; D: t = 0; done",
             "{ S[i] -> [i,0]; D[i] -> [i,1]; R[i] -> [i,2] }"),
}  # fmt: skip
ALL = (*GALLERY, *TEXTS)


@pytest.fixture(scope="module")
def verdicts():
    known = {}

    def verdict_of(name):
        if name not in known:
            if name in TEXTS:
                text, order = TEXTS[name]
                known[name] = pn.check(pn.parse(text), order)
            else:
                known[name] = GALLERY[name](pn.gallery.load(name)).verdict.order
        return known[name]

    return verdict_of


def first(verdict):
    found = next(collisions(verdict))
    return found, collision_scene(found)


@pytest.mark.parametrize("name", ALL)
def test_arrows_are_between_the_instances_of_the_violated_pair(verdicts, name):
    verdict = verdicts(name)
    pair = next(c.pair for c in verdict.conflicts if c.pair is not None)
    _, scene = first(verdict)
    one, other = scene.arrows
    assert (one.role, one.source, one.target) == ("first", pair.first.write, pair.first.read)
    assert (other.role, other.source, other.target) == (
        "second", pair.second.write, pair.second.read,
    )  # fmt: skip
    assert {m.instance for m in scene.marks} == set(pair.instances.values())
    place = {m.instance: m.at for m in scene.marks}
    assert set(place.values()) <= set(scene.layout.placed.values())
    for a in scene.arrows:
        for instance, end in ((a.source, a.arrow.start), (a.target, a.arrow.end)):
            if instance is not None:
                at = place[instance]
                assert np.hypot(end.x - at.x, end.y - at.y) <= RIM + 2


@pytest.mark.parametrize("name", ALL)
def test_the_numbers_are_the_order_of_the_schedule(verdicts, name):
    """Enumerated here, not taken from the pair."""
    verdict = verdicts(name)
    _, scene = first(verdict)
    values = next(c.pair for c in verdict.conflicts if c.pair is not None).parameters
    asked = verdict.asked
    times = {
        (statement, point): time
        for statement, m in new_times(asked.program, asked.schedule).items()
        for point, time in isl.pairs(m, values)
    }
    when = {m.instance: times[m.instance.statement, m.instance.point] for m in scene.marks}
    for a in scene.marks:
        for b in scene.marks:
            assert (a.number < b.number) == (when[a.instance] < when[b.instance])


@pytest.mark.parametrize("name", ALL)
def test_colours_are_those_of_the_time_line(verdicts, name):
    (drawn, *_) = conflict_pictures(verdicts(name), most=1)
    stroked = [
        {p.get("stroke") for p in ElementTree.fromstring(str(part.svg)).iter(f"{SVG}path")}
        for part in (drawn.line, drawn.space)
    ]
    for role in ("first", "second"):
        assert COLOURS[role] == RANGES[role].colour
        assert all(COLOURS[role] in colours for colours in stroked)


@pytest.mark.parametrize("name", ALL)
def test_instances_are_named_and_no_text_covers_another(verdicts, name):
    verdict = verdicts(name)
    (drawn,) = conflict_pictures(verdict, most=1)
    space = str(drawn.space.svg)
    assert covered(space) == []
    pair = next(c.pair for c in verdict.conflicts if c.pair is not None)
    for instance in pair.instances.values():
        assert str(instance) in space
        assert str(instance) in drawn.space.alt
    assert drawn.whole.svg.width <= 1000


def test_large_spaces_show_what_is_near(verdicts):
    _, scene = first(verdicts("large"))
    assert len(scene.layout.placed) < 20
    assert scene.notes == ("Of S and R only what is near.",)
    assert scene.layout.width < 600


def test_deep_spaces_keep_the_instances_apart(verdicts):
    _, scene = first(verdicts("three"))
    assert len({m.at for m in scene.marks}) == len(scene.marks) == 4
    assert any("3 dimensions" in n for n in scene.notes)


def test_what_has_no_other_end_says_so(verdicts):
    said = {name: [m.said for m in first(verdicts(name))[1].marks] for name in TEXTS}
    assert said["live-in"] == ["T(0), whose value remains",
                               "S(0), which reads what was there before"]  # fmt: skip
    assert said["live-out"] == ["S(1), whose value remains", "S(0), whose value nothing reads"]
    assert "D(0), whose value nothing reads" in said["dead"]


def test_flow_that_is_turned_around_is_one_arrow():
    scop = pn.parse("param N; temp t; for i=0 to N do S: t[i] = A[i]; R: B[i] = t[i]; done")
    verdict = pn.check(scop, "{ S[i] -> [i,1]; R[i] -> [i,0] }")
    found, scene = first(verdict)
    (arrow,) = scene.arrows
    assert (arrow.role, str(arrow.source), str(arrow.target)) == ("violated", "S(0)", "R(0)")
    assert [(m.number, str(m.instance), m.writes) for m in scene.marks] == [
        (1, "R(0)", False), (2, "S(0)", True),
    ]  # fmt: skip
    assert found.key == {"violated": "runs backwards"}
    assert verdict.to_svg().startswith("<svg")
    at_once = pn.check(scop, "{ S[i] -> [i]; R[i] -> [i] }")
    assert first(at_once)[0].key == {"violated": "would run at once"}


def test_iterations_that_run_at_once_have_one_number():
    chain = pn.transform(pn.gallery.load("delicm_listing2")).parallel("i")
    _, scene = first(chain.verdict)
    carried = chain.verdict.carried[0]
    (arrow,) = scene.arrows
    assert [arrow.source, arrow.target] == [carried.witness["source"], carried.witness["target"]]
    assert {m.number for m in scene.marks} == {1}
    assert conflicts_html(chain.verdict).count("<img") == 1


def test_a_reader_that_must_come_first_does_not_write():
    """An anti dependence that a parallel loop carries."""
    scop = pn.parse("param N; inout A; for i = 0 to N do S: B[i] = A[i+1]; T: A[i] = 1; done")
    chain = pn.transform(scop).parallel("i")
    _, scene = first(chain.verdict)
    assert {m.instance.statement: m.writes for m in scene.marks} == {"S": False, "T": True}


@pytest.mark.long
def test_the_display_of_a_chain_shows_why(verdicts):
    legal = pn.transform(pn.gallery.load("matmul_pre"))
    bad = legal.interchange("j", "k")
    shown = bad._repr_mimebundle_()["text/html"]
    assert shown.count("<img") == 2
    assert len(shown) < 60_000
    assert "<img" not in legal._repr_mimebundle_()["text/html"]


def test_draw(verdicts):
    """The same picture with matplotlib: the same texts."""
    verdict = verdicts("one")
    figure = pn.draw(verdict)
    (axes,) = figure.axes
    texts = [t.text for t in ElementTree.fromstring(verdict.to_svg()).iter(f"{SVG}text")]
    assert [t.get_text() for t in axes.texts] == texts
    assert "is overwritten: from S(0) to R(0)" in repr(figure)
    given = type(figure)(figsize=(4, 3)).subplots()
    assert pn.draw(verdict, ax=given) is given
    drawn = {t.get_color() for t in axes.texts}
    assert len(drawn) == 2  # grey, and the numbers on colours
    figure._repr_mimebundle_()
    assert {t.get_color() for t in axes.texts} == drawn


def test_draw_of_what_is_legal(verdicts):
    """What flows, and what is ignored."""
    scop = pn.parse(TEXTS["one"][0])
    legal = pn.check(scop, "{ S[i] -> [-i,0]; R[i] -> [-i,1] }")
    assert legal.ignored
    assert re.match(r"<Drawing: Iteration spaces: S \d+ instances", repr(pn.draw(legal, N=3)))
    with pytest.raises(pn.PolynbError, match="values of its witness"):
        pn.draw(verdicts("one"), N=3)
    with pytest.raises(pn.PolynbError, match="nothing to draw"):
        pn.draw(pn.Verdict(()))


def test_draw_takes_the_verdict_on_a_move():
    chain = pn.transform(pn.gallery.load("delicm_listing2")).parallel("i")
    assert "would run at once" in repr(pn.draw(chain.verdict))
    assert "is overwritten" in repr(
        pn.draw(GALLERY["seidel_2d"](pn.gallery.load("seidel_2d")).verdict)
    )
    assert "Iteration spaces" in repr(pn.draw(chain.undo().verdict))
