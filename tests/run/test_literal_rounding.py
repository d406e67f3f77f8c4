"""Literals in other floating types, against NumPy's conversions."""

import math
import random

import numpy as np
import pytest

from polynb.run.floats import converted
from polynb.source.singles import shortest, single
from polynb.source.types import DOUBLE, FLOAT


@pytest.mark.parametrize("type_", [FLOAT, DOUBLE], ids=str)
def test_a_literal_is_rounded_as_numpy_rounds_it(type_):
    rng = random.Random(1)
    largest = 3.4028234663852886e38
    values = [
        0.0,
        -0.0,
        1e300,
        -1e300,
        math.inf,
        largest,
        3.40282357e38,
        1e-46,
        2**53 + 1,
        16777217,
    ]
    values += [rng.uniform(-1, 1) * 10.0 ** rng.randint(-50, 60) for _ in range(5000)]
    with np.errstate(all="ignore"):
        wanted = [float(np.dtype(type_.dtype).type(v)) for v in values]
    assert [converted(v, type_).hex() for v in values] == [w.hex() for w in wanted]
    assert math.isnan(converted(math.nan, type_))


def test_a_float_is_written_as_shortly_as_numpy_writes_it():
    rng = np.random.default_rng(1)
    for v in rng.integers(1, 0x7F800000, 500, dtype=np.uint32).view(np.float32):
        text = shortest(float(v))
        assert np.float32(single(text)) == v
        assert len(text.split("e")[0].strip("0.")) <= len(str(v).split("e")[0].strip("0."))
    assert [shortest(x) for x in (0.0, -0.0, -0.1, 1 / 3)] == ["0.0", "-0.0", "-0.1", "0.33333334"]
