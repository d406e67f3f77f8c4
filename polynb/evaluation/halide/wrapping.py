"""C around a function that Halide compiled, which makes it a kernel."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate
from operator import mul
from typing import Final

from polynb.scop.model import Array
from polynb.source.types import ElementType

HEAD: Final = """\
#include <stdint.h>

typedef struct { int32_t min, extent, stride; uint32_t flags; } dimension;
typedef struct {
  uint64_t device; const void *interface; uint8_t *host; uint64_t flags;
  struct { uint8_t code, bits; uint16_t lanes; } type;
  int32_t dimensions; dimension *dim; void *padding;
} buffer;

int halide_set_num_threads(int n);
"""


def wrapped(
    function: str,
    arguments: Mapping[str, Array],
    shapes: Mapping[str, tuple[int, ...]],
    order: tuple[str, ...],
    frame: tuple[int, int],
    threads: int,
) -> str:
    """C that puts Halide's buffers around arrays of these shapes, whose dimensions it counts from
    inside. `arguments` are the kernel's, `order` Halide's, the last of which is its result, without
    a `frame` in its last two dimensions."""
    places = {name: f"arrays[{k}]" for k, name in enumerate(arguments)}
    types, lines, call = [], [], []
    for name in order:
        array, place = arguments[name], places[name]
        if array.extents:
            types.append("buffer *")
            call.append(f"&{name}_buffer")
            cut = frame if name == order[-1] else (0, 0)
            lines += _buffer(array, place, shapes[name], cut)
        else:
            types.append(array.type.c_name)
            call.append(f"*(const {array.type.c_name} *){place}")
    return "\n".join(
        (
            HEAD,
            f"int {function}({', '.join(types)});",
            "int kernel(const int64_t *parameters, void **arrays, int threads) {",
            "  (void)parameters; (void)threads;",
            f"  halide_set_num_threads({threads});",
            *(f"  {line}" for line in lines),
            f"  return {function}({', '.join(call)});",
            "}",
            "",
        )
    )


def _buffer(array: Array, place: str, shape: tuple[int, ...], frame: tuple[int, int]) -> list[str]:
    """A `halide_buffer_t` of an array, without a frame in its rows and columns."""
    inside = shape[::-1]
    strides = [1, *accumulate(inside[:-1], mul)]
    cut = [frame if k < 2 else (0, 0) for k in range(len(inside))]
    start = sum(before * s for (before, _), s in zip(cut, strides, strict=True))
    dimensions = ", ".join(
        f"{{{before}, {e - before - behind}, {s}, 0}}"
        for (before, behind), e, s in zip(cut, inside, strides, strict=True)
    )
    host = f"(uint8_t *)(({array.type.c_name} *){place} + {start})"
    return [
        f"dimension {array.name}_dim[] = {{{dimensions}}};",
        f"buffer {array.name}_buffer = {{0, 0, {host}, 0, {_type(array.type)}, {len(inside)}, "
        f"{array.name}_dim, 0}};",
    ]


def _type(element: ElementType) -> str:
    """A `halide_type_t`: integers are 0, those without a sign 1, floats 2."""
    code = 2 if element.is_float else 0 if element.is_signed else 1
    return f"{{{code}, {8 * element.size}, 1}}"
