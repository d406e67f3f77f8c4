"""Traces: what the stepper plays is what the derivation decided, and what enumeration finds."""

import ast
import json
import os
from functools import cache
from pathlib import Path

import jsonschema
import pytest

import polynb as pn
from polynb import isl
from polynb.errors import PolynbError
from polynb.propagation.steps import ReloadTested
from polynb.show.displays.diff import compared
from polynb.show.trace import (
    builder as trace_module,
    format as trace_format,
    listing,
    scene,
    unfolding,
)
from polynb.show.trace.builder import trace
from polynb.show.trace.judging import right

SCHEMA = json.loads((Path(trace_module.__file__).parent / "trace.schema.json").read_text())
FIGURES = ["fig1", "fig4", "fig5", "fig7a", "fig7b", "fig9a", "fig9b", "fig10"]
CLASSICS = ["gemm", "2mm", "jacobi_1d", "lu", "fdtd_2d", "covariance", "durbin", "trmm"]
PIPELINES = ["unsharp_mask", "harris", "bilateral_grid"]
LARGE = ["camera_pipe", "pyramid_blending", "interpolate", "local_laplacian"] * (
    "POLYNB_LARGE" in os.environ
)


@cache
def told(name, **parameters):
    derivation = pn.propagate(pn.gallery.load(name))
    return derivation, trace(derivation, parameters)


def frames(found, kind):
    return [f for f in found["steps"] if f["kind"] == kind]


def named(found, frame, reference):
    """(statement, instance) of [space, point]."""
    space = found["scenes"][frame["scene"]]["spaces"][reference[0]]
    return space["name"], tuple(space["points"][reference[1]])


def overlay(frame, role):
    return [o for o in frame.get("overlays", ()) if o["role"] == role]


@pytest.mark.long
@pytest.mark.parametrize("name", FIGURES + CLASSICS + PIPELINES + LARGE)
def test_it_is_valid_and_always_the_same(name):
    derivation, found = told(name)
    jsonschema.Draft202012Validator(SCHEMA).validate(json.loads(json.dumps(found)))
    assert found["id"] == trace(derivation)["id"]
    assert {a["name"] for a in found["arrays"]} == {n for s in derivation.steps for n in s.about}


@pytest.mark.parametrize("name", FIGURES + CLASSICS)
def test_references_are_in_range(name):
    _, found = told(name)
    for frame in found["steps"]:
        spaces = [] if frame["scene"] is None else found["scenes"][frame["scene"]]["spaces"]
        references = [r for o in frame.get("overlays", ()) for r in o.get("instances", ())]
        references += [
            p[k : k + 2]
            for o in frame.get("overlays", ())
            for p in o.get("pairs", ())
            for k in (0, 2)
        ]
        references += [i["at"] for i in frame.get("witness", {}).get("instances", ())]
        assert all(p < len(spaces[s]["points"]) for s, p in references)
        assert frame["program"] < len(found["programs"])
        assert all(k < len(found["sets"]) for k in frame.get("sets", ()))


@pytest.mark.parametrize("name", FIGURES)
def test_the_text_is_the_program_and_every_access_has_its_place(name):
    derivation, found = told(name)
    lines = found["programs"][0]["lines"]
    text = "\n".join("".join(s[0] for s in line) for line in lines)
    assert text == str(derivation.before).strip("\n")
    marked: dict[str, str] = {}
    for line in lines:
        for segment in line:
            for key in segment[1].split() if len(segment) > 1 else ():
                marked[key] = marked.get(key, "") + segment[0]
    for s in derivation.before.statements:
        assert marked[f"a:{s.name}:w"].startswith(s.write.array)
        for k, r in enumerate(s.reads):
            assert marked[f"a:{s.name}:{k}"].startswith(r.array)
        assert marked[f"s:{s.name}"].startswith(s.write.array)


def survivors(test, values):
    """The pairs (i, j) of an edge for which no instance, at a date from i's to before j's, writes
    what i reads: by enumeration."""
    scop = test.scop
    source, target = scop.by_name[test.edge.source], scop.by_name[test.edge.target]

    def rows(m):
        return isl.pairs(isl.fix_parameters(m, values), values)

    when = {s.name: dict(rows(s.schedule.intersect_domain(s.domain))) for s in scop.statements}
    read = [(r.array, rows(r.relation)) for r in source.reads]
    written = [
        (s.write.array, when[s.name][l], cell)
        for s in scop.statements
        for l, cell in rows(s.write.relation)
    ]
    found = set()
    for i, j in rows(test.edge.relation):
        cells = {(a, cell) for a, pairs in read for x, cell in pairs if x == i}
        a, b = when[source.name][i], when[target.name][j]
        if not any((array, cell) in cells and a <= d < b for array, d, cell in written):
            found.add((i, j))
    return found


@pytest.mark.parametrize("name", [*FIGURES, "durbin"])
def test_what_is_left_is_what_enumeration_finds(name):
    derivation, found = told(name)
    values = {p["name"]: p["value"] for p in found["parameters"]}
    tests = [s.test for s in derivation.steps if isinstance(s, ReloadTested)]
    left = frames(found, "left")
    judged = [t for t in tests if t.obstacle is None]
    assert len(left) == len(judged) > 0 or name in ("fig7a", "fig7b")
    for test, frame in zip(judged, left, strict=True):
        (shown,) = overlay(frame, "propagation")
        pairs = {
            (named(found, frame, p[:2])[1], named(found, frame, p[2:])[1]) for p in shown["pairs"]
        }
        assert pairs == survivors(test, values)


def test_witnesses_are_true():
    _, found = told("fig9a")
    (kept,) = frames(found, "ArrayKept")
    source, writer, target = kept["witness"]["instances"]
    assert [w["name"] for w in (source, writer, target)] == ["T(0)", "U(0)", "V(0)"]
    assert source["date"] < writer["date"] < target["date"]
    assert kept["witness"]["blocks"]
    assert [named(found, kept, w["at"]) for w in (source, writer)] == [("T", (0,)), ("U", (0,))]
    order = frames(found, "order")
    assert [f["witness"]["blocks"] for f in order] == [False, True]


TWO_OPERANDS = """param N; assume N >= 3; inout A[N+1], B[N+1], D[N+1]; output C[N+1]; temp t[N+1];
for i = 0 to N do t[i] = A[i] + B[i] + D[i]; done // S
for i = 0 to N do A[i] = 0; done // U
for i = 0 to N do C[i] = t[i]; B[i] = 1; done // V
for i = 0 to N do D[i] = 2; done // W"""


def test_each_operand_has_a_witness_of_its_own():
    """What U, before the reload, is to A, nobody is to B (written after it) and D (later)."""
    found = trace(pn.propagate(pn.parse(TWO_OPERANDS)), {"N": 3})
    shown = {f["witness"]["cell"]: f["witness"] for f in frames(found, "order")}
    assert set(shown) == {"A[0]", "B", "D"}
    assert shown["A[0]"]["blocks"]
    for witness in shown.values():
        dates = {w["role"]: w["date"] for w in witness["instances"]}
        assert (dates["writer"] < dates["target"]) is witness["blocks"]


def test_what_is_blocked_only_at_other_values_is_not_asked():
    text = """param N; assume N >= 1; inout A[N+1]; output B[N+1]; temp t[N+1];
for i = 0 to N do t[i] = A[i]; done // S
for i = 5 to N do A[i] = 0; done // W
for i = 0 to N do B[i] = t[i]; done // T"""
    derivation = pn.propagate(pn.parse(text))
    kinds = [[q["kind"] for _, q in questions(trace(derivation, {"N": n}))] for n in (3, 6)]
    assert kinds == [[], ["pairs"]]


def test_of_many_reload_tests_those_that_refuse_are_told_and_the_first_of_each_array(monkeypatch):
    monkeypatch.setattr("polynb.show.trace.propagation.reload.TESTS", 3)
    derivation = pn.propagate(pn.gallery.load("durbin"))
    found = trace(derivation)
    steps = derivation.steps
    tests = [k for k, s in enumerate(steps) if isinstance(s, ReloadTested)]
    expected = [k for k in tests if k - 1 not in tests or not steps[k].test.complete]
    assert 0 < len(expected) < len(tests)
    assert len(frames(found, "edge")) == len(expected)
    others = [str(steps[k]) for k in tests if k not in expected]
    assert [f["sentence"] for f in frames(found, "ReloadTested") if "overlays" not in f] == others


def test_the_builder_knows_no_pass():
    for module in (trace_module, listing, unfolding, scene, trace_format):
        tree = ast.parse(Path(module.__file__).read_text())
        named = {n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
        assert not any(m.startswith(("polynb.propagation", "polynb.reordering")) for m in named)


def test_the_overwritten_reloads_are_crossed():
    _, found = told("fig9a")
    last = frames(found, "or")[-1]
    (crossed,) = overlay(last, "or")
    assert [named(found, last, r) for r in crossed["instances"]] == [("V", (i,)) for i in range(5)]


def test_large_spaces_are_thinned_and_say_so():
    _, found = told("fig9a", N=1000)
    scene = found["scenes"][0]
    assert [p for s in scene["spaces"] for (p,) in s["points"]] == [0, 1, 2, 998, 999, 1000] * 4
    assert scene["spaces"][0]["elided"] == [[[3, 997]]]
    assert "3 instances at each border" in " ".join(scene["notes"])


def test_evidence_is_drawn_even_where_the_space_is_thin():
    text = """param N; assume N >= 20; inout A[N+1]; output B[N+1]; temp t[N+1];
for i = 0 to N do t[i] = A[i]; done // S
A[10] = 0; // W
for i = 0 to N do B[i] = t[i]; done // T"""
    found = trace(pn.propagate(pn.parse(text)), {"N": 900})
    (kept,) = frames(found, "ArrayKept")
    shown = [named(found, kept, w["at"])[1] for w in kept["witness"]["instances"]]
    assert shown == [(10,), (), (10,)]
    space = found["scenes"][kept["scene"]]["spaces"][0]
    assert space["elided"] == [[[3, 9], [11, 897]]]


def test_a_program_is_one_frame_with_its_dependences():
    scop = pn.gallery.load("fig1")
    found = trace(scop, {"N": 6})
    jsonschema.Draft202012Validator(SCHEMA).validate(json.loads(json.dumps(found)))
    (frame,) = found["steps"]
    assert (frame["kind"], found["arrays"]) == ("program", [])
    scene = found["scenes"][frame["scene"]]
    assert [s["name"] for s in scene["spaces"]] == [s.name for s in scop.statements]
    shown = {
        (r["role"], *named(found, frame, p[:2]), *named(found, frame, p[2:]))
        for r in scene["relations"]
        for p in r["pairs"]
    }
    expected = set()
    for e in pn.analyze(scop).edges:
        for i, j in isl.pairs(isl.fix_parameters(e.relation, {"N": 6}), {"N": 6}):
            expected.add((e.kind, e.source, i, e.target, j))
    assert shown == expected


def test_parameters_that_are_not_there_or_not_allowed_are_refused():
    derivation = pn.propagate(pn.gallery.load("fig1"))
    with pytest.raises(PolynbError, match="no parameter 'M'"):
        trace(derivation, {"M": 3})
    with pytest.raises(PolynbError, match="does not allow N = 1"):
        trace(derivation, {"N": 1})
    with pytest.raises(PolynbError, match="must be an integer"):
        trace(derivation, {"N": 2.5})


# -- questions -----------------------------------------------------------------------------


def questions(found):
    return [(f, f["question"]) for f in found["steps"] if "question" in f]


def answer(question):
    """What is right, as a learner would give it."""
    if question["kind"] == "verdict":
        witness = (question.get("witnesses") or [None])[0]
        return {"verdict": question["answer"], "witness": witness}
    return question["answer"]


@pytest.mark.parametrize("name", [*FIGURES, "durbin", "harris"])
@pytest.mark.long
def test_the_right_answers_are_right(name):
    for _, question in questions(told(name)[1]):
        assert right(question, answer(question)), question
        if question["kind"] == "iterator":  # with the signs of a text
            text = question["answer"].replace("-", "−").replace("*", "·")
            assert right(question, f"+({text})")


@pytest.mark.parametrize("name", [*FIGURES, "durbin", "harris"])
def test_nothing_is_asked_of_a_reload_that_was_given_away(name):
    """Dates, overwritten reloads and what is left come after the question about them."""
    found = told(name)[1]
    given_away = False
    for frame in found["steps"]:
        given_away = given_away and frame["kind"] != "edge"
        if frame.get("question", {}).get("kind") in ("verdict", "pairs"):
            assert not given_away, frame
        given_away = given_away or frame["kind"] in ("order", "or", "left")


def test_the_reload_of_figure_7b_is_asked_about_before_its_dates():
    found = told("fig7b")[1]
    ((frame, question),) = [(f, q) for f, q in questions(found) if q["kind"] == "verdict"]
    assert frame["kind"] == "order"
    proofs = [named(found, frame, at) for at in question["witnesses"]]
    assert proofs == [("S", (i,)) for i in range(5)]
    assert question["explain"] == ""  # the witness is in the step, and the reply names them all


# -- texts ---------------------------------------------------------------------------------


def text_of(program):
    return ["".join(s[0] for s in line) for line in program["lines"]]


@pytest.mark.parametrize("name", ["fig1", "fig5", "unsharp_mask"])
def test_texts_have_their_changes_as_the_display_without_scripts_has(name):
    derivation, found = told(name)
    for frame in found["steps"]:
        assert ("change" in frame) is (frame.get("other", frame["program"]) != frame["program"])
    whole = found["steps"][0]["change"]
    left, right = compared(str(derivation.before).strip("\n"), str(derivation.result).strip("\n"))
    marked = [[k for k, (sign, line) in enumerate(side) if sign != " " and line.strip()]
              for side in (left, right)]  # fmt: skip
    assert [whole["removed"], whole["added"]] == marked
    assert all(marked)


def test_the_c_of_the_result_is_among_the_texts():
    derivation, found = told("fig1")
    assert text_of(found["code"]) == derivation.result.to_c().splitlines()


def test_a_program_without_c_has_the_others(monkeypatch):
    def refused(scop):
        raise PolynbError("no C for this")

    monkeypatch.setattr("polynb.scop.Scop.to_c", refused)
    assert "code" not in trace(pn.propagate(pn.gallery.load("fig4")))


def test_wrong_answers_are_wrong():
    kinds = set()
    for name in ("fig1", "fig5", "fig9a", "durbin"):
        for _, q in questions(told(name)[1]):
            kinds.add(q["kind"])
            assert not right(q, None)
            if q["kind"] == "iterator":
                assert not right(q, f"({q['answer']}) + 1")
                assert not right(q, "__import__('os')")
                assert not right(q, "i +")
            if q["kind"] == "verdict":
                assert not right(q, {"verdict": not q["answer"], "witness": None})
                if q.get("witnesses"):
                    assert not right(q, {"verdict": False, "witness": None})
            if q["kind"] == "array":
                assert not right(q, next(o for o in q["options"] if o != q["answer"]))
    assert kinds >= {"array", "iterator", "verdict"}


def test_pairs_are_asked_for_where_some_survive():
    text = """param N; assume N >= 4; inout A[N+1]; output B[N+1]; temp t[N+1];
for i = 0 to N do t[i] = A[i]; done // S
for i = 0 to 1 do A[i] = 0; done // W
for i = 0 to N do B[i] = t[i]; done // T"""
    found = trace(pn.propagate(pn.parse(text), partial=True), {"N": 5})
    asked = next(q for _, q in questions(found) if q["kind"] == "pairs")
    assert len(asked["pairs"]) == 6
    assert asked["answer"] == [2, 3, 4, 5]
    assert right(asked, [5, 4, 3, 2])
    assert not right(asked, [0, 2, 3, 4, 5])


def test_other_ways_to_write_an_iterator_are_right():
    found = told("fig1")[1]
    asked = [q for _, q in questions(found) if q["kind"] == "iterator"]
    by_answer = {q["answer"]: q for q in asked}
    assert right(by_answer["i-1"], "-1 + i")
    assert right(by_answer["N"], "max(N, 0)")
    assert not right(by_answer["i-1"], "i")


def test_what_is_asked_stands_beside_the_verdict():
    """A typo must not pass for a success: what came of it and the question are seen together."""
    text = "param N; temp tmp; for i = 0 to N do tmp[i] = A[i]; B[i] = tnp[i]; done"
    first = trace(pn.propagate(pn.parse(text)))["steps"][0]
    assert "tmp is removed" in first["sentence"]
    assert "did you mean tmp?" in first["detail"]
