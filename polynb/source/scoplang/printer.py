"""Syntax tree -> text in the SCoP language, such that parsing it gives the same tree.

Numbers whose types only matter for values (an int64 `1`) are written plainly in affine places;
names that the language reserves get a `_`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator as Iter, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from polynb.source.names import is_name, legal, unused
from polynb.source.scoplang.text import Texts, print_affine, print_expression
from polynb.source.tree import (
    Access,
    Assign,
    Binary,
    Call,
    Declaration,
    Define,
    Expr,
    For,
    If,
    Iterator,
    Let,
    Parameter,
    Program,
    Stmt,
    every,
    expressions,
    rebuild,
    statements,
    walk,
)

__all__ = ["print_affine", "print_expression", "print_program", "print_statements"]

# Columns, so that two programs fit side by side; longer assignments are broken before their
# outermost operators.
WIDTH = 78
_INDENT = "  "
ROW = 20  # comparisons in a row: the parser takes 200 operands of all operators


def print_program(program: Program) -> str:
    """The whole program, without a line end behind its last line.

    Declarations come first: parameters, assumptions, arrays, functions. A declaration that says
    nothing is left out, and one of extents alone says `double`.
    """
    head, parts = print_parts(program)
    lines = [line for part in parts for line in part]
    return "\n".join([*head, *([""] if head and lines else []), *lines])


def print_parts(program: Program) -> tuple[list[str], list[list[str]]]:
    """The lines of the declarations, and those of each statement that is in no other one."""
    printer = _Printer.of(_names_of(program), program.body)
    return list(printer.head(program)), [list(printer.statement(s, 0)) for s in program.body]


def print_statements(body: Sequence[Stmt], indent: int = 0) -> str:
    """Statements only, indented by so many levels."""
    return "\n".join(_Printer.of(_names_in(body), body).body(body, indent))


@dataclass(frozen=True, eq=False)
class _Printer:
    """`renamed`: names that the language does not allow -> those written; `taken`: all others;
    `labels` the same for labels."""

    renamed: Mapping[str, str]
    taken: frozenset[str]
    labels: Mapping[str, str]

    @classmethod
    def of(cls, names: Iterable[str], body: Sequence[Stmt]) -> _Printer:
        taken = set(names)
        renamed = _renamed(taken)
        labels = {s.label for s in statements(tuple(body)) if s.label}
        return cls(renamed, frozenset(taken | set(renamed.values())), _renamed(labels))

    @property
    def texts(self) -> Texts:
        return Texts(self.renamed, {})

    # -- declarations --------------------------------------------------------------------

    def head(self, program: Program) -> Iter[str]:
        texts = self.texts
        if program.parameters:
            yield f"param {', '.join(texts.name(p) for p in program.parameters)};"
        for condition in program.assumptions:
            yield f"assume {texts.affine(grouped(condition))};"
        for words, group in groupby(program.declarations, _words):
            if words:
                *most, last = (self.declarator(d) for d in group)
                yield from _broken(f"{words} ", [*(f"{d}," for d in most), last], ";")
        for f in program.functions:
            yield self.define(f)

    def declarator(self, d: Declaration) -> str:
        extents = "".join(f"[{self.texts.affine(e)}]" for e in d.extents or ())
        return self.texts.name(d.name) + extents

    def define(self, f: Define) -> str:
        texts = self.texts
        arguments = ", ".join(texts.name(a) for a in f.arguments)
        return f"define {texts.name(f.name)}({arguments}) = {texts.value(f.body)};"

    # -- statements ----------------------------------------------------------------------

    def body(self, body: Sequence[Stmt], depth: int) -> list[str]:
        return [line for s in body for line in self.statement(s, depth)]

    def statement(self, s: Stmt, depth: int) -> Iter[str]:
        match s:
            case Assign():
                yield from self.assign(s, _INDENT * depth)
            case For():
                yield _INDENT * depth + self.for_line(s)
                yield from self.body(s.body, depth + 1)
                yield f"{_INDENT * depth}done"
            case If():
                yield from self.conditional(s, depth)

    def for_line(self, s: For) -> str:
        texts = self.texts
        step = "" if s.step == 1 else f" by {s.step}"
        kind = "" if s.kind == "sequential" else f" // {s.kind}"
        bounds = f"{texts.affine(s.lower)} to {texts.affine(s.upper)}"
        return f"for {texts.name(s.iterator)} = {bounds}{step} do{kind}"

    def conditional(self, s: If, depth: int) -> Iter[str]:
        """A chain of `else if` stays at one depth, as in the paper's Figure 1."""
        margin, closing, word = _INDENT * depth, ["fi"], "if"
        while True:
            yield f"{margin}{word} {self.texts.affine(grouped(s.condition))} then"
            yield from self.body(s.then, depth + 1)
            match s.otherwise:
                case (If() as last,):
                    s, word = last, "else if"
                    closing.append("fi")
                case _:
                    break
        if s.otherwise:
            yield f"{margin}else"
            yield from self.body(s.otherwise, depth + 1)
        yield margin + " ".join(closing)

    def assign(self, s: Assign, margin: str) -> Iter[str]:
        names: dict[int, str] = {}
        texts = Texts(self.renamed, names)
        for let in _lets((*s.target.subscripts, s.value)):
            text = texts.parts(let.value)
            names[id(let)] = self._let_name(let, set(names.values()))
            yield from _broken(f"{margin}let {names[id(let)]} = ", text, ";")
        end = f"; // {self.labels.get(s.label, s.label)}" if s.label else ";"
        start = f"{margin}{texts.value(s.target)} = "
        yield from _broken(start, texts.parts(s.value), end)

    def _let_name(self, let: Let, before: set[str]) -> str:
        taken = self.taken | before
        new = is_name(let.name) and let.name not in taken
        return let.name if new else legal(unused(let.name, taken), taken)


def _words(d: Declaration) -> str:
    """What a declaration begins with, "" if it says nothing."""
    element = d.type.name if d.type is not None else ""
    if d.extents is not None and not d.role:
        element = element or "double"
    return " ".join(w for w in (d.role, element) if w)


def _broken(start: str, parts: Sequence[str], end: str) -> Iter[str]:
    """`start`, the parts with blanks between them, `end`, in lines of at most WIDTH columns if
    the parts are that short."""
    margin = start[: len(start) - len(start.lstrip())] + 2 * _INDENT
    line = start + parts[0]
    for k, part in enumerate(parts[1:], 2):
        reserved = len(end) if k == len(parts) else 0
        if len(line) + 1 + len(part) + reserved > WIDTH:
            yield line
            line = margin + part
        else:
            line += f" {part}"
    yield line + end


def _lets(roots: Sequence[Expr]) -> list[Let]:
    """The Let nodes of some expressions, each after those that it uses."""
    found: dict[int, Let] = {}

    def visit(e: Expr, _: tuple[None, ...]) -> None:
        if isinstance(e, Let):
            found.setdefault(id(e), e)

    for root in roots:
        rebuild(root, visit)
    return list(found.values())


def grouped(condition: Expr) -> Expr:
    """A condition of so many parts that no parser takes them in a row, in groups of groups."""
    parts = _parts(condition, "||")
    if sum(len(_parts(p, "&&")) for p in parts) <= ROW:
        return condition
    return _balanced("||", [_balanced("&&", _parts(p, "&&")) for p in parts])


def _parts(e: Expr, op: str) -> list[Expr]:
    """The operands of a chain, left to right."""
    found: list[Expr] = []
    todo = [e]
    while todo:
        match todo.pop():
            case Binary(op=same, left=a, right=b) if same == op:
                todo += [b, a]
            case part:
                found.append(part)
    return found


def _balanced(op: str, parts: Sequence[Expr]) -> Expr:
    if len(parts) == 1:
        return parts[0]
    half = (len(parts) + 1) // 2
    return Binary(op, _balanced(op, parts[:half]), _balanced(op, parts[half:]))


# -- names -------------------------------------------------------------------------------


def _renamed(names: Iterable[str]) -> dict[str, str]:
    """New names for those that the language does not allow."""
    taken, found = set(names), {}
    for name in sorted(taken):
        if not is_name(name):
            found[name] = legal(name, taken)
            taken.add(found[name])
    return found


def _names_of(program: Program) -> Iter[str]:
    yield from program.parameters
    yield from (d.name for d in program.declarations)
    for f in program.functions:
        yield from (f.name, *f.arguments, *_names_in_expression(f.body))
    yield from _names_in(program.body)


def _names_in(body: Sequence[Stmt]) -> Iter[str]:
    for s in every(tuple(body)):
        if isinstance(s, For):
            yield s.iterator
        for e in expressions(s):
            yield from _names_in_expression(e)


def _names_in_expression(e: Expr) -> Iter[str]:
    for x in walk(e):
        match x:
            case Parameter(name=n) | Iterator(name=n) | Access(array=n):
                yield n
            case Call(function=f) if f not in ("min", "max"):
                yield f
