"""Interchange: the loops of a permutable band in another order."""

from __future__ import annotations

from collections.abc import Sequence as Seq

from polynb import isl
from polynb.arguments import objects
from polynb.derivation import Derivation, as_scop
from polynb.errors import PolynbError
from polynb.schedules.bands import (
    MORE_BANDS,
    band_label,
    check_not_separated,
    check_permutable,
    chosen,
    loop_names,
    permuted,
    replaced,
    several_permutable,
    with_schedule,
)
from polynb.scop.model import Scop
from polynb.scop.schedule import Band, walk


@isl.bounded("interchange")
def interchange(program: Scop | Derivation, order: Seq[int], *, band: int | None = None) -> Scop:
    """The program with the loops of a permutable band in another order.

    `{ S[i] -> [t0, ..., tn-1] }` becomes `{ S[i] -> [t(order[0]), ..., t(order[n-1])] }`: the new
    outermost loop is the one that was number `order[0]`. `band`: the band's number, counted from
    the root of the schedule tree as it is walked, parents first; the first permutable one of two
    or more loops by default. Loops keep whether they are coincident, and how they run.

    Claims that the result computes the same if the band that is said to be permutable is. Raises
    PolynbError if it is not, if `order` is no permutation of its loops, and for a parallel or
    vector loop that is not coincident: it may carry a dependence elsewhere in the band.
    """
    scop = as_scop(program)
    found = tuple(filter(several_permutable, walk(scop.schedule)))
    (b, *_) = chosen(scop, band, found, "no band has two or more permutable loops", MORE_BANDS)
    check_permutable(scop, b, "interchanged")
    check_not_separated(scop, b, "interchanged")
    order = _checked(scop, b, order)
    names = loop_names(scop, b)
    for k, loop in enumerate(b.loops):
        moved = order[k] != k and not loop.coincident
        if moved and loop.kind in ("parallel", "collapsed", "vector"):
            raise PolynbError(
                f"loop {names[k]} of {band_label(scop, b)} runs as {loop.kind} where it is",
                reason="elsewhere in the band it may carry a dependence",
                hint="interchange first, set_loop_kinds after",
            )
    return with_schedule(scop, replaced(scop.schedule, [(b, permuted(b, order))]))


def _checked(scop: Scop, band: Band, order: Seq[int]) -> tuple[int, ...]:
    given = objects("order", order, lambda k: True, "integers", "order=[1, 0], say")
    whole = all(isinstance(k, int) and not isinstance(k, bool) for k in given)
    if not whole or sorted(given) != list(range(band.depth)):
        loops = ", ".join(f"{k} ({name})" for k, name in enumerate(loop_names(scop, band)))
        raise PolynbError(
            f"{list(given)} is no order of the loops of {band_label(scop, band)}",
            reason=f"they are {loops}, and each must be there once",
            hint=f"order={list(reversed(range(band.depth)))}, say",
        )
    return given
