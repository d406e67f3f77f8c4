"""Moves, unfolded into frames: the program before and after each, its instances in the new order,
and, of an illegal one, those that collide."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from polynb import isl
from polynb.scop.witness import Instance, Witness
from polynb.show.trace.builder import TraceBuilder
from polynb.show.trace.format import Frame, OverlayJson, statement_id
from polynb.show.trace.unfolding import phase, relations_of, unfold
from polynb.violations.steps import Moved, NotReached

SECTION: Final = "4.3"
ROLES: Final[Mapping[str, str]] = {
    "write": "source", "read": "target", "other": "writer", "source": "source", "target": "target",
}  # fmt: skip
"""What the instances of a witness are to the stepper."""


phase.register(Moved, lambda step, builder: str(step.move))
phase.register(NotReached, lambda step, builder: str(step.move))


@relations_of.register
def _(step: Moved) -> tuple[list[isl.Map], list[isl.Map]]:
    """The values of a witness are to be those that are shown."""
    found = step.verdict.witness
    return ([_pair(found)] if found is not None and found.parameters else []), []


def _pair(witness: Witness) -> isl.Map:
    """`{ S[1, 2] -> T[3] : N = 2 }`, two of the instances of a witness."""
    first, *_, last = witness.instances.values()
    names = ", ".join(witness.parameters)
    values = " and ".join(f"{n} = {v}" for n, v in witness.parameters.items())
    return isl.read_map(f"[{names}] -> {{ {_tuple(first)} -> {_tuple(last)} : {values} }}")


def _tuple(i: Instance) -> str:
    return f"{i.statement}[{', '.join(map(str, i.point))}]"


@unfold.register
def _(step: Moved, builder: TraceBuilder) -> Iterator[Frame]:
    before = builder.program
    builder.turn(step.program)
    frame = builder.frame(step, section=SECTION, order=True)
    builder.beside(before, frame)
    found = step.verdict.witness
    if found is not None and _is_shown(found, builder):
        roles = {ROLES[role]: i for role, i in found.instances.items()}
        said = step.verdict.obstacles[0]
        as_drawn = Witness(found.parameters, roles)
        frame["witness"] = builder.witness(as_drawn, step.verdict.arrays[0], said, blocks=True)
        frame["marks"] = list(dict.fromkeys(statement_id(n) for n in found.statements))
        frame["overlays"] = [_overlay(found, builder)]
    yield frame


def _is_shown(witness: Witness, builder: TraceBuilder) -> bool:
    """Whether its instances are there at the values that are shown."""
    spaces = builder.scene.spaces
    same = all(builder.values.get(n) == v for n, v in witness.parameters.items())
    return same and all(
        i.statement in spaces and i.point in spaces[i.statement].points
        for i in witness.instances.values()
    )


def _overlay(witness: Witness, builder: TraceBuilder) -> OverlayJson:
    """The arrow between the two instances that are in each other's way."""
    return builder.scene.overlay("violated", "in each other's way", _pair(witness), ())


@unfold.register
def _(step: NotReached, builder: TraceBuilder) -> Iterator[Frame]:
    yield builder.frame(step, section=SECTION)
