"""The expressions of a program under propagation, in which equal ones are one node.

A stage of a pipeline is propagated into the next one in shifted copies, f(i - 1), f(i), f(i + 1),
which have almost everything in common. A pool remembers what each node became under each
substitution, and what it is a shifted copy of itself (f(i - 1) shifted by 2 is f(i + 1)), so that
a copy costs no more than the nodes in it that are new. A pass makes one pool of its program and
hands it on from step to step.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from polynb import isl
from polynb.scop.access import memory_access
from polynb.scop.affine import AffineFrame
from polynb.scop.model import Array, MemoryAccess, Scop
from polynb.source.normal_form import Linear, linear_of, normal_form, normalised
from polynb.source.tree import Access, Cast, Expr, Iterator, children, own, rebuild, with_children
from polynb.source.type_inference import Types

_Shift = tuple[tuple[str, int], ...]  # what is added to which iterators


class Pool:
    """Expressions over the arrays of a program. Of equal ones, the first is kept, with its span.

    All is remembered by identity: the pool keeps every expression alive that it has seen.
    """

    def __init__(self, scop: Scop) -> None:
        self._parameters = scop.parameters
        self._types = Types({n: a.type for n, a in scop.arrays.items()}, scop.functions)
        self._nodes: dict[tuple[Any, ...], Expr] = {}
        self._linear: dict[int, Linear | None] = {}
        self._unique: dict[int, Expr] = {}
        self._seen: list[Expr] = []
        self._rewritten: dict[tuple[tuple[str, int], ...], dict[int, Expr]] = {}
        self._copies: dict[_Shift, dict[int, Expr]] = {}
        self._origins: dict[int, tuple[Expr, _Shift]] = {}
        self._accesses: dict[tuple[int, tuple[str, ...]], MemoryAccess] = {}
        self._columns: dict[tuple[str, ...], dict[int, isl.Map | None]] = {}

    def __len__(self) -> int:
        """The number of different expressions in it."""
        return len(self._nodes)

    def unique(self, e: Expr) -> Expr:
        """The one node for the expression and all equal ones."""
        return rebuild(e, self._admit, self._unique)

    def rewritten(self, e: Expr, iterators: Mapping[str, Expr]) -> Expr:
        """The expression with its iterators replaced, in normal form."""
        values = {
            name: self.unique(normal_form(value))
            for name, value in iterators.items()
            if not (isinstance(value, Iterator) and value.name == name)
        }
        shift = self._shift(values)
        if shift is not None:
            return self._shifted(self.unique(e), shift, values)
        key = tuple(sorted((name, id(value)) for name, value in values.items()))
        done = self._rewritten.setdefault(key, {})
        return rebuild(self.unique(e), lambda node, new: self._with(node, new, values), done)

    def _shifted(self, e: Expr, shift: _Shift, values: Mapping[str, Expr]) -> Expr:
        """As `rewritten`, of the copies of each node that there are."""
        done: dict[int, Expr] = {}
        stack = [e]
        while stack:
            node = stack[-1]
            if id(node) not in done:
                origin, before = self._origins.get(id(node), (node, ()))
                copies = self._copies.setdefault(_sum(before, shift), {})
                if id(origin) not in copies:
                    inside = children(node)
                    todo = [c for c in inside if id(c) not in done]
                    if todo:
                        stack.extend(reversed(todo))
                        continue
                    new = self._with(node, tuple([done[id(c)] for c in inside]), values)
                    copies[id(origin)] = new
                    self._origins.setdefault(id(new), (origin, _sum(before, shift)))
                done[id(node)] = copies[id(origin)]
            stack.pop()
        return done[id(e)]

    def _with(self, node: Expr, new: tuple[Expr, ...], values: Mapping[str, Expr]) -> Expr:
        """A node over rewritten children."""
        if isinstance(node, Iterator):
            return values.get(node.name, node)
        linear = linear_of(node, self._forms(new))
        return self.unique(normalised(with_children(node, new), linear))

    def _shift(self, values: Mapping[str, Expr]) -> _Shift | None:
        """The substitution as a shift, None if it is none."""
        found = []
        for name, value in values.items():
            linear = self._linear[id(value)]
            if linear is None or [(k, c) for k, (c, _) in linear.terms.items()] != [
                (("i", name), 1)
            ]:
                return None
            found.append((name, linear.constant))
        return tuple(sorted(found))

    def with_reads(self, e: Expr, new: Mapping[int, Expr]) -> Expr:
        """The expression with accesses, by their identities, replaced."""

        def visit(node: Expr, parts: tuple[Expr, ...]) -> Expr:
            return new.get(id(node)) or with_children(node, parts)

        return self.unique(rebuild(e, visit))

    def stored(self, e: Expr, array: Array) -> Expr:
        """The expression with the conversion that storing it in the array does, if it is one."""
        same = self._types.of(e) == array.type
        return e if same else self.unique(Cast(array.type, e, span=e.span))

    def access(self, node: Access, name: str, domain: isl.Set) -> MemoryAccess:
        """What an access of the pool touches, `{ S[i] -> A[x] }`, on a part of a domain of the
        statement `name`."""
        key = id(node), isl.dim_names(domain, isl.SET)
        if key not in self._accesses:
            space = isl.set_space(self._parameters, None, key[1])
            frame = AffineFrame(space)
            columns = self._columns.setdefault(key[1], {})
            self._accesses[key] = memory_access(node, isl.Set.universe(space), frame, columns)
        known = self._accesses[key]
        relation = known.relation.set_tuple_name(isl.IN, name)
        return replace(known, relation=relation.intersect_domain(domain.set_tuple_name(name)))

    def _admit(self, e: Expr, parts: tuple[Expr, ...]) -> Expr:
        key = (type(e), own(e), *[id(p) for p in parts])
        found = self._nodes.get(key)
        if found is None:
            found = self._nodes[key] = with_children(e, parts)
            self._unique[id(found)] = found
            self._linear[id(found)] = linear_of(found, self._forms(parts))
        if found is not e:
            self._seen.append(e)
        return found

    def _forms(self, parts: tuple[Expr, ...]) -> tuple[Linear | None, ...]:
        return tuple([self._linear[id(p)] for p in parts])


def _sum(a: _Shift, b: _Shift) -> _Shift:
    total = dict(a)
    for name, by in b:
        total[name] = total.get(name, 0) + by
    return tuple(sorted((name, by) for name, by in total.items() if by))
