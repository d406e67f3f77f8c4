"""What `to_scop` makes of a run of an affine kernel equals what polynb knows of its text."""

from __future__ import annotations

import os

import pytest
from alike import Alike, differing, traced
from knowing import comparable

import polynb as pn

SOME = ("gemm", "lu", "durbin", "lrr_listing1_scalar", "delicm_listing6", "pencil_dilate")
LARGE = bool(os.environ.get("POLYNB_LARGE"))
PARTS = {
    "unsharp_mask": "a branch that the run never takes reads more",
    "interpolate": "halved subscripts are not affine, nor do all extents follow from them",
    "pencil_warp": "quartered subscripts that stop at the border are not affine",
}
"""Programs of which a run shows a part only."""


@pytest.mark.parametrize("name", pn.gallery.names() if LARGE else SOME)
def test_dependences_of_a_run_are_those_of_the_text(name: str) -> None:
    scop = comparable(pn.gallery.load(name))
    if scop is None or name in PARTS:
        pytest.skip(PARTS.get(name, "what it does depends on data, or it is not written in C"))
    sizes = {p: 5 + k for k, p in enumerate(scop.parameters)}
    both = Alike(traced(scop, sizes), scop, sizes)
    assert not differing(both.domains())
    assert not differing(both.edges())
    assert both.edges()[0]
    if all(s.affine for s in both.traced.statements):
        assert not differing(both.accesses())
