"""Memory that a loop uses again: anti and output dependences, which are not traced but follow from
the addresses, and registers that every iteration writes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from polynb import isl
from polynb.folding import Folded
from polynb.tracing.feedback.accumulating import variable_of
from polynb.tracing.feedback.bands import at_depth, carried, touching
from polynb.tracing.feedback.loops import LoopNode
from polynb.tracing.feedback.overapproximation import FlowDependence, domain_of, tuple_name
from polynb.tracing.model import Folding
from polynb.tracing.records import Instruction
from polynb.words import shortened


@dataclass(frozen=True)
class MemoryReuse:
    """Two accesses, a store among them, that touch the same bytes in different iterations of a
    loop. `kind` is "anti" (read, then overwritten) or "output" (written twice). Not `sure`: the
    addresses are not affine, so that it may be. `texts` are the accesses."""

    kind: str
    source: str
    target: str
    sure: bool
    texts: tuple[str, str]

    def __str__(self) -> str:
        about = f"{self.source} -> {self.target} ({' and '.join(dict.fromkeys(self.texts))})"
        return f"{'' if self.sure else 'perhaps '}{self.kind} {about}"


ANYWHERE: Final = (0, 1 << 64)


@dataclass(frozen=True, eq=False)
class Accessed:
    """The addresses of an access, `{ I7[cj] -> [a] }`, in bytes from `base`; None where they are
    not affine. `low` to `high` are all bytes that it touched, or may have; `met` are the loops (a
    bit each, by depth) of which it was seen to write over what another iteration had written."""

    instruction: Instruction
    addresses: isl.Map | None
    low: int = 0
    high: int = 0
    met: int = 0


@isl.guarded
def accessed(folding: Folding) -> dict[str, Accessed]:
    """Of all loads and stores, by name."""
    found, base = {}, _base(folding)
    for name, i in folding.instructions.items():
        if i.kind not in ("load", "store") or i.outputs != ("address",) or i.state:
            continue  # what the library keeps cannot be copied
        folded = folding.executed[name]
        if folded.pieces and folded.is_affine:
            at = [p.labels[0](v) for p in folded.pieces for v in p.vertices]
            found[name] = Accessed(i, _relation(i, folded, base), min(at), max(at) + i.size - 1)
        else:
            low, behind = _reached(folding, name)
            found[name] = Accessed(i, None, low, behind - 1, folding.met.get(name, 0))
    return found


def _reached(folding: Folding, name: str) -> tuple[int, int]:
    """The bytes of one block that an access reached, the second the first behind them; any where it
    reached several blocks, as what lies between these is a matter of chance."""
    low, behind = folding.reached.get(name, ANYWHERE)
    within = [b for b in folding.blocks if b.address < behind and low < b.address + b.size]
    return (low, behind) if len(within) < 2 else ANYWHERE


def _base(folding: Folding) -> int:
    known = [b.address for b in folding.blocks]
    return min(known, default=0)


def _relation(i: Instruction, folded: Folded, base: int) -> isl.Map:
    name = tuple_name(i.name)
    target = isl.set_space((), None, ("a",))
    space = domain_of(i, folded).get_space().map_from_domain_and_range(target)
    found = isl.united((p.relation(i.loops, ("a",), name) for p in folded.pieces), space)
    shift = isl.read_map(f"{{ [a] -> [a - ({base})] }}")
    moved: isl.Map = isl.with_dim_names(found.apply_range(shift), isl.OUT, ("a",))
    return moved


@isl.guarded
def reused_in(node: LoopNode, all_accesses: Mapping[str, Accessed]) -> tuple[MemoryReuse, ...]:
    """The anti and output dependences that a loop carries, in the same iteration of the loops
    around it."""
    return _reused(node, all_accesses, lambda pairs: not carried(pairs, node.depth).is_empty())


@isl.guarded
def turned_round(
    band: Sequence[LoopNode], all_accesses: Mapping[str, Accessed]
) -> tuple[MemoryReuse, ...]:
    """The anti and output dependences within the innermost loop of a band that have a negative
    distance along one of its loops: to interchange or tile them turns those round."""

    def turns(pairs: isl.Map) -> bool:
        depths = [node.depth for node in band]
        return any(
            not carried(pairs, q).order_gt(isl.IN, inner, isl.OUT, inner).is_empty()
            for k, q in enumerate(depths)
            for inner in depths[k + 1 :]
        )

    return _reused(band[-1], all_accesses, turns)


def _reused(
    node: LoopNode, all_accesses: Mapping[str, Accessed], matters: Callable[[isl.Map], bool]
) -> tuple[MemoryReuse, ...]:
    """The pairs of a store in a loop and an access before it whose instances that touch the same
    bytes matter, or may."""
    inside = [all_accesses[i.name] for i in node.inside if i.name in all_accesses]
    found = []
    for store in (a for a in inside if a.instruction.kind == "store"):
        for other in inside:
            if _meet(other, store, matters):
                a, b = other.instruction, store.instruction
                kind, texts = "output" if a.kind == "store" else "anti", (a.named, b.named)
                sure = other.addresses is not None and store.addresses is not None
                sure = sure or (kind == "output" and bool(store.met >> node.depth & 1))
                found.append(MemoryReuse(kind, a.name, b.name, sure, texts))
    return tuple(found)


def _meet(first: Accessed, second: Accessed, matters: Callable[[isl.Map], bool]) -> bool:
    """Whether two accesses touch a byte in common in instances that matter, or may."""
    if first.high < second.low or second.high < first.low:
        return False
    a, b = first.addresses, second.addresses
    sizes = first.instruction.size, second.instruction.size
    return a is None or b is None or matters(touching(a, b, sizes))


def needs_of(reused: Sequence[MemoryReuse]) -> tuple[str, ...]:
    """What has to be so for anti and output dependences not to hinder, in words."""
    found = []
    sure = dict.fromkeys(r.texts[1] for r in reused if r.sure)
    if sure:
        found.append(f"a copy of what {shortened([*sure])} overwrites")
    pairs = dict.fromkeys(frozenset(r.texts) for r in reused if not r.sure)
    if pairs:
        texts = [" and ".join(sorted(p)) for p in pairs]
        found.append(f"the knowledge that {shortened(texts, 3)} do not meet")
    return tuple(found)


# -- registers -----------------------------------------------------------------------------


def register_flow(
    folding: Folding, flow: Sequence[FlowDependence]
) -> Iterator[tuple[str, FlowDependence]]:
    """The dependences through a register that a person may have to expand, each with its name."""
    for f in flow:
        source = folding.instructions[f.source]
        target = folding.instructions[f.target]
        same = source.statement == target.statement and source.place == target.place
        if source.kind != "store" and (not same or f.source == f.target):
            yield variable_of(source) or f"the value of {source.text}", f


def expanded_for(
    node: LoopNode, path: Sequence[LoopNode], registers: Iterable[tuple[str, FlowDependence]]
) -> tuple[str, ...]:
    """The registers that need a cell for each iteration of `node` if it becomes the innermost loop
    of `path`, and what stands outside of that one gets loops of its own: their values are used in
    another iteration of it, or on its other side (TACO'19, section 2.2: `sum` of backprop)."""
    side = _sides(node, path[-1])
    found: dict[str, None] = {}
    for name, f in registers:
        a, b = side.get(f.source), side.get(f.target)
        if a is None or b is None:
            continue
        once = at_depth(f.relation, path[-1].depth + 1) if a == b == 0 else f.relation
        if a != b or not once.is_equal(f.relation):
            found[name] = None
    return tuple(found)


def _sides(node: LoopNode, inner: LoopNode) -> dict[str, int]:
    """Of what is in a loop: 0 in the innermost one, -1 before it, 1 after it (or not known)."""
    inside = {i.name for i in inner.inside}
    orders = [i.order for i in inner.inside]
    return {
        i.name: 0 if i.name in inside else -1 if i.order and i.order < min(orders) else 1
        for i in node.inside
    }
