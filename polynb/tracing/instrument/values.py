"""Expressions: C text that gives the same value and reports what was read, written and computed.

GNU C's statement expressions keep every event where its access is: `(*({ p = &conn[k][j];
event(p); p; }))`, so that `&&`, `?:` and the order of C hold by themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from typing import Any

from pycparser import c_ast

from polynb.tracing.instrument import types
from polynb.tracing.instrument.assigning import Assigning
from polynb.tracing.instrument.calling import Calling
from polynb.tracing.instrument.parts import Deciding, Origin, Value
from polynb.tracing.instrument.reading import has_effects, length_acts

LOGICAL = ("&&", "||")
WITHOUT_A_PLACE = (c_ast.FuncCall, c_ast.Assignment, c_ast.TernaryOp, c_ast.ExprList)
"""Expressions that give a record, and are none that has an address."""
STEPS = {"++": "+", "--": "-", "p++": "+", "p--": "-"}


class TracedExpressions(Assigning, Calling):
    """The expressions of one function."""

    def full(self, e: Any, *, used: bool = True) -> str:
        """A whole expression: a statement's, a condition, what is returned."""
        return self.whole(self.value_of(e, used=used))

    def whole(self, value: Value) -> str:
        """A value's text, with its temporaries forgotten before it is computed."""
        resets, self.body.resets = self.body.resets, []
        text = value.text
        for name in resets:
            text = f"{name}.w = 0, {text}"
        return f"({text})" if resets else text

    def value_of(self, e: Any, *, used: bool = True) -> Value:
        """An expression's value; `used` is False where only what it does matters."""
        match e:
            case c_ast.ID():
                return self._name(e)
            case c_ast.ArrayRef() | c_ast.StructRef() | c_ast.UnaryOp(op="*"):
                return self._access(e)
            case c_ast.UnaryOp(op="sizeof" | "_Alignof", expr=inner):
                return self._size(e, inner)
            case c_ast.UnaryOp(op="&", expr=place):
                return self.address(place)
            case c_ast.UnaryOp(op=op, expr=place) if op in STEPS:
                return self.step(e, STEPS[op], place, after=op.startswith("p"), used=used)
            case c_ast.UnaryOp(op=op, expr=inner):
                value = self.value_of(inner)
                constant = isinstance(inner, c_ast.Constant)
                return Value(f"({op} {value.text})", value.operands, computes=not constant)
            case c_ast.BinaryOp(op=op, left=left, right=right):
                a, n = self.value_of(left), None
                if op in LOGICAL and has_effects(right):
                    a, n = self.asked(left, a)
                with self.under(Deciding("if", n, len(self.body.loops))):
                    b = self.maybe(right) if op in LOGICAL else self.value_of(right)
                return Value(f"({a.text} {op} {b.text})", a.also(b), computes=True)
            case c_ast.TernaryOp(cond=test, iftrue=yes, iffalse=no):
                c, n = self.value_of(test), None
                if has_effects(yes) or has_effects(no):
                    c, n = self.asked(test, c)
                with self.under(Deciding("if", n, len(self.body.loops))):
                    a, b = self.maybe(yes), self.maybe(no)
                text = f"({c.text} ? {a.text} : {b.text})"
                return Value(text, c.also(a, b), computes=True)
            case c_ast.Assignment(op=op, lvalue=place, rvalue=right):
                return self.assign(e, op, place, right)
            case c_ast.Cast(to_type=to, expr=inner):
                value = self.value_of(inner)
                shown, asked, _ = self.measured(to)
                text = f"(({self.plain(shown)}) {value.text})"
                text = f"({{ {asked}{text}; }})" if asked else text
                return Value(text, value.operands, value.computes, value.source)
            case c_ast.FuncCall():
                return self.call(e, used=used)
            case c_ast.ExprList(exprs=parts):
                values = [self.value_of(p, used=False) for p in parts[:-1]]
                last = self.value_of(parts[-1], used=used)
                text = f"({', '.join([*(v.text for v in values), last.text])})"
                return Value(text, last.operands, last.computes, last.source)
            case c_ast.CompoundLiteral():
                return self._literal(e)
        return Value(self.plain(e))

    def asked(self, e: Any, value: Value) -> tuple[Value, int | None]:
        """A value that decides whether something is done, and the condition's number."""
        n, event = self.condition(e, value.operands)
        q = self.fresh("q")
        text = f"({{ __auto_type {q} = {value.text}; {event}{q}; }})"
        return replace(value, text=text), n

    def maybe(self, e: Any) -> Value:
        """A value that an operator around may leave out."""
        self.body.conditional += 1
        self.body.arms += 1
        before = self.body.certain
        value = self.value_of(e)
        self.body.certain = before
        self.body.conditional -= 1
        self.body.arms -= 1
        return value

    def initial(self, e: Any, values: list[Value]) -> str:
        """An initialiser, whose `values` are computed; who it is for, stores them."""
        if isinstance(e, c_ast.InitList):
            return "{" + ", ".join(self.initial(x, values) for x in e.exprs or ()) + "}"
        if isinstance(e, c_ast.NamedInitializer):
            names = "".join(self._designator(x) for x in e.name)
            return f"{names} = {self.initial(e.expr, values)}"
        if isinstance(e, c_ast.Constant):
            return self.plain(e)
        values.append(self.value_of(e))
        return values[-1].text

    def _literal(self, e: Any, *, placed: bool = False) -> Value:
        """`(struct pair) {x, y}`: memory without a name, to which its values are written, be they
        constants; a scalar is only where it has to be `placed`. It is there until the block around
        ends, and what is between `({` and `})` is a block: a variable before the statement is it.
        """
        values: list[Value] = []
        text = f"({self.plain(e.type)}) {self.initial(e.init, values)}"
        operands, program = self.operands_of(values), self.program
        if types.is_scalar(self.type_of(e)) and not placed:
            return Value(text, operands, computes=bool(operands))
        at, size = self.fresh("l"), f"sizeof({self.plain(e)})"
        self.body.unnamed_memory.append(f"char {at}[{size}] __attribute__((aligned));\n")
        if operands:
            event = self.store_range(e, self.type_of(e), at, size, operands)
        else:
            number = program.block(program.text_of(e), program.places.span(e).line, 1)
            event = f"pn_local({number}, {at}, {size}, 0); "
        made = f"__builtin_memcpy({at}, &{text}, {size})"
        place = f"(*(__typeof__({self.plain(e)}) *) ({made}, ({{ {event}}}), {at}))"
        return Value(place, operands, computes=bool(operands))

    def _designator(self, x: Any) -> str:
        """`.x` or `[3]`; newer versions of pycparser write the brackets themselves."""
        text = self.plain(x)
        return f".{text}" if isinstance(x, c_ast.ID) else text if text[0] == "[" else f"[{text}]"

    # -- places --------------------------------------------------------------------------------

    def address(self, place: Any) -> Value:
        """A pointer to what an expression designates. Nothing is read there."""
        match place:
            case c_ast.ArrayRef(name=base, subscript=index):
                array, at = self.value_of(base), self.value_of(index)
                return Value(f"(&({array.text})[{at.text}])", array.also(at))
            case c_ast.StructRef(name=base, type="->", field=field):
                record = self.value_of(base)
                return Value(f"(&({record.text})->{field.name})", record.operands)
            case c_ast.StructRef(name=base, field=field):
                record = self.address(base)
                return Value(f"(&(*{record.text}).{field.name})", record.operands)
            case c_ast.UnaryOp(op="*", expr=inner):
                value = self.value_of(inner)
                return Value(value.text, value.operands)
            case c_ast.CompoundLiteral():
                literal = self._literal(place, placed=True)
                return Value(f"(&{literal.text})", literal.operands)
        return Value(f"(&{self.plain(place)})")

    def register(self, place: Any) -> str | None:
        """The variable that says who wrote a register last; None for memory."""
        symbol = self.names.find(place.name) if isinstance(place, c_ast.ID) else None
        return None if symbol is None else symbol.ref

    def _name(self, e: Any) -> Value:
        symbol = self.names.find(e.name)
        if symbol is None or symbol.kind != "variable":
            return Value(e.name)
        if symbol.ref is not None:
            return Value(e.name, (Origin(ref=symbol.ref),))
        return self._access(e)

    def _access(self, e: Any) -> Value:
        """A read of memory; an array stays where it is, and so does a value without a place."""
        t = self.names.type_of(e)
        if types.is_function(t):  # `*f` is f again
            callee = self.value_of(e.expr) if isinstance(e, c_ast.UnaryOp) else Value(self.plain(e))
            return Value(f"({callee.text})", callee.operands)
        if isinstance(e, c_ast.StructRef) and (unnamed := self._part_of_value(e)) is not None:
            return unnamed
        if self.is_bit_field(e):
            return self._bits(e)
        address = self.address(e)
        if types.is_array(t):
            text = e.name if isinstance(e, c_ast.ID) else f"(*{address.text})"
            return Value(text, address.operands)
        p = self.fresh("p")
        n, event = self.load(e, t, p, address.operands)
        operand, kept = self.result(n)
        text = f"(*({{ __auto_type {p} = {address.text}; {event}{kept}{p}; }}))"
        return Value(text, (operand,), source=operand)

    def _part_of_value(self, e: Any) -> Value | None:
        """A field of what a call gives, or a choice, which is in no memory that has a name."""
        base = e.name
        while isinstance(base, c_ast.StructRef) and base.type == ".":
            base = base.name
        if e.type != "." or not isinstance(base, WITHOUT_A_PLACE):
            return None
        value = self.value_of(e.name)
        text = f"({value.text}).{e.field.name}"
        return Value(text, value.operands, value.computes, value.source)

    def is_bit_field(self, e: Any) -> bool:
        if not isinstance(e, c_ast.StructRef):
            return False
        found = self.names.field_of(e)
        return found is not None and found.bits

    def record_of(self, e: Any) -> Value:
        """A pointer to the record around a bit-field, which has no address of its own."""
        return self.value_of(e.name) if e.type == "->" else self.address(e.name)

    def _bits(self, e: Any) -> Value:
        record = self.record_of(e)
        p = self.fresh("p")
        n, event = self.load(e, types.INT, p, record.operands)
        operand, kept = self.result(n)
        text = f"({{ __auto_type {p} = {record.text}; {event}{kept}{p}->{e.field.name}; }})"
        return Value(text, (operand,), source=operand)

    def _size(self, e: Any, inner: Any) -> Value:
        """`sizeof x`, which is made of what the lengths of x were, where it was made."""
        while isinstance(inner, c_ast.ArrayRef):
            inner = inner.name
        if isinstance(inner, c_ast.Typename):
            shown, asked, lengths = self.measured(inner)
            text = f"({{ {asked}{e.op}({self.plain(shown)}); }})" if asked else self.plain(e)
            return Value(text, operands := self.operands_of(lengths), computes=bool(operands))
        symbol = self.names.find(inner.name) if isinstance(inner, c_ast.ID) else None
        if symbol is None or symbol.lengths is None:
            return Value(self.plain(e))
        return Value(self.plain(e), (Origin(ref=symbol.lengths),), computes=True)

    def measured(self, node: Any) -> tuple[Any, str, list[Value]]:
        """A declaration or a type whose arrays' lengths are asked before it: a copy in which each
        that calls or assigns is a variable, for C would do that where no event is; the text that
        sets those, and the values of all lengths that are made of something."""
        parts, values = list[str](), list[Value]()

        def copied(t: Any) -> Any:
            if isinstance(t, c_ast.IdentifierType):
                known = self.names.find(t.names[-1])
                if known is not None and known.lengths is not None:
                    values.append(Value("", (Origin(ref=known.lengths),)))
            if isinstance(t, c_ast.FuncDecl) or not hasattr(t, "type"):
                return t
            t = copy(t)
            if isinstance(t, c_ast.ArrayDecl) and length_acts(t.dim):
                value, q = self.value_of(t.dim), self.fresh("n")
                parts.append(f"__auto_type {q} = {value.text}; ")
                values.append(value)
                t.dim = c_ast.ID(q)
            t.type = copied(t.type)
            return t

        shown = copied(node)
        for x in self.names.lengths(node.type):
            if not length_acts(x):
                values.append(self.value_of(x))
                parts.append(f"(void) ({values[-1].text}); ")
        return shown, "".join(parts), values

    def operands_of(self, values: Sequence[Value]) -> tuple[Origin, ...]:
        return Value("").also(*values)
