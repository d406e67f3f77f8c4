"""Every public function, called wrongly: a PolynbError, or Python's own word on its signature.

The calls are made of the signatures. A public function, method or parameter that is not in the
tables below fails `test_everything_public_is_in_the_tables`.
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from types import FunctionType
from typing import Any

import numpy as np
import pytest

import polynb as pn
from polynb import isl
from polynb.dependences import live_ranges, overwrites, same_cell
from polynb.derivation import Pass
from polynb.gallery import describe, entry, load, sizes, text
from polynb.legality import memory_based, violation
from polynb.propagation import (
    CacheLines,
    CodeComplexity,
    Recomputation,
    by_potential,
    default_heuristics,
    first_write,
    in_order,
    overwritten_reloads,
    paper_heuristics,
    potential_intermediate_writes,
)
from polynb.reordering import (
    IslOptions,
    build,
    cpu,
    from_isl,
    gpu,
    isl_schedule,
    none,
    preset,
)
from polynb.rewriting import rewrite
from polynb.schedules import (
    contract,
    interchange,
    merge_writes,
    permutable_bands,
    privatizable,
    privatize,
    tile,
    trip_count,
    with_storage,
)
from polynb.source import tree as syntax
from polynb.tuning import Row, Sweep, Table, Trial, counts, subsets
from polynb.violations import array_dataflow, images, intervals, repairs

MODULES = (
    *("", ".gallery", ".dependences", ".schedules", ".reordering", ".tuning", ".propagation"),
    ".violations",
)

TEXT = """
param N; temp t;
for i = 0 to N do t[i] = 2 * A[i]; done
for i = 0 to N do B[i] = t[i] + 1; done
"""
SQUARE = "param N; for i = 0 to N do for j = 0 to N do C[i][j] = D[i][j] + 1; done done"
LINE = "{ S[i] : 0 <= i < 10 }"
TIMES = "{ S[i] -> [i] }"


@cache
def scop() -> pn.Scop:
    return pn.parse(TEXT)


@cache
def square() -> pn.Scop:
    return permutable_bands(pn.parse(SQUARE))


@cache
def derivation() -> pn.Derivation:
    return pn.propagate(scop())


def proof() -> pn.Proof:
    return pn.prove(derivation())


@cache
def dependences() -> pn.Dependences:
    return pn.analyze(scop())


@cache
def edge() -> pn.Edge:
    return dependences().flow("t").edges[0]


@cache
def ranges() -> Any:
    return live_ranges(scop())


@cache
def kernel() -> pn.Kernel:
    return pn.compile(scop(), threads=1)


@cache
def traced() -> pn.tracing.Folding:
    return pn.trace("int f(int n) { return n; }", n=3)


@cache
def folded() -> pn.Folded:
    return pn.fold([[0], [1]], [3, 4])


@cache
def timing() -> pn.Timing:
    return pn.measure(kernel(), N=4, rounds=1)


@cache
def trial() -> Trial:
    return Trial(scop(), {"N": 4}, rounds=1, compile_options={"threads": 1})


@cache
def swept() -> Sweep:
    return Sweep((Row("one", {"ratio": 1.5}),))


def statement(number: int) -> pn.Statement:
    return scop().statements[number]


def written(number: int) -> tuple[Any, Any]:
    return statement(number), statement(number).write


def values_of(number: int) -> dict[str, Any]:
    return {i: syntax.Iterator("k") for i in statement(number).iterators}


# -- what is wrong for a parameter ----------------------------------------------------------

NAN, INF, HUGE, THING = float("nan"), float("inf"), 2**70, object()
STRANGE = (b"x", THING)
INTEGER = ("x", "", True, 1.5, NAN, INF, HUGE, -HUGE, [], {}, *STRANGE)
COUNT = (*INTEGER, 0, -1)
FLAG = ("x", "", None, 0, 1, 3, NAN, [], *STRANGE)
WORD = ("nope", "", 3, None, True, NAN, [], {}, *STRANGE)
NAMES = ("nope", ["nope"], [3], [None], 3, True, NAN, {"t": 1}, *STRANGE)
PROGRAM = ("x", "", 3, None, True, NAN, [], {}, *STRANGE)
SECONDS = ("x", "", True, 0, -1, NAN, INF, -INF, HUGE, 1e300, [], *STRANGE)
SIZES = ("x", 3, True, [3], {"Q": 3}, {1: 3}, {"N": "x"}, {"N": NAN}, {"N": HUGE}, {"N": True},
         {"N": None}, *STRANGE)  # fmt: skip
MAP = ("x", "{ Q[i] -> [i] }", "{ S0[i,j] -> [i] }", "{ S0[i] -> [", 3, True, NAN, [], *STRANGE)
OBJECT = ("x", 3, True, NAN, [], {}, *STRANGE)
ISL_TEXT = ("x", "{ S[i", "{ S[i] -> [j + 1] }", 3, None, True, NAN, [], *STRANGE)
FUNCTION = ("x", 3, NAN, [], *STRANGE)
FILE = ("", 3, NAN, [], "/nowhere/at/all/page.html", "/", *STRANGE)
TEXT_ = (3, None, True, NAN, [], {}, *STRANGE)
OPTIONAL_COUNT, OPTIONAL_NAMES = COUNT, NAMES
VALUES = ({"Q": 3}, *({"N": v} for v in ("x", NAN, 1.5, HUGE, -HUGE, True, None, {}, *STRANGE)))

KINDS: Mapping[str, tuple[Any, ...]] = {
    "program": PROGRAM, "scop": PROGRAM, "before": PROGRAM, "programs": PROGRAM,
    "after": (*OBJECT, {"N": 3}), "max_operations": COUNT, "max_programs": COUNT, "limit": COUNT,
    "threads": (*COUNT, 10**12), "rounds": (*COUNT, 10**12), "cache_lines": COUNT,
    "fast_math": FLAG, "partial": FLAG, "live_out": FLAG, "separate": FLAG, "shift": FLAG,
    "by_data": FLAG, "predict": FLAG, "prove": FLAG, "retry": FLAG, "lowest": FLAG, "strict": FLAG,
    "search": FLAG,
    "timeout": SECONDS, "seconds": SECONDS,
    "arrays": NAMES, "keep": (*NAMES, None), "independent": (*NAMES, None),
    "order": (*NAMES, None, "", [], "t, t", ["t", "t"]), "temp": (*NAMES, None),
    "language": WORD, "heap": WORD, "parallel": WORD, "preset": WORD, "scheduler": WORD,
    "kind": WORD, "array": WORD, "value": WORD,
    "name": TEXT_, "assume": (3, True, NAN, ["N > 2"], "N >", "Q > 3", "[N] -> { : N > 2 }"),
    "text": (3, None, True, NAN, [], "", "for", *STRANGE),
    "compiler": (3, True, NAN, [], "", "no-such-compiler", "a\0b", *STRANGE),
    "flags": (3, None, True, NAN, {}, "-DX='", [3], ["a\0b"], *STRANGE),
    "sizes": SIZES, "parameters": SIZES,
    "kills": (*MAP, "{ S0[i] -> Q[i] }", "{ S0[i] -> t[i,i] }"),
    "schedule": MAP, "previous": OBJECT, "progress": FUNCTION, "run": (*FUNCTION, None),
    "constraints": OBJECT, "options": OBJECT, "effort": OBJECT, "operand": OBJECT,
    "readings": OBJECT, "ranges": (*OBJECT, None),
    "dependences": (*OBJECT, None), "edge": (*OBJECT, None),
    "privatize": (*NAMES, None), "contract": (*NAMES, None),
    "interchange": ("x", 3, True, NAN, [], [0.5], [True], [-1], [0, 0], [HUGE], *STRANGE),
    "tile": ("x", "", 0, -1, True, 1.5, NAN, INF, HUGE, [], [0], ["x"], *STRANGE),
    "band": ("x", -1, 7, True, 1.5, NAN, HUGE, [], *STRANGE),
    "heuristics": ("x", 3, True, NAN, [3], [CacheLines], {}, *STRANGE),
    "recurrences": ("x", "", None, 0, 1, 3, NAN, [], *STRANGE),
    "windows": ("x", "", None, 0, -1, 1.5, NAN, HUGE, [], *STRANGE),
    "together": ("x", "", None, True, 0, -1, 1.5, NAN, HUGE, [], *STRANGE),
    "executor": OBJECT, "resume": FILE, "file": FILE, "without": (*NAMES, None),
    "x": ("x", "", "{ [i", 3, None, True, NAN, [], {}, *STRANGE), "ax": OBJECT,
    "candidates": ("nope", ["nope"], [3], [], 3, None, THING), "names": (3, None, [3], True, THING),
    "domain": ISL_TEXT, "reads": ISL_TEXT, "writes": ISL_TEXT,
    "context": (*ISL_TEXT, "{ S[i] }"),
    **dict.fromkeys(("validity", "proximity", "coincidence", "condition", "conditioned_validity"),
                    (*ISL_TEXT, "{ Q[i] -> S[i] }", "{ S[i,j] -> S[i] }")),
}  # fmt: skip


# -- the functions ---------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Case:
    """A function, arguments with which it is right, and kinds of parameters that are its own."""

    function: Callable[..., Any]
    good: Callable[[], Mapping[str, Any]] = dict
    own: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)


def of_scop(function: Callable[..., Any], **own: tuple[Any, ...]) -> Case:
    first = next(iter(inspect.signature(function).parameters))
    return Case(function, lambda: {first: scop()}, own)


def of_square(function: Callable[..., Any], **own: tuple[Any, ...]) -> Case:
    first = next(iter(inspect.signature(function).parameters))
    return Case(function, lambda: {first: square()}, own)


def of_one(function: Callable[..., Any], value: Any, **own: tuple[Any, ...]) -> Case:
    first = next(iter(inspect.signature(function).parameters))
    return Case(function, lambda: {first: value()}, own)


SETS = {
    "domain": LINE,
    "schedule": TIMES,
    "reads": "{ S[i] -> A[i] }",
    "writes": "{ S[i] -> B[i] }",
}
PAIRS = ("x", 3, True, NAN, [3], [("a", 1), ("a", 2)], [[1]], *STRANGE)
GALLERY = WORD
BOTH = tuple(x for x in NAMES if x is not True)
MAPS = ("x", 3, None, {"S0": 3}, {3: 3}, THING)
ACCESS = ("x", 3, None, (), (3, 4), THING)
LIMITS = dict.fromkeys(("pieces", "operations", "line", "limit"), (*INTEGER, None))

LOOP = (*WORD, "i j", "S0.k", "i:2")
STEP = (*COUNT, 1, None)
START = pn.transform(pn.parse(SQUARE))
CHAIN: Mapping[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "undo": ({}, {"moves": (*COUNT, None)}),
    "then": ({"move": START.reverse("i").moves[0]},
             {"move": (*OBJECT, None)}),
    "interchange": ({"first": "i", "second": "j"}, {"first": (*LOOP, "j"), "second": LOOP}),
    "fuse": ({}, {"first": LOOP, "second": LOOP, "depth": COUNT}),
    "distribute": ({}, {"loop": LOOP, "at": LOOP}),
    **{name: ({"loop": "i"}, {"loop": LOOP}) for name in ("reverse", "parallel", "vectorize")},
    "skew": ({"loop": "j", "by": "i"},
             {"loop": LOOP, "by": (*LOOP, "j"), "factor": (*INTEGER, None)}),
    "shift": ({"statement": "S0", "by": 1}, {
        "statement": LOOP, "along": ("nope", "", 3, True, NAN, *STRANGE),
        "by": ("x", "", True, None, 1.5, NAN, HUGE, [1, 1, 1], [None], [1.5], {}, *STRANGE)}),
    "strip_mine": ({"loop": "i", "by": 4}, {"loop": LOOP, "by": STEP}),
    "unroll": ({"loop": "i", "by": 4}, {"loop": LOOP, "by": STEP}),
    "unroll_and_jam": ({"loop": "i", "by": 4}, {"loop": LOOP, "by": STEP}),
    "peel": ({"loop": "i"},
             {"loop": LOOP, "first": (*INTEGER, -1, 99), "last": (*INTEGER, -1, 99)}),
    **{name: ({}, {"array": (*WORD, "C", "D")}) for name in ("privatize", "expand")},
    "schedule": ({"times": "{ S0[i,j] -> [j,i] }"}, {"times": (*ISL_TEXT, "{ S0[i,j] -> [i] }")}),
}  # fmt: skip

CASES: Mapping[str, Case] = {
    "parse": Case(pn.parse, lambda: {"text": TEXT}),
    "budget": Case(
        lambda operations=None, seconds=None, doing="": pn.budget(
            operations, seconds, doing=doing).__enter__(), dict,
        {"operations": COUNT, "seconds": tuple(x for x in SECONDS if x != INF), "doing": TEXT_}),
    "analyze": of_scop(pn.analyze),
    "check": Case(pn.check, lambda: {"program": scop(), "schedule": scop()}),
    "memory_based": Case(memory_based, lambda: {"program": scop(), "schedule": scop()}),
    "violated_ranges": Case(
        pn.violated_ranges, lambda: {"program": scop(), "schedule": scop()},
        {"mode": WORD, "parallel": ("x", 3, None, NAN, [9], [-1], [True], ["x"], [HUGE], *STRANGE)},
    ),
    "array_dataflow": of_scop(array_dataflow),
    "intervals": of_scop(intervals, flow=("x", 3, NAN, [3], {}, THING)),
    "images": Case(
        images, lambda: {"program": scop(), "schedule": scop()},
        {"known": ("x", 3, NAN, [], {"t": [3]}, THING)},
    ),
    "repairs": Case(
        repairs, lambda: {"program": scop(), "schedule": scop()},
        {"distance": COUNT, "candidates": COUNT, "parallel": FLAG, "progress": (3, "x", THING)},
    ),
    "compile": of_scop(pn.compile),
    "draw": of_scop(pn.draw, values=VALUES),
    "equivalent": Case(
        pn.equivalent, lambda: {"before": scop(), "after": scop()},
        {"values": (*VALUES, {"N": []}, {"N": ["x"]}, {"N": range(10**9)}),
         "parameters": SIZES, "before": PROGRAM},
    ),
    "play": of_scop(pn.play),
    "read_back": of_scop(pn.read_back),
    "prove": Case(pn.prove, lambda: {"before": scop(), "after": scop()}, {"before": PROGRAM}),
    **{name: Case(
        function, lambda: {"programs": scop(), "values": {"N": 4}},
        {"arrays": ("x", 3, True, NAN, [3], {1: 2}, {"Q": 3}, {"N": 5}, THING),
         "programs": (*PROGRAM, [3], {"a": 3}), "independent": (["nope"], 3, None, THING),
         "values": (*VALUES, {"A": "x"}, {"A": 3}, {"N": 2**40}, {"B": THING})},
    ) for name, function in (("measure", pn.measure), ("roofline", pn.roofline))},
    "fold": Case(
        pn.fold, lambda: {"points": [[0, 0], [0, 1]], "labels": [1, 2]},
        {"points": ("x", 3, None, True, [], [1], [[1.5]], [[0], [0]], [[1], [0]], [[2**50]],
                    [[2**63]], [[1], [1, 2]], {}, [["x"]], [[None]], np.zeros((2, 30), int),
                    np.ones((1, 1), bool), np.ones((1, 1, 1), int), THING),
         "labels": ("x", 3, True, [], [1], [1, 2.5], [[1]], [1, 2**63], [[[1]], [[2]]], {},
                    ["x", "y"], np.zeros((2, 99), int), THING),
         "variant": (*WORD, "F_G"), "names": (3, "i", "i, i", [3], [], True, THING),
         "outputs": (3, "a, b", [3], [], True, THING), "identifier": TEXT_, "skip": FLAG,
         "engine": WORD},
    ),
    "feedback": Case(pn.feedback, lambda: {"folding": traced()}, {"folding": OBJECT}),
    "Folded.to_html": Case(lambda file: folded().to_html(file), dict, {"file": (3, "/nowhere/x")}),
    "Folded.label_text": Case(
        lambda piece: folded().label_text(piece), dict, {"piece": (*OBJECT, None)}),
    "forward_operands": of_scop(pn.forward_operands, arrays=(*NAMES, "A"), prefer=STRANGE),
    "map_scalars": of_scop(pn.map_scalars, scalars=NAMES),
    "propagate": of_scop(pn.propagate),
    "remove_scalars": of_scop(pn.remove_scalars, only=("x", 3, True, [], ["forwad"], "map map2")),
    "reload_test": Case(pn.reload_test, lambda: {"dependences": dependences(), "edge": edge()}),
    "optimise": of_scop(pn.optimise),
    "reorder": of_scop(pn.reorder, privatize=BOTH, contract=BOTH),
    "scalarize": of_scop(pn.scalarize, kind=STRANGE, arrays=NAMES),
    "simplify": of_scop(pn.simplify),
    "search": Case(
        pn.search, lambda: {"program": scop(), "N": 4, "most": 1, "depth": 1, "progress": False},
        {**dict.fromkeys(("depth", "by", "most", "looked"), (*COUNT[:3], HUGE, *STRANGE)),
         **dict.fromkeys(("arrays", "compile_options"), ("x", 3, {1: 2}, THING)),
         "trial_seconds": SECONDS, "parameters": (*SIZES[:2], {"Q": 3}), "moves": NAMES,
         "sizes": VALUES},
    ),
    "tune": Case(
        pn.tune, lambda: {"program": scop(), "N": 4, "budget": 0.01, "progress": False},
        {**dict.fromkeys(("arrays", "compile_options"), ("x", 3, {1: 2}, THING)),
         "trial_seconds": SECONDS, "budget": SECONDS, "parameters": (*SIZES[:2], {"Q": 3}),
         "moves": NAMES, "passes": NAMES, "sizes": VALUES},
    ),
    "sweep": Case(
        pn.sweep, lambda: {"variants": {"one": {}}, "run": lambda v: {}},
        {"variants": (*PAIRS, None), "progress": (*FUNCTION, None)},
    ),
    "Scop.from_isl": Case(pn.Scop.from_isl, lambda: SETS, {"schedule": ISL_TEXT}),
    "gallery.load": of_one(
        load, lambda: "jacobi_1d", name=GALLERY,
        options=({"temp": 3}, {"assume": 3}, {"nope": 3}, {"language": "c"}),
    ),
    **{f"gallery.{f.__name__}": of_one(f, lambda: "jacobi_1d", name=GALLERY)
       for f in (text, entry, sizes, describe)},
    "live_ranges": of_scop(live_ranges),
    "contract": of_scop(contract, arrays=(*NAMES, "A")),
    "privatize": of_scop(privatize, arrays=(*NAMES, "A")),
    "privatizable": of_scop(privatizable),
    "permutable_bands": of_scop(permutable_bands),
    "merge_writes": of_scop(merge_writes),
    "interchange": Case(
        interchange, lambda: {"program": square(), "order": [1, 0]},
        {"order": ("x", 3, None, True, NAN, [], [0], [0, 0], [0, 2], [True, 0], [HUGE, 0], THING)},
    ),
    "tile": of_square(tile, sizes=("x", "", 0, -1, True, None, NAN, HUGE, [], [0, 0], [2], THING)),
    "with_storage": Case(
        with_storage, lambda: {"program": scop(), "array": "t", "storage": "{ t[i] -> w[i] }"},
        {"storage": ("x", "{ Q[i] -> w[i] }", "{ t[i] -> t[i] }", "{ t[i] -> [i] }",
                     "{ t[i] -> w[i - 1] }", "{ t[i] -> w[0] }", "{ t[i] -> A[i] }",
                     "{ t[i] -> w[j] : 0 <= j < 2 }", "[Q] -> { t[i] -> w[i + Q] }",
                     "{ t[i] -> N[i] }",
                     "{ t[i] -> B[0, i] }", "{ t[0] -> w[0] }", None, *STRANGE)},
    ),
    "trace": Case(
        pn.trace, lambda: {"source": "int f(int n) { return n; }", "sizes": {"n": 3}},
        {"source": ("", "for", 3, None, True, NAN, [], "/nowhere", *STRANGE),
         "call": ("", "g(3)", "f(", 3, True, NAN, [], *STRANGE), "only": ("", "g", 3, True, THING),
         "events": COUNT, "memory": COUNT, "variant": WORD, "streams": FLAG,
         "arguments": ("x", 3, [3], ["a\0b"], THING), "progress": FUNCTION,
         "sizes": ({"q": 3}, *({"n": v} for v in ("x", NAN, HUGE, -HUGE, True, None, THING)))},
    ),
    "transform": of_scop(pn.transform, script=(3, True, NAN, [], "nope", "reverse", *STRANGE)),
    **{f"Transformation.{name}": Case(getattr(START, name), lambda good=good: good, own)
       for name, (good, own) in CHAIN.items()},
    "Transformation.tile": Case(
        lambda loop="i", by=4: START.tile(loop, by=by), dict, {
            "loop": LOOP, "by": (*COUNT, 1, [4, 4], None)}),
    "counts": of_scop(counts),
    "subsets": of_one(
        subsets, lambda: ["t"], each=COUNT, largest=COUNT, seed=(*INTEGER, None),
        names=(3, None, [3], True, ["t", "t"], THING),
    ),
    "from_isl": Case(from_isl, lambda: {"domain": LINE}),
    "preset": of_one(preset, ranges, name=WORD, privatize=FLAG),
    "cpu": of_one(cpu, ranges),
    "gpu": of_one(gpu, ranges, privatize=FLAG),
    "none": of_one(none, ranges),
    "build": Case(lambda *a, **k: list(build(*a, **k)), dict),
    "isl_schedule": of_one(isl_schedule, lambda: cpu(ranges())),
    "IslOptions": Case(
        IslOptions, dict,
        {p: (*INTEGER, None) if p.startswith("max_c") else FLAG
         for p in inspect.signature(IslOptions).parameters},
    ),
    "CacheLines": Case(CacheLines, dict, LIMITS),
    "CodeComplexity": Case(CodeComplexity, dict, LIMITS),
    "Recomputation": Case(
        Recomputation,
        dict,
        {"limit": (*INTEGER, None), "size": (*COUNT, None), "cache": (*INTEGER, None)},
    ),
    "default_heuristics": Case(default_heuristics),
    "paper_heuristics": Case(paper_heuristics),
    "in_order": of_one(in_order, lambda: ["t"]),
    "Trial": Case(
        Trial, lambda: {"program": scop(), "sizes": {"N": 4}},
        {"sizes": (*SIZES, None), "apply": (*FUNCTION, None), "seconds": (*SECONDS, None),
         **dict.fromkeys(("arrays", "compile_options"), ("x", 3, None, {1: 2}, THING))},
    ),
    "Trial()": Case(lambda options: trial()(options), dict, {
        "options": ("x", 3, None, {1: 2}, {"keep": 3}, {"nope": 3}, {"keep": "nope"}, THING)}),
    "Trial.made_with": Case(lambda: trial().made_with()),
    "Trial.made": Case(
        lambda options, seconds=9: trial().made(options, seconds), lambda: {"options": {}},
        {"options": ("x", 3, None, {1: 2}, {"keep": 3}, {"nope": 3}, {"keep": "nope"}, THING),
         "seconds": SECONDS},
    ),
    "Trial.timed": Case(
        lambda variants, baseline, times=1, seconds=None: trial().timed(
            variants, baseline, times, seconds),
        lambda: {"variants": {"a": trial().made({})}, "baseline": trial().made({})},
        {"variants": ("x", 3, None, {1: {}}, {"a": 3}, THING), "baseline": ("x", 3, None, THING),
         "times": COUNT, "seconds": SECONDS},
    ),
    "Sweep.extreme": Case(
        lambda value, lowest=False: swept().extreme(value, lowest=lowest),
        lambda: {"value": "ratio"},
    ),
    "Sweep.table": Case(lambda columns: swept().table(columns), dict,
                        {"columns": ("nope", 3, None, True, NAN, THING)}),
    "Table": Case(
        Table, lambda: {"head": ("a", "b"), "rows": [("x", 1)]},
        {"head": (3, None, True, NAN, [3], ["a"], *STRANGE), "rows": ("x", 3, [3], ["xy"], [(1,)]),
         "left": (3, None, True, ["c"], *STRANGE), "notes": ("x", 3, [3]), "caption": TEXT_},
    ),
    "Sweep.from_json": Case(Sweep.from_json, dict, {
        "text": ("", "x", "{}", "[]", '{"rows": 3}', '{"rows": [3]}', 3, None, b"x", THING)}),
    "Dependences.flow": Case(lambda array: dependences().flow(array)),
    "Dependences.edges_through": Case(lambda arrays: dependences().edges_through(arrays)),
    "Dependences.memory": Case(lambda kind: dependences().memory(kind)),
    "Dependences.live_out_of": Case(
        lambda s: dependences().live_out_of(s),
        lambda: {"s": statement(0)},
        {"s": (*OBJECT, None)},
    ),
    "Derivation.why": Case(lambda name: derivation().why(name), dict, {"name": WORD}),
    "Derivation.step": Case(lambda predict=False, **v: derivation().step(predict, **v), dict,
                            {"v": VALUES}),
    "Derivation.to_html": Case(lambda file=None, **v: derivation().to_html(file, **v), dict,
                               {"v": VALUES}),
    "Derivation.to_svg": Case(
        lambda step=None, seconds=None, **v: derivation().to_svg(step, seconds, **v), dict,
        {"v": VALUES, "step": ("x", "", 99, -99, True, 1.5, NAN, HUGE, [99], ["x"], [None], THING)},
    ),
    "Proof.step": Case(lambda predict=False, **v: proof().step(predict, **v), dict, {"v": VALUES}),
    "Proof.to_html": Case(lambda file=None, **v: proof().to_html(file, **v), dict, {"v": VALUES}),
    "Scop.to_html": Case(lambda file=None, **v: scop().to_html(file, **v), dict, {"v": VALUES}),
    "Scop.to_svg": Case(lambda **v: scop().to_svg(**v), dict, {"v": VALUES}),
    **{f"Timing.{name}": Case(
        lambda variant, name=name: getattr(timing(), name)(variant), dict,
        {"variant": ("nope", "", 7, -7, True, None, 1.5, NAN, HUGE, [], THING), "name": ()},
    ) for name in ("median", "spread", "ratio", "interval", "differs", "comparison", "peak")},
    "ScheduleConstraints.of": Case(lambda kind: cpu(ranges()).of(kind)),
    "ScheduleConstraints.union": Case(lambda kind: cpu(ranges()).union(kind)),
    "ScheduleConstraints.without": Case(lambda kind: cpu(ranges()).without(kind)),
    "ScheduleConstraints.also": Case(lambda constraints: cpu(ranges()).also(constraints), dict,
                                     {"constraints": (*OBJECT, None)}),
    "LiveRanges.tagged": Case(lambda edge: ranges().tagged(edge)),
    "ReloadTest.witness_at": Case(
        lambda values, operand=None: pn.reload_test(dependences(), edge()).witness_at(
            values, operand), lambda: {"values": {}}, {"values": (*SIZES, None)}),
    "same_cell": Case(same_cell, lambda: {"first": written(0), "then": written(0), "strict": True},
                      {"first": ACCESS, "then": ACCESS, "strict": ()}),
    "overwrites": Case(
        overwrites, lambda: {"reader": written(0), "writers": [statement(0)]},
        {"reader": ACCESS, "writers": (3, None, "x", [3], scop, THING)},
    ),
    "trip_count": Case(
        trip_count, lambda: {"loops": [(isl.Map("{ S[i] -> [i] }"), isl.Map("{ S[i] -> [] }"))]},
        {"loops": (3, None, "x", [3], [(3, 4)], THING),
         "sizes": tuple(x for x in SIZES if x != {"Q": 3})},
    ),
    "violation": Case(
        violation,
        lambda: {"edges": dependences().edges, "assumed": scop().assumed,
                 "times": {s.name: s.schedule for s in scop().statements}},
        {"edges": (3, None, "x", [3], THING), "times": (3, None, "x", {}, THING),
         "assumed": (*OBJECT, None)},
    ),
    "rewrite": Case(rewrite, lambda: {"e": statement(0).expression, "iterators": values_of(0)},
                    {"e": (*OBJECT, None), "iterators": (3, None, "x", {}, {"i": 3}, THING)}),
    "potential_intermediate_writes": Case(
        potential_intermediate_writes, lambda: {"war": {}, "raw": edge().relation},
        {"war": MAPS, "raw": (*OBJECT, None)},
    ),
    "overwritten_reloads": Case(
        overwritten_reloads, lambda: {"piw": {}, "scop": scop(), "target": statement(1)},
        {"piw": (*MAPS, {"Q": edge}), "target": (*OBJECT, None)},
    ),
    **{f.__name__: Case(f, lambda: {"dependences": dependences(), "candidates": ["t"]})
       for f in (by_potential, first_write)},
}  # fmt: skip

TIMED = ("measure", "roofline")
RECORDS = {
    *("Array", "Choice", "Conflict", "Constraint", "Counts", "Dependences", "Derivation", "Edge"),
    *("SearchBudget", "Entry", "Flow", "Kernel", "LiveRanges", "LoopVerdict"),
    *("Interval", "LiveRange", "Repair", "Repairs", "ViolatedPair", "ViolatedRanges"),
    *("Merged", "NotMerged", "Proof"),
    *("Operand", "ReloadTest", "Row", "ScheduleConstraints", "Scop", "Statement", "Sweep"),
    *("Search", "SearchSpace", "MoveSequence"),
    *("Timing", "Verdict", "Violation", "Heuristic", "NonLiveOut"),
    *("Instance", "Witness", "IntermediateWrite", "Attempt", "Judgement"),
    *("Transformation", "Folded", "Roofline", "ReadBack"),
}
"""What functions return, or a base class; nobody is to make one by hand."""

QUIET = {
    *("Dependences.scop", "Scop.to_c", "LiveRanges.sections", "Sweep.to_json"),
    *("Roofline.to_svg", "Search.table", "Search.transformation", "Proof.explained"),
    *("Folded.rows", "Folded.step", "Folded.table"),
    *("SearchBudget.begin", "SearchBudget.dual", "SearchBudget.solve", "ScheduleConstraints.names"),
    *("ScheduleConstraints.check", "Kernel.bound"),
    *(
        "Repair.apply",
        "Transformation.searched",
        "Verdict.to_svg",
        "Kernel.refuse_too_large",
        "Kernel.again",
        "CacheLines.beneficial",
        "CodeComplexity.beneficial",
    ),
    *("Recomputation.beneficial", "NonLiveOut.worth_trying", "Heuristic.worth_trying"),
    *("Heuristic.beneficial", "Witness.for_values", "Witness.at_values", "Witness.with_roles"),
}
"""Methods without arguments, and those that passes call with records."""


def signature_of(case: Case) -> inspect.Signature:
    return inspect.signature(build if case is CASES["build"] else case.function)


def good_of(name: str) -> Mapping[str, Any]:
    return {"constraints": cpu(ranges())} if name == "build" else CASES[name].good()


def wrong_calls(name: str) -> Iterator[tuple[str, Callable[[], Any]]]:
    """What is wrong, and a call that makes it so."""
    case = CASES[name]
    signature, good = signature_of(case), good_of(name)
    for parameter in signature.parameters.values():
        for wrong in case.own.get(parameter.name, KINDS.get(parameter.name, ())):
            given = {**good, parameter.name: wrong}
            if parameter.kind is inspect.Parameter.VAR_KEYWORD and name in TIMED:
                given[parameter.name] = {"N": 4, **wrong}
            bound = inspect.BoundArguments(signature, given)  # type: ignore[arg-type]
            call = (case.function, bound.args, bound.kwargs)
            yield f"{parameter.name}={wrong!r}", lambda c=call: c[0](*c[1], **c[2])
    if not any(p.kind is p.VAR_KEYWORD for p in signature.parameters.values()):
        yield "nonsense=3", lambda: case.function(**{**good, "nonsense": 3})


SIGNATURE = re.compile(r"unexpected keyword|missing \d+ required|positional arg|multiple values")


def verdict(call: Callable[[], Any]) -> str | None:
    """What is wrong with what comes of a wrong call; None if it is as it should be."""
    try:
        found = call()
    except pn.PolynbError as error:
        return None if error.message and len(str(error)) < 2000 else "says nothing"
    except TypeError as error:
        return None if SIGNATURE.search(str(error)) else f"TypeError: {error}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return f"accepted: {found!r}"[:150]


@pytest.mark.parametrize("name", CASES)
def test_a_wrong_call_is_refused(name: str) -> None:
    case = CASES[name]
    good = inspect.BoundArguments(signature_of(case), good_of(name))  # type: ignore[arg-type]
    if not set(signature_of(case).parameters) - set(good_of(name)):
        case.function(*good.args, **good.kwargs)  # so that it is the wrong value that is refused
    failures = [f"{what}: {said}" for what, call in wrong_calls(name) if (said := verdict(call))]
    assert not failures, "\n".join([name, *failures])


METHODS = (FunctionType, classmethod, staticmethod)


def public() -> Iterator[tuple[str, Any]]:
    for suffix in MODULES:
        module = importlib.import_module(f"polynb{suffix}")
        for name in module.__all__:
            yield name, getattr(module, name)


def test_everything_public_is_in_the_tables() -> None:
    tested = {n.rpartition("gallery.")[2] for n in CASES}
    missing = []
    for name, thing in public():
        if inspect.isclass(thing):
            if issubclass(thing, pn.PolynbError):
                continue
            if name not in RECORDS | tested:
                missing.append(name)
            methods = [f"{name}.{n}" for n, m in vars(thing).items()
                       if not n.startswith("_") and isinstance(m, METHODS)]  # fmt: skip
            missing += [m for m in methods if m not in tested | QUIET]
        elif isinstance(thing, FunctionType | Pass) and inspect.signature(thing).parameters:
            missing += [name] * (name not in tested)
    for name, case in CASES.items():
        known = {*KINDS, *case.own}
        missing += [f"{name}({p}=)" for p in signature_of(case).parameters if p not in known]
    assert not missing, f"tests of wrong calls are missing: {missing}"


# -- kernels ---------------------------------------------------------------------------------

ONES = np.ones(5)


@pytest.mark.parametrize(
    ("positional", "keywords"),
    [
        (({1: ONES},), {"N": 4}), ((3,), {"N": 4}), (("x",), {"N": 4}), (([ONES],), {"N": 4}),
        ((), {"N": 4}), ((), {"A": [ONES]}), (({"A": ONES},), {"N": 4, "A": ONES}),
        ((), {"N": 4, "A": ONES, "Q": 3}), ((), {"N": 4, "A": ONES, "t": ONES}),
        (({None: ONES},), {"N": 4}), (({"A": ONES}, 3), {"N": 4}),
        *(((), {"N": n, "A": ONES}) for n in ("x", "", None, True, np.True_, 1.5, 4.0, NAN, INF,
                                              HUGE, -HUGE, -5, 2**62, [4], np.array([4]), {},
                                              *STRANGE)),
        *(((), {"N": 4, "A": a}) for a in ("x", None, 3, NAN, {}, THING, b"x", ["a"], [[1], [1, 2]],
                                           np.ones(4), np.ones(6), np.ones((5, 1)), np.ones(()),
                                           ONES.astype(">f8"),
                                           ONES.astype(complex), ONES.astype(object),
                                           ONES.astype(str), ONES.astype("M8[s]"), [None] * 5,
                                           np.ma.masked_array(ONES), np.ones(10)[::-3])),
        *(((), {"N": 4, "A": ONES, "out": o}) for o in (3, "x", [ONES], ONES, {1: ONES}, {"B": 3},
                                                       {"Q": ONES}, {"A": ONES}, {"B": "x"},
                                                       {"B": np.ones(4)}, {"B": ONES.astype("f4")},
                                                       {"B": np.broadcast_to(ONES[:1], 5)})),
    ],
)  # fmt: skip
def test_a_wrong_call_of_a_kernel_is_refused(positional: tuple, keywords: dict) -> None:
    assert verdict(lambda: kernel()(*positional, **keywords)) is None


def test_what_is_right_but_unusual_is_taken() -> None:
    """NumPy's integers, arrays that are not contiguous, lists."""
    expected = 2 * np.arange(5.0) + 1
    for n in (4, np.int64(4), np.uint8(4), np.array(4)):
        assert np.array_equal(kernel()(N=n, A=np.arange(5.0))["B"], expected)
    assert np.array_equal(kernel()(N=4, A=np.arange(10.0)[::2] / 2)["B"], expected)
    assert np.array_equal(kernel()(N=4, A=[0, 1, 2, 3, 4])["B"], expected)
    assert pn.equivalent(derivation(), N=np.arange(3))
    assert tile(square(), np.int64(8)).schedule is not None
