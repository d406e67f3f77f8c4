"""What polynb makes of programs beside every peer: the command, its tables, its picture."""

import json
import sys
from types import ModuleType

import numpy as np
import pytest

import polynb as pn
from polynb.errors import PolynbError
from polynb.evaluation import optimisers, peers
from polynb.evaluation.commands import parser, pictures, trial
from polynb.evaluation.delicm import inputs
from polynb.evaluation.interpreted import PythonKernel, in_numpy
from polynb.evaluation.numba_kernel import in_numba
from polynb.evaluation.paper import PAPER
from polynb.evaluation.python_text import python_text
from polynb.evaluation.references.kernels import KERNELS
from polynb.run import compilers, measure
from polynb.tuning.results import Row, Sweep

SMALL = ["--sizes", "R=24,C=24", "--rounds", "2", "--threads", "1"]


@pytest.fixture
def few(monkeypatch):
    """Peers that are everywhere: no Halide, no other compilers."""
    monkeypatch.setattr(peers, "PEERS", tuple(p for p in peers.PEERS if p.compiler is None))
    monkeypatch.setattr(peers, "HALIDE", {})
    monkeypatch.setitem(sys.modules, "numba", None)


def contest(name="unsharp_mask", options=(*SMALL,), forms=("naive",)):
    scop = pn.gallery.load(name)
    chosen = parser("peers", "").parse_args(list(options))
    made = peers.programs(scop, forms)
    return peers.Contest(name, trial(name, scop, chosen), made, threads=1)


@pytest.mark.long
def test_every_peer_is_compared_or_says_why_not(capsys, tmp_path):
    file, picture = tmp_path / "found.json", tmp_path / "found.svg"
    options = ["--json", str(file), "--plot", str(picture), "--tune", "2"]
    assert peers.main(["unsharp_mask", "mvt", *SMALL[:4], *options]) == 0
    found = json.loads(file.read_text())
    assert list(found) == [f"{n}, {h}" for n in ("unsharp_mask", "mvt") for h in ("kept", "fresh")]
    absent = ("reordered, tiled", peers.TOOL)  # for kernels; with a checkout
    for heap in ("kept", "fresh"):
        rows = {r["name"]: r for r in found[f"unsharp_mask, {heap}"]["rows"]}
        assert tuple(rows) == tuple(n for n in peers.LABELS if n not in absent)
        assert rows[peers.BASELINE]["values"]["ratio"] == 1
        assert rows["propagated, windows"]["values"]["seconds"] > 0
        assert rows["optimised"]["values"]["ratio"] > 0
        assert rows["tuned"]["values"]["ratio"] > 0
        assert rows["NumPy"]["values"]["peak"] > 0
        assert all(r["error"] or r["values"]["seconds"] for r in rows.values())
        rows = {r["name"]: r for r in found[f"mvt, {heap}"]["rows"]}
        assert rows["reordered, tiled"]["values"]["seconds"] > 0
        assert "Halide" not in rows
    out = capsys.readouterr().out
    assert "unsharp_mask, tuned" in out
    assert "heap kept, times faster than naive" in out
    assert "heap fresh, times faster than naive" in out
    assert compilers.find().version in out
    assert "<svg" in picture.read_text()


def test_without_names_all_pipelines_and_classic_kernels_are_compared():
    names = peers.default_names()
    assert names[:7] == tuple(PAPER)
    assert {"gemm", "cholesky", "fdtd_2d"} <= set(names)
    assert not any(n.endswith("_o1") for n in names)


def test_a_peer_that_computes_something_else_is_left_out(monkeypatch, few):
    def wrong(peer, programs, sizes, **options):
        text = "input float img[3][R+4][C+4], weight, threshold; output float mask[3][R+4][C+4];"
        loops = "for x = 0 to R do mask[0][x][0] = 1; done"
        other = pn.parse(f"param R, C; assume R >= 1 and C >= 1; {text} {loops}")
        program = other if peer.label == "naive, balanced" else programs["naive"]
        return pn.compile(program, threads=1)

    monkeypatch.setattr(optimisers, "kernel", wrong)
    found = peers.compare(contest())
    assert "do not compute the same" in str(found["naive, balanced"].error)
    assert found[peers.BASELINE].error is None
    assert found["NumPy"].error is None
    assert "numba is not installed (pip install numba)" in str(found["numba"].error)


@pytest.mark.long
def test_what_is_much_slower_does_not_cost_the_others_their_rounds(monkeypatch, few):
    def slow(name, signature):
        made = in_numpy(name, signature)

        def waiting(R, C, img, weight, threshold):
            sum(range(1_000_000))
            return made.function(R=R, C=C, img=img, weight=weight, threshold=threshold)

        return PythonKernel(waiting, signature, "slow", made.inside)

    monkeypatch.setattr(peers, "in_numpy", slow)
    options = ["--sizes", "R=24,C=24", "--seconds", "0.05", "--threads", "1"]
    found = peers.compare(contest(options=options))
    assert found["NumPy"].values["rounds"] < found["naive, balanced"].values["rounds"]
    assert found["NumPy"].values["heap"] == "Python's"


def test_a_form_that_a_program_does_not_take_is_its_error(few):
    made = peers.programs(pn.gallery.load("mvt"), ("naive", "windows"))
    assert "mvt is not computed in windows: no temporary" in str(made["windows"])
    with pytest.raises(PolynbError, match="not computed in windows"):
        optimisers.kernel(optimisers.Peer("windows", "windows"), made, {"n": 9})


def sweep(**ratios):
    rows = [
        Row(label.replace("_", ", "), {"ratio": r, "seconds": 1e-3, "parallel": r > 1, "peak": 10})
        if r
        else Row(label.replace("_", ", "), error="it is not here")
        for label, r in ratios.items()
    ]
    return Sweep(tuple(rows))


def test_tables_have_a_line_for_each_peer_that_was_asked():
    found = {"one": sweep(naive=1.0, Halide=2.5), "two": sweep(naive=1.0, numba=0.0)}
    assert peers.table(found).rows == (
        ("naive", "1 ms, 1.00, 1 thread", "1 ms, 1.00, 1 thread"),
        ("Halide", "1 ms, 2.50", "-"),
        ("numba", "-", "-"),
    )
    assert peers.ratios(found).rows[1] == ("Halide", "2.50", "-")


def test_both_heaps_are_told_apart():
    found = {"a, kept": sweep(naive=1.0), "a, fresh": sweep(naive=2.0), "b, kept": sweep()}
    assert list(peers.with_heap(found, "kept")) == ["a", "b"]
    assert peers.with_heap(found, "fresh")["a"].rows[0].values["ratio"] == 2


def test_a_bar_for_each_peer_but_the_baseline():
    from polynb.show.draw.peers_plot import peers_plot

    row = Row("Polly, clang", {"ratio": 0.5, "interval": [0.4, 0.7]})
    found = {"one": sweep(naive=1.0, Halide=2.5), "two": Sweep((*sweep(naive=1.0).rows, row))}
    figure = peers_plot({"heap kept": found, "heap fresh": {"one": found["one"]}})
    kept, fresh = figure.axes
    assert [c.get_label() for c in kept.containers if len(c)][-1] == "Polly, clang"
    assert [p.get_height() for p in kept.patches] == [2.5, 0.5]
    assert [p.get_height() for p in fresh.patches] == [2.5]
    assert kept.get_title() == "heap kept"


# -- NumPy and numba -----------------------------------------------------------------------

SIZES = {"ni": 7, "nj": 8, "nk": 9, "nl": 6, "tsteps": 3, "tmax": 3, "nx": 8, "ny": 9}


def small(scop):
    return {p: SIZES.get(p, 11) for p in scop.parameters}


@pytest.mark.parametrize("name", KERNELS)
def test_kernels_in_numpy_compute_what_the_programs_do(name):
    scop = pn.gallery.load(name)
    naive = pn.compile(scop, threads=1, fast_math=True)
    other = in_numpy(name, naive.signature)
    given = {**small(scop), **inputs(name, small(scop))}
    timing = measure({"naive": naive, "NumPy": other}, given, rounds=1)
    assert timing.agreement.startswith("results equal within")
    assert timing.peak("NumPy") > 0


def test_what_is_not_written_in_numpy_says_so():
    signature = pn.compile(pn.gallery.load("seidel_2d"), threads=1).signature
    with pytest.raises(PolynbError, match="seidel_2d is not written in NumPy here"):
        in_numpy("seidel_2d", signature)


@pytest.fixture
def pretended(monkeypatch):
    """In place of numba, Python itself: it takes its time, and says what a text computes."""
    numba = ModuleType("numba")
    numba.njit = lambda f=None, **options: f or (lambda g: g)
    numba.prange, numba.__version__ = range, "0"
    numba.set_num_threads = lambda n: None
    numba.config = type("config", (), {"NUMBA_NUM_THREADS": 8})
    numba.__spec__ = object()
    monkeypatch.setitem(sys.modules, "numba", numba)


@pytest.mark.parametrize(
    "name", ["unsharp_mask", "harris", "mvt", "durbin", "seidel_2d", "floyd_warshall", "cholesky"]
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.long
def test_loops_in_python_compute_what_the_programs_do(pretended, name):
    scop = pn.gallery.load(name)
    naive = pn.compile(scop, threads=1, fast_math=True)
    sizes = small(scop)
    other = in_numba(scop, naive.signature, sizes, 2)
    given = {**pictures(scop, sizes), **sizes, **inputs(name, sizes)}
    assert measure({"naive": naive, "numba": other}, given, rounds=1).compiler.endswith("numba 0")


def test_divisions_calls_and_lets_are_cs():
    scop = pn.parse(
        """param N; input int32 A[N]; input float s; temp float t; output int32 B[N];
        output float C[N];
        for i = 0 to N-1 do
          let half = A[i] / 2;
          B[i] = half * 10 + A[i] % 3;
          t = max(0.5f, s) * A[i];
          C[i] = A[i] > 0 and not A[i] == 3 ? fabsf(t) : expf(-t) / 2;
        done"""
    )
    names = {}
    text = python_text(scop, 1).replace("from numba import njit, prange", "")
    text = text.replace("@njit(parallel=False, fastmath=True)", "").replace("@njit", "")
    exec(text, names)
    a = np.array([-7, -2, 3, 7, 8], np.int32)
    arrays = {"B": np.zeros(5, np.int32), "C": np.zeros(5, np.float32), "t": np.zeros(1, "f")}
    given = {"N": 5, "A": a, "s": np.float32(0.25), **arrays}
    names["kernel"](**given)
    expected = pn.compile(scop, threads=1)(A=a, s=np.float32(0.25))
    np.testing.assert_array_equal(arrays["B"], expected["B"])
    np.testing.assert_allclose(arrays["C"], expected["C"], rtol=1e-6)


def test_what_python_does_not_have_says_so():
    scop = pn.parse("param N; input double A[N]; output double B[N]; "
                    "for i = 0 to N-1 do B[i] = erf(A[i]); done")  # fmt: skip
    with pytest.raises(PolynbError, match="erf is not written in Python here"):
        python_text(scop, 1)
