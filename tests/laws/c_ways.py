"""Single ways to transform a program, each within a budget of isl's operations."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from random import Random
from typing import Any

from shares import COUNTS

import polynb as pn
from polynb import isl
from polynb.errors import PolynbError
from polynb.optimising.algorithm import looked_at
from polynb.optimising.orders import costs_of, in_waves, outer_band
from polynb.optimising.registers import bands_of_blocks, blocks, in_registers
from polynb.schedules import permutable_bands
from polynb.scop.model import Scop
from polynb.tuning.space import SEARCHED, possible_moves

OPERATIONS = 500_000
"""Of isl, for each step: what takes longer is refused, or left as it is."""

ORDERS = 4
"""That optimising looks at."""
counted = COUNTS["C orders"]

Way = Callable[[Scop], Scop]


def propagated(**options: Any) -> Way:
    return lambda scop: pn.propagate(scop, max_operations=OPERATIONS, **options).result


def reordered(**options: Any) -> Way:
    return lambda scop: pn.reorder(scop, max_operations=OPERATIONS, **options).result


def optimised(random: Random) -> Way:
    """One of the orders that optimising looks at, or the program in waves of small tiles; if that
    is legal, which optimising asks as well."""

    def way(scop: Scop) -> Scop:
        with isl.budget(8 * OPERATIONS):
            new = _order(scop, random)
            return new if new is not None and pn.check(scop, new) else scop

    return way


def every_order(random: Random) -> Iterator[tuple[str, Way]]:
    """What is chosen for some sizes, and, whatever it would gain, all that is looked at."""
    size = random.choice([65, 300, 2000])

    def chosen(scop: Scop) -> Scop:
        found = pn.optimise(scop, dict.fromkeys(scop.parameters, size)).result
        counted["changed" if found is not scop else "left alone"] += 1
        return found

    yield "optimise", chosen
    for number in range(ORDERS):
        yield f"order {number}", _looked_at(number, size)
    yield "waves", optimised(random)
    yield "registers", in_some_registers(random)


def _looked_at(number: int, size: int) -> Way:
    def way(scop: Scop) -> Scop:
        with isl.budget(8 * OPERATIONS):
            costs = costs_of(scop, dict.fromkeys(scop.parameters, size))
            new = list(looked_at(scop, costs).values())[number]().scop
            return new if pn.check(scop, new) else scop

    return way


def in_some_registers(random: Random) -> Way:
    """Iterations of some loops together, whatever that would gain."""

    def way(scop: Scop) -> Scop:
        with isl.budget(8 * OPERATIONS):
            new = pn.reorder(scop).result if random.random() < 0.5 else permutable_bands(scop)
            for number, band, _ in reversed(list(bands_of_blocks(new))):
                if possible := list(blocks(band)):
                    new = in_registers(new, number, random.choice(possible)) or new
            return new if pn.check(scop, new) else scop

    return way


def _order(scop: Scop, random: Random) -> Scop | None:
    if random.random() < 0.5:
        costs = costs_of(scop, {})
        return random.choice(list(looked_at(scop, costs).values()))().scop
    band = outer_band(pn.reorder(scop).result)
    return band and in_waves(scop, band, [random.randint(2, 5) for _ in range(band.depth)])


def without_scalars(**options: Any) -> Way:
    return lambda scop: pn.remove_scalars(scop, max_operations=OPERATIONS, **options).result


def scalarized(how: str) -> Way:
    return lambda scop: pn.scalarize(scop, how).result


def moved_about(random: Random) -> Way:
    """Some legal moves of `pn.transform`, whichever they are."""

    def way(scop: Scop) -> Scop:
        chain = pn.transform(scop)
        with isl.budget(4 * OPERATIONS):
            for _ in range(4):
                moves = list(possible_moves(chain.reached, SEARCHED, random.randint(2, 5)))
                for move in random.sample(moves, min(6, len(moves))):
                    with suppress(PolynbError):
                        longer = chain.then(move)
                        if longer.legal:
                            chain = longer
                            break
        return chain.result

    return way


def both(first: Way, second: Way) -> Way:
    return lambda scop: second(first(scop))
