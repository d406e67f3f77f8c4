"""Folded literals: they are only written as plain ones where C computes the same with either."""

import pytest

from polynb.codegen.literals import plain_literals
from polynb.codegen.sharing import tree_size, written_size
from polynb.source.tree import Access, Binary, Call, Cast, Let, Number
from polynb.source.type_inference import Types
from polynb.source.types import DOUBLE, INT32, INT64


def wide(value: int) -> Number:
    return Number(value, INT64)


@pytest.mark.parametrize("value", [2**31, 3_000_000_000, 2**32 - 1, -(2**31)])
def test_what_does_not_fit_into_an_int_stays(value: int) -> None:
    stays = plain_literals(Access("A", (wide(value), wide(2**31 - 1))), Types({}))
    assert [(x.value, x.type) for x in stays.subscripts] == [(value, INT64), (2**31 - 1, INT32)]


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
