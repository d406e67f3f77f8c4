"""Whatever the options, propagation keeps what every program of the gallery computes."""

import pytest

import polynb as pn
from polynb import gallery

OPTIONS = [{}, {"partial": True}, {"live_out": True}, {"partial": True, "live_out": True}]


@pytest.mark.parametrize("options", OPTIONS, ids=lambda o: "+".join(o) or "default")
@pytest.mark.parametrize("name", gallery.names())
def test_it_computes_the_same(name, options):
    scop = gallery.load(name)
    sizes = {p: [3, 6] for p in scop.parameters[:2]} | {p: [3] for p in scop.parameters[2:]}
    derivation = pn.propagate(scop, **options)
    assert pn.equivalent(derivation, parameters=sizes)
