"""What a program leaves open that the analysis can do without, and a kernel cannot."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from polynb.errors import Span
from polynb.scop.model import Array, Scop
from polynb.source.functions import EXTREMA, MATH_FUNCTIONS, definition
from polynb.source.tree import Call, walk


@dataclass(frozen=True, eq=False)
class Need:
    """What is open, of which name, in a sentence, and what to write for it."""

    name: str
    sentence: str
    written: str
    span: Span | None = field(default=None, repr=False)

    def __str__(self) -> str:
        return f"{self.sentence}: a kernel needs it, as in `{self.written}`."


def needs(scop: Scop) -> tuple[Need, ...]:
    """The functions that nothing defines, and the arrays of which nothing says how large they
    are."""
    return (*_functions(scop), *(_size(a, scop) for a in unsized(scop)))


def unsized(scop: Scop) -> list[Array]:
    """The arrays that nothing bounds the subscripts of, and that no declaration sizes."""
    return [a for a in scop.arrays.values() if any(e is None for e in a.extents)]


def declared_size(array: Array, scop: Scop) -> str:
    """A declaration with extents in place of those that nobody knows."""
    size = scop.parameters[0] if scop.parameters else "100"
    return f"{array.role} {array.name}{f'[{size}]' * array.dimensions};"


def _size(array: Array, scop: Scop) -> Need:
    said = declared_size(array, scop)
    return Need(array.name, f"Nothing says how large {array.name} is", said, array.span)


def _functions(scop: Scop) -> Iterator[Need]:
    known = {*MATH_FUNCTIONS, *EXTREMA, *(f.name for f in scop.functions)}
    for s in scop.statements:
        roots = (s.expression,) if s.guard is None else (s.expression, s.guard)
        for e in (x for root in roots for x in walk(root)):
            if isinstance(e, Call) and e.function not in known:
                known.add(e.function)
                said = definition(e.function, len(e.arguments), e.span)
                yield Need(e.function, f"Nothing defines {e.function}", said, e.span)
