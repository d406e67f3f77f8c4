"""The paper's figures (CC'18): dependences and pieces compared as sets, results by the oracle."""

import pytest

import polynb as pn
from polynb import isl
from polynb.run.oracle import equivalent

ASSUMED = "assume N >= 3;"


def pieces(d: pn.Derivation, origin: str) -> list[isl.Set]:
    found = [s for s in d.result.statements if s.origin == origin]
    return [isl.rename(s.domain, isl.SET, origin) for s in found]


def same_pieces(d: pn.Derivation, origin: str, expected: list[str], context: str) -> None:
    known = isl.read_set(context)
    left = [isl.read_set(e).intersect_params(known) for e in expected]
    for piece in pieces(d, origin):
        match = [e for e in left if e.is_equal(piece.intersect_params(known))]
        assert match, f"unexpected piece {piece}"
        left.remove(match[0])
    assert not left


def test_figure_1_becomes_figure_2() -> None:
    d = pn.propagate(pn.gallery.load("fig1"))
    expected = [
        "[N] -> { S4[1] }",
        "[N] -> { S4[i] : 2 <= i <= N - 2 }",
        "[N] -> { S4[i] : i = N - 1 }",
    ]
    same_pieces(d, "S4", expected, "[N] -> { : N >= 3 }")
    assert {"tmp", "s"}.isdisjoint(d.result.arrays)
    assert equivalent(d, N=[3, 4, 5, 8])


FIGURE_2 = """
param N; assume N >= 3;
out[1] = (2*in[0] + in[1]) / (in[0] / 1.5)
       + (in[0] + in[1] + in[2]) / (in[1] / 1.5)
       + (in[1] + in[2] + in[3]) / (in[2] / 1.5);
for i = 2 to N-2 do
  out[i] = (in[i-2] + in[i-1] + in[i]) / (in[i-1] / 1.5)
         + (in[i-1] + in[i] + in[i+1]) / (in[i] / 1.5)
         + (in[i] + in[i+1] + in[i+2]) / (in[i+1] / 1.5);
done
out[N-1] = (in[N-3] + in[N-2] + in[N-1]) / (in[N-2] / 1.5)
         + (in[N-2] + in[N-1] + in[N]) / (in[N-1] / 1.5)
         + (in[N-1] + 2*in[N]) / (in[N] / 1.5);
"""


def test_the_result_is_figure_2_itself() -> None:
    d = pn.propagate(pn.parse(pn.gallery.text("fig1"), assume="N >= 4"))
    assert equivalent(d, pn.parse(FIGURE_2), N=[4, 5, 9])
    printed = str(d.result)
    assert "2 * in[0]" in printed or "2*in[0]" in printed
    assert "c0" not in printed
    assert equivalent(d.result, pn.parse(printed), N=[4, 5, 9])


def test_figure_1_without_the_assumption_is_right_for_every_n() -> None:
    text = pn.gallery.text("fig1").replace("assume N >= 3;", "")
    d = pn.propagate(pn.parse(text))
    assert equivalent(d, N=range(-2, 9)).checked == 11
    assert len(d.result.statements) == 4  # N = 2 has a piece of its own


@pytest.mark.parametrize("live_out", [False, True])
def test_figure_4(live_out: bool) -> None:
    text = pn.gallery.text("fig4")
    if live_out:
        text = text.replace("temp A", "output A")
    scop = pn.parse(text)
    deps = pn.analyze(scop)
    found = [pn.reload_test(deps, e).propagation for e in deps.flow("A").edges]
    expected = [
        "[N] -> { S[i] -> T[j] : i = 2j and 1 <= j <= N }",
        "[N] -> { S[i] -> T[j] : i = 2j - 1 and 1 <= j <= N }",
    ]
    target = next(s.name for s in scop.statements if s.write.array == "B")
    for m, e in zip(found, expected, strict=True):
        assert isl.rename(isl.rename(m, isl.IN, "S"), isl.OUT, "T").is_equal(isl.read_map(e))
    d = pn.propagate(scop, live_out=live_out)
    assert [s.name for s in d.result.statements if s.write.array == "B"] == [target]
    assert bool([s for s in d.result.statements if s.write.array == "A"]) is live_out
    assert equivalent(d, N=[0, 1, 2, 5])


@pytest.mark.parametrize("live_out", [False, True])
def test_figure_5_splits_into_even_and_odd(live_out: bool) -> None:
    text = pn.gallery.text("fig5")
    if live_out:
        text = text.replace("temp A", "inout A")
    d = pn.propagate(pn.parse(text), live_out=live_out)
    expected = [
        "[N] -> { T[j] : 0 <= j <= N and j mod 2 = 0 }",
        "[N] -> { T[j] : 0 <= j <= N and j mod 2 = 1 }",
    ]
    same_pieces(d, "T", expected, "[N] -> { : }")
    assert bool([s for s in d.result.statements if s.write.array == "A"]) is live_out
    assert equivalent(d, N=[0, 1, 2, 5, 8])


def test_figure_7a_is_kept_because_it_feeds_itself() -> None:
    d = pn.propagate(pn.gallery.load("fig7a"))
    assert "its own earlier values" in d.why("tmp")


def test_figure_7b_is_kept_with_a_witness() -> None:
    d = pn.propagate(pn.gallery.load("fig7b"))
    assert "S(0) overwrites A[0], which R(0) reads, before T(0)" in d.why("tmp")
    assert d.result.by_name.keys() == d.before.by_name.keys()


def test_figure_7b_interchanged_is_propagated() -> None:
    text = pn.gallery.text("fig7b")
    swapped = text.replace("A[j] = 0; // S\n  B[j] = tmp[j]; // T", "B[j] = tmp[j]; A[j] = 0;")
    assert swapped != text
    d = pn.propagate(pn.parse(swapped))
    assert "tmp" not in d.result.arrays
    assert equivalent(d)


def test_figure_10_replaces_all_three_reads() -> None:
    d = pn.propagate(pn.gallery.load("fig10"))
    (s,) = d.result.statements
    assert not s.reads
    assert equivalent(d)
