"""Our types of expressions are the C compiler's."""

import itertools
import shutil
import subprocess

import pytest

from polynb.source import tree as t
from polynb.source.functions import MATH_FUNCTIONS
from polynb.source.type_inference import Types, type_of
from polynb.source.types import DOUBLE, FLOAT, INT32, INT64, TYPES, element_type

ARRAYS = {f"v_{name}": kind for name, kind in TYPES.items()}
ARITHMETIC = ("+", "-", "*", "/")
WHOLE = ("%", "&", "|", "^", "<<", ">>")
TRUTH = ("<", "<=", ">", ">=", "==", "!=", "&&", "||")


def variable(name):
    return t.Access(f"v_{name}")


def cases():
    """(expression, C text) of every operator over every pair of types."""
    for a, b in itertools.product(TYPES, TYPES):
        x, y = variable(a), variable(b)
        whole = not (TYPES[a].is_float or TYPES[b].is_float)
        for op in (*ARITHMETIC, *TRUTH, *(WHOLE if whole else ())):
            yield t.Binary(op, x, y), f"v_{a} {op} v_{b}"
        yield t.Select(x, x, y), f"v_{a} ? v_{a} : v_{b}"
        yield t.Call("min", (x, y)), f"v_{a} < v_{b} ? v_{a} : v_{b}"
        yield t.Cast(TYPES[b], x), f"({TYPES[b].c_name})v_{a}"
    for a in TYPES:
        x = variable(a)
        for op in ("-", "+", "!", *(() if TYPES[a].is_float else ("~",))):
            yield t.Unary(op, x), f"{op}v_{a}"
    for f in MATH_FUNCTIONS.values():
        for a in ("float", "int32"):
            arguments = (variable(a),) * len(f.arguments)
            yield t.Call(f.name, arguments), f"{f.name}({', '.join([f'v_{a}'] * len(arguments))})"
    for value, kind, text in ((3, INT32, "3"), (2**31, INT64, "2147483648")):
        yield t.Number(value, kind), text
    yield t.Number(1.5, DOUBLE), "1.5"
    yield t.Number(1.5, FLOAT), "1.5f"


@pytest.fixture(scope="module")
def compilers_types(tmp_path_factory):
    """What the compiler says of each case."""
    folder = tmp_path_factory.mktemp("types")
    names = ", ".join(f'{k.c_name}: "{n}"' for n, k in TYPES.items())
    # long long is int64's other name.
    names += ', long long: "int64", unsigned long long: "uint64", default: "?"'
    lines = [f"  puts(_Generic(({text}), {names}));" for _, text in cases()]
    variables = "".join(f"{k.c_name} v_{n} = 1;\n" for n, k in TYPES.items())
    program = (
        "#include <math.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
        + variables
        + "int main(void) {\n"
        + "\n".join(lines)
        + "\n  return 0;\n}\n"
    )
    (folder / "types.c").write_text(program)
    if shutil.which("gcc") is None:
        pytest.skip("gcc is not installed")
    command = ["gcc", "-std=c11", "-w", "-o", folder / "types", folder / "types.c", "-lm"]
    subprocess.run(command, check=True)
    said = subprocess.run([folder / "types"], check=True, capture_output=True, text=True)
    return said.stdout.split()


def test_every_operator_over_every_pair_of_types(compilers_types):
    types = Types(ARRAYS)
    ours = [types.of(e).name for e, _ in cases()]
    texts = [text for _, text in cases()]
    wrong = [
        (text, mine, theirs)
        for text, mine, theirs in zip(texts, ours, compilers_types, strict=True)
        if mine != theirs
    ]
    assert not wrong


def test_iterators_and_parameters_are_64_bits_wide():
    i, n = t.Iterator("i"), t.Parameter("N")
    assert type_of(i, {}) is INT64
    assert type_of(t.Binary("+", n, t.Number(1, INT32)), {}) is INT64


def test_defined_functions_have_the_type_of_their_body_in_place():
    square = t.Define("sq", ("x",), t.Binary("*", t.Access("x"), t.Access("x")))
    twice = t.Define("tw", ("y",), t.Call("sq", (t.Call("sq", (t.Access("y"),)),)))
    for name, kind in (("uint8", "int32"), ("float", "float"), ("int64", "int64")):
        e = t.Call("tw", (variable(name),))
        assert type_of(e, ARRAYS, (square, twice)) is element_type(kind)


def test_calls_of_unknown_functions_are_doubles():
    assert type_of(t.Call("f", (variable("int8"),)), ARRAYS) is DOUBLE


def test_a_deep_dag_is_visited_once():
    e = variable("int8")
    for _ in range(3000):
        e = t.Binary("*", e, e)
    assert type_of(e, ARRAYS) is INT32
    assert type_of(t.Let("e", variable("int8")), ARRAYS) is element_type("int8")
