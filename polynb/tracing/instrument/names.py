"""Names and their types: what is a register, what is memory, what an expression gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from pycparser import c_ast

from polynb.tracing.instrument import types
from polynb.tracing.instrument.reading import names_of, walk
from polynb.tracing.instrument.types import Type

COMPARING: Final = ("<", ">", "<=", ">=", "==", "!=", "&&", "||")


@dataclass(frozen=True, eq=False)
class TypedName:
    """What a name stands for. `ref` is the C variable that holds who last wrote a register;
    `lengths` the one of what an array is as long as. `volatile`: it, or what it leads to, is."""

    name: str
    kind: str  # variable, function, typedef, enumerator
    type: Type
    ref: str | None = None
    bits: bool = False
    volatile: bool = False
    lengths: str | None = None


class TypedNames:
    """The scopes of a text, innermost last, and its struct tags."""

    def __init__(self) -> None:
        self.scopes: list[dict[str, TypedName]] = [{}]
        self.tags: dict[str, Any] = {}

    def push(self) -> None:
        self.scopes.append({})

    def pop(self) -> None:
        self.scopes.pop()

    def find(self, name: str) -> TypedName | None:
        return next((s[name] for s in reversed(self.scopes) if name in s), None)

    def add(self, symbol: TypedName) -> None:
        self.scopes[-1][symbol.name] = symbol

    def declare(self, node: Any, ref: str | None = None) -> TypedName:
        """The symbol of a declaration or typedef, in the innermost scope."""
        resolved = self.resolve(node.type)
        kind = "typedef" if isinstance(node, c_ast.Typedef) else "variable"
        kind = "function" if types.is_function(resolved) else kind
        symbol = TypedName(node.name, kind, resolved, ref, volatile=says_volatile(node.type))
        if node.name:
            self.add(symbol)
        return symbol

    def is_volatile(self, place: Any) -> bool:
        """Whether the order of its accesses is seen from outside, as its text or a name in it
        says."""
        known = [self.find(name) for name in names_of(place)]
        inner = place
        while isinstance(inner, c_ast.StructRef | c_ast.ArrayRef):
            if isinstance(inner, c_ast.StructRef):
                known.append(self.field_of(inner))
            inner = inner.name
        return says_volatile(place) or any(x is not None and x.volatile for x in known)

    def field_of(self, place: Any) -> TypedName | None:
        """The field that `record.field` or `pointer->field` is."""
        record = self.type_of(place.name)
        of = types.element(record) if place.type == "->" else record
        return self.field(of, place.field.name)

    # -- types ---------------------------------------------------------------------------------

    def resolve(self, node: Any) -> Type:
        """A type without typedef names; tags and enumerators that it defines are remembered."""
        match node:
            case c_ast.Typename() | c_ast.TypeDecl() | c_ast.Decl() | c_ast.Typedef():
                return self.resolve(node.type)
            case c_ast.PtrDecl(type=inner):
                return c_ast.PtrDecl([], self.resolve(inner))
            case c_ast.ArrayDecl(type=inner, dim=dim):
                return c_ast.ArrayDecl(self.resolve(inner), dim, [])
            case c_ast.FuncDecl(type=inner, args=args):
                return c_ast.FuncDecl(args, self.resolve(inner))
            case c_ast.Struct() | c_ast.Union():
                return self._record(node)
            case c_ast.Enum():
                for e in node.values.enumerators if node.values else ():
                    self.add(TypedName(e.name, "enumerator", types.INT))
                return node
            case c_ast.IdentifierType(names=[name]):
                known = self.find(name)
                return known.type if known is not None and known.kind == "typedef" else node
        return node

    def _record(self, node: Any) -> Type:
        if node.decls is not None:
            for field in node.decls:
                if isinstance(field, c_ast.Decl):
                    self.resolve(field.type)
            if node.name:
                self.tags[node.name] = node
        return self.tags.get(node.name, node) if node.name else node

    def field(self, record: Type, name: str) -> TypedName | None:
        """A field of a record, or of an anonymous record within it."""
        record = self.tags.get(record.name, record) if types.is_record(record) else None
        for decl in (record.decls or ()) if record is not None else ():
            if not isinstance(decl, c_ast.Decl):
                continue
            if decl.name == name:
                bits, volatile = bool(decl.bitsize), says_volatile(decl.type)
                return TypedName(name, "variable", self.resolve(decl.type), None, bits, volatile)
            inner = self.resolve(decl.type)
            if decl.name is None and (found := self.field(inner, name)) is not None:
                return found
        return None

    def is_variadic(self, name: str) -> bool:
        """Whether a function takes arguments that have no names."""
        found = self.find(name)
        args = found.type.args if found is not None and types.is_function(found.type) else None
        return args is not None and any(isinstance(p, c_ast.EllipsisParam) for p in args.params)

    def lengths(self, t: Any) -> list[Any]:
        """The lengths of an array that are made of variables."""
        found = []
        while isinstance(t, c_ast.ArrayDecl):
            names = (x.name for x in walk(t.dim) if isinstance(x, c_ast.ID))
            known = (self.find(name) for name in names)
            if any(x is not None and x.kind == "variable" for x in known):
                found.append(t.dim)
            t = t.type
        return found

    # -- expressions ---------------------------------------------------------------------------

    def type_of(self, e: Any) -> Type:
        """The type of an expression, None where it is not known."""
        match e:
            case c_ast.Constant(type=kind):
                words = kind.split()
                return (
                    types.pointer(types.CHAR) if kind == "string" else c_ast.IdentifierType(words)
                )
            case c_ast.ID(name=name):
                symbol = self.find(name)
                return None if symbol is None else symbol.type
            case c_ast.ArrayRef(name=base, subscript=index):
                of = types.element(self.type_of(base))
                return of if of is not None else types.element(self.type_of(index))
            case c_ast.StructRef(name=base, field=field, type=how):
                record = self.type_of(base)
                record = types.element(record) if how == "->" else record
                found = self.field(record, field.name)
                return None if found is None else found.type
            case c_ast.UnaryOp():
                return self._unary(e)
            case c_ast.BinaryOp(op=op, left=a, right=b):
                if op in COMPARING:
                    return types.INT
                left, right = self.type_of(a), self.type_of(b)
                both = types.is_pointer(left) or types.is_array(left)
                both = both and (types.is_pointer(right) or types.is_array(right))
                return types.LONG if op == "-" and both else types.arithmetic(left, right)
            case c_ast.TernaryOp(iftrue=a, iffalse=b):
                first = self.type_of(a)
                return first if types.is_record(first) else types.arithmetic(first, self.type_of(b))
            case c_ast.Assignment(lvalue=to):
                return self.type_of(to)
            case c_ast.Cast(to_type=to) | c_ast.CompoundLiteral(type=to):
                return self.resolve(to)
            case c_ast.ExprList(exprs=parts):
                return self.type_of(parts[-1])
            case c_ast.FuncCall(name=c_ast.ID(name="va_arg"), args=args):
                return self.type_of(args.exprs[1])
            case c_ast.FuncCall(name=callee):
                return self.result(callee)
        return None

    def result(self, callee: Any) -> Type:
        """What a call of that function, or through that pointer, gives."""
        found = self.type_of(callee)
        while types.is_pointer(found):
            found = types.element(found)
        if types.is_function(found):
            return found.type
        return types.result_of_library(callee.name) if isinstance(callee, c_ast.ID) else types.INT

    def _unary(self, e: Any) -> Type:
        match e.op:
            case "sizeof" | "_Alignof":
                return types.LONG
            case "!":
                return types.INT
            case "&":
                return types.pointer(self.type_of(e.expr))
            case "*":
                inner = self.type_of(e.expr)
                return inner if types.is_function(inner) else types.element(inner)
            case "+" | "-" | "~":
                return types.arithmetic(self.type_of(e.expr), types.INT)
        return self.type_of(e.expr)


def says_volatile(node: Any) -> bool:
    """Whether it is written somewhere in a type, or in a cast; of a record's fields, each is asked
    itself."""
    quals = getattr(node, "quals", None) or ()
    inside = () if types.is_record(node) else node.children()
    return "volatile" in quals or any(says_volatile(child) for _, child in inside)
