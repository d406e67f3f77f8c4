"""The over-approximated dependences contain all that happened, and nothing that could not.
POLYNB_LAWS is the number of random programs (40 unless it is set)."""

import os
import random
from itertools import product

import pytest
from hand_made import folding

from polynb import isl
from polynb.folding import Variant
from polynb.tracing import Instruction, LoopOf
from polynb.tracing.feedback.overapproximation import domains, flow_dependence

SEEDS = int(os.environ.get("POLYNB_LAWS", "40"))
Point = tuple[int, ...]


def instruction(name: str, loops: tuple[str, ...], order: tuple[int, ...]) -> Instruction:
    return Instruction(name, "float", 1, 1, name, loops, "f", order=order)


class RandomProgram:
    """Common loops around a producer P and a consumer C (or P alone, which uses its own values),
    each with loops of its own; instances left out at random; every consumer takes its value from
    one producer that ran before, chosen in one of several ways."""

    def __init__(self, seed: int) -> None:
        rng = random.Random(seed)
        self.common = rng.randint(0, 2)
        own = [rng.randint(0 if self.common else 1, 2 if self.common < 2 else 1) for _ in "PC"]
        outer = tuple(f"c{k}" for k in range(self.common))
        self.loops = {
            n: (*outer, *(f"c{n.lower()}{k}" for k in range(own[j]))) for j, n in enumerate("PC")
        }
        self.alone = self.common > 0 and rng.random() < 0.3
        self.first = rng.choice("PC")
        self.known = rng.random() < 0.8
        kept = rng.choice([1.0, 1.0, 0.8, 0.5])
        self.events: list[tuple[str, Point]] = []
        extents = {x: rng.randint(1, 4) for n in "PC" for x in self.loops[n]}
        order = [self.first, "PC".replace(self.first, "")]
        for iv in product(*(range(extents[x]) for x in outer)):
            for n in order:
                mine = self.loops[n][self.common :]
                for rest in product(*(range(extents[x]) for x in mine)):
                    if rng.random() < kept:
                        self.events.append((n, (*iv, *rest)))
        self.pairs = list(self._chosen(rng))

    def _chosen(self, rng: random.Random):
        way, seen = rng.choice(["last", "any", "any", "first", "some", "some"]), []
        taker = "P" if self.alone else "C"
        for n, iv in self.events:
            if n == taker and seen and not (way == "some" and rng.random() < 0.5):
                pick = {"last": seen[-1], "first": seen[0]}.get(way) or rng.choice(seen)
                yield pick, iv
            if n == "P":
                seen.append(iv)

    def folding(self, variant: Variant):
        orders = {"P": 1 if self.first == "P" else 2, "C": 2 if self.first == "P" else 1}
        names = "P" if self.alone else "PC"
        made = [instruction(n, self.loops[n], (orders[n],) if self.known else ()) for n in names]
        executed = {n: [(iv, ()) for m, iv in self.events if m == n] for n in names}
        all_loops = dict.fromkeys(x for n in names for x in self.loops[n])
        pair = ("P", names[-1])
        entries = [(consumer, producer) for producer, consumer in self.pairs]
        return folding(
            made, executed, {pair: entries}, [LoopOf(x, "", "f", 1) for x in all_loops], variant
        ), pair

    def impossible(self):
        """All pairs of instances whose producer does not run before the consumer."""
        taker = "P" if self.alone else "C"
        when = {e: t for t, e in enumerate(self.events)}
        for n, p in self.events:
            for m, c in self.events:
                if n == "P" and m == taker and when[n, p] >= when[m, c]:
                    yield p, c


def as_map(pairs, source: str, target: str, like: isl.Map) -> isl.Map:
    found = isl.Map.empty(like.get_space())
    texts = (f"{source}{list(p)} -> {target}{list(c)}" for p, c in pairs)
    text = "; ".join(texts)
    return found if not text else isl.Map(f"{{ {text} }}").align_params(like.get_space())


@pytest.mark.parametrize("start", range(0, SEEDS, 25))
@pytest.mark.long
def test_every_real_pair_is_there_and_no_impossible_one(start: int) -> None:
    rough = 0
    for seed in range(start, start + 25):
        program = RandomProgram(seed)
        if not program.pairs:
            continue
        for variant in (Variant(), Variant(give_up=1 + seed % 3), Variant(widen=False)):
            found, pair = program.folding(variant)
            d = flow_dependence(found, pair, found.dependences[pair], domains(found))
            real = as_map(program.pairs, *pair, d.relation)
            assert real.is_subset(d.relation), (seed, variant)
            rough += not d.exact
            if d.exact:
                assert d.relation.is_subset(real), (seed, variant)
            if program.known or program.alone:
                never = as_map(program.impossible(), *pair, d.relation)
                assert never.is_disjoint(d.relation), (seed, variant)
    assert rough > 3


def test_the_papers_example() -> None:
    """Section 4.3: `cj' = cj, ck' = ⊤` of I4 -> I4 gives `cj' = cj, ck' < ck`."""
    iv = [(j, k) for j in range(4) for k in range(5)]
    entries = [((j, k), (j, k * k % 3 if k > 2 else 0)) for j, k in iv if k]
    i4 = instruction("I4", ("cj", "ck"), (1,))
    f = folding([i4], {"I4": [(p, ()) for p in iv]}, {("I4", "I4"): entries}, [
        LoopOf("cj", "j", "f", 1), LoopOf("ck", "k", "f", 2, "cj"),
    ])  # fmt: skip
    assert "⊤" in str(f["I4", "I4"])
    found = flow_dependence(f, ("I4", "I4"), f["I4", "I4"], domains(f)).relation
    expected = isl.Map("{ I4[j, k] -> I4[j, l] : 0 <= j <= 3 and 0 <= k < l <= 4 }")
    assert found.is_equal(expected)


def test_an_outer_distance_leaves_the_inner_one_free() -> None:
    """`c'q <= cq` alone would be wrong: (0, 3) is before (1, 0)."""
    iv = [(j, k) for j in range(4) for k in range(4)]
    entries = [((j, k), (j - 1, 3 - k)) for j, k in iv if j]
    broken = [(c, p if c != (2, 2) else (0, 0)) for c, p in entries]
    i = instruction("I1", ("cj", "ck"), (1,))
    loops = [LoopOf("cj", "j", "f", 1), LoopOf("ck", "k", "f", 2, "cj")]
    f = folding([i], {"I1": [(p, ()) for p in iv]}, {("I1", "I1"): broken}, loops)
    found = flow_dependence(f, ("I1", "I1"), f["I1", "I1"], domains(f)).relation
    assert isl.Map("{ I1[0, 3] -> I1[1, 0] }").is_subset(found)
    assert isl.Map("{ I1[0, 3] -> I1[0, 2] }").is_disjoint(found)
