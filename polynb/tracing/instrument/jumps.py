"""Jumps that would make a loop without being one, or enter a loop in its middle, are refused."""

from __future__ import annotations

from typing import Any

from pycparser import c_ast

from polynb.tracing.instrument.parts import TracedText
from polynb.tracing.instrument.reading import LOOPS


def check_jumps(program: TracedText, function: Any) -> None:
    """Raises PolynbError for a `goto` backwards or into a loop, and a `case` within a loop."""
    labels: dict[str, tuple[int, ...]] = {}
    gotos: list[tuple[Any, tuple[int, ...], frozenset[str]]] = []

    def walk(node: Any, loops: tuple[int, ...], switch: tuple[int, ...] | None) -> None:
        match node:
            case c_ast.Label(name=name):
                labels[name] = loops
            case c_ast.Goto():
                gotos.append((node, loops, frozenset(labels)))
            case c_ast.Case() | c_ast.Default() if switch != loops:
                raise program.refuse(
                    "a `case` stands within a loop of its switch",
                    node,
                    "the loop would begin in its middle, without a first iteration",
                    "a loop around the switch",
                )
        if isinstance(node, LOOPS):
            loops = (*loops, id(node))
        if isinstance(node, c_ast.Switch):
            switch = loops
        for _, child in node.children():
            walk(child, loops, switch)

    walk(function.body, (), None)
    for goto, loops, before in gotos:
        target = labels.get(goto.name)
        if goto.name in before:
            raise program.refuse(
                f"`goto {goto.name}` jumps back",
                goto,
                "that is a loop without an iterator, and iteration vectors would repeat",
                "a `while` or `for` loop",
            )
        if target is not None and target != loops[: len(target)]:
            raise program.refuse(
                f"`goto {goto.name}` jumps into a loop",
                goto,
                "the loop would begin in its middle, without a first iteration",
                "the label before the loop",
            )
