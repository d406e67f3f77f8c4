"""What was written in another language: Python, numpy, and what both languages here do without."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from polynb.errors import Edit, PolynbError, Source, Span
from polynb.source.functions import EXTREMA, MATH_FUNCTIONS

LANGUAGES: Final = "a program here is in the SCoP language or in C"
LOOP: Final = "for i = 0 to N-1 do ... done"

_COMMENT = re.compile(r"//[^\r\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_NUMPY = {
    "abs": "fabs", "absolute": "fabs", "arccos": "acos", "arcsin": "asin", "arctan": "atan",
    "arctan2": "atan2", "maximum": "max", "minimum": "min", "mod": "fmod", "power": "pow",
}  # fmt: skip
_CONSTANTS = {"pi": "3.141592653589793", "e": "2.718281828459045", "inf": "1.0/0.0"}
# An operand that ends, or begins, where `**` stands: a name or a number, with what is in brackets
# behind it, or what is in parentheses.
_BRACKETS = r"(?:\[[^\[\]]*\]|\((?:[^()]|\([^()]*\))*\))"
_BASE = re.compile(rf"(?:[\w.]+{_BRACKETS}*|{_BRACKETS}+)\s*\Z")
_EXPONENT = re.compile(rf"\s*(-?[\w.]+{_BRACKETS}*|{_BRACKETS}+)")


@dataclass(frozen=True)
class _Habit:
    """Something of another language: where it stands, and what to say of it. `strange` are the
    languages that do not have it."""

    pattern: re.Pattern[str]
    said: Callable[[Source, re.Match[str]], PolynbError]
    strange: tuple[str, ...]


def recognised(source: Source, language: str) -> PolynbError | None:
    """The error for the first thing of another language in a text that is no program; None if there
    is nothing of the sort."""
    code = _COMMENT.sub(lambda m: re.sub(r"[^\r\n]", " ", m.group()), source.text)
    return next(_errors(source, code, language), None)


def _errors(source: Source, code: str, language: str) -> Iterator[PolynbError]:
    found = [
        (m.start(), k, m)
        for k, habit in enumerate(_HABITS)
        if language in habit.strange and (m := habit.pattern.search(code))
    ]
    for _, k, match in sorted(found, key=lambda x: x[:2]):
        yield _HABITS[k].said(source, match)


# -- Python ------------------------------------------------------------------------------------


def _python(source: Source, match: re.Match[str]) -> PolynbError:
    return PolynbError(
        f"this is Python: `{match['what']}`",
        span=_place(source, match),
        reason=LANGUAGES,
        hint=f"its loops, as in `param N; {LOOP.replace('...', 'B[i] = 2 * A[i];')}`; "
        "Python goes into a cell of its own",
    )


def _range(source: Source, match: re.Match[str]) -> PolynbError:
    """`for i in range(...)`: the same loop as it is written here."""
    bounds = [a.strip() for a in match["bounds"].split(",")]
    first, last = ("0", bounds[0]) if len(bounds) == 1 else (bounds[0], bounds[1])
    step = bounds[2] if len(bounds) > 2 else "1"
    last = _beside(last, 1 if step.startswith("-") else -1)
    by = "" if step == "1" else f" by {step}"
    head = f"for {match['iterator']} = {first} to {last}{by} do"
    return PolynbError(
        "this is a loop of Python's",
        span=_place(source, match),
        reason=LANGUAGES,
        hint=f"`{head} ... done`, and `;` after every assignment",
    )


def _beside(bound: str, offset: int) -> str:
    """The last value before a bound that is excluded."""
    if re.fullmatch(r"-?\d+", bound):
        return str(int(bound) + offset)
    simple = re.fullmatch(r"\w+", bound)
    return f"{bound if simple else f'({bound})'}{'+' if offset > 0 else '-'}1"


def _over_values(source: Source, match: re.Match[str]) -> PolynbError:
    return PolynbError(
        "this is a loop of Python's",
        span=_place(source, match),
        reason="loops here run over indices",
        hint=f"`{LOOP}`, with `A[i]` in it",
    )


def _block(source: Source, match: re.Match[str]) -> PolynbError:
    word = match["what"].split()[0].rstrip(":")
    return PolynbError(
        f"this `{word}` is Python's",
        span=_place(source, match),
        reason=LANGUAGES,
        hint="`if i > 0 then ... else ... fi`",
    )


def _printed(source: Source, match: re.Match[str]) -> PolynbError:
    return PolynbError(
        "a program prints nothing",
        span=_place(source, match),
        reason="it computes arrays, and effects cannot be moved or repeated",
        hint="leave it out; a kernel gives the arrays: `pn.compile(blur)(N=100)`",
    )


def _magic(source: Source, match: re.Match[str]) -> PolynbError:
    return PolynbError(
        f"`{match['what']}` stands below the first line",
        span=_place(source, match),
        reason="a cell has one magic, in its first line",
        hint="a cell of its own",
    )


def _comment(source: Source, match: re.Match[str]) -> PolynbError:
    span = _place(source, match)
    return PolynbError(
        "this is a comment of Python's",
        span=span,
        reason=LANGUAGES,
        hint="comments begin with `//`",
        fix=[Edit(span, "//")],
    )


def _numpy(source: Source, match: re.Match[str]) -> PolynbError:
    """`np.sqrt(x)`, `math.pi`."""
    span, name = _place(source, match), match["name"]
    known = _NUMPY.get(name, name)
    called = match["call"] and (known in MATH_FUNCTIONS or known in EXTREMA)
    here = known if called else _CONSTANTS.get(name) if not match["call"] else None
    library = "numpy" if match["what"].startswith(("np", "numpy")) else "Python"
    return PolynbError(
        f"`{match['what']}` is {library}'s",
        span=span,
        reason="a program here computes cell by cell, with C's functions",
        hint=f"`{here}`" if here else f"a loop over the cells: `{LOOP}`",
        fix=[Edit(span, here)] if here else (),
    )


def _power(source: Source, match: re.Match[str]) -> PolynbError:
    """`A[i]**2`"""
    start, end = match.span("what")
    base, exponent = _BASE.search(source.text[:start]), _EXPONENT.match(source.text, end)
    call = "pow(x, 2)"
    fix: list[Edit] = []
    if base is not None and exponent is not None:
        call = f"pow({_bare(base.group().strip())}, {_bare(exponent[1])})"
        fix = [Edit(Span(source, base.start(), exponent.end()), call)]
    return PolynbError(
        "`**` is a power in Python, and here it is nothing",
        span=_place(source, match),
        reason="a power is a function, as in C",
        hint=f"`{call}`",
        fix=fix,
    )


def _bare(operand: str) -> str:
    """Without parentheses around all of it."""
    inner = operand[1:-1]
    whole = operand.startswith("(") and operand.endswith(")") and inner.find(")") < 0
    return inner if whole else operand


# -- both ----------------------------------------------------------------------------------


def _while(source: Source, match: re.Match[str]) -> PolynbError:
    return PolynbError(
        "there is no `while` in a program here",
        span=_place(source, match),
        reason="how often it runs depends on data",
        hint=f"a loop with affine bounds: `{LOOP}`",
    )


def _mixed(source: Source, match: re.Match[str]) -> PolynbError:
    return PolynbError(
        "this loop is of the SCoP language, and the text before it is C",
        span=_place(source, match),
        hint="`param N;` declares a size, without a value; or C's loop: "
        "`for (int i = 0; i <= N; i++)`",
    )


def _half_c(source: Source, match: re.Match[str]) -> PolynbError:
    return PolynbError(
        "this loop is half C, half of the SCoP language",
        span=_place(source, match),
        hint="`for (int i = 0; i <= n; i++)`, or `for i = 0 to n do ... done`",
    )


def _c_loop(source: Source, match: re.Match[str]) -> PolynbError:
    """C's head of a loop in a text of the SCoP language: the same loop as it is written here."""
    sign, bound = match["sign"], match["bound"].strip()
    down = sign.startswith(">")
    last = bound if sign.endswith("=") else _beside(bound, 1 if down else -1)
    head = f"for {match['iterator']} = {match['first'].strip()} to {last}{' by -1' * down}"
    return PolynbError(
        "this loop is C's, and the text is read as of the SCoP language",
        span=_place(source, match),
        hint=f'`{head} do ... done`; C (language="c"; of a cell, --language c) has no `param`, '
        "`temp` and `let`",
    )


def _fortran(source: Source, match: re.Match[str]) -> PolynbError:
    head = f"for {match['iterator']} = {match['first'].strip()} to {match['last'].strip()} do"
    return PolynbError(
        "this is a loop of Fortran's",
        span=_place(source, match),
        reason=LANGUAGES,
        hint=f"`{head} ... done`, and cells in brackets: `A[i]`",
    )


def _sized(source: Source, match: re.Match[str]) -> PolynbError:
    return PolynbError(
        f"`{match['what'].strip('( ')}` is not known here: arrays do not say their sizes",
        span=_place(source, match),
        hint="a size has a name: `param N;`, or `int n` in C",
    )


def _c_plus_plus(source: Source, match: re.Match[str]) -> PolynbError:
    return PolynbError(
        f"this is C++: `{match['what'].strip()}`",
        span=_place(source, match),
        reason=LANGUAGES,
        hint="C's arrays and loops: `double A[n]`, `for (int i = 0; i < n; i++)`",
    )


def _capital(source: Source, match: re.Match[str]) -> PolynbError:
    word = match["what"].lower()
    return PolynbError(
        f"`{match['what']}` is no word of C",
        span=_place(source, match),
        hint=f"small letters: `{word}`",
        fix=[Edit(_place(source, match), word)],
    )


def _commas(source: Source, match: re.Match[str]) -> PolynbError:
    head = match["what"].replace(",", ";")
    return PolynbError(
        "the parts of a loop's head are separated by `;`",
        span=_place(source, match),
        hint=f"`for {head}`",
        fix=[Edit(_place(source, match), head)],
    )


def _place(source: Source, match: re.Match[str]) -> Span:
    return Span(source, *match.span("what"))


def _habit(
    pattern: str, said: Callable[[Source, re.Match[str]], PolynbError], *strange: str
) -> _Habit:
    return _Habit(re.compile(pattern, re.MULTILINE), said, strange or ("scop", "c"))


_HABITS: Final = (
    _habit(r"^[ \t]*(?P<what>(?:async\s+)?def\s+\w+\s*\([^\n]*|class\s+\w+[^\n;]*:)", _python),
    _habit(r"^[ \t]*(?P<what>import\s+[\w., ]+|from\s+[\w.]+\s+import\b[^\n;]*)", _python),
    _habit(
        r"(?P<what>\bfor\s+(?P<iterator>\w+)\s+in\s+range\s*\("
        r"(?P<bounds>(?:[^()\n]|\([^()\n]*\))+)\)\s*:?)",
        _range,
    ),
    _habit(r"(?P<what>\bfor\s+\w+(?:\s*,\s*\w+)*\s+in\s+(?!\S+\s+to\b|[^\n;]*\.\.)"
           r"[^\n:\]]+)", _over_values),
    _habit(r"^[ \t]*(?P<what>(?:if|elif)\b[^\n;?]*:|else\s*:)[ \t]*(?:#[^\n]*)?$", _block),
    _habit(r"^[ \t]*(?P<what>%%?[A-Za-z]\w*)", _magic),
    _habit(r"(?:^|;)[ \t]*(?P<what>print\s*\()", _printed),
    _habit(r"(?P<what>(?<![<\x22\w.])(?:np|numpy|math|jnp|torch)\s*\.\s*"
           r"(?P<name>[A-Za-z_]\w*))(?P<call>\s*\()?",
           _numpy),
    _habit(r"[\w)\]][ \t]*(?P<what>\*\*)[ \t]*[-\w(]", _power, "scop"),
    _habit(r"[\w)\]][ \t]*(?P<what>\*\*)[ \t]*[-\d(]", _power, "c"),
    _habit(r"^[ \t]*(?P<what>while)\b", _while, "scop"),
    _habit(r"^[ \t]*(?P<what>while)\b(?![ \t]*\()", _while, "c"),
    _habit(r"(?:^|;)[ \t]*(?P<what>#)(?=[ \t]+(?!(?:define|undef|include|if|ifdef|ifndef|elif"
           r"|else|endif|error|pragma|line|warning)\b))", _comment),
    _habit(r"(?P<what>\bfor\s+\w+\s*=[^;(\n]*\bto\b[^;\n]*?\bdo\b)", _mixed, "c"),
    _habit(r"(?P<what>\bfor\s*\(\s*\w+\s*=[^;)\n]*\bto\b)", _half_c),
    _habit(r"(?P<what>\bfor\s*\(\s*(?:(?:int|long|let|var)\s+)?(?P<iterator>\w+)\s*=(?P<first>[^;()]+);"
           r"\s*\w+\s*(?P<sign>[<>]=?)(?P<bound>[^;()]+);[^;()]*\))", _c_loop, "scop"),
    _habit(r"^[ \t]*(?P<what>do\s+(?P<iterator>\w+)\s*=(?P<first>[^,\n]+),(?P<last>[^,\n]+))$",
           _fortran),
    _habit(r"(?P<what>\blen\s*\(|\bsizeof\s*\(|(?<=[\w\]])\.(?:length|size|shape|len)\b)", _sized),
    _habit(r"(?P<what>\bstd\s*::|\busing\s+namespace\b|\btemplate\s*<|\bcout\b|\bvector\s*<)",
           _c_plus_plus),
    _habit(r"^[ \t]*(?P<what>For|FOR|If|IF|While|WHILE)\s*\(", _capital, "c"),
    _habit(r"\bfor\s*(?P<what>\([^();]*,[^();]*,[^();]*\))", _commas, "c"),
)  # fmt: skip
