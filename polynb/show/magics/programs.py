"""Which program a magic works on: a variable, an attribute, or one of the gallery."""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Mapping
from contextlib import suppress
from difflib import get_close_matches
from typing import Any, Final

from polynb.dependences import Dependences
from polynb.derivation import Derivation, as_scop
from polynb.errors import Edit, PolynbError, Source
from polynb.scop.model import Scop
from polynb.show.magics.arguments import MagicLine, Word, unknown
from polynb.source.typos import meant

GALLERY: Final = "gallery:"

Program = Scop | Derivation
Namespace = Mapping[str, Any]


def find(word: Word, namespace: Namespace) -> Program:
    """The program of that name. Raises PolynbError, with names like it, if there is none."""
    if word.text.startswith(GALLERY):
        return _from_gallery(word)
    first, *attributes = word.text.split(".")
    if first not in namespace:
        known = [*program_names(namespace), *(GALLERY + n for n in _gallery_names())]
        raise _missing(word, known, namespace)
    value = namespace[first]
    for attribute in attributes:
        try:
            value = _part(value, attribute)
        except (AttributeError, IndexError, TypeError, ValueError):
            known = [n for n in dir(value) if not n.startswith("_")]
            raise unknown(
                f"{type(value).__name__} has no {attribute!r}", word.span, attribute, known
            ) from None
    if not isinstance(value, Scop | Derivation):
        what = "a function or class" if callable(value) else f"{type(value).__name__!r}"
        timed = _ours(value) and type(value).__name__ in ("Timing", "Roofline")
        raise PolynbError(
            f"{word.text} holds {what}, not a program",
            span=word.span,
            reason="%%bench binds the times of its programs" if timed else None,
            hint=f"`%%scop {word.text}`, which binds a program, or {_known_programs(namespace)}"
            if timed
            else _known_programs(namespace),
        )
    return value


def _part(value: Any, said: str) -> Any:
    """An attribute, `result`, or an element of one, `stages[1]`."""
    name, indexed, index = said.partition("[")
    found = getattr(value, name)
    return found[int(index.removesuffix("]"))] if indexed else found


def _missing(word: Word, known: list[str], namespace: Namespace) -> PolynbError:
    error = unknown(f"there is no program {word.text!r}", word.span, word.text, known)
    names = _gallery_names()
    name = word.text if word.text in names else meant(word.text, names)
    if name is not None:
        error.hint, error.fix = f"{GALLERY}{name}", (Edit(word.span, f"{GALLERY}{name}"),)
    elif any(
        word.text in scop.parameters
        for n in program_names(namespace)
        if (scop := scop_of(namespace[n])) is not None
    ):
        error.message += f": {word.text} is a parameter, and has no value here"
        error.hint, error.fix = f"{word.text}=100, say", (Edit(word.span, f"{word.text}=100"),)
    elif not get_close_matches(word.text, known, 1, 0.6):
        error.hint = _known_programs(namespace)
    return error


def _known_programs(namespace: Namespace) -> str:
    names = program_names(namespace)
    mine = f"one of {', '.join(names)}; or " if names else "a cell `%%scop blur` binds blur; or "
    return f"{mine}one of the gallery, such as gallery:harris"


def _gallery_names() -> tuple[str, ...]:
    from polynb import gallery

    return gallery.names()


def _from_gallery(word: Word) -> Scop:
    from polynb import gallery

    try:
        return gallery.load(word.text.removeprefix(GALLERY))
    except PolynbError as error:
        error.span = error.span or word.span
        close = meant(word.text, [GALLERY + n for n in _gallery_names()])
        if close is not None:
            error.hint, error.fix = close, (Edit(word.span, close),)
        raise


def program_names(namespace: Namespace) -> list[str]:
    """The variables that hold programs."""
    return [
        n
        for n, v in namespace.items()
        if isinstance(v, Scop | Derivation) and not n.startswith("_")
    ]


def scop_of(value: object) -> Scop | None:
    """The program that a variable holds, or what was made of one; None where there is none, as of
    an illegal chain of moves."""
    with suppress(PolynbError):
        return as_scop(value) if isinstance(value, Scop | Derivation) else None
    return None


def redeclared(word: Word, program: Program, temp: tuple[str, ...], assume: str | None) -> Program:
    """A program with more temporaries and assumptions; itself if there are none."""
    if not temp and not assume:
        return program
    from polynb.scop.parsing import with_declarations

    if isinstance(program, Derivation) and program.rewrites and program.before.program is not None:
        raise PolynbError(
            f"{word.text} is what a pass made of a program, and declares nothing",
            span=word.span,
            hint=f"the program that it came from: {word.text}.before",
            fix=[Edit(word.span, f"{word.text}.before")],
        )
    return with_declarations(as_scop(program), temp=temp, assume=assume)


# -- names -----------------------------------------------------------------------------


def check_name(word: Word, namespace: Namespace) -> str:
    """A name that may be bound: an identifier that holds nothing, or something of polynb's."""
    name = word.text
    if not name.isidentifier() or keyword.iskeyword(name):
        plain = re.sub(r"\W+", "_", name).strip("_")
        plain = plain if plain.isidentifier() and not keyword.iskeyword(plain) else f"{plain}_"
        fits = plain.isidentifier()
        raise PolynbError(
            f"{name!r} cannot be a variable",
            span=word.span,
            hint=plain if fits else "a name: blur",
            fix=[Edit(word.span, plain)] if fits else (),
        )
    foreign = name in namespace and not _ours(namespace[name])
    if foreign or (name not in namespace and hasattr(builtins, name)):
        held = namespace.get(name, getattr(builtins, name, None))
        raise PolynbError(
            f"{name} already holds something else ({type(held).__name__}), which would be lost",
            span=word.span,
            hint=f"another name, or first `del {name}`" if foreign else "another name",
        )
    return name


def _ours(value: Any) -> bool:
    if isinstance(value, Scop | Derivation | Dependences):
        return True
    # which load all that runs programs
    known = ("Folding", "Playground", "Roofline", "Search", "Timing")
    return type(value).__module__.startswith("polynb.") and type(value).__name__ in known


def body_source(
    body: str,
    line: MagicLine,
    empty: str = "the cell has no program",
    hint: str = "loops and assignments below this line",
) -> Source:
    """The body of a cell as a text, its lines counted as in the cell, where the magic's line is
    the first. Raises PolynbError if it holds nothing."""
    if not body.strip():
        raise PolynbError(empty, span=line.start, hint=hint)
    return Source("\n" + body, "cell")
