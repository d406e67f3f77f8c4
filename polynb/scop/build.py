"""Syntax tree -> Scop: domains, accesses and the schedule of every statement."""

from __future__ import annotations

from collections.abc import Iterator as Iter
from dataclasses import dataclass, replace

from polynb import isl
from polynb.errors import PolynbError, Span
from polynb.scop.access import memory_access, read_nodes
from polynb.scop.affine import (
    AffineFrame,
    MayWrap,
    NotAffine,
    affine,
    condition,
    operands,
)
from polynb.scop.arrays import infer_arrays, requirements, within_bounds
from polynb.scop.fresh_names import Names
from polynb.scop.integers import check_divisions, check_integers, floor_subscripts
from polynb.scop.model import Narrow, Scop, Statement
from polynb.scop.narrow import in_types, never_ends
from polynb.scop.not_affine import not_affine
from polynb.scop.schedule import Band, Filter, Leaf, Loop, Sequence, Tree, times
from polynb.scop.wrapping import beyond
from polynb.source import tree as syntax
from polynb.source.normal_form import conjuncts
from polynb.source.operators import TRUTH_VALUED
from polynb.source.types import INT32, ElementType


@dataclass(frozen=True, eq=False)
class Surroundings:
    """Where a statement stands: the iterators around it, the values they take, and the
    data-dependent conditions it runs under. `domain` is `{ [iterators] : ... }`."""

    iterators: tuple[str, ...]
    domain: isl.Set
    guards: tuple[syntax.Expr, ...] = ()


def build(program: syntax.Program) -> Scop:
    """The polyhedral model of a program (paper CC'18, section 2.2).

    Data-dependent subscripts and conditions become may accesses. Raises PolynbError, with the
    place, for bounds that are not affine and for subscripts that are out of bounds whenever
    they are executed.
    """
    with isl.wrapped():
        builder = _Builder(program)
        children = builder.sequence(program.body, builder.start)
        if not builder.statements:
            raise PolynbError(
                "the program has no statements",
                span=program.span,
                hint="at least one assignment, such as `S: A[i] = B[i];`",
            )
        domains = {s.name: s.domain for s in builder.statements}
        when = times(children, domains)
        statements = tuple(replace(s, schedule=when[s.name]) for s in builder.statements)
        context = builder.context
        declared = replace(program, declarations=tuple(builder.declarations))
        arrays = infer_arrays(declared, statements, context, builder.frame(builder.start))
        check_integers(statements, arrays, program.functions, program.language)
        check_divisions(statements, arrays, program.functions)
        requires = requirements(statements, arrays, context, builder.needed)
        return Scop(
            name=program.name,
            parameters=program.parameters,
            context=context,
            requires=requires,
            arrays=within_bounds(arrays, declared, statements, context, requires),
            statements=statements,
            schedule=children,
            functions=program.functions,
            program=program,
            parameter_types=parameter_types(program),
            narrow=tuple(builder.narrow),
            ends=tuple(builder.ends),
        )


class _Builder:
    """One walk over the tree; `statements` fills up in textual order."""

    def __init__(self, program: syntax.Program) -> None:
        self.program = program
        self.statements: list[Statement] = []
        self.narrow: list[Narrow] = []
        self.ends: list[Narrow] = []
        labels = [s.label for s in syntax.statements(program.body) if s.label]
        self.names = Names(labels)
        self.conditions = Names(_used(program))
        self.declarations = list(program.declarations)
        space = isl.set_space(program.parameters, None, ())
        self.start = Surroundings((), isl.Set.universe(space))
        self.typed = in_types(program.parameters, parameter_types(program))
        self.allowed = self.typed
        self.needed = isl.Set.universe(space.params())
        self.context = self._context()
        self.allowed = self.allowed.intersect(self.context)

    def frame(self, place: Surroundings) -> AffineFrame:
        if self.program.language != "c":
            return AffineFrame(place.domain.get_space())
        return AffineFrame(place.domain.get_space(), place.domain.intersect_params(self.allowed))

    def _context(self) -> isl.Set:
        allowed = self.start.domain
        for assumption in self.program.assumptions:
            try:
                allowed = allowed.intersect(condition(assumption, self.frame(self.start)))
            except NotAffine as error:
                raise not_affine(
                    error, "an assumption", assumption, self.program.parameters
                ) from None
        if allowed.is_empty():
            raise PolynbError(
                "no parameter values satisfy these assumptions",
                span=self.program.assumptions[-1].span,
                hint="weaker assumptions",
            )
        return allowed.params()

    # -- statements and loops ----------------------------------------------------------

    def sequence(self, body: tuple[syntax.Stmt, ...], place: Surroundings) -> Tree:
        children = [c for s in body for c in self.children(s, place)]
        if not children:
            return Leaf()
        if len(children) == 1:
            return children[0][1]
        return Sequence(tuple(Filter(dict.fromkeys(names), t) for names, t in children))

    def children(self, s: syntax.Stmt, place: Surroundings) -> Iter[tuple[list[str], Tree]]:
        """The parts of a sequence that a statement contributes: the names in it, and its tree."""
        first = len(self.statements)
        bound = isinstance(s, syntax.For)
        self.narrow += [Narrow(node, t, place.domain, bound) for node, t in s.narrow]
        match s:
            case syntax.Assign():
                self.assign(s, place)
                yield [self.statements[first].name], Leaf()
            case syntax.For():
                inner = self.enter(s, place)
                child = self.sequence(s.body, inner)
                inside = self.statements[first:]
                if inside:
                    yield [x.name for x in inside], _band(s, len(place.iterators), inside, child)
            case syntax.If():
                if self.changes_its_condition(s, place):
                    place, s, evaluated = self.evaluated_first(replace(s, narrow=()), place)
                    yield from self.children(evaluated, place)
                for place_, part in self.branches(s, place):
                    for x in part:
                        yield from self.children(x, place_)

    def enter(self, loop: syntax.For, place: Surroundings) -> Surroundings:
        """The place inside a loop: lower <= i <= upper, i = lower modulo the step."""
        if loop.iterator in place.iterators:
            raise PolynbError(f"the iterator {loop.iterator} is used twice", span=loop.span)
        domain = place.domain.add_dims(isl.SET, 1)
        domain = domain.set_dim_name(isl.SET, len(place.iterators), loop.iterator)
        inside = Surroundings((*place.iterators, loop.iterator), domain, place.guards)
        frame = self.frame(inside)
        i = frame.variable(isl.SET, loop.iterator).to_pw_aff()
        ends = (loop.lower, "lower"), (loop.upper, "upper")
        (least, below), (most, above) = reversed(ends) if loop.step < 0 else ends
        for e in operands(least, "max"):
            domain = domain.intersect(i.ge_set(self.bound(e, frame, below)))
        for e in operands(most, "min"):
            domain = domain.intersect(i.le_set(self.bound(e, frame, above)))
        if abs(loop.step) > 1:
            step = isl.Val(abs(loop.step))
            offset = i.sub(self.bound(loop.lower, frame, "lower")).mod_val(step)
            domain = domain.intersect(offset.eq_set(offset.sub(offset)))
        domain = isl.coalesced(domain)
        if loop.counter is not None:
            after = i.add_constant_val(isl.Val(loop.step))
            self.check_end(loop, loop.counter, domain, beyond(domain, after, loop.counter))
        self.ends += [Narrow(node, t, domain) for node, t in loop.after]
        return replace(inside, domain=domain)

    def check_end(
        self, loop: syntax.For, kind: ElementType, domain: isl.Set, endless: isl.Set
    ) -> None:
        """Parameter values for which the iterator steps beyond its type are not allowed: the loop
        would run for ever."""
        domain = domain.intersect_params(self.allowed)
        if domain.is_empty():
            return
        needed = self.without(endless.params())
        if domain.intersect_params(needed).is_empty():
            raise never_ends(loop, kind)
        self.needed, self.allowed = needed, self.allowed.intersect(needed)

    def without(self, values: isl.Set) -> isl.Set:
        """What is needed of the parameters, if they must not have some `{ : values }`."""
        needed = self.needed.intersect(self.typed).subtract(values)
        return isl.coalesced(needed.gist(self.typed))

    def bound(self, e: syntax.Expr, frame: AffineFrame, which: str) -> isl.PwAff:
        """The value of a bound. Parameter values for which C's conversions change it are not
        allowed: the loop would run for ever, or out of its arrays."""
        try:
            return affine(e, frame)
        except MayWrap as error:
            needed = self.without(error.wrap.where.params())
            assert frame.known is not None
            remaining = frame.known.intersect_params(needed)
            if remaining.is_empty():
                raise _wraps_around(error, f"the loop's {which} bound", e) from None
            self.needed, self.allowed = needed, self.allowed.intersect(needed)
            return self.bound(e, replace(frame, known=remaining), which)
        except NotAffine as error:
            what = f"the loop's {which} bound"
            raise not_affine(error, what, e, self.program.parameters) from None

    def branches(
        self, s: syntax.If, place: Surroundings
    ) -> Iter[tuple[Surroundings, tuple[syntax.Stmt, ...]]]:
        try:
            where = condition(s.condition, self.frame(place))
        except NotAffine:
            yield self.guarded(place, s.condition), s.then
            negated = syntax.Unary("!", s.condition, span=s.condition.span)
            yield replace(place, guards=(*place.guards, negated)), s.otherwise
            return
        yield replace(place, domain=isl.coalesced(place.domain.intersect(where))), s.then
        yield replace(place, domain=isl.coalesced(place.domain.subtract(where))), s.otherwise

    def changes_its_condition(self, s: syntax.If, place: Surroundings) -> bool:
        """Whether a data-dependent condition reads what its own branches write: then it must not
        be evaluated again for each of their statements."""
        try:
            condition(s.condition, self.frame(place))
        except NotAffine:
            read = syntax.arrays(s.condition)
            inside = syntax.statements((*s.then, *s.otherwise))
            return any(x.target.array in read for x in inside)
        return False

    def evaluated_first(
        self, s: syntax.If, place: Surroundings
    ) -> tuple[Surroundings, syntax.If, syntax.Assign]:
        """The `if` on a fresh temporary, and the assignment of its condition to it. Without an
        else, the affine part of the condition restricts the place of both."""
        test, span = s.condition, s.condition.span
        if not s.otherwise:
            inside = self.guarded(replace(place, guards=()), test)
            place, test = replace(inside, guards=place.guards), _conjunction(inside.guards)
        if not (isinstance(test, syntax.Binary) and test.op in TRUTH_VALUED):
            test = syntax.Binary("!=", test, syntax.Number(0, INT32), span=span)
        name = self.conditions.fresh("p")
        self.declarations.append(syntax.Declaration(name, role="temp", type=INT32))
        node = syntax.Access(name, span=span)
        return place, replace(s, condition=node), syntax.Assign(node, test, span=span)

    def guarded(self, place: Surroundings, test: syntax.Expr) -> Surroundings:
        """The affine part of a conjunction restricts the domain, the rest stays a guard."""
        for part in conjuncts(test):
            try:
                domain = place.domain.intersect(condition(part, self.frame(place)))
                place = replace(place, domain=isl.coalesced(domain))
            except NotAffine:
                place = replace(place, guards=(*place.guards, part))
        return place

    def assign(self, s: syntax.Assign, place: Surroundings) -> None:
        name = s.label or self.names.fresh("S")
        domain = isl.with_dim_names(place.domain.set_tuple_name(name), isl.SET, place.iterators)
        guard = _conjunction(place.guards) if place.guards else None
        known = self.frame(place).known
        if known is not None:
            known = known.set_tuple_name(name)
        frame = AffineFrame(domain.get_space(), known)
        value: syntax.Expr = s.value
        target: syntax.Expr = s.target
        if known is not None:
            value = floor_subscripts(value, frame, domain)
            target = floor_subscripts(target, frame, domain)
            guard = None if guard is None else floor_subscripts(guard, frame, domain)
        assert isinstance(target, syntax.Access)
        reads = tuple(memory_access(x, domain, frame) for x in read_nodes(value, target, guard))
        write = memory_access(target, domain, frame)
        if guard is not None:
            write = replace(write, must=False)
        self.statements.append(
            Statement(
                name=name,
                iterators=place.iterators,
                domain=domain,
                write=write,
                reads=reads,
                expression=value,
                schedule=isl.Map.from_domain(domain),
                origin=name,
                guard=guard,
                span=s.span,
            )
        )


def parameter_types(program: syntax.Program) -> dict[str, ElementType]:
    """What C declares its parameters to be; nothing of another language's."""
    return dict(zip(program.parameters, program.parameter_types, strict=False))


def _wraps_around(error: MayWrap, what: str, whole: syntax.Expr) -> PolynbError:
    """The error where unsigned arithmetic may leave what the model's integers say."""
    span: Span | None = error.span or whole.span
    text = span.text if span is not None else "this"
    return PolynbError(
        f"{what} wraps around: {text}",
        span=span,
        reason=error.why,
        hint="signed integers: `int i`, `(int) n`; or bounds that stay in the type's range",
    )


def _band(loop: syntax.For, depth: int, inside: list[Statement], child: Tree) -> Band:
    members = {}
    for s in inside:
        local = isl.LocalSpace.from_space(s.domain.get_space())
        i = isl.Aff.var_on_domain(local, isl.SET, depth)
        members[s.name] = isl.Map.from_aff(i.neg() if loop.step < 0 else i)
    return Band(members, child, loops=(Loop(loop.kind),))


def _conjunction(parts: tuple[syntax.Expr, ...]) -> syntax.Expr:
    result, *more = parts
    for x in more:
        result = syntax.Binary("&&", result, x, span=x.span)
    return result


def _used(program: syntax.Program) -> set[str]:
    """All names of a program: parameters, iterators, arrays, functions."""
    used = {*program.parameters, *(f.name for f in program.functions)}
    used |= {d.name for d in program.declarations}
    used |= {s.iterator for s in syntax.every(program.body) if isinstance(s, syntax.For)}
    return used | syntax.accessed(program.body)
