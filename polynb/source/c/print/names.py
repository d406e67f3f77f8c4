"""Names in C: only plain identifiers get there, and none that C or its headers already use."""

from __future__ import annotations

import re
from collections.abc import Iterable

from polynb.source.functions import MATH_FUNCTIONS
from polynb.source.mistakes import mistake
from polynb.source.names import new_name

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

# What <stdlib.h> and <math.h> declare besides: functions that stand alone, types, and functions of
# every floating-point type (`y1`, `y1f`, `y1l`, `y1f128`).
_FUNCTIONS = """a64l l64a aligned_alloc arc4random arc4random_buf arc4random_uniform atexit atol
atoll at_quick_exit canonicalize_file_name clearenv drand48 erand48 lrand48 nrand48 mrand48 jrand48
srand48 seed48 lcong48 ecvt fcvt gcvt qecvt qfcvt qgcvt getloadavg getpt getsubopt grantpt initstate
setstate mblen mbstowcs mbtowc wcstombs wctomb mkdtemp mkostemp mkostemp64 mkostemps mkostemps64
mkstemp mkstemp64 mkstemps mkstemps64 mktemp on_exit posix_memalign posix_openpt pselect ptsname
putenv quick_exit reallocarray realpath rpmatch secure_getenv select setenv srandom strtod strtof
strtol strtold strtoll strtoq strtoul strtoull strtouq unlockpt unsetenv valloc"""
_TYPES = """blkcnt_t blkcnt64_t blksize_t caddr_t clock_t clockid_t comparison_fn_t daddr_t dev_t
div_t ldiv_t lldiv_t double_t float_t drand48_data random_data fd_mask fd_set fsblkcnt_t
fsblkcnt64_t fsfilcnt_t fsfilcnt64_t fsid_t gid_t id_t ino_t ino64_t key_t locale_t loff_t mode_t
nlink_t off_t off64_t pid_t quad_t u_quad_t register_t sigset_t ssize_t suseconds_t time_t timer_t
timespec timeval u_char u_short u_int u_long u_int8_t u_int16_t u_int32_t u_int64_t uid_t uint ulong
ushort useconds_t"""
_REAL = """acos acosh asin asinh atan atan2 atanh canonicalize cbrt ceil copysign cos cosh drem erf
erfc exp exp10 exp2 expm1 fabs fdim finite floor fma fmax fmaximum fmaximum_mag fmaximum_mag_num
fmaximum_num fmaxmag fmin fminimum fminimum_mag fminimum_mag_num fminimum_num fminmag fmod frexp
fromfp fromfpx gamma getpayload hypot ilogb isinf isnan j0 j1 jn ldexp lgamma llogb llrint llround
log log10 log1p log2 logb lrint lround modf nan nearbyint nextafter nextdown nexttoward nextup pow
remainder remquo rint round roundeven scalb scalbln scalbn setpayload setpayloadsig significand sin
sincos sinh sqrt strfrom strto tan tanh tgamma totalorder totalordermag trunc ufromfp ufromfpx y0 y1
yn"""
_NARROWING = "fadd faddl fdiv fdivl ffma ffmal fmul fmull fsqrt fsqrtl fsub fsubl"
_NARROWING += " daddl ddivl dfmal dmull dsqrtl dsubl strfromd"

_RESERVED = {
    name
    for names in (_KEYWORDS, _LIBRARY, _FUNCTIONS, _TYPES, _REAL, _NARROWING)
    for name in names.split()
} | {*MATH_FUNCTIONS}

# Functions that compilers know without a header: no function of a program is called so.
_BUILTIN_FUNCTIONS = frozenset(
    """printf fprintf sprintf snprintf vprintf vfprintf vsprintf vsnprintf scanf fscanf sscanf
    vscanf vfscanf vsscanf puts fputs putchar fputc fwrite memcpy memmove memset memcmp memchr
    mempcpy strlen strnlen strcpy strncpy stpcpy stpncpy strcat strncat strcmp strncmp strcasecmp
    strncasecmp strchr strrchr strstr strspn strcspn strpbrk strdup strndup strftime strfmon index
    rindex bcmp bcopy bzero ffs ffsl ffsll isalnum isalpha isascii isblank iscntrl isdigit isgraph
    islower isprint ispunct isspace isupper isxdigit toascii tolower toupper fork execl execle
    execlp execv execve execvp gettext dgettext dcgettext cabs cacos cacosh carg casin casinh catan
    catanh ccos ccosh cexp cimag clog clog10 conj cpow cproj creal csin csinh csqrt ctan
    ctanh""".split()  # noqa: SIM905
)
_STEMS = {*_REAL.split(), *_FUNCTIONS.split(), "qsort", "rand", "random"}

# Macros and types of <stdint.h>, <stdlib.h>, <math.h> and <omp.h>, and all names that C keeps for
# itself.
_RESERVED_SHAPE = re.compile(
    r"_.*|u?int\w*_t|(omp|ompc|kmp|KMP|llvm_omp|pthread)_\w*|(HUGE_VAL|SNAN)\w*|W(IF|NO|STOP|EXIT|TERM|UN|CONT)[A-Z]+"
    r"|(U?INT|FP|M|SIZE|PTRDIFF|WCHAR|WINT|SIG_ATOMIC|FD|BYTE|PDP|BIG|LITTLE)"
    r"(\d+|MAX|PTR)?_[A-Z0-9_]+[flx0-9]*"
    r"|f\d+x?(add|div|fma|mul|sqrt|sub)f\d+x?",
    re.ASCII,
)
_VARIANT = re.compile(r"_[rl]$")
_OF_TYPE = re.compile(r"(f|l|f\d+x?)$")


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

    def local(self, stem: str) -> str:
        """A new name like this one, which is no name of a program's, and has its C name now."""
        name = new_name(stem, self._of, f"{stem}_")
        self.add((name,))
        return name

    def function(self, name: str) -> str:
        """A new name for a function, other than those that compilers know without a header."""
        return self.fresh(f"{name}_" if name in _BUILTIN_FUNCTIONS else name)

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
        found = new_name(stem, self._taken, f"{stem.rstrip('_')}_")
        self._taken.add(found)
        return found


def check_identifier(name: str) -> None:
    """Raises PolynbError for anything but an ASCII identifier."""
    if not _IDENTIFIER.fullmatch(name):
        raise mistake("c.name", None, name=name)


def is_reserved(name: str) -> bool:
    """Whether C, its headers, or compilers on their own, use the name."""
    plain = _VARIANT.sub("", name)
    return (
        name in _RESERVED
        or _RESERVED_SHAPE.fullmatch(name) is not None
        or not _STEMS.isdisjoint((plain, _OF_TYPE.sub("", plain)))
    )
