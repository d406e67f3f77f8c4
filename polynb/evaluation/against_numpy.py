"""A pipeline before and after propagation, run on a picture and compared: with itself bit by bit,
and with its reference in NumPy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from polynb.arguments import instance, named, values
from polynb.derivation import Derivation
from polynb.errors import PolynbError
from polynb.evaluation.references import reference
from polynb.run import compile
from polynb.tuning.tables import Table


@dataclass(frozen=True, eq=False)
class Agreement:
    """The `output` of both programs, without its frame, and the largest `difference` of a value to
    NumPy's."""

    name: str
    output: np.ndarray
    difference: float

    def __str__(self) -> str:
        largest = self.output.max()
        return (
            f"{self.name}: {self.output.size} values, equal bit for bit before and after "
            f"propagation; the largest difference to NumPy is {self.difference:.2g} "
            f"(the largest value {largest:.3g})"
        )

    __repr__ = __str__


def against_numpy(
    derivation: Derivation,
    given: Mapping[str, ArrayLike],
    sizes: Mapping[str, int],
    tolerance: float,
) -> Agreement:
    """Run a pipeline of the gallery before and after a pass on the inputs `given`.

    Raises PolynbError if one bit differs between the two, or if a value differs from the
    reference's by more than `tolerance`.
    """
    derivation = instance("derivation", derivation, Derivation, "pn.propagate(pipeline)")
    given = named("given", given, what="input")
    at: Mapping[str, Any] = values("sizes", sizes, derivation.before.parameters)
    name = derivation.before.name
    known = reference(name)
    ((output, expected),) = known.expected(**at, **given).items()
    before, after = (
        compile(program)(given, **at)[output][known.frame]
        for program in (derivation.before, derivation)
    )
    if before.tobytes() != after.tobytes():
        raise PolynbError(f"{name} computes something else after propagation")
    difference = float(np.abs(after.astype(float) - expected).max())
    if not difference <= tolerance:
        raise PolynbError(
            f"{name} differs from its reference by {difference:.3g}",
            reason=f"{tolerance:.3g} is allowed",
        )
    return Agreement(name, after, difference)


def kept(derivation: Derivation) -> Table:
    """The temporary arrays that are left, and why each is."""
    names = derivation.result.temporaries
    rows = [(n, derivation.why(n).removeprefix(f"{n} is kept: ")) for n in names]
    every = len(derivation.before.temporaries)
    note = f"{every} temporary arrays, {len(names) or 'none'} kept"
    return Table(("array", "why it is kept"), rows, left=("why it is kept",), notes=(note,))
