"""Edits of a program's text: scalars instead of accesses, and copies between them and arrays."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from polynb.scalarizing.uses import ProgramUses, Use
from polynb.source import tree as syntax
from polynb.source.scoplang.printer import print_expression


@dataclass(frozen=True, eq=False)
class AddedCopy:
    """An assignment that is added, and the condition under which it is made, None: always."""

    assign: syntax.Assign
    condition: syntax.Expr | None = None


@dataclass(frozen=True, eq=False)
class Edits:
    """What is to be changed in a program, by the identities of nodes. `nodes`: an access becomes a
    scalar; `stores`: an assignment writes a scalar, and then, if there is one, the copy stores it;
    `before`, `after` and `latch` are what is done before a loop, after it, and at the end of each
    iteration; `ahead` what is done right before an assignment."""

    program: ProgramUses
    nodes: dict[int, syntax.Access] = field(default_factory=dict)
    stores: dict[int, tuple[syntax.Access, syntax.Assign | None]] = field(default_factory=dict)
    before: dict[int, list[AddedCopy]] = field(default_factory=lambda: defaultdict(list))
    after: dict[int, list[AddedCopy]] = field(default_factory=lambda: defaultdict(list))
    latch: dict[int, list[AddedCopy]] = field(default_factory=lambda: defaultdict(list))
    ahead: dict[int, list[AddedCopy]] = field(default_factory=lambda: defaultdict(list))
    declared: list[syntax.Declaration] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.declared)

    def scalar(self, array: str) -> syntax.Access:
        """A new scalar for an array's cells, of its type: `c` for C."""
        lower = array.lower()
        name = self.program.names.unique(lower if lower != array else f"{array}_s")
        type_ = self.program.scop.arrays[array].type
        self.declared.append(syntax.Declaration(name, role="temp", type=type_))
        return syntax.Access(name)

    def load(
        self, scalar: syntax.Access, node: syntax.Access, condition: syntax.Expr | None = None
    ) -> AddedCopy:
        """(The node is copied: what replaces the one of the text does not replace it.)"""
        label = self.program.names.unique(f"load_{scalar.array}")
        return AddedCopy(
            syntax.Assign(scalar, replace(node), label=label, span=node.span), condition
        )

    def store(self, scalar: syntax.Access, node: syntax.Access) -> syntax.Assign:
        label = self.program.names.unique(f"store_{scalar.array}")
        return syntax.Assign(replace(node), scalar, label=label, span=node.span)

    def stand(self, scalar: syntax.Access, uses: Iterable[Use]) -> None:
        """The scalar stands for these uses."""
        for u in uses:
            self.nodes[id(u.node)] = scalar

    def taken(self, node: syntax.Access | None) -> bool:
        """Whether a scalar stands for the node already."""
        return id(node) in self.nodes

    def applied(self) -> syntax.Program:
        """The edited program. Its text is that of no file any more."""
        program = self.program.program
        declarations = (*program.declarations, *self.declared)
        body = self._body(program.body)
        return replace(program, declarations=declarations, body=body, source=None)

    def _body(self, body: tuple[syntax.Stmt, ...]) -> tuple[syntax.Stmt, ...]:
        done: list[syntax.Stmt] = []
        for s in body:
            match s:
                case syntax.Assign():
                    done += [*_blocks(self.ahead.get(id(s), [])), *self._assign(s)]
                case syntax.For():
                    inside = (*self._body(s.body), *_blocks(self.latch.get(id(s), [])))
                    done += _blocks(self.before.get(id(s), []))
                    done.append(replace(s, body=inside))
                    done += _blocks(self.after.get(id(s), []))
                case syntax.If():
                    then, otherwise = self._body(s.then), self._body(s.otherwise)
                    done.append(replace(s, then=then, otherwise=otherwise))
        return tuple(done)

    def _assign(self, s: syntax.Assign) -> list[syntax.Stmt]:
        def visit(node: syntax.Expr, parts: tuple[syntax.Expr, ...]) -> syntax.Expr:
            return self.nodes.get(id(node)) or syntax.with_children(node, parts)

        value = syntax.rebuild(s.value, visit)
        if id(s) not in self.stores:
            return [replace(s, value=value)]
        scalar, copy = self.stores[id(s)]
        return [replace(s, target=scalar, value=value), *([copy] if copy is not None else [])]


def _blocks(copies: list[AddedCopy]) -> list[syntax.Stmt]:
    """The copies, those of one condition that follow each other under one `if`."""
    done: list[syntax.Stmt] = []
    last = ""
    for c in copies:
        if c.condition is None:
            done.append(c.assign)
            last = ""
            continue
        text = print_expression(c.condition)
        if text == last and isinstance(done[-1], syntax.If):
            done[-1] = replace(done[-1], then=(*done[-1].then, c.assign))
        else:
            done.append(syntax.If(c.condition, (c.assign,)))
        last = text
    return done
