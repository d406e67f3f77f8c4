"""A cell that is unlike its siblings: those of the same array that a statement reads, or that the
statements of a loop write. Where a person writes the neighbours of a cell, a slip in one of them
makes another program that runs as well."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Final

from polynb.scop.doubt import Doubt
from polynb.scop.odd import RIGHT_ONES, odd
from polynb.source import tree as syntax
from polynb.source.scoplang.printer import print_affine

ALIKE: Final = 3
"""So many cells of an array are needed to see that any other one is unlike them."""
Kind = tuple[frozenset[str], ...]
"""What each subscript of a cell is computed from."""


def doubtful_unlike(body: tuple[syntax.Stmt, ...]) -> Iterator[Doubt]:
    """The questions: statement by statement, and loop by loop."""
    for s in syntax.every(body):
        if isinstance(s, syntax.Assign):
            yield from _read(s)
        elif isinstance(s, syntax.For):
            yield from _written(s)


def _cells(*parts: syntax.Expr) -> dict[str, list[syntax.Access]]:
    """Those of each array."""
    found: dict[str, list[syntax.Access]] = defaultdict(list)
    for e in (x for part in parts for x in syntax.walk(part)):
        if isinstance(e, syntax.Access) and e.subscripts:
            found[e.array].append(e)
    return found


def _read(s: syntax.Assign) -> Iterator[Doubt]:
    """Of `A[j][i-1]`, where all other cells of A that are read are `A[i][j+1]` and so on."""
    for array, cells in _cells(s.value).items():
        kinds: dict[Kind, dict[str, syntax.Access]] = defaultdict(dict)
        for e in cells:
            kinds[tuple(map(_names, e.subscripts))][print_affine(e)] = e
        match sorted(kinds.items(), key=lambda group: len(group[1])):
            case [(kind, few), (like, many)] if len(few) == 1:
                if len(many) >= ALIKE or (len(many) == 2 and _mixed_up(kind, like)):
                    (e,) = few.values()
                    why = f"unlike the other cells of {array} here, such as `{next(iter(many))}`"
                    yield odd(e, s, why, RIGHT_ONES)


def _mixed_up(kind: Kind, like: Kind) -> bool:
    """Whether several subscripts are made of what others are made of, in another way."""
    return len(kind) > 1 and all(kind) and frozenset().union(*kind) <= frozenset().union(*like)


def _names(e: syntax.Expr) -> frozenset[str]:
    """What a subscript is computed from."""
    return frozenset(
        x.array if isinstance(x, syntax.Access) else x.name
        for x in syntax.walk(e)
        if isinstance(x, syntax.Access | syntax.Iterator | syntax.Parameter)
    )


def _written(loop: syntax.For) -> Iterator[Doubt]:
    """Of `c[t][x] = ...` in a loop over t whose other statements write c[t+1], and read c[t]."""
    inside = [*syntax.statements(loop.body)]
    read = _cells(*(s.value for s in inside))
    for array, targets in _cells(*(s.target for s in inside)).items():
        for k in range(len(targets[0].subscripts)) if len(targets[0].subscripts) > 1 else ():
            rows = [_row(a, k, loop.iterator) for a in targets]
            now = {_row(a, k, loop.iterator) for a in read[array]}
            (usual, often), *others = Counter(rows).most_common()
            if None not in rows and [(row, 1) for row in now] == others != [] and often > 1:
                like, cell = (
                    print_affine(targets[rows.index(usual)]),
                    targets[rows.index(others[0][0])],
                )
                why = f"unlike the other cells of {array} that are written here, such as `{like}`"
                yield odd(cell, loop, why, RIGHT_ONES)


def _row(cell: syntax.Access, k: int, iterator: str) -> str | None:
    """A subscript of a cell, if a loop counts it and nothing else does."""
    e = cell.subscripts[k]
    return print_affine(e) if {*_names(e)} == {iterator} else None
