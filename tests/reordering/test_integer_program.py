"""The integer program of a member, against all points of a small box."""

from itertools import product
from random import Random

import pytest

from polynb.reordering.farkas import ConstraintRow
from polynb.reordering.integer_program import (
    WEIGHTS,
    Counter,
    OutsideSpan,
    ProgramLimit,
    Solution,
    member_layout,
    possible_signs,
    signed,
    solve,
)
from polynb.reordering.lexmin import Budget

SHAPES = (({"S": 2}, ("N",)), ({"S": 1, "T": 1}, ()), ({"S": 3}, ()), ({"S": 2, "T": 1}, ()))
SEEDS = 40


def boxes(layout):
    """The values of each unknown that are tried, and rows that allow no others."""
    box = {u: range(-1, 2) if signed(u) else range(0, 3) for u in layout.unknowns}
    if len(box) <= 5:
        box |= {u: range(-2, 3) for u in box if signed(u)}
    rows = [ConstraintRow({u: 1}, -values[0]) for u, values in box.items()]
    return box, [*rows, *(ConstraintRow({u: -1}, values[-1]) for u, values in box.items())]


def random_rows(random, layout):
    """Rows as Farkas's lemma gives them, and some with a constant."""
    for _ in range(random.randint(1, 4)):
        chosen = random.sample(layout.unknowns, min(random.randint(1, 3), len(layout.unknowns)))
        terms = {u: random.choice([-2, -1, 1, 1, 2]) for u in chosen}
        constant = random.choice([0, 0, 0, -1, 1, -2])
        yield ConstraintRow(terms, constant, equality=random.random() < 0.15)


def random_regions(random, dims):
    for name, d in dims.items():
        if random.random() < 0.7:
            forms = [tuple(random.randint(-1, 1) for _ in range(d)) for _ in range(d)]
            forms = tuple(f for f in forms[: random.randint(1, d)] if any(f))
            if forms:
                yield OutsideSpan(name, forms)


def holds(row, values):
    found = sum(c * values[u] for u, c in row.terms.items()) + row.constant
    return found == 0 if row.equality else found >= 0


def objective(layout, values):
    """What is minimised, one after the other: the sums, then each unknown; of one that may be
    negative first how far it is below zero."""
    found = []
    for unknowns, minus, plus in layout.sums:
        weights = [plus if values[u] > 0 else minus for u in unknowns]
        found.append(sum(w * abs(values[u]) for w, u in zip(weights, unknowns, strict=True)))
    for u in layout.unknowns:
        v = values[u]
        found += [max(-v, 0), max(v, 0)] if signed(u) else [v]
    return tuple(found)


def enumerated(layout, box, rows, regions):
    """The smallest of all points in the box that satisfy the rows and lie in the regions."""
    best = None
    for point in product(*box.values()):
        values = dict(zip(box, point, strict=True))
        if not all(holds(r, values) for r in rows):
            continue
        inside = all(
            any(sum(c * values["x", r.name, str(k)] for k, c in enumerate(f)) for f in r.forms)
            for r in regions
        )
        if inside and (best is None or objective(layout, values) < objective(layout, best)):
            best = values
    return best


@pytest.mark.parametrize("shape", range(len(SHAPES)))
def test_the_smallest_solution_is_found(shape):
    dims, parameters = SHAPES[shape]
    layout = member_layout(dims, parameters)
    found = {"none": 0, "some": 0}
    for seed in range(SEEDS):
        random = Random(f"{shape} {seed}")
        box, bounds = boxes(layout)
        rows = list(random_rows(random, layout))
        regions = list(random_regions(random, dims))
        expected = enumerated(layout, box, rows, regions)
        solution = solve(layout, [*rows, *bounds], regions, Counter(1000))
        said = f"{shape} {seed}: {[str(r) for r in rows]} {regions}"
        found["none" if expected is None else "some"] += 1
        if expected is None:
            assert solution is None, said
            continue
        assert isinstance(solution, Solution), said
        assert dict(solution.values) == expected, said
        assert solution.objective == objective(layout, expected)[: len(layout.sums)], said
    assert found["none"] > 1
    assert found["some"] > SEEDS // 2


def test_signs_that_the_rows_leave_are_all_found():
    """`possible_signs` may not leave a sign out that some solution has."""
    dims = {"S": 3}
    layout = member_layout(dims, ())
    left_out = 0
    for seed in range(60):
        random = Random(seed)
        unknowns = [("x", "S", str(k)) for k in range(3)]
        rows = []
        for _ in range(random.randint(1, 4)):
            rows.append(ConstraintRow({u: random.choice([-1, 0, 1]) for u in unknowns}))
        rows.append(ConstraintRow({unknowns[0]: 1, ("m",): 1}, 3))  # with a bound: does not count
        region = OutsideSpan("S", ((1, 0, 0), (0, 1, 0), (1, -1, 1)))
        ways = set(possible_signs(rows, [region], Budget())["S"])
        seen = set()
        for point in product(range(-2, 3), repeat=3):
            values = {**dict(zip(unknowns, point, strict=True)), ("m",): 9}
            if all(holds(r, values) for r in rows):
                for f in region.forms:
                    value = sum(a * b for a, b in zip(f, point, strict=True))
                    seen |= {(f, (value > 0) - (value < 0))} if value else set()
        assert seen <= ways, f"{seed}: {[str(r) for r in rows]}"
        assert ways == seen, f"{seed}: {ways - seen} only far away"
        left_out += len(ways) < 6
    assert left_out > 10
    assert layout.length


def test_negative_coefficients_count_more():
    layout = member_layout({"S": 2}, ())
    minus, plus = WEIGHTS
    assert minus > plus
    rows = [ConstraintRow({("x", "S", "0"): -1, ("x", "S", "1"): 1}, -1)]  # x1 - x0 >= 1
    solution = solve(layout, rows, [], Counter(10))
    assert solution.vector("S", 2) == (0, 1)  # not (-1, 0)


def test_a_region_keeps_members_independent():
    layout = member_layout({"S": 2}, ())
    region = OutsideSpan("S", ((0, 1),))
    assert region.holds((5, 1))
    assert not region.holds((5, 0))
    solution = solve(layout, [], [region], Counter(10))
    assert solution.vector("S", 2) == (0, 1)


def test_no_more_programs_than_allowed():
    with pytest.raises(ProgramLimit):
        solve(member_layout({"S": 1}, ()), [], [], Counter(0))
    counter = Counter(1)
    assert solve(member_layout({"S": 1}, ()), [], [], counter).vector("S", 1) == (0,)
    assert counter.solved == 1
