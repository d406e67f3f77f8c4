"""What the formats of `printf` and `scanf` say about the arguments after them."""

from __future__ import annotations

import re
from itertools import count
from typing import Final

from polynb.tracing.library import Touched, reads, string, writes

_DIRECTIVE: Final = re.compile(
    r"%(?P<at>[1-9]\d*\$)?(?P<flags>[-+ #0']*)(?P<width>\*(?:\d+\$)?|\d+)?"
    r"(?P<precision>\.(?:\*(?:\d+\$)?|-?\d*))?"
    r"(?P<length>hh|h|ll|l|j|z|t|L|q|m)?(?P<what>[a-zA-Z%])"
)
_SCANNED: Final = re.compile(
    r"%(?P<skip>\*)?(?P<width>\d+)?(?P<length>hh|h|ll|l|j|z|t|L|q|m)?"
    r"(?P<what>[a-zA-Z%]|\[\^?\]?[^\]]*\])"
)


def printed_strings(form: str, first: int) -> tuple[Touched, ...] | None:
    """What printing by a format reads (and `%n` writes) through its arguments, which begin with
    number `first`. None where the format is not understood."""
    found, end, following = list[Touched](), 0, count(first)

    def number(text: str) -> int:
        """The argument that `2$` names, or else the next one."""
        named = re.search(r"(\d+)\$", text)
        return first + int(named[1]) - 1 if named else next(following)

    for d in _DIRECTIVE.finditer(form):
        if "%" in form[end : d.start()] or d["what"] == "m":
            return None
        end, precision = d.end(), d["precision"]
        if "*" in (d["width"] or ""):
            number(d["width"])
        most = f"${number(precision)}" if "*" in (precision or "") else (precision or "")[1:]
        if d["what"] == "%":
            continue
        k = number(d["at"] or "")
        if d["what"] == "S" or (d["what"] == "s" and d["length"]):
            return None  # wide characters
        if d["what"] == "s":
            read = string(k) if precision is None else reads(k, f"pn_first(${k}, {most or '0'})")
            found.append(read)
        elif d["what"] == "n":
            found.append(writes(k, f"sizeof *${k}"))
    return None if "%" in form[end:] else tuple(found)


def scanned_places(form: str, first: int) -> tuple[Touched, ...] | None:
    """What scanning by a format writes through its arguments, which begin with number `first`. None
    where the format is not understood."""
    found, k, end, before = [], first, 0, 0
    for d in _SCANNED.finditer(form):
        if "%" in form[end : d.start()] or d["length"] == "m":
            return None
        end = d.end()
        if d["what"] == "%" or d["skip"]:
            continue
        many = d["what"][0] in "s["
        size = f"pn_text(${k})" if many else f"sizeof *${k}"
        size = (d["width"] or "1") if d["what"] == "c" else size
        written = before if d["what"] == "n" else before + 1
        found.append(writes(k, f"$r >= {written} ? {size} : 0"))
        before, k = written, k + 1
    return None if "%" in form[end:] else tuple(found)
