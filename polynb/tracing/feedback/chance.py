"""Loops that are parallel by chance: data decide where, or whether, something is written that other
iterations may read, and in this run no two of them met.

`h[a[i]]++` hands a count on wherever two of the `a[i]` are the same; a union-find does wherever two
sets meet. That no flow was seen tells of the data, not of the loop. What is known of the iterators
alone, as in `if (a[i]) b[i] += 1`, is another matter: with its condition left away, its cells are
known for all iterations, and either they meet or they never do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from polynb import isl
from polynb.folding import FoldedPiece
from polynb.tracing.equations import solution
from polynb.tracing.feedback.accumulating import gathered_in
from polynb.tracing.feedback.bands import carried, touching
from polynb.tracing.feedback.cells import known_inside
from polynb.tracing.feedback.control import stays, varies
from polynb.tracing.feedback.known import Pruned
from polynb.tracing.feedback.loops import LoopNode, common_loops
from polynb.tracing.feedback.overapproximation import MOST_PIECES, around, domain_of
from polynb.tracing.feedback.strides import iterates
from polynb.tracing.model import Folding
from polynb.tracing.records import Instruction

MOST_PAIRS: Final = 400
"""Of a store and a load in one loop that are looked at; with more, the run is believed."""


def called_once(node: LoopNode) -> str:
    """Which function a loop calls, of which nothing is known, though in one iteration alone."""
    found = next((i for i in node.inside if i.kind == "call"), None)
    return (
        "" if found is None else f"it calls {found.text} (line {found.line}); its text would tell"
    )


def met_by_chance(
    folding: Folding, node: LoopNode, known: Pruned, gathered: Sequence[str] = ()
) -> str:
    """Why a loop that carried nothing (but what it `gathered`) may do so with other data, in words;
    "" where it may not."""
    look = Meeting(folding, node.depth, known)
    if asked := look.asked_once(node):
        return asked
    accesses = [i for i in node.inside if i.outputs == ("address",) and not i.state]
    loads = [i for i in accesses if i.kind == "load"]
    count = 0
    for store in accesses:
        known_by = store.text, gathered_in(store.text)  # of whole programs, the line
        if store.kind != "store" or {*known_by} & {*gathered}:
            continue
        if not (why := look.why(store)):
            continue
        for load in loads:
            count += 1
            if count <= MOST_PAIRS and look.may_meet(store, load):
                return (
                    f"data decide {why} {store.named} (line {store.line}) is written, and another "
                    f"iteration may read it as {load.text} (line {load.line}), which none did in "
                    "this run; only what the data are could tell"
                )
    return ""


@dataclass(frozen=True, eq=False)
class Meeting:
    """What is asked of accesses in a loop whose place among the loops around is `q`."""

    folding: Folding
    q: int
    known: Pruned

    def asked_once(self, node: LoopNode) -> str:
        """What of the library's state was gone on with in one iteration alone, as data decided."""
        for i in node.inside:
            once = (
                i.state
                and i.kind == "store"
                and not iterates(self.folding.executed[i.name], self.q)
            )
            if once and self.decided(i):
                return (
                    f"data decide whether another iteration goes on with {i.state} (line "
                    f"{i.line}); only other data could tell"
                )
        return ""

    def why(self, store: Instruction) -> str:
        if self.by_data(store):
            return "where"
        return "whether" if self.decided(store) or self._skipped(store) else ""

    def decided(self, i: Instruction) -> frozenset[str]:
        """The conditions on data that decide whether it runs."""
        if self.asks:
            return frozenset(c.name for c in (self.condition(i),) if c is not None)
        return self._under(i)

    def _under(self, i: Instruction) -> frozenset[str]:
        """All conditions that are asked in the loop before it runs."""
        return frozenset(name for name, depth in i.under if depth > self.q)

    @property
    def asks(self) -> bool:
        """Whether conditions were traced, and what addresses are made from."""
        return not self.folding.sources

    @isl.guarded
    def _skipped(self, store: Instruction) -> bool:
        """Whether it did not run each time that something beside it did, or that is hard to see."""
        if self.asks:
            return False
        many = len(self.folding.executed[store.name].pieces) > MOST_PIECES
        return many or not self._beside(store).is_subset(self.domain(store))

    def domain(self, i: Instruction) -> isl.Set:
        """Its vectors, of no name; around very many pieces, a box."""
        domain = around(i, self.folding.executed[i.name])
        return domain.reset_tuple_id() if domain.has_tuple_id() else domain

    def _beside(self, i: Instruction) -> isl.Set:
        """The vectors of all that is in the same loops, but what their heads ask, which is once
        more than their iterations are."""
        found = self.domain(i)
        heads = {(x.file, x.line) for x in self.folding.loops if x.name in i.loops}
        for other in self.folding.instructions.values():
            asks = other.kind == "integer" or (other.file, other.line) != (i.file, i.line)
            if asks and (other.file, other.line) in heads:
                continue
            if (other.loops, other.place) == (i.loops, i.place):
                found = found.union(self.domain(other))
        return found

    def by_data(self, access: Instruction) -> bool:
        """Whether its address is made from numbers that iterations of the loop load. (Pointers
        that are loaded lead to rows, which are apart.) Where that is not known: whether its text
        says so, or it is no function of the loop's iterators."""
        if not self.asks:
            if access.loops[self.q] in access.counted:
                return False
            addresses = self.folding.executed[access.name]
            return access.loops[self.q] in access.placed or not known_inside(addresses, self.q)
        return any(self._loaded(n, {access.name}) for n in access.placed)

    def _loaded(self, name: str, seen: set[str]) -> bool:
        i = self.folding.instructions.get(name)
        if i is None or name in seen or self.known.knows(name, self.q):
            return False
        seen.add(name)
        if i.kind == "load":
            pointer = i.element == "unsigned" and i.size == POINTER
            return not (pointer or stays(self.folding, i, i, self.q, self.known))
        if i.kind == "call":
            return True
        sources = (a for a, b in self.folding.dependences if b == name)
        return any(self._loaded(a, seen) for a in sources)

    def condition(self, i: Instruction) -> Instruction | None:
        """The outermost of them, where conditions were traced."""
        for name, depth in sorted(i.under, key=lambda x: x[1]):
            c = self.folding.conditions.get(name)
            if c is not None and depth > self.q and varies(self.folding, c, self.q, self.known):
                return c
        return None

    def may_meet(self, store: Instruction, load: Instruction) -> bool:
        """Whether, with other data, the load may read what an earlier iteration stored."""
        if store.loops[self.q] in store.fresh:
            return False  # other iterations have another one
        if not self._blocks(store) & self._blocks(load) or self._covered(load):
            return False
        if self.by_data(store) or self.by_data(load):
            return True
        a, b = self.everywhere(store), self.everywhere(load)
        if a is None or b is None:
            return True
        return not carried(touching(a, b, (store.size, load.size)), self.q).is_empty()

    def _blocks(self, i: Instruction) -> set[int]:
        """The blocks of memory that an access was seen in (-1: in none that has a name)."""
        found = set()
        for piece in self.folding.executed[i.name].pieces[:MOST_PIECES]:
            inside = (k for k, b in enumerate(self.folding.blocks) if piece.at_anchor in b)
            found.add(next(inside, -1))
        return found

    def variables(self, i: Instruction) -> set[str]:
        """The variables that an access was seen in; "" in others."""
        pieces = self.folding.executed[i.name].pieces
        found = {""} if len(pieces) > MOST_PIECES else set[str]()
        for at in (p.at_anchor for p in pieces[:MOST_PIECES]):
            found |= {b.name for b in self.folding.blocks if at in b} or {""}
        return found

    @isl.guarded
    def _covered(self, load: Instruction) -> bool:
        """Whether each time the cell was written before in the same iteration, also by what no data
        decide on."""
        read = self.folding.executed[load.name]
        if len(read.pieces) > MOST_PIECES:
            return False
        left, sure = domain_of(load, read), False
        for (a, b), flow in self.folding.dependences.items():
            store = self.folding.instructions[a]
            if b != load.name or store.kind != "store" or len(flow.pieces) > MOST_PIECES:
                continue
            if common_loops(self.folding, store, load) > self.q and not self.by_data(store):
                left = left.subtract(domain_of(load, flow))
                same = self._under(store) <= self._under(load)
                sure = sure or same or not self.decided(store)
        return sure and bool(left.is_empty())

    @isl.guarded
    def everywhere(self, i: Instruction) -> isl.Map | None:
        """Its addresses, also where its conditions did not hold; None where no one function of the
        iterators gives them."""
        function = _one_function(self.folding.executed[i.name].pieces)
        if function is None:
            return None
        domain = self.domain(i) if self.asks else self._beside(i)
        c = self.condition(i)
        if c is not None:
            inner = domain.project_out(isl.SET, 0, len(c.loops))
            asked = self.folding.tested[c.name].domain
            bare = [x.reset_tuple_id() if x.has_tuple_id() else x for x in (asked, inner)]
            domain = bare[0].flat_product(bare[1])
        terms = " + ".join(f"{x}*i{k}" for k, x in enumerate(function[1:]))
        names = ", ".join(f"i{k}" for k in range(len(i.loops)))
        text = f"{{ [{names}] -> [{function[0]}{' + ' * bool(terms)}{terms}] }}"
        found: isl.Map = isl.read_map(text).intersect_domain(domain)
        return found


POINTER: Final = 8
"""Bytes of a pointer."""


def _one_function(pieces: tuple[FoldedPiece, ...]) -> tuple[int, ...] | None:
    """The constant and the coefficients of the one affine function that all pieces are of, where
    their vertices are enough to know it by."""
    if not pieces or len(pieces) > MOST_PIECES or not all(p.is_affine for p in pieces):
        return None
    points = {v: p.labels[0](v) for p in pieces for v in p.vertices}
    found = solution(((1, *v, at) for v, at in points.items()), 1 + len(pieces[0].anchor))
    whole = found is not None and all(x.denominator == 1 for x in found)
    return tuple(map(int, found)) if found is not None and whole else None
