"""A process of its own that runs pairs of compiled programs on drawn contents, and says which
arrays they leave otherwise, and whether either did what C leaves undefined.

Overflows of integers are noticed by gcc's sanitizer, whose calls the library answers itself. What
is read out of bounds shows where memory around the arrays is something else; and what is written.

On stdin: pickled (path, calls), a call (pair, n, the names and types of
arrays, numbers that it mentions, tries).
On stdout a line for each call: the pair, n, how many of the tries differed where both are defined,
where one is not, and how many were defined in both.
"""

from __future__ import annotations

import ctypes
import pickle
import sys
from typing import Any

import numpy as np

SPECIAL = (0.0, -0.0, 1.0, -1.0, 0.5, 3.5, np.inf, -np.inf, np.nan, 5e-324, 1e308, 3e38, 0.1)


def margin(n: int) -> int:
    """How many cells there are around an array: subscripts such as `n - 1 + i` reach twice as far
    as it does."""
    return 64 + max(n, 0)


def main() -> None:
    path, calls = pickle.load(sys.stdin.buffer)
    library = ctypes.CDLL(path)
    for name, n, arrays, mentioned, tries in calls:
        counts = [0, 0, 0]
        for k in range(tries):
            left, right = (called(library, f"{f}{name}", n, arrays, (k, mentioned)) for f in "fg")
            defined = left[1], right[1]
            differ = any(different(left[0][a], right[0][a]) for a in arrays)
            counts[0] += differ and all(defined)
            counts[1] += differ and any(defined) and not all(defined)
            counts[2] += all(defined)
        print(name, n, *counts, flush=True)


def called(
    library: Any,
    function: str,
    n: int,
    arrays: dict[str, str],
    draw: tuple[int, list[float]],
) -> tuple[dict[str, Any], bool]:
    """What is in the arrays afterwards, and whether all of it was defined."""
    found = []
    undefined = ctypes.c_int.in_dll(library, "noticed")
    undefined.value = 0
    first = margin(n)
    for around in (0, 1):
        memory = contents(n, arrays, draw, around)
        before = {a: m.copy() for a, m in memory.items()}
        pointers = [ctypes.c_void_p(m.ctypes.data + first * m.itemsize) for m in memory.values()]
        library.called(getattr(library, function), ctypes.c_long(n), *pointers)
        for a, m in memory.items():
            for side in (slice(0, first), slice(first + n, None)):
                undefined.value |= different(m[side], before[a][side])
        found.append({a: m[first : first + n] for a, m in memory.items()})
    inside = not any(different(found[0][a], found[1][a]) for a in arrays)
    return found[0], inside and not undefined.value


def contents(
    n: int, arrays: dict[str, str], draw: tuple[int, list[float]], around: int
) -> dict[str, Any]:
    """Ordinary numbers, then special ones, and those that are mentioned, among them; other ones
    around the arrays each time."""
    seed, mentioned = draw
    generator = np.random.default_rng(seed)
    special = np.array([*SPECIAL, *mentioned] if seed % 3 else mentioned or SPECIAL)
    memory = {}
    for name, kind in arrays.items():
        size = max(n, 0) + 2 * margin(n)
        dtype = {"double": "f8", "float": "f4", "int": "i4", "long": "i8"}[kind]
        if dtype[0] == "f":
            drawn = generator.uniform(-4, 4, size)
            share = (0.0, 0.3, 0.6, 1.0)[seed % 4]
            drawn = np.where(generator.random(size) < share, generator.choice(special, size), drawn)
            if seed % 4 == 3 and seed > 3:
                drawn[:] = special[seed // 4 % len(special)]
        else:
            ends = np.iinfo(dtype)
            drawn = generator.integers(-9, 9, size)
            if seed % 2:
                drawn = generator.integers(ends.min, ends.max, size, endpoint=True)
            whole = [int(x) for x in mentioned] or [0]
            drawn = np.where(generator.random(size) < 0.3, generator.choice(whole, size), drawn)
        with np.errstate(all="ignore"):
            memory[name] = np.ascontiguousarray(drawn.astype(dtype))
        for side in (slice(0, margin(n)), slice(margin(n) + n, None)):
            memory[name][side] = 77 if around else 78 if dtype[0] == "i" else np.nan
    return memory


def different(a: Any, b: Any) -> bool:
    """Whether some bit differs; all that is no number counts as one."""
    differs = a.view(f"u{a.itemsize}") != b.view(f"u{b.itemsize}")
    if a.dtype.kind == "f":
        differs &= ~(np.isnan(a) & np.isnan(b))
    return bool(differs.any())


if __name__ == "__main__":
    main()
