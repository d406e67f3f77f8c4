"""What lessons run: pipelines against NumPy, and why arrays are kept."""

import dataclasses

import numpy as np
import pytest

import polynb as pn
from polynb.errors import PolynbError
from polynb.evaluation.against_numpy import against_numpy, kept
from polynb.evaluation.paper import PAPER
from polynb.evaluation.references import WRITTEN, reference


@pytest.fixture(scope="module")
def harris():
    known = reference("harris")
    return (
        pn.propagate(pn.gallery.load("harris")),
        known,
        known.inputs(np.random.default_rng(1), 9, 11),
    )


def test_there_is_a_reference_for_each_pipeline_of_table_1():
    assert tuple(WRITTEN) == tuple(PAPER)
    with pytest.raises(PolynbError, match="there is no reference 'fig1'"):
        reference("fig1")


def test_both_programs_agree_with_numpy(harris):
    derivation, _, given = harris
    found = against_numpy(derivation, given, {"R": 9, "C": 11}, 1e-4)
    assert found.output.shape == (7, 9)
    assert 0 < found.difference < 1e-5
    assert "63 values, equal bit for bit before and after" in str(found)


def test_too_large_a_difference_is_refused(harris):
    derivation, _, given = harris
    with pytest.raises(PolynbError, match="harris differs from its reference by"):
        against_numpy(derivation, given, {"R": 9, "C": 11}, 1e-12)


def test_another_bit_is_refused(harris):
    derivation, _, given = harris
    text = str(derivation.result).replace("0.04", "0.05")
    other = pn.parse(text, name="harris")
    wrong = dataclasses.replace(derivation, result=other)
    with pytest.raises(PolynbError, match="harris computes something else"):
        against_numpy(wrong, given, {"R": 9, "C": 11}, 1)


def test_each_array_that_is_left_has_its_reason():
    table = kept(pn.propagate(pn.gallery.load("bilateral_grid")))
    assert table.rows == (
        ("grid", "its values are made from its own earlier values (add_value -> add_value)."),
        (
            "blurx",
            "27 more operations for each value that is not stored, 24 are allowed.",
        ),
        ("blury", "which blur_y writes what normalise reads depends on data."),
    )
    assert table.notes == ("5 temporary arrays, 3 kept",)
