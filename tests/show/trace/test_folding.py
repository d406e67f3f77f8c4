"""The stepper of folding: Figure 5 of TACO'19, state by state."""

import json
from pathlib import Path

import jsonschema
import numpy as np
import pytest

import polynb as pn
from polynb.errors import PolynbError
from polynb.folding.replay import SMALL, replay
from polynb.show.trace import builder, format as trace_format
from polynb.show.trace.stepper import Stepper

SCHEMA = json.loads((Path(trace_format.__file__).parent / "trace.schema.json").read_text())

POINTS = [(cj, ck) for cj in range(3) for ck in range(3)]
LABELS = [67 + cj + (0, 4, 10)[ck] for cj, ck in POINTS]


def table_1(**options):
    """Stream I2 of Table 1, three points in both dimensions."""
    return pn.fold(POINTS, LABELS, names="cj, ck", identifier="I2", **options)


def rows(frame):
    """What lives in a frame: P1 -> (polyhedron, label function, place)."""
    return {r[0]: tuple(r[1:]) for r in frame["tables"][0]["rows"]}


def members(frame):
    return {o["label"]: len(o["instances"]) for o in frame["overlays"] if o["role"] == "piece"}


@pytest.fixture(scope="module")
def trace():
    return builder.trace(table_1())


def test_figure_5_state_by_state(trace):
    """The states 1 to 6 of the figure come in this order, each as the paper has it."""
    states = [
        ("P1", "cj = 0, ck = 0", "⊥cj + ⊥ck + 67"),
        ("P1", "cj = 0, 0 ≤ ck ≤ 1", "⊥cj + 4ck + 67"),
        ("P1", "cj = 0, 0 ≤ ck ≤ 2", "⊥cj + ⊤ck + 67"),
        ("P4", "cj = 1, ck = 0", "⊥cj + ⊥ck + 68"),
        ("P1", "0 ≤ cj ≤ 1, 0 ≤ ck ≤ 2", "1cj + ⊤ck + 67"),
        ("P7", "cj = 2, ck = 0", "⊥cj + ⊥ck + 69"),
        ("P1", "0 ≤ cj ≤ 2, 0 ≤ ck ≤ 2", "1cj + ⊤ck + 67"),
    ]
    frames = iter(trace["steps"][1:])
    for name, shape, function in states:
        assert any(rows(f).get(name, ())[:2] == (shape, function) for f in frames), name
    assert "f7(cj, ck) = ⊥cj + ⊤ck + 69." in [f.get("detail") for f in trace["steps"]]
    assert members(trace["steps"][-1]) == {"P1": 9}


def test_the_polyhedra_of_a_frame_share_out_what_has_come(trace):
    for frame in trace["steps"][1:]:
        own = [tuple(i) for o in frame["overlays"] if o["role"] == "piece" for i in o["instances"]]
        assert sorted(own) == [(0, k) for k in range(len(own))]


def test_p1_is_where_algorithm_1_keeps_it(trace):
    places = [rows(f)["P1"][2] for f in trace["steps"][1:-1]]
    assert list(dict.fromkeys(places)) == [
        "absorbers[1]",
        "to_be_absorbed[2]",
        "absorbers[2]",
        "a piece of the result",
    ]


def test_lines_that_are_marked_are_there(trace):
    known = {s[1] for line in trace["programs"][0]["lines"] for s in line if len(s) > 1}
    marked = [set(f["marks"]) for f in trace["steps"][1:]]
    assert all(m and m <= known for m in marked)
    assert len(set.union(*marked)) > 5


def streams():
    triangle = [(i, j) for i in range(5) for j in range(i + 1)]
    holes = [(i,) for i in range(9) if i % 4]
    random = np.random.default_rng(4).integers(0, 9, 24)
    yield pn.fold(triangle, [3 * i - j for i, j in triangle], names="i, j")
    yield pn.fold(holes, [i[0] for i in holes])
    yield pn.fold(np.argwhere(np.ones((3, 4, 2))), random, variant="F", kind="dependence")
    yield pn.fold([[]], [7])
    yield pn.fold(np.argwhere(np.eye(20) > 0)[::2], random[:10])
    yield pn.fold(triangle)
    yield pn.fold(triangle, triangle, names="i, j", kind="dependence")
    random_points = np.argwhere(np.random.default_rng(1).integers(0, 2, (8, 8)))
    yield pn.fold(random_points, np.arange(len(random_points)))


@pytest.mark.parametrize("folded", [*streams()])
def test_traces_of_small_streams_keep_the_format(folded):
    found = builder.trace(folded)
    jsonschema.validate(found, SCHEMA)
    for frame in found["steps"][1:-1]:
        assert sum(len(o["instances"]) for o in frame["overlays"] if o["role"] == "piece") or (
            frame["kind"] == "GivenUp"
        )
    assert len(replay(folded)) <= len(found["steps"])


def test_a_stream_that_gave_up_says_so():
    noise = np.argwhere(np.random.default_rng(1).integers(0, 2, (12, 12)))
    folded = pn.fold(noise, np.arange(len(noise)), variant=pn.folding.Variant(give_up=5))
    found = builder.trace(folded)
    assert folded.gave_up
    assert "GivenUp" in [f["kind"] for f in found["steps"]]
    assert "a box around all that came after the give-up" in found["verdict"]


def test_what_cannot_be_stepped_says_why():
    long = pn.fold([[k] for k in range(SMALL + 1)])
    with pytest.raises(PolynbError, match="101 entries is not stepped") as caught:
        long.step()
    assert "smaller sizes" in caught.value.hint
    deep = pn.fold(np.argwhere(np.ones((2, 2, 2, 2))))
    with pytest.raises(PolynbError, match="4 dimensions"):
        deep.step()


def test_it_is_played_by_the_stepper_and_on_a_page(tmp_path):
    folded = table_1()
    assert isinstance(folded.step(), Stepper)
    page = folded.to_html(tmp_path / "figure5.html").read_text()
    assert "folding I2" in page
    assert "text/html" in folded.step()._repr_mimebundle_()


def test_step_takes_a_folded_stream(shell):
    shell.user_ns["folded"] = table_1()
    view = shell.run_line_magic("step", "folded --at 3")
    assert view.step == 3
    assert view.trace["title"] == "folding I2"
    with pytest.raises(PolynbError, match="asks no questions"):
        shell.run_line_magic("step", "folded --predict")


def test_step_takes_a_stream_of_a_traced_program(shell):
    text = "int main(void) { int a[5]; for (int i = 0; i < 5; i++) a[i] = i; return 0; }"
    run = pn.trace(text, streams=True)
    shell.user_ns["run"] = run
    stream = next(n for n, i in run.instructions.items() if i.kind == "store" and i.loops)
    view = shell.run_line_magic("step", f'run["{stream}"]')
    assert view.trace["title"] == f"folding {stream}"
    with pytest.raises(PolynbError, match="names no stream"):
        shell.run_line_magic("step", "run[I9]")
    bare = pn.trace(text)
    with pytest.raises(PolynbError, match="were not kept"):
        bare[stream].step()
