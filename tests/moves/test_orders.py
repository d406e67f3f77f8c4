"""Every move: the order that it leads to, instance by instance, at sizes up to 4."""

from itertools import product

import pytest
from making import moves

from polynb import isl
from polynb.errors import PolynbError
from polynb.run.oracle import equivalent
from polynb.scop.parsing import parse
from polynb.scop.schedule import Band, walk

SIZES = range(5)

SQUARE = (
    "param N; output A[N+1][N+1]; for i=0 to N do for j=0 to N do S: A[i][j] = f(i,j); done done"
)
TRIANGLE = SQUARE.replace("j=0 to N", "j=i to N")
CUBE = """param N; output A[N+1][N+1][N+1];
for i=0 to N do for j=0 to N do for k=j to N do S: A[i][j][k] = f(i,j,k); done done done"""
UNEVEN = """param N; output A[N+1], B[N+1][N+1], C[N+1];
for i=0 to N do S: A[i] = f(i); for j=0 to i do T: B[i][j] = g(i,j); done U: C[i] = h(i); done"""
TWO = """param N; output A[N+1], B[N+1];
for i=0 to N do S: A[i] = f(i); done for k=0 to N do T: B[k] = g(k); done"""
NESTS = """param N; output A[N+1][N+1], B[N+1][N+1];
for i=0 to N do for j=0 to N do S: A[i][j] = f(i,j); done done
for i=0 to N do for j=i to N do T: B[i][j] = g(i,j); done done"""
STRIDED = "param N; output A[N+1]; for i=0 to N by 2 do S: A[i] = f(i); done"


def order(scop, n):
    """The instances at N = n in the order of their times, which are all different."""
    found = []
    for s in scop.statements:
        depth = len(s.iterators)
        pairs = s.schedule.intersect_domain(s.domain).wrap().flatten()
        found += [(p[depth:], (s.name, *p[:depth])) for p in isl.points(pairs, {"N": n})]
    times = [t for t, _ in found]
    assert len(set(times)) == len(times)
    return [x for _, x in sorted(found)]


def square(n):
    return list(product(range(n + 1), repeat=2))


def pairs(n):
    return [(i, j) for i, j in square(n) if j >= i]


def s(points):
    return [("S", *p) for p in points]


def uneven(n):
    """UNEVEN after the interchange of i and j."""
    return [
        *(("S", i) for i in range(n + 1)),
        *(("T", i, j) for j in range(n + 1) for i in range(j, n + 1)),
        *(("U", i) for i in range(n + 1)),
    ]


CASES = {
    "interchange": (SQUARE, lambda p: moves.interchange(p, "i", "j"),
        lambda n: s(sorted(square(n), key=lambda p: (p[1], p[0])))),
    "interchange, named the other way round": (SQUARE, lambda p: moves.interchange(p, "j", "i"),
        lambda n: s(sorted(square(n), key=lambda p: (p[1], p[0])))),
    "interchange of a triangle": (TRIANGLE, lambda p: moves.interchange(p, "i", "j"),
        lambda n: s(sorted(pairs(n), key=lambda p: (p[1], p[0])))),
    "interchange over a loop between": (CUBE, lambda p: moves.interchange(p, "i", "k"),
        lambda n: s((i, j, k) for k in range(n + 1) for j in range(k + 1) for i in range(n + 1))),
    "interchange, imperfect": (UNEVEN, lambda p: moves.interchange(p, "i", "j"), uneven),
    "reverse": (SQUARE, lambda p: moves.reverse(p, "i"),
        lambda n: s(sorted(square(n), key=lambda p: (-p[0], p[1])))),
    "reverse inside": (TRIANGLE, lambda p: moves.reverse(p, "j"),
        lambda n: s(sorted(pairs(n), key=lambda p: (p[0], -p[1])))),
    "reverse twice": (TRIANGLE, lambda p: moves.reverse(moves.reverse(p, "j"), "j"),
        lambda n: s(pairs(n))),
    "reverse around others": (UNEVEN, lambda p: moves.reverse(p, "i"),
        lambda n: [x for i in reversed(range(n + 1))
                   for x in [("S", i), *(("T", i, j) for j in range(i + 1)), ("U", i)]]),
    "skew": (SQUARE, lambda p: moves.skew(p, "j", "i", 3), lambda n: s(square(n))),
    "skew and interchange": (SQUARE,
        lambda p: moves.interchange(moves.skew(p, "j", "i"), "i", "j"),
        lambda n: s(sorted(square(n), key=lambda p: (p[0] + p[1], p[0])))),
    "skew by a loop inside": (SQUARE, lambda p: moves.skew(p, "i", "j", -2),
        lambda n: s(sorted(square(n), key=lambda p: (p[0] - 2 * p[1], p[1])))),
    "shift": (TWO, lambda p: moves.shift(moves.fuse(p), "T", -1),
        lambda n: [("T", 0), *(x for i in range(n + 1)
                               for x in [("S", i), *([("T", i + 1)] if i < n else [])])]),
    "shift along": (NESTS, lambda p: moves.shift(moves.fuse(p, "S", "T"), "S", 1, along="j"),
        lambda n: [x for i in range(n + 1) for j in range(n + 2)
                   for x in [*([("S", i, j - 1)] if j else []),
                             *([("T", i, j)] if i <= j <= n else [])]]),
    "tile": (SQUARE, lambda p: moves.tile(p, ("i", "j"), (2, 3)),
        lambda n: s(sorted(square(n), key=lambda p: (p[0] // 2, p[1] // 3, p)))),
    "tile, sizes by name": (TRIANGLE, lambda p: moves.tile(p, ("j", "i"), (2, 3)),
        lambda n: s(sorted(pairs(n), key=lambda p: (p[0] // 3, p[1] // 2, p)))),
    "tile tiles": (SQUARE, lambda p: moves.tile(moves.tile(p, ("i", "j"), 2), ("ii", "jj"), 4),
        lambda n: s(sorted(square(n), key=lambda p: (
            p[0] // 4, p[1] // 4, p[0] // 2, p[1] // 2, p)))),
    "strip-mine": (TRIANGLE, lambda p: moves.strip_mine(p, "i", 2), lambda n: s(pairs(n))),
    "strip-mine, then interchange": (SQUARE,
        lambda p: moves.interchange(moves.strip_mine(p, "i", 2), "i", "j"),
        lambda n: s(sorted(square(n), key=lambda p: (p[0] // 2, p[1], p[0])))),
    "unroll": (SQUARE, lambda p: moves.unroll(p, "i", 2), lambda n: s(square(n))),
    "unroll-and-jam": (SQUARE, lambda p: moves.unroll_and_jam(p, "i", 2),
        lambda n: s(sorted(square(n), key=lambda p: (p[0] // 2, p[1], p[0])))),
    "unroll-and-jam of three": (CUBE, lambda p: moves.unroll_and_jam(p, "i", 3),
        lambda n: s(sorted(((i, j, k) for i, j, k in product(range(n + 1), repeat=3) if k >= j),
                           key=lambda p: (p[0] // 3, p[1], p[2], p[0])))),
    "peel": (UNEVEN, lambda p: moves.peel(p, "i", first=1),
        lambda n: [x for i in range(n + 1)
                   for x in [("S", i), *(("T", i, j) for j in range(i + 1)), ("U", i)]]),
    "peel both ends": (TRIANGLE, lambda p: moves.peel(p, "j", first=2, last=1),
        lambda n: s(pairs(n))),
    "peel, then reverse the rest": (SQUARE,
        lambda p: moves.reverse(moves.peel(p, "j", first=1, last=1), "j"),
        lambda n: s((i, j) for i in range(n + 1)
                    for j in [0, *range(n - 1, 0, -1), *([n] if n else [])])),
    "peel in strides": (STRIDED, lambda p: moves.reverse(moves.peel(p, "i", first=2), "i:1"),
        lambda n: s((i,) for i in [*([2] if n >= 2 else []), 0, *range(4, n + 1, 2)])),
    "fuse": (TWO, lambda p: moves.fuse(p, "S", "T"),
        lambda n: [x for i in range(n + 1) for x in [("S", i), ("T", i)]]),
    "fuse, the later one named first": (TWO, lambda p: moves.fuse(p, "T", "S"),
        lambda n: [x for i in range(n + 1) for x in [("S", i), ("T", i)]]),
    "fuse deep": (NESTS, moves.fuse,
        lambda n: [x for p in square(n)
                   for x in [("S", *p), *([("T", *p)] if p in pairs(n) else [])]]),
    "fuse one loop": (NESTS, lambda p: moves.fuse(p, "S.i", "T.i"),
        lambda n: [x for i in range(n + 1) for x in [
            *(("S", i, j) for j in range(n + 1)), *(("T", i, j) for j in range(i, n + 1))]]),
    "fuse what was peeled": (SQUARE,
        lambda p: moves.fuse(moves.peel(p, "i", first=2), "i:1", "i:2"), lambda n: s(square(n))),
    "fuse what was peeled, before another loop": (TWO,
        lambda p: moves.fuse(moves.peel(p, "i", first=2), "i:1", "i:2"),
        lambda n: [(name, i) for name in "ST" for i in range(n + 1)]),
    "distribute": (UNEVEN, lambda p: moves.distribute(p, "i"),
        lambda n: [*(("S", i) for i in range(n + 1)),
                   *(("T", i, j) for i in range(n + 1) for j in range(i + 1)),
                   *(("U", i) for i in range(n + 1))]),
    "distribute at": (UNEVEN, lambda p: moves.distribute(p, at="U"),
        lambda n: [*(x for i in range(n + 1) for x in [
            ("S", i), *(("T", i, j) for j in range(i + 1))]), *(("U", i) for i in range(n + 1))]),
    "fuse, then distribute deep": (NESTS, lambda p: moves.distribute(moves.fuse(p), "i"),
        lambda n: [*(("S", *p) for p in square(n)), *(("T", *p) for p in pairs(n))]),
    "reschedule": (UNEVEN,
        lambda p: moves.schedule(
            p, "{ S[i] -> [i, 0, 0]; T[i, j] -> [N - i, 1, -j]; U[i] -> [i, 2, 0] }"
            .replace("{", "[N] -> {", 1)),
        lambda n: [x for t in range(n + 1) for x in [
            ("S", t), *(("T", n - t, j) for j in reversed(range(n - t + 1))), ("U", t)]]),
    "reschedule in parts": (TWO,
        lambda p: moves.schedule(p, "{ S[i] -> [1, -i]; T[k] -> [0, k] }"),
        lambda n: [*(("T", i) for i in range(n + 1)), *(("S", i) for i in reversed(range(n + 1)))]),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_the_order_of_each_move(name):
    text, move, expected = CASES[name]
    scop = parse(text)
    result = move(scop)
    for n in SIZES:
        assert order(result, n) == expected(n), n
    # Each of these programs writes each of its cells once: any order leaves the same. So this is
    # about the domains, and about what is generated.
    assert equivalent(scop, result, N=list(SIZES))
    assert equivalent(scop, parse(str(result)), N=list(SIZES))


def test_loops_that_no_number_is_for_are_not_shifted():
    text = str(moves.shift(parse(CUBE), "S", 1))
    assert all(f"for {x} do" in text for x in ("i = 1 to N+1", "j = 0 to N", "k = j to N"))


def test_a_loop_that_is_unrolled_is_written_out():
    result = moves.unroll(parse(SQUARE), "j", 2)
    assert str(result).count("A[i][") == 2
    kinds = [k for t in walk(result.schedule) if isinstance(t, Band) for k in t.kinds]
    assert kinds == ["sequential", "sequential", "unroll"]


def test_kinds_are_set_and_nothing_is_asked():
    result = moves.vectorize(moves.parallel(parse(SQUARE), "i"), "j")
    kinds = [k for t in walk(result.schedule) if isinstance(t, Band) for k in t.kinds]
    assert kinds == ["parallel", "vector"]
    with pytest.raises(PolynbError, match="a parallel loop cannot be inside a parallel loop"):
        moves.parallel(moves.parallel(parse(SQUARE), "i"), "j")


def test_no_move_brings_a_parallel_loop_into_one_that_it_cannot_be_in():
    marked = moves.vectorize(moves.parallel(parse(SQUARE), "i"), "j")
    with pytest.raises(PolynbError, match="a parallel loop cannot be inside a vector loop"):
        moves.interchange(marked, "i", "j")
    both = moves.parallel(moves.parallel(parse(NESTS), "S.i"), "T.j")
    with pytest.raises(PolynbError, match="a parallel loop cannot be inside a parallel loop"):
        moves.fuse(both, "S", "T", depth=1)


def test_a_parallel_loop_is_parallel_over_its_tiles():
    result = moves.tile(moves.vectorize(moves.parallel(parse(SQUARE), "i"), "j"), ("i", "j"), 8)
    bands = [t for t in walk(result.schedule) if isinstance(t, Band)]
    assert [b.kinds for b in bands] == [("parallel", "sequential"), ("sequential", "vector")]
    assert [x.name for b in bands for x in b.loops] == ["ii", "jj", "i", "j"]


def test_what_was_said_of_another_order_is_forgotten():
    from polynb.schedules import permutable_bands, privatize

    text = SQUARE.replace("S: A[i][j] = f(i,j);", "t = f(i,j); S: A[i][j] = t;") + "\n"
    scop = permutable_bands(privatize(parse(text, temp=["t"])))
    assert any(isinstance(t, Band) and t.permutable for t in walk(scop.schedule))
    result = moves.interchange(scop, "i", "j")
    for node in walk(result.schedule):
        assert type(node).__name__ != "Mark"
        assert not (isinstance(node, Band) and (node.permutable or any(node.coincident)))
