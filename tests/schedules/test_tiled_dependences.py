"""What tiled programs depend on, without looking at their tiles."""

import pytest

from polynb import gallery
from polynb.dependences import analyze, flow
from polynb.reordering import reorder
from polynb.schedules import contract, interchange, privatize, tile
from polynb.schedules.parallel import choose_loops
from polynb.schedules.tiled_dependences import AllPairs, all_pairs, dependences, untiled
from polynb.scop.parsing import parse

PROGRAMS = ("lrr_listing1", "gemm", "jacobi_1d", "trmm")


def same_times(a, b):
    return all(
        s.schedule.is_equal(t.schedule) for s, t in zip(a.statements, b.statements, strict=True)
    )


@pytest.mark.parametrize("name", PROGRAMS)
def test_without_its_tiles_a_program_is_as_before(name):
    before = reorder(gallery.load(name)).result
    assert untiled(before) is before
    for options in ({}, {"separate": True}):
        tiled = tile(before, 4, **options)
        assert not same_times(before, tiled)
        assert same_times(before, untiled(tiled))
    assert same_times(before, untiled(tile(tile(before, 4), 16, band=0)))  # two levels of tiles


def test_point_loops_from_0_on_need_their_tiles():
    before = reorder(gallery.load("gemm")).result
    shifted = tile(before, 4, shift=True)
    assert untiled(shifted) is shifted


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.long
def test_the_same_loops_run_in_parallel(name):
    """By dependences of the tiled order itself (value-based), and by all pairs of the other."""
    tiled = reorder(gallery.load(name), tile=2, privatize=False).result
    order = tuple(reversed(range(_first(tiled).depth)))
    for scop in (tiled, interchange(tiled, order, band=0)):
        found = dependences(scop)
        assert isinstance(found, AllPairs)
        for choice in ("outermost", "balanced"):
            ours = choose_loops(scop, found, choice=choice)[1]
            theirs = choose_loops(scop, analyze(scop), choice=choice)[1]
            assert [(v.name, v.possible, v.parallel) for v in ours] == [
                (v.name, v.possible, v.parallel) for v in theirs
            ]


def test_temporaries_come_in_their_own_order():
    """It was that of a set: of several obstacles another one was named in each process."""
    names = [f"t{k}" for k in range(9)]
    body = "".join(f"{t} = A[i] + {k}; B[i] = B[i] + {t};" for k, t in enumerate(names))
    scop = parse(f"param N; temp {', '.join(names)}; for i = 0 to N do {body} done")
    edges = all_pairs(analyze(scop), scop.temporaries).edges
    assert list(dict.fromkeys(e.array for e in edges))[: len(names)] == list(scop.temporaries)


def _first(scop):
    from polynb.schedules.bands import all_bands

    return all_bands(scop.schedule)[0]


def test_nothing_is_asked_of_the_tiles(monkeypatch):
    """What overwrites what next in such an order takes seconds, and minutes for more statements."""
    scop = reorder(gallery.load("lrr_listing3"), tile=2).result
    asked = []
    original = flow.same_cell

    def watched(first, then, **options):
        asked.append(max(len(str(first[0].schedule)), len(str(then[0].schedule))))
        return original(first, then, **options)

    monkeypatch.setattr(flow, "same_cell", watched)
    monkeypatch.setattr("polynb.dependences.analysis.next_overwrites", None)
    loops = choose_loops(scop, dependences(scop))[1]
    assert any(v.parallel for v in loops)
    plain = max(len(str(s.schedule)) for s in untiled(scop).statements)
    assert max(asked, default=0) <= plain


def test_contracted_first_tiled_then_or_the_other_way_round():
    before = reorder(gallery.load("lrr_listing1"), privatize=False).result
    first = tile(privatize(contract(before)), 4)
    then = privatize(contract(tile(before, 4)))
    assert same_times(first, then)
    assert [a.extents for a in first.arrays.values()] == [a.extents for a in then.arrays.values()]
