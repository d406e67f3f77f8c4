"""A choice by measurement: the fastest of several forms of a program on this machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from polynb.derivation import Derivation, as_scop
from polynb.recurrences import FORMS, with_recurrences
from polynb.run.measurement import measure
from polynb.run.timing import Timing
from polynb.scop.model import Scop


@dataclass(frozen=True, eq=False)
class Fastest:
    """The program that was fastest, under which label, and the times of all."""

    label: str
    program: Scop
    timing: Timing

    def __str__(self) -> str:
        return f"{self.label} is the fastest:\n{self.timing}"


def fastest(
    programs: Mapping[str, Scop | Derivation],
    arrays: Mapping[str, Any] | None = None,
    /,
    **options: Any,
) -> Fastest:
    """Of several programs that compute the same the one with the smallest median time.

    Data, parameter values and options are those of `measure`, which compares the results first.
    """
    timing = measure(programs, arrays, **options)
    label = min(timing.labels, key=timing.median)
    return Fastest(label, as_scop(programs[label]), timing)


def fastest_recurrences(
    program: Scop | Derivation, arrays: Mapping[str, Any] | None = None, /, **options: Any
) -> Fastest:
    """The program without recurrences ("none"), with them in scalars, or in strips, whichever is
    the fastest here: what they save in operations they may cost in vectors (CC'18, section 5.4).

    Data, parameter values and options are those of `measure`. Without any recurrences nothing
    but the program is timed.
    """
    scop = as_scop(program)
    forms = {"none": scop, **{form: with_recurrences(scop, form=form) for form in FORMS}}
    different = {label: p for label, p in forms.items() if label == "none" or p is not scop}
    return fastest(different, arrays, **options)
