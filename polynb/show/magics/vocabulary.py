"""The names that a magic's line can use: the arrays and parameters of the programs it is about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from polynb.derivation import Derivation
from polynb.scop import Scop
from polynb.show.magics.programs import GALLERY
from polynb.source.names import as_names, is_name


@dataclass(frozen=True)
class Vocabulary:
    """Names, in the order of the text. `temporaries` are what can be propagated; `inputs` what
    a kernel can be given."""

    written: tuple[str, ...] = ()
    temporaries: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    parameters: tuple[str, ...] = ()


def vocabulary(words: Iterable[str], body: str | None, namespace: Mapping[str, Any]) -> Vocabulary:
    """The names of the programs among the words of a line, or of the body of a cell.

    A program of the gallery is not parsed for this, and a cell may not be finished: of texts, only
    what they look like is known.
    """
    found = [] if body is None else [_of_text(body)]
    for word in words if body is None else ():
        if word.startswith(GALLERY):
            found += _of_gallery(word.removeprefix(GALLERY))
            continue
        value = namespace.get(word.partition(".")[0])
        value = value.result if isinstance(value, Derivation) else value
        if isinstance(value, Scop):
            found.append(_of_scop(value))
    return Vocabulary(
        *(
            tuple(dict.fromkeys(n for v in found for n in getattr(v, field)))
            for field in ("written", "temporaries", "inputs", "parameters")
        )
    )


def _of_scop(scop: Scop) -> Vocabulary:
    written = {s.write.array for s in scop.statements}
    return Vocabulary(
        tuple(n for n in scop.arrays if n in written),
        scop.temporaries,
        tuple(n for n, a in scop.arrays.items() if a.live_in),
        scop.parameters,
    )


def _of_gallery(name: str) -> list[Vocabulary]:
    from polynb import gallery
    from polynb.errors import PolynbError

    try:
        return [_of_text(gallery.text(name))]
    except PolynbError:
        return []


def _of_text(text: str) -> Vocabulary:
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)
    iterators = set(re.findall(r"\bfor\s*\(?\s*(?:int\s+)?(\w+)\s*=", text))
    targets = re.findall(r"\b([A-Za-z_]\w*)\s*(?:\[[^;=]*\]\s*)?[-+*/]?=(?!=)", text)
    written = dict.fromkeys(n for n in targets if is_name(n) and n not in iterators)
    declared = " ".join(re.findall(r"\btemp\b([^;]*);", text))
    temporaries = dict.fromkeys(re.findall(r"[A-Za-z_]\w*", re.sub(r"\[.*?\]", "", declared)))
    cells = dict.fromkeys(re.findall(r"\b([A-Za-z_]\w*)\s*\[", text))
    parameters = ",".join(re.findall(r"\bparam\b([^;]*);", text))
    return Vocabulary(
        tuple(written),
        tuple(n for n in temporaries if is_name(n)),
        tuple(n for n in cells if n not in written),
        as_names(parameters),
    )
