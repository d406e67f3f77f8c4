"""Statement instances, and witnesses: instances at parameter values that show that something is so.

Each is said in one way, here: `S(1, 2)`; `A[1][2]`; `N = 3, M = 0`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from polynb import isl


@dataclass(frozen=True, order=True)
class Instance:
    """An instance of a statement, at these values of its iterators: `S(1, 2)`."""

    statement: str
    point: tuple[int, ...] = ()

    def __str__(self) -> str:
        return f"{self.statement}({', '.join(map(str, self.point))})"


@dataclass(frozen=True, eq=False)
class Witness:
    """Instances by the role that they play, at parameter values, and the cell that they are about,
    where it is known: what shows that something is so."""

    parameters: Mapping[str, int]
    instances: Mapping[str, Instance]
    cell: str | None = None

    def __getitem__(self, role: str) -> Instance:
        return self.instances[role]

    @property
    def statements(self) -> tuple[str, ...]:
        """The statement of each instance."""
        return tuple(i.statement for i in self.instances.values())

    def __str__(self) -> str:
        """`S(0) and T(1), N = 3`; of a cell alone, `A[0], N = 3`."""
        if not self.instances:
            return self.at_values(self.cell or "")
        *first, last = map(str, self.instances.values())
        return self.at_values(f"{', '.join(first)} and {last}" if first else last)

    def for_values(self, sentence: str) -> str:
        """`for N = 3: ...`"""
        values = values_text(self.parameters)
        return f"for {values}: {sentence}" if values else sentence

    def at_values(self, phrase: str) -> str:
        """`..., N = 3`"""
        return ", ".join(filter(None, (phrase, values_text(self.parameters))))

    def with_roles(self, *roles: str) -> Witness:
        """The same instances, in their order, in other roles."""
        return replace(self, instances=dict(zip(roles, self.instances.values(), strict=True)))


def pair_witness(
    relation: isl.Map, source: str = "source", target: str = "target"
) -> Witness | None:
    """A small pair of a relation `{ S[i] -> T[j] }`, in these roles; None if it is empty."""
    found = isl.witness_pair(relation)
    if found is None:
        return None
    values, i, j = found
    first = Instance(isl.tuple_name(relation, isl.IN), i)
    second = Instance(isl.tuple_name(relation, isl.OUT), j)
    return Witness(values, {source: first, target: second})


def values_text(values: Mapping[str, int]) -> str:
    """`N = 3, M = 0`; "" for none."""
    return ", ".join(f"{name} = {value}" for name, value in values.items())


def instance_text(statement: str, point: Iterable[int], values: Mapping[str, int]) -> str:
    """`S(1, 2), N = 3`"""
    return ", ".join(filter(None, (str(Instance(statement, tuple(point))), values_text(values))))


def cell_text(array: str, index: Iterable[object]) -> str:
    """`A[1][2]`"""
    return array + "".join(f"[{x}]" for x in index)
