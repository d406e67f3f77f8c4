"""Equations (5) to (17), Listing 2 and Table 1 of the paper (IMPACT'16)."""

from __future__ import annotations

import re
import time

import pytest

from polynb import gallery, isl
from polynb.dependences import live_ranges
from polynb.reordering import IslOptions, build, preset, reorder
from polynb.reordering.band import SearchBudget
from polynb.reordering.integer_program import Counter
from polynb.schedules import tile

from .conftest import bands, is_schedule, same, sizes, union

SQUARE = "0 <= i < n and 0 <= j < n"


def effort_of(scop, name="cpu"):
    effort = SearchBudget(Counter(2000))
    for _ in build(preset(live_ranges(scop), name), effort=effort):
        pass
    return effort.members, effort.localized, effort.non_local, effort.resets


# -- dependences -----------------------------------------------------------------------------


def test_equation_5_live_ranges(listing1):
    assert same(
        union(live_ranges(listing1).flow),
        f"[n] -> {{ S1[i,j] -> S2[i,j] : {SQUARE}; S3[i,j] -> S4[i,j] : {SQUARE};"
        f" S2[i,j] -> S4[j,i] : {SQUARE} }}",
    )


def test_equation_6_live_in(listing1):
    wanted = f"[n] -> {{ S1[i,j] -> A[i,j] : {SQUARE}; S3[i,j] -> B[i,j] : {SQUARE} }}"
    assert same(live_ranges(listing1).live_in, wanted)


def test_equations_7_and_8_false_dependences(listing1):
    found = live_ranges(listing1).false
    inside = "0 <= i < n - 1 and 1 <= j < n"
    assert same(
        union(e for e in found if e.kind == "war"),
        "[n] -> { S2[i,0] -> S3[0,i] : 0 <= i < n - 1; S2[n-1,j] -> S3[j,n-1] : 0 <= j < n;"
        f" S2[i,j] -> S1[i+1,j-1] : {inside}; S4[i,j] -> S3[i+1,j-1] : {inside} }}",
    )
    assert same(
        union(e for e in found if e.kind == "waw"),
        f"[n] -> {{ S2[i,j] -> S4[j,i] : {SQUARE};"
        " S1[i,0] -> S3[0,i] : 0 <= i < n - 1; S1[n-1,j] -> S3[j,n-1] : 0 <= j < n;"
        f" S1[i,j] -> S1[i+1,j-1] : {inside}; S3[i,j] -> S3[i+1,j-1] : {inside} }}",
    )


def test_equation_9_live_out(listing1, listing1_live):
    assert same(live_ranges(listing1).live_out, f"[n] -> {{ S4[i,j] -> C[j,i] : {SQUARE} }}")
    assert same(
        live_ranges(listing1_live).live_out,
        f"[n] -> {{ S4[i,j] -> C[j,i] : {SQUARE}; S3[i,0] -> t[i] : 0 <= i < n;"
        " S3[n-1,j] -> t[n-1+j] : 0 <= j < n }",
    )


def test_equation_10_order_dependences(listing1):
    both = f"{SQUARE} and 0 <= k < n and 0 <= l < n and i + j = k + l"
    assert same(
        union(live_ranges(listing1).order),
        f"[n] -> {{ S2[i,j] -> S1[k,l] : {both} and k > i; S2[i,j] -> S3[k,l] : {both};"
        f" S4[i,j] -> S3[k,l] : {both} and k > i }}",
    )


def test_equation_11_forced_without_kills(listing1, listing1_live):
    low, high = "0 <= i + j < n and l = 0 and k = i + j", "k = n - 1 and l = i + j - n + 1 >= 0"
    s1 = "; ".join(f"S1[i,j] -> S3[k,l] : {SQUARE} and {part}" for part in (low, high))
    s3 = "; ".join(f"S3[i,j] -> S3[k,l] : {SQUARE} and {part} and k > i" for part in (low, high))
    flip = f"S2[i,j] -> S4[j,i] : {SQUARE}"
    live = live_ranges(listing1_live)
    assert same(union(live.before_live_out), f"[n] -> {{ {flip}; {s1}; {s3} }}")
    assert not live.after_live_in
    assert not live.same_sink
    assert same(union(live_ranges(listing1).forced), f"[n] -> {{ {flip} }}")


def test_tagged_dependences_name_the_accesses(listing1):
    """Section 3.1: the live range on C ends in the same instance as one on t, in another access."""
    ranges = live_ranges(listing1)
    (on_c,) = [e for e in ranges.flow if e.array == "C"]
    (on_t,) = [e for e in ranges.flow if e.target == "S4" and e.array == "t"]
    (anti,) = [e for e in ranges.order if e.source == "S4"]
    ends = [ranges.tagged(e).range() for e in (on_c, on_t)]
    begin = ranges.tagged(anti).domain()
    assert (
        ends[0].unwrap().get_space().range().is_equal(begin.unwrap().get_space().range()) is False
    )
    assert not ends[1].is_disjoint(begin)


def test_kills_given_by_hand(listing1_live):
    """With t killed at the end, as by its last accesses, only C is live-out."""
    kills = isl.read_union_map(f"[n] -> {{ S4[i,j] -> t[i+j] : {SQUARE} }}")
    found = live_ranges(listing1_live, kills=kills)
    assert same(found.live_out, f"[n] -> {{ S4[i,j] -> C[j,i] : {SQUARE} }}")


# -- schedules -------------------------------------------------------------------------------


def test_equation_12(listing1, scheduler):
    for scop in (listing1, gallery.load("lrr_listing1_scalar")):
        result = reorder(scop, scheduler=scheduler).result
        (band,) = bands(result.schedule)
        assert is_schedule(
            band,
            "[n] -> { S1[i,j] -> [j,i]; S2[i,j] -> [j,i]; S3[i,j] -> [i,j]; S4[i,j] -> [i,j] }",
        )
        assert band.permutable
        assert band.coincident == (True, True)
        text = str(result)
        assert [m[1] for m in re.finditer(r"// (S\d)", text)] == ["S1", "S2", "S3", "S4"]


def test_equation_13(listing1_live, scheduler):
    (band,) = bands(reorder(listing1_live, scheduler=scheduler).result.schedule)
    assert is_schedule(
        band,
        "[n] -> { S1[i,j] -> [j,i+j]; S2[i,j] -> [j,i+j]; S3[i,j] -> [i,i+j]; S4[i,j] -> [i,i+j] }",
    )
    assert band.permutable


def test_equation_15(listing1, scheduler):
    """Without live-range reordering, all statements together."""
    options = IslOptions(whole_component=True) if scheduler == "isl" else None
    derivation = reorder(listing1, preset="none", scheduler=scheduler, options=options)
    (band,) = bands(derivation.result.schedule)
    assert is_schedule(
        band,
        "[n] -> { S1[i,j] -> [i+j,-j]; S2[i,j] -> [i+j,-j];"
        " S3[i,j] -> [i+j,i]; S4[i,j] -> [i+j,i] }",
    )
    f = band.members
    distances = f["S2"].reverse().apply_range(live_ranges(listing1).flow[0].relation)
    found = distances.apply_range(f["S4"]).deltas().intersect_params(isl.read_set("[n]->{:n=4}"))
    assert sorted(isl.points(found, {"n": 4})) == [(0, x) for x in (0, 2, 4, 6)]


def test_equation_17(listing3, scheduler):
    (band,) = bands(reorder(listing3, scheduler=scheduler).result.schedule)
    first = "; ".join(f"S{s}[i,j,k] -> [i,j,k]" for s in (1, 2, 3))
    then = "; ".join(f"S{s}[i,j,k] -> [i,j,k+1]" for s in (4, 5))
    assert is_schedule(band, f"[Nx, Ny, Nz] -> {{ {first}; {then} }}")
    assert band.permutable


def test_listing_2(listing1, scheduler):
    """The same loops as the paper's: tiles of 32, the points of a tile counted from 0."""
    tiled = tile(reorder(listing1, scheduler=scheduler), 32, shift=True)
    code = re.sub(r"\s+", "", str(tiled))
    loops = re.findall(r"for(\w+)=(.*?)to(.*?)(?:by(\d+))?do", code)
    (a, low, high, by), (b, low2, high2, by2), (_, *point), (_, *point2) = loops
    assert (low, high, by) == (low2, high2, by2) == ("0", "n-1", "32")
    assert [point, point2] == [["0", f"min(31,n-{a}-1)", ""], ["0", f"min(31,n-{b}-1)", ""]]
    assert re.findall(r"//(S\d)", str(tiled).replace("// ", "//")) == ["S1", "S2", "S3", "S4"]


@pytest.mark.parametrize(
    ("name", "row"), [("lrr_listing1", (2, 2, 0, 0)), ("lrr_listing3", (3, 3, 0, 0))]
)
def test_table_1(name, row):
    """Members computed, groups of live ranges made local, not local before, bands reset."""
    assert effort_of(gallery.load(name)) == row


@pytest.mark.parametrize(
    "name", ["pencil_resize", "pencil_dilate", "pencil_color", "pencil_convolution", "pencil_warp"]
)
def test_table_1_image_kernels_need_no_reset(name):
    """As in the row "image": live ranges are made local, and were so already."""
    _, localized, non_local, resets = effort_of(gallery.load(name))
    assert localized > 0
    assert (non_local, resets) == (0, 0)


def test_table_1_a_radar_chain_needs_a_reset():
    """As in the row "STAP"."""
    _, localized, non_local, resets = effort_of(gallery.load("stap"))
    assert resets > 0
    assert localized > non_local > 0


# -- speed -----------------------------------------------------------------------------------

CLASSIC = [n for n in gallery.names() if gallery.entry(n).source == "classic kernel"]


@pytest.mark.parametrize("name", CLASSIC)
def test_classic_kernels_are_scheduled_in_time(name, scheduler):
    scop = gallery.load(name)
    start = time.process_time()
    result = reorder(scop, scheduler=scheduler).result
    assert time.process_time() - start < (10 if scheduler == "polynb" else 1)
    assert sizes(result.schedule)


@pytest.mark.parametrize(("name", "seconds"), [("lrr_listing1", 0.3), ("lrr_listing3", 1.0)])
def test_the_listings_are_scheduled_in_time(name, seconds):
    scop = gallery.load(name)
    reorder(scop)  # imports, and isl's first use
    start = time.process_time()
    reorder(scop)
    assert time.process_time() - start < seconds
