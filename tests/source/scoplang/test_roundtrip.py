"""Printing a program in the SCoP language and parsing it gives the same program. POLYNB_LAWS is the
number of programs (60 unless it is set)."""

import os
from collections import Counter

import pytest
from hypothesis import given, settings, strategies as st

from polynb.source.operators import is_data
from polynb.source.scoplang.parser import parse_scop
from polynb.source.scoplang.printer import print_program, print_statements
from polynb.source.singles import single
from polynb.source.tree import (
    Access,
    Assign,
    Binary,
    Call,
    Cast,
    Declaration,
    Define,
    For,
    If,
    Iterator,
    Let,
    Number,
    Parameter,
    Program,
    Select,
    Unary,
    same,
    statements,
    walk,
)
from polynb.source.types import DOUBLE, FLOAT, INT32, INT64, TYPES, UINT32, UINT64

EXAMPLES = int(os.environ.get("POLYNB_LAWS", "60"))
PARAMETERS = ("N", "M2")
RANKS = {"A": 1, "in": 2, "_s": 0, "Idx": 1, "out": 3}
OPERATORS = ("+", "-", "*", "<", "<=", ">", ">=", "==", "!=", "&&", "||", "&", "|", "^", "<<", ">>")
INTEGERS = (0, 1, 2, 15, 2**31 - 1)
LITERALS = (
    *((v, INT32) for v in INTEGERS),
    *((v, INT64) for v in (2**31, 2**63 - 1)),
)
TYPED_LITERALS = (
    *LITERALS,
    *((v, t) for v in INTEGERS for t in (INT64, UINT32, UINT64)),
    *((v, UINT64) for v in (2**32, 2**64 - 1)),
    *((v, UINT32) for v in (2**32 - 1,)),
    *((v, DOUBLE) for v in (0.0, 0.1, 1.5, 1e-7, 1e16, 1.5e38, 5e-324)),
    *((single(v), FLOAT) for v in ("0.0", "0.1", "1.5", "1e-7", "1e16", "1.5e38", "1e-45")),
    (1e300, DOUBLE),
)


class Maker:
    """Makes a program of a string of bytes, one a choice; when they are used up, of zeros, and
    choice 0 is always the simplest."""

    def __init__(self, choices):
        self.choices = iter(choices)
        self.iterators = ()
        self.lets = ()
        self.arguments = None  # the names known inside of a definition
        self.assignments = 0

    def below(self, limit):
        return next(self.choices, 0) % limit

    def one_of(self, options):
        return options[self.below(len(options))]

    # -- expressions ---------------------------------------------------------------------

    def affine(self, depth):
        """An expression that does not depend on data, for subscripts, bounds and conditions."""
        a = self.affine
        match self.below(9) if depth else 0:
            case 0 | 1 | 2:
                known = [Number(v, t) for v, t in LITERALS]
                known += [Parameter(p) for p in PARAMETERS]
                known += [Iterator(i) for i in self.iterators] * 3
                return self.one_of(known[::-1])
            case 3:
                return Unary(self.one_of("-+!~"), a(depth - 1))
            case 4:
                return Call(self.one_of(["min", "max"]), (a(depth - 1), a(depth - 1)))
            case 5:
                return Select(a(depth - 1), a(depth - 1), a(depth - 1))
            case 6:
                return Binary(self.one_of(["floord", "mod"]), a(depth - 1), a(depth - 1))
        return Binary(self.one_of(OPERATORS), a(depth - 1), a(depth - 1))

    def place(self, depth):
        """A subscript or a condition; some depend on data, where divisions stay C's."""
        if self.below(4) != 1:
            return self.affine(depth)
        lets, self.lets = self.lets, ()
        e = self.value(depth, in_place=True)
        self.lets = lets
        return e if is_data(e) else Binary("+", e, Access("_s"))

    def access(self, depth):
        array = self.one_of(list(RANKS))
        return Access(array, tuple(self.place(max(depth - 1, 0)) for _ in range(RANKS[array])))

    def leaf(self, depth):
        number = Number(*self.one_of(TYPED_LITERALS))
        known = [number, number, *(Parameter(p) for p in PARAMETERS)]
        if self.arguments is not None:
            return self.one_of([*known, *(Access(a) for a in self.arguments)])
        known += [*(Iterator(i) for i in self.iterators), *self.lets, *self.lets]
        return self.access(depth) if self.below(2) else self.one_of(known)

    def value(self, depth, in_place=False):
        def v():
            return self.value(depth - 1, in_place)

        match self.below(12) if depth else 0:
            case 0 | 1:
                return self.leaf(depth)
            case 2:
                return Unary(self.one_of("-+!~"), v())
            case 3:
                return Select(v(), v(), v())
            case 4:
                return Cast(self.one_of(list(TYPES.values())), v())
            case 5:
                known = ["pow", "min", "max", "f", *(["mine"] * (self.arguments is None))]
                return Call(self.one_of(known), (v(), v()))
            case 6:
                return Binary(self.one_of(["floord", "mod"]), v(), v())
            case 7 | 8:
                e = Binary(self.one_of("/%"), v(), v())
                return Binary("-", e.left, e.right) if in_place and not is_data(e) else e
        return Binary(self.one_of(OPERATORS), v(), v())

    # -- statements ----------------------------------------------------------------------

    def assign(self):
        target = self.access(2)
        for k in range(self.below(3)):
            self.lets = (*self.lets, Let(f"e{k}", self.value(2)))
        self.assignments += 1
        label = f"S_{self.assignments}" if self.below(2) else None
        result = Assign(target, self.value(4), label)
        self.lets = ()
        return result

    def statement(self, depth):
        match self.below(3) if depth else 0:
            case 0:
                return self.assign()
            case 1:
                name = "ijk"[len(self.iterators)]
                low, high = self.affine(2), self.affine(2)
                self.iterators += (name,)
                body = self.block(depth - 1)
                self.iterators = self.iterators[:-1]
                return For(name, low, high, body, self.one_of([1, 2, -1, -3]))
        return If(self.place(2), self.block(depth - 1), self.block(depth - 1))

    def block(self, depth):
        return tuple(self.statement(depth) for _ in range(self.below(3)))

    def declaration(self, name):
        role = self.one_of(["temp", "input", "output", "inout", None])
        element = self.one_of([*(() if role is None else (None,)), *TYPES.values()])
        sized = RANKS[name] and self.below(2)
        extents = tuple(self.affine(1) for _ in range(RANKS[name])) if sized else None
        return Declaration(name, role, element, extents)

    def define(self, name, *arguments):
        self.arguments = arguments
        result = Define(name, arguments, self.value(3))
        self.arguments = None
        return result

    def program(self):
        return Program(
            parameters=PARAMETERS,
            declarations=tuple(self.declaration(n) for n in RANKS if self.below(2)),
            assumptions=tuple(self.affine(2) for _ in range(self.below(3))),
            functions=(self.define("mine", "x", "y"), self.define("one")),
            body=(self.statement(3), *self.block(3)),
        )


PROGRAMS = st.binary(min_size=300, max_size=1000).map(lambda choices: Maker(choices).program())


@settings(max_examples=EXAMPLES, deadline=None, derandomize=True)
@given(PROGRAMS)
@pytest.mark.long
def test_a_printed_program_parses_to_the_same_one(program):
    text = print_program(program)
    parsed = parse_scop(text)
    assert same(program, parsed), text
    assert print_program(parsed) == text
    for before, after in zip(statements(program.body), statements(parsed.body), strict=True):
        assert lets_of(before) == lets_of(after), text


def lets_of(s):
    """The names of the distinct Let nodes: sharing survives."""
    return Counter(x.name for x in walk(s.value) if isinstance(x, Let))


@settings(max_examples=max(EXAMPLES // 4, 1), deadline=None, derandomize=True)
@given(PROGRAMS)
def test_the_text_of_a_span_parses_to_its_node(program):
    parsed = parse_scop(print_program(program))
    head = print_program(program).split("\n\n")[0]
    for s in statements(parsed.body):
        assert s.span.text.startswith(s.target.span.text)
        assert s.span.text.endswith(";")
        assert same(part(head, s, s.target.span.text), s.target)
        if not isinstance(s.value, Let):  # its span is where it is defined
            assert same(part(head, s, s.value.span.text), s.value)


def part(head, s, text):
    """A value in a statement of its own, where all iterators and lets of the original are."""
    lets = sorted((x for x in walk(s.value) if isinstance(x, Let)), key=lambda x: x.name)
    defined = " ".join(f"let {x.span.text};" for x in lets)
    loops = "".join(f"for {i} = 0 to 1 do " for i in "ijk")
    program = parse_scop(f"{head} {loops} {defined} probe = {text}; {'done ' * 3}")
    return next(statements(program.body)).value


@settings(max_examples=max(EXAMPLES // 4, 1), deadline=None, derandomize=True)
@given(PROGRAMS, st.integers(0, 3))
def test_indented_statements_are_the_same_statements(program, indent):
    text = print_statements(program.body, indent)
    assert all(line.startswith("  " * indent) for line in text.split("\n"))
    head = print_program(program).split("\n\n")[0]
    assert same(parse_scop(f"{head}\n{text}").body, program.body)
