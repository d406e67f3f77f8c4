"""Sources that overwrite their own operand (CC'18, section 3.2), and dead writes."""

import pytest

import polynb as pn
from polynb import isl
from polynb.propagation import propagate
from polynb.run.oracle import equivalent

INCREMENT = "for i = 0 to N do S: A[i] = A[i] + 1; done for i = 0 to N do T: B[i] = A[i]; done"
ZERO = "for i = 0 to N do A[i] = 0; done"


def test_a_live_out_increment_stays():
    scop = pn.parse(f"param N; inout A; {INCREMENT}")
    d = propagate(scop, live_out=True)
    assert d.result is d.before
    assert "S(0) overwrites A[0], which S(0) reads, before T(0)" in d.why("A")


@pytest.mark.parametrize("roles", ["inout A;", "temp A;"])
def test_an_increment_goes_if_it_is_overwritten_later(roles):
    scop = pn.parse(f"param N; {roles} {INCREMENT} {ZERO}")
    d = propagate(scop, live_out=True)
    assert "S" not in d.result.by_name
    assert equivalent(d, N=[0, 1, 4])


def test_a_temporary_that_is_an_argument():
    scop = pn.parse(f"param N; temp A; {INCREMENT}")
    d = propagate(scop)
    assert [s.name for s in d.result.statements] == ["T"]
    assert "initial content is still read" in d.why("A")
    assert equivalent(d, N=[0, 1, 4])


def test_increments_of_increments():
    twice = INCREMENT.replace("for i", "for i = 0 to N do U: A[i] = 3 * A[i]; done for i", 1)
    d = propagate(pn.parse(f"param N; temp A; {twice}"))
    assert [s.name for s in d.result.statements] == ["T"]
    assert equivalent(d, N=[0, 1, 4])


def test_only_a_part_is_overwritten_later():
    scop = pn.parse(f"param N; inout A; {INCREMENT} {ZERO.replace('= 0 to', '= 1 to')}")
    d = propagate(scop, live_out=True)
    assert d.result is d.before


def test_someone_else_still_needs_it():
    scop = pn.parse(f"""param N; inout A, X; {INCREMENT}
    for i = 0 to N do A[N-i] = 0; C[i] = A[i]; done""")
    d = propagate(scop, live_out=True)
    assert equivalent(d, N=[0, 1, 4])


def test_dead_writes_that_only_dead_writes_read():
    """u is read by t alone, and t, once its part of B is overwritten, by nobody."""
    scop = pn.parse("""param N; temp s; inout u, t;
    for i = 0 to N do
      s = X[i];
      u[i] = s * 2;
      t[i] = u[i] + 1;
    done
    for i = 0 to N do t[i] = 0; done
    for i = 0 to N do u[i] = 1; done""")
    d = propagate(scop)
    assert len(d.result.statements) == 2
    assert equivalent(d, N=[0, 1, 4])


def test_a_sum_that_is_dead_is_not_peeled_without_end():
    scop = pn.parse("""param N; temp s; inout t[N+1];
    for i = 0 to N do
      s = X[i];
      for k = 0 to N do t[i] = t[i] + s * A[i][k]; done
    done
    for i = 0 to N do t[i] = 0; done""")
    d = propagate(scop)
    assert equivalent(d, N=[0, 1, 4])


def test_an_analysis_that_fails_removes_nothing_and_says_so(monkeypatch):
    def failing(*_):
        raise isl.IslError("isl refused")

    monkeypatch.setattr("polynb.rewriting.dead_writes.remove_unneeded", failing)
    d = propagate(pn.gallery.load("fig1"))
    said = [str(s) for s in d.steps]
    assert "Whether all writes of out are needed was not found (isl refused)." in said
    assert equivalent(d, N=[3, 5])
