"""TACO'19's folding as it is printed, where it is another one (`notebooks/errata.ipynb`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

from polynb.folding import BOTTOM, TOP, Folded, Folder, Variant, fold
from polynb.folding.coefficients import Coefficient, Half, JoiningRules, new_label
from polynb.folding.growing import Growing
from polynb.folding.labels import Sign
from polynb.folding.residuals import Residuals
from polynb.folding.streams import FoldingReadings


class PointFirst(Folder):
    """Algorithm 1 in its own order: line 13 puts the point into absorbers[0] before the dimensions
    of completed loops are processed."""

    def _insert(self, point: list[int], label: list[int], changed: int) -> None:
        self._last = point, label
        self.entries += 1
        new = tuple(new_label(value, self.dims) for value in label)
        self._row(self.growing(tuple(point), new, self.entries))
        self._complete(changed)


def fold_with(
    points: Sequence[Sequence[int]],
    labels: Sequence[int] | None = None,
    *,
    variant: str | Variant = "F",
    kind: Literal["instruction", "dependence"] = "dependence",
    folder: type[Folder] = Folder,
    **functions: Callable[..., Any],
) -> Folded:
    """`pn.fold` by the reference with another folder, or by other `JoiningRules`."""

    class ByRules(Growing):
        rules = JoiningRules(**functions)

    class ReadFolder(folder):  # type: ignore[valid-type,misc]
        growing = ByRules

    read = FoldingReadings(ReadFolder)
    return fold(points, labels, variant=variant, kind=kind, engine="python", readings=read)


def merge_as_printed(known: Coefficient, rest: int, steps: int) -> Coefficient:
    """Line 23 of Algorithm 4: the remaining values have to agree, also where a coefficient is still
    to be determined."""
    if known is BOTTOM:
        return 0 if rest == 0 else TOP
    return TOP if isinstance(known, Sign) or known * steps != rest else known


def inside_as_printed(
    absorber: Half, absorbed: Half, axis: int, widen: bool
) -> dict[int, Coefficient] | None:
    """Algorithm 4: what neither of two functions knows remains unknown, wherever they lie."""
    found: dict[int, Coefficient] = {}
    for q in range(axis + 1, len(absorber.anchor)):
        one, other = absorber.label.coefficients[q], absorbed.label.coefficients[q]
        known = [k for k in (one, other) if k is not BOTTOM]
        if len(set(known)) > 1 and not widen:
            return None
        found[q] = TOP if len(set(known)) > 1 else known[0] if known else BOTTOM
    return found


def agreement_of_anchors(
    one: Residuals, other: Residuals, axis: int
) -> tuple[int, Residuals] | None:
    """Beside a ⊤, the paper compares labels where polyhedra begin, and nowhere else."""
    return 0, one


class Known(NamedTuple):
    """A label function of Figure 8, below whose dimension d all is known: its remaining value, its
    coefficients (None is the paper's ⊥) and its initial point, both outermost first."""

    remaining: int
    coefficients: Sequence[int | None]
    initial: Sequence[int]


def extends(f_abs: Known, f_to_be_abs: Known, d: int, *, printed: bool = False) -> bool:
    """Lines 11 to 14 of Algorithm 3, of the axis `d`: the contribution of a known coefficient is
    taken at the initial point of what is to be absorbed, as the text has it.

    `printed`: by the coefficient of what is to be absorbed, as line 12 has it. Raises TypeError
    where that is ⊥.
    """
    factor = (f_to_be_abs.coefficients if printed else f_to_be_abs.initial)[d]
    contribution = f_abs.coefficients[d] * factor  # type: ignore[operator]
    return f_to_be_abs.remaining - contribution == f_abs.remaining
