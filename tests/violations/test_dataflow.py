"""The paper's array dataflow and `pn.analyze` agree: in the gallery, on random programs."""

import functools

import pytest
from flows import assert_same_flow

import polynb as pn
from polynb import gallery, isl
from polynb.errors import PolynbError
from polynb.violations import array_dataflow

SMALL = [
    *("fig1", "fig4", "fig5", "fig7a", "fig7b", "fig9a", "fig9b", "fig10"),
    *("lrr_listing1", "lrr_listing1_scalar", "lrr_listing3", "taco13_fig7", "taco13_fig12"),
    *("delicm_listing1", "delicm_listing2", "delicm_listing3", "delicm_listing4"),
    *("gemm", "gemm_accumulator", "2mm", "trmm", "atax", "mvt", "lu", "cholesky", "durbin"),
    *("covariance", "floyd_warshall", "jacobi_1d", "jacobi_2d", "seidel_2d", "fdtd_2d"),
    *("matmul_fig1", "matmul_fig2", "matmul_pre", "pencil_histogram", "stap"),
]
loaded = functools.cache(gallery.load)


@pytest.mark.parametrize("name", SMALL)
def test_the_gallery(name):
    assert assert_same_flow(loaded(name)) > 0


def test_kills_give_no_value():
    scop = pn.parse(
        "param N; temp t; for i = 0 to N do S: t = A[i]; K: X[i] = 1; R: B[i] = t; done"
    )
    assert assert_same_flow(scop) == 1
    assert assert_same_flow(scop, "{ K[i] -> t[] }") == 0
    assert assert_same_flow(scop, "{ R[i] -> t[] }") == 1


def test_what_data_decides_is_a_source_behind_the_last_certain_one():
    scop = pn.parse(
        "param N; temp t; Z: t = 0; for i = 0 to N do if A[i] > 0 then S: t = A[i]; fi\n"
        "Y: X[i] = t; if A[i] > 1 then U: t = X[i]; fi done R: B[0] = t;"
    )
    assert assert_same_flow(scop) == 7
    assert not any(e.exact for e in array_dataflow(scop) if e.array == "t")


def test_wrong_kills():
    with pytest.raises(PolynbError, match="unknown"):
        array_dataflow(loaded("fig1"), kills="{ Q[i] -> t[i] }")


def test_a_spent_budget():
    with isl.budget(10), pytest.raises(PolynbError, match="operation"):
        array_dataflow(loaded("matmul_pre"))


def test_what_data_decides_is_no_source_before_a_certain_one():
    scop = pn.parse(
        "param N; temp t; for i = 0 to N do if A[i] > 0 then S: t = A[i]; fi\n"
        "Z: t = 0; R: B[i] = t; done"
    )
    assert [e.source for e in array_dataflow(scop) if e.array == "t"] == ["Z"]
