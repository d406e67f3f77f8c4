"""`pn.search`: sequences of moves, judged, timed where they are legal, and what is said of them."""

import math
import multiprocessing
import pickle
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace

import pytest

import polynb as pn
from polynb import gallery
from polynb.isl import BudgetExhausted
from polynb.run.oracle import equivalent
from polynb.tuning import sweeping
from polynb.tuning.best_first import best_first
from polynb.tuning.passes import otherwise
from polynb.tuning.ranking import fastest
from polynb.tuning.results import Row, Sweep
from polynb.tuning.scripts import Scripts, TimeIsUp
from polynb.tuning.searching import Search, _Timed
from polynb.tuning.space import SEARCHED, MoveSequence, OpenSpace, SearchSpace, enumerate_space
from polynb.tuning.trial import Trial

QUICK = {"trial_seconds": 0.01, "progress": False}
SUMS = """
param N;  input A[N][N];  output B[N][N];
for i = 0 to N-1 do for j = 1 to N-1 do S: B[i][j] = A[j][i] + A[j-1][i]; done done
"""
CHAIN = """
param N;  inout A[N];
for i = 1 to N-1 do S: A[i] = A[i-1] + A[i]; done
"""


def space(text, names, depth=2, most=500, seconds=60.0):
    scop = pn.parse(text)
    return enumerate_space(
        scop, names, depth=depth, by=4, most=most, seconds=seconds, report=lambda *a: None
    )


def test_the_space_of_two_free_loops():
    found = space(SUMS, ["interchange", "reverse"])
    assert found.complete
    assert {s.title for s in found.legal} == {
        "as it is",
        "interchange i j",
        "reverse i",
        "reverse j",
        "interchange i j; reverse i",
        "interchange i j; reverse j",
        "reverse i; reverse j",
    }
    assert found.refused == ()


@pytest.mark.long
def test_each_legal_sequence_computes_the_same_and_each_illegal_one_does_not():
    """By execution of the programs, which knows nothing of verdicts."""
    for text, names in ((SUMS, list(SEARCHED)), (CHAIN, ["reverse", "parallel", "tile"])):
        scop = pn.parse(text)
        found = space(text, names)
        assert len(found.legal) > 1 or found.refused
        for s in found.legal[:40]:
            assert equivalent(scop, pn.transform(scop, s.script).result, N=[0, 1, 6, 9])
        for s in found.refused:
            assert not pn.transform(scop, s.script).legal
            assert s.why


def test_a_chain_can_only_be_left_as_it_is():
    found = space(CHAIN, ["reverse", "parallel", "vectorize", "skew", "interchange"])
    assert [s.title for s in found.legal] == ["as it is"]
    assert sorted({s.move for s in found.refused}) == ["parallel", "reverse", "vectorize"]
    assert all("S(2) depends on S(1)" in s.why or "S(1)" in s.why for s in found.refused)


def test_bounds_are_kept_and_said():
    cut = space(SUMS, list(SEARCHED), most=5)
    assert not cut.complete
    assert len(cut.sequences) <= 6
    out_of_time = space(SUMS, list(SEARCHED), depth=4, most=10**6, seconds=0.3)
    assert not out_of_time.complete


@pytest.mark.long
def test_what_is_legal_is_timed_and_the_best_can_be_had_again():
    found = pn.search(pn.parse(SUMS), moves="interchange", depth=1, N=64, **QUICK)
    assert [r.name for r in found.sweep.rows] == ["as it is", "interchange i j"]
    assert found.sweep.failed == ()
    assert found.transformation().legal
    assert found.script in ("", "interchange i j")
    assert "2 sequences looked at." in str(found)
    assert found.best.name in str(found)


def ratios(measured):
    """A measurement of sequences that gives these ratios, by title; 1 of all others, and 0.9 to 1.1
    of every one is the interval."""
    order = []

    def measure(sequences):
        order.extend(s.title for s in sequences)
        found = [measured.get(s.title, 1.0) for s in sequences]
        return [
            Row(s.title, {"ratio": r, "interval": [0.9 * r, 1.1 * r]})
            for s, r in zip(sequences, found, strict=True)
        ]

    return measure, order


TWO = """
param N;  inout A[N][N], B[N][N];
for i = 0 to N-1 do for j = 0 to N-1 do S: A[i][j] = 2 * A[i][j]; done done
for k = 0 to N-1 do for l = 0 to N-1 do T: B[k][l] = 3 * B[k][l]; done done
"""


def in_order(measured, **limits):
    space = OpenSpace(
        pn.parse(TWO), ["reverse", "interchange"], by=4, most=10**6, report=lambda *a: None
    )
    measure, order = ratios(measured)
    best_first(space, measure, **{"depth": 3, "most": 10**6, "seconds": 60.0, **limits})
    return order, space


def test_what_measured_well_is_prolonged_before_others_are_timed():
    fast = {"reverse k": 3.0, "reverse k; interchange i j": 9.0}
    order, _ = in_order(fast, most=24)
    at = order.index
    assert order[:4] == ["as it is", "reverse i", "reverse j", "reverse k"]
    assert all(s.startswith("reverse k; ") for s in order[4:10])
    assert at("reverse k; interchange i j") < 10
    assert order[at("reverse k; interchange i j") + 1].startswith("reverse k; interchange i j; ")
    assert in_order({}, most=7)[0] == [
        "as it is",
        *(f"reverse {x}" for x in "ijkl"),
        "interchange i j",
        "interchange k l",
    ]


def test_noise_is_not_gone_after_and_what_brings_nothing_makes_room():
    order, _ = in_order({"reverse i": 1.1}, most=7)  # 0.99 times, it may be
    assert all(";" not in title for title in order)
    order, _ = in_order({"reverse i": 1.5}, most=24)
    assert "interchange k l" in order
    assert order.index("reverse i; reverse j") < order.index("reverse j")


def test_a_move_that_is_no_faster_for_sure_is_not_gone_after():
    """3.1, and 2.79 at least, behind 3.0: its moves wait."""
    order, _ = in_order({"reverse k": 3.0, "reverse k; reverse i": 3.1}, most=7)
    assert order[4:] == [f"reverse k; reverse {x}" for x in "ij"] + ["reverse k; reverse l"]


def test_without_limits_every_program_is_timed_once():
    order, space = in_order({"reverse k": 3.0}, depth=2)
    whole = enumerate_space(
        pn.parse(TWO), ["reverse", "interchange"], depth=2, by=4, most=500, seconds=60.0,
        report=lambda *a: None,
    )  # fmt: skip
    assert len(order) == len(set(order)) == len(whole.legal)
    assert space.complete
    assert not in_order({}, depth=2, most=3)[1].complete


KEPT = """
param N;  input A[N+2][N+2];  temp t[N+2][N+2];  output B[N+2][N+2];
for i = 0 to N do for j = 0 to N do S: t[i][j] = A[i][j] + A[i+1][j]; done done
for i = 1 to N do for j = 1 to N do T: B[i][j] = t[i-1][j] * t[i][j-1]; done done
"""


def with_passes(measured, text, names, sizes=None, **limits):
    space = OpenSpace(
        pn.parse(text), ["interchange"], by=4, most=10**6, report=lambda *a: None, passes=names,
        sizes=sizes,
    )  # fmt: skip
    measure, order = ratios(measured)
    best_first(space, measure, **{"depth": 3, "most": 10**6, "seconds": 60.0, **limits})
    return order, space


STRIPS = ["propagate windows=32", "propagate windows=64", "propagate windows=16"]
STRIPS += ["propagate windows=32 together=2", "propagate windows=32 together=8"]


def test_passes_are_timed_first_and_then_what_they_do_otherwise():
    """Of a pipeline, strips before orders; then from the ones that were fastest on."""
    names = ("propagate", "reorder", "remove_scalars")
    fast = {"propagate windows=64": 3.0, "propagate windows=16": 2.0}
    order, space = with_passes(fast, KEPT, names, most=14)
    assert order[:8] == ["as it is", *STRIPS, "propagate", "reorder"]
    assert order[8:10] == ["reorder tile=32", "interchange S.i S.j"]
    assert order[10:] == [
        "propagate windows=128",
        *(f"propagate windows=64 {told}" for told in ("together=2", "together=8", "keep=t")),
    ]
    assert not space.complete


@pytest.mark.parametrize(("told", "gone"), [("", ["s", "t"]), (" keep=t", ["s"])])
def test_windows_are_also_tried_for_what_would_be_computed_in_place(told, gone):
    text = KEPT.replace("temp t", "temp s[N+2][N+2], t").replace("S: t", "s[i][j] = A[i][j] * 2; t")
    scop = pn.parse(text.replace("= A[i][j] + ", "= s[i][j] + "))
    line = f"propagate windows=32{told}"
    made = pn.transform(scop, line).result
    assert [a for a in scop.temporaries if a not in made.arrays] == gone
    found = [*otherwise(scop, line, gone)]
    assert f"{line} together=2" in found
    kept = f"propagate windows=32 keep={'t,s' if told else 's'}"
    assert kept in found
    assert "s" in pn.transform(scop, kept).result.arrays


def test_data_that_chooses_is_propagated_through():
    text = """param N; input int32 k[N]; input a[N]; output b[N]; temp t[4][N];
    for p = 0 to 3 do for i = 0 to N-1 do t[p][i] = a[i] * p; done done
    for i = 0 to N-1 do b[i] = t[k[i]][i]; done"""
    lines = [*otherwise(pn.parse(text), "propagate")]
    assert lines == [
        f"propagate {how}"
        for how in ("recurrences=strips", "by_data=true", "by_data=true recurrences=strips")
    ]
    assert [*otherwise(pn.parse(KEPT), "propagate")] == lines[:1]
    assert "t" not in pn.transform(pn.parse(text), lines[1]).result.arrays


def test_passes_that_have_nothing_to_do_are_not_tried():
    names = ("propagate", "remove_scalars")
    assert with_passes({}, SUMS, names, most=3)[0] == ["as it is", "interchange i j"]


def test_orders_are_chosen_for_the_sizes_that_are_timed():
    order, _ = with_passes({}, KEPT, ("optimise",), most=3, sizes={"N": 64})
    assert order == ["as it is", "optimise", "optimise N=64"]


@dataclass
class Luck:
    """Scripts of which one program is faster than it is when it is alone, and another, which all
    know, is slower; together, one is slower than it is at the second time."""

    trial: Trial = field(default_factory=lambda: Trial(pn.parse(TWO), {"N": 4}, seconds=0.1))
    together: list = field(default_factory=list)

    def __call__(self, script):
        alone = {"": 1.0, "reverse i": 2.0, "reverse j": 1.5, "optimise": 0.9}
        return _around(alone.get(script, 1.2))

    def beside(self, scripts, times, seconds):
        self.together.append(list(scripts))
        steady = {"reverse i": 1.1, "reverse j": 1.5, "optimise": 1.4}
        found = []
        for k in range(times):
            steady |= dict.fromkeys(("reverse k", "reverse l"), 1.6 if k == 1 else 2.0)
            found.append({name: _around(steady[s]) for name, s in scripts.items()})
        return found


def _around(ratio):
    return {"ratio": ratio, "interval": [ratio * 0.95, ratio * 1.05]}


def test_the_fastest_ones_are_timed_again():
    timed = _Timed(Luck(), 10, None, None, lambda *a: None)
    scripts = ("", "reverse i", "reverse j", "reverse k", "reverse l", "reverse m", "optimise")
    tried = [MoveSequence(s, "reverse", True) for s in scripts]
    timed.measured(tried)
    timed.finals(seconds=2.0)
    assert [r.values["ratio"] for r in timed.rows] == [1.0, 1.1, 1.5, 1.6, 1.6, 1.2, 1.4]
    assert timed.scripts.together == [[f"reverse {x}" for x in "ijkl"] + ["optimise"]]
    assert timed.again == {f"reverse {x}" for x in "ijkl"} | {"optimise"}
    assert fastest(timed.rows, timed.again).name == "reverse k"


def test_where_there_is_no_room_for_all_of_them_what_each_was_alone_counts():
    def too_large(*_):
        raise pn.PolynbError("the arrays take 15 GB, 12 GB are left")

    timed = _Timed(Luck(), 10, None, None, lambda *a: None)
    timed.scripts.beside = too_large
    timed.measured([MoveSequence(s, "reverse", True) for s in ("", "reverse i", "optimise")])
    timed.finals(seconds=2.0)
    assert [r.values["ratio"] for r in timed.rows] == [1.0, 2.0, 0.9]
    assert not timed.again


def test_what_was_fast_once_gives_way_to_what_was_fast_again():
    """Timed again, all were slower than one that was timed once: it may have been lucky, too."""
    rows = [Row("as it is", _around(1.0))]
    rows += [Row(f"reverse {x}", _around(r)) for x, r in (("i", 1.2), ("j", 1.5), ("k", 0.9))]
    again = frozenset(["reverse i", "reverse k"])
    found = Search(pn.parse(TWO), SearchSpace((), True), Sweep(tuple(rows)), again=again)
    assert found.best.name == "reverse i"
    order = ["reverse i", "as it is", "reverse k", "reverse j"]
    assert [r[0] for r in found.table().rows] == order
    assert fastest(rows, frozenset()).name == "reverse j"
    assert fastest(rows, frozenset(["reverse k"])).name == "as it is"


def of(text, seconds=math.inf, **sizes):
    trial = Trial(pn.parse(text), sizes, apply=pn.transform, rounds=2)
    return Scripts(trial, time.monotonic() + seconds)


def test_a_program_is_made_once_and_its_kernels_processes_end():
    scripts = of(SUMS, N=9)
    assert scripts("interchange i j")["loops"] == 2
    made = scripts.made["interchange i j"]
    again = scripts.beside({"other": "interchange i j", "as it is": ""}, times=2, seconds=0.01)
    assert [list(t) for t in again] == [["other", "as it is"]] * 2
    assert scripts.made == {"": scripts.made[""], "interchange i j": made}
    assert scripts.transformation("interchange i j") is made.derivation
    assert scripts.at_hand("reverse i") is None
    assert scripts.transformation("reverse i").legal
    assert made.kernel._idle is None


@pytest.mark.long
def test_a_move_behind_what_is_there_is_all_that_is_made():
    """And the same as by its script."""
    script = "optimise\ninterchange i j"
    expected = str(pn.transform(pn.parse(TWO), script).result)
    scripts = of(TWO, N=9)
    for known in ("", "optimise"):
        scripts(known)
    scripts.trial = replace(scripts.trial, apply=lambda *_, **given: pytest.fail(str(given)))
    scripts(script)
    assert str(scripts.transformation(script).result) == expected
    assert scripts.transformation(script).script == script


@pytest.mark.long
def test_a_program_that_is_not_made_in_time_is_given_up():
    trial = Trial(gallery.load("local_laplacian"), {"R": 128, "C": 128}, pn.transform, rounds=2)
    scripts = Scripts(trial, time.monotonic() + 0.3)
    with pytest.raises(TimeIsUp):
        scripts("optimise")
    assert time.monotonic() < scripts.end + 3  # it takes more than ten
    assert not scripts.made
    (told,) = scripts.beside({"as it is": "", "optimise": "optimise"}, times=1, seconds=0.01)
    assert told.keys() == {"as it is"}


def test_the_program_as_it_is_is_none_that_time_gives_up(monkeypatch):
    def stopped(*args):
        raise BudgetExhausted("it took too long")

    scripts = of(SUMS, seconds=-1, N=9)
    monkeypatch.setattr(Trial, "made", stopped)
    with pytest.raises(BudgetExhausted):
        scripts("")
    with pytest.raises(TimeIsUp):
        scripts("reverse i")


def test_a_search_ends_where_the_time_for_a_program_does():
    space = OpenSpace(pn.parse(SUMS), ["reverse"], by=4, most=9, report=lambda *a: None)
    timed = []

    def measure(sequences):
        if timed:
            raise TimeIsUp
        timed.extend(sequences)
        return [Row(s.title, {"ratio": 1.0}) for s in sequences]

    rows = best_first(space, measure, depth=1, most=9, seconds=60.0)
    assert [r.name for r in rows] == ["as it is"]
    assert not space.complete


def test_scripts_are_the_same_run_whatever_was_made():
    scripts = of(SUMS, N=9)
    scripts("")
    again = pickle.loads(pickle.dumps(scripts))
    assert again.end == math.inf
    assert not again.made
    assert len({sweeping.key(sweeping._fingerprint(s), "reverse i") for s in (scripts, again)}) == 1
    other = of(SUMS, N=8)
    assert sweeping._fingerprint(other) != sweeping._fingerprint(scripts)


def test_moves_go_on_behind_passes():
    fast = {"propagate": 3.0}
    order, _ = with_passes(fast, KEPT, ("propagate",), most=10)
    assert order[1:7] == [*STRIPS, "propagate"]
    assert order[8:] == ["propagate recurrences=strips", "propagate; interchange i j"]


@pytest.mark.long
def test_tuning_gives_a_script_that_makes_the_program():
    scop = pn.parse(KEPT)
    found = pn.tune(scop, N=64, budget=20, passes="propagate", moves="", **QUICK)
    names = [r.name for r in found.sweep.rows]
    assert names[1:4] == STRIPS[:3]
    assert all(name.split()[0] == "propagate" for name in names[1:])
    assert not found.sweep.failed
    assert str(pn.transform(scop, found.best.script).result) == str(found.program)


def test_what_may_be_slower_is_not_better_than_the_program_as_it_is():
    """However it was measured against itself: it is once as fast."""
    rows = [
        Row("as it is", {"ratio": 0.9, "interval": [0.7, 1.1]}),
        Row("reverse i", {"ratio": 1.2, "interval": [0.8, 1.6]}),
    ]
    found = Search(pn.parse(TWO), space(TWO, ["reverse"], depth=1), Sweep(tuple(rows)))
    assert found.best.script == ""
    assert [r[0] for r in found.table().rows] == ["as it is", "reverse i"]
    faster = Row("reverse j", {"ratio": 1.1, "interval": [1.05, 1.15]})
    found = Search(pn.parse(TWO), found.space, Sweep((*rows, faster)))
    assert found.best.script == "reverse j"
    for off in ([1.06, 1.1], [0.8, 0.9]):  # so much may a ratio be off
        itself = Row("as it is", {"ratio": off[0], "interval": off})
        found = Search(pn.parse(TWO), found.space, Sweep((itself, *rows[1:], faster)))
        assert found.best.script == ""


def test_where_nothing_could_be_timed_the_reason_is_told():
    failed = Row("as it is", {}, "it did not end within 60 seconds")
    found = Search(pn.parse(TWO), space(TWO, ["reverse"], depth=1), Sweep((failed,)))
    with pytest.raises(pn.PolynbError, match="no program could be timed") as caught:
        _ = found.best
    assert caught.value.reason == failed.error
    assert "smaller sizes" in caught.value.hint


def test_passes_are_names_of_passes():
    with pytest.raises(pn.PolynbError, match="passes must be names of passes, not 3"):
        pn.tune(pn.parse(SUMS), N=9, passes=3, **QUICK)


@pytest.mark.long
def test_tuning_tells_its_seconds():
    told = []
    given = {**QUICK, "progress": lambda *x: told.append(x)}
    pn.tune(pn.parse(SUMS), N=16, budget=1.5, passes=(), moves="interchange", **given)
    assert told[0] == ("timing as it is, second 1 of 2", 0, 0)
    assert told[-1][0] == "done"
    assert told[-1][1] == told[-1][2] > 0
    assert {total for _, _, total in told[:-1]} == {0}
    assert all("second 1 of 2" in what or "second 2 of 2" in what for what, _, _ in told[:-1])


def test_the_seconds_are_those_of_the_whole_search():
    clock = iter(range(100)).__next__
    order, _ = in_order({}, seconds=9.0, clock=clock)
    assert len(order) == 9


def test_the_best_is_the_surest_and_can_be_read():
    rows = [
        Row("as it is", {"ratio": 1.0}),
        Row("reverse i", {"ratio": 5.0, "interval": [0.5, 9.0]}),
        Row("reverse j; interchange k l", {"ratio": 3.0, "interval": [2.5, 3.5]}),
        Row("reverse k", {}, "it failed"),
    ]
    original = pn.parse(TWO)
    found = Search(original, SearchSpace((), True), Sweep(tuple(rows)))
    assert str(found.best) == "# 3 times as fast (2.50 – 3.50)\nreverse j\ninterchange k l"
    assert str(found.program) == str(pn.transform(original, str(found.best)).result)
    assert [row[0] for row in found.table().rows][:2] == ["reverse j; interchange k l", "as it is"]


@pytest.mark.long
def test_what_there_is_no_room_for_is_counted():
    found = pn.search(pn.parse(SUMS), moves=["reverse", "interchange"], most=2, N=8, **QUICK)
    assert len(found.sweep.rows) == 2
    assert found.not_timed == len(found.space.legal) - 2 > 0
    assert f"Legal, but not timed: {found.not_timed}" in str(found)


def test_illegal_sequences_are_never_compiled_and_have_their_witness():
    found = pn.search(pn.parse(CHAIN), moves="reverse", depth=1, N=16, **QUICK)
    assert [r.name for r in found.sweep.rows] == ["as it is"]
    assert "Illegal: 1 (1 end in reverse). reverse i: " in str(found)


@pytest.mark.long
def test_after_an_interrupt_it_goes_on_where_it_was(tmp_path, monkeypatch):
    record = tmp_path / "record.jsonl"
    scop = pn.parse(SUMS)
    attempt, done = sweeping.attempt, []

    def interrupted(run, name, variant):
        if len(done) == 2:
            raise KeyboardInterrupt
        done.append(name)
        return attempt(run, name, variant)

    monkeypatch.setattr(sweeping, "attempt", interrupted)
    with pytest.raises(KeyboardInterrupt):
        pn.search(scop, moves="reverse", N=8, resume=record, **QUICK)
    monkeypatch.setattr(sweeping, "attempt", attempt)
    found = pn.search(scop, moves="reverse", N=8, resume=record, **QUICK)
    assert found.sweep.resumed == 2
    assert len(found.sweep.rows) == len(found.space.legal)


@pytest.mark.long
def test_any_executor_runs_the_trials():
    spawned = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawned) as pool:
        found = pn.search(pn.parse(SUMS), moves="interchange", depth=1, N=8, executor=pool, **QUICK)
    assert found.sweep.failed == ()
    assert len(found.sweep.rows) == 2


@pytest.mark.long
def test_a_local_cluster_of_dask_runs_the_trials():
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        found = pn.search(
            pn.parse(SUMS),
            moves="interchange",
            depth=1,
            N=8,
            executor=client.get_executor(),
            **QUICK,
        )
    assert found.sweep.failed == ()
    assert len(found.sweep.rows) == 2


@pytest.mark.long
def test_the_space_is_a_picture():
    pytest.importorskip("matplotlib")
    found = pn.search(pn.parse(SUMS), moves="interchange reverse", depth=1, N=8, most=2, **QUICK)
    (ax,) = pn.draw(found).axes
    labels = [t.get_text() for t in ax.get_legend().get_texts()]
    assert labels == ["legal, not timed", "legal, timed"]
    (timed,) = [line for line in ax.lines if line.get_label() == "legal, timed"]
    assert [round(y, 6) for y in timed.get_ydata()] == [
        round(r.values["ratio"], 6) for r in found.sweep.rows
    ]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({}, "N has no value"),
        ({"N": 8, "M": 3}, "M"),
        ({"N": 8, "moves": "jump"}, "jump"),
        ({"N": 8, "depth": 0}, "depth"),
        ({"N": 8, "seconds": 0}, "seconds"),
    ],
)
def test_wrong_calls(wrong, said):
    with pytest.raises(pn.PolynbError, match=said):
        pn.search(pn.parse(SUMS), progress=False, **wrong)
