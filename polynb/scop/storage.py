"""Where arrays live: a program over the memory that its storage maps name.

The values of a program flow through its arrays; an array may live in the cells of another one, its
memory, `{ A[x] -> M[y] }`: a window of a few rows, a scalar, or cells that something else uses at
other times. What is executed, printed and compiled is the program over the memory, an ordinary one.
"""

from __future__ import annotations

from dataclasses import replace

from polynb import isl
from polynb.scop.access import with_relations
from polynb.scop.affine_from_isl import expression
from polynb.scop.model import Array, MemoryAccess, Scop, Statement
from polynb.source.scoplang.printer import print_expression


def memory_of(array: Array) -> str:
    """The name of the array in which an array lives."""
    return array.name if array.storage is None else isl.tuple_name(array.storage, isl.OUT)


@isl.guarded
def in_memory(scop: Scop) -> Scop:
    """The program over its memory: `{ S[i] -> A[x] }` becomes `{ S[i] -> M[y] }`, in relations and
    nodes, and only the arrays are left that are memory. The same object if every array is.

    It computes the same values as long as no two live ranges overlap in a cell of M (`check`).
    Raises PolynbError where data decides which cell of an array in other memory is accessed.
    """
    moved = {n: a.storage for n, a in scop.arrays.items() if a.storage is not None}
    if not moved:
        return scop
    statements = []
    for s in scop.statements:
        relations = {
            id(a): cells(a, storage)
            for a in s.accesses
            if (storage := moved.get(a.array)) is not None
        }
        statements.append(with_relations(s, relations, scop.assumed) if relations else s)
    arrays = {n: a for n, a in scop.arrays.items() if n not in moved}
    return replace(scop, statements=tuple(statements), arrays=arrays, program=None)


def cells(access: MemoryAccess, storage: isl.Map) -> isl.Map:
    """`{ S[i] -> M[y] }`, the memory that an access touches."""
    return access.relation.apply_range(storage)


@isl.guarded
def storage_text(array: Array) -> str:
    """`t[i] lives in w[mod(i, 3)]`; "" for an array that has its own memory."""
    if array.storage is None:
        return ""
    names = [n or f"i{k}" for k, n in enumerate(isl.dim_names(array.storage, isl.IN))]
    functions = array.storage.as_pw_multi_aff()
    subscripts = [
        print_expression(expression(isl.one_piece(isl.coalesced(functions.get_at(k))), names))
        for k in range(array.storage.dim(isl.OUT))
    ]
    cell, place = ("".join(f"[{x}]" for x in part) for part in (names, subscripts))
    return f"{array.name}{cell} lives in {memory_of(array)}{place}"


def touching(scop: Scop, array: str) -> list[tuple[Statement, MemoryAccess]]:
    """The statements that access an array, with each of these accesses."""
    return [(s, a) for s in scop.statements for a in s.accesses if a.array == array]
