"""What integer expressions are at least, from what is known of iterators and parameters."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass, field

from polynb.source.normal_form import conjuncts
from polynb.source.tree import Binary, Call, Expr, For, Iterator, Number, Parameter


@dataclass(frozen=True, eq=False)
class LowerBounds:
    """Least values of iterators and parameters, by name (a name is either, never both)."""

    known: dict[str, int] = field(default_factory=dict)

    @staticmethod
    def of_parameters(assumptions: Iterable[Expr]) -> LowerBounds:
        """What conditions such as `N >= 3` say."""
        known: dict[str, int] = {}
        for a in assumptions:
            match a:
                case Binary(
                    op=">=" | ">" | "==" as op, left=Parameter(name=n), right=Number(value=v)
                ):
                    least = int(v) + (op == ">")
                    known[n] = max(known.get(n, least), least)
        return LowerBounds(known)

    def enter(self, loop: For) -> None:
        """The loop's iterator takes values from its lower bound on (down to its upper bound)."""
        least = self.least(loop.lower if loop.step > 0 else loop.upper)
        self.leave(loop)
        if least is not None:
            self.known[loop.iterator] = least

    def leave(self, loop: For) -> None:
        self.known.pop(loop.iterator, None)

    @contextmanager
    def where(self, condition: Expr) -> Generator[None]:
        """Inside, the condition is known to hold: of a conjunction all of its parts."""
        before = dict(self.known)
        for part in conjuncts(condition):
            match part:
                case Binary(
                    op=">=" | ">" | "==" as op,
                    left=Iterator(name=n) | Parameter(name=n),
                    right=right,
                ):
                    least = self.least(right)
                    if least is not None:
                        least += op == ">"
                        self.known[n] = max(self.known.get(n, least), least)
        try:
            yield
        finally:
            self.known.clear()
            self.known.update(before)

    def at_least(self, e: Expr, value: int) -> bool:
        least = self.least(e)
        return least is not None and least >= value

    def least(self, e: Expr) -> int | None:
        """A lower bound of an expression; None if nothing is known."""
        match e:
            case Number(value=int(v)):
                return v
            case Iterator(name=n) | Parameter(name=n):
                return self.known.get(n)
            case Binary(op="+", left=a, right=b):
                x, y = self.least(a), self.least(b)
                return None if x is None or y is None else x + y
            case Binary(op="-", left=a, right=Number(value=int(v))):
                x = self.least(a)
                return None if x is None else x - v
            case Binary(op="*", left=Number(value=int(c)), right=a) if c >= 0:
                x = self.least(a)
                return None if x is None else c * x
            case Binary(op="floord", left=a, right=Number(value=int(d))) if d > 0:
                x = self.least(a)
                return None if x is None else x // d
            case Binary(op="mod", right=Number(value=int(d))) if d > 0:
                return 0
            case Call(function="max", arguments=parts):
                found = [x for p in parts if (x := self.least(p)) is not None]
                return max(found, default=None)
            case Call(function="min", arguments=parts):
                found = [x for p in parts if (x := self.least(p)) is not None]
                return min(found) if len(found) == len(parts) else None
        return None
