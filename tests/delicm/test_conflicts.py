"""Conflicts of knowledges: the worked cases, and the rules counted out point by point."""

from __future__ import annotations

import itertools
import json
import random
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from polynb import isl
from polynb.delicm import Knowledge, is_conflicting, learn
from polynb.delicm.knowledge import OTHER, free, needed, universe
from polynb.errors import PolynbError

GOLDEN = Path(__file__).parents[1] / "golden" / "delicm_conflicts.json"
CASES = json.loads(GOLDEN.read_text("utf-8"))["cases"]
RULES = ["lifetime", "existing-write-in-proposed", "proposed-write-in-existing", "write-write"]
by_id = pytest.mark.parametrize("case", CASES, ids=lambda c: c["id"])


def parsed(case) -> tuple[Knowledge, Knowledge]:
    return Knowledge.parse(**case["existing"]), Knowledge.parse(**case["proposed"])


def completed(k: Knowledge, other: Knowledge) -> Knowledge:
    return replace(k, occupied=needed(other, k), unused=free(k, other))


def four_ways(existing: Knowledge, proposed: Knowledge):
    """With all zones, and without those that follow from others."""
    e, p = completed(existing, proposed), completed(proposed, existing)
    return itertools.product((e, replace(e, occupied=None)), (p, replace(p, unused=None)))


@by_id
def test_a_worked_case(case) -> None:
    found = is_conflicting(*parsed(case))
    assert (found is not None) == case["conflict"]
    assert (found and found.rule) == case["violated_rule"]


@by_id
def test_it_is_symmetric_and_needs_no_complements(case) -> None:
    existing, proposed = parsed(case)
    for pair in ((existing, proposed), (proposed, existing)):
        assert bool(is_conflicting(*pair)) == case["conflict"]
        for e, p in four_ways(*pair):
            assert bool(is_conflicting(e, p)) == case["conflict"]


# -- counted out ---------------------------------------------------------------------------

Point = tuple[int, int, int]  # cell, row of time, time
VALUES = ("V[]", "W[]", "V[1]", "[S[] -> V[]]", "[]")
OUTSIDE: Point = (-1, 0, 0)  # a point of another array


@dataclass
class Plain:
    """A knowledge in sets of points; `zones` are those occupied, or those unused."""

    zones: set[Point]
    finite: bool
    known: set[tuple[Point, str]]
    written: set[tuple[Point, str]]

    def occupies(self, point: Point) -> bool:
        return (point in self.zones) == self.finite

    def knows(self, point: Point) -> set[str]:
        return {v for p, v in self.known if p == point and v != "[]"}

    def writes(self, point: Point) -> set[str] | None:
        found = {v for p, v in self.written if p == point}
        return found - {"[]"} if found else None


def violations(e: Plain, p: Plain, window: list[Point]) -> dict[str, set[Point]]:
    found: dict[str, set[Point]] = {rule: set() for rule in RULES}
    for at in window:
        if e.occupies(at) and p.occupies(at) and not e.knows(at) & p.knows(at):
            found["lifetime"].add(at)
        x, row, t = at
        after = (x, row, t + 1)  # the zone that starts at t
        ours, theirs = e.writes(at), p.writes(at)
        if ours is not None and p.occupies(after) and not ours & p.knows(after):
            found["existing-write-in-proposed"].add(at)
        if theirs is not None and e.occupies(after) and not theirs & e.knows(after):
            found["proposed-write-in-existing"].add(at)
        if ours is not None and theirs is not None and not ours & theirs:
            found["write-write"].add(at)
    return found


def random_knowledge(rng: random.Random, rows: int) -> Plain:
    """Mostly a few occupied zones; sometimes all but a few. Values are mostly one."""
    points = list(itertools.product(range(2), range(rows), range(4)))

    def valued(few: list[Point]) -> set[tuple[Point, str]]:
        names = ("V[]", "V[]", rng.choice(VALUES))
        return {(p, rng.choice(names)) for p in few for _ in range(rng.randint(1, 2))}

    finite = rng.random() < 0.7
    zones = rng.sample(points, rng.randint(0, 3) if finite else len(points) - rng.randint(0, 2))
    written = valued(rng.sample(points, rng.randint(0, 2)))
    occupied = [p for p in points if (p in zones) == finite]
    return Plain(set(zones), finite, valued(occupied), written)


def as_knowledge(plain: Plain, nested: bool, rows: int) -> Knowledge:
    """In texts, of pairs or flat tuples."""

    def text(point: Point) -> str:
        x, *time = point if rows > 1 else (point[0], point[2])
        return f"[A[{x}] -> {time}]" if nested else f"A{[x, *time]}"

    def union(parts) -> str:
        return f"{{ {'; '.join(parts)} }}"

    known = union(f"{text(p)} -> {v}" for p, v in sorted(plain.known))
    written = union(f"{text(p)} -> {v}" for p, v in sorted(plain.written))
    if plain.finite:
        return Knowledge.parse(occupied=known, written=written)
    unused = union(text(p) for p in sorted(plain.zones))
    return Knowledge.parse(unused=unused, known=known, written=written)


@pytest.mark.parametrize(("nested", "rows"), [(True, 1), (True, 2), (False, 1), (False, 2)])
def test_a_conflict_is_where_a_point_violates_a_rule(nested: bool, rows: int) -> None:
    seen: Counter[str | None] = Counter()
    # Where time has rows, a flat tuple's row is told as an index.
    dims = 1 if nested or rows == 1 else 2
    # What is unused is finite, so that two with few of it conflict outside of all others.
    window = [*itertools.product(range(2), range(rows), range(-2, 7)), OUTSIDE]
    for seed in range(60):
        rng = random.Random(1000 * rows + seed)
        plains = random_knowledge(rng, rows), random_knowledge(rng, rows)
        knowledges = [as_knowledge(p, nested, rows) for p in plains]
        for (e, p), given in ((plains, knowledges), (plains[::-1], knowledges[::-1])):
            expected = violations(e, p, window)
            rule = next((r for r in RULES if expected[r]), None)
            found = is_conflicting(*given)
            assert (found and found.rule) == rule, (e, p)
            seen[rule] += 1
            if found is None or found.cell == OTHER:
                assert rule is None or OUTSIDE in expected[rule]
                continue
            index = [int(x) for x in found.cell.removeprefix("A[").removesuffix("]").split("][")]
            assert len(index) == dims
            point = [*index, *found.time]
            x, row, t = point if rows > 1 else (point[0], 0, point[1])
            inside = range(2), range(rows), range(-2, 7)
            if all(a in b for a, b in zip((x, row, t), inside, strict=True)):
                assert (x, row, t) in expected[found.rule]
            else:
                assert found.rule == "lifetime"
                assert not (e.finite)
                assert not (p.finite)
    assert set(seen) == {None, *RULES}, seen
    assert seen[None] >= 10


@pytest.mark.parametrize("case", [c for c in CASES if c["conflict"]], ids=lambda c: c["id"])
def test_the_conflict_is_there_at_the_parameters_of_the_witness(case) -> None:
    pair = parsed(case)
    found = is_conflicting(*pair)
    assert found is not None
    at = isl.fix_parameters(
        isl.Set.universe(isl.param_space(found.witness.parameters)), found.witness.parameters
    )

    def there(k: Knowledge, other: Knowledge) -> Knowledge:
        k = completed(k, other)
        parts = (k.occupied, k.unused, k.known, k.written)
        return Knowledge(*(part.intersect_params(at) for part in parts))

    # Unused zones have points at these values alone: elsewhere, none are needed either.
    e, p = there(*pair), there(*pair[::-1])
    again = is_conflicting(replace(e, occupied=None), replace(p, unused=None))
    assert again is not None
    assert again.rule == found.rule


def test_a_witness_has_parameters_a_cell_and_a_time() -> None:
    existing = Knowledge.parse(occupied="[N] -> { [A[i] -> [0, t]] : N <= i < N + 2 and t > 3 }")
    proposed = Knowledge.parse(occupied="{}", written="[N] -> { [A[i] -> [0, 5]] : i >= 4 }")
    found = is_conflicting(existing, proposed)
    assert found is not None
    (n,), i = found.witness.parameters.values(), int(found.cell[2:-1])
    assert max(n, 4) <= i < n + 2
    assert found.time == (0, 5)
    assert str(found) == (
        f"the proposal writes A[{i}] at [0, 5], and it is needed for another value then, N = {n}"
    )


def test_arrays_that_none_mentions_are_occupied_where_nothing_is_unused() -> None:
    found = is_conflicting(Knowledge.parse(unused="{}"), Knowledge.parse(unused="{}"))
    assert found is not None
    assert (found.rule, found.cell) == ("lifetime", OTHER)
    named = Knowledge.parse(occupied="{ A[t] }", unused="{}")
    assert "A" in str(is_conflicting(named, Knowledge.parse(unused="{}")))
    assert len(isl.sets(universe(named, named))) == 2


def test_what_is_learnt_of_arrays_that_neither_mentions() -> None:
    """B is not unused in the first proposal, so it is occupied."""
    existing = Knowledge.parse(occupied="{ A[t] : 1 <= t <= 3 }")
    learnt = learn(existing, Knowledge.parse(unused="{ A[t] : t <= 9 }"))
    assert is_conflicting(learnt, Knowledge.parse(occupied="{ B[4] }")) is not None
    assert is_conflicting(Knowledge.parse(occupied="{ B[4] }"), learnt) is not None
    assert is_conflicting(learnt, Knowledge.parse(occupied="{ A[4] }")) is None
    assert is_conflicting(learnt, Knowledge.parse(occupied="{ A[3] }")) is not None


def test_what_is_learnt_conflicts_with_a_second_proposal_in_its_place() -> None:
    existing = Knowledge.parse(unused="{ A[t] : t <= 10 }", written="{ A[10] -> S[] }")
    first = Knowledge.parse(occupied="{ A[t] -> V[] : 2 <= t <= 5 }", written="{ A[1] -> V[] }")
    second = Knowledge.parse(occupied="{ A[t] -> W[] : 5 <= t <= 7 }", written="{ A[4] -> W[] }")
    later = Knowledge.parse(occupied="{ A[t] -> W[] : 6 <= t <= 7 }", written="{ A[5] -> W[] }")
    alike = Knowledge.parse(occupied="{ A[t] -> V[] : 5 <= t <= 7 }", written="{ A[4] -> V[] }")
    assert all(is_conflicting(existing, p) is None for p in (first, second, later, alike))
    learnt = learn(existing, first)
    assert learnt.occupied is None
    assert learnt.unused.is_equal(isl.UnionSet("{ A[t] : t < 2 or 5 < t <= 10 }"))
    assert learnt.known.is_equal(first.known)
    assert learnt.written.is_equal(isl.UnionMap("{ A[10] -> S[]; A[1] -> V[] }"))
    found = is_conflicting(learnt, second)
    assert found is not None
    assert (found.rule, found.cell, found.time) == ("lifetime", "A", (5,))
    assert is_conflicting(learnt, later) is None
    assert is_conflicting(learnt, alike) is None
    occupied = learn(Knowledge.parse(occupied="{ A[20] }"), first)
    assert occupied.unused is None
    assert occupied.occupied.is_equal(isl.UnionSet("{ A[20]; A[t] : 2 <= t <= 5 }"))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "neither occupied nor unused zones are given"),
        ({"occupied": "{ A[t] -> V[ }"}, "occupied, line 1, column"),
        ({"occupied": "{ A[t]; A[t] -> V[] }"}, "column 3: this is no map"),
        ({"occupied": "{ A[] }"}, r"column 3: A\[\] in occupied has no dimension for time"),
        ({"occupied": "{}", "written": "{ B[t] -> V[]; A[] -> V[] }"}, r"column 16: A\[\] in"),
        ({"unused": "{ A[t] -> V[] }"}, "column 3: this is no set"),
        ({"unused": "{ A[] }"}, r"column 3: A\[\] in unused has no dimension"),
        ({"unused": "{}", "known": "{ A[t] }"}, "column 3: this is no map"),
        ({"unused": "{}", "known": "{ A[] -> V[] }"}, r"column 3: A\[\] in known has no dimension"),
        ({"unused": "{}", "written": 3}, "the written must be a map"),
    ],
)
def test_texts_that_are_wrong_are_pointed_into(given, message: str) -> None:
    with pytest.raises(PolynbError, match=message):
        Knowledge.parse(**given)


@pytest.mark.parametrize("given", [(1, 2), (None, None), ("{ A[t] }", 3)])
def test_what_is_no_knowledge_is_refused(given: tuple[object, object]) -> None:
    with pytest.raises(PolynbError, match="existing must be"):
        is_conflicting(*given)  # type: ignore[arg-type]
    with pytest.raises(PolynbError, match="existing must be"):
        learn(*given)  # type: ignore[arg-type]


def test_what_is_no_proposal_is_not_learnt() -> None:
    nothing = Knowledge.parse(occupied="{}")
    with pytest.raises(PolynbError, match="proposed must be a Knowledge, not 3"):
        learn(nothing, 3)  # type: ignore[arg-type]
