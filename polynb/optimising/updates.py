"""What a pipeline of pictures computes from itself, as a histogram, in the order that is fastest.

Its form (`pictures.py`) says nothing of it: data decides there which cell is updated, mostly the
one that was just before, so that a pixel waits for the pixel beside it. Cells of the picture wait
for none of each other.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping

from polynb import isl
from polynb.dependences import analyze
from polynb.derivation import Step
from polynb.errors import PolynbError
from polynb.legality.checking import check
from polynb.optimising.apart import in_one_program, nests_apart
from polynb.optimising.orders import GAIN, costs_of, surely
from polynb.optimising.steps import NoOrder
from polynb.schedules import permutable_bands
from polynb.schedules.privatizing import privatized
from polynb.scop.model import Scop
from polynb.words import listed

OPERATIONS, SECONDS = 1_000_000, 5.0
"""For a nest."""


def with_updates_in_order(scop: Scop, sizes: Mapping[str, int]) -> Generator[Step, None, Scop]:
    """The program with each nest that only updates arrays in the order that is fastest by the
    model, where that is so for sure."""
    trees = []
    for nest in nests_apart(scop):
        trees.append(nest.schedule)
        if all(s.write.array in {r.array for r in s.reads} for s in nest.statements):
            try:
                with isl.budget(OPERATIONS, SECONDS):
                    new = yield from _in_order(nest, sizes)
            except PolynbError as error:
                yield NoOrder(f"{listed(nest.by_name)} in another order", error.message)
            else:
                trees[-1] = new.schedule
    return in_one_program(scop, trees)


def _in_order(nest: Scop, sizes: Mapping[str, int]) -> Generator[Step, None, Scop]:
    costs = costs_of(nest, sizes)
    best = costs.best(privatized(permutable_bands(nest), None, analyze(nest)))
    if surely(best.estimate, costs.written) < GAIN or not check(nest, best.scop):
        return nest
    yield from best.decisions
    return best.scop
