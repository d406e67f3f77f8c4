"""Statements: every loop gets its canonical iterator, from 0 by 1, and every way out is kept."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pycparser import c_ast

from polynb.tracing.instrument import types
from polynb.tracing.instrument.certain import JUMPED, Certain, Left, either
from polynb.tracing.instrument.names import TypedName
from polynb.tracing.instrument.parts import Body, Deciding, Origin, SourceLoop, TracedText, Value
from polynb.tracing.instrument.reading import (
    begins,
    is_counted,
    iterator_of,
    steps,
    variables,
    walk,
    written_in,
)
from polynb.tracing.instrument.values import TracedExpressions


class TracedStatements(TracedExpressions):
    """The statements of one function, as C text."""

    def __init__(self, program: TracedText, body: Body) -> None:
        super().__init__(program, body)
        self._depth = len(body.loops)

    def block(self, items: list[Any] | None) -> str:
        self.names.push()
        text = "".join(self.statement(s) for s in items or ())
        self.names.pop()
        return "{\n" + text + "}\n"

    def statement(self, s: Any) -> str:
        """A statement, with the line it stands on."""
        if isinstance(s, c_ast.Compound):
            return self.block(s.block_items)
        self.program.statements += 1
        self.body.statement = self.program.statements
        around, memory = self.body.calls, self.body.unnamed_memory
        self.body.unnamed_memory = []
        self.body.calls = any(isinstance(x, c_ast.FuncCall) for x in walk(s))
        text = self._statement(s)
        text = self._line(s) + self._unnamed() + text
        self.body.calls, self.body.unnamed_memory = around, memory
        return text

    def _unnamed(self) -> str:
        """The declarations of memory without a name, for what was written since the last."""
        declared, self.body.unnamed_memory = self.body.unnamed_memory, []
        return "".join(declared)

    def _line(self, s: Any) -> str:
        place = self.program.places.index(s)
        if place is None:
            place = self.program.places.range(s)[0]
        return f"\n#line {self.program.places.tokens[place].span.line}\n"

    def _statement(self, s: Any) -> str:
        match s:
            case c_ast.Decl():
                return self.declaration(s)
            case c_ast.DeclList(decls=decls):
                return "".join(self.declaration(d) for d in decls)
            case c_ast.Typedef():
                return self._typedef(s)
            case c_ast.Pragma():
                return self._pragma(s.string)
            case c_ast.If(cond=cond, iftrue=yes, iffalse=no):
                return self._if(cond, yes, no)
            case c_ast.For() | c_ast.While() | c_ast.DoWhile():
                return self._loop(s)
            case c_ast.Switch(cond=cond, stmt=inside):
                return self._switch(cond, inside)
            case c_ast.Case(expr=value, stmts=stmts):
                self._chosen()
                return f"case {self.plain(value)}: ;\n" + self._all(stmts)
            case c_ast.Default(stmts=stmts):
                self._chosen(rest=True)
                return "default: ;\n" + self._all(stmts)
            case c_ast.Label(name=name, stmt=stmt):
                self.body.certain = Certain()
                return f"{name}: ;\n{self.statement(stmt) if stmt is not None else ''}"
            case c_ast.Return(expr=value):
                text = self._return(value)
                self.body.certain = JUMPED
                return text
            case c_ast.Break() | c_ast.Continue() | c_ast.Goto():
                return self._jump(s)
            case None | c_ast.EmptyStatement():
                return ";\n"
            case c_ast.FuncDef():
                raise self.program.refuse(
                    "a function within a function cannot be traced",
                    s.decl,
                    "it is an extension of gcc's",
                    "move it out",
                )
        return self.full(s, used=False) + ";\n"

    def _if(self, cond: Any, yes: Any, no: Any) -> str:
        test, n = self._asking(cond)
        before = self.body.certain
        with self.under(Deciding("if", n, self._depth)):
            text = f"if ({test}) {self._inside(yes)}"
            after, self.body.certain = self.body.certain, before
            text += f"else {self._inside(no)}" if no is not None else ""
        self.body.certain = either(after, self.body.certain)
        return text

    def _switch(self, cond: Any, inside: Any) -> str:
        test, n = self._asking(cond)
        left = Left(False, self.body.certain)
        self.body.lefts.append(left)
        with self.under(Deciding("switch", n, self._depth)):
            self.body.certain = JUMPED
            text = f"switch ({test}) {self._inside(inside)}"
        self.body.lefts.pop()
        other = JUMPED if left.whole else left.begins
        self.body.certain = either(self.body.certain, *left.breaks, other)
        return text

    def _chosen(self, *, rest: bool = False) -> None:
        """At a label of a `switch`; `rest`: that of all other values."""
        left = next(x for x in reversed(self.body.lefts) if not x.loop)
        left.whole = left.whole or rest
        self.body.certain = either(left.begins, self.body.certain)

    def _jump(self, s: Any) -> str:
        if isinstance(s, c_ast.Break):
            self.body.lefts[-1].breaks.append(self.body.certain)
            self.broken()
        elif isinstance(s, c_ast.Goto):
            self.left(target := self.body.labels.get(s.name, 0))
            self.skipped(target)
        else:
            loop = next(x for x in reversed(self.body.lefts) if x.loop)
            loop.continues.append(self.body.certain)
            self.skipped(self._depth)
        self.body.certain = JUMPED
        return self.plain(s) + "\n"

    def _all(self, stmts: list[Any] | None) -> str:
        return "".join(self.statement(x) for x in stmts or ())

    def _inside(self, s: Any) -> str:
        """A statement under an `if` or a loop, in brackets."""
        if isinstance(s, c_ast.Compound):
            return self.block(s.block_items)
        return self.block([s])

    def _pragma(self, word: str) -> str:
        self.body.recorded = word == "scop"
        return f"pn_on = {int(self.body.recorded)};\n"

    # -- loops ---------------------------------------------------------------------------------

    def _loop(self, s: Any) -> str:
        first, begun = "", len(self.program.instructions)
        self.names.push()
        own = self._own_counter(s)
        if isinstance(s, c_ast.For) and s.init is not None:
            declares = isinstance(s.init, c_ast.DeclList)
            first = self._statement(s.init) if declares else self.full(s.init, used=False) + ";\n"
            first = self._unnamed() + first
        level, outer = self._depth, self.body.loops
        counted = isinstance(s, c_ast.For) and is_counted(s, self._registers(s))
        n, event = self._bounded(s) if counted else (None, "")
        if counted:
            self._counts(s, begun, level)
        first += event
        before = len(self.program.instructions), len(self.program.calls)
        self.body.loops = (*outer, self._new_loop(s))
        self._depth += 1
        text = f"pn_begin(pn_v + {level}, pn_w + {level});\n" + self._around(s, level, counted)
        self._depth -= 1
        self.body.loops = outer
        self.governed(n, level, *before)
        self.names.pop()
        after = self._kept_again(s.init.lvalue, own) if own is not None else ""
        return "{ " + first + self._unnamed() + text + after + "}\n"

    def _own_counter(self, s: Any) -> TypedName | None:
        """The variable in memory that a loop has for itself, which is in a register there."""
        known = self.names.find(begins(s)) if id(s) in self.body.counting else None
        memory = known is not None and known.kind == "variable" and known.ref is None
        if known is None or not memory or known.volatile or not types.is_scalar(known.type):
            return None
        self.names.add(own := replace(known, ref=self.body.register(known.name)))
        return own

    def _kept_again(self, place: Any, own: TypedName) -> str:
        """After the loop, memory has what was in the register."""
        p = self.fresh("p")
        event = self.store(place, own.type, p, (Origin(ref=own.ref),))
        return f"{{ __auto_type {p} = &{own.name}; {event}}}\n"

    def _around(self, s: Any, level: int, counted: bool) -> str:
        left = Left(True, self.body.certain)
        self.body.lefts.append(left)
        text = self._iterated(s, level, counted, left)
        self.body.lefts.pop()
        return text

    def _iterated(self, s: Any, level: int, counted: bool, left: Left) -> str:
        line, body = f"pn_next(pn_v + {level}, pn_w + {level})", self.body
        if isinstance(s, c_ast.DoWhile):
            with self.under(Deciding("loop", None, level + 1)):
                inside = self._inside(s.stmt)
            self._landed(level)
            body.certain = either(body.certain, *left.continues)
            text = f"do {inside} while ({self._going_on(s.cond, level)[0]} && ({line}, 1));\n"
            body.certain = either(body.certain, *left.breaks).outside(level)
            return text
        cond, n = "", None
        if counted:
            cond = self.full(s.cond)
        elif s.cond is not None:
            cond, n = self._going_on(s.cond, level)
        ended = JUMPED if s.cond is None or (n is None and not counted) else body.certain
        with self.under(Deciding("loop", n, level + 1)):
            inside = self._inside(s.stmt)
        self._landed(level)
        after, more = "", f"({cond}) || pn_over(pn_v + {level})" if cond else ""
        if isinstance(s, c_ast.For) and s.next is not None:
            body.certain = either(body.certain, *left.continues)
            begun = len(self.program.instructions)
            after = f"(void) {self.full(s.next, used=False)}, "
            if counted:
                self._counts(s, begun, level)
        body.certain = either(ended, *left.breaks).outside(level)
        return f"for (; {more}; {after}{line}) {inside}"

    def _counts(self, s: Any, begun: int, level: int) -> None:
        """What was written since there were so many instructions is of the head of a loop that
        counts: it does no more, nor for the loops around, if they cannot name its variable."""
        iterator = self.names.find(iterator_of(s))
        within = 0 if isinstance(s.init, c_ast.DeclList) else level
        refs = {iterator.ref} if iterator is not None else set()
        for i in self.program.instructions[begun:]:
            if i.kind in ("integer", "move", "condition") and i.writes <= refs:
                self.program.counting[i.number] = within

    def _landed(self, level: int) -> None:
        """At the end of a loop's body all jumps within it have met."""
        self.body.skips = [a for a in self.body.skips if a.depth <= level]

    def _asking(self, cond: Any) -> tuple[str, int | None]:
        """A condition with its event, and its number."""
        value = self.value_of(cond)
        n, event = self.condition(cond, value.operands)
        if n is None:
            return self.whole(value), None
        q = self.fresh("q")
        asked = f"({{ __auto_type {q} = {value.text}; {event}{q}; }})"
        return self.whole(Value(asked)), n

    def _going_on(self, cond: Any, level: int) -> tuple[str, int | None]:
        """The condition by which a loop goes on."""
        text, n = self._asking(cond)
        self.decides(n, range(level, level + 1))
        return text, n

    def _bounded(self, s: Any) -> tuple[int | None, str]:
        """Before a loop that counts: what its bound and its step are made of decides how often it
        runs."""
        iterator = iterator_of(s)
        names = sorted((variables(s.cond) | variables(s.next)) - {iterator})
        operands = tuple(Origin(ref=x.ref) for n in names if (x := self.names.find(n)) is not None)
        return self.condition(s.cond, operands)

    def _registers(self, s: Any) -> set[str]:
        """The variables of a loop's head that are in registers."""
        found = (x for part in (s.cond, s.next) if part is not None for x in variables(part))
        return {x for x in found if (known := self.names.find(x)) is not None and known.ref}

    def _new_loop(self, s: Any) -> SourceLoop:
        loops = self.program.loops
        iterator = iterator_of(s)
        taken = {x.name for x in loops}
        stem = f"c{iterator}" if iterator else "c"
        names = [stem] if iterator else []
        names += [f"{stem}{k}" for k in range(1 if not iterator else 2, len(loops) + 3)]
        name = next(n for n in names if n not in taken)
        outer = self.body.loops[-1].name if self.body.loops else None
        line = self.program.places.head(s).line
        head = written_in(s.cond) | written_in(getattr(s, "next", None))
        counts = {iterator} if steps(s) else set[str]()
        written = written_in(s.stmt) | (head - counts)
        loops.append(
            SourceLoop(
                name, iterator, self.body.name, line, outer, False, frozenset(written), begins(s)
            )
        )
        return loops[-1]

    # -- the rest ------------------------------------------------------------------------------

    def declaration(self, d: Any) -> str:
        """A local variable: a register where it is a number nobody takes the address of."""
        if d.name is None or types.is_function(resolved := self.names.resolve(d.type)):
            self.names.declare(d)
            return self.program.declaration(d) + ";\n"
        shown, asked, lengths = self._measured(d)
        static = {"static", "extern"} & set(d.storage)
        register = types.is_scalar(resolved) and not static and id(d) not in self.body.addressed
        register = register and "volatile" not in (getattr(d, "quals", None) or ())
        if register:
            ref = self.body.register(d.name)
            symbol = self.names.declare(d, ref)
            if d.init is None:
                return f"{asked}{self.program.declaration(shown)}; {ref}.w = 0;\n"
            text = self.initialised(d, ref, symbol.type, d.init)
            return f"{asked}{self._without_value(shown)} = {text};\n"
        self.names.declare(d)
        asked += self._as_long_as(d, lengths)
        return asked + self._memory(d, shown, resolved, bool(static))

    def _typedef(self, s: Any) -> str:
        shown, asked, lengths = self._measured(s)
        self.names.declare(s)
        return f"{asked}{self._as_long_as(s, lengths)}{self.program.declaration(shown)};\n"

    def _measured(self, d: Any) -> tuple[Any, str, list[Value]]:
        """As `measured`, for statements of their own."""
        shown, asked, values = self.measured(d)
        resets, self.body.resets = self.body.resets, []
        return shown, "".join(f"{name}.w = 0; " for name in resets) + asked, values

    def _memory(self, d: Any, shown: Any, t: Any, static: bool) -> str:
        place = self.program.places.token(d)
        number = self.program.block(d.name, place.line, 1)
        named = f"pn_local({number}, &{d.name}, sizeof {d.name}, {int(static)});\n"
        if d.init is None or static:
            return f"{self.program.declaration(shown)}; {named}"
        if not types.is_scalar(t):
            values: list[Value] = []
            text = self.initial(d.init, values)
            if operands := self.operands_of(values):
                named += self.store_range(d, t, f"&{d.name}", f"sizeof {d.name}", operands)
            return f"{self._without_value(shown)} = {text}; {named}"
        value = self.value_of(d.init)
        q, p = self.fresh("q"), self.fresh("p")
        event, source = self.produced(d, t, d.name, value, memory=True)
        operands = (source,) if source is not None else value.operands
        event += self.store(c_ast.ID(d.name, d.coord), t, p, operands)
        text = self.whole(Value(f"({{ __typeof__({d.name}) {q} = {value.text}; {q}; }})"))
        later = f"{named}{{ __auto_type {p} = &{d.name}; {event}}}\n"
        return f"{self._without_value(shown)} = {text}; {later}"

    def _as_long_as(self, d: Any, lengths: list[Value]) -> str:
        """The event of what an array, or a type of arrays, is as long as."""
        symbol = self.names.find(d.name)
        if symbol is None or not (operands := self.operands_of(lengths)):
            return ""
        n, event = self.value(d, types.LONG, "0", operands)
        ref = self.body.new_ref(d.name)
        self.names.add(replace(symbol, lengths=ref))
        return f"{event}{self.keep(ref, Origin(number=n))}"

    def _without_value(self, d: Any) -> str:
        init, d.init = d.init, None
        text = self.program.declaration(d)
        d.init = init
        return text

    def _return(self, value: Any) -> str:
        self.left(0)
        self.skipped(0)
        if value is None:
            return "{ pn_leave(&pn_f); return; }\n"
        t = self.body.result
        found = self.value_of(value)
        if types.is_void(t):
            return f"{{ {self.whole(found)}; pn_leave(&pn_f); return; }}\n"
        event, source = self.handed(value, t, "pn_returned", found)
        kept = self.keep("pn_result", source)
        return (
            f"{{ pn_returning pn_returned = {self.whole(found)}; {event}{kept}"
            "pn_leave(&pn_f); return pn_returned; }\n"
        )
