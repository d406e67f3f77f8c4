"""Traces of reorderings: what the stepper plays is what was decided, with true witnesses."""

import json
import subprocess
import sys
import time
from functools import cache
from pathlib import Path

import jsonschema
import pytest
from hard_programs import FORGOTTEN, HARD

import polynb as pn
from polynb import isl
from polynb.reordering import IslOptions, from_isl, limit_steps, steps
from polynb.reordering.sentences import AboutStatements
from polynb.reordering.steps import BandBegun, BandReset, MadeLocal, Violated
from polynb.show.trace import builder as trace_module
from polynb.show.trace.builder import trace
from polynb.show.trace.judging import right
from polynb.show.trace.unfolding import unfold

SCHEMA = json.loads((Path(trace_module.__file__).parent / "trace.schema.json").read_text())
BASES = (steps.Step, AboutStatements)
STEPS = [*vars(steps).values(), *vars(limit_steps).values()]
PROGRAMS = [
    *("lrr_listing1", "lrr_listing1_scalar", "lrr_listing1_live", "lrr_listing3"),
    *("taco13_fig7", "taco13_fig12", "gemm_accumulator", "jacobi_1d", "2mm", "lu"),
    "pencil_histogram",  # a cell that data decides
]
CYCLE = """param N; assume N >= 3; inout A[N+1], B[N+1];
for i = 1 to N do
  A[i] = B[N-i]; // S
  B[i] = A[N-i]; // T
done"""


@cache
def told(name, parameters=(), **options):
    derivation = pn.reorder(pn.gallery.load(name), **options)
    return derivation, trace(derivation, dict(parameters))


def frames(found, *kinds):
    return [f for f in found["steps"] if f["kind"] in kinds]


def named(found, frame, at):
    space = found["scenes"][frame["scene"]]["spaces"][at[0]]
    return space["name"], tuple(space["points"][at[1]])


def texts(found):
    return {p["name"]: p["value"] for p in found["parameters"]}


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_is_valid_and_always_the_same(name):
    derivation, found = told(name)
    jsonschema.Draft202012Validator(SCHEMA).validate(json.loads(json.dumps(found)))
    assert found["id"] == trace(derivation)["id"]


@pytest.mark.long
def test_the_first_trace_of_a_process_is_as_the_second():
    """What steps show is known only once the pass's view is there: sizes were chosen before."""
    code = """
import polynb as pn
from polynb.show.trace.builder import trace
d = pn.reorder(pn.gallery.load("pencil_histogram"))
assert trace(d) == trace(d)
"""
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    "options",
    [{"preset": "gpu"}, {"preset": "none"}, {"scheduler": "isl"}, {"tile": 4, "separate": True}],
)
@pytest.mark.long
def test_every_way_to_reorder_has_a_trace(options):
    _, found = told("lrr_listing1", **options)
    jsonschema.Draft202012Validator(SCHEMA).validate(json.loads(json.dumps(found)))
    assert found["phases"][-2]["name"] == "the proof"


def test_every_type_of_step_is_registered():
    kinds = [k for k in STEPS if isinstance(k, type) and issubclass(k, steps.Step)]
    assert len(kinds) >= 15
    generic = unfold.dispatch(steps.Step)
    assert [k.__name__ for k in kinds if k not in BASES and unfold.dispatch(k) is generic] == []


@pytest.mark.long
def test_programs_show_every_type_of_step():
    seen = set()
    for name in PROGRAMS:
        seen |= {f["kind"] for f in told(name)[1]["steps"]}
    seen |= {f["kind"] for f in told("lrr_listing1", scheduler="isl")[1]["steps"]}
    seen |= {f["kind"] for f in told("lrr_listing1", preset="gpu")[1]["steps"]}
    seen |= {f["kind"] for f in trace(pn.reorder(pn.parse(CYCLE)))["steps"]}
    listing, whole = pn.gallery.load("lrr_listing1"), IslOptions(whole_component=True)
    given_up = (
        pn.reorder(pn.parse(HARD, language="c"), tile=4),
        pn.reorder(listing, max_programs=1),
        pn.reorder(listing, max_operations=300),
        pn.reorder(pn.parse("param n; o = a[3];"), tile=4),
        pn.reorder(pn.parse(FORGOTTEN), scheduler="isl", options=whole),
    )
    for derivation in given_up:
        found = trace(derivation)
        jsonschema.Draft202012Validator(SCHEMA).validate(json.loads(json.dumps(found)))
        seen |= {f["kind"] for f in found["steps"]}
    missing = {
        k.__name__
        for k in STEPS
        if isinstance(k, type) and issubclass(k, steps.Step) and k not in BASES
    } - seen
    assert missing == {"TooHard", "OrderRefused"}


def test_listing_1_is_told_from_its_dependences_to_the_proof():
    _, found = told("lrr_listing1")
    assert [p["name"] for p in found["phases"]] == [
        *("the question", "dependences", "band 1", "the proof", "the result"),
    ]
    assert found["phases"][2]["outcome"] == "2 loops"
    assert found["steps"][1]["section"].startswith("IMPACT'16, section 2.3")
    kinds = [f["kind"] for f in found["steps"]]
    assert kinds[:6] == ["verdict", "live ranges", "false", "order", "forced", "Constrained"]
    assert kinds[6:10] == ["BandBegun", "MemberFound", "Violated", "Violated"]
    assert kinds[-4:] == ["Checked", "ignored", "ignored", "result"]
    outcomes = {a["name"]: (a["outcome"], kinds[a["step"]]) for a in found["arrays"]}
    assert outcomes == {"t": ("reordered", "Violated"), "C": ("unchanged", "Constrained")}
    (forced,) = frames(found, "forced")
    assert forced["sentence"].endswith("stay in front of a write that remains after the program.")


def test_a_reset_is_the_same_band_again():
    derivation, found = told("taco13_fig12")
    assert sum(isinstance(s, BandReset) for s in derivation.steps) == 1
    begun = frames(found, "BandBegun")
    names = [found["phases"][f["phase"]]["name"] for f in begun]
    assert names == ["band 1", "band 1", "band 2"]
    assert len(begun[1]["overlays"]) == 3  # live ranges that must be local from the start


@pytest.mark.parametrize("name", PROGRAMS)
def test_witnesses_are_pairs_of_what_they_witness(name):
    derivation, found = told(name)
    values = texts(found)
    by_kind = {"Violated": iter([]), "MadeLocal": iter([])}
    by_kind["Violated"] = iter([s for s in derivation.steps if isinstance(s, Violated)])
    by_kind["MadeLocal"] = iter([s for s in derivation.steps if isinstance(s, MadeLocal)])
    for frame in frames(found, *by_kind):
        step = next(by_kind[frame["kind"]])
        relation = step.pairs if frame["kind"] == "Violated" else step.condition.relation
        if "witness" not in frame:
            assert frame["kind"] == "MadeLocal"
            assert step.apart is None
            continue
        source, target = frame["witness"]["instances"]
        pairs = isl.pairs(isl.fix_parameters(relation, values), values)
        i, j = named(found, frame, source["at"])[1], named(found, frame, target["at"])[1]
        assert (i, j) in pairs
        # In the order so far: turned around, or at two times.
        if frame["kind"] == "Violated":
            assert source["date"] > target["date"]
        else:
            assert source["date"] != target["date"]
        assert source["name"] in frame["sentence"]


def test_witnesses_know_their_cell():
    _, found = told("lrr_listing1")
    first = frames(found, "Violated")[0]
    assert first["witness"]["cell"] == "t[1]"
    assert [i["name"] for i in first["witness"]["instances"]] == ["S2(0, 1)", "S1(1, 0)"]
    near = [o for o in first["overlays"] if o["role"] == "condition"]
    drawn = {(named(found, first, p[:2]), named(found, first, p[2:])) for o in near
             for p in o["pairs"]}  # fmt: skip
    assert drawn == {
        (("S1", (0, 1)), ("S2", (0, 1))),
        (("S1", (1, 0)), ("S2", (1, 0))),
    }


def test_times_are_those_of_the_members_so_far():
    _, found = told("lrr_listing1")
    one, two = frames(found, "MemberFound")
    assert one["order"]
    dates = []
    for frame in (one, two):
        space = found["scenes"][frame["scene"]]["spaces"][0]
        dates.append(dict(zip(map(tuple, space["points"]), space["dates"], strict=True)))
    assert dates[0][0, 1] == [1]
    assert dates[1][0, 1] == [1, 0]


def test_rows_of_the_integer_program_say_where_they_come_from():
    _, found = told("lrr_listing1")
    one, two = (f["tables"] for f in frames(found, "MemberFound"))
    assert one[0]["rows"] == [["S1", "j"], ["S2", "j"], ["S3", "i"], ["S4", "i"]]
    assert {r[0] for r in one[1]["rows"]} >= {"", "validity S1 → S2, flow through t"}
    assert two[1]["rows"][0][0].startswith("local")
    assert all(r[1].endswith("0") or "more" in r[1] for r in one[1]["rows"])


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_right_answers_are_right(name):
    _, found = told(name)
    for frame in found["steps"]:
        if (question := frame.get("question")) is None:
            continue
        proof = (question.get("witnesses") or [None])[0]
        assert right(question, {"verdict": question["answer"], "witness": proof})
        assert not right(question, {"verdict": not question["answer"], "witness": proof})


def test_who_may_be_turned_around_is_asked_and_proved():
    def answers(name):
        found = told(name)[1]
        return [f["question"]["answer"] for f in found["steps"] if "question" in f]

    assert set(answers("lrr_listing1")) == {True}
    # TACO'13, Figure 12: the first band stretches two of three live ranges, and is built anew.
    assert answers("taco13_fig12") == [False, True]


@pytest.mark.parametrize("name", PROGRAMS)
def test_nothing_is_asked_about_live_ranges_of_which_it_is_known(name):
    """Of those that were made local before, or asked about since the band began."""
    derivation, found = told(name)
    known: set[tuple[str, str, str]] = set()
    for step, frame in zip(
        [s for s in derivation.steps if isinstance(s, BandBegun | Violated | MadeLocal)],
        frames(found, "BandBegun", "Violated", "MadeLocal"),
        strict=True,
    ):
        about = {
            BandBegun: lambda s: s.local,
            Violated: lambda s: s.conditions,
            MadeLocal: lambda s: (s.condition,),
        }[type(step)](step)
        ranges = {(c.source, c.target, c.why) for c in about}
        if isinstance(step, BandBegun):
            known = ranges
        elif "question" in frame:
            assert not ranges <= known, frame["sentence"]
        if isinstance(step, MadeLocal) or "question" in frame:
            known |= ranges


def test_constraints_of_ones_own_have_a_trace():
    """Their dependences are not known as accesses: no cells."""
    scop = pn.gallery.load("taco13_fig7")
    theirs = pn.reorder(scop).steps[0].constraints
    kinds = ("validity", "condition", "conditioned_validity")
    domain = isl.union_set(s.domain for s in scop.statements)
    own = from_isl(domain, context=scop.assumed, **{k: theirs.union(k) for k in kinds})
    found = trace(pn.reorder(scop, constraints=own))
    jsonschema.Draft202012Validator(SCHEMA).validate(json.loads(json.dumps(found)))
    assert {f["witness"]["cell"] for f in frames(found, "Violated")} == {""}


def test_parameter_values_can_be_given():
    _, found = told("lrr_listing1", (("n", 3),))
    assert texts(found) == {"n": 3}
    assert len(found["scenes"][0]["spaces"][0]["points"]) == 9


def test_it_is_fast():
    derivation, _ = told("lrr_listing1")
    start = time.perf_counter()
    trace(derivation)
    derivation._repr_mimebundle_()
    assert time.perf_counter() - start < 3  # a third of a second on an idle machine
