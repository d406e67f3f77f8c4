"""Every dependence against a plain enumeration of the program at small parameter values."""

from random import Random

import pytest
from cases import beside

import polynb as pn
from polynb import isl
from polynb.dependences import live_ranges
from polynb.run.oracle import equivalent

CASES = beside(__file__)

PROGRAMS = CASES["programs"]


def sweeps(seed: int) -> str:
    """Nests over parts of one array, some of them interleaved, which hide some of what others
    wrote."""
    random = Random(seed)
    lines = ["param N, M;"]

    def part() -> str:
        low = random.choice(["0", "1", "N - 1", "M"])
        return f"for i = {low} to {random.choice(['N', 'N - 1', 'M', '2*M'])}"

    def assign() -> str:
        cell = random.choice(["i", "i", "i + 1", "N - i", "2*i", "M"])
        read = random.choice(["i", "i + 1", "2*i", "N - i", "0"])
        return f"A[{cell}] = A[{read}] + A[i];"

    for _ in range(random.randint(4, 6)):
        match random.randrange(4):
            case 0:
                lines.append(f"{part()} do {assign()} {assign()} done")
            case 1:
                lines.append(f"{part()} by 2 do if i <= M then {assign()} fi done")
            case _:
                lines.append(f"{part()} do {assign()} done")
    if random.random() < 0.3:
        lines[1:3] = ["for k = 0 to 1 do", *lines[1:3], "done"]
    return "\n".join(lines)


PROGRAMS.update({f"sweeps {seed}": sweeps(seed) for seed in range(12)})


def accesses(scop: pn.Scop, values: dict[str, int]) -> list[tuple]:
    """(time, order in the instance, statement, instance, read number or None, cell)."""
    found = []
    for s in scop.statements:
        times = dict(isl.pairs(s.schedule.intersect_domain(s.domain), values))
        for number, a in (*enumerate(s.reads), (None, s.write)):
            for point, cell in isl.pairs(a.relation, values):
                last = 0 if number is not None else 1
                found.append((times[point], last, s.name, point, number, (a.array, cell)))
    return sorted(found, key=lambda x: x[:2])


def enumerated(scop: pn.Scop, values: dict[str, int], kind: str, *, direct: bool) -> set:
    """Pairs of dependent instances, straight from the definition."""
    listed = accesses(scop, values)
    pairs = set()
    for k, (_, _, source, i, number, cell) in enumerate(listed):
        for _, _, target, j, other, cell_ in listed[k + 1 :]:
            if cell_ != cell:
                continue
            match kind, number is None, other is None:
                case "raw", True, False:
                    pairs.add((source, i, target, j, other))
                case "war", False, True:
                    pairs.add((source, i, target, j, number))
                case "waw", True, True:
                    pairs.add((source, i, target, j, None))
            if other is None and direct:
                break
    return pairs


def computed(edges, values: dict[str, int]) -> set:
    return {
        (e.source, i, e.target, j, e.read) for e in edges for i, j in isl.pairs(e.relation, values)
    }


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("kind", ["raw", "war", "waw"])
def test_edges_are_those_of_an_enumeration(name: str, kind: str) -> None:
    scop = pn.parse(PROGRAMS[name])
    deps = pn.analyze(scop)
    for size in (0, 1, 4):
        values = {"N": size, "M": 2, "T": 2}
        direct = [e for e in deps.edges if e.kind == kind]
        assert computed(direct, values) == enumerated(scop, values, kind, direct=True)
        memory = computed(deps.memory(kind), values)
        assert memory == enumerated(scop, values, kind, direct=False)


def test_live_in_and_live_out() -> None:
    deps = pn.analyze(pn.parse(PROGRAMS["several writers"], assume="N >= 0 && M == 0"))
    live_in = isl.read_union_map("[N, M] -> { U[0] -> B[0] : N >= 0 and M = 0 }")
    assert deps.live_in.intersect_params(deps.scop.context).is_equal(live_in)
    live_out = isl.read_union_map(
        "[N, M] -> { T[j] -> C[j] : M = 0 and 0 <= j <= N; V[j] -> A[j] : M = 0 and 0 <= j <= N }"
    )
    assert deps.live_out.intersect_params(deps.scop.context).is_equal(live_out)


def test_kills_cut_the_flow() -> None:
    scop = pn.parse("param N; temp t; for i = 0 to N do t[i] = 1; K = i; B[i] = t[i]; done")
    kills = isl.read_union_map("[N] -> { S1[i] -> t[i] : i >= 2 }")
    edges = pn.analyze(scop, kills=kills).flow("t").edges
    assert edges[0].relation.is_equal(
        isl.read_map("[N] -> { S0[i] -> S2[i] : 0 <= i <= N and i < 2 }")
    )


KILLED = """param N; inout A[N+1], t[N+1]; output B[N+1];
    for i = 0 to N do S: t[i] = A[i]; done
    for i = 0 to N do T: B[i] = t[i] + A[i]; done
    for i = 0 to N do U: B[N-i] = A[i]; done"""


def test_what_is_killed_does_not_remain() -> None:
    scop = pn.parse(KILLED)
    kills = isl.read_union_map(
        "[N] -> { T[i] -> t[i] : i >= 2; T[i] -> A[x] : i = 0 <= x; U[i] -> B[N - i] }"
    )
    deps = pn.analyze(scop, kills=kills)
    wanted = isl.read_union_map(
        "[N] -> { S[i] -> t[i] : 0 <= i <= N and i < 2; U[i] -> B[N - i] : 0 <= i <= N }"
    )
    assert deps.live_out.is_equal(wanted)
    assert live_ranges(scop, kills=kills).live_out.is_equal(deps.live_out)
    assert not pn.analyze(scop).live_out.is_equal(wanted)
    wanted = isl.read_union_map("[N] -> { S[i] -> A[i] : 0 <= i <= N; T[0] -> A[0] : N >= 0 }")
    assert deps.live_in.is_equal(wanted)


def test_kills_of_an_array_that_is_only_read() -> None:
    """What is read afterwards was not there before the program."""
    kills = isl.read_union_map("[N] -> { S[i] -> A[i] : i < N }")
    wanted = isl.read_union_map("[N] -> { S[i] -> A[i] : 0 <= i <= N; T[N] -> A[N] : N >= 0 }")
    deps = pn.analyze(pn.parse(KILLED), kills=kills)
    first = isl.union_set([deps.scop.by_name[n].domain for n in "ST"])
    assert deps.live_in.intersect_domain(first).is_equal(wanted)


def replayed(scop: pn.Scop, kills: isl.UnionMap, values: dict[str, int]) -> dict[str, set]:
    """Flow, live-in and live-out of a program without data-dependent accesses, by running it. An
    instance reads, then kills, then writes."""
    listed = accesses(scop, values)
    times = {(s, i): time for time, _, s, i, _, _ in listed}
    for m in isl.maps(kills):
        s = scop.by_name[isl.tuple_name(m, isl.IN)]
        for i, cell in isl.pairs(m.intersect_domain(s.domain), values):
            cell = isl.tuple_name(m, isl.OUT), cell
            listed.append((times[s.name, i], 0.5, s.name, i, "kill", cell))
    holds: dict = {}
    found = {"raw": set(), "live_in": set()}
    for _, order, s, i, number, cell in sorted(listed, key=lambda x: x[:2]):
        if order == 1:
            holds[cell] = s, i
        elif order == 0.5:
            holds[cell] = None
        elif cell not in holds:
            found["live_in"].add((s, i, cell))
        elif holds[cell] is not None:
            found["raw"].add((*holds[cell], s, i, number))
    left = {(*by, cell) for cell, by in holds.items() if by and scop.arrays[cell[0]].live_out}
    return found | {"live_out": left}


def touched(accesses_: isl.UnionMap, values: dict[str, int]) -> set:
    return {
        (isl.tuple_name(m, isl.IN), i, (isl.tuple_name(m, isl.OUT), cell))
        for m in isl.maps(accesses_)
        for i, cell in isl.pairs(m, values)
    }


def odd(domain: isl.Set) -> isl.Set:
    """The instances whose outermost iterator is odd."""
    rest = ", ".join(f"i{k}" for k in range(domain.dim(isl.SET)))
    name = isl.tuple_name(domain, isl.SET)
    return domain.intersect(isl.read_set(f"{{ {name}[{rest}] : i0 mod 2 = 1 }}"))


@pytest.mark.parametrize("name", PROGRAMS)
def test_with_kills_everything_is_as_if_replayed(name: str) -> None:
    """Killed is what is read, in every second iteration of the outermost loop."""
    scop = pn.parse(PROGRAMS[name])
    kills = isl.union_map(
        r.relation.intersect_domain(odd(s.domain)) for s in scop.statements for r in s.reads
    )
    deps = pn.analyze(scop, kills=kills)
    for size in (0, 1, 4):
        values = {"N": size, "M": 2, "T": 2}
        wanted = replayed(scop, kills, values)
        assert computed(deps.flow_edges, values) == wanted["raw"]
        assert touched(deps.live_in, values) == wanted["live_in"]
        assert touched(deps.live_out, values) == wanted["live_out"]


def test_of_the_cells_that_data_chooses_among_some_may_be_live_in() -> None:
    scop = pn.parse("param N; temp t[9]; t[0] = 1; for i = 0 to N do B[i] = t[idx[i]]; done")
    wanted = isl.read_map("[N] -> { S1[i] -> t[x] : 0 <= i <= N and x != 0 }")
    assert pn.analyze(scop).flow("t").live_in["S1", 0].is_equal(wanted)


def test_kills_by_no_statement_are_refused() -> None:
    kills = isl.read_union_map("{ X[i] -> t[i] }")
    with pytest.raises(pn.PolynbError, match="name an unknown statement X"):
        _ = pn.analyze(pn.parse(KILLED), kills=kills).live_out


def test_only_changed_arrays_are_computed_again() -> None:
    scop = pn.parse(PROGRAMS["scalar"])
    deps = pn.analyze(scop)
    flow = deps.flow("s")
    again = pn.analyze(scop, previous=deps)
    assert again.flow("s") is flow
    other = pn.analyze(pn.parse(PROGRAMS["scalar"]), previous=deps)
    assert other.flow("s") is not flow


def test_data_dependent_writes_are_not_exact() -> None:
    scop = pn.parse(
        "param N; temp t; for i = 0 to N do if a[i] > 0 then t[i] = 1; fi b[i] = t[i]; done"
    )
    write, read = scop.statements
    assert not write.write.must
    assert write.guard is not None
    (edge,) = pn.analyze(scop).flow("t").edges
    assert not edge.exact
    assert not pn.analyze(scop).flow("t").live_in[read.name, 0].is_empty()


def test_writers_that_take_turns() -> None:
    text = """param N; temp s;
    for i = 0 to N do
      if i % 2 == 0 then s = a[i]; else s = b[i]; fi
      c[i] = s;
    done
    d = s;"""
    scop = pn.parse(text)
    values = {"N": 5}
    direct = [e for e in pn.analyze(scop).edges if e.kind == "raw"]
    assert computed(direct, values) == enumerated(scop, values, "raw", direct=True)


SCATTERED = """param N; input int32 B[N+1], D[N+1]; input X[N+1]; inout O[N+1], t[8]; temp u[N+1];
    for i = 0 to N do u[i] = X[i]; done
    for i = 0 to N do
      t[D[i]] = u[i]; // S
      t[0] = 7;
      O[i] = t[B[i]]; // T
    done
    {after}"""


@pytest.mark.parametrize("after", ["t[0] = 1;", "for i = 0 to 7 do t[i] = 0; done"])
def test_a_write_of_one_cell_leaves_the_others_that_data_chose(after: str) -> None:
    scop = pn.parse(SCATTERED.format(after=after))
    deps = pn.analyze(scop)
    assert ("S", "T") in {(e.source, e.target) for e in deps.flow("t").edges}
    assert not deps.flow("t").live_in["T", 0].is_empty()
    kept = {isl.tuple_name(m, isl.IN) for m in isl.maps(deps.live_out)}
    assert "S" in kept
    assert equivalent(pn.propagate(scop))


def test_a_write_that_may_happen_hides_none() -> None:
    scop = pn.parse("""
        param N;
        for i = 0 to N do A[i] = 1; done
        for i = 0 to N do if c[i] > 0 then A[i] = 2; fi done
        for i = 0 to N do B[i] = A[i]; done
    """)
    assert {e.source for e in pn.analyze(scop).flow("A").edges} == {"S0", "S1"}


def test_an_instance_at_a_time_among_those_of_a_loop() -> None:
    """T[7] comes after S, T[3] before it: neither statement is before the other."""
    scop = pn.Scop.from_isl(
        "{ S[]; T[i] : 0 <= i <= 9; U[] }",
        "{ T[i] -> [0, 2*i]; S[] -> [0, 11]; U[] -> [1, 0] }",
        "{ U[] -> A[7] }",
        "{ S[] -> A[7]; T[i] -> A[i]; U[] -> B[0] }",
    )
    (edge,) = pn.analyze(scop).flow("A").edges
    assert edge.relation.is_equal(isl.read_map("{ T[7] -> U[] }"))
    assert [e.source for e in pn.analyze(scop).output_edges] == ["S"]
