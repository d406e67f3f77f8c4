"""Zones: the worked cases, and the definitions counted out in a window of time."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest

from polynb import isl
from polynb.dependences import zones
from polynb.errors import PolynbError

GOLDEN = Path(__file__).parents[1] / "golden" / "zones.json"
CASES = json.loads(GOLDEN.read_text("utf-8"))["cases"]
NAMES = {
    "beforeScatter": zones.before_scatter,
    "afterScatter": zones.after_scatter,
    "betweenScatter": zones.between_scatter,
    "singleton": zones.singleton,
    "getNumScatterDims": zones.num_scatter_dims,
    "getScatterSpace": zones.scatter_space,
    "makeIdentityMap": zones.identity_map,
    "reverseDomain": zones.reverse_domain,
    "shiftDim": zones.shift_dim,
    "computeReachingWrite": zones.reaching_write,
    "computeArrayUnused": zones.array_unused,
    "convertZoneToTimepoints": zones.zone_to_timepoints,
    "distributeDomain": zones.distribute_domain,
    "liftDomains": zones.lift_domains,
    "applyDomainRange": zones.apply_domain_range,
}
KINDS = {"set": isl.Set, "map": isl.Map, "union_set": isl.UnionSet, "union_map": isl.UnionMap}


def read(value):
    if not isinstance(value, dict):
        return value
    if value["kind"] != "space":
        return KINDS[value["kind"]](value["isl"])
    return (isl.Map if "->" in value["isl"] else isl.Set)(value["isl"]).get_space()


@pytest.mark.parametrize("case", CASES, ids=lambda c: c["id"])
def test_a_worked_case(case) -> None:
    found = NAMES[case["function"]](*map(read, case["args"]))
    expected = read(case["expect"])
    if isinstance(expected, int):
        assert found == expected
    elif isinstance(expected, isl.Space):
        assert found.has_equal_tuples(expected)
    else:
        assert type(found) is type(expected)
        assert found.is_equal(expected)


# -- counted out in a window of time -------------------------------------------------------

ENDS = [(False, False), (False, True), (True, False), (True, True)]


@dataclass
class Run:
    """Instances S[k] at times of a small box, and the cells A[x] that they write and read."""

    times: dict[int, tuple[int, ...]]
    writes: set[tuple[int, int]]
    reads: set[tuple[int, int]]
    window: list[tuple[int, ...]]

    @property
    def schedule(self) -> isl.UnionMap:
        return union(f"S[{k}] -> {list(t)}" for k, t in self.times.items())

    def accesses(self, of: set[tuple[int, int]]) -> isl.UnionMap:
        return union(f"S[{k}] -> A[{x}]" for k, x in of)

    def written(self, x: int) -> list[tuple[int, ...]]:
        return sorted({self.times[k] for k, y in self.writes if y == x})

    @property
    def seen(self) -> isl.UnionSet:
        return isl.UnionSet(f"{{ {'; '.join(str(list(t)) for t in self.window)} }}")


def union(parts: Iterable[str]) -> isl.UnionMap:
    return isl.UnionMap(f"{{ {'; '.join(parts)} }}")


def random_run(seed: int) -> Run:
    """Times of one or two dimensions; in every third run, some instances have one time."""
    rng = random.Random(seed)
    sides = [range(6)] if seed % 2 else [range(2), range(3)]
    inside = list(itertools.product(*sides))
    window = list(itertools.product(*(range(s.start - 2, s.stop + 2) for s in sides)))
    n = rng.randint(1, 5)
    times = rng.choices(inside, k=n) if seed % 3 == 0 else rng.sample(inside, n)
    every = list(itertools.product(range(n), range(2)))
    writes, reads = (set(rng.sample(every, rng.randint(0, 4) % (len(every) + 1))) for _ in "wr")
    return Run(dict(enumerate(times)), writes, reads, window)


def inside(t, start, end, incl_start, incl_end) -> bool:
    """Whether a time is between two, None being infinity."""
    after = start is None or t > start or (incl_start and t == start)
    return after and (end is None or t < end or (incl_end and t == end))


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("reverse", [False, True])
def test_writes_reach_up_to_the_next(seed: int, reverse: bool) -> None:
    run = random_run(seed)
    for ends in ENDS:
        expected = []
        for k, x in sorted(run.writes):
            own, times = run.times[k], run.written(x)
            if reverse:
                start, end = max((w for w in times if w < own), default=None), own
            else:
                start, end = own, min((w for w in times if w > own), default=None)
            reached = [t for t in run.window if inside(t, start, end, *ends)]
            expected += [f"[A[{x}] -> {list(t)}] -> S[{k}]" for t in reached]
        found = zones.reaching_write(run.schedule, run.accesses(run.writes), reverse, *ends)
        in_window = isl.UnionSet("{ A[x] }").product(run.seen)
        assert found.intersect_domain(in_window).is_equal(union(expected))


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("same", [False, True])
def test_cells_are_unused_from_their_last_read_to_the_write(seed: int, same: bool) -> None:
    run = random_run(seed)
    for ends in ENDS:
        expected = []
        for x in range(2):
            before = None
            for w in run.written(x):
                reads = (run.times[k] for k, y in run.reads if y == x)
                last = max((r for r in reads if inside(r, before, w, same, not same)), default=None)
                start = before if last is None else last
                free = [t for t in run.window if inside(t, start, w, *ends)]
                expected += [f"A[{x}] -> {list(t)}" for t in free]
                before = w
        accesses = run.accesses(run.writes), run.accesses(run.reads)
        found = zones.array_unused(run.schedule, *accesses, same, *ends)
        assert found.intersect_range(run.seen).is_equal(union(expected))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("ends", ENDS)
def test_timepoints_are_inside_of_zones_or_end_them(seed: int, ends: tuple[bool, bool]) -> None:
    zone = set(random.Random(seed).sample(range(8), 4))
    expected = []
    for t in range(-2, 10):
        before, after = t in zone, t + 1 in zone  # the intervals that touch t
        starts, stops = after and not before, before and not after
        if (before and after) or (starts and ends[0]) or (stops and ends[1]):
            expected.append(f"[3, {t}]")
    given = isl.UnionSet(f"{{ {'; '.join(f'[3, {i}]' for i in zone)} }}")
    points = isl.UnionSet(f"{{ {'; '.join(expected)} }}")
    value = isl.UnionSet("{ V[] }")
    assert zones.zone_to_timepoints(given, *ends).is_equal(points)
    pairs = isl.UnionMap.from_domain_and_range(given, value)
    found = zones.zone_to_timepoints(pairs, "in", *ends)
    assert found.is_equal(isl.UnionMap.from_domain_and_range(points, value))
    found = zones.zone_to_timepoints(pairs.reverse(), "out", *ends)
    assert found.is_equal(isl.UnionMap.from_domain_and_range(value, points))


@pytest.mark.parametrize("ends", ENDS)
@pytest.mark.parametrize("kind", [isl.Map, isl.UnionMap])
def test_times_between_times(ends: tuple[bool, bool], kind) -> None:
    window = list(itertools.product(range(-1, 4), range(-1, 4)))
    first, last = {0: (0, 2), 1: (1, 1)}, {0: (2, 0), 1: (1, 1)}
    given = [kind(f"{{ {'; '.join(f'S[{k}] -> {list(t)}' for k, t in x.items())} }}")
             for x in (first, last)]  # fmt: skip
    expected = [
        f"S[{k}] -> {list(t)}"
        for k, t in itertools.product(first, window)
        if inside(t, first[k], None, ends[0], True) and inside(t, None, last[k], True, ends[1])
    ]
    seen = isl.UnionSet(f"{{ {'; '.join(str(list(t)) for t in window)} }}")
    found = isl.as_union(zones.between_scatter(*given, *ends)).intersect_range(seen)
    assert found.is_equal(union(expected))
    after, before = isl.UnionMap(str(given[0])), isl.UnionMap(str(given[1]))
    parts = zones.after_scatter(after, not ends[0]), zones.before_scatter(before, not ends[1])
    assert parts[0].intersect(parts[1]).intersect_range(seen).is_equal(union(expected))


@pytest.mark.parametrize("seed", range(6))
def test_pairs_are_rearranged_member_by_member(seed: int) -> None:
    rng = random.Random(seed)
    triples = rng.sample(list(itertools.product(range(3), repeat=3)), 6)
    steps = rng.sample(list(itertools.product(range(3), repeat=2)), 4)

    distributed = zones.distribute_domain(
        union(f"D[{d}] -> [A[{a}] -> B[{b}]]" for d, a, b in triples)
    )
    assert distributed.is_equal(
        union(f"[D[{d}] -> A[{a}]] -> [D[{d}] -> B[{b}]]" for d, a, b in triples)
    )
    pairs = union(f"[A[{a}] -> B[{b}]] -> C[{c}]" for a, b, c in triples)
    reversed_pairs = union(f"[B[{b}] -> A[{a}]] -> C[{c}]" for a, b, c in triples)
    assert zones.reverse_domain(pairs).is_equal(reversed_pairs)
    relation = union(f"B[{b}] -> E[{e}]" for b, e in steps)
    applied = zones.apply_domain_range(pairs, relation)
    assert applied.is_equal(
        union(f"[A[{a}] -> E[{e}]] -> C[{c}]" for a, b, c in triples for x, e in steps if x == b)
    )
    lifted = zones.lift_domains(relation, isl.UnionSet("{ F[0]; F[7] }"))
    assert lifted.is_equal(
        union(f"[F[{f}] -> B[{b}]] -> [F[{f}] -> E[{e}]]" for f in (0, 7) for b, e in steps)
    )


def test_no_instance_reaches_a_cell_that_it_does_not_write() -> None:
    """Even if it runs at the time of a write."""
    schedule = union(["S[] -> [0]", "T[] -> [0]"])
    found = zones.reaching_write(schedule, union(["S[] -> A[]"]), False, False, True)
    assert found.is_equal(isl.UnionMap("{ [A[] -> [t]] -> S[] : t > 0 }"))


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda: zones.shift_dim(isl.Set("{ [i] }"), 1, 1), "pos must be a dimension of"),
        (lambda: zones.shift_dim(isl.Set("{ [] }"), -1, 1), "pos must be a dimension of"),
        (lambda: zones.shift_dim(isl.Map("{ [i] -> [] }"), "on", 0, 1), "side must be in or out"),
        (
            lambda: zones.singleton(isl.UnionSet("{ A[]; B[] }"), isl.Set("{ A[] }").get_space()),
            "has 2 spaces, not one",
        ),
        (
            lambda: zones.singleton(isl.UnionSet("{ B[] }"), isl.Set("{ A[] }").get_space()),
            "is not in the space",
        ),
    ],
)
def test_what_has_no_answer_is_refused(function, message: str) -> None:
    with pytest.raises(PolynbError, match=message):
        function()


ENDLESS = " and ".join(
    f"((i + {k + 1}p) mod {2 * k + 3} = 0 or (i - {k + 1}p) mod {k + 5} = 0)" for k in range(14)
)


def test_the_usual_seconds_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    times = isl.UnionMap(f"[p] -> {{ S[i] -> [i] : {ENDLESS} }}")
    monkeypatch.setenv("POLYNB_SECONDS", "0.2")
    with pytest.raises(isl.BudgetExhausted, match=r"computation of zones used up its 0\.2 seconds"):
        zones.array_unused(times, times.reverse().reverse(), times, False, True, True)
