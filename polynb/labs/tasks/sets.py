"""Sets and relations: what is missing and what does not belong, each shown as one instance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Final

from polynb import isl
from polynb.errors import PolynbError
from polynb.labs.findings import Finding, Outcome
from polynb.labs.tasks.sizes import small, smallest
from polynb.scop.isl_text import check_tuples, lists_of, span_of, union_map, union_set
from polynb.scop.witness import Instance, Witness, cell_text
from polynb.words import listed

Union = isl.UnionSet | isl.UnionMap
AROUND: Final = 2
"""How far around the right instances wrong ones are counted."""


@dataclass(frozen=True)
class SetTask:
    """A set `{ S[i] : ... }` or a relation `{ S[i] -> T[j] }`, compared with a reference, in isl's
    notation, for all parameter values in `context`. `arrays`: the tuples that are cells.

    What is not right has at most half of the points: half of the share of the instances that are
    right, among all that are or should be there, at some small sizes, and near the right ones (else
    there might be infinitely many).
    """

    reference: str
    context: str = "{ : }"
    arrays: tuple[str, ...] = ()

    @property
    def relation(self) -> bool:
        return "->" in self.reference.partition("{")[2]

    @cached_property
    def right(self) -> Any:
        """The reference as a union."""
        read = isl.read_union_map if self.relation else isl.read_union_set
        return read(self.reference).intersect_params(self.allowed)

    @cached_property
    def allowed(self) -> isl.Set:
        return isl.read_set(self.context).params()

    @property
    def parameters(self) -> tuple[str, ...]:
        return isl.dim_names(self.right.get_space(), isl.PARAM)

    @cached_property
    def example(self) -> str:
        """`[N] -> { S[i, j] : ... }`: the tuples without the conditions."""
        seen = dict.fromkeys(" -> ".join(self._tuples(m)) for m in pieces(self.right))
        before = f"[{', '.join(self.parameters)}] -> " if self.parameters else ""
        return f"{before}{{ {'; '.join(f'{t} : ...' for t in seen)} }}"

    def _tuples(self, piece: isl.Set | isl.Map) -> list[str]:
        letters = iter("ijklmnpqrs")
        sides = (isl.IN, isl.OUT) if self.relation else (isl.SET,)
        return [
            f"{isl.tuple_name(piece, side)}"
            f"[{', '.join(next(letters) for _ in range(piece.dim(side)))}]"
            for side in sides
        ]

    @property
    def form(self) -> str:
        return f'isl text: "{self.example}"'

    def judge(self, answer: object) -> Outcome:
        given = self._read(answer).intersect_params(self.allowed)
        found = [
            Finding(f"{what} {self.said(at)}", at)
            for what, part in (
                ("missing", self.right.subtract(given)),
                ("wrong", given.subtract(self.right)),
            )
            if (at := self._smallest(part)) is not None
        ]
        if not found:
            return Outcome(Fraction(1))
        for span in lists_of("answer", answer):
            said = f"isl reads `{span.text}` as a list of numbers"
            found.append(Finding(f"{said}: `and` stands between conditions"))
        return Outcome(self._share(given) / 2, tuple(found))

    def _read(self, answer: object) -> Any:
        """The answer as a union. Raises PolynbError for what has other tuples or parameters."""
        given: Any = (union_map if self.relation else union_set)("answer", answer, self.example)
        sides = (isl.IN, isl.OUT) if self.relation else (isl.SET,)
        if self.relation:
            self._refuse_turned(answer, given)
        for side in sides:
            known = {isl.tuple_name(m, side): m.dim(side) for m in pieces(self.right)}
            maps, at = (given, side) if self.relation else (given.identity(), isl.IN)
            cells = known.keys() <= set(self.arrays)
            check_tuples("answer", answer, maps, known, side=at,
                         what="array" if cells else "statement")  # fmt: skip
        strange = [p for p in isl.used_parameters(given) if p not in self.parameters]
        if strange:
            raise PolynbError(
                f"{strange[0]} is no parameter of this exercise",
                hint=f"only {', '.join(self.parameters)}" if self.parameters else "numbers",
            )
        return given

    def _refuse_turned(self, answer: object, given: isl.UnionMap) -> None:
        """Raises PolynbError for a relation whose ends are known, but not in this order."""
        ends = {self._ends(m) for m in pieces(self.right)}
        known = {name for pair in ends for name in pair}
        for m in isl.maps(given):
            if self._ends(m) not in ends and set(self._ends(m)) <= known:
                wanted = listed(f"from {a} to {b}" for a, b in sorted(ends))
                first, second = self._ends(m)
                raise PolynbError(
                    f"the pairs are to go {wanted}, and these go from {first} to {second}",
                    span=span_of("answer", answer, first, m.dim(isl.IN)),
                    hint=self.example,
                )

    @staticmethod
    def _ends(m: isl.Map) -> tuple[str, str]:
        return isl.tuple_name(m, isl.IN), isl.tuple_name(m, isl.OUT)

    # -- one instance of what is wrong ----------------------------------------------------

    def _smallest(self, part: Union) -> Witness | None:
        values = smallest(pieces(part))
        if values is None:
            return None
        there = [isl.fix_parameters(m, values) for m in pieces(part)]
        return min((w for m in there if (w := self._witness(m)) is not None), key=str)

    def _witness(self, piece: Any) -> Witness | None:
        flat = piece.wrap().flatten() if self.relation else piece
        at = isl.witness(flat)
        if at is None:
            return None
        values, point = at
        sides = (isl.IN, isl.OUT) if self.relation else (isl.SET,)
        instances, cell = {}, None
        for side, role in zip(sides, ("source", "target"), strict=False):
            name, mine = isl.tuple_name(piece, side), point[: piece.dim(side)]
            point = point[piece.dim(side) :]
            if name in self.arrays:
                cell = cell_text(name, mine)
            else:
                instances[role] = Instance(name, mine)
        return Witness(values, instances, cell)

    def said(self, at: Witness) -> str:
        """`S(0, 1), N = 2`; `S(0) -> T(1), N = 2`; `S(0) -> A[1], N = 2`."""
        ends = [*map(str, at.instances.values()), *([at.cell] if at.cell else [])]
        return at.at_values(" -> ".join(ends))

    # -- how many are right ---------------------------------------------------------------

    def compared(
        self, answer: object, at: Mapping[str, int], around: int = AROUND
    ) -> tuple[set[Named], set[Named]]:
        """The points that are right, at parameter values, and those of the answer near them; if
        none is right, those near one of the answer."""
        given = self._read(answer).intersect_params(self.allowed)
        right = members(self.right, at)
        near = right or {n for p in pieces(given) if (n := _one(p, at)) is not None}
        return right, members(given, at, _boxes(near, around))

    @property
    def tuples(self) -> dict[str, int]:
        """How many dimensions each tuple has, by its name: those of a map's two ends."""
        sides = (isl.IN, isl.OUT) if self.relation else (isl.SET,)
        return {isl.tuple_name(m, s): m.dim(s) for m in pieces(self.right) for s in sides}

    def _share(self, given: Union) -> Fraction:
        sizes = small(self.parameters, self.allowed, lambda at: bool(members(self.right, at)))
        shares = []
        for at in sizes:
            right = members(self.right, at)
            near = members(given, at, _boxes(right))
            shares.append(Fraction(len(right & near), len(right | near)))
        return sum(shares, Fraction(0)) / max(len(shares), 1)


Named = tuple[str, tuple[int, ...]]
Boxes = dict[str, list[tuple[int, int]]]


def pieces(union: Union) -> list[Any]:
    """The sets, or maps, of a union: one of each space."""
    return isl.maps(union) if isinstance(union, isl.UnionMap) else isl.sets(union)


def members(union: Union, at: Mapping[str, int], boxes: Boxes | None = None) -> set[Named]:
    """The points of a union at parameter values, by the names of their tuples; with boxes, those
    in them."""
    found: set[Named] = set()
    for piece in pieces(union):
        name, flat = _name(piece), piece
        if isinstance(piece, isl.Map):
            flat = piece.wrap().flatten()
        for k, (low, high) in enumerate((boxes or {}).get(name, ())):
            flat = flat.lower_bound_val(isl.SET, k, isl.Val(low))
            flat = flat.upper_bound_val(isl.SET, k, isl.Val(high))
        if boxes is None or name in boxes:
            found |= {(name, p) for p in isl.points(flat, at)}
    return found


def _one(piece: isl.Set | isl.Map, at: Mapping[str, int]) -> Named | None:
    """A point of a set or map, at parameter values."""
    flat = piece.wrap().flatten() if isinstance(piece, isl.Map) else piece
    found = isl.witness(isl.fix_parameters(flat, at))
    return None if found is None else (_name(piece), found[1])


def _name(piece: isl.Set | isl.Map) -> str:
    if isinstance(piece, isl.Map):
        return f"{isl.tuple_name(piece, isl.IN)} -> {isl.tuple_name(piece, isl.OUT)}"
    return isl.tuple_name(piece, isl.SET)


def _boxes(right: set[Named], around: int = AROUND) -> Boxes:
    """What lies around the points of each name."""
    by_name: dict[str, list[tuple[int, ...]]] = {}
    for name, point in right:
        by_name.setdefault(name, []).append(point)
    return {
        name: [(min(c) - around, max(c) + around) for c in zip(*points, strict=True)]
        for name, points in by_name.items()
    }
