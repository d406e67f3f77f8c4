"""polynb: see why a loop can't be optimised, and fix it.

The house, in the order a program walks through it (each room uses only those above it):

    errors       what went wrong: a caret, the reason, a way out
    words        lists and numbers of things, in words
    arguments    the checks of what public functions are called with
    conveniences what objects offer and rooms further down do: text, C, displays, pages
    isl          the only door to isl, and its budgets
    source       text -> syntax tree and back (the SCoP language and C)
    scop         syntax tree -> Scop, the polyhedral model; schedule trees
    derivation   how an algorithm shows its work
    dependences  Scop -> flow, anti and output dependences, live-in, live-out, live ranges
    legality     may it run so? Orders checked with witnesses, carried loops, what is private
    schedules    order -> order: tiling, interchange, how loops run, contracting, merging
    rewriting    expressions -> expressions: pool, substitution, splitting
    recurrences  values that iterations pass on: scalars, strips, tables
    propagation  expression propagation (CC'18)
    delicm       scalars back into the arrays they came from (DeLICM)
    reordering   live-range reordering (IMPACT'16): bands in spite of reused memory
    violations   live ranges that a transformation violates (GRAPHITE, 2010); moves with verdicts
    codegen      Scop -> syntax tree in the order of its schedule, and C kernels
    run          kernels in a worker process, timing, and the oracle that checks passes
    proofs       whether two programs are the same, for every size
    folding      streams of points with labels -> polyhedra with label functions (TACO'19)
    tracing      running programs -> streams, folded on the way; what they tell
    tuning       many variants of a program, run and compared
    gallery      the papers' figures, image pipelines, classic kernels
    evaluation   the papers' tables and figures as commands, beside the peers
    labs         exercises, and checkers that answer with a counterexample
    show         magics, displays, traces, pictures: all that knows Jupyter
    site         notebooks as pages whose steppers step, what there is to look up, slides

>>> import polynb as pn
>>> scop = pn.parse('''
... param N;  assume N >= 1;  temp t;
... for i = 0 to N do t[i] = 2 * A[i]; done
... for j = 0 to N do B[j] = t[N-j] + 1; done
... ''')
>>> d = pn.propagate(scop)
>>> print(d.why("t"))
t is removed, and with it S0.
>>> print(pn.equivalent(d))
the same: proved for every N
>>> fused = pn.reorder(pn.gallery.load("lrr_listing1"), tile=32)
>>> print(pn.check(fused))
legal: 4 false dependences are turned around, and no live ranges overlap
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from polynb import gallery, labs
    from polynb.delicm import (
        forward_operands,
        map_scalars,
        remove_scalars,
        scalarize,
        simplify,
    )
    from polynb.dependences import Dependences, Edge, analyze
    from polynb.derivation import Derivation
    from polynb.errors import PolynbError
    from polynb.folding import Folded, fold
    from polynb.isl.budgets import budget
    from polynb.legality import Verdict, check
    from polynb.proofs import Proof, equivalent, prove
    from polynb.propagation import propagate, reload_test
    from polynb.reordering import reorder
    from polynb.run import Kernel, Timing, compile, measure
    from polynb.scop import Array, Scop, Statement, parse
    from polynb.show.draw.drawing import draw
    from polynb.show.play import play
    from polynb.tracing import trace
    from polynb.tracing.feedback import feedback
    from polynb.tuning import Table, search, sweep
    from polynb.violations import Transformation, transform, violated_ranges

# The public names and the modules they load from at first use (PEP 562): `import polynb` alone
# stays quick.
_HOME = {
    "Array": "polynb.scop",
    "Dependences": "polynb.dependences",
    "Derivation": "polynb.derivation",
    "Edge": "polynb.dependences",
    "Folded": "polynb.folding",
    "Kernel": "polynb.run",
    "PolynbError": "polynb.errors",
    "Proof": "polynb.proofs",
    "Scop": "polynb.scop",
    "Statement": "polynb.scop",
    "Table": "polynb.tuning",
    "Timing": "polynb.run",
    "Transformation": "polynb.violations",
    "Verdict": "polynb.legality",
    "analyze": "polynb.dependences",
    "budget": "polynb.isl",
    "check": "polynb.legality",
    "compile": "polynb.run",
    "draw": "polynb.show.draw.drawing",
    "equivalent": "polynb.proofs",
    "feedback": "polynb.tracing.feedback",
    "fold": "polynb.folding",
    "forward_operands": "polynb.delicm",
    "map_scalars": "polynb.delicm",
    "measure": "polynb.run",
    "parse": "polynb.scop",
    "play": "polynb.show.play",
    "propagate": "polynb.propagation",
    "prove": "polynb.proofs",
    "reload_test": "polynb.propagation",
    "remove_scalars": "polynb.delicm",
    "reorder": "polynb.reordering",
    "scalarize": "polynb.delicm",
    "simplify": "polynb.delicm",
    "search": "polynb.tuning",
    "sweep": "polynb.tuning",
    "trace": "polynb.tracing",
    "transform": "polynb.violations",
    "violated_ranges": "polynb.violations",
}

__all__ = [
    "Array",
    "Dependences",
    "Derivation",
    "Edge",
    "Folded",
    "Kernel",
    "PolynbError",
    "Proof",
    "Scop",
    "Statement",
    "Table",
    "Timing",
    "Transformation",
    "Verdict",
    "analyze",
    "budget",
    "check",
    "compile",
    "draw",
    "equivalent",
    "feedback",
    "fold",
    "forward_operands",
    "gallery",
    "labs",
    "map_scalars",
    "measure",
    "parse",
    "play",
    "propagate",
    "prove",
    "reload_test",
    "remove_scalars",
    "reorder",
    "scalarize",
    "search",
    "simplify",
    "sweep",
    "trace",
    "transform",
    "violated_ranges",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = getattr(importlib.import_module(_HOME[name]), name)
    elif name in ("gallery", "labs"):
        value = importlib.import_module(f"polynb.{name}")
    else:
        raise AttributeError(f"module 'polynb' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """What there is to use: not the rooms, which become attributes when they are imported."""
    return sorted([*__all__, "__version__"])


def load_ipython_extension(ipython: Any) -> None:
    """`%load_ext polynb`: the magics, their completions and displays."""
    from polynb.show import load

    load(ipython)


def unload_ipython_extension(ipython: Any) -> None:
    """`%unload_ext polynb`: take them back."""
    from polynb.show import unload

    unload(ipython)
