"""A process of its own for compiled programs: calls each original and its variants on the same
contents, and says what differs. What crashes or never ends is the last call that it announced.

On stdin: pickled `{"original": path, "variants": path, "calls": [...]}`; a call is (case, the
original's entry, its arguments in order, content, variants), a variant (name, entry, its
parameters, its arrays). On stdout, one line each: `> case, variant` before a call,
and `! case, variant, array[subscripts] = value, not value` for a difference, with tabs, not commas.
"""

import ctypes
import pickle
import sys
from typing import Any

import numpy as np


def main() -> None:
    job = pickle.load(sys.stdin.buffer)
    original = ctypes.CDLL(job["original"])
    variants = ctypes.CDLL(job["variants"]) if job["variants"] else None
    for case, entry, arguments, content, made in job["calls"]:
        say(f"> {case}\toriginal")
        expected = called_original(getattr(original, entry), arguments, content)
        for name, entry_of_variant, parameters, arrays in made:
            say(f"> {case}\t{name}")
            found = called(getattr(variants, entry_of_variant), parameters, arrays, content)
            for array, value in expected.items():
                if (text := difference(value, found.get(array, content[array]))) is not None:
                    say(f"! {case}\t{name}\t{array}{text}")
    say("done")


def say(text: str) -> None:
    print(text, flush=True)


def called_original(function: Any, arguments: list[Any], content: Any) -> dict[str, Any]:
    """`arguments`: the name of an array, or a C type and an integer."""
    copies = {a: content[a].copy() for a in arguments if isinstance(a, str)}
    function.restype = None
    function(
        *(
            ctypes.c_void_p(copies[a].ctypes.data)
            if isinstance(a, str)
            else getattr(ctypes, a[0])(a[1])
            for a in arguments
        )
    )
    return copies


def called(function: Any, parameters: list[int], arrays: list[str], content: Any) -> dict[str, Any]:
    copies = {a: content[a].copy() for a in arrays}
    numbers = (ctypes.c_int64 * max(len(parameters), 1))(*parameters)
    pointers = (ctypes.c_void_p * max(len(arrays), 1))(*(copies[a].ctypes.data for a in arrays))
    assert function(numbers, pointers, 2) == 0
    return copies


def difference(expected: Any, found: Any) -> str | None:
    """The first cell that differs in a bit. C does not say which of several values that are no
    numbers comes out of an operation: any is taken for any."""
    differs = expected.view(f"u{expected.itemsize}") != found.view(f"u{found.itemsize}")
    if expected.dtype.kind == "f":
        differs &= ~(np.isnan(expected) & np.isnan(found))
    if not differs.any():
        return None
    at = tuple(int(k[0]) for k in np.nonzero(differs))
    return f"{list(at)} = {found[at]!r}, not {expected[at]!r}"


if __name__ == "__main__":
    main()
