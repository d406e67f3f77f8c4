"""What iterations of a loop overwrite, where it is read after the loop.

A copy for each iteration removes output dependences, but what is read afterwards has to be what the
loop left there. Of a cell that each iteration writes this is the last iteration's value, which can
be kept (OpenMP: lastprivate). Otherwise which iteration wrote last is known in order alone, and the
loop is not parallel: `if (a[i] == x) last = i;`, `h[a[i]] = i;`. Where no two iterations met in
this run, but data decide that, it is not known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from polynb import isl
from polynb.tracing.feedback.accumulating import variable_of
from polynb.tracing.feedback.bands import carried, touching
from polynb.tracing.feedback.cells import in_one_cell, known_inside
from polynb.tracing.feedback.chance import Meeting
from polynb.tracing.feedback.closed import bare, leaping
from polynb.tracing.feedback.control import varies
from polynb.tracing.feedback.known import Pruned
from polynb.tracing.feedback.loops import LoopNode, loop_keys
from polynb.tracing.feedback.overapproximation import MOST_PIECES, around
from polynb.tracing.feedback.reuse import MemoryReuse
from polynb.tracing.feedback.unread import has_met, unread_of
from polynb.tracing.model import Folding, Pair
from polynb.tracing.records import Instruction, Taken

WOULD: Final = "which none did in this run; only what the data are could tell"

PERHAPS: Final = "may read it, on a way that this run did not take; one that takes it would tell"


@dataclass(frozen=True)
class LeftBehind:
    """What a loop leaves, in words: `lost` are the output dependences that it carries, `last` what
    has to be kept of its last iteration, `chance` why it may carry another with other data."""

    lost: tuple[str, ...] = ()
    last: tuple[str, ...] = ()
    chance: str = ""


@isl.guarded
def left_by(
    folding: Folding, node: LoopNode, known: Pruned, reused: Iterable[MemoryReuse] = ()
) -> LeftBehind:
    """What a loop that carries no flow leaves, in registers and in memory."""
    lost, last, chance = dict[str, int](), dict[str, int](), ""
    look = _Stores(folding, node, known)
    for r in node.loop.remains:
        kept = r.always or (bool(r.loops) and all(map(look.runs_in_each, r.loops)))
        (last if kept else lost)[f"{r.variable} (line {r.line})"] = r.read
    again = {n for r in reused if r.sure and r.kind == "output" for n in (r.source, r.target)}
    for (a, b), t in _taken(folding, again, node.depth).items():
        store = look.inside.get(a)
        if store is None or store.kind not in ("store", "move") or store.state or store.counts:
            continue
        if t.over >> node.depth & 1:
            name = f"{_name(store)} (line {store.line})"
            kept = not t.early >> node.depth & 1 and look.by_the_last(store)
            (last if kept else lost).setdefault(name, t.line)
        elif look.is_over((a, b)):
            chance = chance or look.chance(store, t.line)
    for store in look.inside.values():
        name = f"{_name(store)} (line {store.line})"
        read = None if name in lost or name in last else unread_of(folding, node, store)
        if read is None:
            continue
        met = has_met(folding, node, store)
        if met and look.by_the_last(store):
            last[name] = read.line
        elif met and read.variable:
            lost[name] = read.line
        elif met:
            chance = chance or f"{name} is overwritten, and line {read.line} {PERHAPS}"
        else:
            chance = chance or look.chance(store, read.line)
    return LeftBehind(
        tuple(f"{name}, which is read after it (line {at})" for name, at in lost.items()),
        tuple(
            f"the last iteration's value of {name} after it (line {at}; OpenMP: lastprivate)"
            for name, at in last.items()
        ),
        chance,
    )


def _taken(folding: Folding, again: set[str], q: int) -> Mapping[Pair, Taken]:
    """What was read of what stores left. Where nothing was told of that, what several iterations
    write (`again`) is taken for overwritten wherever it is read outside."""
    if folding.taken is not None:
        return folding.taken
    flows = ((p, folding.instructions[p[1]]) for p in folding.dependences if p[1] in
             folding.instructions)  # fmt: skip
    return {p: Taken(i.line, (p[0] in again and len(i.loops) <= q) << q) for p, i in flows}


def shares(node: LoopNode, i: Instruction) -> bool:
    """Whether an instruction writes a variable in a register of the loop's function that its
    iterations do not make anew, nor count."""
    made = i.counts or node.loop.name in i.fresh
    return i.kind == "move" and i.place == node.key[0] and not made


def _name(store: Instruction) -> str:
    return store.variable or variable_of(store) or store.text


@dataclass(frozen=True, eq=False)
class _Stores:
    """What is asked of the stores in a loop, whose place among those around is `q`."""

    folding: Folding
    node: LoopNode
    known: Pruned

    @cached_property
    def inside(self) -> Mapping[str, Instruction]:
        return {i.name: i for i in self.node.inside}

    @cached_property
    def meeting(self) -> Meeting:
        return Meeting(self.folding, self.node.depth, self.known)

    def is_over(self, pair: Pair) -> bool:
        """Whether the loop was over when it was read."""
        if pair[1] not in self.inside:
            return True
        pieces = self.folding.dependences[pair].pieces
        return any(True for p in pieces for _ in leaping(p, self.node.depth))

    def by_the_last(self, store: Instruction) -> bool:
        """Whether what it left is always the last iteration's, as each writes the same cells: by
        itself, or by another one (`t = 1; if (a[i] > x) t = 5;`)."""
        return self._always(store) or any(
            self._always(i) for i in self.inside.values() if self._in_its_cell(i, store)
        )

    def _in_its_cell(self, i: Instruction, store: Instruction) -> bool:
        """Whether two stores have one address."""
        if i is store or i.kind != "store" or i.outputs != store.outputs or i.size != store.size:
            return False
        runs = [self.folding.executed[x.name] for x in (i, store)]
        one = i.outputs == ("address",) and all(in_one_cell(f, 0) for f in runs)
        return one and runs[0].pieces[0].at_anchor == runs[1].pieces[0].at_anchor

    def _always(self, store: Instruction) -> bool:
        if self.node.loop.name in store.always:
            return True
        if self.meeting.decided(store) or self.node.loop.name in store.some:
            return False
        runs, q = self.folding.executed[store.name], self.node.depth
        moves = (p.labels[0].coefficients[q] != 0 for p in runs.pieces if p.labels)
        if store.outputs == ("address",) and (any(moves) or not known_inside(runs, q)):
            return False
        return len(runs.pieces) <= MOST_PIECES and self._in_each(store)

    def _in_each(self, store: Instruction) -> bool:
        """Whether it ran in all iterations, and in the same ones of the loops within."""
        q, mine = self.node.depth, self.meeting.domain(store)
        inner = mine.dim(isl.SET) - q - 1
        every = isl.united(
            self.meeting.domain(i).project_out(isl.SET, q + 1, len(i.loops) - q - 1)
            for i in self._beside(store)
        )
        ran = mine.project_out(isl.SET, q, 1).insert_dims(isl.SET, q, 1)
        whole = ran.intersect(every.add_dims(isl.SET, inner))
        return bool(whole.is_subset(mine))

    def _beside(self, *stores: Instruction) -> Iterator[Instruction]:
        """All in the loop but what its head, and heads within, ask, once more than iterations."""
        yield from stores
        loops = {x.name: x for x in self.folding.loops}
        for i in self.inside.values():
            heads = {(loops[n].file, loops[n].line) for n in i.loops if n in loops}
            steps = variable_of(i) is not None and (self.meeting.asks or i.kind == "move")
            if i.kind != "condition" and (steps or (i.file, i.line) not in heads):
                yield i

    def runs_in_each(self, name: str) -> bool:
        """Whether a loop within has an iteration in each one, whatever the data are."""
        ran, q = [*self._begun(name)], self.node.depth
        every = (self.meeting.domain(i) for i in self._beside())
        return bool(ran) and all(_outer(x, q).is_subset(isl.united(ran)) for x in every)

    def _begun(self, name: str) -> Iterator[isl.Set]:
        """The iterations in which a loop within has one: those in which something of it, that no
        data decide on, came a second time. (What its head asks comes once more.)"""
        key, q = (self.node.key[0], name), self.node.depth
        runs = {**self.folding.tested, **self.folding.executed}
        for i in self.inside.values():
            keys, pieces = loop_keys(self.folding, i), runs[i.name].pieces
            exact = len(pieces) <= MOST_PIECES and not any(p.approximate for p in pieces)
            if key in keys[q + 1 :] and exact and not self._chosen(i):
                again = around(i, runs[i.name]).lower_bound_val(
                    isl.SET, keys.index(key), isl.Val(1)
                )
                yield _outer(again, q)

    def _chosen(self, i: Instruction) -> bool:
        """Whether data decide on it, or that is not known."""
        if i.kind == "condition" and varies(self.folding, i, self.node.depth, self.known):
            return True
        told = self.meeting.asks or i.kind in ("store", "move")
        return not told or bool(self.meeting.decided(i))

    def chance(self, store: Instruction, line: int) -> str:
        """Why another iteration may overwrite it with other data, in words; "" where none can."""
        name = f"{_name(store)} (line {store.line})"
        read = f"is written, which is read after the loop (line {line})"
        if self._placed_by_data(store):
            return f"data decide where {name} {read}, and two iterations may meet, {WOULD}"
        if self.meeting.decided(store) and self._may_meet_itself(store):
            return f"data decide whether {name} {read}, and another one may write it, {WOULD}"
        return ""

    def _placed_by_data(self, store: Instruction) -> bool:
        if self.node.loop.name in store.fresh:
            return False
        if self.meeting.asks:
            return self.meeting.by_data(store)
        return self.node.loop.name in store.placed

    def _may_meet_itself(self, store: Instruction) -> bool:
        if store.kind == "move" or self.node.loop.name in store.fresh:
            return self.node.loop.name not in store.fresh
        cells = self.meeting.everywhere(store)
        if cells is None:
            return True
        again = touching(cells, cells, (store.size, store.size))
        return not carried(again, self.node.depth).is_empty()


def _outer(domain: isl.Set, q: int) -> isl.Set:
    """The vectors of the loops up to the q-th, of no name."""
    return bare(domain).project_out(isl.SET, q + 1, domain.dim(isl.SET) - q - 1)
