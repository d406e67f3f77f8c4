"""Scop -> syntax tree: isl scans the schedule tree, its loops get their names back.

isl generates the loops (Grosser, Verdoolaege, Cohen: "Polyhedral AST generation is more than
scanning polyhedra", TOPLAS 2015); this file turns its syntax tree into ours, in which the
iterators, subscripts and bounds read as if somebody had written them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator as Iter, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from polynb import isl
from polynb.codegen.declarations import text_declarations
from polynb.codegen.isl_loops import Loops, loops
from polynb.codegen.isl_nodes import is_run, loop_depth, parts
from polynb.codegen.literals import plain_literals, substitute
from polynb.codegen.sharing import check_printable, share
from polynb.errors import PolynbError
from polynb.schedules.tile_names import Tiles, given_name, loop_values, tiles_of
from polynb.scop.affine_from_isl import as_int64, conditions, enum_name, from_ast_expr
from polynb.scop.arrays import surely_inside
from polynb.scop.fresh_names import Names, global_names
from polynb.scop.isl_marks import BandKinds, read_mark
from polynb.scop.model import Array, Scop, Statement
from polynb.scop.schedule import Band, LoopKind, Private, walk
from polynb.scop.storage import in_memory
from polynb.source import tree as syntax
from polynb.source.normal_form import normal_form
from polynb.source.operators import evaluated
from polynb.source.tree import Access, Expr, own, rebuild
from polynb.source.type_inference import Types
from polynb.source.types import INT32


@isl.bounded("the search for the program's loops")
def scan(scop: Scop, *, vectors: bool = False) -> syntax.Program:
    """The program in the order of its schedule.

    Conditions that `scop.assumed` implies are left out. A loop is named after the original
    iterator whose values it takes. `vectors`: as compilers need it to make vectors of innermost
    loops, without conditions inside; cells that are read under conditions of an expression are
    read in front of it if they are in bounds anyway. Raises PolynbError if a
    statement's domain is not bounded, or if its times are too far for C's integers.
    """
    scop = in_memory(scop)
    refuse_overflow(scop)
    body = ScheduleScanner(scop, vectors).body()
    return with_declarations(scop, body, syntax.accessed(body))


def with_declarations(
    scop: Scop, body: tuple[syntax.Stmt, ...], used: Collection[str]
) -> syntax.Program:
    """The program of these statements, which access so many of its arrays."""
    return syntax.Program(
        parameters=scop.parameters,
        declarations=tuple(  # a temporary of statements that never run is none
            d for d in text_declarations(scop) if d.role != "temp" or d.name in used
        ),
        body=body,
        assumptions=conditions(scop.assumed),
        functions=scop.functions,
        name=scop.name,
    )


@dataclass(frozen=True, eq=False)
class ScanPlace:
    """What is known inside the loops around: the value of each of isl's iterators, the names in
    use, and how loops of some depths are to run."""

    values: dict[str, Expr] = field(default_factory=dict)
    names: frozenset[str] = frozenset()
    kinds: dict[int, LoopKind] = field(default_factory=dict)


Shared = dict[tuple[str, frozenset[str]], Expr]
"""Expressions of statements with their shared parts named, by the names that are taken."""


class ScheduleScanner:
    """`expressions`: those of the same program in other orders, which are added to."""

    def __init__(self, scop: Scop, vectors: bool, expressions: Shared | None = None) -> None:
        self.scop = scop
        self.vectors = vectors
        self.globals = global_names(scop)
        self.types = Types({n: a.type for n, a in scop.arrays.items()}, scop.functions)
        self.labels = Names(())
        self.statements = scop.by_name
        self.expressions: Shared = {} if expressions is None else expressions
        self.loops: Loops

    def body(self) -> tuple[syntax.Stmt, ...]:
        domains = {
            s.name: d
            for s in self.scop.statements
            if not (d := s.domain.intersect_params(self.scop.assumed)).is_empty()
        }
        if not domains:
            return ()
        self.loops = loops(self.scop, domains, separate=self.vectors)
        return self.block(self.loops.root, ScanPlace())

    def block(self, node: isl.AstNode, place: ScanPlace) -> tuple[syntax.Stmt, ...]:
        match enum_name(node.get_type()):
            case "block":
                return tuple(s for part in parts(node) for s in self.block(part, place))
            case "for_":
                return self.loop(node, place)
            case "if_":
                return (self.condition(node, place),)
            case "mark":
                mark = read_mark(node.mark_get_id())
                if isinstance(mark, BandKinds) and not self.loops.torn:
                    kinds = {mark.depth + k: kind for k, kind in enumerate(mark.kinds)}
                    place = replace(place, kinds={**place.kinds, **kinds})
                return self.block(node.mark_get_node(), place)
            case "user" if is_run(node):
                return ()
            case "user":
                return (self.statement(node, place),)
            case other:
                raise PolynbError(f"isl generated a node of the unknown kind {other}")

    # -- control -------------------------------------------------------------------------

    def loop(self, node: isl.AstNode, place: ScanPlace) -> tuple[syntax.Stmt, ...]:
        key = _id(node.for_get_iterator())
        lower = from_ast_expr(node.for_get_init(), place.values)
        body = node.for_get_body()
        if node.for_is_degenerate():
            return self.block(body, replace(place, values={**place.values, key: lower}))
        upper = _upper(node.for_get_cond(), key, place)
        step = node.for_get_inc().int_get_val().to_python()
        name, down = self.loop_name(key, loop_depth(node), body, place)
        i: Expr = syntax.Iterator(name)
        if down:
            i, lower, upper, step = syntax.Unary("-", i), _minus(lower), _minus(upper), -step
        inside = replace(place, values={**place.values, key: i}, names=place.names | {name})
        kind = _kind(place.kinds.get(loop_depth(node)))
        private = tuple(dict.fromkeys(_private(body))) if kind != "sequential" else ()
        return (syntax.For(name, lower, upper, self.block(body, inside), step, kind, private),)

    def loop_name(
        self, key: str, depth: int, body: isl.AstNode, place: ScanPlace
    ) -> tuple[str, bool]:
        """The first original iterator that takes exactly this loop's values, or, if there is
        none, that takes all of them negated (True: the loop then counts down); what a person called
        the loop; `ii` for a loop over the tiles of `i`; else t0, t1..."""
        taken = self.globals | place.names
        names: list[str] = []
        for which in (_id, _negated_id):
            for call in _calls(body):
                name, arguments = self.loops.call(call)
                names.append(name)
                for original, value in zip(
                    self.statements[name].iterators, arguments, strict=False
                ):
                    if original not in taken and which(value) == key:
                        return original, which is _negated_id
        for name in dict.fromkeys(names):
            given = given_name(self.scop.schedule, name, depth)
            if given and given not in taken:
                return given, False
        every = {i for s in self.statements.values() for i in s.iterators}
        for name in dict.fromkeys(names):
            tiles = self.tiles(name, depth)
            if tiles is None:
                continue
            for new in tiles.names:
                if new not in taken and (new not in every or tiles.size == 1):
                    return new, tiles.negated
        return Names(taken | every).fresh("t"), False

    def tiles(self, name: str, depth: int) -> Tiles | None:
        """Over whose tiles, of the iterators of a statement, a loop runs."""
        s = self.statements[name]
        values = loop_values(self.scop.schedule, name, depth)
        if values is None:
            return None
        values = values.intersect_domain(s.domain.intersect_params(self.scop.assumed))
        return tiles_of(values, s.iterators)

    def condition(self, node: isl.AstNode, place: ScanPlace) -> syntax.If:
        test = from_ast_expr(node.if_get_cond(), place.values)
        then = self.block(node.if_get_then_node(), place)
        otherwise: tuple[syntax.Stmt, ...] = ()
        if node.if_has_else_node():
            otherwise = self.block(node.if_get_else_node(), place)
        return syntax.If(test, then, otherwise)

    # -- statements ----------------------------------------------------------------------

    def statement(self, node: isl.AstNode, place: ScanPlace) -> syntax.Stmt:
        name, arguments = self.loops.call(node.user_get_expr())
        s = self.statements[name]
        values = {
            iterator: as_int64(from_ast_expr(value, place.values))
            for iterator, value in zip(s.iterators, arguments, strict=False)  # 0s may follow
        }
        target = self.written(s.write.node, values)
        assert isinstance(target, syntax.Access)
        value = self.written(self.shared(s, place.names), values)
        check_printable(value)
        assign = syntax.Assign(target, value, self.labels.unique(s.name), span=s.span)
        if s.guard is None:
            return assign
        guard = self.written(s.guard, values)
        check_printable(guard)
        return syntax.If(guard, (assign,))

    def shared(self, s: Statement, taken: frozenset[str]) -> Expr:
        """The expression of a statement with its shared parts named, the same one for all its calls
        in loops of the same names."""
        if (s.name, taken) not in self.expressions:
            names = Names(self.globals | taken)
            inside = in_bounds(s, self.scop.arrays, self.scop.assumed)
            self.expressions[s.name, taken] = share(
                s.expression, names, self.types, inside, reads_first=self.vectors
            )
        return self.expressions[s.name, taken]

    def written(self, e: Expr, values: dict[str, Expr]) -> Expr:
        return plain_literals(substitute(e, values), self.types)


# -- isl's syntax trees -------------------------------------------------------------------


def _id(e: isl.AstExpr) -> str:
    """The name of an identifier, "" for any other expression."""
    return str(e.id_get_id().get_name()) if enum_name(e.get_type()) == "id" else ""


def _negated_id(e: isl.AstExpr) -> str:
    """The name in `-name`, "" for any other expression."""
    negated = enum_name(e.get_type()) == "op" and enum_name(e.op_get_type()) == "minus"
    return _id(e.op_get_arg(0)) if negated else ""


def _calls(node: isl.AstNode) -> Iter[isl.AstExpr]:
    """The statement instances below a node, in textual order."""
    if enum_name(node.get_type()) == "user":
        yield node.user_get_expr()
    for part in parts(node):
        yield from _calls(part)


def _private(node: isl.AstNode) -> Iter[str]:
    """The temporaries that marks below a node say are private to what is below them."""
    if enum_name(node.get_type()) == "mark":
        what = read_mark(node.mark_get_id())
        yield from what.arrays if isinstance(what, Private) else ()
    for part in parts(node):
        yield from _private(part)


def _upper(test: isl.AstExpr, key: str, place: ScanPlace) -> Expr:
    """The inclusive upper bound in `iterator <= e`, `iterator < e`, or a conjunction of those."""
    kind = enum_name(test.op_get_type()) if enum_name(test.get_type()) == "op" else ""
    if kind in ("and_", "and_then"):
        a, b = (_upper(test.op_get_arg(k), key, place) for k in (0, 1))
        return syntax.Call("min", (a, b))
    if kind in ("le", "lt") and _id(test.op_get_arg(0)) == key:
        bound = from_ast_expr(test.op_get_arg(1), place.values)
        return bound if kind == "le" else _one_less(bound)
    raise PolynbError(f"a loop has no upper bound: {test.to_C_str()}")


def _one_less(e: Expr) -> Expr:
    match e:
        case syntax.Call(function="min" | "max", arguments=parts):
            return replace(e, arguments=tuple(_one_less(p) for p in parts))
    return normal_form(syntax.Binary("-", e, syntax.Number(1, INT32)))


def _minus(e: Expr) -> Expr:
    match e:
        case syntax.Call(function="min" | "max" as f, arguments=parts):
            other = "max" if f == "min" else "min"
            return syntax.Call(other, tuple(_minus(p) for p in parts))
    return normal_form(syntax.Unary("-", e))


def _kind(loop: LoopKind | None) -> syntax.ForKind:
    return "sequential" if loop is None or loop == "unroll" else loop


# Which cells can be read where their value may not be needed: those that surely exist.


def in_bounds(
    s: Statement, arrays: Mapping[str, Array], assumed: isl.Set
) -> Callable[[Access], bool]:
    """Whether a read of the statement's expression is proven to be in bounds in all instances.

    Affine subscripts are compared with the extents. A data-dependent one is within them if the
    same subscript of the same array is used in a read that is evaluated anyway, as in
    `T[0][x[i]] > 0 ? T[1][x[i]] : 0`.
    """
    reads = {id(r.node): r for r in s.reads}
    numbers = _numbered(s.expression)
    certain = evaluated(s.expression)
    used = {
        (r.array, k, numbers[id(e)])
        for r in s.reads
        if id(r.node) in certain
        for k, e in enumerate(r.node.subscripts)
    }

    def inside(node: Access) -> bool:
        read = reads.get(id(node))
        if read is None or not surely_inside(read, arrays[read.array], assumed):
            return False
        return read.must or all(
            read.relation.involves_dims(isl.OUT, k, 1) or (read.array, k, numbers[id(e)]) in used
            for k, e in enumerate(node.subscripts)
        )

    return inside


def _numbered(e: Expr) -> dict[int, int]:
    """A number for each node: the same for equal ones."""
    numbers: dict[int, int] = {}
    known: dict[object, int] = {}
    rebuild(
        e,
        lambda node, parts: known.setdefault((type(node), own(node), *parts), len(known)),
        numbers,
    )
    return numbers


# Orders whose times are no numbers of C's: a loop over them would overflow.


FARTHEST: Final = 2**62
"""Half of int64's values: as many are left for iterators and parameters."""


def refuse_overflow(scop: Scop) -> None:
    """Raises PolynbError, naming the statement, for a member of a band `{ S[i] -> [i + 2^63 - 2] }`
    with a shift or factor that leaves int64 nothing to count with."""
    for band in walk(scop.schedule):
        for name, member in band.members.items() if isinstance(band, Band) else ():
            far = _farthest(member)
            if far is not None:
                raise PolynbError(
                    f"the loops of {name} cannot be written in C",
                    span=scop.by_name[name].span,
                    reason=f"its times have {far} in them, and C's integers of 64 bits overflow",
                    hint="the same order with smaller numbers: "
                    f"shifts and factors below 2^62 for {name}",
                )


def _farthest(member: isl.Map) -> int | None:
    """A number of the conditions on the times `[t]` of `{ S[i] -> [t] }` that is too far."""
    for part in isl.basic_maps(member):
        for c in isl.constraints(part):
            if not c.involves_dims(isl.OUT, 0, c.dim(isl.OUT)):
                continue
            numbers = [c.get_constant_val()]
            for kind in (isl.PARAM, isl.IN, isl.OUT):
                numbers += [c.get_coefficient_val(kind, k) for k in range(c.dim(kind))]
            for number in numbers:
                if abs(number.to_python()) >= FARTHEST:
                    return int(abs(number.to_python()))
    return None
