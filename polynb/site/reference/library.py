"""The library's pages: what `polynb` exports, from its docstrings, a page for each name."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import re
import textwrap
from collections.abc import Iterator, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any, Final

from polynb.site.reference.texts import heading, listed

polynb: Final = import_module("polynb")  # the public names
FOLDER: Final = "library"
PROPERTIES: Final = (property, functools.cached_property)
_ROOM: Final = re.compile(r"^    (\w+) +(.+)$", re.MULTILINE)
_MAP: Final = "The house, in the order"
_AS_WRITTEN: Final = {"delicm": "DeLICM", "isl": "isl"}  # the names that are not capitalised


def pages() -> dict[str, str]:
    """Each page's text by its name: `index.rst`, and one for each public name."""
    names = list(polynb.__all__)
    found = {f"{n}.rst": _page(n) for n in names}
    return {"index.rst": _index(names)} | found


def _index(names: list[str]) -> str:
    """The names by the rooms that they come from, in the order of the house."""
    house, prompt, example = (polynb.__doc__ or "").partition(_MAP)[2].partition(">>>")
    rooms = dict(_ROOM.findall(house))
    example = textwrap.indent(f"{prompt}{example}".rstrip(), "   ")
    parts = [heading("The library", "="), "An example first:\n\n.. code-block:: pycon\n\n", example]
    for room, does in rooms.items():
        inside = [n for n in names if _room(n) == room]
        if inside:
            rows = (f"- :doc:`{n} <{n}>`: {_said(getattr(polynb, n))}\n" for n in inside)
            about = f"{does[:1].upper()}{does[1:]}."
            title = heading(_AS_WRITTEN.get(room, room.capitalize()), "-")
            parts.append(f"\n\n{title}{about}\n\n{''.join(rows)}")
    return "".join([*parts, "\n", listed(names)])


def _said(value: Any) -> str:
    """A first sentence within a line."""
    said = escaped(first_sentence(value))
    return said[:1].lower() + said[1:] if said[:2].istitle() or said.startswith("A ") else said


def _room(name: str) -> str:
    value = getattr(polynb, name)
    module = value.__name__ if isinstance(value, ModuleType) else _home(value)
    return str(module).split(".")[1]


def _home(value: Any) -> str:
    steps = getattr(value, "steps", None)  # of a pass: the generator behind it
    return str(steps.__module__ if inspect.isroutine(steps) else value.__module__)


def first_sentence(value: Any) -> str:
    """What a docstring begins with, to its first full stop."""
    text = " ".join((inspect.getdoc(value) or "").partition("\n\n")[0].split())
    found = re.match(r"(?:`[^`]*`|[^`])*?\.(?=\s|$)", text)
    return found[0] if found else text


def _page(name: str) -> str:
    value = getattr(polynb, name)
    if isinstance(value, ModuleType):
        inside: Mapping[str, Any] = {n: getattr(value, n) for n in value.__all__}
        described = "".join(_described(f"{name}.{n}", inside[n]) for n in inside)
        return f"{heading(f'polynb.{name}', '=')}{_text(value)}\n\n{described}"
    return f"{heading(f'polynb.{name}', '=')}{_described(name, value)}"


def _described(name: str, value: Any) -> str:
    """The directive of a function, a pass or a class."""
    if inspect.isclass(value):
        members = "".join(_member(*m) for m in _members(value))
        return _directive("class", f"polynb.{name}", _text(value), members)
    if not callable(value):
        return _directive("data", f"polynb.{name}", first_sentence(type(value)))
    return _directive("function", f"polynb.{name}{_signature(value)}", _text(value))


def _members(of: type) -> Iterator[tuple[str, Any]]:
    """The public fields, properties and methods of a class that have something said of them,
    those of its bases after its own."""
    fields = {f.name: f for f in dataclasses.fields(of)} if dataclasses.is_dataclass(of) else {}
    yield from ((n, f) for n, f in fields.items() if not n.startswith("_"))
    seen = set(fields)
    for base in of.__mro__:
        if base.__module__.startswith("polynb"):
            own = {n: m for n, m in vars(base).items() if n not in seen and not n.startswith("_")}
            yield from ((n, m) for n, m in own.items() if _is_told(m))
            seen |= own.keys()


def _is_told(member: Any) -> bool:
    told = isinstance(member, PROPERTIES) or inspect.isfunction(getattr(member, "__func__", member))
    return told and bool(inspect.getdoc(member))


def _member(name: str, member: Any) -> str:
    if isinstance(member, dataclasses.Field):
        return _directive("attribute", f"{name}: {_bare(str(member.type))}", "")
    if isinstance(member, PROPERTIES):
        return _directive("property", name, _text(member))
    function = getattr(member, "__func__", member)
    option = {staticmethod: ":staticmethod:", classmethod: ":classmethod:"}.get(type(member), "")
    return _directive("method", f"{name}{_signature(function)}", _text(member), option=option)


def _signature(function: Any) -> str:
    found = inspect.signature(function)
    kept = [
        p.replace(annotation=_Annotation.of(p.annotation))
        for p in found.parameters.values()
        if p.name not in ("self", "cls")
    ]
    gives = _Annotation.of(found.return_annotation)
    return str(found.replace(parameters=kept, return_annotation=gives)).replace("\n", " ")


@dataclasses.dataclass(frozen=True)
class _Annotation:
    """A type, which prints as it is written in the source."""

    text: str

    def __repr__(self) -> str:
        return self.text

    @classmethod
    def of(cls, annotation: Any) -> Any:
        return cls(_bare(annotation)) if isinstance(annotation, str) else annotation


def _bare(annotation: str) -> str:
    return annotation.replace("_isl.", "isl.")


def _directive(kind: str, signature: str, *bodies: str, option: str = "") -> str:
    options = f"   {option}\n" if option else ""
    body = "\n\n".join(textwrap.indent(b, "   ") for b in bodies if b)
    return f".. py:{kind}:: {signature}\n{options}\n{body}\n\n"


def _text(value: Any) -> str:
    return escaped(inspect.getdoc(value) or "")


def escaped(text: str) -> str:
    """A docstring as reStructuredText: names between single backquotes are code, `**` is
    Python's."""
    parts = re.split(r"(`[^`]*`)", text)
    plain = [p if k % 2 else re.sub(r"([*|]|_\b)", r"\\\1", p) for k, p in enumerate(parts)]
    return "".join(plain)
