"""Instances and witnesses, and the one way in which they are said."""

import pickle

import pytest

from polynb import isl
from polynb.scop.witness import Instance, Witness, cell_text, pair_witness, values_text


@pytest.mark.parametrize(
    ("instance", "text"),
    [(Instance("S"), "S()"), (Instance("S", (3,)), "S(3)"), (Instance("S1", (1, -2)), "S1(1, -2)")],
)
def test_an_instance_is_said(instance, text):
    assert str(instance) == text
    assert pickle.loads(pickle.dumps(instance)) == instance


def test_a_witness_is_said_with_its_parameters_and_without():
    found = Witness({"N": 3, "M": 0}, {"read": Instance("S", (0,)), "write": Instance("T")})
    assert str(found) == "S(0) and T(), N = 3, M = 0"
    assert found.for_values("so it is") == "for N = 3, M = 0: so it is"
    assert found.statements == ("S", "T")
    assert str(Witness({}, {"only": Instance("S", (1,))})) == "S(1)"
    assert Witness({}, {}).for_values("so it is") == "so it is"
    assert found.with_roles("write", "read")["write"] == Instance("S", (0,))


def test_a_witness_of_a_relation_is_one_of_its_pairs():
    relation = isl.Map("[N] -> { S[i] -> T[i + 1, N] : 1 <= i < N }")
    found = pair_witness(relation, "read", "write")
    assert found is not None
    assert str(found) == "S(1) and T(2, 2), N = 2"
    assert found["write"] == Instance("T", (2, 2))
    assert pair_witness(relation.subtract(relation)) is None


def test_cells_and_values_are_said():
    assert cell_text("A", (1, 2)) == "A[1][2]"
    assert cell_text("s", ()) == "s"
    assert values_text({}) == ""


def test_a_witness_may_be_a_cell_alone():
    assert str(Witness({"N": 1}, {}, "A[0]")) == "A[0], N = 1"
