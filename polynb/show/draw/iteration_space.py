"""The iteration spaces of a program and its dependences as a scene.

A panel for each statement, in program order, at small parameter values.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from polynb import isl
from polynb.dependences import Edge
from polynb.scop.model import Scop
from polynb.show.draw.kinds import KINDS
from polynb.show.draw.layout import DrawnSpace, arranged, curve
from polynb.show.draw.sample import MOST, Sample, completed, drawn_for, drawn_pairs, sample
from polynb.show.draw.scene import DrawnScene
from polynb.words import counted, listed, shortened

LONGEST: Final = 24  # points in a row
ARROWS: Final = 150  # more are not drawn: one instance of each statement stands for all
FEWER: Final = 60  # the same in two dimensions, where arrows cross


Pair = tuple[str, tuple[int, ...], str, tuple[int, ...], str, bool]


def iteration_space(
    scop: Scop, edges: Sequence[Edge], parameters: Mapping[str, int] | None = None
) -> DrawnScene:
    """The scene of a Scop with these dependences, at parameter values given or chosen small."""
    values = dict(parameters or parameters_of(scop, edges, {}))
    domains = {s.name: (s.domain, s.iterators) for s in scop.statements}
    relations = [(e.relation, e.kind, e.exact) for e in edges]
    return related_spaces(domains, relations, values)


def parameters_of(scop: Scop, edges: Sequence[Edge], given: Mapping[str, int]) -> dict[str, int]:
    """The given parameter values, and small ones for the others."""
    domains = [s.domain for s in scop.statements]
    relations = [e.relation for e in edges]
    return completed(scop.assumed, domains, scop.parameters, relations, given)


def related_spaces(
    domains: Mapping[str, tuple[isl.Set, tuple[str, ...]]],
    relations: Sequence[tuple[isl.Map, str, bool]],
    values: Mapping[str, int],
) -> DrawnScene:
    """The scene of some sets, by tuple name, and of the relations (map, kind, exact) of them."""
    spaces = drawn_spaces(domains, [r for r, _, _ in relations], values)
    pairs = list(_pairs(relations, spaces, values))
    notes = _notes(spaces, values)
    flat = all(len(s.shown) <= 1 for s in spaces.values())
    if len(pairs) > (ARROWS if flat else FEWER):
        notes.append(f"Of {len(pairs)} arrows, those to one instance of each dependence are drawn.")
        pairs = _of_one_instance(pairs, spaces)
    return _scene(_projected(pairs, spaces), spaces, notes)


# -- what is drawn ---------------------------------------------------------------------


def drawn_spaces(
    domains: Mapping[str, tuple[isl.Set, tuple[str, ...]]],
    maps: Sequence[isl.Map],
    values: Mapping[str, int],
) -> dict[str, DrawnSpace]:
    """What is drawn of each set, where these relations are to be seen."""
    most = max(MOST // max(len(domains), 1), 16)
    samples = {n: sample(s, values, most, LONGEST) for n, (s, _) in domains.items()}
    return {
        n: DrawnSpace(n, dims, _shown(len(dims), samples, maps), samples[n])
        for n, (_, dims) in domains.items()
    }


def _shown(
    depth: int, samples: Mapping[str, Sample], relations: Sequence[isl.Map]
) -> tuple[int, ...]:
    """The two dimensions of deeper spaces that the relations between them move along most, and
    of these the longest."""
    if depth <= 2:
        return tuple(range(depth))
    moving = [0] * depth
    for r in relations:
        if r.dim(isl.IN) == r.dim(isl.OUT) == depth:
            steps = r.reset_tuple_id(isl.IN).reset_tuple_id(isl.OUT).deltas()
            for k in range(depth):
                moving[k] += steps.plain_get_val_if_fixed(isl.SET, k).is_zero() is not True
    points = [p for s in samples.values() for p in s.points if len(p) == depth]
    length = [len({p[k] for p in points}) for k in range(depth)]
    best = sorted(range(depth), key=lambda k: (-(moving[k] > 0), -length[k], k))[:2]
    return tuple(sorted(best))


def _pairs(
    relations: Iterable[tuple[isl.Map, str, bool]],
    spaces: Mapping[str, DrawnSpace],
    values: Mapping[str, int],
) -> Iterable[Pair]:
    """Every arrow: (source, point, target, point, kind, exact)."""
    for relation, kind, exact in relations:
        a, b = isl.tuple_name(relation, isl.IN), isl.tuple_name(relation, isl.OUT)
        found = drawn_pairs(relation, spaces[a].sample, spaces[b].sample, values)
        yield from ((a, p, b, q, kind, exact) for p, q in found)


def _of_one_instance(pairs: Sequence[Pair], spaces: Mapping[str, DrawnSpace]) -> list[Pair]:
    """For each kind of dependence between two statements the arrows to one instance: of those
    that have the most of them the one nearest to the middle."""
    groups: dict[tuple[str, str, str], dict[tuple[int, ...], list[Pair]]] = {}
    for pair in pairs:
        a, _, b, q, kind, _ = pair
        groups.setdefault((a, b, kind), {}).setdefault(q, []).append(pair)
    found: list[Pair] = []
    for (_, name, _), into in groups.items():
        middle = _middle(spaces[name].sample.points)
        found += min(into.items(), key=lambda x: (-len(x[1]), math.dist(x[0], middle), x[0]))[1]
    return found


def _middle(points: Sequence[tuple[int, ...]]) -> tuple[float, ...]:
    return tuple(sum(column) / len(points) for column in zip(*points, strict=True))


def _projected(pairs: Iterable[Pair], spaces: Mapping[str, DrawnSpace]) -> list[Pair]:
    """The arrows between projected points, each once; none where source and target of one
    statement fall together though they differ."""
    found: dict[Pair, None] = {}
    for a, p, b, q, kind, exact in pairs:
        start, end = spaces[a].project(p), spaces[b].project(q)
        if not (a == b and start == end and p != q):
            found[a, start, b, end, kind, exact] = None
    return list(found)


def _notes(spaces: Mapping[str, DrawnSpace], values: Mapping[str, int]) -> list[str]:
    notes = drawn_for(values)
    clipped = [s.name for s in spaces.values() if s.sample.clipped]
    if clipped:
        notes.append(f"Only a corner of {shortened(clipped)} is drawn.")
    return [*notes, *over_dimensions(spaces)]


def over_dimensions(spaces: Mapping[str, DrawnSpace]) -> Iterator[str]:
    """Over which dimensions deeper spaces are drawn, in sentences."""
    deep: dict[tuple[int, str], list[str]] = {}
    for s in spaces.values():
        if len(s.dims) > len(s.shown):
            over = listed(s.dims[k] for k in s.shown)
            deep.setdefault((len(s.dims), over), []).append(s.name)
    for (depth, over), names in deep.items():
        have = "has" if len(names) == 1 else "have"
        yield f"{shortened(names)} {have} {depth} dimensions: drawn over {over}."


# -- putting it together ---------------------------------------------------------------


def _scene(
    pairs: Sequence[Pair], spaces: Mapping[str, DrawnSpace], notes: Sequence[str]
) -> DrawnScene:
    layout = arranged(spaces)
    order = {name: k for k, name in enumerate(spaces)}
    arrows = []
    for a, p, b, q, kind, exact in pairs:
        start, end = layout.placed.get((a, p)), layout.placed.get((b, q))
        if start is not None and end is not None:
            arrows.append(curve(layout, start, end, kind, exact, order[b] - order[a]))
    counts = ", ".join(f"{n} {counted(len(s.points), 'instance')}" for n, s in spaces.items())
    alt = f"Iteration spaces: {counts}; {counted(len(arrows), 'arrow')}. {' '.join(notes)}"
    return DrawnScene(
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
