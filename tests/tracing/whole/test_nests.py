"""The loop nests of whole programs are those of their texts: depth, lines, iterations, flow."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from polynb import isl
from polynb.folding import fold
from polynb.tracing.feedback import feedback
from polynb.tracing.programs.nests import carried_loops

Programs = Callable[..., Any]


def check_nest(
    p: Any, mark: str, kind: str, loops: list[str], points: Iterable[tuple[int, ...]], pieces: int
) -> None:
    """An access stands in these loops, at exactly these iterations, folded to so many pieces."""
    instruction = p.access(mark, kind)
    assert p.around(instruction) == loops
    expected = sorted(points)
    assert p.points(instruction) == expected
    folded = p.folding.executed[instruction.name]
    assert folded.entries == len(expected)
    assert len(folded.pieces) == pieces
    if not folded.gave_up:
        assert sorted(isl.points(folded.domain)) == expected


def carried_by_hand(p: Any) -> set[str]:
    """The loops that carry a flow dependence, from the raw entries of all streams."""
    found = set()
    for source, target in p.folding.dependences:
        ours, theirs = (p.folding.instructions[n].loops for n in (target, source))
        for consumer, producer in p.flow(
            p.folding.instructions[source], p.folding.instructions[target]
        ).items():
            for q, (x, y) in enumerate(zip(ours, theirs, strict=False)):
                if x != y:
                    break
                if consumer[q] != producer[q]:
                    found.add(x)
                    break
    return found


@pytest.mark.parametrize(
    "name", ["rows", "recursion", "pointers", "exits", "walks", "heat", "vectors", "jumps"]
)
@pytest.mark.long
def test_every_stream_is_whole_and_folds_as_the_reference_folds_it(
    program: Programs, name: str
) -> None:
    p = program(name)
    assert p.traced.facts.complete
    assert p.traced.head.rejected == 0
    assert p.traced.head.unforeseen == 0
    for key, folded in (*p.folding.executed.items(), *p.folding.dependences.items()):
        if not folded.stream.dimensions and not folded.stream.outputs:
            continue  # outside of all loops: its rows have no numbers
        points, labels = p.folding.streams[key]
        assert folded.entries == len(points)
        once = len(set(map(tuple, points.tolist()))) == len(points)
        assert once or isinstance(key, tuple), "no vector comes twice"
        if not once:
            continue  # a read of several instances of one writer: a stream for each depth
        again = fold(
            points, labels, names=folded.stream.dimensions, outputs=folded.stream.outputs,
            kind=folded.stream.kind, identifier=folded.stream.identifier, engine="python",
        )  # fmt: skip
        assert folded.pieces == again.pieces
        assert folded.gave_up == again.gave_up


@pytest.mark.parametrize("name", ["rows", "recursion", "exits", "walks", "heat", "vectors"])
def test_loops_that_carry_nothing_carry_nothing(program: Programs, name: str) -> None:
    p = program(name)
    told, real = carried_loops(p.folding), carried_by_hand(p)
    assert real <= told
    if name in ("heat", "rows"):  # nothing is told too much
        assert told == real


def test_rows_of_malloc(program: Programs) -> None:
    p, n = program("rows", "12"), 12
    square = [(i, j) for i in range(n) for j in range(n)]
    check_nest(p, "fill", "store", ["fill rows", "fill columns"], square, 1)
    below = [(i, j) for i in range(n - 1) for j in range(n - 1 - i)]
    check_nest(p, "update", "store", ["relax rows", "relax columns"], below, 1)
    check_nest(p, "sum", "store", ["columns", "rows"], square, 1)
    assert p.loop("rows").parent == p.loop("columns").name
    assert [p.loop(m).iterator for m in ("allocate", "relax rows", "rows")] == ["i", "i", "k"]


def test_columns_of_rows_have_a_stride_along_the_outer_loop_alone(program: Programs) -> None:
    p = program("rows", "12")
    loads = [p.folding.executed[i.name] for i in p.accesses("sum", "load")]
    labels = [str(folded.pieces[0].labels[0].coefficients) for folded in loads]
    assert "(8, ⊤)" in labels  # a[k][j]: doubles along j, rows of malloc along k
    assert "(0, 8)" in labels  # a[k]
    assert "(8, 0)" in labels  # sums[j]


def test_parallel_loops(program: Programs) -> None:
    p = program("rows", "12")
    carried = carried_loops(p.folding)
    marks = ("allocate", "fill rows", "fill columns", "columns")
    assert not carried & {p.loop(m).name for m in marks}
    assert {p.loop("rows").name, p.loop("relax rows").name} <= carried
    verdicts = {r.loop.name: r.verdict for root in feedback(p.folding).loops for r in root.walk()}
    told = {name for name, verdict in verdicts.items() if verdict != "parallel"}
    assert told == carried & {*verdicts}


def test_flow_is_that_of_the_text(program: Programs) -> None:
    p = program("rows", "12")
    (store,) = p.accesses("update", "store")
    flows = [p.flow(store, i) for i in p.accesses("update", "load")]
    # a[i-1][j] of row i comes from row i-1, where the column's loop begins one earlier
    assert {(i, j): (i - 1, j + 1) for i in range(1, 11) for j in range(11 - i)} in flows


def test_recursion_is_a_loop_of_calls_and_returns(program: Programs) -> None:
    p = program("recursion")
    # down(a, 8) calls itself 8 times: at each call one step, at each return one more
    assert p.around(p.access("descend", "store")) == ["<down>"]
    check_nest(p, "descend", "store", ["<down>"], [(k,) for k in range(8)], 1)
    check_nest(p, "bottom", "load", ["<down>"], [(8,)], 1)
    # the walk of a tree of 7: in at the left, out at the right, in order
    steps = p.points(p.access("total", "load"))
    assert len(steps) == 7
    assert steps == sorted(steps)


def test_functions_that_call_each_other_share_a_loop(program: Programs) -> None:
    p = program("recursion")
    # ping(9) pong(8) ping(7) ...: ping at 0, 2, 4, 6, 8 of the circle, pong between
    ping = [(r, c, k) for r in range(2) for c in range(0, 10, 2) for k in range(3)]
    check_nest(p, "ping", "store", ["rounds", "<ping>", "ping loop"], ping, 5)
    pong = [(r, c) for r in range(2) for c in range(1, 10, 2)]
    check_nest(p, "pong", "store", ["rounds", "<ping>"], pong, 5)
    (leaf,) = p.accesses("leaf", "store")
    assert p.around(leaf) == ["insertions", "<insert>"]
    assert len(p.points(leaf)) == 7


def test_functions_called_through_pointers(program: Programs) -> None:
    p = program("pointers")
    triangle = [(t, k, l) for t in (1, 3, 5) for k in range(8) for l in range(k)]
    check_nest(p, "weigh", "load", ["turns", "weighted rows", "weighted columns"], triangle, 3)
    odd = [(t,) for t in range(6)]
    check_nest(p, "call", "store", ["turns"], odd, 1)


def test_calls_from_the_library_count(program: Programs) -> None:
    p = program("pointers")
    compare = p.accesses("compare", "load")
    assert p.around(compare[0]) == ["sorts", f"<{compare[0].function}>"]
    points = p.points(compare[0])
    for sort in range(2):
        calls = [c for s, c in points if s == sort]
        assert calls == list(range(len(calls)))


def test_loops_that_are_left_early(program: Programs) -> None:
    p = program("exits")
    found = [(i, j) for i in range(7) for j in range(16 if i < 6 else 5)]
    check_nest(p, "found", "load", ["search rows", "search columns"], found, 2)
    marked = [
        (q, k)
        for q, prime in enumerate(range(2, 9))
        if prime in (2, 3, 5, 7)
        for k in range(len(range(prime * prime, 65, prime)))
    ]
    check_nest(p, "mark", "store", ["primes", "multiples"], marked, 4)
    check_nest(p, "prime", "load", ["primes"], [(q,) for q in range(7)], 1)
    odd = list(odd_pairs())
    check_nest(p, "odd", "load", ["pairs outer", "pairs inner"], odd, 2)


def odd_pairs() -> Iterable[tuple[int, int]]:
    for i in range(16):
        for j in range(i, min(16, i + 4)):
            yield i, j - i
            if j % 2 and i + j > 20:
                return


def test_while_loops_have_iterators_too(program: Programs) -> None:
    p = program("walks")
    check_nest(p, "link", "store", ["build"], [(k,) for k in range(12)], 1)
    nodes = [(r, k) for r in range(3) for k in range(12)]
    check_nest(p, "value", "load", ["rounds", "follow"], nodes, 1)
    assert p.loop("follow").iterator == ""
    # the list is built backwards: its k-th node was made in iteration 11 - k
    (made,) = list(p.accesses("link", "store"))
    (read,) = p.accesses("next", "load")
    assert p.flow(made, read) == {(r, k): (11 - k,) for r, k in nodes}


def test_a_loop_of_a_do(program: Programs) -> None:
    p = program("walks")
    words = ["to", "be", "or", "not", "to", "be"]
    letters = [(w, k) for w, word in enumerate(words) for k in range(len(word))]
    store = p.access("copy", "store")
    assert p.points(store) == letters
    assert p.folding.executed[store.name].stream.outputs == ("address",)
    first = p.addresses(store)[0]
    assert p.addresses(store) == [first + k for k in range(len(letters))]  # chars, one by one


def test_openmp_runs_in_one_thread(program: Programs) -> None:
    p = program("heat")
    inner = [(t, i, j) for t in range(5) for i in range(10) for j in range(10)]
    check_nest(p, "stencil", "store", ["time", "stencil rows", "stencil columns"], inner, 1)
    carried = carried_loops(p.folding)
    assert p.loop("time").name in carried
    for mark in ("stencil rows", "stencil columns", "back rows", "back columns"):
        assert p.loop(mark).name not in carried
    every = [(i, j) for i in range(12) for j in range(12)]
    check_nest(p, "partial", "store", ["partial rows", "partial columns"], every, 1)
    assert p.traced.facts.output.endswith(" 1\n")


def test_vectors_and_virtual_functions(program: Programs) -> None:
    p = program("vectors")
    inside = [(g, i, j) for g in range(3) for i in range(6) for j in range(6)]
    loops = ["generations", "after rows", "after columns"]
    check_nest(p, "result", "store", loops, inside, 1)
    around = [(*at, k, l) for at in inside for k in range(3) for l in range(3)]
    check_nest(p, "around", "load", [*loops, "around rows", "around columns"], around, 1)
    alive = [(i, j) for i in range(8) for j in range(8)]
    check_nest(p, "alive columns", "load", ["alive rows", "alive columns"], alive, 1)
    assert p.loop("alive rows").iterator == "row"


def test_exceptions_leave_loops_and_frames(program: Programs) -> None:
    p = program("vectors")
    check_nest(p, "turn", "store", ["generations"], [(0,), (1,), (2,)], 1)
    check_nest(p, "caught", "store", [], [()], 1)
    check_nest(p, "afterwards", "store", ["afterwards"], [(k,) for k in range(8)], 1)


def test_longjmp_leaves_frames_behind(program: Programs) -> None:
    p = program("jumps")
    check_nest(p, "result", "store", ["jumps"], [(n,) for n in range(6)], 1)
    check_nest(p, "after the jump", "load", ["jumps"], [(n,) for n in range(6)], 1)
    assert p.traced.facts.ended == "exit 3"
    finish = p.access("finish", "store")
    assert len(p.points(finish)) == 32  # run by exit(), after main
