"""What feedback says of real runs, checked against their raw streams, entry by entry."""

from __future__ import annotations

from pathlib import Path

import pytest
from random_scops import random_program
from reusing_scops import reusing_program
from scalar_scops import scalar_program

import polynb as pn
from polynb.tracing import Folding
from polynb.tracing.feedback import feedback, pruned
from polynb.tracing.feedback.loops import common_loops, loop_keys, loop_tree
from polynb.tracing.feedback.strides import access_strides

EVERYTHING = Path(__file__).parent.parent / "programs" / "everything.c"
GENERATORS = (random_program, reusing_program, scalar_program)


def carrying(folding: Folding) -> tuple[set, set]:
    """The loops that carry some dependence which was seen (of no induction variable), and those
    that carry some that is only known roughly."""
    found, rough = set(), set()
    for (source, target), folded in pruned(folding).kept.items():
        a, b = folding.instructions[source], folding.instructions[target]
        keys = loop_keys(folding, a)[: common_loops(folding, a, b)]
        points, labels = folding.streams[source, target]
        for consumer, producer in zip(points.tolist(), labels.tolist(), strict=True):
            first = next((k for k in range(len(keys)) if consumer[k] != producer[k]), None)
            if first is not None:
                assert producer[first] < consumer[first]
                found.add(keys[first])
        if not folded.is_affine:
            rough |= set(keys)
    return found, rough


def check(folding: Folding) -> int:
    report = feedback(folding)
    carried, rough = carrying(folding)
    nodes = [node for root in loop_tree(folding) for node in root.walk()]
    loops = [loop for root in report.loops for loop in root.walk()]
    assert [n.name for n in nodes] == [x.name for x in loops]
    for node, loop in zip(nodes, loops, strict=True):
        if node.key in carried:
            assert not loop.parallel, node.key
        elif node.key not in rough and not loop.leaving:
            flows = {c.target in folding.conditions for c in loop.carried}
            assert loop.parallel or flows == {True}, node.key
    for name, found in access_strides(folding).items():
        points, labels = folding.streams[name]
        address = {tuple(p): v[0] for p, v in zip(points.tolist(), labels.tolist(), strict=True)}
        pieces = folding.executed[name].pieces
        for q, stride in enumerate(found.strides):
            for p, at in address.items():
                other = (*p[:q], p[q] + 1, *p[q + 1 :])
                if stride is not None and other in address and len(pieces) == 1:
                    assert address[other] - at == stride * found.instruction.size, (name, q)
    own = sum(x.own for x in loops)
    outside = sum(
        folding.executed[n].entries for n, i in folding.instructions.items() if not i.loops
    )
    assert own + outside == report.operations
    return len(loops)


@pytest.mark.long
def test_a_program_with_everything_in_it() -> None:
    assert check(pn.trace(EVERYTHING, streams=True)) > 5


@pytest.mark.parametrize("seed", range(12))
def test_random_programs(seed: int) -> None:
    scop = pn.parse(GENERATORS[seed % 3](seed))
    try:
        text = scop.to_c()
        sizes = {p: 4 - k for k, p in enumerate(scop.parameters)}
        folding = pn.trace(text, call=scop.name, streams=True, **sizes)
    except pn.PolynbError as error:
        pytest.skip(f"it calls what is not there: {error.message}")
    check(folding)
