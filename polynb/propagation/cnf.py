"""Formulas in conjunctive normal form, read from what people write."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from polynb.errors import PolynbError, Source, Span


@dataclass(frozen=True)
class Literal:
    """A use of a variable, positive or negated."""

    variable: str
    positive: bool = True

    def __str__(self) -> str:
        return self.variable if self.positive else f"not {self.variable}"


@dataclass(frozen=True)
class Formula:
    """A conjunction of clauses, each a disjunction of literals. The empty clause never holds, the
    formula without clauses always does."""

    clauses: tuple[tuple[Literal, ...], ...]

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables that occur, in the order of their first occurrence."""
        return tuple(dict.fromkeys(l.variable for c in self.clauses for l in c))

    def holds(self, assignment: Mapping[str, bool]) -> bool:
        """Whether the formula is true under an assignment of its variables."""
        return all(any(assignment[l.variable] == l.positive for l in c) for c in self.clauses)

    def __str__(self) -> str:
        if not self.clauses:
            return "true"
        return " and ".join(f"({' or '.join(map(str, c)) or 'false'})" for c in self.clauses)


def read_formula(given: str | Formula | Iterable[Iterable[int | str]]) -> Formula:
    """A formula from text, from DIMACS, or from clauses.

    Text: `"(x or not y) and (y or z)"`; also with `| & !`, `|| && ~` or `∨ ∧ ¬`. DIMACS: a text
    with a line `p cnf VARIABLES CLAUSES`; variable 3 is called x3. Clauses: a sequence of sequences
    of literals, each an integer as in DIMACS or a text, `[["x", "not y"], [1, -2]]`. A literal that
    is repeated in a clause counts once. Raises PolynbError for what is not in this form.
    """
    if isinstance(given, Formula):
        return given
    if isinstance(given, str):
        is_dimacs = re.search(r"^[ \t]*p[ \t]+cnf\b", given, re.M) is not None
        return _dimacs(given) if is_dimacs else _Reader(Source(given, "formula")).formula()
    try:
        return _formula([_literal(l) for l in clause] for clause in given)
    except TypeError:
        raise PolynbError(
            f"a formula is needed, not {given!r}",
            hint='a text such as "(x or not y) and (y or z)", or clauses such as [[1, -2], [2, 3]]',
        ) from None


def _formula(clauses: Iterable[Iterable[Literal]]) -> Formula:
    return Formula(tuple(tuple(dict.fromkeys(c)) for c in clauses))


def _literal(given: int | str) -> Literal:
    if isinstance(given, int) and given != 0:
        return Literal(f"x{abs(given)}", given > 0)
    if isinstance(given, str):
        clauses = read_formula(given).clauses
        if len(clauses) == 1 and len(clauses[0]) == 1:
            return clauses[0][0]
    raise PolynbError(
        f"{given!r} is no literal", hint='3 or -3 (as in DIMACS), or a text: "x", "not x"'
    )


# -- DIMACS ------------------------------------------------------------------------------


def _dimacs(text: str) -> Formula:
    """Comment lines begin with c, a clause ends with 0, and a line % ends the file."""
    source = Source(text, "DIMACS")
    header: list[int] = []
    clauses: list[list[Literal]] = []
    open_clause: list[Literal] = []
    for line in re.finditer(r"[^\n\r]+", text):
        words = line.group().split()
        here = Span(source, line.start(), line.end())
        if not words or words[0] == "c":
            continue
        if words[0] == "%":
            break
        if words[0] == "p":
            if header or len(words) != 4 or not all(w.isdigit() for w in words[2:]):
                raise PolynbError("a malformed header", span=here, hint="one line `p cnf 3 2`")
            header = [int(w) for w in words[2:]]
            continue
        for word in re.finditer(r"\S+", line.group()):
            start = line.start() + word.start()
            number = _variable(word.group(), header, Span(source, start, start + len(word.group())))
            if number:
                open_clause.append(_literal(number))
            else:
                clauses.append(open_clause)
                open_clause = []
    if open_clause:
        clauses.append(open_clause)  # many files leave out the last 0
    if not header:
        raise PolynbError("there is no header", hint="one line `p cnf 3 2` before the clauses")
    if len(clauses) != header[1]:
        raise PolynbError(
            f"the header promises {header[1]} clauses, and there are {len(clauses)}",
            hint=f"p cnf {header[0]} {len(clauses)}",
        )
    return _formula(clauses)


def _variable(word: str, header: list[int], here: Span) -> int:
    if not header:
        raise PolynbError("a clause before the header", span=here, hint="`p cnf ...` comes first")
    if not re.fullmatch(r"-?\d+", word):
        raise PolynbError(f"{word} is no literal", span=here, hint="numbers; a clause ends with 0")
    if abs(int(word)) > header[0]:
        raise PolynbError(
            f"there is no variable {abs(int(word))}",
            span=here,
            reason=f"the header announces {header[0]} variables",
        )
    return int(word)


# -- text --------------------------------------------------------------------------------

_SIGNS = {
    "or": r"or\b|\|\|?|∨|\\/",
    "and": r"and\b|&&?|∧|/\\",
    "not": r"not\b|[!~¬-]",
    "name": r"[A-Za-z_][A-Za-z0-9_]*",
    "(": r"\(",
    ")": r"\)",
}
_TOKEN = re.compile(
    r"\s*(?:" + "|".join(f"({p})" for p in _SIGNS.values()) + r"|(\S)|$)", re.IGNORECASE
)
_KINDS = (*_SIGNS, "strange")


@dataclass(frozen=True)
class _Node:
    """`kind` is "or", "and", "not" or "name"; parentheses are part of the span."""

    kind: str
    span: Span
    parts: tuple[_Node, ...] = ()
    name: str = ""


class _Reader:
    """Reads any formula (`not` before `and` before `or`), then demands normal form of it."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.end = Span(source, len(source.text.rstrip()), len(source.text.rstrip()))
        found = [m for m in _TOKEN.finditer(source.text) if m.lastindex]
        self.tokens = [
            (_KINDS[m.lastindex - 1], Span(source, *m.span(m.lastindex)))
            for m in found
            if m.lastindex
        ]

    def formula(self) -> Formula:
        root = self._chain("or")
        if self.tokens:
            raise self._unexpected("`and`, `or` or the end")
        return _formula([_as_literal(l) for l in _flat(c, "or")] for c in _flat(root, "and"))

    def _chain(self, kind: str) -> _Node:
        parts = [self._operand(kind)]
        while self.tokens and self.tokens[0][0] == kind:
            del self.tokens[0]
            parts.append(self._operand(kind))
        span = parts[0].span.to(parts[-1].span)
        return parts[0] if len(parts) == 1 else _Node(kind, span, tuple(parts))

    def _operand(self, kind: str) -> _Node:
        return self._chain("and") if kind == "or" else self._prefixed()

    def _prefixed(self) -> _Node:
        kind, span = self.tokens[0] if self.tokens else ("", self.end)
        if kind not in ("not", "name", "("):
            raise self._unexpected("a variable, `not` or `(`")
        del self.tokens[0]
        if kind == "name":
            return _Node("name", span, name=span.text)
        if kind == "not":
            operand = self._prefixed()
            return _Node("not", span.to(operand.span), (operand,))
        inside = self._chain("or")
        if not self.tokens or self.tokens[0][0] != ")":
            raise self._unexpected("`)`")
        return replace(inside, span=span.to(self.tokens.pop(0)[1]))

    def _unexpected(self, wanted: str) -> PolynbError:
        span = self.tokens[0][1] if self.tokens else self.end
        instead = f"`{span.text}`" if self.tokens else "the formula ends"
        return PolynbError(
            f"{instead} where {wanted} is missing",
            span=span,
            hint='for example "(x or not y) and (y or z)"',
        )


def _flat(node: _Node, kind: str) -> list[_Node]:
    """The operands of nested operations of one kind; the node itself if it is no such thing."""
    if node.kind != kind:
        return [node]
    return [part for child in node.parts for part in _flat(child, kind)]


def _as_literal(node: _Node) -> Literal:
    match node.kind:
        case "name":
            return Literal(node.name)
        case "not":
            inside = _as_literal(node.parts[0])
            return Literal(inside.variable, not inside.positive)
    raise PolynbError(
        f"`{node.span.text}` is no literal: the formula is not in conjunctive normal form",
        span=node.span,
        reason="it must be an `and` of clauses, each an `or` of variables and negated variables",
        hint="`(x or y) and (x or z)` for `x or (y and z)`; `not x and not y` for `not (x or y)`",
    )
