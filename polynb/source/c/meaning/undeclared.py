"""What to do about a name that a C function uses and nothing declares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile
from typing import NoReturn

from polynb.errors import Edit, Span
from polynb.source.c.read.tokens import Token
from polynb.source.mistakes import mistake
from polynb.source.typos import meant_by_unknown


@dataclass(frozen=True, eq=False)
class ArgumentList:
    """The tokens of a function's arguments, from the `(` to the `)`."""

    tokens: Sequence[Token]

    def added(self, declaration: str, *, last: bool = False) -> list[Edit]:
        """The text with one more argument: before the others, whose extents may need it, or after
        them, whose names its own extents may need."""
        opening, *inside, closing = (t.span for t in self.tokens)
        source = opening.source
        if len(inside) < 2:  # `(void)`, `()`
            return [Edit(Span(source, opening.end, closing.start), declaration)]
        if last:
            return [Edit(Span(source, inside[-1].end, inside[-1].end), f", {declaration}")]
        return [Edit(Span(source, opening.end, opening.end), f"{declaration}, ")]

    def moved(self, name: str) -> tuple[str, list[Edit]] | None:
        """An argument of that name, and the text with it before the others; None if there is
        none, or it is the first."""
        commas = [k for k, t in enumerate(self.tokens) if t.text == ","]
        for first, end in pairwise([*commas, len(self.tokens) - 1]):
            one = self.tokens[first + 1 : end]
            names = list(takewhile(lambda t: t.text != "[", one))
            if len(one) > 1 and [t.text for t in names if t.kind == "name"][-1:] == [name]:
                source, stop = one[0].span.source, one[-1].span.end
                declaration = source.text[one[0].span.start : stop]
                removed = Edit(Span(source, self.tokens[first].span.start, stop), "")
                return declaration, [*self.added(declaration), removed]
        return None


def refuse_undeclared(
    name: str,
    span: Span,
    *,
    rank: int,
    integer: bool,
    known: Mapping[str, int | None],
    arguments: ArgumentList | None,
) -> NoReturn:
    """Refuse a name. `rank` is the number of subscripts it is used with, `integer` whether it
    stands where only integers may; `known` are the names there are, and their ranks."""
    other = meant_by_unknown(name, [n for n, r in known.items() if r is None or r == rank])
    declaration = f"{'int' if integer and not rank else 'double'} {name}{'[n]' * rank}"
    hint, fix = f"an argument such as `{declaration}`", list[Edit]()
    moved = arguments.moved(name) if arguments is not None and integer and not rank else None
    if other is not None:
        hint, fix = f"did you mean {other}? If not, {hint}", [Edit(span, other)]
    elif moved is not None:
        declaration, fix = moved
        hint = f"`{declaration}` before the arguments that need it"
    elif arguments is not None and (not rank or "n" in known):
        fix = arguments.added(declaration, last=bool(rank))
    if not rank and moved is None:
        hint += f", or `#define {name} ...`"
    raise mistake("c.undeclared", span, fix=fix, name=name, hint=hint)
