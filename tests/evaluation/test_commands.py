"""The evaluation's commands, at sizes that take no time."""

import json

import numpy as np
import pytest

import polynb as pn
from polynb.errors import PolynbError
from polynb.evaluation import (
    delicm,
    figure11,
    figure12,
    table1,
)
from polynb.evaluation.commands import STORED, read_json
from polynb.tuning.results import INTERVAL, Row, Sweep

SMALL = ["--sizes", "R=24,C=24", "--rounds", "2", "--threads", "1"]


def test_table_1_stands_beside_the_papers(capsys, tmp_path):
    file = tmp_path / "found.json"
    assert table1.main(["harris", "no-such-pipeline", "--json", str(file)]) == 0
    out, err = capsys.readouterr()
    (line,) = (x for x in out.splitlines() if x.startswith("harris"))
    cells = "harris 12 (12) 2 (2) 22 (22) 2 (2) 11 (11) 1 (1) 65 (65) 26 (26)"
    assert " ".join(line.split()) == cells
    assert "no-such-pipeline is left out" in err
    (row,) = json.loads(file.read_text())["table1"]["rows"]
    assert row["values"]["propagated"]["arrays"] == 2


def test_with_no_pipeline_at_all_a_command_fails(capsys):
    assert table1.main(["nothing"]) == 1
    assert figure11.main(["nothing"]) == 1


@pytest.mark.long
def test_figure_11_sweeps_the_limit(capsys, tmp_path):
    file, record = tmp_path / "found.json", tmp_path / "record.jsonl"
    options = [*SMALL, "--limits", "2,32", "--json", str(file), "--resume", str(record)]
    assert figure11.main(["unsharp_mask", *options]) == 0
    rows = json.loads(file.read_text())["unsharp_mask"]["rows"]
    assert [r["name"] for r in rows] == ["2", "32", "none"]
    left = [len(r["values"]["temporaries"]) for r in rows]
    assert left[0] > left[1] == left[2] == 0
    assert "cache lines" in capsys.readouterr().out
    assert len(record.read_text().splitlines()) == 3


def test_what_is_not_seen_to_be_slower_than_the_best_is_marked_as_it_is():
    def row(limit, ratio, left):
        interval = [ratio - 0.1, ratio + 0.1]
        return Row(limit, {"ratio": ratio, "interval": interval, "temporaries": ["t"] * left})

    found = Sweep((row("16", 1.25, 2), row("32", 1.11, 2), row("2", 1.0, 7)))
    lines = str(figure11.table({"harris": found})).splitlines()
    assert [line.split()[1:] for line in lines[1:]] == [
        ["*1.25", "(1.15", "–", "1.35),", "2", "left"],
        ["*1.11", "(1.01", "–", "1.21),", "2", "left"],
        ["1.00", "(0.90", "–", "1.10),", "7", "left"],
    ]


def limited(*rows):
    """A sweep of limits: name, ratio, temporaries left, accesses, interval."""
    return Sweep(
        tuple(
            Row(n, {"ratio": r, "temporaries": left, "accesses": a, INTERVAL: interval})
            for n, r, left, a, interval in rows
        )
    )


def test_the_same_program_under_several_limits_shows_what_noise_is():
    found = limited(
        ("2", 1.0, ["t", "u"], 9, None),
        ("16", 1.25, [], 7, None),
        ("32", 1.05, [], 7, None),
        ("64", 1.11, [], 7, None),
        ("none", 1.3, [], 8, None),
    )
    groups = [[r.name for r in rows] for rows in figure11.same_programs(found)]
    assert groups == [["2"], ["16", "32", "64"], ["none"]]
    assert figure11.noise({"harris": found}).rows == (
        ("harris", "16, 32, 64", "1.05", "1.25", "19%"),
    )
    assert figure11.undecided(found) == {"none"}


def test_a_star_is_on_all_that_may_be_the_fastest():
    found = limited(
        ("2", 1.0, ["t"], 9, [0.9, 1.1]),
        ("8", 1.2, ["u"], 8, [1.1, 1.32]),
        ("16", 1.25, [], 7, [1.15, 1.35]),
        ("32", 1.05, [], 7, [1.0, 1.12]),
    )
    assert figure11.undecided(found) == {"8", "16", "32"}
    cells = {row[0]: row[1] for row in figure11.table({"harris": found}).cells}
    assert cells["8"] == "*1.20 (1.10 – 1.32), 1 left"
    assert cells["2"] == "1.00 (0.90 – 1.10), 1 left"


def test_what_was_measured_comes_with_polynb():
    for name in ("figure11", "figure12", "peers", "table1", "delicm"):
        assert read_json(STORED / f"{name}.json")
    for name in ("beside_the_paper", "growth"):
        assert json.loads((STORED / f"{name}.json").read_text())


@pytest.mark.long
def test_figure_12_draws_subsets_and_fits_lines(capsys):
    assert figure12.main(["unsharp_mask", *SMALL, "--each", "2", "--seed", "3"]) == 0
    out = capsys.readouterr().out
    assert "run time against" in out
    (line,) = (x for x in out.splitlines() if "47.79 / 8.53 / 8.5 / 59 ms" in x)
    assert line.startswith("unsharp_mask")


def test_subsets_are_propagated_without_heuristics():
    scop = pn.gallery.load("unsharp_mask")
    found = figure12.combinations(scop, each=31, largest=31, seed=0)
    assert len(found) == 1 + 7
    assert found["blurx sharpen"] == {"arrays": ("blurx", "sharpen"), "heuristics": ()}
    assert pn.propagate(scop, **found["blurx sharpen"]).result.temporaries == ("blury",)


def test_a_regression_line_is_the_least_squares_one():
    rows = [Row(str(n), {"arrays": n, "ratio": 1 / (0.25 * n + 0.5)}) for n in (1, 2, 5)]
    found = figure12.line([*rows, Row("failed", error="no")], "arrays")
    assert found is not None
    np.testing.assert_allclose((found.slope, found.intercept, found.r), (0.25, 0.5, 1))
    assert found.points == 3
    assert figure12.line(rows[:1], "arrays") is None
    assert figure12.line(rows, "instructions") is None


# -- DeLICM --------------------------------------------------------------------------------


def test_delicm_counts_what_there_and_back_changes(capsys, tmp_path):
    file = tmp_path / "found.json"
    assert delicm.main(["gemm", "delicm-listing3", "--kind", "licm", "--json", str(file)]) == 0
    out = capsys.readouterr().out
    (line,) = (x for x in out.splitlines() if x.startswith("gemm"))

    cells = "gemm, licm 0 → 10 → 0 0 → 12 → 0 3 → 1 → 3 yes → no → yes"
    assert " ".join(line.split()) == cells

    gemm, listing3 = read_json(file)["counts"].rows
    assert gemm.values["introduced"] == 10
    assert gemm.values["kept"] == 0
    assert listing3.values["dependences"] == [10, 13, 0]
    assert listing3.values["band"] == [1, 1, 2]


@pytest.mark.long
def test_delicm_says_what_is_left_and_whose(capsys):
    assert delicm.main(["durbin", "--kind", "pre"]) == 0
    out = capsys.readouterr().out
    assert "durbin, pre: beta is left (the program's own)" in out
    assert "beta is not mapped to y" in out
    assert "are gone" not in out


def test_a_scalar_that_became_several_is_still_the_programs_own():
    """Of three sums, only C has elements that are free: D and E are read at the end."""
    scop = pn.parse(
        """param N;  temp a;  output C[N];  inout D[N], E[N];
        for i = 0 to N-1 do
          a = 0; for k = 0 to N-1 do a = a + A[k]; done C[i] = a;
          a = 1; for k = 0 to N-1 do a = a * A[k]; done D[i] = D[i] * a;
          a = 2; for k = 0 to N-1 do a = a - A[k]; done E[i] = E[i] - a;
        done"""
    )
    trip = delicm.round_trip(scop, "pre")
    assert len(trip.own) == len(scop.arrays) + 2
    assert len(trip.left) == 2
    assert set(trip.left) <= trip.own
    assert not set(trip.left) <= set(scop.arrays)
    assert not trip.kept


@pytest.mark.long
def test_delicm_measures_five_settings_and_tiles_where_there_is_a_band(capsys, tmp_path):
    file = tmp_path / "found.json"
    small = ["--kind", "licm", "--times", "--size", "9", "--rounds", "5", "--json", str(file)]
    assert delicm.main(["gemm", "durbin", *small]) == 0
    gemm, durbin = read_json(file)["times"].rows
    five = ["arrays", "scalars", "DeLICM", "live ranges reordered", "propagated"]
    assert list(gemm.values)[:-2] == [*five, "arrays, tiled", "DeLICM, tiled"]
    assert list(durbin.values)[:-2] == five
    assert gemm.values["sizes"] == {"ni": 9, "nj": 9, "nk": 9}
    assert all(len(gemm.values[s]["interval"]) == 2 for s in five)
    assert durbin.values["arrays"]["ratio"] == 1
    assert "times faster" in capsys.readouterr().out


def test_what_delicm_is_timed_on_are_numbers():
    """Random matrices have no Cholesky factor: all settings would agree, on NaN."""
    for name in ("lu", "cholesky", "durbin"):
        kernel = pn.compile(pn.gallery.load(name))
        random = {"y": np.zeros(40)} if name == "durbin" else {}
        out = kernel({**random, **delicm.inputs(name, {"n": 40})}, n=40)
        assert all(np.isfinite(a).all() for a in out.values())


def test_a_program_that_delicm_does_not_count_is_refused():
    with pytest.raises(PolynbError, match="harris is not counted here"):
        delicm.main(["harris"])
