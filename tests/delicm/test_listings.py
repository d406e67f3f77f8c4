"""The paper's listings: 2, 3 and 4 become Listing 1, each by the paper's route, and 2 becomes 6."""

import numpy as np
import pytest

import polynb as pn
from polynb.delicm import forward_operands, map_scalars, remove_scalars, simplify
from polynb.delicm.forwarding_steps import Forwarded
from polynb.delicm.mapping_steps import Mapped
from polynb.reordering import reorder
from polynb.run.oracle import equivalent
from polynb.schedules.bands import all_bands, several_permutable

ROUTES = {
    "delicm_listing2": Forwarded,
    "delicm_listing3": Mapped,
    "delicm_listing4": Mapped,
}
SIZES = {"N": [0, 1, 3], "K": [0, 1, 4]}


def widest(scop):
    found = reorder(scop, preset="none", privatize=False, tile=8)
    bands = all_bands(reorder(scop, preset="none").result.schedule)
    return [b.depth for b in bands if several_permutable(b)], tiled(found)


def tiled(derivation):
    return sum(1 for b in all_bands(derivation.result.schedule) if several_permutable(b))


@pytest.mark.parametrize("name", ROUTES)
def test_they_become_schedulable_like_listing_1(name):
    scop, plain = pn.gallery.load(name), pn.gallery.load("delicm_listing1")
    derivation = remove_scalars(scop)
    assert any(isinstance(s, ROUTES[name]) for s in derivation.steps)
    assert not derivation.result.temporaries
    assert widest(derivation.result) == widest(plain)
    assert widest(plain)[0] == [2]
    assert widest(scop)[0] == []


@pytest.mark.parametrize("name", ROUTES)
def test_they_become_the_very_program(name):
    found, plain = remove_scalars(pn.gallery.load(name)).result, pn.gallery.load("delicm_listing1")
    body = [line.split("//")[0].strip() for line in str(found).splitlines() if "//" in line]
    assert body == [line.split("//")[0].strip() for line in str(plain).splitlines() if "//" in line]


@pytest.mark.parametrize("name", ROUTES)
@pytest.mark.parametrize(
    "stages",
    [
        (forward_operands,),
        (map_scalars,),
        (forward_operands, map_scalars),
        (map_scalars, forward_operands),
        (map_scalars, simplify),
        (simplify, forward_operands, map_scalars, simplify),
    ],
    ids=lambda stages: "-".join(s.info.name for s in stages),
)
def test_in_any_order_they_compute_the_same(name, stages):
    scop = pn.gallery.load(name)
    found = scop
    for stage in stages:
        found = stage(found).result
    assert equivalent(scop, found, SIZES)


@pytest.mark.parametrize("name", ROUTES)
@pytest.mark.long
def test_compiled_they_have_the_same_bits(name):
    scop = pn.gallery.load(name)
    random = np.random.default_rng(7)
    given = {"A": random.standard_normal(37), "B": random.standard_normal(11)}
    expected = pn.compile(pn.gallery.load("delicm_listing1"))(given, N=37, K=11)
    removed = remove_scalars(scop)
    for program in (scop, removed, reorder(removed.result, tile=8)):
        found = pn.compile(program)(given, N=37, K=11)
        assert found["C"].tobytes() == expected["C"].tobytes()


def test_forwarding_makes_listing_6_of_listing_2():
    """Without the local that Listing 6 names a_S: what S loads stands where it is used."""
    found = forward_operands(pn.gallery.load("delicm_listing2")).result
    assert [str(s) for s in found.temporaries] == ["a"]
    (product,) = [s for s in found.statements if s.write.array == "C" and len(s.reads) > 1]
    assert sorted(r.array for r in product.reads) == ["A", "B", "C"]
