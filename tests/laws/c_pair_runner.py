"""A process of its own that runs pairs of compiled programs on drawn contents, and says which
arrays they leave otherwise, and whether either did what C leaves undefined.

Overflows of integers are noticed by gcc's sanitizer, whose calls the library answers itself.
Around each array are pages that nothing may touch: it ends in front of one, and once more, begins
behind one.

On stdin: pickled (path, calls), a call (pair, n, the names and types of
arrays, numbers that it mentions, tries).
On stdout a line for each call: the pair, n, how many of the tries differed where both are defined,
where one is not, and how many were defined in both.
"""

import ctypes
import mmap
import pickle
import sys
from functools import cache
from typing import Any

import numpy as np

SPECIAL = (0.0, -0.0, 1.0, -1.0, 0.5, 3.5, np.inf, -np.inf, np.nan, 5e-324, 1e308, 3e38, 0.1)


PAGE = mmap.PAGESIZE
LIBC = ctypes.CDLL(None)
LIBC.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
LIBC.mmap.restype = ctypes.c_void_p
FRESH = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
LIBC.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]


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
    library: Any, function: str, n: int, arrays: dict[str, str], draw: tuple[int, list[float]]
) -> tuple[dict[str, Any], bool]:
    """What is in the arrays afterwards, and whether all of it was defined."""
    noticed = ctypes.c_int.in_dll(library, "noticed")
    noticed.value = 0
    for ends in (True, False):
        memory = {a: between_pages(a, m, ends) for a, m in contents(n, arrays, draw).items()}
        pointers = [ctypes.c_void_p(m.ctypes.data) for m in memory.values()]
        library.called(getattr(library, function), ctypes.c_long(n), *pointers)
    return {a: m.copy() for a, m in memory.items()}, not noticed.value


def between_pages(name: str, content: Any, ends: bool) -> Any:
    """A copy that ends where what nobody may touch begins, or begins where that ends: as far to
    both sides as subscripts such as `n - 1 + i` reach."""
    inside = -(-max(content.nbytes, 1) // PAGE) * PAGE
    first = region(name, inside) + (inside - content.nbytes if ends else 0)
    array = np.frombuffer((ctypes.c_char * content.nbytes).from_address(first), content.dtype)
    array[:] = content
    return array


@cache
def region(name: str, inside: int) -> int:
    """The address of memory of an array's own, between pages that nobody may touch."""
    guard = inside + PAGE
    start = LIBC.mmap(None, inside + 2 * guard, 0, FRESH, -1, 0)
    LIBC.mprotect(start + guard, inside, mmap.PROT_READ | mmap.PROT_WRITE)
    return int(start + guard)


def contents(n: int, arrays: dict[str, str], draw: tuple[int, list[float]]) -> dict[str, Any]:
    """Ordinary numbers, then special ones, and those that are mentioned, among them."""
    seed, mentioned = draw
    generator = np.random.default_rng(seed)
    special = np.array([*SPECIAL, *mentioned] if seed % 3 else mentioned or SPECIAL)
    memory = {}
    for name, kind in arrays.items():
        size = max(n, 0)
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
    return memory


def different(a: Any, b: Any) -> bool:
    """Whether some bit differs; all that is no number counts as one."""
    differs = a.view(f"u{a.itemsize}") != b.view(f"u{b.itemsize}")
    if a.dtype.kind == "f":
        differs &= ~(np.isnan(a) & np.isnan(b))
    return bool(differs.any())


if __name__ == "__main__":
    main()
