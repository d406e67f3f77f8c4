"""Comments of the SCoP language, and the labels that some of them are."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from polynb.errors import Edit, PolynbError, Source, Span
from polynb.source.mistakes import mistake
from polynb.source.names import is_name, unused

COMMENT = re.compile(r"//[^\r\n]*|/\*.*?(\*/|\Z)", re.DOTALL)
"""In both languages."""
_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, eq=False)
class Comments:
    """A text without its comments: `code` has blanks in their places (so that positions are
    those of the text), `labels` are the `// name` comments, in order."""

    code: str
    labels: tuple[Span, ...]


def blanked(text: str) -> str:
    """A text with blanks in the places of its comments."""
    return COMMENT.sub(lambda m: _blank(m.group()), text)


def _blank(comment: str) -> str:
    return re.sub(r"[^\r\n]", " ", comment)


def without_comments(source: Source) -> Comments:
    """Raises PolynbError for a `/*` that is never closed."""
    labels: list[Span] = []

    def blank(found: re.Match[str]) -> str:
        text = found.group()
        if text.startswith("/*") and found.group(1) == "":
            start = Span(source, found.start(), found.start() + 2)
            end = Span(source, len(source.text), len(source.text))
            fix = [Edit(end, " */")]
            raise mistake("scop.comment-open", start, fix=fix)
        name = text[2:].strip()
        if text.startswith("//") and is_name(name):
            start_of_name = found.start() + text.index(name, 2)
            labels.append(Span(source, start_of_name, start_of_name + len(name)))
        return _blank(text)

    return Comments(COMMENT.sub(blank, source.text), tuple(labels))


def trailing_labels(
    labels: Sequence[Span],
    assignments: Sequence[tuple[int, int]],
    heads: Sequence[tuple[int, int]],
) -> Mapping[int, Span]:
    """Start of an assignment -> the comment that labels it.

    A comment labels the assignment it stands in, else the last one that ends before it in its
    line. In the lines of a `for ... do` it is no label. `assignments` and `heads` are ranges of
    offsets in textual order. Raises PolynbError for a second, different comment.
    """
    if not labels:
        return {}
    lines = _Lines(labels[0].source.text)
    loops = {n for start, end in heads for n in range(lines.of(start), lines.of(end - 1) + 1)}
    starts = [start for start, _ in assignments]
    found: dict[int, Span] = {}
    for label in labels:
        k = bisect_right(starts, label.start) - 1
        line = lines.of(label.start)
        if k < 0 or line in loops:
            continue
        start, end = assignments[k]
        if end <= label.start and lines.of(end - 1) != line:
            continue
        if start in found and found[start].text != label.text:
            raise two_labels(found[start].text, label)
        found.setdefault(start, label)
    return found


def two_labels(first: str, second: Span) -> PolynbError:
    """The error for a statement that two labels name."""
    return mistake("scop.two-labels", second, first=first, second=second)


def check_unique(label: Span, known: dict[str, Span]) -> None:
    """Raises PolynbError if an earlier statement has the label; else notes it in `known`."""
    first = known.setdefault(label.text, label)
    if first is not label:
        other = unused(label.text, known)
        raise mistake("scop.label-twice", label, label=label, first=first, other=other)


class _Lines:
    """Offsets -> line numbers (from 0)."""

    def __init__(self, text: str) -> None:
        self.starts = [0, *(m.end() for m in _LINE_END.finditer(text))]

    def of(self, offset: int) -> int:
        return bisect_right(self.starts, offset) - 1
