"""What polynb needs of islpy otherwise, it does itself: islpy's classes are everybody's."""

import copy
import pickle
import subprocess
import sys

import pytest

import polynb as pn
from polynb import isl
from polynb.scop.schedule import walk

UNCHANGED = """
import copyreg, inspect, islpy, numpy, pickle

def state():
    classes = [c for _, c in inspect.getmembers(islpy, inspect.isclass)]
    members = {(c, n): v for c in classes for n, v in vars(c).items()}
    return members, dict(vars(islpy)), dict(copyreg.dispatch_table)

before = state()
import polynb
scop = polynb.parse("param N; temp t; for i = 0 to N do t[i] = a[i]; b[i] = t[i]; done")
d = polynb.propagate(scop)
assert "t" in scop.arrays and polynb.prove(d), "it works"
pickle.loads(pickle.dumps(d))
import polynb.evaluation, polynb.tracing, polynb.tuning, polynb.show, polynb.labs
for was, now in zip(before, state()):
    changed = [k for k in was.keys() | now.keys() if was.get(k) is not now.get(k)]
    changed = [k for k in changed if not str(k).startswith("polynb")]
    assert not changed, changed
"""


@pytest.mark.long
def test_nobody_else_has_another_islpy_because_of_polynb() -> None:
    done = subprocess.run([sys.executable, "-c", UNCHANGED], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


NAMED_TWICE = "param N; temp t; for i = 0 to N do S: t[i] = a[i]; T: b[i] = t[i] + b[i+1]; done"


def test_what_holds_sets_and_maps_pickles_with_them() -> None:
    """Maps from instances to instances of the same iterators, too."""
    scop = pn.parse(NAMED_TWICE)
    found = pn.analyze(scop)
    (edge,) = found.flow("t").edges
    names = isl.dim_names(edge.relation, isl.IN), isl.dim_names(edge.relation, isl.OUT)
    again = pickle.loads(pickle.dumps(edge))
    assert again.relation.is_equal(edge.relation)
    assert names == (("i",), ("i",))
    assert (
        isl.dim_names(again.relation, isl.IN),
        isl.dim_names(again.relation, isl.OUT),
    ) == names
    for x in (scop, found, scop.statements[0], scop.arrays, scop.schedule, pn.propagate(scop)):
        assert type(pickle.loads(pickle.dumps(x))) is type(x)
    assert str(copy.deepcopy(scop)) == str(scop)


def test_what_is_pickled_together_stays_one() -> None:
    d = pn.propagate(pn.parse(NAMED_TWICE))
    again = pickle.loads(pickle.dumps(d))
    assert again.result is again.stages[-1]
    assert again.before is again.stages[0]
    assert [type(t) for t in walk(again.result.schedule)] == [
        type(t) for t in walk(d.result.schedule)
    ]
