"""Greedy scalar mapping: the worked programs, and the paper's listings."""

import pytest

import polynb as pn
from polynb import isl
from polynb.delicm.candidates import written_at
from polynb.delicm.conflicts import is_conflicting
from polynb.delicm.knowledge import learn
from polynb.delicm.mapping_steps import Mapped, NotMapped, TargetSkipped
from polynb.run.oracle import equivalent

D01 = """param N,K; temp c;
for i = 0 to N-1 do
  c = 0; // T
  for k = 0 to K-1 do
    c = c + A[i]*B[k]; // S
  done
  C[i] = c; // U
done"""
D02 = """param N,K; temp c;
for i = 0 to N-1 do
  c = 0; // T
  for k = 0 to K-1 do
    c = c + A[i]*B[k]; // S
    C[i] = c; // W
  done
done"""
D03 = """param N,K; temp a;
for i = 0 to N-1 do
  C[i] = 0; // T
  a = A[i]; // T2
  for k = 0 to K-1 do
    C[i] = C[i] + a*B[k]; // S
  done
done"""
D04 = """param N,K; temp phi;
for j = 0 to N-1 do
  phi = A[j]; // T
  for i = 0 to K-1 do
    phi = phi + 42; // S
  done
  A[j] = phi; // U
done"""
D05 = """param N,K; temp phi;
for j = 0 to N-1 do
  phi = 0; // T
  for i = 0 to K-1 do
    phi = phi + 42; // S
  done
  d[j] = A[j]; // X
  A[j] = phi; // U
done"""
D06 = """param N,K; temp p1,p2;
for j = 0 to N-1 do
  p1 = 0; // T1
  p2 = 0; // T2
  for i = 0 to K-1 do
    p1 = p1 + 4; // S1
    p2 = p2 + 29; // S2
  done
  A[j] = p1 + p2; // U
done"""
D07 = """param N; temp phi;
for j = 0 to N-1 do
  v = f(j); // T
  A[j] = v; // U
done"""
D08 = """param N; temp v;
for j = 0 to N-1 do
  A[j] = v; // U
done"""
D09 = """param K; temp phi;
phi = 0; // T
for i = 0 to K-1 do
  phi = phi + 4; // S
done
A[0] = phi; // U"""
D10 = """param N,K; temp phi;
for j = 0 to N-1 do
  phi = 0; // T
  for i = 0 to K-1 do
    phi = phi + 4; // S
  done
  A[0] = phi; // U
done"""
D11 = """param N,K; temp phi;
for j = 0 to N-1 do
  phi = 0; // T
  for i = 0 to K-1 do
    phi = phi + 4; // S
    A[j] = g(i); // W
  done
  A[j] = phi; // U
done"""
D12 = """param N; temp phi;
for j = 0 to N-1 do
  phi = 0; // T
  for i = 0 to 3 do
    if i != 2 then
      phi = phi + 4; // S
    fi
    A[j] = phi; // W
  done
done"""

MAPPED = {
    "D01": (
        D01,
        "[N, K] -> { T[i] -> C[i] : 0 <= i < N; S[i, k] -> C[i] : 0 <= i < N and 0 <= k < K }",
    ),
    "D02": (
        D02,
        "[N, K] -> { T[i] -> C[i] : K > 0 and 0 <= i < N; "
        "S[i, k] -> C[i] : 0 <= i < N and 0 <= k < K }",
    ),
    "D04": (
        D04,
        "[N, K] -> { T[j] -> A[j] : 0 <= j < N; S[j, i] -> A[j] : 0 <= j < N and 0 <= i < K }",
    ),
    "D06": (
        D06,
        "[N, K] -> { S2[j, i] -> A[j] : 0 <= j < N and 0 <= i < K; T2[j] -> A[j] : 0 <= j < N }",
    ),
    "D12": (
        D12,
        "[N] -> { T[j] -> A[j] : 0 <= j < N; S[j, i] -> A[j] : 0 <= j < N and 0 <= i <= 1; "
        "S[j, i = 3] -> A[j] : 0 <= j < N }",
    ),
}
BETWEEN = """param N; temp s;
for i = 0 to N-1 do
  s = B[i]; // D
  A[i] = C[i]; // W
  A[i] = s + A[i]; // T
done"""
LATER = """param N; assume N >= 1; temp s;
for i = 0 to N do
  if i < N then s = B[i]; fi // D
  A[i] = s * 2; // T
  if i < N then E[i] = s; fi // U
done"""
UNWRITTEN = """param N; temp s;
for i = 0 to N-1 do
  A[i] = s; // T
  s = B[i]; // D
done"""
GUARDED = """param N; temp s;
for i = 0 to N-1 do
  s = 0; // I
  if C[i] > 0 then s = B[i]; fi // D
  A[i] = s; // T
done"""
READ = """param N; temp s;
for i = 0 to N-1 do
  s = B[i]; // D
  F[i] = A[i]; // R
  A[i] = s; // T
done"""
PERHAPS = """param N; temp d;
for i = 0 to N-1 do
  A[i] = 7; // W
  if C[i] > 0 then A[i] = B[i]; fi // M
  d = 7; // E
  F[i] = A[i]; // R
  A[i] = d; // T
done"""
KEPT = """param N; temp s;
for i = 0 to N-1 do
  A[i] = B[i]; // W
  s = C[i]; // D1
  H[i] = s; // X
  if i % 2 == 0 then
    if G[i] > 0 then A[i] = 0; fi // M
    F[i] = A[i]; // R
    s = 5 * B[i]; // D2
  fi
  A[i] = s; // T
done"""
REFUSED = {
    "D03": (D03, "a", "lifetime"),
    "D05": (D05, "phi", "lifetime"),
    "D06": (D06, "p1", "lifetime"),
    "D11": (D11, "phi", "existing-write-in-proposed"),
    "a value lives up to the time of its last read": (BETWEEN, "s", "lifetime"),
    "an element is needed up to the time of its last read": (READ, "s", "lifetime"),
    "what may be written is not known to be there": (PERHAPS, "d", "lifetime"),
    "what may not be overwritten is needed": (KEPT, "s", "lifetime"),
}


def equal(scop, other):
    values = {p: [0, 1, 2, 3, 5] for p in scop.parameters}
    return equivalent(scop, other, **values)


@pytest.mark.parametrize("name", MAPPED)
def test_scalars_live_where_they_should(name):
    text, expected = MAPPED[name]
    scop = pn.parse(text)
    d = pn.map_scalars(scop)
    (step,) = [s for s in d.steps if isinstance(s, Mapped)]
    cells = isl.union_map(m.intersect_domain(scop.by_name[n].domain) for n, m in step.cells.items())
    assert cells.is_equal(isl.read_union_map(expected))
    assert step.by == "definition"
    assert step.scalar not in d.result.arrays
    assert equal(scop, d)


def test_a_value_that_outlives_a_store_is_in_what_is_stored_after_its_last_use():
    """By the definition, it would be in A[i], which T overwrites before U reads it."""
    scop = pn.parse(LATER)
    d = pn.map_scalars(scop)
    (step,) = [s for s in d.steps if isinstance(s, Mapped)]
    assert step.by == "last use"
    there = step.cells["D"].intersect_domain(scop.by_name["D"].domain)
    assert there.is_equal(isl.read_map("[N] -> { D[i] -> A[i + 1] : 0 <= i < N }"))
    assert "s" not in d.result.arrays
    assert equivalent(scop, d, N=[1, 2, 3, 5])


@pytest.mark.parametrize("name", REFUSED)
def test_conflicts_are_found(name):
    text, scalar, rule = REFUSED[name]
    scop = pn.parse(text)
    d = pn.map_scalars(scop)
    steps = [s for s in d.steps if isinstance(s, NotMapped) and s.scalar == scalar]
    assert [s.conflict.rule for s in steps if s.conflict is not None] == [rule]
    assert scalar in d.result.arrays
    assert equal(scop, d)


@pytest.mark.parametrize(
    ("text", "scalar", "why"),
    [
        (D07, "v", "live-out"),
        (D07, "v", "Add `temp v;` or `--temp v` if it is not"),
        (D08, "v", "not written"),
        (UNWRITTEN, "s", "may be read before it is written"),
        (GUARDED, "s", "data decides whether s is written"),
    ],
)
def test_scalars_of_the_wrong_kind(text, scalar, why):
    d = pn.map_scalars(pn.parse(text))
    assert d.result is d.before
    assert why in d.why(scalar)


@pytest.mark.parametrize(("text", "why"), [(D09, "not in a loop"), (D10, "one element only")])
def test_targets_of_the_wrong_kind(text, why):
    d = pn.map_scalars(pn.parse(text))
    assert d.result is d.before
    (step,) = [s for s in d.steps if isinstance(s, TargetSkipped)]
    assert why in step.why


def test_what_the_program_does_not_write_is_not_tried():
    d = pn.map_scalars(pn.parse(D01.replace("= c;", "= c * scale;")))
    assert [s.scalar for s in d.steps if isinstance(s, Mapped | NotMapped)] == ["c"]


FORMER = """param N, K;  assume K >= 1;  temp c, d;
for i = 0 to N-1 do
  A[i] = 7; // W
  c = 0; // T
  for k = 0 to K-1 do
    c = c + B[k]; // S
  done
  d = 7; // E
  A[i] = d + c; // U
done"""


def test_former_content_is_not_there_any_more():
    """c is mapped first. What A[i] had before, the value of d, is known of the zone in which c
    lives then, as nobody needed it: uniting knowledge (Listing 5, line 17) would accept d, too."""
    scop = pn.parse(FORMER)
    d = pn.map_scalars(scop)
    mapped = [s for s in d.steps if isinstance(s, Mapped)]
    assert [s.scalar for s in mapped if s.statement == "U"] == ["c"]
    (refused,) = [s for s in d.steps if isinstance(s, NotMapped) and s.scalar == "d"]
    assert refused.conflict.rule == "lifetime"
    united = learn(mapped[-1].existing, mapped[-1].proposal)
    assert is_conflicting(united, refused.proposal) is None
    assert equal(scop, d)


def test_a_scalar_that_is_left_has_its_name_back():
    """The first use of s is mapped, under a name of its own; the second is not, and is s again."""
    scop = pn.parse("""param N; temp s;
for i = 0 to N-1 do s = B[i]; A[i] = s + 1; done
for i = 0 to N-1 do s = C[i]; D[0] = D[0] + s; done""")
    result = pn.map_scalars(scop).result
    assert result.temporaries == ("s",)
    assert {a.array for x in result.statements for a in (x.write, *x.reads)} == set("ABCDs")


def test_what_is_written_is_unknown_where_its_value_is():
    element = isl.read_map("{ D[i] -> A[i] : 0 <= i <= 2 }")
    at = isl.read_map("{ D[i] -> [2i] : 0 <= i <= 2 }")
    found = written_at(element, at, isl.read_union_map("{ D[1] -> V[7] }"))
    expected = "{ [A[1] -> [2]] -> V[7]; [A[0] -> [0]] -> []; [A[2] -> [4]] -> [] }"
    assert found.is_equal(isl.read_union_map(expected))


@pytest.mark.parametrize(
    ("name", "message", "hint"),
    [
        ("A", "A is an array, not a scalar", "one of: c"),
        ("c, C", "C is an array, not a scalar", "one of: c"),
        ("d", "there is no scalar 'd'", "one of: c"),
    ],
)
def test_only_scalars_are_chosen(name, message, hint):
    with pytest.raises(pn.PolynbError, match=message) as caught:
        pn.map_scalars(pn.gallery.load("delicm_listing3"), scalars=name)
    assert caught.value.hint == hint


def test_a_program_without_scalars_says_so():
    with pytest.raises(pn.PolynbError, match="C is an array") as caught:
        pn.map_scalars(pn.gallery.load("delicm_listing1"), scalars="C")
    assert caught.value.hint == "the program has no scalars"


def test_a_statement_that_never_runs_goes_with_its_scalar():
    scop = pn.parse(
        """param N;  temp t;
        for j = 1 to N do
          t = 0;
          for k = 0 to N do t = t + A[k]; done
          x[j] = t;
          if j < 0 then z[j] = t; fi
        done"""
    )
    result = pn.map_scalars(scop).result
    assert "t" not in result.arrays
    assert {a.array for s in result.statements for a in (s.write, *s.reads)} <= set(result.arrays)
    assert pn.equivalent(scop, result)


def test_the_place_of_a_scalar_is_written_as_subscripts_are():
    text = "param N; temp s; s = 0; for i = 0 to N do s = s + a[i]; b[i] = s; done"
    (mapped,) = [s for s in pn.remove_scalars(pn.parse(text)).steps if hasattr(s, "where")]
    assert mapped.where == "S0[] \N{RIGHTWARDS ARROW} b[0], S1[i] \N{RIGHTWARDS ARROW} b[i]"
