"""polynb: see why a loop can't be optimised, and fix it.

The house, in the order a program walks through it (each room uses only those above it):

    errors       what went wrong: a caret, the reason, a way out
    words        lists and numbers of things, in words
    arguments    the checks of what public functions are called with
    graphs       components of graphs
    conveniences what objects offer and rooms further down do: text, C, displays, pages
    isl          the only door to isl, and its budgets
    source       text -> syntax tree and back (the SCoP language and C)
    scop         syntax tree -> Scop, the polyhedral model; schedule trees
    derivation   how an algorithm shows its work
    dependences  Scop -> flow, anti and output dependences, live-in, live-out, live ranges
    legality     may it run so? Orders checked with witnesses, carried loops, what is private
    schedules    order -> order: tiling, interchange, how loops run, contracting, merging
    moves        moves of loops by their names: one file each; scripts of them
    rewriting    expressions -> expressions: pool, substitution, splitting
    recurrences  values that iterations pass on: scalars, strips, tables
    windows      pipelines in strips of rows, in windows of the rows still needed
    scalarizing  the scalars that compilers introduce: loop invariants, loads passed on
    propagation  expression propagation (CC'18)
    delicm       scalars back into the arrays they came from (DeLICM)
    reordering   live-range reordering (IMPACT'16): bands in spite of reused memory
    violations   live ranges that a transformation violates (GRAPHITE, 2010); moves with verdicts
    codegen      Scop -> syntax tree in the order of its schedule, and C kernels
    optimising   the order that a cost model likes best, or the program's own
    run          kernels in a worker process, timing, and the oracle that checks passes
    proofs       whether two programs are the same, for every size
    reading      what a program computes, read back: formulas, and a few small numbers
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

if TYPE_CHECKING:  # the table below once more, for type checkers; a test compares them
    from polynb import gallery as gallery, labs as labs
    from polynb.delicm import (
        forward_operands as forward_operands,
        map_scalars as map_scalars,
        remove_scalars as remove_scalars,
        simplify as simplify,
    )
    from polynb.dependences import Dependences as Dependences, Edge as Edge, analyze as analyze
    from polynb.derivation import Derivation as Derivation
    from polynb.errors import PolynbError as PolynbError
    from polynb.folding import Folded as Folded, fold as fold
    from polynb.isl.budgets import budget as budget
    from polynb.legality import Verdict as Verdict, check as check
    from polynb.optimising import optimise as optimise
    from polynb.proofs import Proof as Proof, equivalent as equivalent, prove as prove
    from polynb.propagation import propagate as propagate, reload_test as reload_test
    from polynb.reading import ReadBack as ReadBack, read_back as read_back
    from polynb.reordering import reorder as reorder
    from polynb.run import (
        Kernel as Kernel,
        Timing as Timing,
        compile as compile,
        measure as measure,
    )
    from polynb.scalarizing import scalarize as scalarize
    from polynb.scop import Array as Array, Scop as Scop, Statement as Statement, parse as parse
    from polynb.show.draw.drawing import draw as draw
    from polynb.show.play import play as play
    from polynb.tracing import trace as trace
    from polynb.tracing.feedback import feedback as feedback
    from polynb.tuning import (
        Roofline as Roofline,
        Table as Table,
        roofline as roofline,
        search as search,
        sweep as sweep,
        tune as tune,
    )
    from polynb.violations import (
        Transformation as Transformation,
        transform as transform,
        violated_ranges as violated_ranges,
    )

# The public names by the module that they load from at first use (PEP 562): `import polynb` alone
# stays quick.
_HOMES = {
    "polynb": "gallery labs",
    "polynb.delicm": "forward_operands map_scalars remove_scalars simplify",
    "polynb.dependences": "Dependences Edge analyze",
    "polynb.derivation": "Derivation",
    "polynb.errors": "PolynbError",
    "polynb.folding": "Folded fold",
    "polynb.isl": "budget",
    "polynb.legality": "Verdict check",
    "polynb.proofs": "Proof equivalent prove",
    "polynb.optimising": "optimise",
    "polynb.propagation": "propagate reload_test",
    "polynb.reading": "ReadBack read_back",
    "polynb.reordering": "reorder",
    "polynb.run": "Kernel Timing compile measure",
    "polynb.scalarizing": "scalarize",
    "polynb.scop": "Array Scop Statement parse",
    "polynb.show.draw.drawing": "draw",
    "polynb.show.play": "play",
    "polynb.tracing": "trace",
    "polynb.tracing.feedback": "feedback",
    "polynb.tuning": "Roofline Table roofline search sweep tune",
    "polynb.violations": "Transformation transform violated_ranges",
}
_HOME = {name: home for home, names in _HOMES.items() for name in names.split()}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'polynb' has no attribute {name!r}")
    home = _HOME[name]
    if home == __name__:
        return importlib.import_module(f"{home}.{name}")
    value = globals()[name] = getattr(importlib.import_module(home), name)
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
