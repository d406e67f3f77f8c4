"""Farkas's lemma: what a relation asks of the coefficients of a schedule (Feautrier 1992).

The distance of a pair `S[i] -> T[j]` is the value of T's schedule function at j less that of S's at
i. It is affine in i, j and the parameters, and not negative on a whole polyhedron if and only if it
is a nonnegative combination of the polyhedron's constraints. isl finds the conditions on the
coefficients of that affine function; here they become rows over the unknowns of an integer program.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from polynb import isl

Unknown = tuple[str, ...]
"""("x", S, k): the coefficient of iterator k in the function of S; ("n", S, N): of a parameter;
("0", S): its constant; ("m", N) and ("m",): the bound `m_N N + m_0` of the distances; ("e", k):
whether dependence k is carried."""


@dataclass(frozen=True, eq=False)
class ConstraintRow:
    """`sum of terms + constant >= 0` (or `= 0`), and where it comes from."""

    terms: Mapping[Unknown, int]
    constant: int = 0
    equality: bool = False
    because: str = field(default="", compare=False)

    @property
    def key(self) -> Hashable:
        return tuple(sorted(self.terms.items())), self.constant, self.equality

    def __str__(self) -> str:
        parts = [_term(c, u) for u, c in self.terms.items()]
        if self.constant or not parts:
            parts.append(f"{self.constant:+}")
        text = " ".join(parts).removeprefix("+")
        return f"{text} {'=' if self.equality else '>='} 0"


def _term(coefficient: int, u: Unknown) -> str:
    sign = "-" if coefficient < 0 else "+"
    number = "" if abs(coefficient) == 1 else f"{abs(coefficient)} "
    return f"{sign}{number}{_unknown_name(u)}"


def _unknown_name(u: Unknown) -> str:
    """`c(S1, i0)`, `m(N)`, `m(0)`"""
    match u:
        case ("m", n):
            return f"m({n})"
        case ("m",):
            return "m(0)"
        case ("x", s, k):
            return f"c({s}, i{k})"
        case ("n", s, n):
            return f"c({s}, {n})"
        case ("0", s):
            return f"c({s}, 0)"
    return "".join(u)


MULTIPLIERS: Final = 7
"""So many are eliminated in a millisecond. Each further one may square the number of conditions,
without an operation that isl would count: nine have taken from a tenth of a second to minutes."""


@dataclass(frozen=True, eq=False)
class Dual:
    """The conditions under which `a_0 + a_n n + a_i i + a_j j >= 0` on one polyhedron of pairs
    `S[i] -> T[j]`: each is the coefficients (a_0, a_n, a_i, a_j) of a row, and whether it is an
    equality."""

    source: str
    target: str
    parameters: tuple[str, ...]
    dims: tuple[int, int]
    rows: tuple[tuple[tuple[int, ...], bool], ...]

    def distance(
        self, sign: int, extra: Mapping[Unknown, int], because: str
    ) -> Iterator[ConstraintRow]:
        """The rows that say `sign * distance + extra >= 0` for all pairs; `extra` has the unknowns
        ("m", N), ("m",) and ("e", k), of which the latter two are constants."""
        n = len(self.parameters)
        for coefficients, equality in self.rows:
            constant, of_n = coefficients[0], coefficients[1 : 1 + n]
            of_i = coefficients[1 + n : 1 + n + self.dims[0]]
            of_j = coefficients[1 + n + self.dims[0] :]
            terms: dict[Unknown, int] = {}

            def add(u: Unknown, value: int, terms: dict[Unknown, int] = terms) -> None:
                terms[u] = terms.get(u, 0) + value

            add(("0", self.target), sign * constant)
            add(("0", self.source), -sign * constant)
            for p, c in zip(self.parameters, of_n, strict=True):
                add(("n", self.target, p), sign * c)
                add(("n", self.source, p), -sign * c)
                add(("m", p), extra.get(("m", p), 0) * c)
            for k, c in enumerate(of_i):
                add(("x", self.source, str(k)), -sign * c)
            for k, c in enumerate(of_j):
                add(("x", self.target, str(k)), sign * c)
            for u, value in extra.items():
                if u[0] == "e" or u == ("m",):
                    add(u, value * constant)
            left = {u: c for u, c in terms.items() if c}
            if left:
                yield ConstraintRow(left, 0, equality, because)


def duals(relation: isl.Map, parameters: tuple[str, ...]) -> list[Dual]:
    """One for each polyhedron of a relation `{ S[i] -> T[j] }`. Integer divisions are taken as
    further dimensions, of which the distance does not depend; where that makes too much of them,
    they are eliminated before, which may add pairs to the polyhedron."""
    source, target = isl.tuple_name(relation, isl.IN), isl.tuple_name(relation, isl.OUT)
    dims = relation.dim(isl.IN), relation.dim(isl.OUT)
    relation = relation.align_params(isl.param_space(parameters))
    pairs = relation.compute_divs().remove_redundancies().wrap()
    return [
        Dual(source, target, parameters, dims, tuple(_rows(b, len(parameters) + sum(dims))))
        for b in isl.basic_sets(pairs)
    ]


def _rows(pairs: isl.BasicSet, count: int) -> Iterator[tuple[tuple[int, ...], bool]]:
    if pairs.dim(isl.dim_type.div) and _eliminated(pairs) > MULTIPLIERS:
        pairs = pairs.remove_divs()
    cone = pairs.lift().flatten().coefficients()
    locals_ = cone.dim(isl.SET) - 1 - count
    for k in range(locals_):
        cone = cone.fix_val(isl.SET, 1 + count + k, isl.Val(0))
    if locals_:
        cone = cone.project_out(isl.SET, 1 + count, locals_)
    for c in isl.constraints(cone):
        values = (c.get_coefficient_val(isl.SET, k).to_python() for k in range(1 + count))
        yield tuple(values), bool(c.is_equality())


def _eliminated(pairs: isl.BasicSet) -> int:
    """How many of Farkas's multipliers isl eliminates: one for each inequality (those of integer
    divisions too), but for those that the equations of the dimensions determine."""
    lifted = pairs.lift().flatten()
    equalities = [c.is_equality() for c in isl.constraints(lifted)]
    return len(equalities) - lifted.dim(isl.SET)
