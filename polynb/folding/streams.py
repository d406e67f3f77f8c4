"""`pn.fold`: a stream that is there, as arrays, folded into polyhedra with label functions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from polynb.arguments import flag, instance, one_of, optional
from polynb.derivation import Readings
from polynb.errors import PolynbError
from polynb.folding.arrays import Ints, labels_of, points_of, stream_of
from polynb.folding.engine import EngineFolder, available
from polynb.folding.folder import EARLIER, FAR, REPEATED, TOO_FAR, Folder
from polynb.folding.model import Entries, Folded, Kind, Stream, Variant, variant_of
from polynb.folding.steps import FoldingStep, Teller

Engine = Literal["auto", "python", "c"]

LONG: Final = 10_000  # entries: what the reference folds in half a second
SMALL: Final = 100
"""Entries of a stream that is kept with what it is folded into."""


@dataclass(frozen=True, repr=False)
class FoldingReadings(Readings):
    """How streams are folded by the reference."""

    folder: type[Folder] = Folder


class FoldingError(PolynbError):
    """A stream with an entry that cannot be: `folded` is what was folded before it, with all that
    were refused counted (one, as `pn.fold` stops there)."""

    folded: Folded


def fold(
    points: Any,
    labels: Any = None,
    *,
    variant: str | Variant = "F_GG,W",
    names: str | Sequence[str] | None = None,
    outputs: str | Sequence[str] | None = None,
    kind: Kind = "instruction",
    identifier: str = "",
    skip: bool = False,
    engine: Engine = "auto",
    readings: FoldingReadings | None = None,
) -> Folded:
    """Fold a stream: `points` of shape (n, D), in lexicographic order, none twice, and their
    `labels`, of shape (n, L) or (n,), integers both.

    The result is a piecewise label function, whose pieces hold exactly the points (TACO'19,
    section 5). With variant "F" and kind "dependence" it gives back every label; the labels of an
    "instruction" are widened in all variants: where nothing affine is found along a dimension, its
    coefficient is ⊤, and what is claimed of the others holds for all points (`LabelFunction`).
    "F_GG" and "F_GG,W" give up on the shape of irregular streams. `names` are the dimensions' and
    `outputs` the labels', `identifier` that of the stream. With `skip`, entries that are out of
    order or repeated are left out and counted; without, a FoldingError names the first, and its
    `folded` is what was folded before it.

    Raises PolynbError for arrays of other shapes or types, and where the C engine is asked for and
    there is no compiler. Engine "auto" takes it for long streams where it can. `readings`: the
    paper read in other ways, by the reference.

    >>> import numpy as np
    >>> print(fold(np.argwhere(np.tri(4)), np.arange(10), names="i, j").pieces[0].polyhedron("ij"))
    0 ≤ i ≤ 3, 0 ≤ j ≤ i
    """
    ivs = points_of(points)
    values = labels_of(labels, len(ivs))
    stream = stream_of(ivs.shape[1], values.shape[1], names, outputs, kind, identifier)
    one_of("engine", engine, ("auto", "python", "c"))
    chosen = variant_of(variant, ivs.shape[1])
    skip = flag("skip", skip)
    read = optional(instance, "readings", readings, FoldingReadings, "FoldingReadings()")
    return fold_arrays(ivs, values, stream, chosen, skip=skip, engine=engine, readings=read)


def fold_arrays(
    ivs: Ints,
    values: Ints,
    stream: Stream,
    variant: Variant,
    *,
    skip: bool = False,
    engine: Engine = "auto",
    tell: Teller | None = None,
    readings: FoldingReadings | None = None,
) -> Folded:
    """`fold` of arrays that are known to fit; `tell` is called with each step."""
    folder = folder_of(len(ivs), stream, variant, engine, tell, readings)
    for entry, code in _refused(folder, ivs, values):
        if not skip:
            error = refusal(entry, ivs[entry], ivs[entry - 1] if entry else None, code)
            error.folded = finished(folder, stream)
            raise error
    return with_entries(finished(folder, stream), ivs, values, variant)


def with_entries(folded: Folded, ivs: Ints, values: Ints, variant: Variant) -> Folded:
    """The same with the entries themselves, if they are few, and none was refused."""
    if len(ivs) > SMALL or folded.rejected or len(ivs) != folded.entries:
        return folded
    return replace(folded, stream_entries=Entries(ivs, values, variant))


def fold_stepwise(
    ivs: Ints, values: Ints, stream: Stream, variant: Variant, *, skip: bool = False
) -> tuple[Folded, tuple[FoldingStep, ...]]:
    """The same, and the steps that lead there (Figure 5), by the reference. Each entry has some, so
    it is meant for small streams. Raises FoldingError, whose `steps` are those before it."""
    told: list[FoldingStep] = []
    try:
        found = fold_arrays(ivs, values, stream, variant, skip=skip, tell=told.append)
    except FoldingError as error:
        error.steps = tuple(told)
        raise
    return found, tuple(told)


def folder_of(
    entries: int,
    stream: Stream,
    variant: Variant,
    engine: Engine = "auto",
    tell: Teller | None = None,
    readings: FoldingReadings | None = None,
) -> Folder | EngineFolder:
    """What folds a stream of so many entries, or more."""
    shape = len(stream.dimensions), len(stream.outputs)
    widen, give_up, slope = widens(stream, variant), variant.give_up or 0, variant.slope
    long = engine == "auto" and entries >= LONG and available()
    if tell is None and readings is None and (engine == "c" or long):
        return EngineFolder(*shape, widen=widen, give_up=give_up, slope=slope)
    folder = Folder if readings is None else readings.folder
    return folder(*shape, widen=widen, give_up=give_up, slope=slope, tell=tell)


def widens(stream: Stream, variant: Variant) -> bool:
    """Whether coefficients may become ⊤: those of instructions may in all variants."""
    return variant.widen or stream.kind == "instruction"


def finished(folder: Folder | EngineFolder, stream: Stream) -> Folded:
    """What a folder has made of a stream, which ends here."""
    pieces = tuple(folder.finish())
    return Folded(stream, pieces, folder.entries, folder.most_live, folder.gave_up, folder.rejected)


def refusal(entry: int, iv: Any, before: Any, code: int) -> FoldingError:
    """The error for an entry that a folder refused with that code."""
    at = f"entry {entry}, {_vector(iv)}"
    if code == REPEATED:
        return FoldingError(
            f"{at}, is there twice",
            reason="the vectors of a stream are all different",
            hint="one stream for each calling context; skip=True leaves it out",
        )
    if code == EARLIER:
        return FoldingError(
            f"{at}, comes too late",
            reason=f"it is lexicographically before {_vector(before)}, which came before it",
            hint="entries in the order of execution; skip=True leaves it out",
        )
    assert code == TOO_FAR, "there are no other codes"
    return FoldingError(f"{at}, is too far out", reason=f"coordinates are below {FAR} = 2**48")


def _refused(folder: Folder | EngineFolder, ivs: Ints, values: Ints) -> Iterator[tuple[int, int]]:
    """Feed all entries to a folder; yields the number of each it refuses, and why."""
    done = 0
    while done < len(ivs):
        folded, code = folder.feed(ivs[done:], values[done:])
        done += folded
        if code:
            yield done, code
            done += 1


def _vector(iv: Any) -> str:
    return f"({', '.join(str(int(c)) for c in iv)})"
