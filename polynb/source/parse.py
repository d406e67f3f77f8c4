"""Text -> syntax tree, whatever language it is in."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Final, Literal

from polynb.errors import Edit, PolynbError, Source, Span, refuse_halves
from polynb.source.functions import EXTREMA, MATH_FUNCTIONS
from polynb.source.mistakes import Words, mistake, table
from polynb.source.scoplang.comments import COMMENT, blanked
from polynb.source.tree import Program

LANGUAGES = ("auto", "scop", "c")

# What only one of the languages has. `for i =`, `input A` and the like are no C, `{`, `for (`
# and `#` no SCoP language.
_SCOP = re.compile(
    r"(?:^|;)\s*(?:param|assume|input|output|inout|temp|define|let)\s+[A-Za-z_]"
    r"|\bfor\s+[A-Za-z_]\w*\s*="
    r"|\b(?:then|fi|done)\b(?!\s*[\[=;,)])",
    re.MULTILINE,
)
_C = re.compile(
    r"^\s*#\s*\w|[{}]|\bfor\s*\(|\bwhile\s*\(|\+\+|--\s*[;)]|[-+*/%&|^]=(?!=)"
    r"|\b(?:int|long|short|char|unsigned|signed|void|const|static|return|restrict)\b",
    re.MULTILINE,
)


def parse_program(text: str | Source, language: str = "auto", name: str = "kernel") -> Program:
    """The syntax tree of a program in the SCoP language ("scop") or in C ("c").

    `name` is the program's name where the text does not have one. Raises PolynbError, with a
    caret into the text, for anything that is no program, and for a language of another name.
    """
    if language not in LANGUAGES:
        raise mistake("scop.language", None, language=language, languages=", ".join(LANGUAGES))
    source = text if isinstance(text, Source) else Source(text)
    refuse_halves(source)
    if not COMMENT.sub(" ", source.text).strip():
        raise mistake("scop.empty", Span(source, 0, 0))
    found = detect(source.text) if language == "auto" else language
    try:
        return _read(source, found, name)
    except PolynbError as error:
        raise _recognised(source, found) or error from None


def _read(source: Source, language: str, name: str) -> Program:
    if language == "c":
        from polynb.source.c.parser import parse_c

        return parse_c(source, name)
    from polynb.source.scoplang.parser import parse_scop

    return parse_scop(source, name)


def detect(text: str) -> Literal["scop", "c"]:
    """Which of the two languages a text is in: that of the first thing that the other has not."""
    code = COMMENT.sub(lambda m: " " if "\n" not in m.group() else "\n", text)
    scop, c = _SCOP.search(code), _C.search(code)
    if c is None:
        return "scop"
    return "scop" if scop is not None and scop.start() <= c.start() else "c"


# What was written in another language: Python, numpy, and what both languages here do without.


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


@cache
def _patterns(language: str) -> Mapping[str, re.Pattern[str]]:
    """Where the rows of the table are looked for in a text that is read as of that language."""
    rows = {name: row["where"] for name, row in table("foreign").items() if "where" in row}
    own = {name: x if isinstance(x, str) else x.get(language) for name, x in rows.items()}
    return {name: re.compile(x, re.MULTILINE) for name, x in own.items() if x is not None}


def _recognised(source: Source, language: str) -> PolynbError | None:
    """The error for the first thing of another language in a text that is no program; None if there
    is nothing of the sort."""
    code = blanked(source.text)
    found = [(m, row) for row, p in _patterns(language).items() if (m := p.search(code))]
    if not found:
        return None
    match, row = min(found, key=lambda x: x[0].start())
    words = _WORDS[row](source, match) if row in _WORDS else {}
    span = Span(source, *match.span("what"))
    return mistake(f"foreign.{row}", span, **{**match.groupdict(), **words})


# -- what the sentences say besides the parts of a match ----------------------------------------


def _range(source: Source, match: re.Match[str]) -> Words:
    """`for i in range(...)`: the same loop as it is written here."""
    bounds = [a.strip() for a in match["bounds"].split(",")]
    first, last = ("0", bounds[0]) if len(bounds) == 1 else (bounds[0], bounds[1])
    step = bounds[2] if len(bounds) > 2 else "1"
    last = _beside(last, 1 if step.startswith("-") else -1)
    return {"first": first, "last": last, "by": "" if step == "1" else f" by {step}"}


def _c_loop(source: Source, match: re.Match[str]) -> Words:
    """C's head of a loop in a text of the SCoP language: the same loop as it is written here."""
    bound, down = match["bound"].strip(), match["sign"].startswith(">")
    last = bound if match["sign"].endswith("=") else _beside(bound, 1 if down else -1)
    return {"last": f"{last} by -1" if down else last}


def _beside(bound: str, offset: int) -> str:
    """The last value before a bound that is excluded."""
    if re.fullmatch(r"-?\d+", bound):
        return str(int(bound) + offset)
    simple = re.fullmatch(r"\w+", bound)
    return f"{bound if simple else f'({bound})'}{'+' if offset > 0 else '-'}1"


def _numpy(source: Source, match: re.Match[str]) -> Words:
    """`np.sqrt(x)`, `math.pi`."""
    name = match["name"]
    known = _NUMPY.get(name, name)
    called = match["call"] and (known in MATH_FUNCTIONS or known in EXTREMA)
    here = known if called else _CONSTANTS.get(name) if not match["call"] else None
    library = "numpy" if match["what"].startswith(("np", "numpy")) else "Python"
    if here is None:
        return {
            "library": library,
            "way": f"a loop over the cells: `{table('foreign')['words']['loop']}`",
        }
    return {
        "library": library,
        "way": f"`{here}`",
        "fix": [Edit(Span(source, *match.span("what")), here)],
    }


def _power(source: Source, match: re.Match[str]) -> Words:
    """`A[i]**2`"""
    start, end = match.span("what")
    base, exponent = _BASE.search(source.text[:start]), _EXPONENT.match(source.text, end)
    if base is None or exponent is None:
        return {"call": "pow(x, 2)"}
    call = f"pow({_bare(base.group().strip())}, {_bare(exponent[1])})"
    return {"call": call, "fix": [Edit(Span(source, base.start(), exponent.end()), call)]}


def _bare(operand: str) -> str:
    """Without parentheses around all of it."""
    inner = operand[1:-1]
    whole = operand.startswith("(") and operand.endswith(")") and inner.find(")") < 0
    return inner if whole else operand


_WORDS: Final[dict[str, Callable[[Source, re.Match[str]], Words]]] = {
    "range": _range,
    "c-loop": _c_loop,
    "numpy": _numpy,
    "power": _power,
    "block": lambda source, match: {"word": match["word"] or "else"},
    "size": lambda source, match: {"name": match["what"].strip("( ")},
    "commas": lambda source, match: {"head": match["what"].replace(",", ";")},
}
