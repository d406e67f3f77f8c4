"""Two computations of the flow of values, compared."""

import polynb as pn
from polynb.violations import array_dataflow


def assert_same_flow(scop, kills=None):
    ours = {(e.source, e.target, e.read): e for e in array_dataflow(scop, kills=kills)}
    theirs = {(e.source, e.target, e.read): e for e in pn.analyze(scop, kills=kills).flow_edges}
    for key in ours.keys() | theirs.keys():
        a, b = (found[key].relation if key in found else None for found in (ours, theirs))
        left = (x.intersect_params(scop.assumed) if x is not None else None for x in (a, b))
        a, b = (None if x is None or x.is_empty() else x for x in left)
        assert (a is None) == (b is None), f"{key}\n{a}\n{b}\n{scop}"
        if a is not None:
            assert a.is_equal(b), f"{key}\n{a}\n{b}\n{scop}"
            assert ours[key].exact == theirs[key].exact
    return len(ours)
