"""The flags under which every compiler computes what the C text says, to the last bit.

Three things that gcc and clang do by default, or with flags that are said to be harmless, are not:
- contraction of `a*b + c` into one rounding;
- gcc's `-fno-trapping-math` makes `(double) (int) x` a truncation, which gives -0.0 for -0.5 where
  C gives 0.0. Without it gcc moves no division out of a `?:`, and such loops are no vectors (one
  is 7 times slower), so it is given to programs that convert nothing to an integer;
- calls are replaced by others, or by constants that the compiler knows better than the C library:
  `pow(x, 0.5)` by `sqrt(x)` (-0.0 for -0.0, where C says 0.0), `cbrt(2.0)` by its rounded value.
  A program whose constants have been propagated would give other bits than before.
"""

from __future__ import annotations

import re
from typing import Final

from polynb.source.functions import MATH_FUNCTIONS, depends_on_library

# No fused operations. Programs do not see errno, so that `sqrt` is one instruction.
EXACT: Final = ("-ffp-contract=off", "-fno-math-errno")
UNTRAPPED: Final = ("-fno-trapping-math",)

CALL: Final = re.compile(r"\b([a-z]\w*) ?\(")


def exact_flags(text: str, *, truncates: bool) -> tuple[str, ...]:
    """The flags for a C text, which may convert floating values to integers (`truncates`)."""
    return (*EXACT, *(() if truncates else UNTRAPPED), *library_calls(text))


def library_calls(text: str) -> tuple[str, ...]:
    """`-fno-builtin-pow` and so on for the functions that a text calls: the library's results."""
    called = {name for name in CALL.findall(text) if name in MATH_FUNCTIONS}
    return tuple(f"-fno-builtin-{name}" for name in sorted(filter(depends_on_library, called)))
