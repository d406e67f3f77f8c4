"""Schedule constraints: what a scheduler is told of a program (IMPACT'16, sections 2.4 and 3.2)."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from polynb import isl
from polynb.arguments import flag, instance, objects, one_of
from polynb.dependences.live_ranges import LiveRanges
from polynb.dependences.model import Edge
from polynb.errors import PolynbError, Span
from polynb.scop.isl_text import context_set, span_of, union_map, union_set
from polynb.words import counted

CONSTRAINT_KINDS: Final = (
    "validity",
    "proximity",
    "coincidence",
    "condition",
    "conditioned_validity",
)
PRESETS: Final = ("cpu", "gpu", "none")
RANGES: Final = "live_ranges(scop)"


@dataclass(frozen=True, eq=False)
class Constraint:
    """One constraint: `relation` is `{ S[i] -> T[j] }`.

    What it asks of T[j] depends on its `kind`: not to be scheduled before S[i] ("validity"), close
    to it ("proximity"), at the same point of as many outer members as possible ("coincidence"). A
    "condition" asks nothing; where a band schedules its pair apart, each "conditioned_validity"
    that begins at its end or ends at its beginning must be respected. `tags` tell which of these
    belong together; they are `{ [S[i] -> a[]] -> [T[j] -> b[]] }`, or None without tags. `why` says
    where the constraint comes from.
    """

    kind: str
    source: str
    target: str
    relation: isl.Map
    tags: isl.Map | None = None
    why: str = ""

    @property
    def tagged(self) -> isl.Map:
        """With its tags, if it has any."""
        return self.relation if self.tags is None else self.tags

    @cached_property
    def ends(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """What its (tagged) pairs begin and end at: a statement, and an access ("" without tags).
        What begins and ends at one of these is one live range after the other."""
        space = self.tagged.get_space()
        return _end(space.domain()), _end(space.range())

    def __str__(self) -> str:
        because = f", {self.why}" if self.why else ""
        return f"{self.kind.replace('_', ' ')} {self.source} -> {self.target}{because}"


@dataclass(frozen=True, eq=False)
class ScheduleConstraints:
    """What a schedule of `domain`, `{ S[i] : ... }` by name, is to respect and to aim at.

    `context` is what is assumed of the parameters. Build your own with `from_isl`, or change those
    of a preset: `cpu(live_ranges(scop)).without("proximity")`.
    """

    domain: tuple[isl.Set, ...]
    constraints: tuple[Constraint, ...]
    context: isl.Set

    def of(self, kind: str) -> tuple[Constraint, ...]:
        """Those of one kind. Raises PolynbError for a kind that there is not."""
        _check_kind(kind)
        return tuple(c for c in self.constraints if c.kind == kind)

    def union(self, kind: str) -> isl.UnionMap:
        """Those of one kind as isl wants them: conditions with their tags, the others without."""
        conditional = kind in ("condition", "conditioned_validity")
        return isl.union_map(c.tagged if conditional else c.relation for c in self.of(kind))

    def without(self, *kinds: str) -> ScheduleConstraints:
        """Without those of some kinds. Raises PolynbError for a kind that there is not."""
        for kind in kinds:
            _check_kind(kind)
        kept = tuple(c for c in self.constraints if c.kind not in kinds)
        return replace(self, constraints=kept)

    def also(self, *constraints: Constraint) -> ScheduleConstraints:
        """With more. Raises PolynbError if they do not fit."""
        objects("constraints", constraints, Constraint, "constraints", "Constraint(...)")
        more = replace(self, constraints=(*self.constraints, *constraints))
        more.check()
        return more

    def names(self) -> tuple[str, ...]:
        return tuple(isl.tuple_name(d, isl.SET) for d in self.domain)

    def check(self) -> None:
        """Raises PolynbError for a constraint on unknown statements, of an unknown kind, or with
        other tags than what it belongs to, and for contradictory constraints."""
        spaces = {isl.tuple_name(d, isl.SET): d.dim(isl.SET) for d in self.domain}
        for c in self.constraints:
            _check_kind(c.kind)
            ends = (c.source, isl.IN), (c.target, isl.OUT)
            for name, end in ends:
                _check_end(c, name, c.relation.dim(end), spaces)
        conditional = [c for c in self.constraints if c.kind in CONSTRAINT_KINDS[3:]]
        untagged = [c for c in conditional if c.tags is None]
        if untagged and len(untagged) < len(conditional):
            raise PolynbError(
                f"the {_constraint_label(untagged[0])} has no tags, and others have",
                reason="conditions and conditioned validity are tagged together or not at all",
                hint="{ [S[i] -> a[]] -> [T[j] -> a[]] }",
            )
        for c in self.of("validity"):
            if c.source == c.target:
                same = c.relation.intersect(isl.Map.identity(c.relation.get_space()))
                same = same.intersect_params(self.context)
                if not same.is_empty():
                    raise PolynbError(
                        f"the {_constraint_label(c)} asks instances to run after themselves",
                        hint="strict pairs: `{ S[i] -> S[j] : i < j }`",
                    )


def _end(space: isl.Space) -> tuple[str, str]:
    if not space.is_wrapping():
        return space.get_tuple_name(isl.SET), ""
    pair = space.unwrap()
    return pair.get_tuple_name(isl.IN), pair.get_tuple_name(isl.OUT)


def _constraint_label(c: Constraint) -> str:
    return f"{c.kind.replace('_', ' ')} constraint {c.source} -> {c.target}"


def _check_end(
    c: Constraint, name: str, dims: int, spaces: Mapping[str, int], span: Span | None = None
) -> None:
    if name not in spaces:
        raise PolynbError(
            f"the {_constraint_label(c)} is about an unknown statement {name}",
            span=span,
            hint=f"the statements are {', '.join(spaces)}",
        )
    if dims != spaces[name]:
        raise PolynbError(
            f"the {_constraint_label(c)} has {counted(dims, 'dimension')} for {name}, "
            f"which has {spaces[name]}",
            span=span,
            hint=f"{name}[{', '.join(f'i{k}' for k in range(spaces[name]))}]",
        )


def _check_kind(kind: str) -> None:
    one_of("kind", kind, CONSTRAINT_KINDS, "kind of constraint")


# -- presets ---------------------------------------------------------------------------------


def preset(ranges: LiveRanges, name: str = "cpu", *, privatize: bool = True) -> ScheduleConstraints:
    """The constraints of a preset: "cpu", "gpu" or "none". Raises PolynbError for another name."""
    privatize = flag("privatize", privatize)
    match one_of("name", name, PRESETS, "preset"):
        case "cpu":
            return cpu(ranges)
        case "gpu":
            return gpu(ranges, privatize=privatize)
    return none(ranges)


def cpu(ranges: LiveRanges) -> ScheduleConstraints:
    """As PPCG schedules for its C target: validity of flow and forced dependences, proximity of
    flow, no coincidence, live ranges as conditions of the order dependences."""
    instance("ranges", ranges, LiveRanges, RANGES)
    return _constraints(ranges, proximity=ranges.flow, coincidence=())


def gpu(ranges: LiveRanges, *, privatize: bool = True) -> ScheduleConstraints:
    """Section 3.3 to the letter: as `cpu`, with proximity of flow and false dependences, and
    coincidence of flow, forced, and those order dependences that are not of scalars, which can be
    private. `privatize=False`: of all of them."""
    instance("ranges", ranges, LiveRanges, RANGES)
    privatize = flag("privatize", privatize)
    arrays = ranges.scop.arrays
    order = [e for e in ranges.order if not privatize or arrays[e.array].dimensions]
    return _constraints(
        ranges,
        proximity=(*ranges.flow, *ranges.false),
        coincidence=(*ranges.flow, *ranges.forced, *order),
    )


def none(ranges: LiveRanges) -> ScheduleConstraints:
    """Without live-range reordering (section 2.4): validity, proximity and coincidence of flow and
    false dependences."""
    instance("ranges", ranges, LiveRanges, RANGES)
    edges = (*ranges.flow, *ranges.false)
    constraints = [_from_edge(kind, e, ranges, ()) for kind in CONSTRAINT_KINDS[:3] for e in edges]
    return _with_domain(ranges, constraints)


def _constraints(
    ranges: LiveRanges, *, proximity: Iterable[Edge], coincidence: Iterable[Edge]
) -> ScheduleConstraints:
    kinds = {
        "validity": (*ranges.flow, *ranges.forced),
        "proximity": proximity,
        "coincidence": coincidence,
        "condition": ranges.flow,
        "conditioned_validity": ranges.order,
    }
    forced = {id(e) for e in ranges.forced}
    constraints = [
        _from_edge(kind, e, ranges, forced) for kind, edges in kinds.items() for e in edges
    ]
    return _with_domain(ranges, constraints)


def _from_edge(kind: str, e: Edge, ranges: LiveRanges, forced: Container[int]) -> Constraint:
    why = f"{e.flow_name} through {e.array}"
    if id(e) in forced:
        why = f"forced, {why}"
    tags = ranges.tagged(e) if kind in CONSTRAINT_KINDS[3:] else None
    return Constraint(kind, e.source, e.target, e.relation, tags, why)


def _with_domain(ranges: LiveRanges, found: Iterable[Constraint]) -> ScheduleConstraints:
    scop = ranges.scop
    return ScheduleConstraints(tuple(s.domain for s in scop.statements), tuple(found), scop.assumed)


# -- one's own -------------------------------------------------------------------------------


def from_isl(
    domain: isl.UnionLike,
    *,
    validity: isl.UnionLike = "{ }",
    proximity: isl.UnionLike = "{ }",
    coincidence: isl.UnionLike = "{ }",
    condition: isl.UnionLike = "{ }",
    conditioned_validity: isl.UnionLike = "{ }",
    context: isl.UnionLike = "{ : }",
) -> ScheduleConstraints:
    """Constraints of one's own: islpy unions or isl text, conditions tagged or not.

    Raises PolynbError, and says which constraint, where they do not fit (see `check`).
    """
    domains = union_set("domain", domain)
    spaces = {isl.tuple_name(d, isl.SET): d.dim(isl.SET) for d in isl.sets(domains)}
    by_kind = {
        "validity": validity,
        "proximity": proximity,
        "coincidence": coincidence,
        "condition": condition,
        "conditioned_validity": conditioned_validity,
    }
    constraints = [c for kind, x in by_kind.items() for c in _read(kind, x, spaces)]
    assumed = context_set("context", context)
    result = ScheduleConstraints(tuple(isl.sets(domains)), tuple(constraints), assumed)
    result.check()
    return result


def _read(kind: str, x: isl.UnionLike, spaces: Mapping[str, int]) -> Iterator[Constraint]:
    for m in isl.maps(union_map(kind, x, "{ S[i] -> T[i] }")):
        sides = m.domain().is_wrapping(), m.range().is_wrapping()
        plain = m.factor_domain() if all(sides) else m
        source, target = isl.tuple_name(plain, isl.IN), isl.tuple_name(plain, isl.OUT)
        if any(sides) and (kind not in CONSTRAINT_KINDS[3:] or not all(sides)):
            where = f"{kind.replace('_', ' ')} constraint {m}"
            raise PolynbError(
                f"tags on one side only, in the {where}" if not all(sides) else
                f"tags make no sense in the {where}",
                hint="{ [S[i] -> a[]] -> [T[j] -> a[]] } for conditions, { S[i] -> T[j] } else",
            )  # fmt: skip
        constraint = Constraint(kind, source, target, plain, m if all(sides) else None)
        for name, end in ((source, isl.IN), (target, isl.OUT)):
            _check_end(
                constraint, name, plain.dim(end), spaces, span_of(kind, x, name, plain.dim(end))
            )
        yield constraint
