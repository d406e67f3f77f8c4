"""The inputs that programs are timed on: what was given, and seeded random numbers for the rest."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polynb.run import shared
from polynb.run.extents import extents_at
from polynb.run.kernel import Kernel
from polynb.run.signature import KernelCall
from polynb.scop.model import Array


def prepared(kernels: Sequence[Kernel], named: Mapping[str, Any]) -> tuple[list[KernelCall], str]:
    """The checked call of each kernel, on arrays they share, and what the arrays hold."""
    known = [{*k.signature.parameters, *(a.name for a in k.signature.arrays)} for k in kernels]
    for name in named:
        if not any(name in names for names in known):
            kernels[0].signature.merged(None, {name: named[name]})  # says what is known instead
    content: dict[str, NDArray[Any]] = {}
    calls, given, drawn = [], set(), set()
    for kernel, names in zip(kernels, known, strict=True):
        signature = kernel.signature
        own = {n: v for n, v in named.items() if n in names}
        parameters = signature.checked_parameters(own)
        kernel.refuse_too_large(parameters, signature.memory_at(parameters))
        given |= {a.name for a in signature.arrays if a.name in own}
        for array in signature.arrays:
            shape = extents_at(array, parameters)
            if array.name in own or not signature.needs(array) or None in shape:
                continue
            drawn.add(array.name)
            if array.name not in content:
                content[array.name] = random_data(array, tuple(e or 0 for e in shape))
            own[array.name] = content[array.name]
        call = signature.call(None, own)
        for name, array_given in call.given.items():
            if name not in content:
                content[name] = shared.empty(array_given.shape, array_given.dtype.name)
                content[name][...] = array_given
        calls.append(replace(call, given={n: content[n] for n in call.given}))
    return calls, _description(sorted(given), sorted(drawn))


def _description(given: Sequence[str], drawn: Sequence[str]) -> str:
    if given and drawn:
        return f"given for {', '.join(given)}, seeded random for {', '.join(drawn)}"
    return "given" if given else "seeded random" if drawn else "none"


def random_data(array: Array, shape: tuple[int, ...]) -> NDArray[Any]:
    """Numbers that depend on the array's name, type and shape only: floats from 0.5 to 1.5,
    integers from 0 to 99 (which every type holds)."""
    generator = np.random.default_rng((0, zlib.crc32(array.name.encode())))
    content = shared.empty(shape, array.type.dtype)
    if array.type.is_float:
        generator.random(out=content, dtype=content.dtype.type)
        content += content.dtype.type(0.5)
    else:
        content[...] = generator.integers(0, 100, shape, content.dtype)
    return content
