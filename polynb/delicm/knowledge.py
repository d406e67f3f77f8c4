"""What is known of cells over time: where they are occupied or unused, with what, and written.

The spaces are those of a cell at a time, `[A[x] -> [t]]`, or flat, `A[x, t]`, with time last.
A value is a tuple with a name, `V[i]`, or a pair, `[S[i] -> V[]]`; the tuple `[]` is an unknown
value, which equals no other and not itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from polynb import isl
from polynb.arguments import instance
from polynb.errors import PolynbError
from polynb.scop.isl_text import read, span_of, union_map, union_set

OTHER: Final = "any other array"
"""What stands for the arrays that two knowledges do not mention; no text can name it."""

EXAMPLE: Final = "{ A[x, t] -> V[] : 1 <= t <= 3 }"


def nothing() -> isl.UnionMap:
    """`{ }`: of what is not given, nothing is known."""
    return isl.union_map(())


Given = isl.UnionLike | None


@dataclass(frozen=True, eq=False)
class Knowledge:
    """The state of cells in zones and at timepoints (DeLICM, section 2).

    `occupied` and `unused { [A[x] -> [t]] }` are zones in which a cell's content is needed, and is
    not. One of them is enough; where both are given, what is not unused is occupied. `known
    { [A[x] -> [t]] -> V[i] }` are values that cells have in zones, several where one value has
    several names. `written { [A[x] -> [t]] -> V[i] }` are the values written at timepoints.

    Raises PolynbError where neither `occupied` nor `unused` is given.
    """

    occupied: isl.UnionSet | None = None
    unused: isl.UnionSet | None = None
    known: isl.UnionMap = field(default_factory=nothing)
    written: isl.UnionMap = field(default_factory=nothing)

    def __post_init__(self) -> None:
        if self.occupied is None and self.unused is None:
            raise PolynbError(
                "neither occupied nor unused zones are given",
                hint='Knowledge.parse(occupied="{ A[x, t] : 1 <= t <= 3 }")',
            )

    @classmethod
    def parse(
        cls,
        *,
        occupied: Given = None,
        unused: Given = None,
        known: Given = None,
        written: Given = None,
    ) -> Knowledge:
        """Knowledge from isl's notation (or islpy's objects); None is what is not given.

        `occupied` and `written` are maps to values, or sets of which no value is known.
        Raises PolynbError, at the place, for a text that isl does not read, and for tuples that
        have no dimension for time.
        """
        content = nothing() if known is None else union_map("known", known, EXAMPLE)
        _check_times("known", known, content.domain())
        zones, values = None, nothing()
        if occupied is not None:
            values = _contents("occupied", occupied)
            zones = values.domain()
        free = None if unused is None else union_set("unused", unused, "{ A[x, t] : t <= 0 }")
        if free is not None:
            _check_times("unused", unused, free)
        writes = nothing() if written is None else _contents("written", written)
        return cls(zones, free, named(content.union(values)), writes)


@isl.bounded("the union of what is known")
@isl.guarded
def learn(existing: Knowledge, proposed: Knowledge) -> Knowledge:
    """What is known after a proposal was accepted: its zones are unused no longer, and its values
    and writes are known too. Raises PolynbError for what is no Knowledge."""
    check_knowledge(existing, proposed)
    known = existing.known.union(proposed.known)
    written = existing.written.union(proposed.written)
    if existing.unused is None and proposed.unused is not None:
        # What is occupied is without end then, also in arrays that neither mentions.
        assert existing.occupied is not None
        return Knowledge(None, proposed.unused.subtract(existing.occupied), known, written)
    zones = needed(existing, proposed)
    return Knowledge(
        None if existing.occupied is None else existing.occupied.union(zones),
        None if existing.unused is None else existing.unused.subtract(zones),
        known,
        written,
    )


def check_knowledge(existing: object, proposed: object) -> None:
    """Raises PolynbError for what is no Knowledge."""
    instance("existing", existing, Knowledge, 'Knowledge.parse(unused="...")')
    instance("proposed", proposed, Knowledge, 'Knowledge.parse(occupied="...")')


def free(existing: Knowledge, proposed: Knowledge) -> isl.UnionSet:
    """The zones `{ [A[x] -> [t]] }` that are unused in the existing knowledge: where they are not
    given, all that are not occupied, in the spaces of both and in `OTHER`."""
    if existing.unused is not None:
        return existing.unused
    assert existing.occupied is not None
    return universe(existing, proposed).subtract(existing.occupied)


def needed(existing: Knowledge, proposed: Knowledge) -> isl.UnionSet:
    """The zones `{ [A[x] -> [t]] }` that the proposal occupies: all that are not unused, in the
    spaces of both and in `OTHER`, where unused ones are given."""
    if proposed.unused is not None:
        return universe(existing, proposed).subtract(proposed.unused)
    assert proposed.occupied is not None
    return proposed.occupied


def universe(*of: Knowledge) -> isl.UnionSet:
    """All points of the spaces that are mentioned, and of one that is not."""
    other = isl.rename(isl.read_set("{ [t] }"), isl.SET, OTHER)
    spaces = (s.get_space() for k in of for part in _parts(k) for s in isl.sets(part))
    return isl.union_set([*map(isl.Set.universe, spaces), other])


def named(values: isl.UnionMap) -> isl.UnionMap:
    """`{ X -> V[i] }` without the unknown values, `{ X -> [] }`."""
    return isl.union_map(m for m in isl.maps(values) if not _is_unknown(m))


def unknown(cells: isl.UnionSet) -> isl.UnionMap:
    """`{ X -> [] }` of some X."""
    return isl.UnionMap.from_domain_and_range(cells, isl.read_union_set("{ [] }"))


def _is_unknown(m: isl.Map) -> bool:
    return not (m.has_tuple_name(isl.OUT) or m.dim(isl.OUT) or m.range_is_wrapping())


def _parts(k: Knowledge) -> Iterator[isl.UnionSet]:
    yield from (zones for zones in (k.occupied, k.unused) if zones is not None)
    yield from (k.known.domain(), k.written.domain())


def _contents(name: str, given: object) -> isl.UnionMap:
    """A map `{ X -> V[i] }`; of a set `{ X }`, that to unknown values."""
    union = given
    if isinstance(given, str):
        union = read(name, given, isl.UnionSet if _is_set(given) else isl.UnionMap, EXAMPLE)
    union = isl.as_union(union)
    if isinstance(union, isl.UnionSet):
        union = unknown(union)
    contents = union_map(name, union, EXAMPLE)
    _check_times(name, given, contents.domain())
    return contents


def _is_set(text: str) -> bool:
    try:
        with isl.wrapped():
            isl.UnionSet(text)
    except isl.IslError:
        return False
    return True


def _check_times(name: str, given: object, cells: isl.UnionSet) -> None:
    for s in isl.sets(cells):
        if s.dim(isl.SET) == 0:
            tuple_name = isl.tuple_name(s, isl.SET)
            raise PolynbError(
                f"{tuple_name}[] in {name} has no dimension for time",
                span=span_of(name, given, tuple_name, 0),
                hint=f"{tuple_name}[t]",
            )
