"""Tables as aligned text, for commands."""

from __future__ import annotations

from collections.abc import Sequence


def aligned(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """The first column flush left, the others flush right; as wide as what they hold."""
    widths = [max(len(r[k]) for r in (head, *rows)) for k in range(len(head))]

    def line(cells: Sequence[str]) -> str:
        first, *others = zip(cells, widths, strict=True)
        return "  ".join([first[0].ljust(first[1]), *(c.rjust(w) for c, w in others)]).rstrip()

    return "\n".join(line(r) for r in (head, *rows))
