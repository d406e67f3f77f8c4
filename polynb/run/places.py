"""Where in a program's text the reason stands for which a call of its kernel is refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from polynb import isl
from polynb.errors import Span
from polynb.scop.affine import AffineFrame, condition
from polynb.scop.arrays import cells, out_of_bounds
from polynb.scop.model import Scop
from polynb.scop.witness import cell_text


@dataclass(frozen=True, eq=False)
class ScopPlaces:
    """The text of a Scop, which may have none (built from sets); then every answer is None."""

    scop: Scop | None = None

    def array(self, name: str) -> Span | None:
        """The declaration of an array, or else its first access."""
        if self.scop is None or name not in self.scop.arrays:
            return None
        accesses = (a for s in self.scop.statements for a in (s.write, *s.reads))
        spans = (self.scop.arrays[name].span, *(a.span for a in accesses if a.array == name))
        return next((s for s in spans if s is not None), None)

    def assumption(self, parameters: Mapping[str, int]) -> Span | None:
        """The first assumption that does not hold for these values."""
        if self.scop is None or self.scop.program is None:
            return None
        space = isl.set_space(self.scop.parameters, None, ())
        frame = AffineFrame(space)
        for assumption in self.scop.program.assumptions:
            if isl.fix_parameters(condition(assumption, frame), parameters).is_empty():
                return assumption.span
        return None

    def outside(self, parameters: Mapping[str, int]) -> tuple[Span | None, str]:
        """The first access that is out of bounds for these values, and the cell it touches."""
        if self.scop is None:
            return None, ""
        for s in self.scop.statements:
            for access in s.accesses:
                there = out_of_bounds(access, cells(self.scop.arrays[access.array]))
                there = isl.fix_parameters(there, parameters)
                if there.is_empty():
                    continue
                touched = access.relation.intersect_domain(there).wrap().flatten()
                found = isl.witness(touched)
                point = found[1][len(s.iterators) :] if found is not None else ()
                return access.span, cell_text(access.array, point)
        return None, ""
