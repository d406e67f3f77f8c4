"""For which sizes C's loops end in their types, against loops that are run."""

from __future__ import annotations

import random

import pytest

import polynb as pn
from polynb import isl
from polynb.scop.narrow import endless, in_types
from polynb.source.types import INT8, INT16, INT32, UINT8, UINT32, ElementType, promote

KINDS = {
    "signed char": INT8,
    "short": INT16,
    "int": INT32,
    "unsigned char": UINT8,
    "unsigned": UINT32,
}
SIZES = range(-40, 41)
OPERATORS = {
    "<": int.__lt__,
    "<=": int.__le__,
    ">": int.__gt__,
    ">=": int.__ge__,
}


class LeavesItsType(Exception):
    pass


def held(value: int, kind: ElementType) -> int:
    if not kind.least <= value <= kind.most:
        raise LeavesItsType
    return value


def ends(kind: ElementType, low: int, op: str, added: int, step: int, n: int) -> bool:
    """Whether `for (kind i = low; i + added op n; i += step)` ends, without leaving a type."""
    i = low
    try:
        while OPERATORS[op](held(i + added, promote(kind)) if added else i, n):
            i = held(i + step, kind)
    except LeavesItsType:
        return False
    return True


@pytest.mark.parametrize("seed", range(150))
def test_sizes_for_which_loops_end(seed):
    """Loops begin next to the end of their types."""
    draw = random.Random(seed)
    name, size = draw.choice([*KINDS]), draw.choice([*KINDS])
    kind, other = KINDS[name], KINDS[size]
    down = kind.is_signed and other.is_signed and draw.random() < 0.5
    op = draw.choice([">", ">="] if down else ["<", "<="])
    step = draw.choice([1, 1, 2, 7, 30])
    added = draw.choice([0, 0, 1, 25, -25])
    low = kind.least + 90 if down else kind.most - 90
    text = f"i + {added}" if added >= 0 else f"i - {-added}"
    head = f"{name} i = {low}; {text if added else 'i'} {op} n; i {'-' if down else '+'}= {step}"
    scop = pn.parse(f"void f({size} n, double A[1]) {{ for ({head}) A[0] = 1; }}")
    allowed = scop.assumed.intersect(in_types(scop.parameters, scop.parameter_types))
    never = endless(scop, allowed)
    for n in {x + d for x in (kind.least, kind.most, other.least, other.most) for d in SIZES}:
        at = isl.read_set(f"[n] -> {{ : n = {n} }}")
        if at.is_subset(allowed):
            assert at.is_subset(never) != ends(kind, low, op, added, -step if down else step, n), n
