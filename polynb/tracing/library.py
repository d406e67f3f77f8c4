"""The one table of what the functions of C's library (and POSIX') read and write through their
arguments (ISO C11, 7.21 to 7.24; POSIX.1-2017), and which state they keep from call to call.

Numbers are C text: `$0`, `$1` ... stand for the arguments, `$r` for the result.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
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
    the argument with a FILE, as "$0"), or only `asks` for; the argument that is the format of what
    is printed or scanned; the memory it gives, as (pointer, bytes), and whether it `copies` what it
    read there. `calls_back`: it gives nothing, and calls what it is given before it has written.
    `errs`: its failures can be told by `errno` alone. `ends`: the program may end in it. `by` is
    what the traced text calls instead; with `block`, the memory's number goes first. `refused` is
    what it would make that no trace follows."""

    touched: tuple[Touched, ...] = ()
    state: str | None = None
    asks: bool = False
    printed: int | None = None
    scanned: int | None = None
    gives: tuple[str, str] | None = None
    copies: bool = False
    calls_back: bool = False
    errs: bool = False
    ends: bool = False
    by: str = ""
    block: bool = False
    refused: str = ""

    @property
    def pure(self) -> bool:
        """Whether it gives a value of its arguments, and nothing else comes of it."""
        return replace(self, errs=False, ends=False, by="") == LibraryCall()


STATES: Final = (
    *("random", "strtok", "exit", "environment", "files", "clock", "signals", "locale", "names"),
)
"""What the library keeps for itself, beside its streams and `errno`."""
ORDERED: Final = ("files", "clock", "signals")
"""Those of which not a value is handed on, but the order seen from outside."""
STREAMS: Final = ("stdin", "stdout", "stderr")

_FAILING: Final = (
    r"(a?(sin|cos|tan)h?|atan2|exp(2|10|m1)?|log(2|10|1p|b)?|pow|sqrt|hypot|fmod|fdim|fma|erfc?"
    r"|[tl]?gamma|remainder|drem|ldexp|scalbl?n|ilogb|nextafter|nexttoward|l?l?round|l?l?rint"
    r"|j[01n]|y[01n])[fl]?"
)
PURE: Final = re.compile(
    r"""(cbrt|fabs|floor|ceil|trunc|nearbyint|fmin|fmax|copysign|nan|significand)[fl]?
    |(l|ll|imax)?abs|(l|ll|imax)?div|is(al(num|pha)|blank|cntrl|x?digit|graph|lower|print|punct
    |space|upper|ascii)|to(lower|upper|ascii)|isnan[fl]?|isinf[fl]?|finite|isfinite|isnormal
    |signbit|fpclassify|isunordered|is(less|greater)(equal|greater)?|c(real|imag|abs|arg|onj)[fl]?
    |assert|static_assert|_Static_assert|va_end|difftime|u?sleep|sched_yield|strerror
    |get(p?p|u|g)id|isatty|sysconf|malloc_usable_size|omp_\w+|offsetof|ffs(l|ll)?
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
_TIME: Final = "sizeof(struct tm)"
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
    "strtok_r": LibraryCall(
        (*_TOKEN, reads(2, "$0 ? 0 : sizeof(char *)"), writes(2, "sizeof(char *)"))
    ),
    "strdup": LibraryCall((string(0),), gives=("$r", "pn_text($r)"), copies=True),
    "strndup": LibraryCall(
        (reads(0, "pn_first($0, $1)"),), gives=("$r", "pn_text($r)"), copies=True
    ),
    "atoi atol atoll atof": LibraryCall((_NUMBER,), errs=True),
    "strtol strtoul strtoll strtoull strtod strtof strtold": LibraryCall(
        (_NUMBER, _END), errs=True
    ),
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
    "clock times getrusage": LibraryCall(state="clock"),
    "time": LibraryCall((writes(0, "$0 ? sizeof(long) : 0"),), state="clock"),
    "gettimeofday": LibraryCall((writes(0, "16"),), state="clock"),
    "clock_gettime": LibraryCall((writes(1, "16"),), state="clock"),
    "timespec_get": LibraryCall((writes(0, "16"),), state="clock"),
    "clock_getres": LibraryCall((writes(1, "$1 ? 16 : 0"),)),
    "localtime gmtime": LibraryCall((reads(0, "sizeof(long)"),), state="names"),
    "localtime_r gmtime_r": LibraryCall((reads(0, "sizeof(long)"), writes(1, _TIME))),
    "asctime": LibraryCall((reads(0, _TIME),), state="names"),
    "ctime": LibraryCall((reads(0, "sizeof(long)"),), state="names"),
    "mktime timegm": LibraryCall((reads(0, _TIME), writes(0, _TIME))),
    "strftime": LibraryCall((string(2), reads(3, _TIME), writes(0, "$r ? $r + 1 : 0"))),
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
    "fclose fflush clearerr setbuf setvbuf rewind fseek fseeko": LibraryCall(state="$0"),
    "feof ferror fileno ftell ftello": LibraryCall(state="$0", asks=True),
    "remove unlink": LibraryCall((string(0),), state="files"),
    "rename": LibraryCall((string(0), string(1)), state="files"),
    "open access": LibraryCall((string(0),), state="files"),
    "close lseek fsync": LibraryCall(state="files"),
    "read": LibraryCall((writes(1, "$r > 0 ? $r : 0"),), state="files"),
    "write": LibraryCall((reads(1, "$2"),), state="files"),
    # the process
    "atexit on_exit at_quick_exit": LibraryCall(state="exit"),
    "getenv secure_getenv": LibraryCall((string(0),), state="environment", asks=True),
    "setenv": LibraryCall((string(0), string(1)), state="environment"),
    "unsetenv putenv": LibraryCall((string(0),), state="environment"),
    "clearenv": LibraryCall(state="environment"),
    "setlocale": LibraryCall((reads(1, "$1 ? pn_text($1) : 0"),), state="locale"),
    "system": LibraryCall((reads(0, "$0 ? pn_text($0) : 0"),), state="files"),
    "signal": LibraryCall(state="signals"),
    "alarm": LibraryCall(state="signals"),
    "kill": LibraryCall(state="signals", ends=True, by="pn_kill"),
    "raise": LibraryCall(state="signals", ends=True, by="pn_raise"),
    "exit abort": LibraryCall(ends=True),
    "_exit _Exit quick_exit": LibraryCall(ends=True, by="pn_leave_at_once"),
    # memory whose blocks the runtime names, and of whose bytes it knows the last writers
    "malloc": LibraryCall(by="pn_malloc", block=True),
    "calloc": LibraryCall(by="pn_calloc", block=True),
    "realloc": LibraryCall(by="pn_realloc", block=True),
    "free": LibraryCall(by="pn_free", block=True),
    # what no trace follows
    "setjmp longjmp _setjmp sigsetjmp siglongjmp": LibraryCall(refused="jumps"),
    "fork vfork": LibraryCall(refused="a second process"),
    "pthread_create thrd_create": LibraryCall(refused="threads"),
}

TABLE: Final[dict[str, LibraryCall]] = {
    name: found for names, found in _FAMILIES.items() for name in names.split()
}


def library_call(name: str) -> LibraryCall | None:
    """What a function of the library does; None where that is not known: then it is taken for one
    that reads and writes all that it is handed, and goes on with a state of its own."""
    plain = name.removeprefix("__builtin_")
    if PURE.fullmatch(name) or PURE.fullmatch(plain):
        return LibraryCall()
    if re.fullmatch(_FAILING, plain):
        return LibraryCall(errs=True)
    return TABLE.get(plain)
