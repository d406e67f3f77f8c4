"""What the formats of `printf` and `scanf` say about the arguments after them."""

from __future__ import annotations

import re
from typing import Final

from polynb.tracing.library import Touched, reads, string, writes

_DIRECTIVE: Final = re.compile(
    r"%(?P<flags>[-+ #0']*)(?P<width>\*|\d+)?(?P<precision>\.(?:\*|-?\d*))?"
    r"(?P<length>hh|h|ll|l|j|z|t|L|q|m)?(?P<what>[a-zA-Z%])"
)
_SCANNED: Final = re.compile(
    r"%(?P<skip>\*)?(?P<width>\d+)?(?P<length>hh|h|ll|l|j|z|t|L|q|m)?"
    r"(?P<what>[a-zA-Z%]|\[\^?\]?[^\]]*\])"
)


def printed_strings(form: str, first: int) -> tuple[Touched, ...] | None:
    """What printing by a format reads (and `%n` writes) through its arguments, which begin with
    number `first`. None where the format is not understood."""
    found, k, end = [], first, 0
    for d in _DIRECTIVE.finditer(form):
        if "%" in form[end : d.start()]:
            return None
        end = d.end()
        k += (d["width"] == "*") + ((d["precision"] or "") == ".*")
        if d["what"] == "%":
            continue
        if d["what"] == "s" and d["length"]:
            return None  # wide characters
        if d["what"] == "s" and d["precision"] is not None:
            most = f"${k - 1}" if d["precision"] == ".*" else d["precision"][1:] or "0"
            found.append(reads(k, f"pn_first(${k}, {most})"))
        elif d["what"] == "s":
            found.append(string(k))
        elif d["what"] == "n":
            found.append(writes(k, f"sizeof *${k}"))
        k += 1
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
