"""Trials of variants, at sizes that take no time."""

import pickle
import shutil
from dataclasses import replace

import numpy as np
import pytest

import polynb as pn
from polynb import isl
from polynb.errors import PolynbError
from polynb.evaluation.commands import picture, pictures
from polynb.evaluation.fixed_sizes import fixed
from polynb.isl import BudgetExhausted
from polynb.tuning import Trial, counts
from polynb.tuning.trial import instructions

pytestmark = pytest.mark.any_compiler

TEXT = """param N; assume N >= 2; temp double t[N+1];
for i = 0 to N do t[i] = A[i] * 2; done
for i = 1 to N do B[i] = t[i-1] + t[i]; done"""
OPTIONS = {"threads": 1}


@pytest.fixture
def trial():
    return Trial(pn.parse(TEXT), {"N": 100}, rounds=2, compile_options=OPTIONS)


def test_a_variant_is_compared_timed_and_counted(trial):
    values = trial({})
    assert values["temporaries"] == []
    assert (values["arrays"], values["statements"], values["loops"]) == (2, 1, 1)
    assert values["memory"] == 8 * (101 + 101)
    assert values["agreement"] == "results equal bit for bit"
    assert values["rounds"] == 2
    assert values["seconds"] > 0 < values["ratio"]
    assert values["threads"] == 1
    assert values["instructions"] > 10
    assert values["interval"] is None  # of two rounds
    kept = replace(trial, rounds=6)({"keep": "t"})
    assert kept["interval"][0] < kept["ratio"] < kept["interval"][1]
    assert kept["temporaries"] == ["t"]
    assert kept["memory"] == 8 * 3 * 101


def test_a_variant_may_be_compiled_in_its_own_way(trial):
    options = ({}, {"compile_options": {"flags": "-O0"}})
    plain, simple = (trial({"keep": "t", **own})["instructions"] for own in options)
    assert plain != simple


def test_a_row_says_how_its_variant_was_compiled(trial):
    own = trial({"compile_options": {"flags": "-O0", "heap": "fresh"}})
    assert own["flags"].endswith("-O0")
    assert own["heap"] == "fresh"
    assert "-O0" not in trial({})["flags"]
    parallel = replace(trial, compile_options={"threads": 2, "parallel": "outermost"})
    assert parallel({"compile_options": {"parallel": "none"}})["threads"] == 1


def wrong(scop):
    """A pass that changes the program's meaning."""
    return pn.parse(TEXT.replace("A[i] * 2", "A[i] * 3"))


def unchanged(scop):
    return scop


def test_what_computes_something_else_is_not_timed(trial):
    with pytest.raises(PolynbError, match="do not compute the same"):
        Trial(trial.program, trial.sizes, apply=wrong, compile_options=OPTIONS)({})


def test_where_isl_keeps_no_time_a_variant_has_the_usual_operations(trial, monkeypatch):
    """Those of a few seconds are few, and a pass that is out of them gives the program as it is."""
    with pytest.raises(BudgetExhausted):
        trial.made({}, seconds=1e-6)
    monkeypatch.setattr(isl, "keeps_time", lambda: False)
    assert trial.made({}, seconds=1e-6).told["temporaries"] == []


def test_any_pass_can_be_on_trial(trial):
    found = pn.sweep({"as it is": {}}, Trial(trial.program, {"N": 9}, apply=unchanged, rounds=1))
    assert found.rows[0].values["temporaries"] == ["t"]


def test_a_trial_pickles_and_is_the_same_trial_afterwards(trial, tmp_path):
    record = tmp_path / "record.jsonl"
    again = pickle.loads(pickle.dumps(trial))
    pn.sweep({"all": {}}, trial, resume=record, progress=False)
    assert pn.sweep({"all": {}}, again, resume=record, progress=False).resumed == 1
    larger = Trial(trial.program, {"N": 200}, rounds=2, compile_options=OPTIONS)
    assert pn.sweep({"all": {}}, larger, resume=record, progress=False).resumed == 0


def test_inputs_count_by_their_content(trial, tmp_path):
    record = tmp_path / "record.jsonl"
    for data, resumed in ((np.ones(101), 0), (np.ones(101), 1), (np.zeros(101), 0)):
        given = Trial(trial.program, {"N": 100}, arrays={"A": data}, rounds=1)
        assert pn.sweep({"": {}}, given, resume=record, progress=False).resumed == resumed


# -- what it is made of --------------------------------------------------------------------


def test_a_program_of_one_size_computes_the_same():
    scop = pn.parse("""param N, M; assume N >= 4; input int32 A[N+M][N];
    for i = 0 to N - 1 do
      if mod(i, 2) == 0 and i <= M then S: B[i] = A[i+M][N-1-i] * N + M; else B[i] = -i; fi
    done""")
    sizes = {"N": 9, "M": 5}
    one = fixed(scop, sizes)
    assert one.parameters == ()
    data = np.arange(14 * 9, dtype=np.int32).reshape(14, 9)
    expected = pn.compile(scop, threads=1)(A=data, **sizes)["B"]
    np.testing.assert_array_equal(pn.compile(one, threads=1)(A=data)["B"], expected)
    assert counts(one).arrays == 0


def test_a_size_that_is_missing_is_named():
    with pytest.raises(PolynbError, match="M has no value"):
        fixed(pn.parse("param N, M; for i = 0 to N do A[i] = M; done"), {"N": 3})
    with pytest.raises(PolynbError, match="no text"):
        fixed(pn.propagate(pn.parse(TEXT)).result, {"N": 3})


def test_without_objdump_instructions_are_not_counted(monkeypatch, trial):
    found = shutil.which
    monkeypatch.setattr("shutil.which", lambda name: None if name == "objdump" else found(name))
    assert instructions(pn.compile(trial.program, threads=1)) is None
    assert trial({})["instructions"] is None


@pytest.mark.parametrize(("dtype", "white"), [("float32", 1), ("uint8", 255), ("uint16", 65535)])
def test_a_picture_is_smooth_and_uses_the_range_of_its_type(dtype, white):
    found = picture((4, 320, 240), dtype)
    assert found.dtype == dtype
    assert found.shape == (4, 320, 240)
    assert 0 <= found.min() < 0.2 * white
    assert 0.8 * white < found.max() <= white
    assert set(np.unique(found[3])) == {0, white}
    grey = found[0].astype(float) / white
    assert np.median(abs(np.diff(grey))) < 0.05


def test_inputs_that_can_hold_a_picture_get_one():
    scop = pn.gallery.load("unsharp_mask")
    found = pictures(scop, {"R": 20, "C": 30})
    assert set(found) == {"img", "weight", "threshold"}
    assert found["img"].shape == (3, 24, 34)
    assert found["weight"] == 3
