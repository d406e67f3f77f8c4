"""Bands of a schedule tree: found by number, replaced, and given back as a program."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence as Seq
from dataclasses import replace
from typing import Final, TypeGuard

from polynb import isl
from polynb.errors import PolynbError
from polynb.scop.model import Scop, Statement
from polynb.scop.schedule import Band, FullTiles, LoopKind, Mark, Tree, times, walk, with_kinds
from polynb.scop.tree_walk import paths, rewrite

MORE_BANDS: Final = (
    "polynb.schedules.permutable_bands(program), which finds the loops that may be interchanged as "
    "they are; or pn.reorder(program)"
)


def with_schedule(scop: Scop, tree: Tree) -> Scop:
    """The program in the order of another tree, with the statements' times that follow."""
    when = times(tree, {s.name: s.domain for s in scop.statements})
    timed = tuple(replace(s, schedule=when[s.name]) for s in scop.statements)
    return replace(scop, statements=timed, schedule=tree, program=None)


def all_bands(tree: Tree) -> tuple[Band, ...]:
    """The bands, parents first, in order: their places here are the numbers that name them."""
    return tuple(t for t in walk(tree) if isinstance(t, Band))


def several_permutable(node: Tree) -> TypeGuard[Band]:
    """Whether a node is a band of loops that may be interchanged and tiled."""
    return isinstance(node, Band) and node.permutable and node.depth > 1


def mapped(band: Band, values: Seq[str]) -> Band:
    """The band with `{ [t0, t1, ...] -> [values] }` applied to its loops."""
    given = ", ".join(f"t{k}" for k in range(band.depth))
    change = isl.Map(f"{{ [{given}] -> [{', '.join(values)}] }}")
    return replace(band, members={n: m.apply_range(change) for n, m in band.members.items()})


def permuted(band: Band, order: Seq[int]) -> Band:
    """The band with its loops in another order: the outermost is the one with number order[0]."""
    new = mapped(band, [f"t{k}" for k in order])
    return replace(new, loops=tuple(band.loops[k] for k in order))


def first_loop(band: Band) -> tuple[dict[str, isl.Map], Tree]:
    """What the outermost loop of a band counts, and what is inside of it."""
    if band.depth == 1:
        return band.values(0), band.child
    inner = {n: m.project_out(isl.OUT, 0, 1) for n, m in band.members.items()}
    return band.values(0), replace(band, members=inner, loops=band.loops[1:])


def iterator_of(
    statements: Mapping[str, Statement],
    members: Mapping[str, isl.Map],
    k: int = 0,
    taken: Container[str] = (),
) -> str | None:
    """The iterator (of the first statement that has one that is not `taken`) whose values the k-th
    loop takes of `members`, `{ S[i] -> [t] }`."""
    for name, m in members.items():
        for position, iterator in enumerate(statements[name].iterators):
            if iterator not in taken and m.is_subset(m.equate(isl.IN, position, isl.OUT, k)):
                return iterator
    return None


def loop_names(scop: Scop, band: Band) -> tuple[str, ...]:
    """What to call a band's loops: such an iterator, each by another one, else `t0`, `t1`..."""
    names: list[str] = []
    for k in range(band.depth):
        names.append(iterator_of(scop.by_name, band.members, k, names) or f"t{k}")
    return tuple(names)


def band_label(scop: Scop, band: Band) -> str:
    """`band 1 (loops i, j of S, T)`"""
    number = next(k for k, b in enumerate(all_bands(scop.schedule)) if b is band)
    loops = ", ".join(loop_names(scop, band))
    return f"band {number} (loop{'s' * (band.depth > 1)} {loops} of {', '.join(band.members)})"


def loop_label(scop: Scop, band: Band, k: int) -> str:
    """`loop i of band 1 (loops i, j of S, T)`"""
    return f"loop {loop_names(scop, band)[k]} of {band_label(scop, band)}"


def band_labels(scop: Scop) -> str:
    """`there are: band 0 (loop i of S); ...`"""
    bands = all_bands(scop.schedule)
    if not bands:
        return "the program has no loops"
    return f"there are: {'; '.join(band_label(scop, b) for b in bands)}"


def chosen(
    scop: Scop, number: int | None, found: Seq[Band], missing: str, hint: str
) -> tuple[Band, ...]:
    """The band of a number, or, if none is given, those `found`.

    Raises PolynbError, naming the bands there are, if that is none: what is `missing`, and a way
    out.
    """
    bands = all_bands(scop.schedule)
    reason = band_labels(scop)
    if number is None:
        if not found:
            raise PolynbError(missing, reason=reason, hint=hint)
        return tuple(found)
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < len(bands):
        raise PolynbError(f"there is no band {number!r}", reason=reason)
    return (bands[number],)


def check_permutable(scop: Scop, band: Band, what: str) -> None:
    """Raises PolynbError if the loops of a band may not be interchanged."""
    if not band.permutable and band.depth > 1:
        raise PolynbError(
            f"{band_label(scop, band)} cannot be {what}",
            reason="its loops are not known to be permutable: that may turn dependences around",
            hint=MORE_BANDS,
        )


def check_not_separated(scop: Scop, band: Band, what: str) -> None:
    """Raises PolynbError if full tiles were separated: the mark for that is of this very band."""
    above = next(above for node, above in paths(scop.schedule) if node is band)
    if any(isinstance(t, Mark) and isinstance(t.what, FullTiles) for t in above[-2:]):
        raise PolynbError(
            f"{band_label(scop, band)} cannot be {what} any more",
            reason="full tiles are separated from partial ones at it",
            hint=f"separate=True in the last step only: first let it be {what}, then "
            "tile with separate=True",
        )


def replaced(tree: Tree, new: Iterable[tuple[Band, Tree]]) -> Tree:
    """The tree with some of its bands, none inside another, replaced."""
    trees = {id(band): other for band, other in new}
    return rewrite(tree, lambda node: trees.get(id(node)))


def running(scop: Scop, band: Band, kinds: Iterable[LoopKind]) -> Scop:
    """The program with the loops of a band run in these ways. Raises PolynbError for a parallel
    loop in a parallel one, or any of both in a vector loop."""
    tree = replaced(scop.schedule, [(band, with_kinds(band, kinds))])
    check_nesting(tree)
    return with_schedule(scop, tree)


def check_nesting(tree: Tree) -> None:
    """Raises PolynbError for loops that run in ways which do not go into one another: OpenMP has no
    parallel loops in vector loops, and threads in threads only cost time."""
    for node, above in paths(tree):
        if not isinstance(node, Band):
            continue
        around = [kind for b in above if isinstance(b, Band) for kind in b.kinds]
        for kind in node.kinds:
            if kind in ("parallel", "vector") and ("vector" in around or kind in around):
                outer = "vector" if "vector" in around else kind
                raise PolynbError(
                    f"a {kind} loop cannot be inside a {outer} loop",
                    hint='"sequential" for one of them; parallel outside, vector inside',
                )
            around.append(kind)
