"""Live ranges and order dependences against plain enumeration of what is executed."""

import sys
from itertools import product
from pathlib import Path

import pytest

from polynb import isl
from polynb.dependences import live_ranges
from polynb.scop import parse

sys.path.insert(0, str(Path(__file__).parent.parent / "laws"))
from reusing_scops import reusing_program

AT = {"N": 3}


def accesses(scop):
    """(date, statement, point, reads as (number, cell), written cell) of each instance in order."""
    found = []
    for s in scop.statements:
        for point, date in isl.pairs(s.schedule.intersect_domain(s.domain), AT):
            here = isl.Set.universe(s.domain.get_space())
            for k, c in enumerate(point):
                here = here.fix_val(isl.SET, k, isl.Val(c))

            def cell(a, here=here):
                return (a.array, isl.points(a.relation.intersect_domain(here).range(), AT)[0])

            reads = [(k, cell(r)) for k, r in enumerate(s.reads)]
            found.append((date, s.name, point, reads, cell(s.write)))
    return sorted(found)


def enumerated(scop):
    """By section, the pairs of accesses ((statement, point), (statement, point))."""
    trace = accesses(scop)
    last, live_in = {}, []
    flow = set()
    for n, (_, _, _, reads, written) in enumerate(trace):
        for k, x in reads:
            if x in last:
                flow.add((last[x], n, k))
            else:
                live_in.append((n, x))
        last[written] = n
    read_by = {w for w, _, _ in flow}
    order, after, before = set(), set(), set()
    live_out = {n for x, n in last.items() if scop.arrays[x[0]].live_out}
    for (a, first), (b, then) in product(enumerate(trace), repeat=2):
        if a >= b:
            continue
        written = then[4]
        if any(x == written for _, x in first[3]) or (first[4] == written and a not in read_by):
            order.add((a, b))
        if (a, written) in live_in:
            after.add((a, b))
        if first[4] == written and b in live_out:
            before.add((a, b))

    def named(pairs):
        return {(trace[a][1:3], trace[b][1:3]) for a, b in pairs}

    return {
        "flow": named({(a, b) for a, b, _ in flow}),
        "order": named(order),
        "after_live_in": named(after),
        "before_live_out": named(before),
    }


def of_isl(edges):
    return {((e.source, i), (e.target, j)) for e in edges for i, j in isl.pairs(e.relation, AT)}


# (Where data decides, all that may depend is more than what does.)
CERTAIN = [seed for seed in range(50) if "if B[" not in reusing_program(seed)]


@pytest.mark.parametrize("seed", CERTAIN)
def test_live_ranges_are_what_enumeration_says(seed):
    scop = parse(reusing_program(seed))
    found = live_ranges(scop)
    wanted = enumerated(scop)
    for section, pairs in wanted.items():
        assert of_isl(getattr(found, section)) == pairs, f"{section}\n{scop}"
    assert not found.same_sink


def test_all_possible_sources_of_a_read_stay_in_order():
    scop = parse(
        "param N; temp t; Z: t = 0; for i=0 to N do if A[i] > 0 then S: t = A[i]; fi done "
        "R: B[0] = t;"
    )
    pairs = of_isl(live_ranges(scop).same_sink)
    assert (("Z", ()), ("S", (1,))) in pairs
    assert (("S", (0,)), ("S", (2,))) in pairs
    assert (("S", (2,)), ("S", (0,))) not in pairs


def test_they_print():
    text = str(
        live_ranges(parse("param N; temp t; for i=0 to N do S: t = A[i]; R: B[i] = t; done"))
    )
    assert "flow, the live ranges: [N] -> { S[i] -> R[i' = i]" in text
    assert "order: [N] -> { R[i] -> S[i']" in text
