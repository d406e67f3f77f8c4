"""The functions that printed C brings along, each only where it is used."""

from __future__ import annotations

from collections.abc import Callable

from polynb.source.c.print.names import CNames
from polynb.source.functions import MATH_FUNCTIONS, MathFunction, definition, depends_on_library
from polynb.source.mistakes import mistake
from polynb.source.tree import Call, Define
from polynb.source.types import ElementType

_FLOORD = """static inline {type} {name}({type} a, {type} b) {{
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}}
"""
_MOD = """static inline {type} {name}({type} a, {type} b) {{
  return a % b + (a % b != 0 && (a < 0) != (b < 0) ? b : 0);
}}
"""
_EXTREMUM = """static inline {type} {name}({type} a, {type} b) {{
  return a {op} b ? a : b;
}}
"""
_ALLOCATE = """static void *{name}(int64_t bytes, const int64_t *extents, int dimensions) {{
  for (int k = 0; k < dimensions; k++) {{
    if (bytes > PTRDIFF_MAX / extents[k])
      return NULL;
    bytes *= extents[k];
  }}
  return {get};
}}
"""

_THIS_THREAD = """#ifdef _OPENMP
#include <omp.h>
#endif

static inline int {name}(void) {{
#ifdef _OPENMP
  return omp_get_thread_num();
#else
  return 0;
#endif
}}
"""

_APART = """#if defined(__GNUC__) && !defined(__clang__)
#define {name} __attribute__((noipa))
#else
#define {name} __attribute__((noinline))
#endif
"""

_CONSTANT = """#ifdef __GNUC__
__attribute__((const)) {result} {name}({arguments});
#endif
"""

_SHUFFLES = """#if defined(__GNUC__) && !defined(__clang__) && defined(__AVX512VL__)
#define {name}
#endif
"""

_LOOK_UP = """#ifdef {shuffles}
static inline void {name}({type} *restrict to, const {type} *row, int cells, const int32_t *at) {{
  typedef {type} values __attribute__((vector_size(32), aligned(4), may_alias));
  typedef int32_t numbers __attribute__((vector_size(32), aligned(4), may_alias));
  const values first = *(const values *)row, last = *(const values *)(row + cells - 8);
  const numbers which = *(const numbers *)at;
  *(values *)to = __builtin_shuffle(first, last, which + ((which > 7) & (16 - cells)));
}}
#endif
"""

Print = Callable[[Define, tuple[ElementType, ...], str], str]


class Helpers:
    """The helper functions and headers that a piece of C turned out to need. `for_kernel`: it is
    compiled so that calls of a library's functions stay (`run/exactness.py`)."""

    def __init__(self, names: CNames, *, for_kernel: bool = False) -> None:
        self.names = names
        self.for_kernel = for_kernel
        self.headers = {"stdint.h"}
        self.texts: list[str] = []
        self._known: dict[tuple[object, ...], str] = {}

    def _helper(self, key: tuple[object, ...], name: str, text: str, **parts: str) -> str:
        if key not in self._known:
            self._known[key] = self.names.fresh(name)
            self.texts.append(text.format(name=self._known[key], **parts))
        return self._known[key]

    def floor(self, which: str, kind: ElementType) -> str:
        """`floord` or `mod` of two values of one signed integer type."""
        text = _FLOORD if which == "floord" else _MOD
        return self._helper((which, kind), self._name(which, kind), text, type=kind.c_name)

    def extremum(self, which: str, kind: ElementType) -> str:
        """`min` or `max` of two values of one type, evaluated once each."""
        op = "<" if which == "min" else ">"
        name = self._name(which, kind)
        return self._helper((which, kind), name, _EXTREMUM, type=kind.c_name, op=op)

    def _name(self, which: str, kind: ElementType) -> str:
        """The first of each sort has the plain name, as there is mostly no other."""
        plain = all(key[0] != which for key in self._known)
        return which if plain else f"{which}_{kind.name}"

    def allocate(self, *, zeroed: bool) -> str:
        """Memory for that many bytes for each cell, or NULL if that is too much."""
        self.headers.add("stdlib.h")
        if zeroed:
            get, name = "calloc(1, (size_t)bytes)", "allocate_zeroed"
        else:
            get, name = "malloc((size_t)bytes)", "allocate"
        return self._helper((name,), name, _ALLOCATE, get=get)

    def this_thread(self) -> str:
        """The number of the thread that runs, from 0 on."""
        return self._helper(("this_thread",), "this_thread", _THIS_THREAD)

    def apart(self) -> str:
        """What stands before a function that is to be compiled apart from those that call it.

        It must not only not be inlined: where gcc 12 turns `o[i]` and `o[2 * i]` into steps of one
        pointer, it forgets that this points into an argument, takes the function for one without
        effects, and drops its calls.
        """
        return self._helper(("apart",), "APART", _APART)

    def shuffles(self) -> str:
        """What is defined where two vectors are shuffled at once: clang does by constants only, and
        without AVX-512 it takes as long as to fetch each cell (1.1 times, with AVX2)."""
        return self._helper(("shuffles",), "SHUFFLES", _SHUFFLES)

    def look_up(self, kind: ElementType) -> str:
        """`to[k] = row[at[k]]` for eight k, of a row of 8 to 16 `cells` of four bytes."""
        parts = {"shuffles": self.shuffles(), "type": kind.c_name}
        return self._helper(("look_up", kind), self._name("look_up", kind), _LOOK_UP, **parts)

    def math(self, call: Call) -> str:
        """The C math function of a call.

        Raises PolynbError for any other function, and for a wrong number of arguments.
        """
        function = MATH_FUNCTIONS.get(call.function)
        if function is None:
            written = definition(call.function, len(call.arguments), call.span)
            raise mistake("c.no-definition", call.span, call=call, written=written)
        if len(call.arguments) != len(function.arguments):
            raise mistake(
                "c.math-arguments",
                call.span,
                call=call,
                wanted=len(function.arguments),
                count=len(call.arguments),
            )
        self.headers.add(function.header)
        if self.for_kernel and depends_on_library(function.name):
            self._constant(function)
        return function.name

    def _constant(self, f: MathFunction) -> None:
        """Say that a function of a library depends on nothing but its arguments: compilers that
        are to leave its calls in place do not know, and would repeat one that no iteration of a
        loop changes in each. (Of camera pipe's tone curve that was half the time.)"""
        if ("constant", f.name) not in self._known:
            self._known["constant", f.name] = f.name
            arguments = ", ".join(t.c_name for t in f.arguments)
            text = _CONSTANT.format(result=f.result.c_name, name=f.name, arguments=arguments)
            self.texts.append(text)

    def defined(self, function: Define, kinds: tuple[ElementType, ...], write: Print) -> str:
        """A defined function for arguments of these types: as if its body stood in place."""
        key = ("define", function.name, kinds)
        if key not in self._known:
            name = self._known[key] = self.names.function(function.name)
            self.texts.append(write(function, kinds, name))
        return self._known[key]


def iterations_text(first: str, last: str, step: int) -> str:
    """How many iterations a loop has, if any."""
    if abs(step) == 1:
        return f"{last} - {first} + 1" if step > 0 else f"{first} - {last} + 1"
    distance = f"{last} - {first}" if step > 0 else f"{first} - {last}"
    return f"({distance} + {abs(step)}) / {abs(step)}"
