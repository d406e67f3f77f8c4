"""What limits kernels: the verdict by given limits, what is said, and a small run."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

import polynb as pn
from polynb.conveniences import Markup
from polynb.run.timing import Timing
from polynb.source.types import DOUBLE, FLOAT, UINT32, UINT64, ElementType
from polynb.tuning import limits, roofs
from polynb.tuning.demands import Demand
from polynb.tuning.limits import MachineLimits, computing_type
from polynb.tuning.machine import CACHE, last_level_cache
from polynb.tuning.roofs import under

SCALE = "param N; input double A[N]; for i = 0 to N-1 do B[i] = 2 * A[i] + 1; done"
MACHINE = MachineLimits(bandwidth=10e9, peak=40e9, type="double", cache=1000)
FEW = Demand({"double": 10**9, "int32": 7}, read=5 * 10**8, written=5 * 10**8, kept=0)
MANY = Demand({"double": 10**10}, read=5 * 10**8, written=5 * 10**8, kept=1000)


def timing(*medians: float, labels: tuple[str, ...] = ("few", "many")) -> Timing:
    return Timing(
        labels[: len(medians)], tuple((m,) for m in medians), (1,) * len(medians), {"N": 5},
        "none", "", "gcc", ("-O3",), 2, "kept",
    )  # fmt: skip


@pytest.fixture
def roof() -> pn.Roofline:
    return under(MACHINE, timing(0.16, 0.3), [FEW, MANY])


def test_memory_limits_what_computes_little(roof: pn.Roofline) -> None:
    few, _ = roof.kernels
    assert (few.intensity, few.limit) == (1.0, "memory")
    assert few.alone == (0.1, 0.025)
    assert few.times == pytest.approx(1.6)
    assert few.rate == pytest.approx(6.25e9)
    assert few.bandwidth == pytest.approx(6.25e9)
    assert str(few) == "few takes 1.60 times the time that memory alone takes (100 ms)"


def test_arithmetic_limits_what_computes_much(roof: pn.Roofline) -> None:
    _, many = roof.kernels
    assert (many.intensity, many.limit) == (10.0, "arithmetic")
    assert many.times == pytest.approx(0.3 / 0.25)


def test_temporaries_beyond_the_cache_count() -> None:
    large = Demand({"double": 10**9}, 10**8, 0, kept=10**9)
    (placed,) = under(MACHINE, timing(1.0), [large]).kernels
    assert placed.bytes == 10**8 + 2 * 10**9


def test_what_is_faster_than_its_limit_says_why() -> None:
    (placed,) = under(MACHINE, timing(0.05), [FEW]).kernels
    assert "0.50 of the time that memory alone takes" in str(placed)
    assert "caches" in str(placed)


def test_a_program_on_integers_is_below_a_roof_of_integers() -> None:
    machine = MachineLimits(10e9, 40e9, "uint32", 1000)
    found = under(machine, timing(0.2), [Demand({"int32": 10**9, "float": 3}, 10**8, 0, 0)])
    assert found.kernels[0].operations == 10**9
    assert "Gop/s" in str(found)
    assert "operations on floating-point numbers are not counted: 3 (few)" in str(found)


def test_a_table_and_sentences(roof: pn.Roofline) -> None:
    lines = str(roof).splitlines()
    assert lines[0].split() == [
        *("program", "operations", "bytes", "op/byte", "time", "Gflop/s", "GB/s"),
    ]
    assert lines[1].split() == [
        *("few", "1,000,000,000", "1", "GB", "1.00", "160", "ms", "6.25", "6.25"),
    ]
    assert lines[3] == str(roof.kernels[0])
    assert "machine: 10 GB/s" in lines[6]
    assert "operations on integers are not counted: 7 (few)" in lines
    assert repr(roof) == "<Roofline few 1.60 × memory, many 1.20 × arithmetic>"
    assert [row["limit"] for row in roof.rows] == ["memory", "arithmetic"]


def test_a_picture_has_the_roof_and_each_kernel(roof: pn.Roofline) -> None:
    drawn = roof.to_svg()
    assert isinstance(drawn, Markup)
    tree = ElementTree.fromstring(drawn)
    circles = [e for e in tree.iter() if e.tag.endswith("circle")]
    assert len(circles) == 2
    few, many = (float(c.attrib["cx"]) for c in circles)
    assert few < many
    texts = {e.text for e in tree.iter() if e.tag.endswith("text")}
    assert {"few 1.60 ×", "many 1.20 ×", "10 GB/s", "40 Gflop/s"} <= texts


def test_a_picture_of_a_copy_and_of_what_moves_nothing() -> None:
    """0 and infinity are on no logarithmic axis: the ends are where they are."""
    copy, busy = Demand({}, 10**8, 10**8, 0), Demand({"double": 10**9}, 0, 0, 0)
    found = under(MACHINE, timing(0.1, 0.1), [copy, busy])
    assert [p.limit for p in found.kernels] == ["memory", "arithmetic"]
    circles = [e for e in ElementTree.fromstring(found.to_svg()).iter() if e.tag.endswith("circle")]
    assert [float(c.attrib["cx"]) for c in circles] == [54.0, 544.0]


def test_a_notebook_shows_all_of_it(roof: pn.Roofline) -> None:
    shown = roof._repr_mimebundle_()
    assert shown["text/plain"].startswith(str(roof))
    assert "data:image/svg+xml" in shown["text/html"]
    assert "few takes 1.60 times" in shown["text/html"]


def test_the_type_in_which_most_is_computed() -> None:
    assert computing_type({"float": 3, "int32": 2}) is FLOAT
    assert computing_type({"uint8": 3}) is computing_type({"int32": 1}) is UINT32
    assert computing_type({"int64": 3}) is UINT64
    assert computing_type({}) is DOUBLE


def test_the_last_level_cache(tmp_path: Path) -> None:
    for k, size in enumerate(("32K", "1024K", "48M", "?")):
        (tmp_path / f"index{k}").mkdir()
        (tmp_path / f"index{k}" / "size").write_text(f"{size}\n")
    assert last_level_cache(tmp_path) == 48 * 2**20
    assert last_level_cache(tmp_path / "nowhere") == CACHE


# -- with a compiler -------------------------------------------------------------------------


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with a cache so small that its limits are measured in milliseconds."""
    monkeypatch.setattr(roofs, "last_level_cache", lambda: 2**16)
    monkeypatch.setattr(limits, "TIMES", 2)


@pytest.mark.usefixtures("small")
def test_a_kernel_is_timed_beside_the_machine() -> None:
    found = pn.roofline(pn.parse(SCALE), N=1000, rounds=2, threads=1)
    (placed,) = found.kernels
    assert placed.operations == 2 * 1000
    assert placed.bytes == 2 * 8 * 1000
    assert placed.seconds == found.timing.median()
    assert found.limits.bandwidth > 0 < found.limits.peak
    assert found.limits.type == "double"
    assert found.timing.labels == ("kernel",)


@pytest.mark.usefixtures("small")
def test_kernels_and_derivations_are_programs_too() -> None:
    scop = pn.gallery.load("fig1")
    derived = pn.propagate(scop)
    kernel = pn.compile(scop, threads=1)
    found = pn.roofline({"as written": kernel, "fast": derived}, N=1000, rounds=1, threads=1)
    assert [p.label for p in found.kernels] == ["as written", "fast"]
    assert found.kernels[0].demand.kept > found.kernels[1].demand.kept == 0


@pytest.mark.usefixtures("small")
def test_the_roof_is_of_the_threads_that_are_used() -> None:
    alone = pn.compile(pn.parse(SCALE), threads=2, parallel="none")
    both = pn.compile(pn.parse(SCALE), threads=2, parallel="outermost")
    for kernels in ({"alone": alone}, {"alone": alone, "both": both}):
        found = pn.roofline(kernels, N=1000, rounds=1)
        used = max(k.threads for k in kernels.values())
        assert found.limits.threads == found.timing.threads == used


@pytest.mark.parametrize("type", [FLOAT, DOUBLE, UINT32, UINT64])
def test_arithmetic_is_eleven_operations_each(type: ElementType) -> None:
    kernel = pn.compile(pn.parse(SCALE), threads=1, fast_math=True, flags="-g0")
    found = limits.gauges(kernel, type, 2**16)
    machine = limits.reached(found, [[2.0], [4.0], [0.5, 0.5, 9.0]], type, 2**16)
    assert machine.peak == 11 * limits.ROW * limits.ROWS * limits.TIMES / 0.5
    assert machine.bandwidth == 2 * 8 * found[0][1]["N"] / 2.0
    for each, *_ in found:
        assert each.fast_math
        assert each.compiler == kernel.compiler
        assert "-g0" in each.flags


@pytest.mark.usefixtures("small")
def test_what_is_not_known_is_refused() -> None:
    kernel = pn.compile(pn.parse(SCALE), threads=1)
    kernel.program = None  # as of another C text
    with pytest.raises(pn.PolynbError, match="not known") as refused:
        pn.roofline(kernel, N=10)
    assert "pn.parse" in (refused.value.hint or "")
    with pytest.raises(pn.PolynbError, match="needs a value for N"):
        pn.roofline(pn.parse(SCALE))
    with pytest.raises(pn.PolynbError, match="does nothing at these sizes"):
        pn.roofline(pn.parse(SCALE), N=0, threads=1)
