"""The passes one after the other on one program, each once, in a random order."""

from random import Random
from typing import Any

from c_ways import OPERATIONS, Way, moved_about, propagated, reordered, without_scalars
from shares import COUNTS

from polynb import isl
from polynb.errors import PolynbError
from polynb.schedules import contract, tile
from polynb.schedules.bands import all_bands, several_permutable
from polynb.scop.model import Scop

counted = COUNTS["composed passes"]


def tiled(size: int) -> Way:
    """The first band of several permutable loops in tiles; the program as it is without one."""

    def way(scop: Scop) -> Scop:
        wide = [k for k, b in enumerate(all_bands(scop.schedule)) if several_permutable(b)]
        with isl.budget(OPERATIONS):
            return tile(scop, size, band=wide[0]) if wide else scop

    return way


def contracted(scop: Scop) -> Scop:
    with isl.budget(OPERATIONS):
        return contract(scop)


def composed(random: Random) -> tuple[str, Way]:
    """The order, in words, and the way. A pass that refuses leaves the program as it is, and is
    counted with its reason."""
    scheduler: Any = random.choice(["polynb", "isl"])
    moves = random.random()
    passes: list[tuple[str, Way]] = [
        ("propagate", propagated(partial=random.random() < 0.5)),
        ("remove_scalars", without_scalars()),
        ("reorder", reordered(scheduler=scheduler)),
        ("tile", tiled(random.randint(2, 5))),
        ("contract", contracted),
        ("move", lambda scop: moved_about(Random(moves))(scop)),  # the same moves each time
    ]
    random.shuffle(passes)

    def way(scop: Scop) -> Scop:
        for name, run in passes:
            try:
                made = run(scop)
            except PolynbError as error:
                counted[f"{name} refused: {error.message[:60]}"] += 1
                continue
            counted[f"{name}: {'as it was' if made is scop else 'changed'}"] += 1
            scop = made
        return scop

    return f"composed({' '.join(name for name, _ in passes)})", way
