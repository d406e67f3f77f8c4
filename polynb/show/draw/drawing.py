"""Draw any islpy set or map, a Scop or its Dependences, and why an order is illegal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from polynb import isl
from polynb.arguments import named, values as integers_by_name, wrong
from polynb.conveniences import Conveniences
from polynb.dependences import Dependences, Edge, LiveRanges, analyze, live_ranges
from polynb.derivation import Derivation, as_scop
from polynb.errors import PolynbError
from polynb.folding import Folded
from polynb.legality import Verdict
from polynb.scop.model import Scop
from polynb.scop.witness import values_text
from polynb.show.draw.collision import JudgedMove
from polynb.show.draw.drawable import Cloud, Drawn, sets_and_maps
from polynb.show.draw.iteration_space import iteration_space, parameters_of, related_spaces
from polynb.show.draw.sample import Sample, completed, drawn_pairs, pieces, sample
from polynb.words import listed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Program = Scop | Derivation | Dependences | LiveRanges | Verdict | JudgedMove

POINTS: Final = 1500  # of one tuple
ARROWS: Final = 400


@isl.bounded("the making of the picture")
def draw(
    x: Any,
    *,
    parameters: Mapping[str, int] | None = None,
    ax: Axes | None = None,
    **values: int,
) -> Figure | Axes:
    """Draw the integer points of a set, the pairs of a map as arrows, the iteration spaces of a
    Scop with its dependences. Returns the axes if they were given, else a new figure.

    Takes islpy's sets and maps of up to three dimensions, unions of them, points, functions (their
    graphs), isl text, a Scop, Dependences, LiveRanges, a Derivation (its result), a Search (how
    fast which sequence is), a Folded stream (its points) or a Folding (a flame graph: its loops,
    as wide as what they executed). Of a Verdict that is illegal the first conflict: its live ranges
    on a time line and as arrows in the iteration space, at the values of its witness; of a legal
    one what flows, and the false dependences that it turns around.
    Values of parameters are given by name, `N=4` (or `parameters={"ax": 4}`); those without one get
    a small one for which everything has points; what has no ends is cut to a window, and the title
    says so. Raises PolynbError.
    """
    try:
        from polynb.show.draw import plots
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "matplotlib":
            raise
        raise PolynbError(
            "pictures of sets need matplotlib, which is not installed",
            hint='pip install matplotlib (or "polynb[lab]"); %step and to_svg draw without it',
        ) from None
    if ax is not None and not hasattr(ax, "scatter"):
        raise wrong("ax", ax, "axes of matplotlib", "ax=figure.subplots()")
    given = {} if parameters is None else named("parameters", parameters)
    parameters = {**given, **values}
    if isinstance(x, Verdict | JudgedMove) and not x.legal:
        return _conflict(x, parameters, ax)
    if isinstance(x, Program):
        scop, edges = _program(x)
        _check_names(parameters, scop.parameters)
        chosen = parameters_of(scop, edges, parameters)
        return plots.plot_scene(iteration_space(scop, edges, chosen), ax)
    if isinstance(x, Conveniences):  # what is left loads all that runs kernels
        drawn = _measured(x, ax)
        if drawn is not None:
            return drawn
        x = x.domain if isinstance(x, Folded) else x
    sets, maps = sets_and_maps(x)
    spaces = _spaces(sets, maps)
    depths = {len(dims) for _, dims in spaces.values()}
    if max(depths, default=0) > 3:
        raise _too_deep(spaces)
    chosen = _values(sets, maps, parameters)
    if len(depths) == 1 and depths <= {1, 2, 3}:
        return plots.plot(_drawn(sets, maps, chosen, depths.pop()), ax)
    relations = [(m, "map", True) for m in maps]
    return plots.plot_scene(related_spaces(spaces, relations, chosen), ax)


def _measured(x: Conveniences, ax: Axes | None) -> Figure | Axes | None:
    """What was measured of programs that ran; None of anything else."""
    from polynb.show.draw.flame import flame_graph
    from polynb.show.draw.space_plot import plot_space
    from polynb.show.draw.svg_plot import plot_picture
    from polynb.tracing.model import Folding
    from polynb.tuning.searching import Search

    if isinstance(x, Search):
        return plot_space(x, ax)
    return plot_picture(flame_graph(x), ax) if isinstance(x, Folding) else None


# -- what there is to draw ---------------------------------------------------------------


def _program(x: Program) -> tuple[Scop, tuple[Edge, ...]]:
    """A program and its dependences; of live ranges, these and the false dependences (Figure 1 of
    the paper on live-range reordering); of a legal verdict, what flows, and what it ignores."""
    match x:
        case Verdict():
            return _judged(x)
        case JudgedMove():
            return _judged(x.order)
        case LiveRanges():
            return x.scop, (*x.flow, *x.false)
        case Dependences():
            return x.scop, x.edges
    return as_scop(x), analyze(x).edges


def _judged(verdict: Verdict) -> tuple[Scop, tuple[Edge, ...]]:
    asked = verdict.asked
    if asked is None:
        raise PolynbError(
            "there is nothing to draw",
            reason="this verdict does not say which program it is about",
            hint="pn.draw(pn.check(scop, schedule)), or the program itself: pn.draw(scop)",
        )
    flow = live_ranges(asked.program, kills=asked.kills).flow
    return asked.program, (*flow, *(v.edge for v in verdict.ignored))


Spaces = dict[str, tuple[isl.Set, tuple[str, ...]]]


def _spaces(sets: Sequence[isl.Set], maps: Sequence[isl.Map]) -> Spaces:
    """For each tuple all its points, and the names of its dimensions."""
    parts = list(sets)
    for m in maps:
        parts += [m.domain(), m.range()]
    found: Spaces = {}
    for s in parts:
        name = isl.tuple_name(s, isl.SET)
        dims = tuple(d or f"i{k}" for k, d in enumerate(isl.dim_names(s, isl.SET)))
        if name in found and len(found[name][1]) == len(dims):
            known, dims = found[name]
            found[name] = known.union(s), dims
        else:
            key = name if name not in found else f"{name}/{len(dims)}"
            found[key] = s, dims
    return found


def _too_deep(spaces: Spaces) -> PolynbError:
    name, (_, dims) = next((n, s) for n, s in spaces.items() if len(s[1]) > 3)
    return PolynbError(
        f"{name or 'the set'} has {len(dims)} dimensions, and a picture at most 3",
        hint=f"project some out: s.project_out(isl.dim_type.set, 3, {len(dims) - 3}), "
        "or fix them: s.fix_val(isl.dim_type.set, 3, 0)",
    )


def _conflict(
    verdict: Verdict | JudgedMove, given: Mapping[str, int], ax: Axes | None
) -> Figure | Axes:
    from polynb.show.draw.svg_plot import plot_picture
    from polynb.show.draw.verdict_pictures import picture

    if given:
        raise PolynbError(
            "an illegal verdict is drawn at the values of its witness",
            hint="pn.draw(verdict); of other values, the program: pn.draw(scop, N=4)",
        )
    return plot_picture(picture(verdict), ax)


# -- parameter values --------------------------------------------------------------------


def _values(
    sets: Sequence[isl.Set], maps: Sequence[isl.Map], given: Mapping[str, int]
) -> dict[str, int]:
    parts = (*sets, *maps)
    names = list(dict.fromkeys(n for x in parts for n in isl.dim_names(x, isl.PARAM)))
    _check_names(given, names)
    drawn = [*sets, *(m.domain() for m in maps), *(m.range() for m in maps)]
    return completed(isl.read_set("{ : }"), drawn, names, maps, given)


def _check_names(given: Mapping[str, int], known: Sequence[str]) -> None:
    integers_by_name("parameters", given, known)


# -- points and arrows -------------------------------------------------------------------


def _drawn(
    sets: Sequence[isl.Set], maps: Sequence[isl.Map], values: Mapping[str, int], depth: int
) -> Drawn:
    spaces = _spaces(sets, maps)
    samples = {n: sample(s, values, POINTS) for n, (s, _) in spaces.items()}
    clouds = [
        Cloud(n, dims, samples[n].points, pieces(s, values, samples[n]))
        for n, (s, dims) in spaces.items()
    ]
    arrows = [a for m in maps for a in _arrows(m, samples, values)]
    said = values_text(values)
    notes = [said] if said else []
    clipped = [n or "the set" for n, s in samples.items() if s.clipped]
    if clipped:
        notes.append(f"only a part of {listed(clipped)}")
    if len(arrows) > ARROWS:
        every = -(-len(arrows) // ARROWS)
        notes.append(f"one of {every} arrows")
        arrows = arrows[::every]
    return Drawn(depth, tuple(clouds), tuple(arrows), tuple(notes))


def _arrows(
    m: isl.Map, samples: Mapping[str, Sample], values: Mapping[str, int]
) -> list[tuple[str, tuple[int, ...], str, tuple[int, ...]]]:
    a, b = isl.tuple_name(m, isl.IN), isl.tuple_name(m, isl.OUT)
    return [(a, p, b, q) for p, q in drawn_pairs(m, samples[a], samples[b], values)]
