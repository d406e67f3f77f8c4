"""Programs built in Python, a direct evaluation of a Scop, and a C compiler."""

import ctypes
import itertools
import shutil
import subprocess
from types import SimpleNamespace

import numpy as np
import pytest

from polynb import isl
from polynb.scop.build import build
from polynb.source import tree as t
from polynb.source.types import DOUBLE, INT32, element_type

FLAGS = ["-std=c99", "-O1", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared", "-ffp-contract=off"]


class E:
    """An expression under construction: Python's operators build syntax trees."""

    def __init__(self, node):
        self.node = node

    def __getitem__(self, subscripts):
        subscripts = subscripts if isinstance(subscripts, tuple) else (subscripts,)
        return E(t.Access(self.node.array, tuple(node(s) for s in subscripts)))

    def __neg__(self):
        return E(t.Unary("-", self.node))


def node(x):
    if isinstance(x, E):
        return x.node
    if isinstance(x, t.Node):
        return x
    return t.Number(x, DOUBLE if isinstance(x, float) else INT32)


def binary(op, left, right):
    return E(t.Binary(op, node(left), node(right)))


def _operators():
    for name, op in {
        "add": "+",
        "sub": "-",
        "mul": "*",
        "truediv": "/",
        "mod": "%",
        "lshift": "<<",
    }.items():
        setattr(E, f"__{name}__", lambda a, b, op=op: binary(op, a, b))
        setattr(E, f"__r{name}__", lambda a, b, op=op: binary(op, b, a))
    for name, op in {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}.items():
        setattr(E, f"__{name}__", lambda a, b, op=op: binary(op, a, b))
    E.__hash__ = object.__hash__


_operators()


def assign(target, value, label=None):
    return t.Assign(node(target), node(value), label)


def loop(i, lower, upper, *body, step=1, kind="sequential"):
    return t.For(i.node.name, node(lower), node(upper), body, step, kind)


def declaration(text, *extents):
    """`declaration("temp float A", N + 1)`"""
    *words, name = text.split()
    kinds = [w for w in words if w in ("float", "double") or w.strip("u").startswith("int")]
    roles = [w for w in words if w not in kinds]
    kind = element_type(kinds[0]) if kinds else None
    sizes = tuple(node(e) for e in extents) or None
    return t.Declaration(name, roles[0] if roles else None, kind, sizes)


def program(parameters, *parts, assume=(), functions=(), name="kernel"):
    declarations = tuple(p for p in parts if isinstance(p, t.Declaration))
    body = tuple(p for p in parts if not isinstance(p, t.Declaration))
    assumptions = tuple(node(a) for a in assume)
    names = tuple(parameters.split())
    return t.Program(names, declarations, body, assumptions, tuple(functions), name)


@pytest.fixture(scope="session")
def make():
    """What programs are built from."""
    return SimpleNamespace(
        arr=lambda name: E(t.Access(name)),
        it=lambda name: E(t.Iterator(name)),
        par=lambda name: E(t.Parameter(name)),
        call=lambda f, *args: E(t.Call(f, tuple(node(a) for a in args))),
        select=lambda c, a, b: E(t.Select(node(c), node(a), node(b))),
        cast=lambda kind, x: E(t.Cast(element_type(kind), node(x))),
        let=lambda name, x: E(t.Let(name, node(x))),
        when=lambda c, then, otherwise=(): t.If(node(c), tuple(then), tuple(otherwise)),
        define=lambda name, args, body: t.Define(name, tuple(args.split()), node(body)),
        binary=binary,
        assign=assign,
        loop=loop,
        declare=declaration,
        program=program,
        scop=lambda *args, **options: build(program(*args, **options)),
        node=node,
    )


# -- the paper's Figure 1 -------------------------------------------------------------------


@pytest.fixture(scope="session")
def figure1(make):
    i, n, a, out = make.it("i"), make.par("N"), make.arr("in"), make.arr("out")
    tmp, s = make.arr("tmp"), make.arr("s")
    last = make.assign(tmp[i], (a[i - 1] + 2 * a[i]) / s, "S2")
    middle = make.assign(tmp[i], (a[i - 1] + a[i] + a[i + 1]) / s, "S3")
    return make.program(
        "N",
        make.declare("temp tmp"),
        make.declare("temp s"),
        make.loop(
            i,
            0,
            n,
            make.assign(s, a[i] / 1.5, "S0"),
            make.when(
                i == 0,
                [make.assign(tmp[i], (2 * a[i] + a[i + 1]) / s, "S1")],
                [make.when(i == n, [last], [middle])],
            ),
        ),
        make.loop(i, 1, n - 1, make.assign(out[i], tmp[i - 1] + tmp[i] + tmp[i + 1], "S4")),
        assume=[n >= 3],
    )


# -- direct evaluation ------------------------------------------------------------------------


def value(e, iterators, parameters, memory):
    match e:
        case t.Number(value=v):
            return v
        case t.Iterator(name=n):
            return iterators[n]
        case t.Parameter(name=n):
            return parameters[n]
        case t.Access(array=a, subscripts=s):
            return memory[a][tuple(value(x, iterators, parameters, memory) for x in s)].item()
        case t.Let(value=v):
            return value(v, iterators, parameters, memory)
        case t.Unary(op="-", operand=x):
            return -value(x, iterators, parameters, memory)
        case t.Select(condition=c, then=a, otherwise=b):
            chosen = a if value(c, iterators, parameters, memory) else b
            return value(chosen, iterators, parameters, memory)
        case t.Binary(op=op, left=a, right=b):
            x, y = (value(z, iterators, parameters, memory) for z in (a, b))
            return {
                "+": lambda: x + y,
                "-": lambda: x - y,
                "*": lambda: x * y,
                "/": lambda: x / y,  # of doubles
                "floord": lambda: x // y,
                "mod": lambda: x % y,
                "<": lambda: int(x < y),
                "<=": lambda: int(x <= y),
                ">": lambda: int(x > y),
                ">=": lambda: int(x >= y),
                "==": lambda: int(x == y),
            }[op]()
    raise AssertionError(e)


def evaluate(scop, parameters, memory):
    """Run all instances of a Scop of doubles in the order of their times."""
    memory = {k: v.copy() for k, v in memory.items()}
    instances = []
    for k, s in enumerate(scop.statements):
        domain = s.domain.intersect_params(scop.assumed)
        flat = s.schedule.intersect_domain(domain)
        for point, time in isl.pairs(flat, parameters):
            instances.append((time, k, point))
    for _, k, point in sorted(instances):
        s = scop.statements[k]
        own = dict(zip(s.iterators, point, strict=True))
        if s.guard is not None and not value(s.guard, own, parameters, memory):
            continue
        cell = tuple(value(x, own, parameters, memory) for x in s.write.node.subscripts)
        memory[s.write.array][cell] = value(s.expression, own, parameters, memory)
    return memory


@pytest.fixture(scope="session")
def direct():
    return evaluate


# -- C ----------------------------------------------------------------------------------------


class Compiled:
    """A compiled kernel that is called with a dict of arrays, and returns their new contents."""

    def __init__(self, source, path):
        self.source = source
        self.function = getattr(ctypes.CDLL(str(path)), source.entry)

    def __call__(self, parameters, memory, threads=2):
        arrays = [np.ascontiguousarray(memory[a.name]).copy() for a in self.source.arguments]
        values = [parameters[p] for p in self.source.parameters]
        numbers = (ctypes.c_int64 * max(len(values), 1))(*values)
        pointers = (ctypes.c_void_p * max(len(arrays), 1))(*(a.ctypes.data for a in arrays))
        assert self.function(numbers, pointers, threads) == 0
        return {a.name: x for a, x in zip(self.source.arguments, arrays, strict=True)}


@pytest.fixture(scope="session")
def compile_c(tmp_path_factory):
    """Compile a C text with all warnings as errors; with OpenMP and without."""
    folder = tmp_path_factory.mktemp("c")
    numbers = itertools.count()

    def run(text, *flags):
        stem = folder / f"k{next(numbers)}"
        stem.with_suffix(".c").write_text(text, encoding="ascii")
        target = stem.with_suffix(".so")
        if shutil.which("gcc") is None:
            pytest.skip("gcc is not installed")
        command = ["gcc", *FLAGS, *flags, "-o", target, stem.with_suffix(".c"), "-lm"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{text}\n{done.stderr}"
        return target

    return run


@pytest.fixture(scope="session")
def compiled(compile_c):
    return lambda source, *flags: Compiled(source, compile_c(source.text, *flags))
