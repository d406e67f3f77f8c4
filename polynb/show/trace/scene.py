"""The instances of a program at small parameter values, as the stepper draws them.

Large spaces are thinned: of each dimension the three values at either border, and whatever a step
needs as evidence. What steps refer to by index is known only when all are there, so references are
made as lists and filled in at the end (`finished`).
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Final

from polynb import isl
from polynb.dependences import Edge
from polynb.scop.model import Scop, Statement
from polynb.show.draw.kinds import KINDS
from polynb.show.draw.sample import at_values, drawn_for, pinned, size
from polynb.show.trace.format import (
    ROLES,
    OverlayJson,
    Reference,
    Role,
    SceneJson,
    SpaceJson,
    read_id,
    statement_id,
    write_id,
)
from polynb.words import counted, shortened

MOST: Final = 600  # instances of a scene that are all shown
BORDER: Final = 3  # at each end of a dimension, if they are not
DEEP: Final = 3  # dimensions; of deeper spaces only the first and the last of each are shown
PAIRS: Final = 300  # of one relation that are shown
TRIED: Final = 40_000  # pairs of instances among which a relation is looked for

Point = tuple[int, ...]


class Space:
    """The instances of one statement, and those that a step needs besides."""

    def __init__(self, s: Statement, values: Mapping[str, int], thin: bool) -> None:
        self.statement = s
        self.values = values
        domain = at_values(s.domain, values)
        self.elided: list[list[list[int]]] = [[] for _ in s.iterators]
        if thin:
            domain = self._thinned(domain)
        self.window: isl.Set = domain
        self.points: dict[Point, int] = {p: k for k, p in enumerate(isl.points(domain))}

    @property
    def border(self) -> int:
        """How many values are shown at each end of a dimension, where not all are."""
        return BORDER if len(self.statement.iterators) <= DEEP else 1

    def _thinned(self, domain: isl.Set) -> isl.Set:
        border = self.border
        for k in range(len(self.statement.iterators)):
            low, high = (int(v.to_python()) for v in (domain.dim_min_val(k), domain.dim_max_val(k)))
            if high - low + 1 <= 2 * border:
                continue
            first = domain.upper_bound_val(isl.SET, k, isl.Val(low + border - 1))
            last = domain.lower_bound_val(isl.SET, k, isl.Val(high - border + 1))
            domain = first.union(last)
            self.elided[k] = [[low + border, high - border]]
        return domain

    def index(self, point: Point) -> int:
        """A number for the instance, which is drawn from now on."""
        if point not in self.points:
            self.points[point] = len(self.points)
            self.window = self.window.union(self.only(point))
        return self.points[point]

    def only(self, point: Point) -> isl.Set:
        """`{ S[i] }` with this one instance."""
        here: isl.Set = pinned(isl.Set.universe(self.window.get_space()), isl.SET, point)
        return here

    def some(self, number: int) -> isl.Set:
        """The first instances that are drawn."""
        if len(self.points) <= number:
            return self.window
        first = (self.only(p) for p in sorted(self.points)[:number])
        return isl.united(first)

    def as_json(self) -> tuple[SpaceJson, dict[int, int]]:
        """The space, and where the numbers have gone."""
        ordered = sorted(self.points)
        moved = {self.points[p]: k for k, p in enumerate(ordered)}
        s = self.statement
        time = at_values(s.schedule, self.values)
        dates = {p: list(date) for p, date in isl.pairs(time.intersect_domain(self.window))}
        elided = [_without(gaps, {p[k] for p in ordered}) for k, gaps in enumerate(self.elided)]
        return {
            "id": statement_id(s.name),
            "name": s.name,
            "dims": list(s.iterators),
            "points": [list(p) for p in ordered],
            "dates": [dates.get(p, []) for p in ordered],
            "elided": elided,
        }, moved


class Scene:
    """Some statements of a program: their spaces and, on demand, the dependences between them."""

    def __init__(
        self,
        scop: Scop,
        names: Sequence[str],
        values: Mapping[str, int],
        edges: Iterable[Edge] = (),
    ) -> None:
        self.scop = scop
        self.values = values
        chosen = [s for s in scop.statements if s.name in names]
        thin = sum(size(s.domain, values) for s in chosen) > MOST
        self.spaces = {s.name: Space(s, values, thin) for s in chosen}
        self.number = {name: k for k, name in enumerate(self.spaces)}
        self.left_out = len(scop.statements) - len(chosen)
        self._references: list[Reference] = []
        self._cut = False
        self.relations = [
            self.dependence(e) for e in edges if e.source in self.spaces and e.target in self.spaces
        ]

    def has(self, *names: str) -> bool:
        return all(n in self.spaces for n in names)

    def instance(self, name: str, point: Point) -> Reference:
        """[space, point]"""
        return self._kept([self.number[name], self.spaces[name].index(point)])

    def instances(self, s: isl.Set, name: str | None = None) -> list[Reference]:
        """Those of a set `{ S[i] }` that are drawn; `name`: the statement, if the tuple has another
        name (a piece of it)."""
        name = name or isl.tuple_name(s, isl.SET)
        if name not in self.spaces:
            return []
        window = self.spaces[name].window
        s = isl.rename(at_values(s, self.values), isl.SET, name).intersect(window)
        return [self.instance(name, p) for p in isl.points(s)]

    def pairs(self, relation: isl.Map) -> tuple[list[Reference], int]:
        """The drawn pairs [space, point, space, point] of `{ S[i] -> T[j] }`, at most PAIRS, and
        how many there are (of large spaces, among the first instances of S)."""
        a, b = isl.tuple_name(relation, isl.IN), isl.tuple_name(relation, isl.OUT)
        found = self.drawn(relation)
        return [self.pair(a, p, b, q) for p, q in found[:PAIRS]], len(found)

    def drawn(self, relation: isl.Map) -> list[tuple[Point, ...]]:
        """The pairs (i, j) of `{ S[i] -> T[j] }` of which both are drawn."""
        a, b = isl.tuple_name(relation, isl.IN), isl.tuple_name(relation, isl.OUT)
        if not self.has(a, b):
            return []
        few = max(TRIED // max(len(self.spaces[b].points), 1), 1)
        self._cut |= few < len(self.spaces[a].points)
        fixed = at_values(relation, self.values).intersect_domain(self.spaces[a].some(few))
        return isl.pairs(fixed.intersect_range(self.spaces[b].window))

    def pair(self, a: str, p: Point, b: str, q: Point) -> Reference:
        return self._kept([*self._place(a, p), *self._place(b, q)])

    def _place(self, name: str, point: Point) -> tuple[int, int]:
        return self.number[name], self.spaces[name].index(point)

    def _kept(self, reference: Reference) -> Reference:
        self._references.append(reference)
        return reference

    def overlay(
        self, role: Role, label: str, relation: isl.Map, access: Sequence[str]
    ) -> OverlayJson:
        """An overlay of the pairs of a relation."""
        pairs, total = self.pairs(relation)
        names = isl.tuple_name(relation, isl.IN), isl.tuple_name(relation, isl.OUT)
        found: OverlayJson = {
            "id": f"{role}:{':'.join(names)}:{label}",
            "role": role,
            "label": label,
            "access": list(access),
            "pairs": pairs,
        }
        if total != len(pairs):
            found["total"] = total
        return found

    def dependence(self, e: Edge) -> OverlayJson:
        """An overlay of one dependence."""
        label = f"{KINDS[e.kind].name} {e.source} → {e.target} ({e.array})"
        number = "w" if e.read is None else e.read
        found = self.overlay(ROLES[e.kind], label, e.relation, accesses(e))
        found["id"] = f"{e.kind}:{e.source}:{e.target}:{number}"
        if not e.exact:
            found["exact"] = False
        return found

    def finished(self) -> SceneJson:
        """The scene as JSON; all references made so far are put right."""
        shown, moves = [], []
        for space in self.spaces.values():
            given, moved = space.as_json()
            shown.append(given)
            moves.append(moved)
        for r in self._references:
            for k in range(0, len(r), 2):
                r[k + 1] = moves[r[k]][r[k + 1]]
        self._references.clear()
        return {"spaces": shown, "relations": self.relations, "notes": self._notes()}

    def _notes(self) -> list[str]:
        notes = drawn_for(self.values)
        if self.left_out:
            said = counted(self.left_out, "statement")
            notes.append(f"{said} that this has nothing to do with: not drawn.")
        thinned: dict[int, list[str]] = {}
        for name, s in self.spaces.items():
            if any(s.elided):
                thinned.setdefault(s.border, []).append(name)
        for border, names in thinned.items():
            notes.append(
                f"Of {shortened(names)}, {counted(border, 'instance')} at each border of a "
                "dimension and those that are evidence are drawn."
            )
        if self._cut:
            notes.append("Of large relations, only pairs of the first instances are drawn.")
        return notes


def accesses(e: Edge) -> list[str]:
    """The ids of the two accesses of a dependence."""
    ids = [write_id(e.source), write_id(e.target)]
    if e.read is not None:
        first = e.kind == "war"
        ids[0 if first else 1] = read_id(e.source if first else e.target, e.read)
    return ids


def accesses_of(s: Statement, arrays: Container[str]) -> list[str]:
    """The ids of the accesses of a statement to some arrays."""
    reads = [read_id(s.name, k) for k, r in enumerate(s.reads) if r.array in arrays]
    return [write_id(s.name), *reads] if s.write.array in arrays else reads


def _without(gaps: Sequence[Sequence[int]], present: set[int]) -> list[list[int]]:
    """The stretches of values without those at which something is drawn all the same."""
    found: list[list[int]] = []
    for low, high in gaps:
        start = low
        for v in sorted(v for v in present if low <= v <= high):
            if v > start:
                found.append([start, v - 1])
            start = v + 1
        if start <= high:
            found.append([start, high])
    return found
