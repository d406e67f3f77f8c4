"""Whether a learner's answer to a question of a trace is right; the front end says the same."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any, Final

from polynb.show.trace.format import IteratorQuestionJson, QuestionJson, VerdictQuestionJson

BINARY: Final[Mapping[type[ast.operator], Callable[[int, int], int]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.floordiv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
CALLS: Final[Mapping[str, Callable[..., int]]] = {
    "floord": operator.floordiv,
    "mod": operator.mod,
    "min": min,
    "max": max,
}

SIGNS: Final = str.maketrans("−–·×", "--**")
"""As they are copied from a text."""


def right(question: QuestionJson, answer: Any) -> bool:
    """Judge an answer as it stands in `Stepper.answers`; nonsense is wrong, not an error."""
    match question["kind"]:
        case "pairs":
            return isinstance(answer, list) and sorted(answer) == sorted(question["answer"])
        case "verdict":
            return isinstance(answer, Mapping) and _verdict(question, answer)
        case "iterator":
            return isinstance(answer, str) and _iterator(question, answer)
    return bool(answer == question["answer"])


def _verdict(question: VerdictQuestionJson, answer: Mapping[str, Any]) -> bool:
    """A "no" must be proved by an instance, where there are any."""
    if answer.get("verdict") is not question["answer"]:
        return False
    witnesses = question.get("witnesses", [])
    return question["answer"] or not witnesses or answer.get("witness") in witnesses


def _iterator(question: IteratorQuestionJson, text: str) -> bool:
    try:
        tree = ast.parse(text.translate(SIGNS).strip(), mode="eval").body
        return all(_value(tree, s["values"]) == s["result"] for s in question["samples"])
    except (SyntaxError, ValueError, KeyError, TypeError, ZeroDivisionError, RecursionError):
        return False


def _value(e: ast.expr, values: Mapping[str, int]) -> int:
    """What an expression of integers, names, + - * / % and calls comes to; `/` rounds down.
    Raises ValueError for anything else."""
    match e:
        case ast.Constant(value=int(v)):
            return v
        case ast.Name(id=name):
            return values[name]
        case ast.UnaryOp(op=ast.USub(), operand=x):
            return -_value(x, values)
        case ast.UnaryOp(op=ast.UAdd(), operand=x):
            return _value(x, values)
        case ast.BinOp(left=a, op=op, right=b) if type(op) in BINARY:
            return BINARY[type(op)](_value(a, values), _value(b, values))
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in CALLS:
            return CALLS[name](*(_value(a, values) for a in args))
    raise ValueError("not an expression of iterators and parameters")
