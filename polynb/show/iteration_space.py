"""The iteration spaces of a program and its dependences as a scene.

A panel for each statement, in program order, at small parameter values.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from polynb import isl
from polynb.dependences import Edge
from polynb.scop import Scop
from polynb.show.kinds import KINDS
from polynb.show.layout import Space, arranged, curve
from polynb.show.sample import MOST, sample, small_parameters
from polynb.show.scene import Scene
from polynb.show.words import counted, shortened

LONGEST: Final = 24  # points in a row
ARROWS: Final = 150  # more are not drawn: one instance of each statement stands for all


Pair = tuple[str, tuple[int, ...], str, tuple[int, ...], str, bool]


def iteration_space(
    scop: Scop, edges: Sequence[Edge], parameters: Mapping[str, int] | None = None
) -> Scene:
    """The scene of a Scop with these dependences, at parameter values given or chosen small."""
    wanted = [*(s.domain for s in scop.statements), *(e.relation.wrap() for e in edges)]
    values = dict(parameters or small_parameters(scop.assumed, wanted, scop.parameters))
    domains = {s.name: (s.domain, s.iterators) for s in scop.statements}
    relations = [(e.relation, e.kind, e.exact) for e in edges]
    return related_spaces(domains, relations, values)


def related_spaces(
    domains: Mapping[str, tuple[isl.Set, tuple[str, ...]]],
    relations: Sequence[tuple[isl.Map, str, bool]],
    values: Mapping[str, int],
) -> Scene:
    """The scene of some sets, by tuple name, and of the relations (map, kind, exact) of them."""
    most = max(MOST // max(len(domains), 1), 16)
    spaces: dict[str, Space] = {}
    for name, (domain, dims) in domains.items():
        drawn = sample(domain, values, most, LONGEST)
        own = [r for r, _, _ in relations if isl.tuple_name(r, isl.IN) == name]
        spaces[name] = Space(name, dims, _shown(name, dims, own), drawn)
    pairs = list(_pairs(relations, spaces, values))
    notes = _notes(spaces, values)
    if len(pairs) > ARROWS:
        pairs, everything = _of_one_instance(pairs, spaces), len(pairs)
        notes.append(f"Of {everything} arrows, those to one instance of each statement are drawn.")
    return _scene(pairs, spaces, notes)


# -- what is drawn ---------------------------------------------------------------------


def _shown(name: str, dims: Sequence[str], own: Sequence[isl.Map]) -> tuple[int, ...]:
    """The two dimensions of a deeper space that its dependences on itself move along."""
    if len(dims) <= 2:
        return tuple(range(len(dims)))
    selves = [r for r in own if isl.tuple_name(r, isl.OUT) == name]
    moving = [0] * len(dims)
    for r in selves:
        steps = r.deltas()
        for k in range(len(dims)):
            moving[k] += steps.plain_get_val_if_fixed(isl.SET, k).is_zero() is not True
    best = sorted(range(len(dims)), key=lambda k: (-moving[k], k))[:2]
    return tuple(sorted(best))


def _pairs(
    relations: Iterable[tuple[isl.Map, str, bool]],
    spaces: Mapping[str, Space],
    values: Mapping[str, int],
) -> Iterable[Pair]:
    """Every arrow once: (source, point, target, point, kind, exact), points projected."""
    seen: set[Pair] = set()
    for relation, kind, exact in relations:
        a, b = isl.tuple_name(relation, isl.IN), isl.tuple_name(relation, isl.OUT)
        fixed = isl.fix_parameters(relation, values)
        fixed = fixed.project_out(isl.PARAM, 0, fixed.dim(isl.PARAM))
        fixed = fixed.intersect_domain(spaces[a].sample.window)
        fixed = fixed.intersect_range(spaces[b].sample.window)
        for source, target in isl.pairs(fixed):
            p, q = spaces[a].project(source), spaces[b].project(target)
            pair = (a, p, b, q, kind, exact)
            hidden = a == b and p == q and source != target
            if pair not in seen and not hidden:
                seen.add(pair)
                yield pair


def _of_one_instance(pairs: Sequence[Pair], spaces: Mapping[str, Space]) -> list[Pair]:
    """The arrows to the most central instance of each statement that has the most of them."""
    found: list[Pair] = []
    for name, space in spaces.items():
        into: dict[tuple[int, ...], list[Pair]] = {}
        for pair in pairs:
            if pair[2] == name:
                into.setdefault(pair[3], []).append(pair)
        if into:
            points = space.points
            middle = points[len(points) // 2]
            found += min(into.items(), key=lambda x: (-len(x[1]), _distance(x[0], middle)))[1]
    return found


def _distance(a: Sequence[int], b: Sequence[int]) -> int:
    return sum(abs(x - y) for x, y in zip(a, b, strict=True))


def _notes(spaces: Mapping[str, Space], values: Mapping[str, int]) -> list[str]:
    at = ", ".join(f"{k} = {v}" for k, v in values.items())
    notes = [f"Drawn for {at}."] if at else []
    clipped = [s.name for s in spaces.values() if s.sample.clipped]
    if clipped:
        notes.append(f"Only a corner of {shortened(clipped)} is drawn.")
    for s in spaces.values():
        if len(s.dims) > len(s.shown):
            over = " and ".join(s.dims[k] for k in s.shown)
            notes.append(f"{s.title} has {len(s.dims)} dimensions and is drawn over {over}.")
    return notes


# -- putting it together ---------------------------------------------------------------


def _scene(pairs: Sequence[Pair], spaces: Mapping[str, Space], notes: Sequence[str]) -> Scene:
    layout = arranged(spaces)
    order = {name: k for k, name in enumerate(spaces)}
    arrows = []
    for a, p, b, q, kind, exact in pairs:
        start, end = layout.placed.get((a, p)), layout.placed.get((b, q))
        if start is not None and end is not None:
            arrows.append(curve(layout, start, end, kind, exact, order[b] - order[a]))
    counts = ", ".join(f"{n} {counted(len(s.points), 'instance')}" for n, s in spaces.items())
    alt = f"Iteration spaces: {counts}; {counted(len(arrows), 'arrow')}. {' '.join(notes)}"
    return Scene(
        max(layout.width, 240),
        layout.height,
        tuple(layout.placed.values()),
        tuple(arrows),
        tuple(layout.texts),
        tuple(layout.rules),
        tuple(k for k in KINDS if any(a.kind == k for a in arrows)),
        tuple(notes),
        alt.strip(),
    )
