"""Whatever the options, propagation keeps what every program of the gallery computes."""

import functools
import os

import pytest

import polynb as pn
from polynb import gallery
from polynb.run.oracle import equivalent

loaded = functools.cache(gallery.load)
OPTIONS = [
    {},
    {"partial": True},
    {"live_out": True},
    {"partial": True, "live_out": True},
    {"cache_lines": 4, "order": "first_write"},
    {"heuristics": ()},
]


# Executing the long pipelines symbolically takes minutes: POLYNB_LARGE=1. (Compiled, they are
# compared with their references and with themselves propagated in any case.)
LARGE = ("camera_pipe", "pyramid_blending")
# (Interpolate and local Laplacian need sizes that are too large for it at all.)
NEVER = ("interpolate", "local_laplacian")
# A quarter of a minute with all four sizes.
ONE_SIZE = () if os.environ.get("POLYNB_LARGE") else ("bilateral_grid",)
LONG = ("bilateral_grid", "stap", "harris", "pencil_convolution")
NAMES = [
    pytest.param(n, marks=pytest.mark.long) if n in LONG else n
    for n in gallery.names()
    if n not in NEVER and (n not in LARGE or os.environ.get("POLYNB_LARGE"))
]


@pytest.mark.parametrize("options", OPTIONS, ids=lambda o: "+".join(o) or "default")
@pytest.mark.parametrize("name", NAMES)
def test_it_computes_the_same(name, options):
    scop = loaded(name)
    both = [3] if name in ONE_SIZE else [3, 6]
    sizes = dict.fromkeys(scop.parameters[:2], both) | {p: [3] for p in scop.parameters[2:]}
    derivation = pn.propagate(scop, **options)
    assert equivalent(derivation, parameters=sizes)
