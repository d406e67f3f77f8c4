"""The points and arrows of sets and maps, to be drawn."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, eq=False)
class Cloud:
    """The points of one tuple, over all sets and maps that name it; the pieces: those of each
    polyhedron."""

    name: str
    dims: tuple[str, ...]
    points: tuple[tuple[int, ...], ...]
    pieces: tuple[tuple[tuple[int, ...], ...], ...]


@dataclass(frozen=True, eq=False)
class Drawn:
    """Points and arrows (from tuple, point, to tuple, point) of equally deep tuples."""

    depth: int
    clouds: tuple[Cloud, ...]
    arrows: tuple[tuple[str, tuple[int, ...], str, tuple[int, ...]], ...]
    notes: tuple[str, ...]
