"""Timing: interleaved rounds, on results that were compared first."""

import pickle
import signal
import sys
import time
from dataclasses import dataclass, field

import numpy as np
import pytest

from polynb.errors import PolynbError
from polynb.run.comparison import first_difference
from polynb.run.measurement import measure, random_data, timed, variants
from polynb.run.shared import readable, segment_of
from polynb.run.timing import Timing, seconds
from polynb.scop.parsing import parse

BODY = """
  int64_t N = parameters[0]; const double *A = arrays[0]; double *B = arrays[1];
  for (int64_t i = 0; i < N; i++) B[i] = {value};
  return 0;
"""


@pytest.fixture
def pair(kernel, array):
    """`pair("A[i] * 2", "A[i] + A[i]")`: two kernels that map A to B."""

    def make(*values: str, **options: object):
        arrays = [array("A", "input", "N"), array("B", "output", "N")]
        return {
            f"v{k}": kernel(BODY.format(value=v), arrays, name=f"v{k}", **options)
            for k, v in enumerate(values)
        }

    return make


@dataclass
class Fake:
    """A variant whose time in round r is `times[r]`; `log` notes what happens to all of them."""

    name: str
    times: list[float]
    log: list[str] = field(default_factory=list)

    def reset(self) -> None:
        self.log.append(f"reset {self.name}")

    def run(self) -> float:
        self.log.append(self.name)
        return self.times.pop(0)


def test_rounds_are_interleaved_and_the_first_is_not_counted() -> None:
    log: list[str] = []
    told: list[tuple[str, int, int]] = []
    a, b = Fake("A", [9.0, 1.0, 2.0], log), Fake("B", [9.0, 0.5, 0.25], log)
    samples = timed([a, b], 2, 1.0, lambda *what: told.append(what))
    assert samples == ((1.0, 2.0), (0.5, 0.25))
    assert log[:4] == ["reset A", "A", "reset B", "B"]
    assert sorted(log[4:8]) == sorted(log[8:]) == sorted(log[:4])
    assert log[8:] != log[4:8]  # who comes second finds the inputs in the caches
    assert told == [("time", 0, 2), ("time", 1, 2), ("time", 2, 2)]


@pytest.mark.parametrize(("time", "rounds"), [(1.0, 5), (0.05, 20), (1e-7, 1000), (0.0, 1000)])
def test_as_many_rounds_as_fit_the_time(time, rounds) -> None:
    fakes = [Fake("A", [time] * 2000), Fake("B", [time] * 2000)]
    assert len(timed(fakes, None, 2.0, lambda *what: None)[0]) == rounds


TIMING = Timing(
    labels=("naive", "fast"),
    samples=((4.0, 8.0, 4.4, 40.0, 4.2), (2.0, 2.0, 2.2, 20.0, 1.0)),
    memory=(164_000_000, 1500),
    parameters={"N": 4096},
    data="seeded random",
    agreement="results equal bit for bit",
    compiler="gcc 12",
    flags=("-O3",),
    threads=2,
    heap="kept",
    warnings=("sequential",),
)


def test_statistics() -> None:
    assert (TIMING.median(), TIMING.median("fast"), TIMING.median(1)) == (4.4, 2.0, 2.0)
    assert TIMING.spread(0) == (4.2, 8.0)
    assert TIMING.ratio() == TIMING.ratio("fast") == 2.0  # of 2, 4, 2, 2, 4.2: not 4.4 / 2
    assert TIMING.ratio(0) == 1.0
    low, high = TIMING.interval()
    assert (low, high) == (pytest.approx(2 / 1.03), pytest.approx(4.2, abs=0.05))
    assert (TIMING.differs(), TIMING.differs("naive"), TIMING.differs(-2)) == (True, False, False)
    with pytest.raises(PolynbError, match=r"nothing called 'slow'[^$]*one of: naive, fast"):
        TIMING.median("slow")
    with pytest.raises(PolynbError, match="nothing called 2"):
        TIMING.spread(2)
    assert pickle.loads(pickle.dumps(TIMING)) == TIMING


def test_the_table() -> None:
    lines = str(TIMING).splitlines()
    assert lines[1].split() == ["naive", "4.4", "s", "4.2", "s", "-", "8", "s", "1.00", "164", "MB"]
    fast = "fast 2 s 2 s - 2.2 s 2.00 1.94 – 4.20 1.5 kB"
    assert lines[2].split() == fast.split()
    assert lines[3:] == [
        "N = 4096; data seeded random; results equal bit for bit",
        "5 rounds, 2 threads, heap kept",
        "gcc 12: -O3",
        "note: sequential",
    ]
    assert repr(TIMING) == "<Timing naive 4.4 s, fast 2 s>"


def test_units() -> None:
    times = [12.3, 1.0, 0.99999, 0.0189, 1e-3, 2.5e-6, 4e-8]
    assert [seconds(t) for t in times] == [
        *("12.3 s", "1 s", "1 s", "18.9 ms", "1 ms", "2.5 µs", "0.04 µs")
    ]
    sizes = [0, 999, 1000, 164e6, 999.9e6, 5e15]
    assert [readable(s) for s in sizes] == [
        *("0 bytes", "999 bytes", "1 kB", "164 MB", "1 GB", "5000 TB")
    ]


def test_kernels_are_compared_and_timed(pair) -> None:
    told: list[tuple[str, int, int]] = []
    t = measure(
        pair("A[i] * 2", "A[i] + A[i]"), N=1000, rounds=7, progress=lambda *w: told.append(w)
    )
    assert t.labels == ("v0", "v1")
    assert [len(s) for s in t.samples] == [7, 7]
    assert all(0 < time < 1 for s in t.samples for time in s)
    assert t.memory == (16000, 16000)
    assert (t.parameters, t.data, t.heap, t.threads) == ({"N": 1000}, "seeded random", "kept", 1)
    assert t.agreement == "results equal bit for bit"
    assert told[:4] == [
        ("compile v0", 0, 2),
        ("compile v1", 1, 2),
        ("check v0", 0, 2),
        ("check v1", 1, 2),
    ]
    assert told[-1] == ("time", 7, 7)


def test_given_data_is_used_and_kept(pair) -> None:
    a = np.linspace(0, 1, 50)
    before = a.copy()
    assert measure(pair("A[i]", "A[i]"), {"A": a}, N=50, rounds=1).data == "given"
    assert np.array_equal(a, before)
    with pytest.raises(PolynbError, match=r"A must have shape \(49,\)"):
        measure(pair("A[i]"), A=a, N=49, rounds=1)
    with pytest.raises(PolynbError, match="A is given twice"):
        measure(pair("A[i]"), {"A": a}, A=a, N=50)
    with pytest.raises(PolynbError, match="no argument 'Z'"):
        measure(pair("A[i]"), Z=a, N=50)
    with pytest.raises(PolynbError, match="needs a value for N"):
        measure(pair("A[i]"))
    with pytest.raises(PolynbError, match="rounds must be at least 1"):
        measure(pair("A[i]"), N=5, rounds=0)


def test_a_difference_is_an_error_and_no_time_is_shown(pair) -> None:
    wrong = pair("A[i]", "i == 37 || i > 40 ? A[i] + 1 : A[i]")
    with pytest.raises(PolynbError) as caught:
        measure(wrong, A=np.zeros(50), N=50)
    assert "v0 and v1 do not compute the same, so they were not timed" in str(caught.value)
    assert "B[37] is np.float64(0.0) in the one and np.float64(1.0)" in str(caught.value)
    assert "pn.equivalent" in str(caught.value)


def test_different_results_are_refused(pair, kernel, array) -> None:
    other = kernel("return 0;", [array("C", "output", "N")], name="other")
    with pytest.raises(PolynbError, match="v0 and other give different arrays: B; C"):
        measure([pair("A[i]")["v0"], other], N=5)
    short = kernel("return 0;", [array("B", "output", "N - 1")], name="short")
    with pytest.raises(
        PolynbError, match=r"B is float64 \(5,\) in v0, and float64 \(4,\) in short"
    ):
        measure([pair("A[i]")["v0"], short], N=5)


def test_arrays_that_change_start_the_same_in_every_round(kernel, array) -> None:
    body = "double *s = arrays[0]; *s *= 2; if (*s > 2) abort(); return 0;"
    k = kernel(body, [array("s", "inout")], name="once")
    t = measure([k, k], s=1.0, N=0, rounds=5)
    assert t.labels == ("once",)  # the same kernel twice is one variant
    assert measure({"a": k, "b": k}, s=1.0, N=0, rounds=5).labels == ("a", "b")


def test_what_does_not_fit_the_memory_is_refused_before_data_is_made(pair, monkeypatch) -> None:
    monkeypatch.setattr(
        "polynb.run.measurement.random_data", lambda *_: pytest.fail("data was made")
    )
    with pytest.raises(PolynbError, match=r"the arrays of v0 take 1\.6 TB"):
        measure(pair("1"), N=10**11)


def test_what_fits_alone_but_not_together_is_refused(pair, monkeypatch) -> None:
    kernels = pair("1", "A[i]", "A[i]")
    monkeypatch.setattr("polynb.run.kernel.available_memory", lambda: 20_000)
    measure({k: kernels[k] for k in ("v1",)}, N=1000, rounds=1)
    with pytest.raises(PolynbError, match="take 24 kB, 20 kB are left"):
        measure(kernels, N=1000, rounds=1)


@pytest.mark.long
def test_fast_math_is_compared_with_a_tolerance(pair) -> None:
    values = ("A[i]", "A[i] * (1 + 1e-12)")
    with pytest.raises(PolynbError, match="do not compute the same"):
        measure(pair(*values), N=10)
    t = measure(pair(*values, fast_math=True), N=10, rounds=1)
    assert t.agreement == "results equal within 1e-09 of the largest value"
    with pytest.raises(PolynbError, match="do not compute the same"):
        measure(pair("A[i]", "A[i] * (1 + 1e-7)", fast_math=True), N=10)


NAN, OTHER_NAN = float("nan"), np.uint64(0x7FF8000000000123).view(np.float64)


@pytest.mark.parametrize(
    ("a", "b", "fast", "index"),
    [
        ([1.0, NAN], [1.0, OTHER_NAN], False, None),
        ([1.0, NAN], [1.0, 2.0], False, (1,)),
        ([0.0], [-0.0], False, (0,)),
        ([0.0], [-0.0], True, None),
        ([[1, 2], [3, 4]], [[1, 2], [5, 6]], False, (1, 0)),
        (3, 3, False, None),
        (3, 4, True, ()),
        ([], [], False, None),
        ([1e6, 0.0], [1e6, 1e-5], True, None),
        ([1e6, float("inf")], [1e6, 1.0], True, (1,)),
        ([1.0, 2.0], [NAN, 2.0], True, (0,)),
        ([NAN, 2.0], [NAN, 2.0 + 1e-12], True, None),
    ],
)
def test_first_difference(a, b, fast, index) -> None:
    assert first_difference(np.asarray(a), np.asarray(b), fast) == index


def test_random_data(array) -> None:
    a = random_data(array("A", "input", "N"), (1000,))
    assert (a.min() >= 0.5, a.max() < 1.5, a.std() > 0.2) == (True, True, True)
    assert np.array_equal(a, random_data(array("A", "inout", "N"), (1000,)))
    assert not np.array_equal(a, random_data(array("B", "input", "N"), (1000,)))
    assert segment_of(a) is not None
    small = random_data(array("A", "input", "N", type="int8"), (50, 40))
    assert (small.dtype, small.min(), small.max()) == (np.int8, 0, 99)
    assert random_data(array("s", "input", type="float"), ()).shape == ()


def test_signals_are_handled_while_large_arrays_are_drawn(array) -> None:
    """Those beyond a last-level cache of 300 MB, which `roofline` asks for, took 9 seconds."""
    handled = []
    before = signal.signal(signal.SIGALRM, lambda *_: handled.append(0))
    signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
    try:
        random_data(array("A", "input", "N"), (1 << 24,))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        time.sleep(0.05)  # one more may be on its way, and would end the process
        signal.signal(signal.SIGALRM, before)
    assert len(handled) >= 8


def test_what_can_be_timed(pair) -> None:
    both = pair("A[i]", "A[i] ")
    kernels = list(both.values())
    assert [label for label, _ in variants(kernels)] == ["v0", "v1"]
    assert [label for label, _ in variants(kernels[0])] == ["v0"]
    for wrong in ([], {}):
        with pytest.raises(PolynbError, match="nothing to time"):
            variants(wrong)
    with pytest.raises(PolynbError, match="a program is needed, not str"):
        variants(["blur"])
    with pytest.raises(PolynbError, match="a program is needed, not int"):
        variants({"blur": 3})


def test_where_data_decides_a_difference_may_be_the_inputs_fault():
    text = """param N; input int32 at[N]; input double A[N];
    for i = 0 to N-1 do B[i] = A[at[i]]; done"""
    at, a = np.arange(4, dtype=np.int32), np.arange(1.0, 5.0)
    programs = [parse(text), parse(text.replace("= A", "= 2 * A"))]
    with pytest.raises(PolynbError, match="all subscripts of A are in bounds"):
        measure(programs, {"at": at, "A": a}, N=4)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")
def test_the_most_memory_in_use_is_that_of_a_kernels_own_process():
    small = parse("param N; input double A[N]; output double B; B = A[0];", name="small")
    large = parse(
        "param N; input double A[N]; temp double t[N]; output double B;"
        "for i = 0 to N-1 do t[i] = A[i]; done B = t[N-1] - t[N-1] + A[0];",
        name="large",
    )
    timing = measure([small, large], N=4_000_000, rounds=1)
    assert timing.peak("large") - timing.peak("small") > 50_000_000
    assert TIMING.peak("fast") is None


def test_programs_of_other_types_share_the_values_of_an_input():
    text = "param N; input {} A[N]; output double B[N]; for i = 0 to N-1 do B[i] = A[i]; done"
    narrow, wide = (parse(text.format(t), name=t) for t in ("float", "double"))
    for pair in ([narrow, wide], [wide, narrow]):
        for given in (None, {"A": np.arange(9.0)}):
            timing = measure(pair, given, N=9, threads=1, rounds=1)
            assert timing.agreement == "results equal bit for bit"
