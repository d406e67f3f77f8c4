"""Sweeps: every executor, interruptions, failures."""

import json
import multiprocessing
import os
import sys
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import polynb as pn
from polynb.errors import PolynbError
from polynb.evaluation.commands import read_json, write_json
from polynb.run import compilers
from polynb.schedules import privatize
from polynb.tuning import Trial, trial
from polynb.tuning.results import Row, Sweep
from polynb.tuning.sweeping import _fingerprint, _Line

SIZES = {"one": 1, "two": 2, "three": 3}


def squared(x):
    return {"ratio": x * x, "process": os.getpid()}


def only_even(x):
    if x % 2:
        raise ValueError("it is\nodd")
    return {"ratio": x}


def logged(path, x):
    """A run that says in a file that it ran."""
    with path.open("a") as file:
        file.write(f"{x}\n")
    return {"ratio": 10 * x}


class Logged:
    def __init__(self, path: Path, stop: int | None = None) -> None:
        self.path, self.stop = path, stop

    def __reduce__(self):  # what runs, without its log
        return Logged, (None,)

    def __call__(self, x):
        if x == self.stop:
            raise KeyboardInterrupt
        return logged(self.path, x)

    @property
    def ran(self):
        return self.path.read_text().split() if self.path.exists() else []


@pytest.fixture
def log(tmp_path):
    return Logged(tmp_path / "log")


def test_rows_come_in_the_order_of_the_variants_and_the_best_has_the_highest_ratio():
    found = pn.sweep(SIZES, squared, progress=False)
    assert [r.name for r in found.rows] == ["one", "two", "three"]
    assert [r.values["ratio"] for r in found.rows] == [1, 4, 9]
    assert found.best.name == "three"
    assert found.extreme("ratio", lowest=True).name == "one"
    assert found["two"].values["ratio"] == 4
    assert {r.values["process"] for r in found.rows} == {os.getpid()}
    assert found.rows == pn.sweep(iter(SIZES.items()), squared, progress=False).rows


@pytest.mark.parametrize("kind", ["processes", "threads"])
@pytest.mark.long
def test_any_executor_runs_them(kind, monkeypatch):
    # IPython's shell, which other tests start, puts a module without a spec in the place of main.
    monkeypatch.setattr(sys.modules["__main__"], "__spec__", None, raising=False)
    context = multiprocessing.get_context("spawn")
    processes = kind == "processes"
    pool = ProcessPoolExecutor(2, context) if processes else ThreadPoolExecutor(2)
    with pool as executor:
        found = pn.sweep(SIZES, _ratio_and_whether_here, executor=executor, progress=False)
    assert [r.values["ratio"] for r in found.rows] == [1, 4, 9]
    assert {r.values["here"] for r in found.rows} == {os.getpid()} or processes
    assert os.getpid() not in {r.values["here"] for r in found.rows} or not processes


def _ratio_and_whether_here(x):
    return {"ratio": x * x, "here": os.getpid()}


def test_a_failing_variant_is_a_row_with_its_error():
    found = pn.sweep(SIZES, only_even, progress=False)
    assert [r.error for r in found.rows] == [
        "ValueError: it is odd",
        None,
        "ValueError: it is odd",
    ]
    assert [r.name for r in found.failed] == ["one", "three"]
    assert found.best.name == "two"
    assert "one failed: ValueError: it is odd" in str(found.table())


@pytest.mark.parametrize("given", [None, 3, {"x": object()}, {"x": {1, 2}}])
def test_what_is_no_mapping_of_json_values_is_an_error_of_its_row(given):
    (row,) = pn.sweep({"a": 0}, lambda _: given, progress=False).rows
    assert row.error is not None
    assert not row.values


def test_numpys_numbers_are_numbers():
    (row,) = pn.sweep({"a": 0}, lambda _: {"x": np.float32(0.5), "n": np.int64(3)}).rows
    assert row.values == {"x": 0.5, "n": 3}
    assert type(row.values["x"]) is float


def test_without_a_number_there_is_no_best():
    with pytest.raises(PolynbError, match="no variant has a number called 'ratio'") as caught:
        _ = pn.sweep({"a": 1}, only_even, progress=False).best
    assert "odd" in str(caught.value.reason)


def test_two_variants_of_one_name_are_refused():
    with pytest.raises(PolynbError, match="two variants are called 'a'"):
        pn.sweep([("a", 1), ("a", 2)], squared)


# -- interruptions -------------------------------------------------------------------------


def test_after_an_interrupt_only_the_rest_is_run(tmp_path, log):
    record = tmp_path / "record.jsonl"
    with pytest.raises(KeyboardInterrupt):
        pn.sweep(SIZES, Logged(log.path, stop=3), resume=record, progress=False)
    assert log.ran == ["1", "2"]
    found = pn.sweep(SIZES, log, resume=record, progress=False)
    assert log.ran == ["1", "2", "3"]
    assert [r.values["ratio"] for r in found.rows] == [10, 20, 30]
    assert found.resumed == 2
    assert found.rows == pn.sweep(SIZES, log, progress=False).rows


def test_a_line_that_is_not_whole_is_run_again_and_kept_apart(tmp_path, log):
    record = tmp_path / "record.jsonl"
    pn.sweep(SIZES, log, resume=record, progress=False)
    whole = record.read_bytes()
    last = whole.splitlines(keepends=True)[-1]
    for cut in (1, len(last) // 2, len(last) - 1):
        record.write_bytes(whole[:-cut])
        log.path.unlink()
        found = pn.sweep(SIZES, log, resume=record, progress=False)
        assert log.ran == ([] if cut == 1 else ["3"])  # without its line end it is whole
        assert [r.values["ratio"] for r in found.rows] == [10, 20, 30]
        log.path.touch()
        again = pn.sweep({**SIZES, "four": 4}, log, resume=record, progress=False)
        assert again.resumed == 3
        assert all(_is_json(line) for line in record.read_text().splitlines()[-1:])


def _is_json(line):
    return bool(json.loads(line))


def test_a_variant_is_known_by_what_it_is_not_by_its_name(tmp_path, log):
    record = tmp_path / "record.jsonl"
    pn.sweep({"a": {"x": 1, "y": (2, 3)}}, _total, resume=record, progress=False)
    same = pn.sweep({"b": {"y": [2, 3], "x": 1}}, _total, resume=record, progress=False)
    assert same.resumed == 1
    assert same.rows[0].name == "b"
    other = pn.sweep({"a": {"x": 1, "y": (2, 4)}}, _total, resume=record, progress=False)
    assert other.resumed == 0
    assert other.rows[0].values == {"ratio": 7}


def test_another_run_does_not_take_over_the_rows_of_the_first(tmp_path):
    record = tmp_path / "record.jsonl"
    pn.sweep({"a": 4}, squared, resume=record, progress=False)
    found = pn.sweep({"a": 4}, only_even, resume=record, progress=False)
    assert found.resumed == 0
    assert found.rows[0].values == {"ratio": 4}


def test_a_program_is_known_by_how_it_runs_as_well():
    scop = pn.parse("param N; temp t; for i = 0 to N-1 do t = A[i]; B[i] = t * t; done")
    own = privatize(scop)
    assert str(own) == str(scop)
    assert _fingerprint(own) != _fingerprint(scop)
    assert _fingerprint(privatize(scop)) == _fingerprint(own)


def test_a_trial_on_another_machine_is_another_run(monkeypatch):
    scop = pn.parse("param N; for i = 0 to N-1 do B[i] = A[i]; done")
    here = _fingerprint(Trial(scop, {"N": 9}))
    assert here == _fingerprint(Trial(scop, {"N": 9}))
    other = replace(compilers.find(), identity="a newer one")
    monkeypatch.setattr(compilers, "find", lambda requested: other)
    newer = _fingerprint(Trial(scop, {"N": 9}))
    monkeypatch.setattr(trial, "processor", lambda: "M1, 8 processors")
    assert len({here, newer, _fingerprint(Trial(scop, {"N": 9}))}) == 3


def _total(x):
    return {"ratio": x["x"] + sum(x["y"])}


def test_failures_are_kept_unless_they_are_to_be_tried_again(tmp_path):
    record = tmp_path / "record.jsonl"
    pn.sweep(SIZES, only_even, resume=record, progress=False)
    kept = pn.sweep(SIZES, only_even, resume=record, progress=False)
    assert (kept.resumed, len(kept.failed)) == (3, 2)
    tried = pn.sweep(SIZES, only_even, resume=record, retry=True, progress=False)
    assert (tried.resumed, len(tried.failed)) == (1, 2)


def test_a_file_that_is_no_record_is_left_alone(tmp_path):
    precious = tmp_path / "thesis.txt"
    precious.write_text("one\ntwo\n")
    with pytest.raises(PolynbError, match="not the record of a sweep"):
        pn.sweep(SIZES, squared, resume=precious)
    assert precious.read_text() == "one\ntwo\n"


class Broken(Executor):
    """Runs one, then breaks."""

    def __init__(self) -> None:
        self.given = 0

    def submit(self, fn, /, *args, **kwargs):
        future: Future = Future()
        self.given += 1
        if self.given == 1:
            future.set_result(fn(*args, **kwargs))
        else:
            future.set_exception(RuntimeError("the machine is gone"))
        return future


def test_where_the_executor_failed_the_variant_has_its_turn_the_next_time(tmp_path):
    record = tmp_path / "record.jsonl"
    broken = pn.sweep(SIZES, squared, executor=Broken(), resume=record, progress=False)
    assert [r.error for r in broken.rows][1:] == [
        "the executor failed: RuntimeError: the machine is gone"
    ] * 2
    assert len(record.read_text().splitlines()) == 1
    found = pn.sweep(SIZES, squared, resume=record, progress=False)
    assert (found.resumed, found.failed) == (1, ())


# -- progress ------------------------------------------------------------------------------


def test_progress_is_told_what_is_done():
    told = []
    pn.sweep(SIZES, only_even, progress=lambda *x: told.append(x))
    assert told == [
        ("sweep", 0, 3),
        ("one, 1 failed", 1, 3),
        ("two, 1 failed", 2, 3),
        ("three, 2 failed", 3, 3),
    ]


def test_the_line_of_progress_is_gone_in_the_end(capsys, monkeypatch):
    now = 0.0
    monkeypatch.setattr("polynb.tuning.sweeping.time.monotonic", lambda: now)
    line = _Line()
    for done in range(4):
        now += 60
        line("kept", done, 4)
    line("kept", 4, 4)
    said = capsys.readouterr().out.split("\r")
    assert said[1].strip() == "0 of 4: kept"
    assert said[3].strip() == "2 of 4, 3 min left: kept"
    assert said[-1] == ""
    assert said[-2].strip() == ""
    assert len(said[-2]) >= max(map(len, said))


def test_of_what_nobody_knows_how_much_there_is_only_what_is_told(capsys, monkeypatch):
    now = 0.0
    monkeypatch.setattr("polynb.tuning.sweeping.time.monotonic", lambda: now)
    line = _Line()
    for _ in range(2):
        now += 60
        line("timing fuse, second 1 of 9", 0, 0)
    line("done", 2, 2)
    said = [text.strip() for text in capsys.readouterr().out.split("\r")]
    assert said == ["", "timing fuse, second 1 of 9", "timing fuse, second 1 of 9", "", ""]


@pytest.mark.parametrize("terminal", [True, False])
def test_progress_is_no_error_in_a_notebook(capsys, monkeypatch, terminal):
    """Jupyter has a red box for stderr, and keeps it when the line is gone."""
    monkeypatch.setattr("sys.ps1", "> ", raising=False)
    monkeypatch.setattr("polynb.tuning.sweeping.INTERVAL", 0)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal)
    pn.sweep(SIZES, squared)
    out, err = capsys.readouterr()
    assert (not out, not err) == (terminal, not terminal)


def test_without_a_terminal_nothing_is_written(capsys, monkeypatch):
    monkeypatch.delattr("sys.ps1", raising=False)
    pn.sweep(SIZES, squared)
    assert capsys.readouterr() == ("", "")


# -- the result ----------------------------------------------------------------------------


def test_a_table_shows_what_differs_and_says_once_what_does_not():
    found = pn.sweep(
        {"a": 1, "b": 2}, lambda x: {"ratio": x / 3, "heap": "kept", "left": ["t"] * x}
    )
    assert str(found.table()).splitlines() == [
        "   ratio  left",
        "a  0.333     1",
        "b  0.667     2",
        "heap: kept",
    ]
    assert str(found.table("ratio")).splitlines()[0] == "   ratio"
    assert str(found) == str(found.table())


def test_a_ratio_in_a_table_has_its_interval():
    found = pn.sweep(
        {"a": 1.0, "b": 2.0},
        lambda x: {"ratio": x, "interval": [x - 0.1, x + 0.1] if x > 1 else None},
        progress=False,
    )
    assert [line.split() for line in str(found.table()).splitlines()] == [
        ["ratio"],
        ["a", "1"],
        ["b", "2", "(1.90", "–", "2.10)"],
    ]
    assert str(found.table("ratio")) == str(found.table())


def test_json_has_every_row():
    found = pn.sweep(SIZES, only_even, progress=False)
    rows = json.loads(found.to_json())["rows"]
    assert rows[1] == {"name": "two", "values": {"ratio": 2}, "error": None}
    assert rows[0]["error"].startswith("ValueError")


def test_json_is_read_as_it_was_written(tmp_path):
    found = Sweep((Row("a", {"ratio": 1.5, "temporaries": ["t"]}), Row("b", error="no")))
    assert Sweep.from_json(found.to_json()) == found
    write_json(tmp_path / "rows.json", {"harris": found})
    assert read_json(tmp_path / "rows.json") == {"harris": found}


def test_a_sweep_that_was_killed_in_its_first_row_begins_again(tmp_path):
    record = tmp_path / "rows.jsonl"
    record.write_text('{"key": "12')
    assert len(pn.sweep({"a": 1}, lambda a: {"x": a}, resume=record, progress=False).rows) == 1
    record.write_text("no row\n")
    with pytest.raises(PolynbError, match="not the record of a sweep"):
        pn.sweep({"a": 1}, lambda a: {"x": a}, resume=record, progress=False)
