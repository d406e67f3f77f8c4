"""Random streams: unions of affine domains, with holes, strides, diagonals and noise, and labels
that are affine, piecewise, or irregular along some of the dimensions."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

MOST = 500  # points
Point = tuple[int, ...]


@dataclass(frozen=True)
class RandomStream:
    """Points in lexicographic order, with labels of shape (n, L)."""

    points: NDArray[Any]
    labels: NDArray[Any]


def random_stream(seed: int) -> RandomStream:
    """The stream of a seed: 1 to 4 dimensions, 0 to 3 outputs, up to `MOST` points."""
    r = random.Random(seed)
    dims = r.choice((1, 2, 2, 2, 3, 3, 3, 4))
    domains = [set(affine_domain(r, dims)) for _ in range(r.choice((1, 1, 2, 3)))]
    found = set().union(*domains)
    for spoil in r.sample(SPOILERS, r.choice((0, 0, 1, 1, 2))):
        found = spoil(r, found, dims)
    points = sorted(found)[:MOST]
    outputs = [random_labels(r, dims) for _ in range(r.choice((0, 1, 1, 2, 3)))]
    labels = [[f(p) for f in outputs] for p in points]
    return RandomStream(
        np.array(points, np.int64).reshape(len(points), dims),
        np.array(labels, np.int64).reshape(len(points), len(outputs)),
    )


def affine_domain(r: random.Random, dims: int) -> Iterator[Point]:
    """Between affine bounds of each coordinate in those outside of it; a slope of 2 makes some
    that are no elementary polyhedra, and equal bounds make diagonals."""
    size = {1: 60, 2: 14, 3: 7, 4: 5}[dims]
    slopes = (-1, 0, 0, 0, 1) if r.random() < 0.7 else r.choice([(-2, -1, 0, 1, 2), (-5, 0, 3)])
    low = [[r.choice(slopes) for _ in range(q)] + [r.randrange(4)] for q in range(dims)]
    high = [[r.choice(slopes) for _ in range(q)] + [r.randrange(size)] for q in range(dims)]
    for q in range(1, dims):
        shape = r.random()
        if shape < 0.4:  # a parallelogram, or a diagonal
            high[q] = [*low[q][:-1], low[q][-1] + (0 if shape < 0.1 else r.randrange(size))]

    def scan(outer: Point) -> Iterator[Point]:
        q = len(outer)
        if q == dims:
            yield outer
            return
        first, last = (
            b[-1] + sum(k * c for k, c in zip(b, outer, strict=False)) for b in (low[q], high[q])
        )
        for c in range(max(first, -6), min(last, size + 8) + 1):
            yield from scan((*outer, c))

    return scan(())


def hole(r: random.Random, points: set[Point], dims: int) -> set[Point]:
    if not points:
        return points
    centre, reach = r.choice(sorted(points)), r.randrange(2)
    near = set(product(*(range(c - reach, c + reach + 1) for c in centre)))
    return points - near


def stride(r: random.Random, points: set[Point], dims: int) -> set[Point]:
    axis, step = r.randrange(dims), r.choice((2, 2, 3))
    return {p for p in points if p[axis] % step == 0}


def condition(r: random.Random, points: set[Point], dims: int) -> set[Point]:
    ks, most = [r.randrange(-2, 3) for _ in range(dims)], r.randrange(12)
    return {p for p in points if sum(k * c for k, c in zip(ks, p, strict=True)) <= most}


def thinned(r: random.Random, points: set[Point], dims: int) -> set[Point]:
    share = r.choice((0.5, 0.8, 0.97))
    return {p for p in sorted(points) if r.random() < share}


SPOILERS = (hole, stride, condition, thinned)


def random_labels(r: random.Random, dims: int) -> Callable[[Point], int]:
    """An affine function, or two of them on the sides of a hyperplane; with a table along some
    dimensions, and some labels that are off."""
    base = affine(r, dims)
    shape = r.random()
    if shape < 0.3:
        return base
    if shape < 0.5:
        other, split, at = affine(r, dims), affine(r, dims), r.randrange(-9, 10)
        return lambda p: base(p) if split(p) < at else other(p)
    if shape < 0.9:
        axes = r.sample(range(dims), r.randrange(1, dims + 1))
        table: dict[Any, int] = {}
        together = r.random() < 0.3  # one table of all of them, or one of each

        def irregular(p: Point) -> int:
            keys = [tuple(p[q] for q in axes)] if together else [(q, p[q]) for q in axes]
            return base(p) + sum(table.setdefault(k, 8 * r.randrange(20)) for k in keys)

        return irregular
    rate = r.choice((0.02, 0.3))
    return lambda p: base(p) + (r.randrange(1, 5) if r.random() < rate else 0)


def affine(r: random.Random, dims: int) -> Callable[[Point], int]:
    ks, constant = [r.choice((0, 0, 1, -1, 4, 8, 100)) for _ in range(dims)], r.randrange(1000)
    return lambda p: constant + sum(k * c for k, c in zip(ks, p, strict=True))


def scattered(seed: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Some thousand points of a box, a part of them missing, with labels of one or two outputs."""
    r = np.random.default_rng(seed)
    shape = [(60, 60), (14, 14, 14), (6, 7, 7, 7), (5, 4, 4, 4, 4), (2000,), (150, 3, 5)][seed % 6]
    points = np.argwhere(r.random(shape) < r.choice([0.3, 0.5, 0.8, 0.95]))
    affine_ = points @ r.integers(-9, 9, len(shape))
    rows = r.integers(0, 50, shape[0])[points[:, 0]] + 3 * points[:, -1]
    columns = r.integers(0, 3, shape[-1])[points[:, -1]] + points[:, 0]
    choices = [[affine_], [rows, columns], [r.integers(0, 2, len(points))], [affine_, columns]]
    return points, np.stack(choices[seed // 6 % 4], axis=1)


def in_phases(seed: int) -> RandomStream:
    """Planes of rows that repeat themselves, each time moved on by the same, until they change;
    a row may have gaps, and its labels may turn, or be irregular."""
    r = random.Random(seed)
    points: list[Point] = []
    labels: list[tuple[int, ...]] = []
    outputs, planes = r.randrange(3), r.choice((1, 1, 2, 4))
    phases = [Phase.random(r, outputs) for _ in range(r.randrange(1, 5))]
    for plane in range(planes):
        row = 0
        for phase in phases if r.random() < 0.8 else phases[:1]:
            for k in range(phase.rows):
                points += [(plane, row, c + k * phase.drift) for c in phase.columns]
                labels += [
                    tuple(x + k * rise for x, rise in zip(values, phase.rises, strict=True))
                    for values in phase.labels
                ]
                row += r.choice((1, 1, 1, 1, 1, 1, 2))
    return RandomStream(
        np.array(points, np.int64)[:, r.choice((0, 1)) if planes == 1 else 0 :],
        np.array(labels, np.int64).reshape(len(points), outputs),
    )


@dataclass(frozen=True)
class Phase:
    """`rows` of the same columns, which drift, with labels that rise, from row to row."""

    rows: int
    drift: int
    columns: list[int]
    rises: list[int]
    labels: list[tuple[int, ...]]

    @classmethod
    def random(cls, r: random.Random, outputs: int) -> Phase:
        first, gap = r.randrange(-2, 3), r.choice((0, 0, 0, 1, 3))
        columns = [first + c for c in range(r.randrange(1, 9)) if c != gap or not gap]
        steps = [r.choice((0, 1, 8)) for _ in range(outputs)]
        rises = [r.choice((0, 1, 8, 100)) for _ in range(outputs)]
        turn, noise = r.choice((99, 99, 4)), r.choice((0, 0, 1))
        labels = [
            tuple(k * c + 5 * max(c - turn, 0) + noise * r.randrange(9) for k in steps)
            for c in columns
        ]
        return cls(r.randrange(1, 12), r.choice((0, 0, 0, 1, -1, 4, -4)), columns, rises, labels)
