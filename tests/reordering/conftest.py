"""Schedules and relations as the paper writes them."""

import pytest

from polynb import gallery, isl
from polynb.scop.schedule import Band, walk


def bands(tree):
    return [node for node in walk(tree) if isinstance(node, Band)]


def sizes(tree):
    return [(b.depth, b.coincident) for b in bands(tree)]


def is_schedule(band, text):
    """Whether a band's members are `{ S[i] -> [t] }` of a text, on all of the instances."""
    wanted = {isl.tuple_name(m, isl.IN): m for m in isl.maps(isl.read_union_map(text))}
    assert wanted.keys() == band.members.keys()
    return all(band.members[n].reset_tuple_id(isl.OUT).is_equal(m) for n, m in wanted.items())


def union(edges):
    return isl.union_map(e.relation for e in edges)


def same(found, text):
    return found.is_equal(isl.read_union_map(text))


@pytest.fixture(params=["polynb", "isl"])
def scheduler(request):
    return request.param


@pytest.fixture
def listing1():
    return gallery.load("lrr_listing1")


@pytest.fixture
def listing1_live():
    return gallery.load("lrr_listing1_live")


@pytest.fixture
def listing3():
    return gallery.load("lrr_listing3")
