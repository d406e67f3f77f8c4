"""Traces of DeLICM: what is drawn of memory is what was decided."""

import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

import polynb as pn
from polynb.delicm import (
    forwarding_steps,
    mapping_steps,
    remove_scalars,
    simplification_steps,
)
from polynb.delicm.mapping_steps import NotMapped
from polynb.derivation import Step
from polynb.show.trace import builder as trace_module
from polynb.show.trace.builder import trace
from polynb.show.trace.delicm.memory import RULES
from polynb.show.trace.judging import right
from polynb.show.trace.unfolding import unfold

SCHEMA = json.loads((Path(trace_module.__file__).parent / "trace.schema.json").read_text())
GALLERY = ("delicm_listing2", "delicm_listing3", "delicm_listing4", "fig9a", "fig9b", "durbin")
KEPT = """param N, K; temp s;
for j = 0 to N-1 do
  s = 0; // T
  for i = 0 to K-1 do
    s = s + 4; // S
    %s
  done
  %s
  A[j] = s; // U
done"""
WRITTEN = pn.parse(KEPT % ("A[j] = B[i]; // W", ""))
READ = pn.parse(KEPT % ("", "D[j] = A[j]; // X"))


def told(scop, **parameters):
    derivation = remove_scalars(scop)
    return derivation, trace(derivation, parameters)


@pytest.mark.parametrize("name", GALLERY)
@pytest.mark.long
def test_it_is_valid_and_always_the_same(name):
    derivation, found = told(pn.gallery.load(name))
    jsonschema.Draft202012Validator(SCHEMA).validate(json.loads(json.dumps(found)))
    assert found["id"] == trace(derivation)["id"]


def test_every_type_of_step_has_frames_of_its_own():
    modules = (mapping_steps, forwarding_steps, simplification_steps)
    own = ((m, k) for m in modules for k in vars(m).values() if isinstance(k, type))
    kinds = [k for m, k in own if k.__module__ == m.__name__]
    kinds = [
        k for k in kinds if issubclass(k, Step) and k is not Step and not k.__name__.startswith("_")
    ]
    trace(remove_scalars(READ))  # registers them
    assert len(kinds) >= 13
    assert [k.__name__ for k in kinds if unfold.dispatch(k) is unfold.dispatch(Step)] == []


@pytest.mark.parametrize("run", [pn.forward_operands, pn.map_scalars, pn.simplify])
def test_nothing_to_do_is_two_frames(run):
    """Steps or none: scalars that stay have no step that decided it, where there are none."""
    scop = pn.parse("param N; temp t; for i = 0 to N-1 do A[i] = B[i]; t = 1; C[i] = t; done")
    d = run(scop)
    found = trace(replace(d, steps=(), result=scop))
    jsonschema.validate(found, SCHEMA)
    assert [p["name"] for p in found["phases"]] == ["the question", "the result"]
    assert all(a["step"] < len(found["steps"]) for a in found["arrays"])


def test_forwarding_lights_the_definition_the_use_and_what_is_copied():
    _, found = told(pn.gallery.load("delicm_listing2"), N=2, K=1)
    frame = next(f for f in found["steps"] if f["kind"] == "Forwarded")
    assert frame["marks"] == ["a:S:1", "s:T2"]
    (copied,) = frame["overlays"]
    assert copied["role"] == "propagation"
    assert named(found, copied["pairs"]) == {("T2(0)", "S(0, 0)"), ("T2(1)", "S(1, 0)")}


def test_what_is_not_forwarded_lights_all_definitions_and_what_flows():
    _, found = told(pn.gallery.load("delicm_listing3"), N=1, K=2)
    frame = next(f for f in found["steps"] if f["kind"] == "NotForwarded")
    assert frame["marks"] == ["a:S:0", "a:S:w", "a:T:w"]
    pairs = [p for o in frame["overlays"] for p in o["pairs"]]
    assert named(found, pairs) == {("T(0)", "S(0, 0)"), ("S(0, 0)", "S(0, 1)")}


def named(found, pairs):
    spaces = found["scenes"][0]["spaces"]

    def name(space, point):
        return f"{spaces[space]['name']}({', '.join(map(str, spaces[space]['points'][point]))})"

    return {(name(a, p), name(b, q)) for a, p, b, q in pairs}


@pytest.mark.parametrize(
    ("scop", "rule"), [(READ, "lifetime"), (WRITTEN, "existing write")], ids=["read", "written"]
)
def test_the_conflict_is_lit_where_it_is(scop, rule):
    derivation, found = told(scop, N=2, K=2)
    (step,) = [s for s in derivation.steps if isinstance(s, NotMapped)]
    asked, said = [f for f in found["steps"] if f["kind"] == "NotMapped"]
    assert "conflict" not in asked["memory"]
    assert asked["question"]["answer"] is False
    assert right(asked["question"], {"verdict": False, "witness": None})
    conflict = said["memory"]["conflict"]
    assert conflict["rule"] == rule
    assert step.conflict.rule.startswith(rule.replace(" ", "-"))
    assert conflict["sentence"] == RULES[rule]
    cell, k = conflict["place"]
    memory = said["memory"]
    occupied = layer(memory, "proposed", "occupied")
    if rule == "lifetime":
        assert [cell, k] in occupied
        assert [cell, k] not in layer(memory, "existing", "unused")
        assert memory["cells"][cell] == "A[0]"
    else:
        assert memory["times"][k] == "W(0, 0)"
        assert [cell, k + 1] in occupied


def layer(memory, of, role):
    return next(x["places"] for x in memory["layers"] if (x["of"], x["role"]) == (of, role))


def test_zones_are_what_an_execution_says():
    """Listing 3 at N = 2, K = 1: T(0) S(0, 0) U(0) T(1) S(1, 0) U(1)."""
    _, found = told(pn.gallery.load("delicm_listing3"), N=2, K=1)
    chosen = next(f["memory"] for f in found["steps"] if f["kind"] == "TargetChosen")
    assert chosen["cells"] == ["C[0]", "C[1]"]
    unused = [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2], [1, 3], [1, 4], [1, 5]]
    assert layer(chosen, "existing", "unused") == unused
    assert layer(chosen, "existing", "written") == [[0, 2], [1, 5]]
    asked = next(f["memory"] for f in found["steps"] if f.get("question"))
    assert layer(asked, "proposed", "occupied") == [[0, 1], [0, 2], [1, 4], [1, 5]]
    assert asked["candidate"] == "c"
