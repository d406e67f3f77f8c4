"""What steps are about, and how instances and functions are written in their sentences."""

from __future__ import annotations

from dataclasses import dataclass

from polynb import isl
from polynb.derivation import Step
from polynb.scop.witness import Witness, pair_witness


@dataclass(frozen=True, eq=False)
class AboutStatements(Step):
    """A step about some statements."""

    statements: tuple[str, ...]

    @property
    def about(self) -> tuple[str, ...]:
        return self.statements


def pair(relation: isl.Map) -> Witness:
    """A witness of a relation `{ S[i] -> T[j] }` that is not empty."""
    witness = pair_witness(relation)
    assert witness is not None
    return witness


def formula(function: isl.Map) -> str:
    """`{ S[i, j] -> [i + j] }` as `i + j`; several as `[i, j]`."""
    text = str(isl.PwMultiAff.from_map(function.affine_hull().to_map()))
    inner = text[text.index("-> [", text.index("{")) + 4 : text.rindex("]")]
    parts = [p.strip().removeprefix("(").removesuffix(")") for p in inner.split(",")]
    return parts[0] if len(parts) == 1 else f"[{', '.join(parts)}]"
