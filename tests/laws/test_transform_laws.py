"""Random chains of moves on random programs: what a chain calls legal computes the same, and what
it calls illegal does not (or, rarely, by chance). POLYNB_LAWS is the number of seeds (4 unless
it is set)."""

import os
from contextlib import suppress
from random import Random

import pytest
from deep_scops import deep_program
from enumeration import by_time, difference
from random_scops import random_program
from reusing_scops import reusing_program
from scalar_scops import scalar_program
from shares import COUNTS

from polynb import isl
from polynb.errors import PolynbError
from polynb.moves import MOVES, Reverse, named_loops
from polynb.moves.loops import unique_name
from polynb.proofs import prove
from polynb.run.oracle import equivalent
from polynb.scop.parsing import parse
from polynb.violations import transform

PROGRAMS = int(os.environ.get("POLYNB_LAWS", "4"))
LONGEST = 4
SECONDS = 5
KINDS = (
    *("interchange", "reverse", "skew", "fuse", "fuse", "distribute", "distribute", "shift"),
    *("tile", "strip-mine", "peel", "unroll-and-jam", "parallel", "vectorize", "privatize"),
    "expand",
)
counted = COUNTS["transform"]


def values(scop):
    return dict.fromkeys(scop.parameters, [0, 1, 2, 4] if len(scop.parameters) == 1 else [0, 3])


def small(scop):
    """Parameter values that are enumerated."""
    found = [dict.fromkeys(scop.parameters, n) for n in (1, 3)]
    return [v for v in found if not isl.fix_parameters(scop.assumed, v).is_empty()]


def times(scop):
    return {s.name: s.schedule for s in scop.statements}


def random_move(random, scop):
    """A move of some kind, about loops and statements that there are; it may be one that cannot be
    made."""
    every = named_loops(scop)
    loops = [unique_name(x, every) for x in every] or ["i"]
    statements = [s.name for s in scop.statements]
    kind = random.choice(KINDS)
    made = MOVES[kind]
    match kind:
        case "interchange":
            first, second = random.sample(nest(random, every), 2)
            return made(first, second)
        case "skew":
            one, other = random.sample(nest(random, every), 2)
            return made(one, other, random.choice([1, 1, -1, 2]))
        case "fuse":
            if random.random() < 0.4 or len(statements) < 2:
                return made()
            first, second = random.sample(statements, 2)
            return made(first, second)
        case "distribute":
            if random.random() < 0.5:
                return made(random.choice(loops))
            return made(at=random.choice(statements))
        case "shift":
            by = [random.choice([-1, 0, 1, 2, "N"]) for _ in range(random.randint(1, 2))]
            return made(random.choice(statements), tuple(by))
        case "tile":
            several = tuple(nest(random, every)[-2:])
            return made(several, tuple(random.choices([2, 3, 5], k=2)))
        case "strip-mine" | "unroll-and-jam":
            return made(random.choice(loops), random.choice([2, 3]))
        case "peel":
            side = random.choice(["first", "last"])
            return made(random.choice(loops), **{side: random.choice([1, 2])})
        case "privatize" | "expand":
            return made(random.choice(scop.temporaries or ("t",)))
    return made(random.choice(loops))


def nest(random, every):
    """The loops around one that is inside of another, and itself; two in any case."""
    deep = [x for x in every if any(y.is_around(x) for y in every)]
    if not deep:
        return ["i", "j"]
    inner = random.choice(deep)
    around = [x for x in every if x.is_same(inner) or x.is_around(inner)]
    return [unique_name(x, every) for x in around]


def programs(seed):
    yield parse(random_program(seed), "scop")
    yield parse(deep_program(seed), "scop")
    yield parse(scalar_program(seed), "scop")
    yield parse(reusing_program(seed), "scop")


@pytest.mark.parametrize("seed", range(PROGRAMS))
@pytest.mark.long
def test_verdicts_are_right(seed):
    random = Random(seed)
    for scop in programs(seed):
        counted["programs"] += 1
        chain = transform(scop)
        for _ in range(LONGEST):
            move = random_move(random, chain.reached)
            try:
                longer = chain.then(move)
            except isl.BudgetExhausted:
                counted["given up"] += 1
                continue
            except PolynbError:
                counted["cannot be made"] += 1
                continue
            counted["moves"] += 1
            counted[move.name] += 1
            if longer.legal:
                check_legal(scop, longer)
                chain = longer
            else:
                check_illegal(scop, longer)


def check_legal(scop, chain):
    move, before = chain.moves[-1], chain.states[-1].original.scop
    counted["legal"] += 1
    if all(s.affine for s in before.statements):
        for sizes in small(before):
            wrong = difference(before, sizes, times(chain.result), None, by_time)
            assert not wrong, f"{chain.script}\n{wrong}\n{scop}\n{chain.result}"
    answer = equivalent(scop, chain, values(scop))
    assert answer, f"{chain.script}\n{answer}\n{scop}\n{chain.result}"
    proof = prove(scop, chain, seconds=SECONDS)
    assert proof.answer != "different", f"{chain.script}\n{proof}\n{scop}\n{chain.result}"
    counted["proved"] += bool(proof)
    if move.name in ("parallel", "vectorize") and not chain.states[-1].private:
        turned = Reverse(move.loop).applied(chain.result)
        answer = equivalent(scop, turned, values(scop))
        assert answer, f"{chain.script}, backwards\n{answer}\n{scop}\n{turned}"
        counted["runs backwards"] += 1
    again = parsed(str(chain.result))
    if again is not None:
        answer = equivalent(scop, again, values(scop))
        assert answer, f"{chain.script}, printed\n{answer}\n{scop}\n{chain.result}"
        counted["printed"] += 1


def check_illegal(scop, chain):
    step = chain.steps[-1]
    with pytest.raises(PolynbError, match="is illegal"):
        _ = chain.result
    first = next(iter(step.verdict.order.conflicts), None)
    if first is not None:
        counted["illegal"] += 1
        before, sizes = chain.states[-1].original.scop, first.witness.parameters
        if first.exact and all(s.affine for s in before.statements):
            wrong = difference(before, sizes, times(step.program), None, by_time)
            assert wrong, f"{chain.script}\n{step}\n{before}"
            counted["seen by enumeration"] += 1
        # Where nothing comes of the values that are wrong, the outputs are the same.
        at = {p: [v] for p, v in sizes.items()}
        same = equivalent(scop, step.program, at) and equivalent(scop, step.program, values(scop))
        counted["illegal and different"] += not same
        proof = prove(scop, step.program, seconds=SECONDS)
        assert same or not proof, f"{chain.script}\n{proof}\n{scop}\n{step.program}"
    for way in step.ways:
        helped = chain.undo().then(way).then(step.move)
        assert helped.legal, f"{way} does not help {step.move}"
        answer = equivalent(scop, helped, values(scop))
        assert answer, f"{helped.script}\n{answer}\n{scop}"
        counted["helped"] += 1


def parsed(text):
    """The program of a text; None if it takes long to see what is read before it is written."""
    with suppress(isl.BudgetExhausted), isl.budget(300_000):
        return parse(text, "scop")
    return None
