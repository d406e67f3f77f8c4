"""A record of an attempt to prove two programs equal: obligations as steps, in words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from polynb import isl
from polynb.derivation import Step
from polynb.proofs.comparing import Obligation
from polynb.proofs.nodes import Read, ValueNode
from polynb.proofs.sides import Side
from polynb.proofs.steps import Compared, Done, Guess, Widened

LONGEST: Final = 400
"""Characters of an expression."""


class Recorder:
    """`steps` are what was done so far; `typed` is what is not said of parameters."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.typed: isl.Set | None = None
        self._numbers: dict[tuple[object, ...], int] = {}
        self._texts: dict[ValueNode, str] = {}

    def begun(self, widening: str) -> None:
        self._numbers.clear()
        self.steps.append(Guess(widening))

    def known(self, o: Obligation, assumed: isl.Map, circle: bool) -> None:
        """Nothing is new about an obligation, perhaps one of a recurrence."""
        done: Done = "closed" if circle else "assumed"
        self.steps.append(Compared(**self._pair(o, assumed), done=done))

    def widened(self, o: Obligation, assumed: isl.Map) -> None:
        self.steps.append(Widened(**self._pair(o, assumed)))

    def compared(self, o: Obligation, assumed: isl.Map, made: Sequence[Obligation]) -> None:
        follows = tuple((self._number(x), self._shown(x.relation)) for x in made)
        self.steps.append(Compared(**self._pair(o, assumed), done=_done(o), follows=follows))

    def unequal(self, o: Obligation, assumed: isl.Map) -> None:
        self.steps.append(Compared(**self._pair(o, assumed), done="unequal"))

    def _number(self, o: Obligation) -> int:
        return self._numbers.setdefault((o.first.key, o.second.key), len(self._numbers) + 1)

    def _pair(self, o: Obligation, assumed: isl.Map) -> dict[str, Any]:
        a, b = o.first, o.second
        return {
            "number": self._number(o),
            "first": self._in_words(a),
            "second": self._in_words(b),
            "accesses": (_at(a), _at(b)),
            "relation": self._shown(o.relation),
            "assumed": self._shown(assumed),
        }

    def _in_words(self, s: Side) -> str:
        """A side as C writes it: `(float)(A[i - 1] + B[i])`."""
        text = self._text(s.node)
        for t in s.types[1:]:
            text = f"({t.name}){text}"
        return text

    def _text(self, node: ValueNode) -> str:
        """Of a node and all that it is made of, each once; long texts are cut."""
        stack = [node]
        while stack:
            x = stack[-1]
            todo = [y for y in x.operands if y not in self._texts]
            stack.extend(todo)
            if not todo:
                text = _text(stack.pop(), [self._texts[y] for y in x.operands])
                self._texts[x] = text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
        return self._texts[node]

    def _shown(self, relation: isl.Map) -> isl.Map:
        return relation if self.typed is None else relation.gist_params(self.typed)


def _done(o: Obligation) -> Done:
    ops = o.first.node.op, o.second.node.op
    if "pick" in ops:
        return "picked"
    if "read" in ops:
        return "looked through"
    return "operands" if o.first.node.operands else "inputs"


def _at(s: Side) -> tuple[str, int | None]:
    return s.node.statement, s.node.what.number if s.node.op == "read" else None


def _text(node: ValueNode, parts: Sequence[str]) -> str:
    match node.op:
        case "read" | "initial":
            read: Read = node.what
            inside = read.cells.gist_domain(node.home.domain)
            cell = read.array + "".join(f"[{x}]" for x in _targets(inside))
            return cell if node.op == "read" else f"{cell} at first"
        case "whole":
            (value,) = _targets(isl.Map.from_pw_aff(node.what.gist(node.home.domain)))
            return value
        case "float":
            return repr(float.fromhex(node.what))
        case "convert":
            return f"({node.type.name}){parts[0]}"
        case "call":
            return f"{node.what}({', '.join(parts)})"
        case "pick" | "select":
            condition = [str(node.what)] if node.op == "pick" else []
            first, then, otherwise = (*condition, *parts)
            return f"({first} ? {then} : {otherwise})"
        case "load" | "store" | "undefined":
            return f"{node.op}({', '.join(parts)})"
    return f"({f' {node.op} '.join(parts)})" if len(parts) > 1 else f"{node.op}{parts[0]}"


def _targets(m: isl.Map) -> list[str]:
    """Where a function leads, a text for each dimension; of several pieces, `...`."""
    tuples = re.findall(r"-> \w*\[([^\[\]]*)\]", str(m))
    if len(tuples) != 1:
        return ["..."] * m.dim(isl.OUT)
    return [re.sub(r"^\((.*)\)$", r"\1", x.strip()) for x in tuples[0].split(",")]
