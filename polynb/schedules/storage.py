"""Arrays that live in other memory: a window of a few rows, a scalar, cells of another array."""

from __future__ import annotations

from dataclasses import replace

from polynb import isl
from polynb.arguments import one_of
from polynb.dependences.storage import memories
from polynb.derivation import Derivation, as_scop
from polynb.errors import PolynbError
from polynb.legality.checking import check_storage
from polynb.legality.private import private_to
from polynb.scop.arrays import surely_inside
from polynb.scop.extents import inferred_extents
from polynb.scop.isl_text import check_tuples, union_map
from polynb.scop.model import Array, Scop
from polynb.scop.schedule import Band, Loop, Mark, Private, Tree, transform
from polynb.scop.storage import cells, in_memory, memory_of, touching


@isl.bounded("the check of a storage map")
def with_storage(program: Scop | Derivation, array: str, storage: isl.Map | str) -> Scop:
    """The program with a temporary in other memory, `{ t[i] -> w[i mod 3] }`.

    `storage` is a map from cells of `array` to cells of `w` (an islpy map or isl text), a new
    temporary or an array of the same element type that the program has; many cells of `t` may share
    one of `w`, and several arrays may live in it. Values do not change: no live range of a value in
    a cell may hold a write of another one, in the program's order. What the schedule says of its
    loops (permutable, coincident, parallel or in vectors) and private marks of both arrays were
    found for other memory and are forgotten; `permutable_bands`, `privatize` and `choose_loops`
    find what still holds. Raises PolynbError, with the instances, where values would be
    overwritten, and for arrays that are no temporaries of the program's own.
    """
    scop = as_scop(program)
    one_of("array", array, scop.arrays)
    relation = _storage_map(scop, array, storage)
    memory = isl.tuple_name(relation, isl.OUT)
    _check_memory(scop, array, memory, relation)
    arrays = {**scop.arrays, array: replace(scop.arrays[array], storage=relation)}
    tree = _without_claims(scop.schedule, {array, memory})
    moved = replace(scop, arrays=arrays, schedule=tree, program=None)
    if memory not in scop.arrays or (memory in memories(scop) and not touching(scop, memory)):
        moved = _with_memory(moved, memory, relation.dim(isl.OUT))
    _check_inside(moved, array, relation)
    verdict = check_storage(moved)
    if not verdict:
        raise PolynbError(
            f"{array} cannot live in {memory} like that",
            reason=str(verdict.conflicts[0]),
            hint="a map that keeps values apart as long as they are needed, or another schedule",
        )
    return moved


def _with_memory(scop: Scop, memory: str, dimensions: int) -> Scop:
    """The program with an array that is nothing but memory, as large as what lives in it needs."""
    inside = [n for n, a in scop.arrays.items() if a.storage is not None and memory_of(a) == memory]
    element, why = scop.arrays[inside[0]].type, f"memory of {', '.join(inside)}"
    made = Array(memory, element, (None,) * dimensions, "temp", why=why)
    scop = replace(scop, arrays={**scop.arrays, memory: made})
    used = [a for _, a in touching(in_memory(scop), memory)]
    made = replace(made, extents=inferred_extents(used, scop.assumed, own=True))
    return replace(scop, arrays={**scop.arrays, memory: made})


def _storage_map(scop: Scop, array: str, given: object) -> isl.Map:
    """`{ A[x] -> M[y] }` as a function of all cells that the program touches."""
    example = f"{{ {array}[i] -> w[i mod 3] }}"
    union = union_map("storage", given, example)
    dims = scop.arrays[array].dimensions
    check_tuples("storage", given, union, {array: dims}, what="array")
    maps = isl.maps(union)
    if len(maps) != 1 or not isl.tuple_name(maps[0], isl.OUT):
        raise PolynbError("the storage must be one map, to a named array", hint=example)
    unknown = set(isl.dim_names(maps[0], isl.PARAM)) - set(scop.parameters)
    if unknown:
        raise PolynbError(f"the storage names unknown parameters: {', '.join(sorted(unknown))}")
    relation = maps[0].align_params(scop.assumed.get_space())
    if not relation.is_single_valued():
        raise PolynbError("the storage gives a cell several places", hint=example)
    for s, a in touching(scop, array):
        touched = a.relation.intersect_params(scop.assumed)
        if not touched.is_single_valued():
            raise PolynbError(
                f"{array} cannot live in other memory",
                reason=f"data decides which of its cells {s.name} accesses",
            )
        missing = touched.range().subtract(relation.domain())
        at = isl.witness(missing)
        if at is not None:
            cell = "".join(f"[{x}]" for x in at[1])
            raise PolynbError(
                f"the storage leaves out {array}{cell}, which {s.name} accesses",
                hint="a cell for every one that the program touches",
            )
    return relation


def _check_memory(scop: Scop, array: str, memory: str, relation: isl.Map) -> None:
    """Raises PolynbError unless an array can live there."""
    name = f"{array} cannot live in {memory}"
    if memory == array:
        raise PolynbError(f"{array} lives in its own memory already", hint="another name")
    if any(a.storage is not None and memory == n for n, a in scop.arrays.items()):
        raise PolynbError(name, reason=f"{memory} lives in other memory itself")
    if array in memories(scop):
        raise PolynbError(name, reason=f"{array} is the memory of other arrays")
    taken = {*scop.parameters, *(f.name for f in scop.functions)}
    if memory in taken:
        raise PolynbError(name, reason=f"{memory} is no array", hint="another name")
    there = scop.arrays.get(memory)
    if there is None:
        return
    if there.role == "input":
        raise PolynbError(name, reason=f"{memory} is an input, which is never written")
    if there.type != scop.arrays[array].type:
        kinds = f"{scop.arrays[array].type} and {there.type}"
        raise PolynbError(name, reason=f"their element types differ: {kinds}")
    if there.dimensions != relation.dim(isl.OUT):
        raise PolynbError(name, reason=f"{memory} has {there.dimensions} dimensions")


def _check_inside(scop: Scop, array: str, relation: isl.Map) -> None:
    memory = scop.arrays[isl.tuple_name(relation, isl.OUT)]
    for s, a in touching(scop, array):
        moved = replace(a, array=memory.name, relation=cells(a, relation))
        if not surely_inside(moved, memory, scop.assumed):
            raise PolynbError(
                f"{s.name} would access {memory.name} out of its bounds",
                reason=f"{moved.relation.range()}",
                hint="cells from 0 on, within the extents of the memory",
            )


def _without_claims(tree: Tree, arrays: set[str]) -> Tree:
    """The tree without what was found for the memory that there was before."""

    def change(node: Tree) -> Tree:
        match node:
            case Band(loops=loops):
                kept = tuple(Loop("unroll" if x.kind == "unroll" else "sequential", width=x.width,
                                  name=x.name) for x in loops)  # fmt: skip
                return replace(node, permutable=False, loops=kept)
            case Mark(child=c) if set(private_to(node)) & arrays:
                left = tuple(n for n in private_to(node) if n not in arrays)
                return Mark(Private(left), c) if left else c
        return node

    return transform(tree, change)
