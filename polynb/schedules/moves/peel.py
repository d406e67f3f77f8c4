"""Peeling: the first or last iterations of a loop stand before or behind it."""

from __future__ import annotations

from polynb import isl
from polynb.arguments import count
from polynb.errors import PolynbError
from polynb.legality.carried import arriving, at_root
from polynb.schedules.moves.loops import NamedLoop, moved, singled
from polynb.scop.model import Scop
from polynb.scop.schedule import Filter, Sequence

LARGEST = 64
"""Iterations that may be peeled."""


@isl.guarded
def peel(scop: Scop, loop: str, first: int | None = None, last: int | None = None) -> Scop:
    """The program in which the `first` iterations of a loop, or the `last` ones, are apart from it:
    `for i = 0 to N { S }` as `S(0); for i = 1 to N { S }`. It keeps the order.

    Which iterations come first is a matter of each execution of the loop. One iteration needs no
    loop; several have one. Raises PolynbError for none, and for a loop without a first iteration.
    """
    if first is None and last is None:
        first = 1
    scop, (found,) = singled(scop, loop)
    sides = [(n, up) for n, up in ((first, True), (last, False)) if n is not None]
    pieces = []
    for number, up in sides:
        number = count("first" if up else "last", number, most=LARGEST)
        pieces.append((number, up, _ends(scop, found, number, up)))
    rest = {n: scop.by_name[n].domain for n in found.statements}
    before: list[Filter] = []
    behind: list[Filter] = []
    for number, up, ends in pieces:
        own = {n: ends[n].intersect(rest[n]) for n in rest}
        rest = {n: rest[n].subtract(ends[n]) for n in rest}
        child = found.band.child if number == 1 else found.band
        (before if up else behind).append(Filter(own, child))
    main = Filter(rest, found.band)
    parts = Sequence((*before, main, *behind))
    return moved(scop, [(found.band, parts)])


def _ends(scop: Scop, loop: NamedLoop, number: int, up: bool) -> dict[str, isl.Set]:
    """`{ S[i] }`, the instances in so many first (`up`) or last iterations of the loop, for each
    value of those around."""
    here = arriving(scop.schedule, loop.band, at_root(scop, ()))
    together: isl.Map | None = None
    for n, domain in here.domains.items():
        taken = here.outer[n].intersect_domain(domain).reverse().apply_range(loop.values(n))
        together = taken if together is None else together.union(taken)
    empty = {n: isl.Set.empty(scop.by_name[n].domain.get_space()) for n in loop.statements}
    if together is None:
        return empty
    step = together.wrap().flatten().get_stride(together.dim(isl.IN)).to_python()
    try:
        end = together.lexmin() if up else together.lexmax()
    except isl.IslError as error:
        raise PolynbError(
            f"the loop '{loop.name}' has no {'first' if up else 'last'} iteration",
            hint="a loop with bounds",
        ) from error
    reach = (number - 1) * max(step, 1)
    low, high = ("t", f"t + {reach}") if up else (f"t - {reach}", "t")
    near = end.apply_range(isl.read_map(f"{{ [t] -> [u] : {low} <= u <= {high} }}"))
    found = {}
    for n, domain in here.domains.items():
        found[n] = here.outer[n].apply_range(near).intersect(loop.values(n)).domain()
        found[n] = isl.coalesced(found[n].intersect(domain))
    return {**empty, **found}
