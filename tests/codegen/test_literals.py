"""Folded literals: they are only written as plain ones where C computes the same with either."""

import numpy as np
import pytest

import polynb as pn
from polynb.codegen.literals import plain_literals
from polynb.codegen.sharing import tree_size, written_size
from polynb.source.tree import Access, Binary, Call, Cast, Let, Number, Unary
from polynb.source.type_inference import Types
from polynb.source.types import DOUBLE, INT32, INT64, UINT32


def wide(value: int) -> Number:
    return Number(value, INT64)


@pytest.mark.parametrize("value", [2**31, 3_000_000_000, 2**32 - 1, -(2**31)])
def test_what_does_not_fit_into_an_int_stays(value: int) -> None:
    stays = plain_literals(Access("A", (wide(value), wide(2**31 - 1))), Types({}))
    assert [(x.value, x.type) for x in stays.subscripts] == [(value, INT64), (2**31 - 1, INT32)]


def test_a_negative_literal_is_one_of_its_type() -> None:
    def subscript(operand: Number) -> tuple[str, object, object]:
        (x,) = plain_literals(Access("A", (Unary("-", operand),)), Types({})).subscripts
        return x.op, x.operand.value, x.operand.type

    assert subscript(wide(3)) == ("-", 3, INT32)
    assert subscript(wide(2**31)) == ("-", 2**31, INT64)
    assert subscript(Number(3, UINT32)) == ("-", 3, UINT32)


def test_what_is_unsigned_is_compared_with_the_negative_number_that_is_meant() -> None:
    of = Access("K", (Number(0, INT32),))
    meant, plain = (
        plain_literals(Binary("<", of, wide(-1)), Types({"K": type})).right
        for type in (UINT32, INT32)
    )
    assert isinstance(meant, Cast)
    assert (meant.type, meant.operand.value, meant.operand.type) == (INT64, -1, INT32)
    assert (plain.value, plain.type) == (-1, INT32)


def test_any_function_gets_the_type_that_was_meant() -> None:
    (meant,) = plain_literals(Call("f", (wide(3),)), Types({})).arguments
    assert isinstance(meant, Cast)
    assert (meant.type, meant.operand.type) == (INT64, INT32)
    (plain,) = plain_literals(Call("sqrt", (wide(3),)), Types({})).arguments
    assert (plain.value, plain.type) == (3, INT32)


def test_a_part_with_a_name_is_written_once() -> None:
    part = Let("e", Binary("+", Number(1.0, DOUBLE), Number(2.0, DOUBLE)))
    twice = Binary("*", part, part)
    assert written_size(twice) == 3 + 3
    assert tree_size(twice) == 9


@pytest.mark.parametrize("op", ["mod", "floord"])
def test_the_remainder_of_what_an_iterator_divides_is_as_wide_as_it(op: str) -> None:
    """At each iteration that is left of a loop: `mod(U[0], 3) - 5` is negative."""
    text = f"param N; input uint32 U[1]; output double B[9]; for k = 3 to 3 do B[k] = {op}(U[0], k)"
    scop = pn.parse(text + " - 5; done")
    found = pn.compile(scop, threads=1)(N=1, U=np.array([7], np.uint32))["B"][3]
    assert found == {"mod": 1, "floord": 2}[op] - 5
