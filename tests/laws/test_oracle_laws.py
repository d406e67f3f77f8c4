"""The oracle on random programs that were broken on purpose: it must notice.

A mutant may compute the same after all (a dead statement changed, say), so a share is asked for,
and that each kind of mistake is found at all."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest
from random_scops import random_program
from shares import COUNTS

from polynb.run.oracle import equivalent
from polynb.scop.build import build
from polynb.scop.parsing import parse
from polynb.source import tree as syntax
from polynb.source.types import FLOAT, INT32

PROGRAMS = 60
ONE = syntax.Number(1, INT32)


def shifted(s: syntax.Assign, random: Random) -> syntax.Assign | None:
    """One read of the value reads the next cell."""
    reads = [
        x for x in syntax.walk(s.value) if isinstance(x, syntax.Access) and len(x.subscripts) > 0
    ]
    if not reads:
        return None
    chosen = random.choice(reads)

    def change(node: syntax.Expr, new: tuple[syntax.Expr, ...]) -> syntax.Expr:
        if node is chosen:
            new = (*new[:-1], syntax.Binary("+", new[-1], ONE))
        return syntax.with_children(node, new)

    return replace(s, value=syntax.rebuild(s.value, change))


MISTAKES: dict[str, Callable[[syntax.Assign, Random], syntax.Assign | None]] = {
    "a subscript": shifted,
    "an operation": lambda s, r: replace(s, value=syntax.Unary("-", s.value)),
    "a rounding": lambda s, r: replace(s, value=syntax.Cast(FLOAT, s.value)),
    "a dropped write": lambda s, r: None,
}


def broken(
    body: tuple[syntax.Stmt, ...], wrong: syntax.Assign, right: syntax.Assign | None
) -> tuple[syntax.Stmt, ...]:
    """The body with one assignment replaced, or (None) left out."""
    made: list[syntax.Stmt] = []
    for s in body:
        if s is wrong:
            made += [right] if right is not None else []
        elif isinstance(s, syntax.For):
            made.append(replace(s, body=broken(s.body, wrong, right)))
        elif isinstance(s, syntax.If):
            then, otherwise = broken(s.then, wrong, right), broken(s.otherwise, wrong, right)
            made.append(replace(s, then=then, otherwise=otherwise))
        else:
            made.append(s)
    return tuple(made)


@pytest.mark.long
def test_most_mistakes_are_noticed():
    tried: Counter[str] = Counter()
    found: Counter[str] = Counter()
    for seed in range(PROGRAMS):
        random = Random(seed)
        scop = parse(random_program(seed), "scop")
        assert scop.program is not None
        statements = list(syntax.statements(scop.program.body))
        live = [s for s in statements if scop.arrays[s.target.array].live_out]
        for kind, mistake in MISTAKES.items():
            wrong = random.choice(live)
            right = mistake(wrong, random)
            if right is None and kind != "a dropped write":
                continue
            body = broken(scop.program.body, wrong, right)
            if not any(True for _ in syntax.statements(body)):
                continue
            mutant = build(replace(scop.program, body=body))
            tried[kind] += 1
            found[kind] += not equivalent(scop, mutant, {p: [1, 4] for p in scop.parameters})
    for kind, least in zip(MISTAKES, (0.7, 0.7, 0.3, 0.7), strict=True):
        COUNTS["oracle"] |= {f"{kind}, tried": tried[kind], f"{kind}, noticed": found[kind]}
        assert found[kind] > least * tried[kind], (kind, found, tried)
