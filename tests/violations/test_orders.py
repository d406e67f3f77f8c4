"""Orders in which loops run in parallel, as the paper writes them; the intervals of values."""

from dataclasses import replace

import polynb as pn
from polynb import isl
from polynb.legality.order import Order
from polynb.scop.schedule import Band, Filter, Leaf, Loop, Mark, Private, Sequence, transform, walk
from polynb.violations import intervals
from polynb.violations.nearest import neighbours


def test_instances_of_a_parallel_loop_have_one_time() -> None:
    times = {"S": isl.read_map("{ S[i, j] -> [i, j] }"), "T": isl.read_map("{ T[i] -> [i, 1] }")}
    found = Order(times, {"S": frozenset({1})}).lockstep()
    assert found["S"].is_equal(isl.read_map("{ S[i, j] -> [i, 0] }"))
    assert found["T"].is_equal(times["T"])


def test_an_interval_ends_at_the_last_of_all_reads() -> None:
    """T reads a value twice, in two iterations, and U once more."""
    text = (
        "param N; assume N >= 2; temp t[N+1]; for i = 0 to N do S: t[i] = A[i]; done "
        "for i = 1 to N do T: B[i] = t[i] + t[i-1]; done {0}"
    )
    (only,) = intervals(pn.parse(text.replace("{0}", "")))["t"]
    last = "[N] -> { S[i] -> T[i + 1] : 0 <= i < N; S[N] -> T[N] : N > 0 }"
    assert only.relation.is_equal(isl.read_map(last))
    later = pn.parse(text.replace("{0}", "for i = 0 to N do U: C[i] = t[i]; done"))
    (only,) = intervals(later)["t"]
    assert (only.write, only.read) == ("S", "U")


def test_loops_of_bands_of_different_depths_are_fused_one_by_one() -> None:
    scop = pn.parse(
        "param N; for i = 0 to N do for j = 0 to N do S: A[i][j] = 1; done done "
        "for i = 0 to N do T: B[i] = 2; done"
    )
    deep = Band({"S": isl.read_map("{ S[i, j] -> [i, j] }")}, Leaf(), loops=(Loop(), Loop()))
    flat = Band({"T": isl.read_map("{ T[i] -> [i] }")}, Leaf(), loops=(Loop(),))
    tree = Sequence((Filter({"S": None}, deep), Filter({"T": None}, flat)))
    (fused,) = [n.tree for n in neighbours(scop, tree) if n.decision == "fuse S and T"]
    assert [b.depth for b in walk(fused) if isinstance(b, Band)] == [1, 1]
    assert pn.check(scop, fused)


def test_a_chain_without_moves_has_nothing_to_search_for() -> None:
    chain = pn.transform(pn.parse("param N; for i = 0 to N do S: A[i] = 1; done"))
    assert chain.searched() is chain
    assert chain.verdict
    legal = chain.reverse("i")
    assert legal.searched() is legal


def test_the_dataflow_that_is_given_is_looked_at() -> None:
    scop = pn.parse("param N; temp t; for i = 0 to N do S: t = A[i]; T: B[i] = t; done")
    assert intervals(scop)["t"]
    assert not intervals(scop, ())


def test_what_goes_wrong_first_is_the_witness() -> None:
    scop = pn.parse("param N; temp t; for i = 0 to N do S: t = A[i]; T: B[i] = t; done")
    assert pn.transform(scop).verdict.witness is None
    verdict = pn.transform(scop).distribute("i").verdict
    assert verdict.witness is verdict.order.conflicts[0].witness


def test_each_of_two_loops_has_copies_of_its_own() -> None:
    """What one of them writes is not in the copies of the other."""
    loop = "for {0} = 0 to N do S{0}: t = A[{0}]; T{0}: B[{0}] = t; done "
    scop = pn.parse("param N; temp t; " + loop.format("i") + loop.format("j"))

    def marked(node):
        if not isinstance(node, Band):
            return node
        return replace(node, loops=(Loop("parallel"),), child=Mark(Private(("t",)), node.child))

    assert pn.violated_ranges(scop, transform(scop.schedule, marked), parallel=True).legal
    plain = transform(
        scop.schedule,
        lambda t: replace(t, loops=(Loop("parallel"),)) if isinstance(t, Band) else t,
    )
    assert not pn.violated_ranges(scop, plain, parallel=True).legal


def test_an_earlier_iteration_may_come_late_in_a_parallel_loop() -> None:
    """D, whose value nobody reads, is sure to be over only where iterations follow each other."""
    scop = pn.parse(
        "param N; assume N >= 1; temp t; for i = 0 to 0 do D: t = 1; done "
        "for i = N to N do S: t = A[i]; R: B[i] = t; done"
    )
    order = "{ D[i] -> [i, 0]; S[i] -> [i, 1]; R[i] -> [i, 2] }"
    assert pn.violated_ranges(scop, order).legal
    found = pn.violated_ranges(scop, order, parallel=[0])
    assert {str(p.second) for p in found.pairs} == {"from D(0), read by nothing"}


def test_two_places_in_a_parallel_loop_have_copies_of_their_own() -> None:
    inner = "for {0} = 0 to N do S{0}: t = A[k][{0}]; T{0}: B[k][{0}] = t; done "
    loops = inner.format("i") + inner.format("j").replace("B[", "C[")
    scop = pn.parse(f"param N; temp t; for k = 0 to N do {loops} done")

    def marked(node, mark):
        if not isinstance(node, Band):
            return node
        if len(node.members) > 2:
            return replace(node, loops=(Loop("parallel"),))
        return replace(node, child=Mark(Private(("t",)), node.child)) if mark else node

    for mark in (True, False):
        tree = transform(scop.schedule, lambda node, mark=mark: marked(node, mark))
        assert pn.violated_ranges(scop, tree, parallel=True).legal == mark


def test_neighbours_of_a_loop_of_several_parts_are_distributed() -> None:
    scop = pn.parse("param N; for i = 0 to N do S: A[i] = 1; T: B[i] = 2; U: C[i] = 3; done")
    found = {n.decision: n.tree for n in neighbours(scop, scop.schedule)}
    for parts in ("T", "U"):
        tree = found[f"distribute i before {parts}"]
        assert isinstance(tree, Sequence)
        assert pn.check(scop, tree)


def test_a_copy_of_its_own_is_one_for_all_that_an_iteration_does() -> None:
    scop = pn.parse(
        "param N; temp t; for k = 0 to N do for i = 0 to N do "
        "S: t = A[k][i]; R: B[k][i] = t; done done"
    )
    outer, inner = ({n: isl.read_map(f"{{ {n}[k, i] -> [{x}] }}") for n in "SR"} for x in "ki")
    whole = Band(inner, Sequence(tuple(Filter({n: None}, Leaf()) for n in "SR")))
    parts = (Filter({n: None}, Band({n: inner[n]}, Leaf())) for n in "SR")
    for child, legal in ((whole, True), (Sequence(tuple(parts)), False)):
        tree = Band(outer, Mark(Private(("t",)), child), loops=(Loop("parallel"),))
        assert pn.violated_ranges(scop, tree, parallel=True).legal == legal


def test_neighbours_of_a_deep_band_say_which_loops_change_places() -> None:
    scop = pn.parse(
        "param N; for i = 0 to N do for j = 0 to N do for k = 0 to N do "
        "S: A[i][j][k] = 1; done done done"
    )
    kinds = (Loop("parallel"), Loop(), Loop("vector"))
    band = Band({"S": isl.read_map("{ S[i, j, k] -> [i, j, k] }")}, Leaf(), loops=kinds)
    found = {n.decision: n.tree for n in neighbours(scop, band)}
    inner = found["interchange j and k"]
    assert found.keys() >= {"interchange i and j", "reverse i", "reverse j", "reverse k"}
    assert inner.members["S"].is_equal(isl.read_map("{ S[i, j, k] -> [i, k, j] }"))
    assert [x.kind for x in inner.loops] == ["parallel", "vector", "sequential"]
    assert {d for d in found if "sequential" in d} == {"i sequential", "k sequential"}
