"""The SCoP language: text -> syntax tree (paper CC'18, section 2.1, Figure 3)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from polynb.errors import Source, Span
from polynb.source.mistakes import mistake
from polynb.source.scoplang.comments import without_comments
from polynb.source.scoplang.expressions import Expressions
from polynb.source.scoplang.scope import Restriction, Scope
from polynb.source.tree import Expr, Program
from polynb.source.typography import check_characters

if TYPE_CHECKING:
    from lark import Lark, Token, Tree
from collections.abc import Iterator as Iter
from dataclasses import dataclass, field

from polynb.source.scoplang.comments import check_unique, trailing_labels, two_labels
from polynb.source.scoplang.expressions import Item, children, kind, range_of
from polynb.source.tree import (
    Assign,
    Declaration,
    Define as Definition,
    For,
    If,
    Let,
    Number,
    Stmt,
    Unary,
)
from polynb.source.types import element_type


def parse_scop(text: str | Source, name: str = "kernel") -> Program:
    """The syntax tree of a program in the SCoP language; every node has its span.

    Raises PolynbError, with a caret, for what is not a program. Whether bounds are affine and
    subscripts within bounds is for the model to say (polynb.scop.build).
    """
    source = text if isinstance(text, Source) else Source(text)
    without = without_comments(source)
    if not without.code.strip():
        raise mistake("scop.empty", Span(source, 0, 0))
    tree = _parsed(source, without.code, "program")
    return Programs(source, without.labels, tree).program(name)


def parse_assumption(text: str | Source, parameters: Sequence[str]) -> tuple[Expr, ...]:
    """Conditions on the parameters, such as `N >= 2 and M < N`; several with commas between.

    Raises PolynbError, with a caret, also for names that are not parameters.
    """
    source = text if isinstance(text, Source) else Source(text, "assume")
    code = without_comments(source).code
    if not code.strip():
        raise mistake("scop.no-condition", Span(source, 0, 0))
    scope = Scope(parameters=list(parameters), restriction=Restriction("an assumption"))
    expressions = Expressions(source, scope)
    tree = _parsed(source, code, "conditions")
    return tuple(expressions.affine_value(x) for x in tree.children)


@cache
def _lark() -> Lark:
    from importlib.resources import files

    from lark import Lark

    return Lark(
        files("polynb.source.scoplang").joinpath("scop.lark").read_text(encoding="utf-8"),
        parser="lalr",
        lexer="basic",  # keywords are keywords wherever they stand
        start=["program", "conditions"],
        propagate_positions=True,
        maybe_placeholders=True,
    )


def _parsed(source: Source, code: str, start: str) -> Tree[Token]:
    from lark import UnexpectedInput

    check_characters(source, code)
    try:
        return _lark().parse(code, start=start)
    except UnexpectedInput as error:
        from polynb.source.scoplang.errors import explained

        raise explained(source, code, error, _lark(), start) from None


# Lark's tree of a program -> declarations and statements, with names, labels and spans.


DEEPEST_LOOP = 32
DEEPEST_STATEMENT = 64  # loops and conditionals


@dataclass(eq=False)
class Programs:
    """One walk over a program, from top to bottom. `comments` are those that may be labels."""

    source: Source
    comments: tuple[Span, ...]
    tree: Item
    scope: Scope = field(default_factory=Scope)
    declared: dict[str, Declaration] = field(default_factory=dict)
    assumptions: list[Expr] = field(default_factory=list)
    labels: dict[str, Span] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.expressions = Expressions(self.source, self.scope)
        self.trailing = trailing_labels(
            self.comments,
            [_without_lets(t) for t in _find(self.tree, "assign")],
            [range_of(t) for t in _find(self.tree, "head")],
        )

    def span(self, item: Item) -> Span:
        return self.expressions.span(item)

    def program(self, name: str) -> Program:
        body: list[Stmt] = []
        for item in children(self.tree):
            match kind(item):
                case "parameters":
                    for n in children(item):
                        self.scope.declare_parameter(str(n), self.span(n))
                case "assume":
                    self._assume(item)
                case "declare" | "declare_type":
                    self._declare(item)
                case "define":
                    self._define(item)
                case _:
                    body.append(self._statement(item, 0))
        return Program(
            parameters=tuple(self.scope.parameters),
            declarations=tuple(self.declared.values()),
            body=tuple(body),
            assumptions=tuple(self.assumptions),
            functions=tuple(self.scope.functions.values()),
            name=name,
            source=self.source,
            span=Span(self.source, 0, len(self.source.text)),
        )

    # -- declarations --------------------------------------------------------------------

    def _assume(self, item: Item) -> None:
        self.scope.restriction = Restriction("an assumption")
        self.assumptions += [self.expressions.affine_value(x) for x in children(item)]
        self.scope.restriction = None

    def _declare(self, item: Item) -> None:
        parts = children(item)
        role = None if kind(item) == "declare_type" else str(parts.pop(0))
        element = parts.pop(0)
        for declarator in parts:
            name, *extents = children(declarator)
            self._check_undeclared(name)
            self.scope.use(str(name), "array", self.span(name))
            if extents:
                self.scope.subscripted(str(name), len(extents), self.span(declarator))
            self.scope.restriction = Restriction("an extent")
            sizes = tuple(self.expressions.affine_value(x) for x in extents)
            self.scope.restriction = None
            self.declared[str(name)] = Declaration(
                str(name),
                role,
                None if element is None else element_type(str(element)),
                sizes or None,
                span=self.span(declarator),
            )

    def _check_undeclared(self, name: Item) -> None:
        first = self.declared.get(str(name))
        if first is not None and first.span is not None:
            role = f" as {first.role}" if first.role else ""
            raise mistake("scop.declared-twice", self.span(name), name=name, first=first, role=role)

    def _define(self, item: Item) -> None:
        name, arguments, body = children(item)
        self.scope.declare_function(str(name), self.span(name))
        names: list[str] = []
        for n in children(arguments):
            self._check_argument(n, names)
            names.append(str(n))
        what = f"the definition of {name}"
        self.scope.restriction = Restriction(what, tuple(names), str(name))
        value = self.expressions.value(body)
        self.scope.restriction = None
        self.scope.functions[str(name)] = Definition(
            str(name), tuple(names), value, span=self.span(item)
        )

    def _check_argument(self, name: Item, before: list[str]) -> None:
        if str(name) in before or str(name) in self.scope.parameters:
            what = "an argument already" if str(name) in before else "a parameter of the program"
            raise mistake("scop.argument-taken", self.span(name), name=name, what=what)

    # -- statements ----------------------------------------------------------------------

    def _body(self, item: Item, depth: int) -> tuple[Stmt, ...]:
        return tuple(self._statement(x, depth) for x in children(item))

    def _statement(self, item: Item, depth: int) -> Stmt:
        if depth > DEEPEST_STATEMENT:
            raise mistake(
                "scop.statements-too-deep",
                _word(self.span(item)),
                deepest_statement=DEEPEST_STATEMENT,
            )
        match kind(item):
            case "for":
                return self._for(item, depth)
            case "if":
                condition, then, otherwise = children(item)
                return If(
                    self.expressions.affine_value(condition),
                    self._body(then, depth + 1),
                    () if otherwise is None else self._body(otherwise, depth + 1),
                    span=self.span(item),
                )
        return self._assign(item)

    def _for(self, item: Item, depth: int) -> For:
        head, body = children(item)
        name, lower, upper, by = children(head)
        iterators = self.scope.iterators
        if len(iterators) >= DEEPEST_LOOP:
            raise mistake(
                "scop.loops-too-deep",
                _word(self.span(item)),
                number=DEEPEST_LOOP + 1,
                deepest_loop=DEEPEST_LOOP,
            )
        if str(name) in iterators:
            raise mistake("scop.iterator-twice", self.span(name), name=name)
        self.scope.use(str(name), "iterator", self.span(name))
        first, last = (self.expressions.affine_value(x) for x in (lower, upper))
        step = 1 if by is None else self._step(children(by)[0])
        iterators.append(str(name))
        inner = self._body(body, depth + 1)
        iterators.pop()
        return For(str(name), first, last, inner, step, span=self.span(item))

    def _step(self, item: Item) -> int:
        e = self.expressions.affine_value(item)
        match e:
            case Number(value=int(v)) if v:
                return v
            case Unary(op="-", operand=Number(value=int(v))) if v:
                return -v
        raise mistake("scop.step", e.span)

    # -- assignments ---------------------------------------------------------------------

    def _assign(self, item: Item) -> Assign:
        *lets, label, target, value = children(item)
        for x in lets:
            self._let(x)
        self._check_assignable(target)
        written = self.expressions.access(target)
        result = Assign(
            written,
            self.expressions.value(value),
            self._label(item, label),
            span=Span(self.source, *_without_lets(item)),
        )
        self.scope.lets.clear()
        return result

    def _let(self, item: Item) -> None:
        name, value = children(item)
        text = str(name)
        if text in self.scope.lets:
            raise mistake("scop.let-twice", self.span(name), text=text)
        self.scope.use(text, "let", self.span(name))
        e = self.expressions.value(value)
        self.scope.lets[text] = Let(text, e, span=self.span(name).to(self.span(value)))

    def _check_assignable(self, target: Item) -> None:
        name = children(target)[0]
        scope = self.scope
        for what, names in (
            ("a parameter", scope.parameters),
            ("the iterator of a loop", scope.iterators),
            ("the name of a `let`", scope.lets),
        ):
            if str(name) in names:
                way = "a scalar or an array of another name"
                if names is scope.parameters:
                    way = f"leave it out, and say the value where it runs, `%bench blur {name}=100`"
                    way += "; or another name"
                raise mistake("scop.not-assigned", self.span(target), name=name, what=what, way=way)

    def _label(self, item: Item, leading: Item | None) -> str | None:
        trailing = self.trailing.get(_without_lets(item)[0])
        if leading is None:
            label = trailing
        else:
            label = self.span(children(leading)[0])
            if trailing is not None and trailing.text != label.text:
                raise two_labels(label.text, trailing)
        if label is None:
            return None
        check_unique(label, self.labels)
        return label.text


def _without_lets(assign: Item) -> tuple[int, int]:
    """The characters of an assignment without the `let`s before it."""
    *_, label, target, _ = children(assign)
    return range_of(target if label is None else label)[0], range_of(assign)[1]


def _word(span: Span) -> Span:
    """The first word of a span."""
    return Span(span.source, span.start, span.start + len(span.text.split(maxsplit=1)[0]))


def _find(tree: Item, rule: str) -> Iter[Item]:
    """The subtrees of a rule for statements or their parts, in textual order."""
    stack: list[Item] = list(reversed(children(tree)))
    while stack:
        item = stack.pop()
        if item is None:
            continue
        if kind(item) == rule:
            yield item
        if kind(item) in ("for", "if", "body"):
            stack.extend(reversed(children(item)))
