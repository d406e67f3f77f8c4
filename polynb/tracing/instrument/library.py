"""What the functions of C's library (and POSIX') read and write through their arguments (ISO C11,
7.21 to 7.24; POSIX.1-2017), and which state they keep from call to call.

Numbers are C text: `$0`, `$1` ... stand for the arguments, `$r` for the result.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Touched:
    """Bytes that a call reads or writes: `size` of them, `offset` bytes after where argument
    `argument` points (None: after the result)."""

    writes: bool
    argument: int | None
    size: str
    offset: str = "0"

    @property
    def late(self) -> bool:
        """Whether only the result says how many they are."""
        return self.argument is None or "$r" in self.size


@dataclass(frozen=True)
class LibraryCall:
    """What a call does: what it touches; the state that it goes on with and changes ("random", or
    the argument with a FILE, as "$0"); the argument that is the format of what is printed or
    scanned; the memory it gives, as (pointer, bytes), and whether it `copies` what it read there.
    `calls_back`: it gives nothing, and calls what it is given before it has written."""

    touched: tuple[Touched, ...] = ()
    state: str | None = None
    printed: int | None = None
    scanned: int | None = None
    gives: tuple[str, str] | None = None
    copies: bool = False
    calls_back: bool = False

    @property
    def pure(self) -> bool:
        return self == LibraryCall()


STATES: Final = ("random", "strtok", "exit", "environment", "files")
"""What the library keeps for itself, beside its streams."""
STREAMS: Final = ("stdin", "stdout", "stderr")

PURE: Final = re.compile(
    r"""a?(sin|cos|tan)h?[fl]?|(atan2|exp(2|10|m1)?|log(2|10|1p|b)?|pow|sqrt|cbrt|hypot|fabs|fmod
    |floor|ceil|l?l?round|trunc|l?l?rint|nearbyint|fmin|fmax|fdim|fma|erfc?|[tl]?gamma|copysign
    |remainder|drem|ldexp|scalbl?n|ilogb|nan|nextafter|nexttoward|significand|j[01n]|y[01n])[fl]?
    |exit|(l|ll|imax)?abs|(l|ll|imax)?div|is(al(num|pha)|blank|cntrl|x?digit|graph|lower|print|punct
    |space|upper|ascii)|to(lower|upper|ascii)|isnan[fl]?|isinf[fl]?|finite|isfinite|isnormal
    |signbit|fpclassify|isunordered|is(less|greater)(equal|greater)?|c(real|imag|abs|arg|onj)[fl]?
    |assert|static_assert|_Static_assert|va_(start|end|copy|arg)|clock|difftime|u?sleep|sched_yield
    |get(p?p|u|g)id|isatty|sysconf|malloc_usable_size|abort|omp_\w+|offsetof|ffs(l|ll)?
    |__builtin_(expect|popcountl?l?|c[lt]zl?l?|parityl?l?|bswap\d+|ffsl?l?|prefetch|trap|abs
    |unreachable|assume_aligned|constant_p|object_size|huge_val[fl]?|inf[fl]?|nan[fl]?|offsetof)
    |UINT\d+_C|INT\d+_C|MAX|MIN""",
    re.VERBOSE,
)
"""Functions (and macros) that give a value of their arguments alone, touch no memory of the
program's, and whose order nobody sees."""


def reads(argument: int, size: str) -> Touched:
    return Touched(False, argument, size)


def writes(argument: int | None, size: str, offset: str = "0") -> Touched:
    return Touched(True, argument, size, offset)


def string(argument: int) -> Touched:
    return reads(argument, f"pn_text(${argument})")


_FOUND: Final = "(char *) $r - (char *) $0 + 1"
_NUMBER: Final = reads(0, "pn_number($0)")
_END: Final = writes(1, "$1 ? sizeof(char *) : 0")
_TOKEN: Final = (
    reads(0, "$0 ? ($r ? (char *) $r - (char *) $0 : 0) + pn_text($r ? (char *) $r : $0) : 0"),
    string(1),
    writes(None, "1", "$r ? pn_text($r) - 1 : 0"),
)

_FAMILIES: Final[dict[str, LibraryCall]] = {
    # memory and strings
    "memcpy memmove mempcpy": LibraryCall((reads(1, "$2"), writes(0, "$2"))),
    "bcopy": LibraryCall((reads(0, "$2"), writes(1, "$2"))),
    "memset": LibraryCall((writes(0, "$2"),)),
    "bzero explicit_bzero": LibraryCall((writes(0, "$1"),)),
    "memcmp bcmp": LibraryCall((reads(0, "$2"), reads(1, "$2"))),
    "memchr": LibraryCall((reads(0, f"$r ? {_FOUND} : $2"),)),
    "strlen": LibraryCall((string(0),)),
    "strnlen": LibraryCall((reads(0, "pn_first($0, $1)"),)),
    "strcpy stpcpy": LibraryCall((string(1), writes(0, "pn_text($1)"))),
    "strncpy stpncpy": LibraryCall((reads(1, "pn_first($1, $2)"), writes(0, "$2"))),
    "strcat": LibraryCall((string(0), string(1), writes(0, "pn_text($1)", "pn_text($0) - 1"))),
    "strncat": LibraryCall(
        (
            string(0),
            reads(1, "pn_first($1, $2)"),
            writes(0, "pn_length($1, $2) + 1", "pn_text($0) - 1"),
        )
    ),
    "strcmp strcasecmp strcoll": LibraryCall(
        (reads(0, "pn_compared($0, $1, -1)"), reads(1, "pn_compared($0, $1, -1)"))
    ),
    "strncmp strncasecmp": LibraryCall(
        (reads(0, "pn_compared($0, $1, $2)"), reads(1, "pn_compared($0, $1, $2)"))
    ),
    "strchr index": LibraryCall((reads(0, f"$r ? {_FOUND} : pn_text($0)"),)),
    "strrchr rindex": LibraryCall((string(0),)),
    "strstr strcasestr strspn strcspn strpbrk": LibraryCall((string(0), string(1))),
    "strtok": LibraryCall(_TOKEN, state="strtok"),
    "strtok_r": LibraryCall((*_TOKEN, reads(2, "sizeof(char *)"), writes(2, "sizeof(char *)"))),
    "strdup": LibraryCall((string(0),), gives=("$r", "pn_text($r)"), copies=True),
    "strndup": LibraryCall(
        (reads(0, "pn_first($0, $1)"),), gives=("$r", "pn_text($r)"), copies=True
    ),
    "strerror": LibraryCall(),
    "atoi atol atoll atof": LibraryCall((_NUMBER,)),
    "strtol strtoul strtoll strtoull strtod strtof strtold": LibraryCall((_NUMBER, _END)),
    "qsort": LibraryCall((reads(0, "$1 * $2"), writes(0, "$1 * $2")), calls_back=True),
    "bsearch": LibraryCall((reads(0, "$3"), reads(1, "$2 * $3"))),
    # numbers
    "frexp frexpf": LibraryCall((writes(1, "sizeof(int)"),)),
    "remquo remquof": LibraryCall((writes(2, "sizeof(int)"),)),
    "modf": LibraryCall((writes(1, "sizeof(double)"),)),
    "modff": LibraryCall((writes(1, "sizeof(float)"),)),
    "sincos": LibraryCall((writes(1, "sizeof(double)"), writes(2, "sizeof(double)"))),
    "sincosf": LibraryCall((writes(1, "sizeof(float)"), writes(2, "sizeof(float)"))),
    "rand random lrand48 mrand48 drand48 srand srandom srand48": LibraryCall(state="random"),
    "rand_r": LibraryCall((reads(0, "sizeof(int)"), writes(0, "sizeof(int)"))),
    "erand48 nrand48 jrand48": LibraryCall((reads(0, "6"), writes(0, "6"))),
    # memory that has no other name
    "aligned_alloc memalign": LibraryCall(gives=("$r", "$1")),
    "alloca valloc": LibraryCall(gives=("$r", "$0")),
    "posix_memalign": LibraryCall(
        (writes(0, "sizeof(void *)"),), gives=("$r ? (void *) 0 : *(void **) $0", "$2")
    ),
    # time
    "time": LibraryCall((writes(0, "$0 ? sizeof(long) : 0"),)),
    "gettimeofday": LibraryCall((writes(0, "16"),)),
    "clock_gettime clock_getres": LibraryCall((writes(1, "16"),)),
    "nanosleep": LibraryCall((reads(0, "16"),)),
    # streams
    "printf": LibraryCall(state="stdout", printed=0),
    "fprintf": LibraryCall(state="$0", printed=1),
    "dprintf": LibraryCall(state="files", printed=1),
    "sprintf": LibraryCall((writes(0, "$r < 0 ? 0 : $r + 1"),), printed=1),
    "snprintf": LibraryCall(
        (writes(0, "$r < 0 || !$1 ? 0 : (size_t) $r < $1 ? $r + 1 : $1"),), printed=2
    ),
    "puts": LibraryCall((string(0),), state="stdout"),
    "perror": LibraryCall((reads(0, "$0 ? pn_text($0) : 0"),), state="stderr"),
    "putchar putchar_unlocked": LibraryCall(state="stdout"),
    "fputs": LibraryCall((string(0),), state="$1"),
    "fputc putc putc_unlocked ungetc": LibraryCall(state="$1"),
    "fwrite": LibraryCall((reads(0, "$1 * $2"),), state="$3"),
    "fread": LibraryCall((writes(0, "$1 * $r"),), state="$3"),
    "fgets": LibraryCall((writes(0, "$r ? pn_text($r) : 0"),), state="$2"),
    "fgetc getc getc_unlocked": LibraryCall(state="$0"),
    "getchar getchar_unlocked": LibraryCall(state="stdin"),
    "scanf": LibraryCall(state="stdin", scanned=0),
    "fscanf": LibraryCall(state="$0", scanned=1),
    "sscanf": LibraryCall((string(0),), scanned=1),
    "fopen": LibraryCall((string(0), string(1)), state="files", gives=("$r", "8")),
    "fdopen": LibraryCall(state="files", gives=("$r", "8")),
    "tmpfile": LibraryCall(state="files", gives=("$r", "8")),
    "fclose fflush feof ferror clearerr fileno setbuf setvbuf": LibraryCall(state="$0"),
    "rewind fseek fseeko ftell ftello": LibraryCall(state="$0"),
    "remove unlink": LibraryCall((string(0),), state="files"),
    "rename": LibraryCall((string(0), string(1)), state="files"),
    "open access": LibraryCall((string(0),), state="files"),
    "close lseek fsync": LibraryCall(state="files"),
    "read": LibraryCall((writes(1, "$r > 0 ? $r : 0"),), state="files"),
    "write": LibraryCall((reads(1, "$2"),), state="files"),
    # the process
    "atexit": LibraryCall(state="exit"),
    "getenv": LibraryCall((string(0),), state="environment"),
}

TABLE: Final[dict[str, LibraryCall]] = {
    name: found for names, found in _FAMILIES.items() for name in names.split()
}


def library_call(name: str) -> LibraryCall | None:
    """What a function of the library does; None where that is not known."""
    if PURE.fullmatch(name):
        return LibraryCall()
    plain = name.removeprefix("__builtin_")
    return TABLE.get(plain) or (LibraryCall() if PURE.fullmatch(plain) else None)
