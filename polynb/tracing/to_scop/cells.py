"""Addresses -> cells of arrays: which block they lie in, and at which subscripts."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import gcd
from typing import Any

from polynb import isl
from polynb.errors import PolynbError
from polynb.folding import Folded
from polynb.tracing.equations import solution
from polynb.tracing.feedback.overapproximation import tuple_name
from polynb.tracing.model import Folding
from polynb.tracing.records import Block, Instruction
from polynb.tracing.to_scop.subscripts import Affine, Subscripts
from polynb.tracing.to_scop.written import span_of

Linear = tuple[tuple[int, ...], int]


@dataclass(frozen=True, eq=False)
class ArrayCells:
    """The cells of an array: `unit` bytes each from `block`'s address on; `strides[d]` is how many
    cells apart two neighbours of dimension d are, the last is 1."""

    name: str
    block: Block
    unit: int
    strides: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class CellAccess:
    """What an access touches, `{ I2[cj, ck] -> conn[k, j] }`; not `must`: some of these cells."""

    array: str
    relation: isl.Map
    must: bool


def refuse(i: Instruction, folding: Folding, reason: str, hint: str) -> PolynbError:
    where = f"{i.text} ({i.name}, line {i.line})"
    span = span_of(folding, i)
    return PolynbError(f"{where} cannot be modelled", span=span, reason=reason, hint=hint)


class TracedCells:
    """The arrays of a traced program, and the accesses to them."""

    def __init__(self, folding: Folding, accesses: Iterable[Instruction]) -> None:
        self.folding = folding
        self.subscripts = Subscripts(folding)
        self.accesses = list(accesses)
        self.block_of = {i.name: self._block(i) for i in self.accesses}
        self.names = self._names()
        self.arrays = {id(b): self._array(b) for b in self.block_of.values()}

    def access(self, i: Instruction) -> CellAccess:
        """What a load or store touches. Not affine: any cell of its block."""
        array = self.arrays[id(self.block_of[i.name])]
        folded = self.folding.executed[i.name]
        name = tuple_name(i.name)
        target = isl.set_space((), array.name, [f"a{k}" for k in range(len(array.strides))])
        found: isl.Map | None = None
        for piece in folded.pieces:
            domain = piece.domain(i.loops, name)
            if piece.is_affine:
                part = self._piece(i, piece.labels[0], array, domain, target)
            else:
                whole = self._whole(array, target)
                part = isl.Map.from_domain_and_range(domain, whole)
            found = part if found is None else found.union(part)
        assert found is not None, "an instruction that ran has pieces"
        return CellAccess(array.name, isl.coalesced(found), folded.is_affine)

    # -- blocks ------------------------------------------------------------------------------

    def _block(self, i: Instruction) -> Block:
        low, high = self._range(i)
        inside = [b for b in self.folding.blocks if low in b and high + i.size - 1 in b]
        if not inside and self._only_read(i):
            name = re.split(r"\W", i.text, maxsplit=1)[0] or i.name
            inside = [Block(name, i.line, low, high + i.size - low)]
        if not inside:
            raise refuse(
                i,
                self.folding,
                f"its addresses, {low} to {high}, lie in no one variable or allocated block, and "
                "stores may touch them",
                "one block for it, or a part of the program without it",
            )
        if len(inside) > 1 and len({(b.address, b.size) for b in inside}) > 1:
            raise refuse(
                i, self.folding,
                "its memory belonged to several blocks, one after the other",
                "a part of the program in which nothing is freed",
            )  # fmt: skip
        return inside[-1]

    def _only_read(self, i: Instruction) -> bool:
        """Whether no store touches what a load reads (by their entries): then it reads an input of
        its own, in however many blocks that lies."""
        if i.kind != "load" or i.name not in self.folding.streams:
            return False
        read = {a // 8 for a in self.folding.streams[i.name][1].ravel().tolist()}
        read |= {(a + i.size - 1) // 8 for a in self.folding.streams[i.name][1].ravel().tolist()}
        for store in self.folding.instructions.values():
            if store.kind != "store":
                continue
            if store.name not in self.folding.streams:
                return False
            at = self.folding.streams[store.name][1].ravel().tolist()
            touched = {w for a in at for w in range(a // 8, (a + store.size - 1) // 8 + 1)}
            if touched & read:
                return False
        return True

    def _range(self, i: Instruction) -> tuple[int, int]:
        """The lowest and the highest address."""
        folded = self.folding.executed[i.name]
        if folded.is_affine:
            at = [p.labels[0](v) for p in folded.pieces for v in p.vertices]
            return min(at), max(at)
        if i.name in self.folding.streams:
            labels = self.folding.streams[i.name][1]
            return int(labels.min()), int(labels.max())
        raise refuse(
            i, self.folding,
            f"its addresses are not affine: {_functions(folded)}",
            "pn.trace(..., streams=True) keeps them: it is then one of some cell of its block",
        )  # fmt: skip

    def _names(self) -> dict[int, str]:
        names: dict[int, str] = {}
        taken: set[str] = set()
        for b in self.block_of.values():
            if id(b) not in names:
                stem = re.sub(r"\W+", "_", b.name).strip("_") or "block"
                name, k = stem, 2
                while name in taken:
                    name, k = f"{stem}_{k}", k + 1
                taken.add(name)
                names[id(b)] = name
        return names

    def _array(self, block: Block) -> ArrayCells:
        mine = [i for i in self.accesses if self.block_of[i.name] is block]
        unit = 0
        for i in mine:
            unit = gcd(unit, i.size)
            for at in self._addresses(i):
                unit = gcd(unit, at - block.address)
        if any(i.size != unit for i in mine):
            i = next(i for i in mine if i.size != unit)
            raise refuse(
                i, self.folding,
                f"it moves {i.size} bytes, and {block.name} is also accessed in parts of {unit}",
                "elements of one type",
            )  # fmt: skip
        return ArrayCells(self.names[id(block)], block, unit, self._strides(block, mine, unit))

    def _addresses(self, i: Instruction) -> Iterable[int]:
        """Numbers whose differences have the greatest common divisor of all addresses."""
        folded = self.folding.executed[i.name]
        for p in folded.pieces:
            if p.is_affine:
                first = p.labels[0](p.anchor)
                yield first
                yield from (first + int(str(k)) for k in p.labels[0].coefficients)

    # -- subscripts --------------------------------------------------------------------------

    def _strides(self, block: Block, mine: Sequence[Instruction], unit: int) -> tuple[int, ...]:
        """How far apart the rows, planes, ... are, from what the text's subscripts and the
        addresses say together; one dimension where they do not agree."""
        rows: list[tuple[tuple[Affine, ...], Linear]] = []
        for i in mine:
            subscripts = self.subscripts.of(i)
            folded = self.folding.executed[i.name]
            if subscripts is None or not folded.is_affine:
                continue
            rows += [(subscripts, _flat(p.labels[0], block, unit)) for p in folded.pieces]
        dims = {len(s) for s, _ in rows}
        if len(dims) != 1:
            return (1,)
        return solved(dims.pop(), rows) or (1,)

    def _piece(
        self, i: Instruction, label: Any, array: ArrayCells, domain: isl.Set, target: isl.Space
    ) -> isl.Map:
        """`{ I[iv] -> A[cell] }` of an affine piece."""
        coefficients, constant = _flat(label, array.block, array.unit)
        subscripts = self.subscripts.of(i)
        fits = subscripts is not None and len(subscripts) == len(array.strides)
        if fits and _combined(subscripts or (), array.strides) == (coefficients, constant):
            texts = [_text(s, i.loops) for s in subscripts or ()]
            return _map(i, texts, array.name, domain)
        texts, rest = [], _text((coefficients, constant), i.loops)
        for s in array.strides[:-1]:
            texts.append(f"floor(({rest})/{s})")
            rest = f"({rest}) mod {s}"
        return _map(i, [*texts, rest], array.name, domain)

    def _whole(self, array: ArrayCells, target: isl.Space) -> isl.Set:
        count = array.block.size // array.unit
        bounds, outer = [], count
        for k, s in enumerate(array.strides):
            bounds.append(f"0 <= a{k} < {max(outer // s, 1)}")
            outer = s
        names = ", ".join(f"a{k}" for k in range(len(array.strides)))
        return isl.read_set(f"{{ {array.name}[{names}] : {' and '.join(bounds)} }}")


def _flat(label: Any, block: Block, unit: int) -> Linear:
    coefficients = tuple(int(str(k)) // unit for k in label.coefficients)
    return coefficients, (label.constant - block.address) // unit


def _combined(subscripts: Sequence[Affine], strides: Sequence[int]) -> Linear:
    width = len(subscripts[0][0])
    coefficients = tuple(
        sum(s[0][q] * k for s, k in zip(subscripts, strides, strict=True)) for q in range(width)
    )
    return coefficients, sum(s[1] * k for s, k in zip(subscripts, strides, strict=True))


def solved(dims: int, rows: Sequence[tuple[tuple[Affine, ...], Linear]]) -> tuple[int, ...] | None:
    """The strides P with `sum of P[d] * subscript[d]` the flat position, for all accesses; P[-1] is
    1. None where none fits; a dimension that nothing determines is as long as what is within it."""
    equations = []
    for subscripts, (coefficients, constant) in rows:
        for q in range(len(coefficients)):
            equations.append(([s[0][q] for s in subscripts], coefficients[q]))
        equations.append(([s[1] for s in subscripts], constant))
    found = solution([(*left[:-1], right - left[-1]) for left, right in equations], dims - 1)
    if found is None or any(x.denominator != 1 or x <= 0 for x in found):
        return None
    strides = (*(int(x) for x in found), 1)
    fits = all(_combined(s, strides) == flat for s, flat in rows)
    falling = all(a % b == 0 for a, b in itertools.pairwise(strides))
    return strides if fits and falling else None


def _text(f: Affine, names: Sequence[str]) -> str:
    terms = [f"{k} * {name}" for k, name in zip(f[0], names, strict=True) if k]
    return " + ".join([*terms, str(f[1])])


def _map(i: Instruction, texts: Sequence[str], array: str, domain: isl.Set) -> isl.Map:
    name = tuple_name(i.name)
    text = f"{{ {name}[{', '.join(i.loops)}] -> {array}[{', '.join(texts)}] }}"
    return isl.read_map(text).intersect_domain(domain)


def _functions(folded: Folded) -> str:
    return "; ".join(dict.fromkeys(folded.label_text(p) for p in folded.pieces[:3]))
