"""Algorithm 1: the propagation expression, by rewriting the iterators of the source expression."""

from __future__ import annotations

from collections.abc import Mapping

from polynb import isl
from polynb.arguments import instance, named, one_of
from polynb.scop.affine_from_isl import expression
from polynb.source.normal_form import normal_form
from polynb.source.tree import Expr, Iterator, Node, rebuild, with_children


def rewrite(e: Expr, iterators: Mapping[str, Expr]) -> Expr:
    """REWRITE (CC'18, Algorithm 1): constants and parameters stay, iterators become the given
    expressions over the target's iterators, accesses and operations are rewritten recursively.

    Shared subexpressions are rewritten once and stay shared; spans are kept. (Propagation does
    this in a `Pool`, which remembers what it has rewritten before.)
    """

    instance("e", e, Node, "the expression of a statement")
    iterators = named("iterators", iterators, what="iterator")

    def visit(node: Expr, new: tuple[Expr, ...]) -> Expr:
        if isinstance(node, Iterator):
            one_of("iterators", node.name, iterators, "expression for iterator")
            instance(node.name, iterators[node.name], Node, "an expression")
            found: Expr = iterators[node.name]
            return found
        return with_children(node, new)

    return normal_form(rebuild(e, visit))


def rewritten_iterators(
    dependence: isl.Map, source: tuple[str, ...], target: tuple[str, ...], known: isl.Set
) -> dict[str, Expr]:
    """Equation (3): what each iterator of the source is, at the target.

    `dependence` is `{ S[i] -> T[j] }`; `known` is `{ T[j] }`, the instances in question, on which
    every j has one i. Where equations alone determine i (Figure 5: i = j, not 2 * floord(j, 2)),
    they are used.
    """
    here = dependence.intersect_range(known)
    inverse = here.affine_hull().to_map().reverse()
    if not inverse.is_single_valued():
        inverse = here.reverse()
    functions = inverse.as_pw_multi_aff()
    if not here.reverse().is_subset(isl.Map.from_pw_multi_aff(functions)):
        raise isl.IslError("the integer-set library gave a wrong function for a dependence")
    found = {}
    for k, name in enumerate(source):
        function = isl.one_piece(isl.coalesced(functions.get_at(k)))
        found[name] = expression(function, target, known)
    return found
