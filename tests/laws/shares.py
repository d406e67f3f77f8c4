"""What the property tests counted, and what of it must be a good share.

A law that never applies proves nothing. Each law counts in a `COUNTS[name]`; at the end of a run
the counts of all its processes are added up, said, and compared with `SHARES` (`tests/conftest.py`
does that, as only the process that started the others knows when all are done).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

COUNTS: defaultdict[str, Counter[str]] = defaultdict(Counter)
SOME = 1e-9
"""At least one."""


@dataclass(frozen=True)
class Share:
    """`what` was counted in at least, and at most, these parts of `of`; nothing is asked of fewer
    than `enough`, as chance is large there."""

    what: str
    of: str
    least: float = 0.0
    most: float | None = None
    enough: int = 20

    def missed(self, counts: Mapping[str, int]) -> str | None:
        """What is wrong; None if nothing is, or if there is too little to tell."""
        found, whole = counts.get(self.what, 0), counts.get(self.of, 0)
        if whole < self.enough:
            return None
        if found < self.least * whole:
            return f"{self.what}: only {found} of {whole} {self.of}"
        if self.most is not None and found > self.most * whole:
            return f"{self.what}: {found} of {whole} {self.of}, more than {self.most:.0%}"
        return None


SHARES: dict[str, tuple[Share, ...]] = {
    "C programs": (Share("refused", "variants", most=0.25),),
    "C orders": (
        Share("refused", "variants", most=0.25),
        Share("changed", "programs", 0.15, enough=100),
    ),
    "C pairs": (
        Share("different, and no bits", "different", most=0.02, enough=100),
        Share("the same", "pairs", 0.1, enough=100),
        Share("different", "pairs", 0.2, enough=100),
    ),
    "reordering": (
        Share("given up", "programs", most=0.02, enough=100),
        Share("isl refused", "programs", most=0.05, enough=100),
        Share("reordered", "programs", 0.1, enough=100),
        Share("wide bands", "programs", 0.3),
        Share("called legal", "changed", 0.2),
        Share("caught", "changed", 0.1, enough=100),
    ),
    "composition": (Share("tiled", "programs", 0.1, enough=100),),
    "mapping": (
        Share("mapped", "programs", 0.33, enough=300),
        Share("given up", "programs", most=0.02, enough=100),
    ),
    "folding": (
        Share("several pieces", "streams", 0.3),
        Share("widened", "streams", 0.2),
        Share("claims beside ⊤", "widened", 0.1),
        Share("given up", "streams", 0.02, enough=100),
    ),
    "folding engine": (
        Share("several pieces", "streams", 0.3),
        Share("given up", "streams", 0.02, enough=100),
        Share("many live", "large", 0.1, enough=15),
        Share("refused", "streams", 0.1),
    ),
    "forwarding": (
        Share("forwarded", "programs", 0.15),
        Share("simplified", "programs", 0.2),
    ),
    "propagation": (Share("{}", "programs", 0.3, enough=12),),
    "chosen": (
        Share("chosen by data", "programs", 0.5),
        Share("all of a table", "programs", 0.4),
        Share("proved", "chosen by data", 0.1),
        Share("mistakes seen", "mistakes", 0.3),
    ),
    "windows": (Share("in strips", "pipelines", 0.3), Share("windows", "in strips", 1.0)),
    "loops": (
        Share("stencils: recurrences", "programs", 0.4),
        Share("stencils: orders above one", "programs", 0.2),
        Share("stencils: recurrences in strips", "programs", 0.3),
        Share("stencils: recurrences refused", "programs", SOME, enough=40),
        Share("random: merged", "programs", 0.03, enough=100),
        Share("random: merging refused", "programs", SOME, enough=40),
    ),
    "transform": (
        Share("legal", "moves", 0.3),
        Share("proved", "legal", 0.95),
        Share("illegal", "moves", 0.1),
        Share("illegal and different", "illegal", 0.5),
        Share("seen by enumeration", "illegal", 0.3),
        Share("given up", "moves", most=0.02, enough=100),
        Share("helped", "illegal", 0.02, enough=100),
        Share("runs backwards", "legal", SOME, enough=100),
    ),
    "memory cost": (Share("sizes", "expansions", 1.0),),
    "proof variants": (
        Share("the same, and proved", "the same", 0.9),
        Share("not the same, and refuted", "not the same", 0.5),
        Share("given up", "proofs", most=0.02, enough=100),
    ),
    "storage": (
        Share("allowed", "maps", 0.15),
        Share("refused by a witness", "maps", 0.05),
        Share("and different", "refused by a witness", 0.5, enough=5),
    ),
    "tables": (
        Share("tables", "programs", 0.3),
        Share("tables that data decides in", "programs", 0.15),
        Share("refused", "programs", 0.02, enough=100),
    ),
    "violations": (
        Share("legal", "pairs", 0.2),
        Share("illegal", "pairs", 0.2),
        Share("of live ranges", "pairs", 0.05),
        Share("with kills", "pairs", 0.08),
        Share("three deep", "pairs", 0.1),
        Share("where data decides", "pairs", SOME, enough=60),
        Share("undecided", "pairs", most=0.05, enough=60),
        Share("paper: pairs of ranges", "paper: orders", SOME, enough=60),
        Share("repairs: proved", "repairs", 0.95),
        Share("repairs: expand", "to repair", 0.02, enough=60),
        Share("repairs: reorder", "to repair", 0.05, enough=60),
    ),
    "tiling": (
        Share("nests: tiled", "nests: programs", 0.4),
        Share("nests: interchanged", "nests: programs", 0.2),
        Share("random: tiled", "random: programs", SOME, enough=40),
        *(
            Share(f"{kind}: carries{nothing}", f"{kind}: programs", 0.001)
            for kind in ("random", "nests")
            for nothing in ("", " nothing")
        ),
    ),
}


def missed(counts: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    """The shares that are too small, or too large, law by law."""
    for law, shares in SHARES.items():
        for share in shares:
            if (what := share.missed(counts.get(law, {}))) is not None:
                yield f"{law} laws: {what}"
