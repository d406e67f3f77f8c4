"""Subscripts without the floor divisions whose remainder is known where they stand.

Propagation may ask for the cell `2*floord(j, 2) + 1` in a statement that runs for even j only: that
is `j + 1`, which readers, compilers (a load with a stride instead of a gather) and the search for
recurrences understand.
"""

from __future__ import annotations

from dataclasses import replace

from polynb import isl
from polynb.scop.affine import AffineFrame, affine
from polynb.scop.model import MemoryAccess, Scop, Statement
from polynb.source.normal_form import Linear, affine_parts, expression_of, linear_form
from polynb.source.tree import Access, Binary, Expr, Let, rebuild, walk, with_children


@isl.guarded
def plain_remainders(scop: Scop) -> Scop:
    """The program with `floord` and `mod` of affine expressions replaced by what they are on the
    domain of their statement, where that is affine without them. Nothing else changes."""
    statements = tuple(_plain(s, scop.assumed) for s in scop.statements)
    if all(a is b for a, b in zip(statements, scop.statements, strict=True)):
        return scop
    return replace(scop, statements=statements, program=None)


def _plain(s: Statement, assumed: isl.Set) -> Statement:
    roots = [s.expression, s.write.node, *([] if s.guard is None else [s.guard])]
    divided = (
        isinstance(x, Binary) and x.op in ("floord", "mod") for root in roots for x in walk(root)
    )
    if not any(divided):
        return s
    known = _Known(isl.with_dim_names(s.domain, isl.SET, s.iterators).intersect_params(assumed))
    becomes: dict[int, Expr] = {}
    expression, target, *guard = (_rewritten(root, known, becomes) for root in roots)
    assert isinstance(target, Access)

    def moved(access: MemoryAccess) -> MemoryAccess:
        node = becomes.get(id(access.node), access.node)
        assert isinstance(node, Access)
        return access if node is access.node else replace(access, node=node)

    return replace(
        s,
        expression=expression,
        write=replace(s.write, node=target),
        reads=tuple(moved(r) for r in s.reads),
        guard=guard[0] if guard else None,
    )


def _rewritten(root: Expr, known: _Known, becomes: dict[int, Expr]) -> Expr:
    """The expression; `becomes` gets what each of its nodes has become."""
    affine_nodes = affine_parts(root)

    def visit(node: Expr, parts: tuple[Expr, ...]) -> Expr:
        if id(node) not in becomes:
            linear = linear_form(node) if id(node) in affine_nodes else None
            plain = known.without_divisions(linear) if linear is not None else None
            if plain is None or isinstance(node, Let):
                becomes[id(node)] = with_children(node, parts)
            else:
                becomes[id(node)] = expression_of(plain)
        return becomes[id(node)]

    return rebuild(root, visit)


class _Known:
    """What is known on a domain `{ S[i] }` with named dimensions."""

    def __init__(self, domain: isl.Set) -> None:
        self.domain = domain
        self.frame = AffineFrame(domain.get_space())
        self._remainders: dict[object, int | None] = {}

    def without_divisions(self, linear: Linear) -> Linear | None:
        """The linear form with fewer atoms; None if none of them can go."""
        found = linear
        for key, (c, atom) in linear.terms.items():
            if key[0] not in ("floord", "mod") or not isinstance(atom, Binary):
                continue
            inner, d = linear_form(atom.left), key[3]
            if inner is None or not isinstance(d, int) or (key[0] == "floord" and c % d):
                continue
            r = self.remainder(key, atom.left, d)
            if r is None:
                continue
            value = Linear({}, c * r, True)
            if key[0] == "floord":  # c*floord(a, d) = c/d * (a - r)
                value = inner.plus(Linear({}, -r, True)).times(c // d)
            found = found.plus(Linear({key: (c, atom)}, 0, True), -1).plus(value)
        return None if found is linear else found

    def remainder(self, key: tuple[object, ...], e: Expr, d: int) -> int | None:
        """The remainder that an affine expression has for all instances, None if there are
        several."""
        of = key[1:]
        if of not in self._remainders:
            value = isl.Map.from_pw_aff(affine(e, self.frame).mod_val(isl.Val(d)))
            values = value.intersect_domain(self.domain).range()
            least, most = values.dim_min_val(0), values.dim_max_val(0)
            same = least.is_int() and least.eq(most)
            self._remainders[of] = int(least.to_python()) if same else None
        return self._remainders[of]
