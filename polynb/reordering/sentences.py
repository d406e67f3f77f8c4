"""How instances, functions and numbers are written in the sentences of steps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from polynb import isl

Instance = tuple[str, tuple[int, ...]]


@dataclass(frozen=True, eq=False)
class Pair:
    """A pair of instances of a constraint at parameter values, a witness."""

    parameters: Mapping[str, int]
    source: Instance
    target: Instance

    def __str__(self) -> str:
        at = "".join(f", {k} = {v}" for k, v in self.parameters.items())
        return f"{named(self.source)} and {named(self.target)}{at}"


def named(instance: Instance) -> str:
    name, point = instance
    return f"{name}({', '.join(map(str, point))})"


def pair(relation: isl.Map) -> Pair:
    """A witness of a relation `{ S[i] -> T[j] }` that is not empty."""
    found = isl.witness_pair(relation)
    assert found is not None
    values, i, j = found
    source, target = isl.tuple_name(relation, isl.IN), isl.tuple_name(relation, isl.OUT)
    return Pair(values, (source, i), (target, j))


def listed(names: tuple[str, ...]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def counted(n: int, what: str) -> str:
    return f"{n or 'no'} {what}{'s' * (n != 1)}"


def formula(function: isl.Map) -> str:
    """`{ S[i, j] -> [i + j] }` as `i + j`; several as `[i, j]`."""
    text = str(isl.PwMultiAff.from_map(function.affine_hull().to_map()))
    inner = text[text.index("-> [", text.index("{")) + 4 : text.rindex("]")]
    parts = [p.strip().removeprefix("(").removesuffix(")") for p in inner.split(",")]
    return parts[0] if len(parts) == 1 else f"[{', '.join(parts)}]"
