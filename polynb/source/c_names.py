"""Names in C: only plain identifiers get there, and none that C or its headers already use."""

from __future__ import annotations

import re
from collections.abc import Iterable

from polynb.errors import PolynbError
from polynb.source.functions import MATH_FUNCTIONS

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)

_KEYWORDS = """auto break case char const continue default do double else enum extern float for
goto if inline int long register restrict return short signed sizeof static struct switch typedef
union unsigned void volatile while alignas alignof atomic bool complex constexpr false generic
imaginary noreturn nullptr static_assert thread_local true typeof typeof_unqual asm fortran"""

_LIBRARY = """main malloc calloc realloc free abort exit size_t ptrdiff_t wchar_t NULL NAN INFINITY
HUGE_VAL HUGE_VALF HUGE_VALL MATH_ERRNO MATH_ERREXCEPT math_errhandling RAND_MAX EXIT_SUCCESS
EXIT_FAILURE MB_CUR_MAX MB_LEN_MAX DOMAIN SING OVERFLOW UNDERFLOW PLOSS TLOSS linux unix i386
signgam alloca isnan isinf isfinite isnormal signbit fpclassify isgreater isgreaterequal isless
islessequal islessgreater isunordered iseqsig issignaling issubnormal iszero div ldiv lldiv labs
lgamma lgammaf modf modff frexp frexpf ldexp ldexpf scalbn scalbln ilogb lrint lround nan j0 j1 jn
y0 y1 yn gamma drem significand finite scalb random rand srand atoi atof qsort bsearch getenv
system iscanonical MAXFLOAT NFDBITS htobe16 htobe32 htobe64 htole16 htole32 htole64 be16toh be32toh
be64toh le16toh le32toh le64toh"""

_RESERVED = {*_KEYWORDS.split(), *_LIBRARY.split(), *MATH_FUNCTIONS}

# Macros and types of <stdint.h>, <stdlib.h>, <math.h> and <omp.h>, and all names that C keeps for
# itself.
_RESERVED_SHAPE = re.compile(
    r"_.*|u?int\w*_t|omp_\w*|(HUGE_VAL|SNAN)\w*|W(IF|NO|STOP|EXIT|TERM|UN|CONT)[A-Z]+"
    r"|(U?INT|FP|M|SIZE|PTRDIFF|WCHAR|WINT|SIG_ATOMIC|FD|BYTE|PDP|BIG|LITTLE)"
    r"(\d+|MAX|PTR)?_[A-Z0-9_]+[flx0-9]*",
    re.ASCII,
)


class CNames:
    """The C names of a program's names: themselves where possible, all different."""

    def __init__(self) -> None:
        self._of: dict[str, str] = {}
        self._taken: set[str] = set()

    def add(self, names: Iterable[str]) -> None:
        """Give every name its C name. Names that can stay as they are go first."""
        new = [n for n in dict.fromkeys(names) if n not in self._of]
        for name in sorted(new, key=is_reserved):
            self._of[name] = self.fresh(name)

    def of(self, name: str) -> str:
        """The C name of a name that was added."""
        return self._of[name]

    def fresh(self, name: str) -> str:
        """A C name like this one that nothing has yet; it is taken from now on.

        Raises PolynbError for anything but an ASCII identifier: whatever reaches the C compiler
        has passed here.
        """
        check_identifier(name)
        stem = name
        if is_reserved(name):
            stem = f"{name.strip('_') or 'v'}_"
            stem = f"v{stem}" if is_reserved(stem) or stem[0].isdigit() else stem
        candidate, k = stem, 1
        while candidate in self._taken:
            k += 1
            candidate = f"{stem.rstrip('_')}_{k}"
        self._taken.add(candidate)
        return candidate


def check_identifier(name: str) -> None:
    """Raises PolynbError for anything but an ASCII identifier."""
    if not _IDENTIFIER.fullmatch(name):
        raise PolynbError(
            f"{name!r} cannot be a name in C",
            reason="a name is made of ASCII letters, digits and underscores, and does not start "
            "with a digit",
        )


def is_reserved(name: str) -> bool:
    """Whether C, its headers, or compilers on their own, use the name."""
    return name in _RESERVED or _RESERVED_SHAPE.fullmatch(name) is not None
