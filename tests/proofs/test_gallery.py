"""What passes make of the gallery's programs is proved: of some, or of all with POLYNB_LARGE set
(`tests/benchmarks/proofs.py` says how long it takes, of PolyBench's kernels as well)."""

import os

import pytest
from passes import WAYS

import polynb as pn

SOME = ("fig1", "fig9b", "lrr_listing1", "delicm_listing4", "jacobi_1d", "pencil_histogram")
SLOW = ("interpolate", "local_laplacian", "pyramid_blending")  # what a pass takes minutes for
NOT_PROVED = {
    ("cholesky", "tiled, printed"): "no guess covers the recurrence of its diagonal",
    ("bilateral_grid", "propagated, in strips"): "tables of expressions, looked up where data says",
}
NAMES = [n for n in pn.gallery.names() if n not in SLOW] if os.environ.get("POLYNB_LARGE") else SOME


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", NAMES)
def test_what_a_pass_makes_of_it_is_proved(name, way):
    scop = pn.gallery.load(name)
    try:
        with pn.budget(seconds=120):
            after = WAYS[way](scop)
    except pn.PolynbError as error:
        pytest.skip(f"no result: {error.message}")
    proof = pn.prove(scop, after)
    if (name, way) in NOT_PROVED:
        assert proof.answer == "not known", "it is no longer one of those that are not proved"
    else:
        assert proof, str(proof)
