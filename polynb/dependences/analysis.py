"""Scop -> Dependences, array by array, each computed once and kept while nothing changes it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, Final

from polynb import isl
from polynb.arguments import instance, one_of, optional, several_names
from polynb.conveniences import Conveniences
from polynb.dependences.flow import Flow, flow, next_overwrites
from polynb.dependences.memory import live_out_writes, memory_edges, read_kills
from polynb.dependences.model import Edge
from polynb.derivation import Derivation, as_scop
from polynb.scop.model import Scop, Statement
from polynb.scop.storage import in_memory

DEPENDENCE_KINDS: Final = ("raw", "war", "waw", "rar")


@dataclass(frozen=True, eq=False)
class Dependences(Conveniences):
    """The dependences of a Scop (paper CC'18, section 2.2), at access granularity.

    `raw`, `war`, `waw` are value-based (last write before a read; next write after an access),
    `memory("raw")` and so on memory-based (all pairs). All are `{ S[i] -> T[j] }`. Values flow
    through arrays; what overwrites what, and is memory-based, is about the memory they live in.
    """

    scop: Scop
    kills: isl.UnionMap | None = None
    _flows: dict[str, tuple[Any, Flow]] = field(default_factory=dict, repr=False)

    def flow(self, array: str) -> Flow:
        """The value-based flow through one array. Raises PolynbError for one that there is not."""
        one_of("array", array, self.scop.arrays)
        touched = self._touched.get(array, [])
        known = self._flows.get(array)
        if known is None or not _unchanged(known[0], touched):
            known = touched, self._flow(array)
        else:
            known = touched, known[1]  # the very list: at the next call this is seen at once
        self._flows[array] = known
        return known[1]

    @isl.bounded("the computation of the flow of values")
    def _flow(self, array: str) -> Flow:
        return flow(self.scop.statements, array, self.kills)

    @cached_property
    def _touched(self) -> dict[str, list[Any]]:
        """The objects that the flow through each array depends on."""
        found: dict[str, list[Any]] = {}
        for s in self.scop.statements:
            for k, a in enumerate((s.write, *s.reads)):
                found.setdefault(a.array, []).extend((s.name, k, a, s.domain, s.schedule))
        return found

    @cached_property
    def edges(self) -> tuple[Edge, ...]:
        """All value-based RAW, WAR and WAW edges, array by array."""
        return (*self.flow_edges, *self.anti_edges, *self.output_edges)

    def edges_through(self, arrays: Collection[str]) -> tuple[Edge, ...]:
        """Those through some arrays, of which each is its own memory. Raises PolynbError for one
        that there is not."""
        arrays = several_names("arrays", arrays, self.scop.arrays)
        flow = (e for a in self.scop.arrays if a in arrays for e in self.flow(a).edges)
        return (*flow, *self._overwrites("war", arrays), *self._overwrites("waw", arrays))

    @cached_property
    def flow_edges(self) -> tuple[Edge, ...]:
        return tuple(e for a in self.scop.arrays for e in self.flow(a).edges)

    @cached_property
    def anti_edges(self) -> tuple[Edge, ...]:
        return self._overwrites("war")

    @cached_property
    def output_edges(self) -> tuple[Edge, ...]:
        return self._overwrites("waw")

    @isl.bounded("the computation of dependences")
    def _overwrites(self, kind: str, arrays: Collection[str] | None = None) -> tuple[Edge, ...]:
        memory = self._memory
        these = (a for a in memory.arrays if arrays is None or a in arrays)
        return tuple(e for a in these for e in next_overwrites(memory.statements, a, kind))

    @isl.bounded("the computation of dependences")
    def memory(self, kind: str) -> tuple[Edge, ...]:
        """The memory-based edges of a kind: "raw", "war", "waw" or "rar"."""
        one_of("kind", kind, DEPENDENCE_KINDS, "kind of dependence")
        memory = self._memory
        return tuple(e for a in memory.arrays for e in memory_edges(memory.statements, a, kind))

    @cached_property
    def _memory(self) -> Scop:
        return in_memory(self.scop)

    @cached_property
    def raw(self) -> isl.UnionMap:
        return isl.union_map(e.relation for e in self.flow_edges)

    @cached_property
    def war(self) -> isl.UnionMap:
        """Self-WAR included: an instance that overwrites a cell it reads."""
        return isl.union_map(e.relation for e in self.anti_edges)

    @cached_property
    def waw(self) -> isl.UnionMap:
        return isl.union_map(e.relation for e in self.output_edges)

    @cached_property
    @isl.bounded("the computation of what is live-in")
    def live_in(self) -> isl.UnionMap:
        """`{ T[j] -> A[x] }`: reads that may see what was there before the program, as no write
        or kill of the cell is sure to precede."""
        return isl.union_map(m for a in self.scop.arrays for m in self.flow(a).live_in.values())

    @cached_property
    @isl.bounded("the computation of what is live-out")
    def live_out(self) -> isl.UnionMap:
        """`{ S[i] -> A[x] }`: writes of live-out arrays that no later write or kill is sure to
        undo."""
        with isl.wrapped():
            return isl.union_map(self.live_out_of(s) for s in self.scop.statements)

    def live_out_of(self, s: Statement) -> isl.Map:
        """`{ S[i] -> A[x] }`: the writes of one statement among them."""
        instance("s", s, Statement, "one of scop.statements")
        return live_out_writes(self.scop, s, self.kills)

    def __repr__(self) -> str:
        return f"<Dependences of {self.scop.name}>"


def analyze(
    program: Scop | Derivation,
    *,
    kills: isl.UnionMap | str | None = None,
    previous: Dependences | None = None,
) -> Dependences:
    """The dependences of a program, each kind computed when it is first asked for.

    `kills` is `{ S[i] -> A[x] }`: cells whose content S[i] destroys. From `previous`, the
    dependences of an earlier version of the program, the arrays whose accesses are still the
    same objects are taken over. Raises PolynbError for kills of unknown statements or arrays.
    """
    scop = as_scop(program)
    kills = read_kills(scop, kills)
    optional(instance, "previous", previous, Dependences, "what analyze returned")
    if kills is None and previous is None:
        return _alone(scop)
    known = dict(previous._flows) if previous is not None and previous.kills is kills else {}
    return Dependences(scop, kills, known)


@lru_cache(maxsize=8)
def _alone(scop: Scop) -> Dependences:
    """Those of the few programs that were asked about last, the very objects, are kept: what is
    decided of a program in several steps asks for them in each."""
    return Dependences(scop)


def _unchanged(before: list[Any], now: list[Any]) -> bool:
    return before is now or (
        len(before) == len(now)
        and all(
            a is b or (isinstance(a, str | int) and a == b)
            for a, b in zip(before, now, strict=True)
        )
    )
