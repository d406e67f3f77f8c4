"""What the displays of many pages have in common is there once: pictures are files, and what is
said of the looks of elements is a style sheet."""

from __future__ import annotations

import base64
import hashlib
import html
import itertools
import os
import re
import string
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from polynb.labs.copies import Notebook

FOLDER: Final = "shared"
STYLES: Final = "displays.css"
SHOWN: Final = "What this cell draws"
_ENDINGS: Final = {"image/svg+xml": "svg", "image/png": "png", "image/jpeg": "jpg"}
_DATA: Final = re.compile(r'src="data:(image/(?:svg\+xml|png|jpeg));base64,([\w+/=]+)"')
_STYLED: Final = re.compile(r'<\w+(?: [\w-]+="[^"]*")* style="[^"]*"(?: [\w-]+="[^"]*")*/?>')
_STYLE: Final = re.compile(r' style="([^"]*)"')
_ELEMENT: Final = re.compile(r'(?<=<)(?!svg)\w+(?: [\w-]+="[^"]*")+')
_ATTRIBUTE: Final = re.compile(r' ([\w-]+)="([^"]*)"')
_LOOKS: Final = (
    *("fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap"),
    *("opacity", "font-size", "font-family", "font-weight", "font-style", "text-anchor"),
)


class SharedParts:
    """A folder of pictures, and of the style sheet that pages need besides."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._rules: dict[str, str] = {}
        folder.mkdir(parents=True, exist_ok=True)

    def notebook(self, notebook: Notebook, page: Path) -> Notebook:
        """The notebook for a page in the folder `page`."""
        place = Path(os.path.relpath(self.folder, page)).as_posix()

        def of(cell: dict[str, Any]) -> dict[str, Any]:
            outputs = [self._shown(o, place) if "data" in o else o for o in cell.get("outputs", ())]
            return cell | {"outputs": outputs} if outputs else cell

        return notebook | {"cells": [of(cell) for cell in notebook["cells"]]}

    def write_styles(self) -> None:
        """The style sheet of all notebooks that there were."""
        rules = (f".{name}{{{style}}}\n" for style, name in sorted(self._rules.items()))
        (self.folder / STYLES).write_text("".join(rules), encoding="utf-8")

    def _shown(self, output: dict[str, Any], place: str) -> dict[str, Any]:
        data = {mime: joined(text) for mime, text in output["data"].items()}
        drawn = next((k for k in ("image/png", "image/jpeg") if k in data), None)
        if "text/html" in data:
            markup = _DATA.sub(lambda d: self._written(d[1], d[2], place), data["text/html"])
            markup = _STYLED.sub(lambda tag: self._classed(tag[0]), markup)
        elif drawn:
            source = self._written(drawn, data.pop(drawn), place)
            markup = f'<img alt="{html.escape(SHOWN)}" {source}>'
        else:
            return output
        return output | {"data": data | {"text/html": markup}}

    def _written(self, kind: str, packed: str, place: str) -> str:
        data = base64.b64decode(packed)
        if kind == "image/svg+xml":
            data = shorter(data.decode()).encode()
        name = f"{_hash(data)}.{_ENDINGS[kind]}"
        (self.folder / name).write_bytes(data)
        return f'src="{place}/{name}"'

    def _classed(self, tag: str) -> str:
        """A tag whose style is a class; it is as strong as the style was."""
        if " class=" in tag:
            return tag
        (style,) = _STYLE.findall(tag)
        parts = [part.strip() for part in html.unescape(style).split(";") if part.strip()]
        strong = ";".join(f"{part}!important" for part in parts)
        name = self._rules.setdefault(strong, f"d{_hash(strong.encode())[:6]}")
        return _STYLE.sub(f' class="{name}"', tag)


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def joined(text: Any) -> Any:
    """A text of a notebook's file, which may be in lines."""
    return "".join(text) if isinstance(text, list) else text


def shorter(svg: str) -> str:
    """The same picture: what several of its elements look like is said once, by a class."""
    if "<style" in svg or " class=" in svg:
        return svg
    counts = Counter(_look(element[0]) for element in _ELEMENT.finditer(svg))
    looks = [look for look, count in counts.most_common() if look and count > 1]
    classes = dict(zip(looks, _names(), strict=False))

    def shown(found: re.Match[str]) -> str:
        name = classes.get(_look(found[0]))
        rest = _ATTRIBUTE.sub(lambda a: "" if a[1] in _LOOKS else a[0], found[0])
        return f'{rest} class="{name}"' if name else found[0]

    rules = "".join(f".{name}{{{look}}}" for look, name in classes.items())
    begin, end, rest = svg.partition(">")
    return f"{begin}{end}<style>{rules}</style>{_ELEMENT.sub(shown, rest)}" if classes else svg


def _look(element: str) -> str:
    """As CSS has it, which wants a unit for the size of letters."""
    given = ((k, f"{v}px" if k == "font-size" else v) for k, v in _ATTRIBUTE.findall(element))
    return ";".join(f"{k}:{v}" for k, v in given if k in _LOOKS)


def _names() -> Iterator[str]:
    for count in itertools.count(1):
        yield from map("".join, itertools.product(string.ascii_lowercase, repeat=count))
