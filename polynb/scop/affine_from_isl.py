"""isl -> expressions: affine functions and conditions, written the way a person would."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from polynb import isl
from polynb.errors import PolynbError
from polynb.source.normal_form import (
    Key,
    Linear,
    conjuncts,
    expression_of,
    linear_form,
    normal_form,
)
from polynb.source.tree import (
    Binary,
    Call,
    Expr,
    Iterator,
    Number,
    Parameter,
    Select,
    Unary,
)
from polynb.source.types import INT32, INT64

__all__ = ["OWN", "condition", "conditions", "expression", "from_ast_expr", "normal_form"]

OWN = "@"
"""What names that isl is given begin with where they are ours; no program has such a name."""

# isl's operations by name; a pdiv divides something not negative, the result of a zdiv_r is only
# ever compared with 0, and a div is exact.
_BINARY = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "div": "floord",
    "fdiv_q": "floord",
    "pdiv_q": "floord",
    "pdiv_r": "mod",
    "zdiv_r": "mod",
    "and_": "&&",
    "and_then": "&&",
    "or_": "||",
    "or_else": "||",
}
_COMPARISONS = {"eq": "==", "le": "<=", "lt": "<", "ge": ">=", "gt": ">"}


@isl.guarded
def expression(
    aff: isl.PwAff | isl.Aff, names: Sequence[str], domain: isl.Set | None = None
) -> Expr:
    """`{ [i] -> [e] }` as an expression over `Iterator(names[k])` and parameters.

    `domain` (`{ [i] : ... }`, of any tuple name) is what is known where it is evaluated: pieces
    and divisions are simplified with it. Several pieces become min or max where they are one,
    else a selection. It is an int64, as iterators are: a constant becomes an int64 literal.
    """
    function = aff.to_pw_aff() if isinstance(aff, isl.Aff) else aff
    if not function.get_domain_space().is_params() and function.has_tuple_id(isl.IN):
        function = function.reset_tuple_id(isl.IN)
    known = function.domain() if domain is None else _unnamed(domain)
    function = isl.coalesced(function.gist(known))
    if function.isa_aff():
        plain = _plain(function.as_aff(), names)
        if plain is not None:
            return plain
    inner = _internal(names)
    build = isl.ast_build(_as_parameters(known, inner))
    function = _parameters_of_function(function, inner)
    return as_int64(from_ast_expr(build.expr_from_pw_aff(function), _environment(names, inner)))


def as_int64(e: Expr) -> Expr:
    """The same value with the type of iterators: literals, those that a selection chooses from
    too, become int64 ones."""
    match e:
        case Select(then=a, otherwise=b):
            return replace(e, then=as_int64(a), otherwise=as_int64(b))
        case Call(function="min" | "max", arguments=parts):
            return replace(e, arguments=tuple(as_int64(p) for p in parts))
    linear = linear_form(e)
    if linear is None or linear.terms or linear.wide:
        return e
    return expression_of(replace(linear, wide=True))


def _plain(aff: isl.Aff, names: Sequence[str]) -> Expr | None:
    """The expression of a function without divisions, None for any other."""
    if aff.dim(isl.dim_type.div) or not aff.get_denominator_val().is_one():
        return None
    terms: dict[Key, tuple[int, Expr]] = {}
    for kind, tag, names_, node in (
        (isl.IN, "i", names, Iterator),
        (isl.PARAM, "p", isl.dim_names(aff, isl.PARAM), Parameter),
    ):
        for k, name in enumerate(names_):
            c = aff.get_coefficient_val(kind, k).to_python()
            if c:
                terms[tag, name] = c, node(name)
    return expression_of(Linear(terms, aff.get_constant_val().to_python(), True))


@isl.guarded
def condition(where: isl.Set, names: Sequence[str] = (), context: isl.Set | None = None) -> Expr:
    """`{ [i] : ... }` as a condition, given what is known of the parameters; 1 if it always
    holds."""
    inner = _internal(names)
    known = isl.read_set("{ : }") if context is None else context.params()
    build = isl.ast_build(known)
    inside = _as_parameters(where, inner).gist(known)
    return from_ast_expr(build.expr_from_set(inside), _environment(names, inner))


def conditions(where: isl.Set, context: isl.Set | None = None) -> tuple[Expr, ...]:
    """The conjuncts of a condition on the parameters; none if it always holds."""
    parts = conjuncts(condition(where, (), context))
    return tuple(p for p in parts if not isinstance(p, Number) or p.value == 0)


# -- dimensions as parameters -------------------------------------------------------------


def _internal(names: Sequence[str]) -> list[str]:
    return [f"{OWN}{k}" for k in range(len(names))]


def _environment(names: Sequence[str], inner: Sequence[str]) -> dict[str, Expr]:
    return {k: Iterator(n) for k, n in zip(inner, names, strict=True)}


def _unnamed(domain: isl.Set) -> isl.Set:
    if domain.is_params() or not domain.has_tuple_name():
        return domain
    return domain.reset_tuple_id()


def _as_parameters(s: isl.Set, inner: Sequence[str]) -> isl.Set:
    if s.is_params():
        return s
    first = s.dim(isl.PARAM)
    s = s.move_dims(isl.PARAM, first, isl.SET, 0, s.dim(isl.SET))
    for k, name in enumerate(inner):
        s = s.set_dim_name(isl.PARAM, first + k, name)
    return s.params()


def _parameters_of_function(function: isl.PwAff, inner: Sequence[str]) -> isl.PwAff:
    first = function.dim(isl.PARAM)
    if not inner:
        of_parameters = function.get_domain_space().is_params()
        return function if of_parameters else function.project_domain_on_params()
    function = function.move_dims(isl.PARAM, first, isl.IN, 0, function.dim(isl.IN))
    for k, name in enumerate(inner):
        function = function.set_dim_id(isl.PARAM, first + k, isl.Id(name))
    return function.project_domain_on_params()


# -- isl's own expressions ----------------------------------------------------------------


def from_ast_expr(e: isl.AstExpr, names: Mapping[str, Expr]) -> Expr:
    """An expression of isl's syntax trees in normal form; ids without an entry in `names` are
    parameters. Comparisons get their iterators on the left: `i <= N - 1` for `N >= i + 1`. Raises
    PolynbError for a name of ours without an entry: isl makes bounds of loops, seldom, that have
    their own iterators in them."""
    match enum_name(e.get_type()):
        case "int":
            value = e.int_get_val().to_python()
            size = Number(abs(value), INT32 if abs(value) < 2**31 else INT64)
            return size if value >= 0 else Unary("-", size)
        case "id":
            name = e.id_get_id().get_name()
            if name not in names and name.startswith(OWN):
                raise PolynbError(
                    "isl found no code for this order",
                    reason="a loop is to begin, or to end, where its own iterator says",
                    hint="tiles of other sizes, or no tiles",
                )
            return names.get(name) or Parameter(name)
    return normal_form(_operation(e, names))


def _operation(e: isl.AstExpr, names: Mapping[str, Expr]) -> Expr:
    parts = [from_ast_expr(e.op_get_arg(k), names) for k in range(e.op_get_n_arg())]
    match enum_name(e.op_get_type()):
        case op if op in _BINARY:
            return Binary(_BINARY[op], *parts)
        case op if op in _COMPARISONS:
            return comparison(_COMPARISONS[op], *parts)
        case "minus":
            return Unary("-", parts[0])
        case "min" | "max" as op:
            result = parts[0]
            for p in parts[1:]:
                result = Call(op, (result, p))
            return result
        case "cond" | "select":
            return Select(*parts)
    raise PolynbError(f"an expression of isl's that has no form here: {e.to_C_str()}")


def enum_name(member: Any) -> str:
    """The name of a member of one of isl's enumerations (which its type stubs call ints)."""
    return str(member.name)


def comparison(op: str, left: Expr, right: Expr) -> Expr:
    """`left op right` with positive iterator terms on the left and the rest on the right."""
    match op, left, right:
        case "==", Binary(op="mod", left=x, right=Number() as d), Number(value=0):
            return _remainder(x, d)
    a, b = linear_form(left), linear_form(right)
    if a is None or b is None:
        return Binary(op, left, right)
    total = a.plus(b, -1)  # total op 0
    variable = {k for k in total.terms if k[0] != "p"} or set(total.terms)
    if variable and all(total.terms[k][0] < 0 for k in variable):
        total, op = total.times(-1), _MIRRORED[op]
    kept = {k: t for k, t in total.terms.items() if k in variable and t[0] > 0}
    moved = {k: (-c, atom) for k, (c, atom) in total.terms.items() if k not in kept}
    constant = -total.constant
    if moved and (op, constant) in _STRICT:
        op, constant = _STRICT[op, constant], 0
    lhs = Linear(kept, 0, bool(kept))
    rhs = Linear(moved, constant, bool(moved))
    return Binary(op, expression_of(lhs), expression_of(rhs))


def _remainder(a: Expr, d: Number) -> Expr:
    """`mod(a, d) == 0`, with a constant in a moved to the right: `mod(N, 4) == 1`."""
    linear, constant = linear_form(a), 0
    if linear is not None and linear.terms:
        a, constant = expression_of(replace(linear, constant=0)), linear.constant
    return Binary("==", Binary("mod", a, d), Number(-constant % int(d.value), INT32))


_MIRRORED = {"==": "==", "<=": ">=", ">=": "<=", "<": ">", ">": "<"}
_STRICT = {("<=", -1): "<", (">=", 1): ">", ("<", 1): "<=", (">", -1): ">="}
