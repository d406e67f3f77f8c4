"""A member of Feautrier's: it respects all constraints, what it carries it carries strictly, and no
member with small coefficients carries more."""

from itertools import product

import pytest

from polynb import isl
from polynb.reordering.active import Active
from polynb.reordering.band import SearchBudget, StatementGroup
from polynb.reordering.constraints import Constraint
from polynb.reordering.integer_program import Counter
from polynb.reordering.scheduler import carry

N = 5

# Spaces, and relations that must be respected. Each is one polyhedron with integer vertices.
CASES = {
    "a chain": ({"S": 1}, ["{ S[i] -> S[i + 1] : 0 <= i < n }"]),
    "both ways": (
        {"S": 2},
        [
            "{ S[i, j] -> S[i + 1, j - 1] : 0 <= i < n and 0 < j < n }",
            "{ S[i, j] -> S[i, j + 1] : 0 <= i < n and 0 <= j < n }",
        ],
    ),
    "two, in a cycle": (
        {"S": 1, "T": 1},
        ["{ S[i] -> T[i] : 0 <= i < n }", "{ T[i] -> S[i + 1] : 0 <= i < n }"],
    ),
    "not all at once": (
        {"S": 2},
        [
            "{ S[i, j] -> S[i, k] : 0 <= i < n and 0 <= j < k < n }",
            "{ S[i, j] -> S[k, l] : 0 <= i < k < n and 0 <= j < n and 0 <= l < n }",
        ],
    ),
    "backwards": ({"S": 1}, ["{ S[i] -> S[i - 1] : 0 < i < n }"]),
    "against each other": (
        {"S": 2},
        [
            "{ S[i, j] -> S[i, j + 1] : 0 <= i < n and 0 <= j < n }",
            "{ S[i, j] -> S[i + 1, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }",
        ],
    ),
    "a cycle of instances": (
        {"S": 1},
        ["{ S[i] -> S[i + 1] : 0 <= i < n }", "{ S[i] -> S[i - 1] : 0 < i <= n }"],
    ),
}
KINDS = ("validity", "conditioned_validity")


def edges_of(texts):
    for k, text in enumerate(texts):
        m = isl.read_map(f"[n] -> {text}")
        ends = isl.tuple_name(m, isl.IN), isl.tuple_name(m, isl.OUT)
        c = Constraint(KINDS[k % 2], *ends, m)
        yield Active(c, c.kind, m)


def piece_of(dims):
    spaces = {
        s: isl.set_space(("n",), s, tuple(f"i{k}" for k in range(d))) for s, d in dims.items()
    }
    return StatementGroup(spaces, ("n",), dict.fromkeys(dims, ()))


def functions(dims, box):
    """All with small coefficients: name -> (coefficients, of n, constant)."""
    shapes = [product(*[box] * d, (0, 1), (0, 1)) for d in dims.values()]
    for chosen in product(*map(list, shapes)):
        yield dict(zip(dims, chosen, strict=True))


def distances(e, f):
    for n in (1, 2, N):
        for i, j in isl.pairs(e.relation, {"n": n}):
            yield at(f[e.target], j, n) - at(f[e.source], i, n)


def at(function, point, n):
    *x, of_n, constant = function
    return sum(a * b for a, b in zip(x, point, strict=True)) + of_n * n + constant


def as_function(solution, name, dims):
    own = solution.vector(name, dims)
    return (*own, solution.values["n", name, "n"], solution.values["0", name])


@pytest.mark.parametrize("name", CASES)
def test_as_much_is_carried_as_can_be(name):
    dims, texts = CASES[name]
    edges = list(edges_of(texts))
    member = carry(piece_of(dims), edges, SearchBudget(Counter(100)))
    most = 0
    for f in functions(dims, range(-2, 3)):
        found = [list(distances(e, f)) for e in edges]
        if all(d >= 0 for ds in found for d in ds):
            most = max(most, sum(all(d > 0 for d in ds) for ds in found))
    if member is None:
        assert most == 0
        return
    f = {s: as_function(member.solution, s, d) for s, d in dims.items()}
    assert all(d >= 0 for e in edges for d in distances(e, f))
    assert all(d > 0 for e in member.carried for d in distances(e, f))
    assert all(min(distances(e, f)) == 0 for e in member.open)
    assert len(member.carried) == most > 0
    assert {id(e) for e in (*member.carried, *member.open)} == {id(e) for e in edges}


def test_what_can_be_carried_differs():
    """The cases are such where all, some, and none can be carried."""
    found = set()
    for dims, texts in CASES.values():
        member = carry(piece_of(dims), list(edges_of(texts)), SearchBudget(Counter(100)))
        found.add(None if member is None else bool(member.open))
    assert found == {None, True, False}


def test_conditions_and_proximity_ask_nothing():
    dims, texts = CASES["a chain"]
    e = next(edges_of(texts))
    other = isl.read_map("[n] -> { S[i] -> S[i - 1] : 0 < i <= n }")
    wished = [Active(Constraint(k, "S", "S", other), k, other) for k in ("condition", "proximity")]
    member = carry(piece_of(dims), [e, *wished], SearchBudget(Counter(10)))
    assert [str(x) for x in member.carried] == ["validity S -> S"]
