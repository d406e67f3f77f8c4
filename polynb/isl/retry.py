"""Another way to the same set, where isl fails by a defect of its own.

Known is one, in isl's coalescing, which merges the parts of a set (`merging.py`). isl also merges
inside of other functions, in its code generator and its scheduler above all: these are asked for
the same thing again, with other ways of merging.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import ParamSpec, TypeVar

from polynb.errors import PolynbError

P = ParamSpec("P")
R = TypeVar("R")

Options = Callable[[Mapping[str, int]], AbstractContextManager[None]]

WAYS: tuple[Mapping[str, int], ...] = (
    {"coalesce_bounded_wrapping": 0},
    {"coalesce_preserve_locals": 1},
    {"coalesce_bounded_wrapping": 0, "coalesce_preserve_locals": 1},
)
"""isl's options that change how it merges, but not what a set contains."""

_CHECKS = re.compile(r"does not correspond to|Assertion .* failed|\binternal error\b")


def is_defect(error: BaseException) -> bool:
    """Whether an error is that of a check which isl makes of its own state."""
    return _CHECKS.search(str(error)) is not None


def retrying(function: Callable[P, R], options: Options) -> Callable[P, R]:
    """A function that is called again, under each of WAYS, where it fails so; `options` sets isl's
    options. Calls inside of such a second call are not repeated, so that there are few in all.

    Raises PolynbError if all of them fail. The function must have no effects.
    """

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except PolynbError as error:
            if _again or not is_defect(error):
                raise
            failure = error
        for way in WAYS:
            _again.append(way)
            try:
                with options(way):
                    return function(*args, **kwargs)
            except PolynbError as error:
                if not is_defect(error):
                    raise
            finally:
                _again.pop()
        raise type(failure)(
            failure.message,
            reason="it failed by a defect of its own, in every way that was tried",
            hint="the same program with fewer strides, `%` and `/` in conditions and subscripts, "
            "or with `assume` on its parameters",
        )

    return call


_again: list[Mapping[str, int]] = []
