"""Whatever the options, propagation keeps what every program of the gallery computes.

Each program with the default and, among the long tests, a third with one other choice, in turn; all
with all: POLYNB_LARGE=1.
"""

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
NAMES = [n for n in gallery.names() if n not in NEVER]
CASES = [
    pytest.param(
        *(name, options),
        id=f"{name}-{'+'.join(options) or 'default'}",
        marks=[pytest.mark.long] * (o > 0 or name in LONG),
    )
    for k, name in enumerate(NAMES)
    for o, options in enumerate(OPTIONS)
    if os.environ.get("POLYNB_LARGE")
    or (name not in LARGE and o in (0, (1 + k % 5) * (k % 3 == 0)))
]


@pytest.mark.parametrize(("name", "options"), CASES)
def test_it_computes_the_same(name, options):
    scop = loaded(name)
    both = [3] if name in ONE_SIZE else [3, 6]
    sizes = dict.fromkeys(scop.parameters[:2], both) | {p: [3] for p in scop.parameters[2:]}
    derivation = pn.propagate(scop, **options)
    assert equivalent(derivation, parameters=sizes)
