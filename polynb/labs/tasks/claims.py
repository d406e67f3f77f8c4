"""What a student writes to name instances: `write S(0, 1), read T(1), N = 2`."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final

from polynb.arguments import shown
from polynb.errors import PolynbError, Source, Span
from polynb.scop.witness import Instance
from polynb.words import counted

_PART: Final = re.compile(
    r"\s*(?:(?P<name>[A-Za-z_]\w*)\s*=\s*(?P<value>[-−]?\d+)"
    r"|(?P<role>[A-Za-z_-]+)\s*:?\s+(?P<statement>[A-Za-z_]\w*)\s*"
    r"[\[(]\s*(?P<point>(?:[-−]?\d+\s*,?\s*)*)[\])])\s*(?:,|;|and\b|$)"
)
LONGEST: Final = 20
"""Characters of a number."""
NOTHING: Final = "this names no instance and no size"


@dataclass(frozen=True)
class Claim:
    """Instances by their roles, at parameter values."""

    instances: Mapping[str, Instance]
    values: Mapping[str, int]


def claim(
    answer: Any, roles: Collection[str], dims: Mapping[str, int], parameters: Collection[str]
) -> Claim:
    """What a text names, with all roles and parameters. Raises PolynbError, at the place."""
    example = _example(roles, dims, parameters)
    if not isinstance(answer, str):
        raise PolynbError(f"the answer must be a text, not {shown(answer)}", hint=example)
    source, at = Source(answer, "answer"), 0
    instances: dict[str, Instance] = {}
    values: dict[str, int] = {}
    while answer[at:].strip():
        part = _PART.match(answer, at)
        if part is None:
            rest = Span(source, at + len(answer[at:]) - len(answer[at:].lstrip()), len(answer))
            comma = any(_PART.match(answer, k) for k in range(at + 1, len(answer)))
            said = "a part is not as it should be, or has no comma" if comma else NOTHING
            raise PolynbError(said, span=rest, hint=example)
        if part["name"]:
            _known(part["name"], "parameter", parameters, Span(source, *part.span("name")))
            _once(part["name"], values, Span(source, *part.span("name")))
            values[part["name"]] = _number(part["value"], Span(source, *part.span("value")))
        else:
            role, instance = _instance(part, source, roles, dims)
            _once(role, instances, Span(source, *part.span("role")))
            instances[role] = instance
        at = part.end()
    for what, given, wanted in (("role", instances, roles), ("parameter", values, parameters)):
        missing = [name for name in wanted if name not in given]
        if missing:
            raise PolynbError(f"the answer does not say the {what} {missing[0]}", hint=example)
    return Claim(instances, values)


def _instance(
    part: re.Match[str], source: Source, roles: Collection[str], dims: Mapping[str, int]
) -> tuple[str, Instance]:
    _known(part["role"], "role", roles, Span(source, *part.span("role")))
    place = Span(source, *part.span("statement"))
    _known(part["statement"], "statement", dims, place)
    point = tuple(_number(x, place) for x in re.findall(r"[-−]?\d+", part["point"]))
    wanted = dims[part["statement"]]
    if len(point) != wanted:
        raise PolynbError(
            f"{part['statement']} stands in {counted(wanted, 'loop')}, "
            f"and this names {counted(len(point), 'value')}",
            span=place,
        )
    return part["role"], Instance(part["statement"], point)


def _number(text: str, span: Span) -> int:
    if len(text) > LONGEST:
        raise PolynbError("this number is very large", span=span, hint="a smaller example")
    return int(text.replace("−", "-"))


def _once(word: str, there: Collection[str], span: Span) -> None:
    if word in there:
        raise PolynbError(f"{word} stands here twice", span=span, hint="one witness")


def _known(word: str, what: str, known: Collection[str], span: Span) -> None:
    if word not in known:
        several = f"one of {', '.join(known)}" if known else "the program has none"
        raise PolynbError(f"there is no {what} {word}", span=span, hint=several)


def _example(roles: Collection[str], dims: Mapping[str, int], parameters: Collection[str]) -> str:
    name, number = next(iter(dims.items()))
    at = f"{name}({', '.join('0' * number)})"
    return ", ".join([*(f"{r} {at}" for r in roles), *(f"{p} = 3" for p in parameters)])
