"""What can be drawn, as sets and maps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from polynb import isl
from polynb.errors import PolynbError
from polynb.scop.isl_text import read

HINT: Final = '"{ S[i, j] : 0 <= j <= i < 4 }"; for a program, pn.draw(pn.parse(text))'


def sets_and_maps(x: Any) -> tuple[list[isl.Set], list[isl.Map]]:
    """The sets and maps of a thing, in a fixed order, tuples made flat.

    A point is a set of one; a function with one value is its graph, `{ [i, value] }`, one with
    several a map; a text is what isl reads in it. Raises PolynbError for anything else.
    """
    match x:
        case str():
            return sets_and_maps(_read(x))
        case isl.BasicSet():
            return [_flat_set(x.to_set())], []
        case isl.Set():
            return [_flat_set(x)], []
        case isl.UnionSet():
            return [_flat_set(s) for s in isl.sets(x)], []
        case isl.Point():
            return [isl.Set.from_point(x)], []
        case isl.BasicMap():
            return [], [_flat_map(x.to_map())]
        case isl.Map():
            return [], [_flat_map(x)]
        case isl.UnionMap():
            return [], [_flat_map(m) for m in isl.maps(x)]
        case isl.Aff():
            return [_graph(isl.PwAff.from_aff(x))], []
        case isl.PwAff():
            return [_graph(x)], []
        case isl.MultiAff() | isl.PwMultiAff() | isl.MultiPwAff():
            return [], [_flat_map(x.as_map())]
    raise PolynbError(
        f"{type(x).__name__} cannot be drawn",
        hint="its program, .scop"
        if hasattr(type(x), "scop")
        else "a set, map or function of islpy, isl text, a Scop, Dependences or a Derivation",
    )


def _read(text: str) -> isl.UnionSet | isl.UnionMap:
    kind = isl.UnionMap if "->" in text.partition("{")[2] else isl.UnionSet
    try:
        found: isl.UnionSet | isl.UnionMap = read("set or map", text, kind)
    except isl.BudgetExhausted:
        raise
    except PolynbError as error:
        error.hint = error.hint or HINT
        raise
    return found


def _graph(f: isl.PwAff) -> isl.Set:
    """`{ [i, value] }`; `{ [value] }` of a function of parameters alone."""
    if f.get_domain_space().is_params():
        found = isl.Set.from_pw_aff(f)
    else:
        found = isl.Map.from_pw_aff(f).wrap().flatten()
    last = found.dim(isl.SET) - 1
    return found.set_dim_name(isl.SET, last, "value")


def _flat_set(s: isl.Set) -> isl.Set:
    if s.is_params():
        raise PolynbError(
            "a set of parameter values alone has no points to draw",
            hint="isl.Set.from_params(s), its parameters moved to dimensions",
        )
    return s.flatten() if s.is_wrapping() else s


def _flat_map(m: isl.Map) -> isl.Map:
    m = m.flatten_domain() if m.domain_is_wrapping() else m
    m = m.flatten_range() if m.range_is_wrapping() else m
    name, depth = isl.tuple_name(m, isl.OUT), m.dim(isl.OUT)
    if name == isl.tuple_name(m, isl.IN) and depth != m.dim(isl.IN):
        renamed: isl.Map = isl.rename(m, isl.OUT, f"{name}/{depth}" if name else "image")
        return renamed  # the points of the two cannot share axes
    return m


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
