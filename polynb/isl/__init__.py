"""The only door to isl: its types, wrapped errors, ordered iteration; budgets (`isl/budgets.py`).

Everything else in polynb takes isl's classes from here. Three facts about isl shape this file:
its operations can blow up (so long work runs under a `budget`), the order in which it visits
the maps of a union is arbitrary (so `maps` and `sets` sort), and its error messages name its
own C files (so `guarded` replaces them).
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ParamSpec, TypeVar

from islpy import (
    Aff as Aff,
    AstBuild as AstBuild,
    AstExpr as AstExpr,
    AstNode as AstNode,
    BasicMap as BasicMap,
    BasicSet as BasicSet,
    Constraint as Constraint,
    Id as Id,
    LocalSpace as LocalSpace,
    Map as Map,
    Mat as Mat,
    MultiAff as MultiAff,
    MultiPwAff as MultiPwAff,
    MultiUnionPwAff as MultiUnionPwAff,
    MultiVal as MultiVal,
    Point as Point,
    PwAff as PwAff,
    PwMultiAff as PwMultiAff,
    Schedule as Schedule,
    ScheduleConstraints as ScheduleConstraints,
    ScheduleNode as ScheduleNode,
    Set as Set,
    Space as Space,
    UnionMap as UnionMap,
    UnionPwAff as UnionPwAff,
    UnionSet as UnionSet,
    UnionSetList as UnionSetList,
    Val as Val,
    ast_expr_op_type as ast_expr_op_type,
    ast_expr_type as ast_expr_type,
    ast_loop_type as ast_loop_type,
    ast_node_type as ast_node_type,
    dim_type as dim_type,
    schedule_node_type as schedule_node_type,
)

from polynb.conveniences import below
from polynb.errors import Source, refuse_halves
from polynb.isl import retry
from polynb.isl.budgets import (
    CONTEXT as CONTEXT,
    BudgetExhausted as BudgetExhausted,
    IslError as IslError,
    bounded as bounded,
    bounded_steps as bounded_steps,
    budget as budget,
    check_time as check_time,
    keeps_time as keeps_time,
    time_left as time_left,
    wrapped as wrapped,
)
from polynb.isl.callbacks import (
    pieces as pieces,
    postponed as postponed,
    uninterrupted as uninterrupted,
)
from polynb.isl.merging import coalesced as coalesced

P = ParamSpec("P")
R = TypeVar("R")
K = TypeVar("K")
U = TypeVar("U", Set, Map)
UnionLike = str | Set | Map | BasicSet | BasicMap | UnionSet | UnionMap
"""isl text, or an object that is or converts to a union."""

IN, OUT, PARAM, SET = dim_type.in_, dim_type.out, dim_type.param, dim_type.set


# -- errors and options -----------------------------------------------------------------


def guarded(function: Callable[P, R]) -> Callable[P, R]:
    """A function without effects, whose isl failures come out as `IslError`s; those of isl's own
    are tried again in other ways."""

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        with wrapped():
            return function(*args, **kwargs)

    return retry.retrying(call, options)


@contextmanager
def options(values: Mapping[str, int]) -> Iterator[None]:
    """Set isl's options inside the block, `{"schedule_whole_component": 1}`; they are restored."""
    before = {name: getattr(CONTEXT, f"get_{name}")() for name in values}
    try:
        for name in values:
            getattr(CONTEXT, f"set_{name}")(values[name])
        yield
    finally:
        for name in before:
            getattr(CONTEXT, f"set_{name}")(before[name])


# -- ordered iteration -----------------------------------------------------------------


def maps(union: UnionMap) -> list[Map]:
    """The maps of a union, ordered by tuple names, then text."""
    found = union.get_map_list()
    each = (found.get_at(k) for k in range(found.n_map()))
    return sorted(each, key=lambda m: (tuple_name(m, IN), tuple_name(m, OUT), str(m)))


def sets(union: UnionSet) -> list[Set]:
    """The sets of a union, ordered by tuple name, then text."""
    found = union.get_set_list()
    each = (found.get_at(k) for k in range(found.n_set()))
    return sorted(each, key=lambda s: (tuple_name(s, SET), str(s)))


def basic_sets(s: Set) -> list[BasicSet]:
    """The disjuncts of a set, ordered by text."""
    found = s.get_basic_set_list()
    return sorted((found.get_at(k) for k in range(found.n_basic_set())), key=str)


def basic_maps(m: Map) -> list[BasicMap]:
    """The disjuncts of a map, ordered by text."""
    found = m.get_basic_map_list()
    return sorted((found.get_at(k) for k in range(found.n_basic_map())), key=str)


def constraints(basic: BasicSet | BasicMap) -> list[Constraint]:
    """The constraints of a basic set or map, in isl's order."""
    found = basic.get_constraint_list()
    return [found.get_at(k) for k in range(found.n_constraint())]


def tuple_name(x: Any, kind: dim_type) -> str:
    """The name of a tuple of a set or map, "" if it has none (or is a wrapped relation)."""
    space = x.get_space()
    return str(space.get_tuple_name(kind)) if space.has_tuple_name(kind) else ""


def dim_names(x: Any, kind: dim_type) -> tuple[str, ...]:
    """The names of the dimensions of one kind ("" for a nameless one)."""
    return tuple(x.get_dim_name(kind, k) or "" for k in range(x.dim(kind)))


def used_parameters(union: UnionSet | UnionMap) -> tuple[str, ...]:
    """The parameters that a union depends on, of those that its text names."""
    found: dict[str, None] = {}
    for piece in maps(union) if isinstance(union, UnionMap) else sets(union):
        names = dim_names(piece, PARAM)
        found |= {n: None for k, n in enumerate(names) if piece.involves_dims(PARAM, k, 1)}
    return tuple(found)


# -- builders --------------------------------------------------------------------------


def read_set(text: str) -> Set:
    """A set in isl's notation, `[N] -> { S[i] : 0 <= i <= N }`. As all four readers, it raises
    PolynbError, with a caret where the text is wrong."""
    return _read(Set, "set", text)


def read_map(text: str) -> Map:
    """A map in isl's notation, `{ S[i] -> A[i + 1] }`."""
    return _read(Map, "map", text)


def read_union_set(text: str) -> UnionSet:
    """A union of sets in isl's notation, `{ S[i] : i > 0; T[i, j] : i = j }`."""
    return _read(UnionSet, "set", text)


def read_union_map(text: str) -> UnionMap:
    """A union of maps in isl's notation, `{ S[i] -> A[i]; T[i, j] -> A[j] }`."""
    return _read(UnionMap, "map", text)


@guarded
def _parsed(kind: Callable[[str], R], text: str) -> R:
    return kind(text)


def _read(kind: Callable[[str], R], name: str, text: str) -> R:
    refuse_halves(Source(text, name))
    try:
        found = _parsed(kind, text)
        if not overlooks(text):
            return found
    except BudgetExhausted:
        raise
    except IslError:
        pass
    # isl only says that there is a mistake, if it says anything.
    found = below("misread")(name, text, kind)
    return found


def overlooks(text: str) -> bool:
    """Whether isl reads a wrong text without a word: it passes over what is behind the brace, and
    `[i; 1]` is `[i + 1]` to it."""
    return text.find("}") != len(text.rstrip()) - 1 or re.search(r"\[[^]]*;", text) is not None


def set_space(parameters: Iterable[str], name: str | None, dims: Iterable[str]) -> Space:
    """The space `[parameters] -> { name[dims] }` with named dimensions."""
    parameters, dims = list(parameters), list(dims)
    space = Space.set_alloc(CONTEXT, len(parameters), len(dims))
    for k, p in enumerate(parameters):
        space = space.set_dim_name(PARAM, k, p)
    for k, d in enumerate(dims):
        space = space.set_dim_name(SET, k, d)
    return space if name is None else space.set_tuple_name(SET, name)


def param_space(parameters: Iterable[str]) -> Space:
    """The space of the parameters alone, `[parameters] -> { : }`."""
    parameters = list(parameters)
    space = Space.params_alloc(CONTEXT, len(parameters))
    for k, p in enumerate(parameters):
        space = space.set_dim_name(PARAM, k, p)
    return space


def union_map(parts: Iterable[Map | UnionMap]) -> UnionMap:
    """The union of maps of any spaces; `{ }` of none."""
    whole: UnionMap = _in_pairs([UnionMap.empty(param_space(())), *map(as_union, parts)])
    return whole


def union_set(parts: Iterable[Set | UnionSet]) -> UnionSet:
    """The union of sets of any spaces; `{ }` of none."""
    whole: UnionSet = _in_pairs([UnionSet.empty(param_space(())), *map(as_union, parts)])
    return whole


def united(parts: Iterable[U], space: Space | None = None) -> U:
    """The union of sets, or of maps, of one space; of none, the empty one of `space`."""
    every: Iterable[Any] = parts
    if space is not None:
        every = itertools.chain([Map.empty(space) if space.is_map() else Set.empty(space)], parts)
    whole: U = _in_pairs(list(every))
    return whole


def _in_pairs(parts: list[Any]) -> Any:
    """The union of all, of neighbours first: each union copies what it is made of."""
    while len(parts) > 1:
        joined = [one.union(other) for one, other in zip(parts[::2], parts[1::2], strict=False)]
        parts = [*joined, *parts[2 * len(joined) :]]
    return parts[0]


def united_by(parts: Iterable[tuple[K, U]]) -> dict[K, U]:
    """For each key, the union of what comes with it."""
    found: dict[K, list[U]] = {}
    for key, part in parts:
        found.setdefault(key, []).append(part)
    return {key: _in_pairs(own) for key, own in found.items()}


def as_union(x: Any) -> Any:
    """A set, map or basic one as a union; unions as they are."""
    if isinstance(x, BasicSet | BasicMap):
        x = x.to_set() if isinstance(x, BasicSet) else x.to_map()
    if isinstance(x, Set):
        return x.to_union_set()
    return x.to_union_map() if isinstance(x, Map) else x


def rename(x: U, kind: dim_type, name: str) -> U:
    """The same set or map with another tuple name; dimension names are kept."""
    names = dim_names(x, kind)
    x = x.set_tuple_name(name) if isinstance(x, Set) else x.set_tuple_name(kind, name)
    return with_dim_names(x, kind, names)


def with_dim_names(x: U, kind: dim_type, names: Iterable[str]) -> U:
    """The same set or map with its dimensions named."""
    for k, n in enumerate(names):
        if n:
            x = x.set_dim_name(kind, k, n)
    return x


def one_piece(f: PwAff) -> PwAff:
    """The same function written with one formula, if one of its own holds on its whole domain."""
    for _, formula in pieces(f) if f.n_piece() > 1 else []:
        alone = formula.to_pw_aff()
        if alone.intersect_domain(f.domain()).is_equal(f):
            return alone
    return f


def ast_build(context: Set, iterators: Iterable[str] = ()) -> AstBuild:
    """A builder of syntax trees under a context, with names for its loop iterators; it writes
    `min` and `max` where it can."""
    CONTEXT.set_ast_build_detect_min_max(1)
    build = AstBuild.from_context(context)
    ids = [Id(name) for name in iterators]
    if not ids:
        return build
    names = ids[0].to_list()
    for i in ids[1:]:
        names = names.add(i)
    return build.set_iterators(names)


# -- points ----------------------------------------------------------------------------


def fix_parameters(x: Any, values: Mapping[str, int]) -> Any:
    """A set or map with parameters set to numbers (names it does not have are ignored)."""
    for k, name in enumerate(dim_names(x, PARAM)):
        if name in values:
            x = x.fix_val(PARAM, k, Val(values[name]))
    return x


def points(s: Set, values: Mapping[str, int] | None = None) -> list[tuple[int, ...]]:
    """All integer points of a set at parameter values, in lexicographic order.

    Raises IslError if the set is unbounded there.
    """
    s = fix_parameters(s, values or {}).project_out(PARAM, 0, s.dim(PARAM))
    found: list[Point] = []
    with wrapped():
        if not s.is_bounded():
            raise IslError("a set without bounds cannot be enumerated")
        s.foreach_point(found.append)  # which is not of Python, and so not interrupted
    dims = range(s.dim(SET))
    return sorted(tuple(p.get_coordinate_val(SET, k).to_python() for k in dims) for p in found)


def pairs(m: Map, values: Mapping[str, int] | None = None) -> list[tuple[tuple[int, ...], ...]]:
    """All (source, target) integer points of a map at parameter values, in order."""
    n = m.dim(IN)
    return [(p[:n], p[n:]) for p in points(m.wrap().flatten(), values)]


@guarded
def witness(s: Set) -> tuple[dict[str, int], tuple[int, ...]] | None:
    """A small member: parameter values (small and not negative where possible) and a point.

    None if the set is empty.
    """
    if s.is_empty():
        return None
    names, n = dim_names(s, PARAM), s.dim(SET)
    flat = s.move_dims(SET, 0, PARAM, 0, len(names)) if names else s
    for k in range(flat.dim(SET)):
        above = flat.lower_bound_val(SET, k, Val(0))
        flat = above if not above.is_empty() else flat
    for k in range(flat.dim(SET)):
        if flat.dim_is_bounded(SET, k) or flat.dim_has_lower_bound(SET, k):
            lowest = flat.dim_min_val(k)
            # The bound is not reached where existential variables leave holes.
            fixed = flat.fix_val(SET, k, lowest) if lowest.is_int() else flat
            flat = flat if fixed.is_empty() else fixed
    point = flat.sample_point()
    values = [point.get_coordinate_val(SET, k).to_python() for k in range(flat.dim(SET))]
    return dict(zip(names, values, strict=False)), tuple(values[len(names) : len(names) + n])


@guarded
def first_point(s: Set, values: Mapping[str, int]) -> tuple[int, ...] | None:
    """The lexicographically smallest point at parameter values, found dimension by dimension
    (isl's lexmin fails on some sets). None if there is none, or no smallest one."""
    s = fix_parameters(s, values)
    found: list[int] = []
    for k in range(s.dim(SET)):
        if s.is_empty() or not (smallest := s.dim_min_val(k)).is_int():
            return None
        found.append(smallest.to_python())
        s = s.fix_val(SET, k, smallest)
    return None if s.is_empty() else tuple(found)


def witness_pair(m: Map) -> tuple[dict[str, int], tuple[int, ...], tuple[int, ...]] | None:
    """A small (source, target) pair of a map, and the parameter values it exists for."""
    found = witness(m.wrap().flatten())
    if found is None:
        return None
    return found[0], found[1][: m.dim(IN)], found[1][m.dim(IN) :]
