"""A schedule tree, as it is read from its root: bands with what each statement does in them,
sequences, filters, marks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from polynb import isl
from polynb.schedules.bands import loop_names
from polynb.schedules.tile_names import tiles_of
from polynb.scop.affine_from_isl import expression
from polynb.scop.model import Scop
from polynb.scop.schedule import (
    Band,
    Filter,
    FullTiles,
    Leaf,
    Mark,
    Named,
    Private,
    Sequence,
    Tree,
    member,
    subtrees,
    walk,
)
from polynb.show.html import LINE, Html, code, details, element, join, paragraph, sentence, table
from polynb.source.scoplang.printer import print_affine
from polynb.words import counted, listed

Formulas = dict[str, tuple[str, ...]]


def formulas(members: Mapping[str, isl.Map], scop: Scop) -> Formulas:
    """For each statement the members `{ S[i] -> [t1, ..., tn] }` in the program's own words:
    `("j", "i-k+1")`, tiles of 32 as `32*(i/32)`."""
    return {name: _formulas(m, scop.by_name[name].iterators) for name, m in members.items()}


def _formulas(m: isl.Map, iterators: tuple[str, ...]) -> tuple[str, ...]:
    count = m.dim(isl.OUT)
    functions = isl.PwMultiAff.from_map(m)
    return tuple(_formula(m, functions.get_pw_aff(k), k, iterators) for k in range(count))


def _formula(m: isl.Map, function: isl.PwAff, k: int, iterators: tuple[str, ...]) -> str:
    one = member(m, k)
    if one.range().get_stride(0).to_python() > 1 and (tiles := tiles_of(one, iterators)):
        of = f"(-{tiles.iterator})" if tiles.negated else tiles.iterator
        return f"{tiles.size}*({of}/{tiles.size})"
    return re.sub(r"(\d)L\b", r"\1", print_affine(expression(function, iterators)))


def vector(formula: tuple[str, ...]) -> str:
    """The formulas of a statement as one: a single one stays without brackets."""
    return formula[0] if len(formula) == 1 else f"[{', '.join(formula)}]"


def tile_sizes(band: Band) -> tuple[int, ...] | None:
    """The sizes of the tiles that a band runs over, None if it does not."""
    if not isinstance(band.child, Band) or band.child.depth != band.depth:
        return None
    sizes = tuple(loop.width for loop in band.loops)
    return sizes if any(s > 1 for s in sizes) else None


def outermost(tree: Tree) -> Iterator[Band]:
    """The bands that are in no other one."""
    if isinstance(tree, Band):
        yield tree
    else:
        for child in subtrees(tree):
            yield from outermost(child)


def is_notable(tree: Tree) -> bool:
    """Whether a tree says more than the loops of the program's text do."""
    return any(
        isinstance(t, Mark)
        or (isinstance(t, Band) and (t.depth > 1 or t.permutable or set(t.kinds) != {"sequential"}))
        for t in walk(tree)
    )


# -- what nodes are called -------------------------------------------------------------------


def band_title(band: Band) -> str:
    """`band of 2 loops over tiles of 32 × 32, permutable`"""
    title = f"band of {counted(band.depth, 'loop')}"
    sizes = tile_sizes(band)
    if sizes is not None:
        title += f" over tiles of {' × '.join(map(str, sizes))}"
    return title + (", permutable" if band.permutable and band.depth > 1 else "")


def _title(tree: Tree) -> str:
    """What a node is called; a sequence of single statements with nothing below them by these."""
    match tree:
        case Band():
            return band_title(tree)
        case Mark(what=Private(arrays=private)):
            return f"mark: {listed(private)} private to an iteration of the loops above"
        case Mark(what=FullTiles()):
            return "mark: full tiles apart from partial ones"
        case Mark(what=Named(text=text)):
            return f"mark: {text}"
        case Filter(domains=domains):
            parts = (n if where is None else f"a part of {n}" for n, where in domains.items())
            return listed(parts)
        case Sequence(children=children) if _is_plain(tree):
            return f"in this order: {', '.join(n for f in children for n in f.domains)}"
    return "one after the other:"


def _is_plain(tree: Sequence) -> bool:
    return all(isinstance(f.child, Leaf) and len(f.domains) == 1 for f in tree.children)


def _below(tree: Tree) -> tuple[Tree, ...]:
    """The subtrees that the title does not tell of."""
    return () if isinstance(tree, Sequence) and _is_plain(tree) else tuple(subtrees(tree))


# -- as HTML ---------------------------------------------------------------------------------

_INSIDE: Final = f"margin:2px 0 2px 6px;padding:0 0 0 12px;border-left:{LINE}"


def tree_html(scop: Scop) -> Html:
    """The tree, a box in a box for what is inside of what."""
    return _node(scop.schedule, scop)


def _node(tree: Tree, scop: Scop) -> Html:
    if isinstance(tree, Leaf):
        return Html()
    below = [shown for t in _below(tree) if (shown := _node(t, scop))]
    if isinstance(tree, Sequence) and below:
        parts = [element("li", part) for part in below]
        below = [element("ol", *parts, style="margin:0;padding-left:1.6em")]
    elif isinstance(tree, Band | Filter):
        below = [element("div", part, style=_INSIDE) for part in below]
    title = element("div", _title(tree), style="margin:2px 0")
    return join([_band(tree, scop) if isinstance(tree, Band) else title, *below])


def _band(band: Band, scop: Scop) -> Html:
    names = loop_names(scop, band)
    rows = [(s, *map(code, f)) for s, f in formulas(band.members, scop).items()]
    rows.append(
        (_loop_cell("coincident"), *(_loop_cell("yes" if c else "no") for c in band.coincident))
    )
    if set(band.kinds) != {"sequential"}:
        rows.append((_loop_cell("runs"), *map(_loop_cell, band.kinds)))
    heads = [f"loop {k + 1}" + (f", {n}" if n != f"t{k}" else "") for k, n in enumerate(names)]
    title = element("span", sentence(band_title(band)), style="white-space:nowrap")
    return table(title, ("statement", *heads), rows)


def _loop_cell(text: str) -> Html:
    """A cell about loops, not about a statement."""
    return element("i", sentence(text))


def tree_details(scop: Scop) -> Html:
    """The tree, folded; nothing where it says no more than the program's text."""
    return details("schedule tree", tree_page(scop)) if is_notable(scop.schedule) else join(())


def tree_page(scop: Scop) -> Html:
    """The tree, and what its words mean."""
    bands = [t for t in walk(scop.schedule) if isinstance(t, Band)]
    if not bands:
        return paragraph("There are no loops.")
    notes = []
    if any(b.permutable and b.depth > 1 for b in bands):
        notes.append("The loops of a permutable band may be interchanged and tiled.")
    if any(any(b.coincident) for b in bands):
        notes.append(
            "A coincident loop carries no dependence, as long as temporaries that its iterations "
            "use again are private to them: then it may run in parallel."
        )
    return join([tree_html(scop), paragraph(" ".join(notes), muted=True)])


# -- as text ---------------------------------------------------------------------------------


def tree_lines(scop: Scop) -> list[str]:
    """The tree as lines of text, deeper ones further to the right."""
    return list(_lines(scop.schedule, scop, ""))


def _lines(tree: Tree, scop: Scop, indent: str) -> Iterator[str]:
    if isinstance(tree, Leaf):
        return
    deeper, which = indent + "  ", ""
    members = formulas(tree.members, scop) if isinstance(tree, Band) else {}
    if isinstance(tree, Band) and any(tree.coincident):
        free = [str(k) for k, c in enumerate(tree.coincident, 1) if c]
        which = f"; coincident: loop{'s' * (len(free) > 1)} {listed(free)}"
    yield f"{indent}{_title(tree)}{which}"
    width = max(map(len, members), default=0)
    yield from (f"{deeper}{s:{width}} → {vector(f)}" for s, f in members.items())
    for part in _below(tree):
        yield from _lines(part, scop, indent if isinstance(tree, Mark) else deeper)
