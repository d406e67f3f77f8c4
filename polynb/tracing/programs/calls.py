"""Calls of functions that are not traced: which a program has, and what the runtime tells of each.

What a known function reads, writes and keeps comes from the one table (`polynb.tracing.library`):
it becomes C text, which is compiled into the runtime. All others are "calls of which nothing is
known". They are found in the tables of addresses through which a program calls shared libraries.
"""

from __future__ import annotations

import platform
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from polynb.tracing.library import STATES, STREAMS, TABLE, LibraryCall, Touched, library_call
from polynb.tracing.programs.symbols import said

FLOATS: Final = {
    **dict.fromkeys(("frexp", "frexpf", "modf", "modff", "sincos", "sincosf"), 1),
    **dict.fromkeys(("lgamma_r", "lgammaf_r"), 1),
    **dict.fromkeys(("remquo", "remquof"), 2),
}
"""Arguments before the first that is a pointer, which go in other registers."""
STATED: Final = re.compile(
    r"__wrap_.*|__tsan_.*|__sanitizer_cov_.*|__cyg_profile_func_(enter|exit)|omp_\w+"
    r"|__libc_start_main|__gmon_start__|_ITM_\w+|__cxa_(?!thread)\w+|_Unwind_\w+|__gxx_personality\w*"
    r"|__stack_chk_fail|__errno_location|__ctype_\w+_loc|__(builtin_)?assert\w*"
    r"|(__|_)?(sig)?(setjmp|longjmp)(_chk)?|v?fork|_Z(nw|na|dl|da)\w+|__fpclassify\w*|__signbit\w*"
    r"|__isnan\w*|__isinf\w*|__finite\w*|malloc_trim"
)
"""What the hooks tell themselves, and what begins, ends and unwinds a program."""
PREFIX: Final = re.compile(r"^(__isoc(99|23)_|_IO_)(?=\w)")
UNFOLLOWED: Final = {
    "pthread_create": "threads", "thrd_create": "threads", "clone": "threads",
    "_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE":
    "threads",
    "dlopen": "what it loads", "dlsym": "what it finds", "syscall": "what the system does",
    "fmemopen": "memory that a stream writes", "open_memstream": "memory that a stream writes",
    **dict.fromkeys(
        ("mmap", "munmap", "shmat", "mremap", "remap_file_pages"), "memory that has two addresses"
    ),
}  # fmt: skip
"""What makes code run, or memory change, that is seen nowhere: where nothing is known of such a
call, nothing is called parallel."""


def not_followed(name: str) -> str:
    """What such a function makes, in words; "" of others."""
    return UNFOLLOWED.get(PREFIX.sub("", name).removesuffix("64"), "")


_FAILS: Final = LibraryCall(errs=True)


@dataclass(frozen=True)
class Import:
    """A place in a program's memory with the address of a function of a shared library."""

    name: str
    slot: int
    handler: int  # of the runtime; -1: nothing is known of it


def handled() -> dict[LibraryCall, int]:
    """The calls that the runtime has a text for, by number."""
    told = [(n, c) for n, c in TABLE.items() if not c.block and followed(c)]
    calls = (_placed(name, call, errno=errno) for name, call in told for errno in (True, False))
    return {call: k for k, call in enumerate(dict.fromkeys((_FAILS, *calls)))}


def followed(call: LibraryCall) -> bool:
    """Whether whole programs may call it: what makes two addresses only where it is told of."""
    return bool(call.twice) or not call.refused


def _placed(name: str, call: LibraryCall, *, errno: bool) -> LibraryCall:
    """With arguments counted among the integers', and with `errno` if anybody asks for it."""
    call = replace(call, errs=call.errs and errno, sets="")
    if (floats := FLOATS.get(name, 0)) == 0:
        return call
    touched = tuple(Touched(t.writes, (t.argument or 0) - floats, t.size) for t in call.touched)
    return LibraryCall(touched)


def imports(program: Path) -> tuple[Import, ...]:
    """Those of a program that have something to tell. Raises PolynbError as `symbols` does."""
    functions, variables = _symbols(program, "FUNC", "NOTYPE"), _symbols(program, "OBJECT")
    numbers, found, errno = handled(), [], "__errno_location" in functions
    for line in said("readelf", "-rW", str(program)).splitlines():
        words = line.split()
        if len(words) < 5 or not re.fullmatch(r"[0-9a-f]{8,}", words[0]):
            continue
        name = words[4].partition("@")[0]
        if name not in functions:
            continue
        handler = _handler(name, numbers, variables, errno=errno)
        if handler is not None:
            found.append(Import(name, int(words[0], 16), handler))
    return tuple(found)


def _symbols(program: Path, *kinds: str) -> set[str]:
    """The names that a program shares with its libraries: functions of theirs, variables (of
    which it may have a copy)."""
    lines = said("readelf", "-W", "--dyn-syms", str(program)).splitlines()
    found = [words for line in lines if len(words := line.split()) > 7 and words[3] in kinds]
    return {w[7].partition("@")[0] for w in found if w[6] == "UND" or w[3] == "OBJECT"}


def _handler(
    name: str, numbers: dict[LibraryCall, int], variables: set[str], *, errno: bool
) -> int | None:
    plain = PREFIX.sub("", name).removesuffix("64") if name not in TABLE else name
    call = library_call(plain)
    if STATED.fullmatch(name) or (call is not None and call.block):  # blocks come by --wrap
        return None
    if call is None or not followed(call) or call.sets in variables:
        return -1
    if call.pure:
        return numbers[_FAILS] if call.errs and errno else None
    return numbers[_placed(plain, call, errno=errno)]


def redirected(found: tuple[Import, ...]) -> list[tuple[int, int, int]]:
    """What the plan says of them: where they are, their numbers from 1, what tells of them."""
    if platform.machine() not in ("x86_64", "AMD64"):
        return []
    return [(i.slot, k, i.handler) for k, i in enumerate(found, 1)]


def unfollowed(program: Path, found: tuple[Import, ...]) -> str:
    """What of a program no trace follows, in words: code without hooks, calls on machines where
    they are not redirected."""
    if found and not redirected(found):
        return f"calls such as {found[0].name} are not seen on {platform.machine()}"
    return f"{name} was not built with the hooks" if (name := _without_hooks(program)) else ""


def _without_hooks(program: Path) -> str:
    """A function that tells nothing of what it does."""
    name = ""
    for line in said("objdump", "-d", "--no-show-raw-insn", str(program)).splitlines():
        if head := re.match(r"[0-9a-f]+ <(.+)>:", line):
            if name and not _known(name):
                return name
            name = head[1]
        elif HOOKED.search(line):
            name = ""
    return name if name and not _known(name) else ""


def _known(name: str) -> bool:
    return bool(SILENT.fullmatch(name) or COMPUTING.fullmatch(name))


HOOKED: Final = re.compile("__sanitizer_cov_trace_pc|__cyg_profile_func_enter")
"""clang counts no blocks in a function that does not return."""
SILENT: Final = re.compile(
    r"_start|_init|_fini|(de)?register_tm_clones|__do_global_dtors_aux|frame_dummy|.*@plt.*|\.plt.*"
    r"|__libc_csu_\w+|_dl_\w+|__clang_call_terminate|atexit|at_quick_exit|[\w.]*module_[cd]tor[\w.]*"
    r"|_GLOBAL__\w+|_sub_I_\w+|__x86\.get_pc_thunk\.\w+|.*\.cold(\.\d+)?|_ZThn\w+|_ZTv\w+"
)
"""What compilers and the C library put into every program."""
COMPUTING: Final = re.compile(
    r"__(mul|div)[hsdxt]c3|__(popcount|ctz|clz|clrsb|ffs|parity|bswap|neg)[sdt]i2|__powi[sdxt]f2"
    r"|__(u?div|u?mod|mul|ashl|ashr|lshr)[sdt]i3|__u?divmod[sdt]i4|__u?cmp[sdt]i2"
    r"|__(add|sub|mul|div)tf3|__(eq|ne|lt|le|gt|ge|unord)tf2|__sfp_handle_exceptions"
    r"|__(fix|fixuns)[hsdxt]f[sdt]i|__(float|floatun)[sdt]i[hsdxt]f|__(extend|trunc)\wf\wf2"
)
"""What compilers put into a program for operations of which there is no instruction: they give a
value of their arguments alone."""


# -- the runtime's text ---------------------------------------------------------------------------


def text() -> str:
    """The C text of what is told before a call, and after it."""
    calls = list(handled())
    before = "\n".join(f"  case {k}: {_before(c)} break;" for k, c in enumerate(calls))
    after = "\n".join(f"  case {k}: {t} break;" for k, c in enumerate(calls) if (t := _after(c)))
    flags = ", ".join(str(int(bool(_after(c)))) for c in calls)
    return f"""\
static const char after_too[] = {{{flags}}};
static void before_call(waiting_call *w, const arguments *given) {{
  caller *c = &w->from;
  const int64_t *a = w->a;
  switch (w->handler) {{
{before}
  }}
}}
static void after_call(waiting_call *w, int64_t r) {{
  caller *c = &w->from;
  const int64_t *a = w->a;
  switch (w->handler) {{
{after}
  }}
}}
"""


def _before(call: LibraryCall) -> str:
    early = [t for t in call.touched if not t.late]
    parts = [_told(t, call) for t in sorted(early, key=lambda t: t.writes)]
    if call.state is not None:
        parts.insert(0, f"tell_state(c, {_state(call.state)}, {int(call.asks)});")
    if call.errs:
        parts.insert(0, "tell(c, STATE, &errno, 4, 0); tell(c, STATE, &errno, 4, 1);")
    if call.printed is not None:
        parts.insert(0, f"look_at_format(c, given, {call.printed}, NULL);")
    if call.scanned is not None:
        parts.insert(0, f"look_at_format(c, given, {call.scanned}, w);")
    return " ".join(parts)


def _after(call: LibraryCall) -> str:
    late = [t for t in call.touched if t.late]
    parts = [_told(t, call) for t in sorted(late, key=lambda t: t.writes)]
    if call.scanned is not None:
        parts.append("scanned_places(w, r);")
    if call.gives is not None:
        at, size = (_filled(x, call) for x in call.gives)
        does = "tell_write(c, " if call.copies else "unknown("
        parts.append(f"{does}(void *) ({at}), {size});")
    if call.twice:
        parts.append(f"if ({_filled(call.twice, call)}) tell(c, UNKNOWN, library_states, 8, 1);")
    return " ".join(parts)


def _told(t: Touched, call: LibraryCall) -> str:
    start = "r" if t.argument is None else f"a[{t.argument}]"
    does = "tell_write" if t.writes else "tell_read"
    offset, size = _filled(t.offset, call), _filled(t.size, call)
    return f"{does}(c, (char *) {start} + ({offset}), {size});"


def _filled(found: str, call: LibraryCall) -> str:
    result = "r" if call.printed is None else "(int) r"
    return re.sub(r"\$(\d)", r"a[\1]", found).replace("$r", result)


def _state(state: str) -> str:
    if state in STREAMS:
        return f"pn_order_of({state})"
    if state in STATES:
        return f"&library_states[{STATES.index(state)}]"
    return re.sub(r"\$(\d)", r"a[\1]", state)
