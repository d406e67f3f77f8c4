"""What was probably mistyped in a program: nothing is wrong with it, and it is asked about.

A name is asked about only where something else is odd: a temporary whose values go nowhere, an
input that nothing uses, a scalar in a subscript that no loop counts. How near two names must be
depends on how odd that is (`polynb/source/typos.py`)."""

from __future__ import annotations

from collections.abc import Iterator

from polynb.scop.doubt import Doubt
from polynb.scop.doubtful_cells import doubtful_cells
from polynb.scop.doubtful_types import doubtful_types
from polynb.scop.mentions import Mention, Mentions, Occurring
from polynb.scop.model import Scop
from polynb.scop.oddities import oddities
from polynb.scop.slips import slips
from polynb.source import tree as syntax
from polynb.source.functions import MATH_FUNCTIONS
from polynb.source.typos import (
    SHORTEST,
    are_twins,
    is_short_of,
    is_slip,
    looks_like,
    meant,
    meant_by_unknown,
    nearest,
)
from polynb.words import listed


def only_named(d: syntax.Declaration) -> bool:
    """Whether `temp d;` says no more of an array than that. (A type or sizes declare one.)"""
    return d.role == "temp" and d.type is None and d.extents is None


def doubts(scop: Scop) -> tuple[Doubt, ...]:
    """The questions about a program, in the order of its text; none about one without a text."""
    if scop.program is None:
        return ()
    names = Mentions(scop.program)
    doubts = list(_questions(names))
    program = scop.program
    for more in (
        oddities(names),
        (d for d in slips(program) if not any(map(d.is_within, doubts))),
        doubtful_types(scop),
        doubtful_cells(scop),
    ):
        about = {x for d in doubts for x in (_array(d), d.meant, _place(d))} - {None}
        doubts += (d for d in more if not about & {d.name, _place(d)})
    return tuple(sorted(doubts, key=lambda d: _place(d) or 0))


def _array(d: Doubt) -> str:
    """The name, or that of the cell, which is asked about."""
    return d.name.strip("`").split("[")[0]


def _place(d: Doubt) -> int | None:
    return d.span.start if d.span is not None else None


def _questions(names: Mentions) -> Iterator[Doubt]:
    """One for each name; a temporary that another name was meant by is not asked about again."""
    explained: set[str] = set()
    for name, places in names.names.items():
        if name in names.program.undeclared:
            yield from _parameter(names, name, places)
    for name, places in names.undeclared():
        doubt = _read(names, name, places) if places.only_read else None
        doubt = _written(names, name, places) if places.dead else doubt
        if doubt is not None:
            explained |= {doubt.name, doubt.meant}
            yield doubt
    for d in names.program.unused:
        yield Doubt(d.name, "", "an argument that nothing uses", span=d.span)
    for name, d in names.declared.items():
        if name not in explained:
            yield from _unused(names, d, explained) if name not in names.names else _role(names, d)


# -- names that nothing declares -------------------------------------------------------------


def _read(names: Mentions, name: str, places: Occurring) -> Doubt | None:
    """Of a name that is only read."""
    index = next((r for r in places.reads if r.indexes), None)
    if index is not None and not places.rank:
        return _index(names, name, index, f"If not, `input {name};` says so")
    silence = f"If not, {_silence(names, name, places.rank)}"
    if name in MATH_FUNCTIONS and places.rank:
        call, why = f"{name}(...)", "a function in C, and indexed here"
        return Doubt(name, call, why, silence, places.reads[0].span)
    other = _meant_by_read(names, name, places)
    if other is not None:
        return Doubt(name, other, "read and never written", silence, places.reads[0].span)
    return _not_declared(names, name, places) or _first_of_another(names, name, places)


def _not_declared(names: Mentions, name: str, places: Occurring) -> Doubt | None:
    """Of a name that is only read, where inputs are declared: all results too, or a temporary that
    may have been meant."""
    inputs = [n for n, d in names.declared.items() if d.role == "input" and n in names.names]
    others = (n for n, x in names.undeclared() if x.writes and n not in names.temporaries)
    same = [n for n in names.of_rank(places.rank) if n in names.temporaries]
    sure = any(d.role == "input" and n not in names.names for n, d in names.declared.items())
    near = nearest(name, same) if len(places.reads) == 1 and not sure else None
    if not inputs or (any(others) and near is None) or names.program.language != "scop":
        return None
    why = f"read and never written, and not declared, as all others are ({listed(inputs)})"
    mend = f"If it is, `input {name};` says so"
    asks = "is it an input too?" if near is None else f"is it an input too, or is {near} meant?"
    other = meant_by_unknown(name, inputs) or ""
    return Doubt(name, other, why, mend, places.reads[0].span, asks)


def _first_of_another(names: Mentions, name: str, places: Occurring) -> Doubt | None:
    """Of `a` in `s[0] = a[0]; for i = 1 to N do s[i] = s[i-1] + s[i]; done`."""
    (read, *more), into = places.reads, names.names.get(places.reads[0].into)
    if more or read.loops or into is None or not places.rank == into.rank == 1:
        return None
    written = [w.span.text for w in into.writes if w.span is not None and len(w.loops) == 1]
    itself = {r.span.text for r in into.reads if r.span is not None and r.into == read.into}
    others = (x for n, x in names.names.items() if n != read.into and n not in names.constants)
    alone = not any(r.into == read.into and r.loops for x in others for r in x.reads)
    if len(into.writes) == 2 and len(itself) > 1 and alone and itself & {*written}:
        why = f"read for the first value of {read.into} alone"
        return Doubt(name, "", why, f"If not, `input {name};` says so", read.span,
                     f"is one of the {read.into} behind it an {name}?")  # fmt: skip
    return None


def _meant_by_read(names: Mentions, name: str, places: Occurring) -> str | None:
    same = [n for n in names.of_rank(places.rank) if n != name]
    sure = nearest(name, (n for n in names.lost if n in same and _follows(names, name, n)))
    better = (n for n, x in names.undeclared() if x.only_read and is_slip(n, str(sure)))
    if sure is not None and (is_slip(name, sure) or not any(better)):
        return sure
    # Meant if it stands at several places, unless what it looks like is written for nobody.
    other = meant(name, (n for n in same if _established(names, n)))
    if other is not None and not _is_one_of_several(names, name, other):
        once = len(places.reads) == 1 or name.lower() == other.lower()
        return other if once or _left(names, name, other) else None
    once = len(places.reads) == 1
    for n in same:
        kept = once and (n in names.temporaries or n in names.constants)
        slip = is_slip(name, n) or (not places.rank and is_short_of(name, n))
        if slip and (kept or _left(names, name, n) or _are_twins(names, name, n)):
            return n
    return None


def _is_one_of_several(names: Mentions, name: str, other: str) -> bool:
    """Whether another input differs in a letter from `other` as well: Sxx and Syy from Sxy."""
    inputs = (n for n, places in names.undeclared() if places.only_read and n != name)
    return are_twins(name, other) and any(are_twins(n, other) for n in inputs)


def _are_twins(names: Mentions, name: str, other: str) -> bool:
    """Whether `abcd` stands behind `acbd`, or `co` behind `c0`, each once, and nothing else is
    known of them. (Short names may be in any order on purpose: xy and yx, Ex and ex.)"""
    first, then = (names.names[n] for n in (other, name))
    if other in names.declared or not all(x.only_read and len(x.reads) == 1 for x in (first, then)):
        return False
    behind = _start(first.reads[0]) < _start(then.reads[0])
    alike = looks_like(name, other) and name.lower() != other.lower()
    return behind and (alike or min(len(name), len(other)) > SHORTEST)


def _start(place: Mention) -> int:
    return place.span.start if place.span is not None else 0


def _left(names: Mentions, name: str, other: str) -> bool:
    """Whether another name is written for nobody, and not from this one: `xx = x * x` is meant."""
    return names.names[other].dead and not _goes_into(names, name, other)


def _follows(names: Mentions, name: str, other: str) -> bool:
    """Whether a name could be read for what another one was written: behind it, and not for it."""
    read, written = names.names[name].reads[-1], names.names[other].writes[0]
    return _start(read) > _start(written) and not _goes_into(names, name, other)


def _goes_into(names: Mentions, name: str, other: str) -> bool:
    return any(r.into == other for r in names.names[name].reads)


def _written(names: Mentions, name: str, places: Occurring) -> Doubt | None:
    """Of a name that is only written."""
    same = [n for n in names.of_rank(places.rank) if n != name]
    span, why = places.writes[0].span, "written and never read"
    unset = nearest(name, (n for n in names.unset if n in same and not _goes_into(names, n, name)))
    if unset is not None:
        return Doubt(name, unset, f"{why}, and {unset} read and never written", span=span)
    both = [n for n in same if names.names[n].writes and names.names[n].reads]
    again = next((w for w in places.writes if w.again), None)
    other = nearest(name, both) if again is not None and len(places.writes) == 1 else None
    if again is not None and other is not None:
        return Doubt(name, other, f"written anew by each {again.loops[-1]}, and never read",
                     span=span)  # fmt: skip
    results = [n for n, d in names.declared.items() if d.role == "output" and n in same]
    slips = (n for n in (*both, *results) if min(len(n), len(name)) >= SHORTEST)
    slip = next((n for n in slips if is_slip(name, n)), None)
    if slip is not None:
        return Doubt(name, slip, why, span=span)
    whole = next((n for n in same if names.names[n].dead and _is_cut_short(name, n)), None)
    if whole is not None and len(places.writes) == 1 and whole not in names.declared:
        return Doubt(name, whole, why, span=span)
    return _first_value(names, name, places)


def _is_cut_short(name: str, whole: str) -> bool:
    """Whether one letter inside of a name is missing."""
    return any(whole[:k] + whole[k + 1 :] == name for k in range(1, len(whole) - 1))


def _first_value(names: Mentions, name: str, places: Occurring) -> Doubt | None:
    """Of a name that is given a first value and never read, where another one, around whose loops
    that is, is only ever computed from itself."""
    (first, *others), same = places.writes, names.of_rank(places.rank)
    if others or not first.begins:
        return None
    for other in same:
        loops = [w.loops for w in names.names[other].writes]
        inside = all(
            x[: len(first.loops)] == first.loops and len(x) > len(first.loops) for x in loops
        )
        if (
            loops
            and inside
            and _start(first) < _start(names.names[other].writes[0])
            and _only_added_to(names, other)
        ):
            why = f"given a first value and never read, and {other} has none"
            return Doubt(name, other, why, span=first.span)
    return None


def _only_added_to(names: Mentions, name: str) -> bool:
    """Whether a name is only ever computed from itself, and nothing says that it has a value."""
    itself = sum(r.into == name and not r.indexes for r in names.names[name].reads)
    declared = names.declared.get(name)
    return itself >= len(names.names[name].writes) and (declared is None or declared.role is None)


def _parameter(names: Mentions, name: str, places: Occurring) -> Iterator[Doubt]:
    """Of a size that nothing declares."""
    if places.reads and all(r.indexes for r in places.reads):
        yield _index(names, name, places.reads[0], f"If not, `int {name};` says so")
    elif len(places.reads) == 1:
        program = names.program
        known = (p for p in program.parameters if len(names.names[p].reads) > 1)
        declared = {*program.parameters} - {*program.undeclared}
        other = meant(name, {*known, *declared})
        if other is not None:
            why, span = "a size of its own, used once", places.reads[0].span
            yield Doubt(name, other, why, f"If not, `int {name};` says so", span)


def _index(names: Mentions, name: str, read: Mention, otherwise: str) -> Doubt:
    """Of a scalar in a subscript that no loop counts and nothing writes."""
    parameters = [p for p in names.program.parameters if p != name]
    other = meant_by_unknown(name, (*read.loops, *parameters))
    asks = f"is a loop over {name} missing?"
    if other is None and len(read.loops) == 1 and len(name) == len(read.loops[0]) == 1:
        asks = f"did you mean {read.loops[0]}, or {asks}"
    why = "in a subscript, and no loop around it counts it"
    return Doubt(name, other or "", why, otherwise, read.span, asks)


def _established(names: Mentions, name: str) -> bool:
    """Whether there is more to a name than that it is read once."""
    places = names.names[name]
    declared = name in names.declared or name in names.constants
    return declared or bool(places.writes) or len(places.reads) > 1


def _silence(names: Mentions, name: str, rank: int) -> str:
    declaration = f"input {name};"
    if names.program.language == "c":
        declaration = f"double {name}{'[]' + '[n]' * (rank - 1) if rank else ''};"
    return f"`{declaration}` says so"


# -- names that something declares -----------------------------------------------------------


def _unused(names: Mentions, d: syntax.Declaration, explained: set[str]) -> Iterator[Doubt]:
    """Of a declaration of what does not occur: another name was meant that does what it says."""
    used = [n for n, places in names.undeclared() if n not in explained and _fits(d.role, places)]
    other = nearest(d.name, used)
    temporary = d.role == "temp"
    why = "called temporary, and nothing uses it" if temporary else "declared and never used"
    if other is not None:
        yield Doubt(d.name, other, why, span=d.span)
    elif names.program.language == "scop" and (only_named(d) or not temporary):
        yield Doubt(d.name, "", why, span=d.span)


def _fits(role: str | None, places: Occurring) -> bool:
    """Whether a name is used as one of that role would be."""
    if role == "temp":
        return bool(places.writes and places.reads)
    return places.only_read if role == "input" else bool(places.writes) or role is None


def _in_front(d: syntax.Declaration, program: syntax.Program) -> bool:
    """Whether a declaration is before all statements, where compilers have theirs."""
    first = program.body[0].span if program.body else None
    return d.span is None or first is None or d.span.start <= first.start


def _role(names: Mentions, d: syntax.Declaration) -> Iterator[Doubt]:
    """Of what is called temporary or an output, and is used otherwise."""
    local = names.program.language == "c" and bool(d.why)
    mentioned = names.names[d.name]
    left = local and _in_front(d, names.program) and not (mentioned.rank or mentioned.reads)
    called = d.why if local else "called temporary"
    kept = any(n.writes and name not in names.temporaries for name, n in names.names.items())
    if d.name in names.lost and not (left and kept):
        why = f"{called}, and nothing {'else ' * bool(names.names[d.name].reads)}reads it"
        why = why if kept else f"{called}, as is all that the program writes: no result is left"
        way = "make it an argument of the function" if local else "do not call it temporary"
        asks, so = ("is it needed?", "it is a result") if kept else ("is it the result?", "so")
        yield Doubt(d.name, "", why, f"If {so}, {way}", d.span, asks)
    elif d.name in names.unset and not local:
        yield Doubt(d.name, "", f"{called}, and nothing writes it", f"If so, `input {d.name};`",
                    d.span, "is it an input?")  # fmt: skip
    elif d.role in ("output", "inout") and names.names[d.name].only_read:
        dead = (n for n, places in names.undeclared() if places.dead)
        wrong = [n for n in dead if not _goes_into(names, d.name, n)]
        called = "an output" if d.role == "output" else "inout"
        yield Doubt(d.name, nearest(d.name, wrong) or "", f"declared {called}, and nothing "
                    "writes it", f"If not, `input {d.name};`", d.span, "is it one?")  # fmt: skip
    elif d.role != "temp" and names.names[d.name].dead:
        doubt = _first_value(names, d.name, names.names[d.name])
        if doubt is not None:
            yield doubt
