"""Where the papers and a program that follows them disagree: the entries of
`notebooks/errata.ipynb`, and of which kind each of them is."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from polynb.tuning import Table

CC18: Final = "CC'18"
IMPACT16: Final = "IMPACT'16"
DELICM: Final = "DeLICM"
GRAPHITE: Final = "GRAPHITE"
TACO19: Final = "TACO'19"

KINDS: Final = MappingProxyType(
    {
        "error": "as it is printed, or programmed, it is wrong",
        "gap": "something that has to be decided is not said",
        "trap": "the paper is right, and whoever builds it still falls in",
        "inconsistency": "two places, or paper and program, do not agree",
    }
)


@dataclass(frozen=True)
class Erratum:
    """An entry: its number, what it is about, the paper and the place in it, and its kind."""

    number: int
    title: str
    paper: str
    place: str
    kind: str


ENTRIES: Final = (
    Erratum(1, '"For all" in the definition of PIW', CC18, "section 3.2", "error"),
    Erratum(2, '"For all" in the definition of OR', CC18, "section 3.2", "error"),
    Erratum(3, "A recurrence that stands still", CC18, "Figure 10b", "error"),
    Erratum(4, "An assumption that is missing", CC18, "Figures 1 and 2", "gap"),
    Erratum(5, "Memory rounds, expressions do not", CC18, "section 3", "trap"),
    Erratum(6, "An instance that overwrites what it reads", CC18, "section 3.2", "trap"),
    Erratum(7, "A dependence that leaves with its write", CC18, "section 3.2", "trap"),
    Erratum(
        8, "The writes can go, the array may have to stay", CC18, "section 1, Figure 5", "trap"
    ),
    Erratum(9, "Whole or in part", CC18, "section 4.4, program", "inconsistency"),
    Erratum(10, "Values that pass through an array twice", CC18, "section 4.4", "gap"),
    Erratum(11, "Which dependence rewrites the iterators", CC18, "section 3.1", "trap"),
    Erratum(12, "Figures that are not in the language", CC18, "Figure 3", "inconsistency"),
    Erratum(13, "An array too few in Table 1", CC18, "Table 1, section 6.2", "inconsistency"),
    Erratum(14, "Two numbers of the abstract", CC18, "abstract, Table 4", "inconsistency"),
    Erratum(15, "Heuristics of the program alone", CC18, "section 4, program", "inconsistency"),
    Erratum(16, "An order that was legal before", CC18, "section 4", "error"),
    Erratum(
        17, "Constraints that give another schedule", IMPACT16, "3.3, 4.1 (12)", "inconsistency"
    ),
    Erratum(18, "A band that cannot be permuted", IMPACT16, "section 4.1, (16)", "error"),
    Erratum(19, "What an outer order stretches", IMPACT16, "sections 2.4, 3.2, 5", "gap"),
    Erratum(20, "A live range that isl forgets", IMPACT16, "isl 0.27", "error"),
    Erratum(21, "Instances that depend on themselves", IMPACT16, "equation (11)", "error"),
    Erratum(22, "What is scheduled together", IMPACT16, "section 4.1, (15)", "gap"),
    Erratum(23, "Two accesses, one reference", IMPACT16, "equation (4)", "trap"),
    Erratum(24, "Speculatable, the wrong way round", DELICM, "Listing 7, line 6", "error"),
    Erratum(25, "An operation that asks about itself", DELICM, "Listings 7 and 8", "error"),
    Erratum(26, "One target, two names", DELICM, "Listing 5, lines 5 and 16", "inconsistency"),
    Erratum(27, "What an element held before", DELICM, "Listing 5, line 17", "error"),
    Erratum(28, "Braces that are missing", DELICM, "Listing 6", "error"),
    Erratum(29, "The element of which time", DELICM, "Listing 5, line 12", "gap"),
    Erratum(
        30, "Every live range is in conflict with itself", GRAPHITE, "4.3.2, sequential", "error"
    ),
    Erratum(31, "Two live ranges at the same times", GRAPHITE, "4.3.2, parallel", "error"),
    Erratum(32, "A write that nothing reads", GRAPHITE, "sections 4.2.2 and 4.3", "error"),
    Erratum(33, "Which read is the last", GRAPHITE, "4.1.1, 4.2.2, 4.3.1", "error"),
    Erratum(34, "Before and after the program", GRAPHITE, "4.1.1, 4.2.2", "gap"),
    Erratum(35, "A dependence the wrong way round", GRAPHITE, "section 4.4", "inconsistency"),
    Erratum(36, "Times of different lengths", GRAPHITE, "section 4.4", "gap"),
    Erratum(37, "In which order sources are tried", GRAPHITE, "section 4.2.1", "gap"),
    Erratum(38, "A point that comes too early", TACO19, "Algorithm 1, Figure 5", "inconsistency"),
    Erratum(39, "Merges that only zero passes", TACO19, "Algorithm 4, line 23", "error"),
    Erratum(40, "What nobody knows, on a diagonal", TACO19, "section 5.2.3, Algorithm 4", "error"),
    Erratum(41, "Rows that agree where they begin", TACO19, "sections 4.2, 5.2.3", "error"),
)


def table() -> Table:
    """All entries, with their kinds."""
    rows = [(e.number, e.title, e.paper, e.place, e.kind) for e in ENTRIES]
    notes = [f"{kind}: {meaning}" for kind, meaning in KINDS.items()]
    return Table(
        ["", "entry", "paper", "where", "kind"],
        rows,
        left=["entry", "paper", "where", "kind"],
        notes=notes,
    )
