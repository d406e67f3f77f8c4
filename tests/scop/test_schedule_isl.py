"""Our schedule trees survive the way through isl's."""

import islpy
import pytest

from polynb.errors import PolynbError
from polynb.scop.isl_marks import BandKinds, mark_name, read_mark
from polynb.scop.schedule import (
    Band,
    Filter,
    FullTiles,
    Leaf,
    Loop,
    Mark,
    Named,
    Private,
    Sequence,
    times,
)
from polynb.scop.schedule_isl import from_isl, to_isl

S = islpy.Set("[N] -> { S[i, j] : 0 <= i, j <= N }")
T = islpy.Set("[N] -> { T[i] : 0 <= i <= N }")


def band(maps, child=None, **options):
    members = {m.get_tuple_name(islpy.dim_type.in_): m for m in map(islpy.Map, maps)}
    return Band(members, child or Leaf(), **options)


def example():
    inner = band(
        ["{ S[i, j] -> [i + j, j] }"],
        permutable=True,
        loops=(Loop("parallel", True), Loop("unroll")),
    )
    even = islpy.Set("{ T[i] : i mod 2 = 0 }")
    odd = islpy.Set("{ T[i] : i mod 2 = 1 }")
    whole = Sequence(
        (
            Filter({"S": None}, Mark(Named("kernel"), inner)),
            Filter({"T": even}, band(["{ T[i] -> [-i] }"], loops=(Loop("vector"),))),
            Filter({"T": odd}, band(["{ T[i] -> [i] }"])),
        )
    )
    return band(["{ S[i, j] -> [0] }", "{ T[i] -> [i] }"], whole)


def test_round_trip_keeps_every_attribute():
    tree = from_isl(to_isl(example(), {"S": S, "T": T}))
    assert isinstance(tree, Band)
    assert tree.kinds == ("sequential",)
    first, second, third = tree.child.children
    assert first.domains == {"S": None}
    assert first.child.what == Named("kernel")
    inner = first.child.child
    assert inner.permutable
    assert inner.coincident == (True, False)
    assert inner.kinds == ("parallel", "unroll")
    assert second.child.kinds == ("vector",)
    assert third.child.kinds == ("sequential",)
    assert second.domains["T"].is_equal(islpy.Set("[N] -> { T[i] : i mod 2 = 0 }"))


def test_round_trip_keeps_the_times():
    domains = {"S": S, "T": T}
    before = times(example(), domains)
    after = times(from_isl(to_isl(example(), domains)), domains)
    for name, domain in domains.items():
        assert after[name].intersect_domain(domain).is_equal(before[name].intersect_domain(domain))


def test_isl_orders_the_instances_as_the_times_do():
    domains = {"S": S, "T": T}
    instances = S.to_union_set().union(T.to_union_set())
    ours = times(example(), domains)
    union = ours["S"].to_union_map().union(ours["T"].to_union_map()).intersect_domain(instances)
    isls = to_isl(example(), domains).get_map().intersect_domain(instances)
    assert isls.lex_lt_union_map(isls).is_equal(union.lex_lt_union_map(union))


def test_sets_become_sequences_and_contexts_vanish():
    text = """{ domain: "[N] -> { S[i] : 0 <= i <= N; T[] }",
      child: { context: "[N] -> { [] : N > 4 }",
      child: { set: [ { filter: "{ S[i] }", child: { schedule: "[{ S[i] -> [i] }]" } },
                      { filter: "{ T[] }" } ] } } }"""
    tree = from_isl(islpy.Schedule(text))
    assert isinstance(tree, Sequence)
    assert [list(f.domains) for f in tree.children] == [["S"], ["T"]]


def test_a_leaf_stays_a_leaf():
    assert isinstance(from_isl(to_isl(Leaf(), {"T": T})), Leaf)


def test_extensions_are_refused():
    text = """{ domain: "{ S[i] : 0 <= i <= 3 }", child: { extension: "{ [] -> X[] }",
      child: { sequence: [ { filter: "{ X[] }" }, { filter: "{ S[i] }" } ] } } }"""
    with pytest.raises(PolynbError, match="extension"):
        from_isl(islpy.Schedule(text))


def test_empty_filters_are_left_out():
    tree = Sequence(
        (
            Filter({"T": islpy.Set("{ T[i] : i < 0 }")}, Leaf()),
            Filter({"T": islpy.Set("{ T[i] : i >= 0 }")}, band(["{ T[i] -> [i] }"])),
        )
    )
    schedule = to_isl(tree, {"T": T})
    assert schedule.get_domain().is_equal(T.to_union_set())


def test_marks_are_read_as_they_were_written():
    for what in (
        BandKinds(3, ("parallel", "sequential")),
        Private(("t", "u")),
        FullTiles((32, 8)),
        FullTiles((4,), shifted=True),
        Named("kernel"),
    ):
        assert read_mark(islpy.Id(mark_name(what))) == what


@pytest.mark.parametrize("name", ["full@", "full@a", "loops@1", "loops@x:parallel", "loops@1:fast"])
def test_names_that_look_like_ours_stay_names(name):
    assert read_mark(islpy.Id(name)) == Named(name)
    schedule = to_isl(Mark(Named(name), band(["{ T[i] -> [i] }"])), {"T": T})
    assert from_isl(schedule).what == Named(name)
