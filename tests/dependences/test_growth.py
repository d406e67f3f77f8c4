"""How much isl is asked for: what grows quadratically does, and what did not change is kept."""

from collections.abc import Callable
from itertools import pairwise

import pytest

import polynb as pn
from polynb import isl
from polynb.dependences import analysis, flow as flow_module, same_cell


def chain(stages: int) -> str:
    names = ["A", *(f"t{k}" for k in range(1, stages)), "B"]
    loops = [
        f"for i = {k} to N - {k} do {b}[i] = {a}[i-1] + {a}[i+1]; done"
        for k, (a, b) in enumerate(pairwise(names), 1)
    ]
    temporaries = ", ".join(names[1:-1])
    return f"param N; assume N >= {4 * stages}; temp {temporaries};" + "\n".join(loops)


def overwriting(count: int) -> str:
    """Every second statement writes all of t, the others read it."""
    loops = [
        f"for i = 0 to N do t[i] = A[i] * {k}; done for i = 0 to N do B[{k}][i] = t[N-i]; done"
        for k in range(count)
    ]
    return "param N; temp t;" + "\n".join(loops)


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """How many pairs of times were compared in general since the last call."""
    calls = []
    for name in ("lex_lt_map", "lex_le_map", "lex_gt_map"):
        general = getattr(isl.Map, name)

        def counted(self: isl.Map, other: isl.Map, general: Callable = general) -> isl.Map:
            calls.append(1)
            return general(self, other)

        monkeypatch.setattr(isl.Map, name, counted)

    def since() -> int:
        found = len(calls)
        calls.clear()
        return found

    return since


def test_loop_nests_one_after_the_other_need_no_general_comparison(
    compared: Callable[[], int],
) -> None:
    counts = []
    for n in (6, 12):
        scop = pn.parse(overwriting(n))
        _ = pn.analyze(scop).edges
        counts.append(compared())
    assert counts[1] <= 2.2 * counts[0]  # each statement with itself
    scop = pn.parse("param N; for i = 0 to N do s = A[i]; B[i] = s; done")
    _ = pn.analyze(scop).edges
    assert compared() > 0


def test_a_full_overwrite_ends_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """With n writers there are n^2 pairs of writers; not n^3 differences of relations."""
    calls = []
    subtract = isl.Map.subtract
    monkeypatch.setattr(isl.Map, "subtract", lambda a, b: (calls.append(1), subtract(a, b))[1])
    counts = []
    for n in (8, 24):
        calls.clear()
        deps = pn.analyze(pn.parse(overwriting(n)))
        calls.clear()
        edges = [e for e in deps.edges if e.array == "t"]
        assert len(edges) == 3 * n - 2  # each read of the last write, and each next overwrite
        counts.append(len(calls))
    assert counts[1] <= 14 * counts[0]


@pytest.mark.parametrize("last", ["", "B = a[0] + a[N];"])
def test_of_many_sweeps_only_the_nearest_are_compared(
    monkeypatch: pytest.MonkeyPatch, last: str
) -> None:
    """Every sweep overwrites what the one before left: n of them have O(n) pairs that matter, also
    if there are cells that none of them writes."""
    calls = []
    monkeypatch.setattr(
        flow_module,
        "same_cell",
        lambda *args, **how: (calls.append(1), same_cell(*args, **how))[1],
    )
    counts = []
    for n in (10, 20):
        sweeps = "".join(
            f"for i = 1 to N - 1 do a[i] = a[i-1] + {k} * a[i+1]; done\n" for k in range(n)
        )
        scop = pn.parse("param N; assume N >= 4; inout a[N+1];" + sweeps + last)
        calls.clear()
        deps = pn.analyze(scop)
        assert len(deps.output_edges) == n - 1
        _ = deps.edges, deps.live_in
        counts.append(len(calls))
    assert counts[1] <= 2.2 * counts[0]


def test_what_is_live_in_is_found_only_if_somebody_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    uncertain = flow_module._uncertain
    monkeypatch.setattr(
        flow_module, "_uncertain", lambda r, w: (asked.append(1), uncertain(r, w))[1]
    )
    scop = pn.parse(overwriting(3) + "\nC = t[N+1];")
    deps = pn.analyze(scop)
    _ = deps.edges
    _ = pn.propagate(scop)
    assert not asked
    assert len(deps.flow("t").live_in) == 1
    assert asked


def test_after_a_change_only_its_arrays_are_computed_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A program of n stages, propagated array by array, asks for O(n) flows in all, not O(n^2)."""
    asked = []
    flow = flow_module.flow
    monkeypatch.setattr(analysis, "flow", lambda s, a, k: (asked.append(a), flow(s, a, k))[1])
    counts = []
    for n in (6, 12):
        scop = pn.parse(chain(n))
        asked.clear()
        result = pn.propagate(scop, heuristics=()).result
        assert len(result.statements) == 1
        counts.append(len(asked))
    assert counts[1] <= 2.5 * counts[0]
